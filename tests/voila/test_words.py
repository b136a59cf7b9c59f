"""Words: irregular forms, and that whatever is written is read back as the same."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogsight.voila.images import ALL_SCENES
from cogsight.voila.rules import Relations, Scene, Target
from cogsight.voila.taxonomy import ACTIONS, NUMBERS, SUBJECTS, VALUES
from cogsight.voila.words import (
    describe,
    describe_images,
    describe_target,
    format_answer,
    format_relations,
    format_scenes,
    noun,
    parse_answer,
    parse_images,
    parse_relations,
    parse_scene,
    parse_scenes,
    parse_target,
    sentence,
)

TARGETS = [Target(*values) for values in product(*((*values, None) for values in VALUES.values()))]  # type: ignore[arg-type]
SCENES = st.tuples(*[st.sampled_from(ALL_SCENES)] * 3)


@pytest.mark.parametrize(
    ("subject", "plural"),
    [
        ("fox", "foxes"),
        ("wolf", "wolves"),
        ("monkey", "monkeys"),
        ("man", "men"),
        ("woman", "women"),
        ("senior man", "senior men"),
        ("senior woman", "senior women"),
        ("male child", "male children"),
        ("female child", "female children"),
        ("hamster", "hamsters"),
    ],
)
def test_plurals(subject: str, plural: str) -> None:
    assert [noun(subject, number) for number in (1, 2, 3, 4, None)] == [subject, *[plural] * 4]


def test_all_texts_are_different_and_read_back() -> None:
    assert len({describe(scene) for scene in ALL_SCENES}) == len({sentence(scene) for scene in ALL_SCENES}) == 728
    assert [parse_scene(describe(scene)) for scene in ALL_SCENES] == list(ALL_SCENES)
    assert (
        len({describe_target(found) for found in TARGETS}) == len({format_answer(found) for found in TARGETS}) == 1_050
    )
    assert [parse_target(describe_target(found)) for found in TARGETS] == TARGETS
    assert [parse_answer(format_answer(found)) for found in TARGETS] == TARGETS


def test_sentences() -> None:
    assert sentence(Scene(1, "female child", "digging a hole")) == "One female child is digging a hole."
    assert sentence(Scene(2, "wolf", "eating food")) == "Two wolves are eating food."


@given(SCENES)
def test_questions_read_back(scenes: tuple[Scene, Scene, Scene]) -> None:
    assert parse_images(describe_images(scenes)) == scenes
    assert parse_scenes(format_scenes(scenes)) == scenes


@given(*(st.tuples(st.sampled_from(values), st.sampled_from(values)) for values in (NUMBERS, tuple(SUBJECTS), ACTIONS)))
def test_relations_read_back(number: tuple[int, int], subject: tuple[str, str], action: tuple[str, str]) -> None:
    found = Relations(number, subject, action)
    assert parse_relations(format_relations(found)) == found
    assert parse_relations(format_relations(found) + " ") == found


def test_relations_name_a_constant_subject_in_the_form_of_image_1() -> None:
    """As in 454 rows of the release, where its form differs in image 2."""
    found = format_relations(Relations((1, 3), ("male child", "male child"), ("reading", "reading")))
    assert found.endswith("Subject type remains constant male child.")
    found = format_relations(Relations((3, 1), ("fox", "wolf"), ("reading", "reading")))
    assert found.endswith("Subject type is changed from foxes to wolf.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("TWO  hamsters driving a car", Target(2, "hamster", "driving a car")),
        ("2 hamsters driving a car", Target(2, "hamster", "driving a car")),
        ("any fox reading", Target(None, "fox", "reading")),
        ("one reading", Target(1, None, "reading")),
        ("senior men ice-skating", Target(None, "senior man", "ice-skating")),
        ("female children ", Target(None, "female child", None)),
    ],
)
def test_other_spellings_of_a_target(text: str, expected: Target) -> None:
    assert parse_target(text) == expected


def test_other_spellings_of_an_answer() -> None:
    assert parse_answer("Number = two, subject = foxes, action = any.") == Target(2, "fox", None)


@pytest.mark.parametrize("read", [parse_scene, parse_target, parse_answer, parse_images, parse_scenes, parse_relations])
@pytest.mark.parametrize(
    "text", ["", "five cats reading", "two cats flying", "cat two reading", "Image 1: two cats reading."]
)
def test_what_cannot_be_read(read: object, text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        read(text)  # type: ignore[operator]


@pytest.mark.parametrize("text", ["any cats reading", "two reading", "two cats any"])
def test_an_image_shows_something_certain(text: str) -> None:
    with pytest.raises(ValueError, match="not any"):
        parse_scene(text)

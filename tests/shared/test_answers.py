"""The kinds of answer: how keys are read, compared and guessed."""

from __future__ import annotations

from math import factorial

import pytest

from cogsight.shared.answers import ANSWER_TYPES
from cogsight.shared.sample import Outcome, Reply

FOUR = {letter: f"<image {n}>" for n, letter in enumerate("ABCD", 3)}
OPTION, SEQUENCE = ANSWER_TYPES["option"], ANSWER_TYPES["sequence"]


@pytest.mark.parametrize(("key", "letter"), [("B", "B"), (" B\n", "B"), ("D", "D")])
def test_a_choice_key_is_one_of_the_letters(key: str, letter: str) -> None:
    assert OPTION.parse(key, FOUR) == letter


@pytest.mark.parametrize("key", ["E", "b", "AB", "", "1", "<image 3>", "B."])
def test_another_choice_key_is_refused_by_name(key: str) -> None:
    with pytest.raises(ValueError, match=r"none of the options A, B, C, D") as error:
        OPTION.parse(key, FOUR)
    assert repr(key) in str(error.value)


@pytest.mark.parametrize("key", ["CBAD", "C, B, A, D", "C B A D", "C->B->A->D", " CBAD\n", "C-B-A-D", "C > B > A > D"])
def test_an_order_key_names_every_letter_once(key: str) -> None:
    assert SEQUENCE.parse(key, FOUR) == "CBAD"


@pytest.mark.parametrize("key", ["CBA", "CBAA", "CBADE", "CBAE", "", "B", "cbad"])
def test_another_order_key_is_refused_by_name(key: str) -> None:
    with pytest.raises(ValueError, match=r"each of the options A, B, C, D once") as error:
        SEQUENCE.parse(key, FOUR)
    assert repr(key) in str(error.value)


def test_only_the_same_answer_is_equal() -> None:
    assert OPTION.equal("B", "B")
    assert not OPTION.equal("B", "C")
    assert SEQUENCE.equal("CBAD", "CBAD")
    assert not SEQUENCE.equal("CBAD", "CABD")


@pytest.mark.parametrize("options", range(2, 11))
def test_chance_is_that_of_a_blind_guess(options: int) -> None:
    choices = dict.fromkeys("ABCDEFGHIJ"[:options], "")
    assert OPTION.chance(choices) == pytest.approx(1 / options)
    assert SEQUENCE.chance(choices) == pytest.approx(1 / factorial(options))


@pytest.mark.parametrize(("kind", "key"), [("option", "B"), ("sequence", "CBAD")])
def test_a_key_as_a_reply_is_read_as_itself(kind: str, key: str) -> None:
    assert ANSWER_TYPES[kind].extract(Reply(key), FOUR).value == ANSWER_TYPES[kind].parse(key, FOUR)


PROPERTIES = ANSWER_TYPES["properties"]
SCENE = {"number": "1, 2, any", "subject": "cat, male child, any"}
"""Property → what it can be."""


@pytest.mark.parametrize(
    "text",
    ["number = 2, subject = male child", "Number=2,subject =  MALE CHILD", " number = 2, subject = male child\n"],
)
def test_properties_have_one_spelling(text: str) -> None:
    assert PROPERTIES.parse(text, SCENE) == "number = 2, subject = male child"


@pytest.mark.parametrize(
    "text", ["", "number = 2", "number = 3, subject = cat", "subject = cat, number = 2", "number = 2, subject = cats"]
)
def test_properties_that_cannot_be(text: str) -> None:
    with pytest.raises(ValueError, match="number, subject"):
        PROPERTIES.parse(text, SCENE)


@pytest.mark.parametrize(
    ("reply", "value", "outcome"),
    [
        ("number = 1, subject = cat. No: number = any, subject = cat", "number = any, subject = cat", Outcome.PARSED),
        ("<think>number = 1, subject = cat</think>two cats", None, Outcome.UNPARSED),
        ("<think>number = 1, subject = cat", None, Outcome.TRUNCATED),
        (" ", None, Outcome.EMPTY),
    ],
)
def test_properties_are_read_where_the_form_is_kept(reply: str, value: str | None, outcome: Outcome) -> None:
    found = PROPERTIES.extract(Reply(reply), SCENE)
    assert (found.value, found.outcome) == (value, outcome)
    assert found.span is None or reply[slice(*found.span)] == value


def test_chance_of_properties_is_that_of_all_together() -> None:
    assert PROPERTIES.chance(SCENE) == pytest.approx(1 / 9)
    assert PROPERTIES.equal("number = 1, subject = cat", "number = 1, subject = cat")
    assert not PROPERTIES.equal("number = 1, subject = cat", "number = any, subject = cat")

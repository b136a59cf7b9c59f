"""Reference texts are cut at their headings, however these are written."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogsight.mme_cc.reference import Reference, split_reference

BODY = st.text(st.characters(blacklist_characters="#＃*_:：", blacklist_categories=("Cs",)), max_size=60).filter(
    lambda text: "correct" not in text.lower() and "criteri" not in text.lower()
)
GAP = st.sampled_from(["", " ", "  ", "\t"])
CASE = st.sampled_from([str, str.upper, str.lower, str.title])


@given(
    BODY, BODY, GAP, st.integers(1, 6), GAP, CASE, st.sampled_from(":："), st.sampled_from(["\n", "\n\n", " ", "\r\n"])
)
def test_both_parts_come_back(
    answer: str, rubric: str, inside: str, hashes: int, before: str, case: object, colon: str, between: str
) -> None:
    assert callable(case)
    heads = [case(f"the correct{inside or ' '}answer is"), case("scoring criteria")]
    first, second = (f"{'#' * hashes}{before}{head}{inside}{colon}" for head in heads)
    found = split_reference(f"{first}{between}{answer}\n{second}{between}{rubric}\n")
    assert (found.answer, found.rubric, found.oddities) == (answer.strip(), rubric.strip(), ())


@given(BODY)
def test_a_text_without_headings_is_the_answer(text: str) -> None:
    assert split_reference(text) == Reference(text.strip(), "", ("no heading for the answer",))


@given(st.text())
def test_nothing_raises(text: str) -> None:
    split_reference(text)


@pytest.mark.parametrize(
    ("text", "answer", "rubric", "oddity"),
    [
        ("**The correct answer is:** H8 or G7\n**Scoring criteria:** both", "H8 or G7", "both", None),
        ("## The correct answer is\n5\n## Scoring criteria\nfive", "5", "five", None),
        ("## The correct answer is: 5 ## Scoring criteria: five", "5", "five", None),
        ("### the correct answers are: 1, 2", "1, 2", "", None),
        ("＃＃ The correct answer is：5\n＃＃ Scoring criterion：five", "5", "five", None),
        ("# The correct answer is: 5\n# Scoring criteria:\nThe correct answer is: 5, nothing else", "5", None, None),
        ("5\n## Scoring criteria: five", "5", "five", "no heading for the answer"),
        ("## Scoring criteria: five\n## The correct answer is: 5", "5", "five", "the rubric stands before the answer"),
        ("So: ## The correct answer is: 5", "5", "", "3 characters before the heading of the answer"),
        ("## The correct answer is: 5\n## The correct answer is: 6", "5", "", "2 headings for the answer"),
        (
            "Why is the correct answer is: not known",
            "Why is the correct answer is: not known",
            "",
            "no heading for the answer",
        ),
    ],
)
def test_odd_headings_are_told(text: str, answer: str, rubric: str | None, oddity: str | None) -> None:
    found = split_reference(text)
    assert found.answer == answer
    assert rubric is None or found.rubric == rubric
    assert found.oddities == ((oddity,) if oddity else ())


@pytest.mark.parametrize(
    "text", ["#" * 500_000, "# " * 300_000, "the correct answer is " * 40_000, "## the" + " " * 500_000]
)
def test_hostile_texts_take_no_time(text: str) -> None:
    start = time.process_time()
    split_reference(text)
    assert time.process_time() - start < 2

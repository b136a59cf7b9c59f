"""Known replies: what must be read from each of them, and why nothing when nothing can."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from cogsight.shared.extraction import RULES, extract
from cogsight.shared.sample import Outcome

GOLDEN = Path(__file__).parents[1] / "golden" / "extraction"
GIVEN = Path(__file__).parents[3] / "shared" / "cases" / "extraction.tsv"


def rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from enumerate(csv.DictReader(file, delimiter="\t"), 1)


def golden(folder: str = "") -> Iterator[Any]:
    choices = json.loads((GOLDEN / "choices.json").read_text(encoding="utf-8"))
    for path in sorted((GOLDEN / folder).glob("*.tsv")):
        for number, row in rows(path):
            yield pytest.param(choices[row["choices"]], row, id=f"{path.stem}-{number}")


def given() -> Iterator[Any]:
    kinds = {"sort": "sequence", "mcq": "option", "mcq_spatialviz": "option"}
    if not GIVEN.exists():
        yield pytest.param({}, {}, marks=pytest.mark.skip(f"{GIVEN} is not there"), id="given")
        return
    for number, row in rows(GIVEN):
        yield pytest.param(json.loads(row["choices"]), row | {"kind": kinds[row["kind"]]}, id=f"given-{number}")


@pytest.mark.parametrize(("choices", "row"), [*golden(), *given()])
def test_a_careful_reader_agrees(choices: Mapping[str, str], row: Mapping[str, str]) -> None:
    """Where `right` is empty there is no answer, or (rows without `outcome`) at times one that no rule reads yet: then silence."""
    found = extract(row["reply"], row["kind"], choices)
    assert (found.value or "") == row["right"]
    assert (found.outcome is Outcome.PARSED) == bool(row["right"])
    if row.get("outcome"):
        assert found.outcome.value == row["outcome"]


@pytest.mark.parametrize(("choices", "row"), [*golden("unread")])
def test_what_cannot_be_read_yet_is_never_read_wrongly(choices: Mapping[str, str], row: Mapping[str, str]) -> None:
    """A reply that gets read one day moves to the other files."""
    found = extract(row["reply"], row["kind"], choices)
    assert found.value is None
    assert found.outcome is not Outcome.REFUSED


def test_there_are_enough_cases() -> None:
    assert len(list(golden())) >= 1500


@pytest.mark.parametrize(("choices", "row"), [*golden()])
def test_rule_and_span_say_how_and_where(choices: Mapping[str, str], row: Mapping[str, str]) -> None:
    found = extract(row["reply"], row["kind"], choices)
    assert found.rule in {way for rule in RULES[row["kind"]] for way in rule.ways or (rule.name,)} | {""}
    assert (found.span is None) == (found.value is None)
    if found.span and found.value:
        start, end = found.span
        assert 0 <= start < end <= len(row["reply"])
        named = row["reply"][start:end]
        assert named == named.strip()
        if row["kind"] == "option" and len(named) == 1 and named.isascii() and named.isalpha():
            assert named.upper() == found.value


DRESS = {
    "behind reasoning": "<think>It may be A, or B. The answer is D?</think>\n\n{}",
    "behind reasoning opened in the prompt": "Hmm, A? The answer is D.\n</think>\n{}",
    "before an end token": "{}<|im_end|>",
    "among blank lines": "\n\n {} \n\n",
    "in bold": "**{}**",
    "in a tag": "<answer>{}</answer>",
}
PLAIN = [
    case for case in golden() if not set("<*\\\n") & set(case.values[1]["reply"]) and case.values[1]["reply"].strip()
]


@pytest.mark.parametrize("dress", DRESS)
def test_dress_does_not_change_the_answer(dress: str) -> None:
    for choices, row in (case.values for case in PLAIN):
        if row["outcome"] not in ("empty", "truncated"):
            found = extract(DRESS[dress].format(row["reply"]), row["kind"], choices)
            assert (found.value or "") == row["right"], row["reply"]

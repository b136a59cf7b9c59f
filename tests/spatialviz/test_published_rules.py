"""Recorded replies through the paper's two extraction rules and ours, in one table: `tests/golden/spatialviz_rules.tsv`.

Its column `right` is what a careful reader takes from the reply, and what ours must read; the columns of the paper's rules were
checked against the released script itself on 600,000 random replies.
"""

from __future__ import annotations

import csv
import json
import re
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from strategies import replies

from cogsight.shared.extraction import extract
from cogsight.spatialviz.published_rules import RULES, rule_a, rule_b, rule_released

GOLDEN = Path(__file__).parents[1] / "golden"
README = Path(__file__).parents[2] / "README.md"


def rows() -> list[dict[str, str]]:
    with (GOLDEN / "spatialviz_rules.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


ROWS = rows()
CHOICES: Mapping[str, Any] = json.loads((GOLDEN / "extraction" / "choices.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['style']}-{row['reply'][:30]!a}")
def test_recorded_replies(row: dict[str, str]) -> None:
    assert {name: rule(row["reply"], row["style"]) or "" for name, rule in RULES.items()} == {n: row[n] for n in RULES}
    assert (extract(row["reply"], "option", CHOICES[row["choices"]]).value or "") == row["right"]


def test_how_many_each_rule_reads_as_a_careful_reader_does() -> None:
    right = {name: sum(row[name] == row["right"] for row in ROWS) for name in RULES}
    assert (len(ROWS), right) == (55, {"A": 27, "B": 24, "A, then B": 29, "A, then B, then the tail": 34})


def test_the_readmes_table_is_true() -> None:
    """| `reply` | right | A | B | as released, with the tail | ours |."""
    lines = re.findall(
        r"^\| `(.+?)` \| (.) \| (.) \| (.) \| (.) \| (.) \|$", README.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(lines) >= 6
    letters = dict(zip("ABCD", "ABCD", strict=True))
    for reply, *printed in lines:
        read = (rule_a(reply), rule_b(reply), rule_released(reply, tail=True), extract(reply, "option", letters).value)
        assert printed[1:] == [letter or "–" for letter in read], reply


def test_the_boxed_prompt_has_its_pattern_first() -> None:
    reply = r"Option A is flipped, so \boxed{B}"
    assert (rule_b(reply, "cot"), rule_b(reply, "boxed")) == ("A", "B")


def test_rule_a_tries_markers_until_one_has_a_letter() -> None:
    assert rule_a("<answer>none</answer> Final answer: C") == "C"
    assert rule_a("Final answer: C. The answer is B") == "C", "not the last marker, but the first of the list"
    assert rule_a("The answer is A. The answer is B.") == "B", "behind its last occurrence"


@given(replies())
def test_the_rules_read_anything(reply: str) -> None:
    for style in ("cot", "boxed", "direct"):
        found = {name: rule(reply, style) for name, rule in RULES.items()}
        assert set(found.values()) <= {None, *"ABCD"}
        if found["A"]:
            assert found["A, then B"] == found["A"]
        if found["A, then B"]:
            assert found["A, then B, then the tail"] == found["A, then B"]


def test_long_replies_take_no_time() -> None:
    pieces = ("<answer>", "option ", "answer is ", "A ", "\n", r"\boxed{", "</answer><answer>", "correct path ")
    start = time.process_time()
    for piece in pieces:
        long = piece * (300_000 // len(piece))
        assert rule_released(long, "boxed", tail=True) in (None, "A")
    for text in ("correct path", "answer", "<answer>", "correct", "answer is"):
        assert rule_released(text + " " * 300_000 + "x", "boxed", tail=True) is None
    assert time.process_time() - start < 5

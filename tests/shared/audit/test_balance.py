"""Keys that are right too often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from audit_samples import LETTERS, audited, changed, clean, only

from cogsight.shared.audit.balance import balance
from cogsight.shared.audit.finding import Verdict
from cogsight.shared.sample import Sample

UNPROVED = {"generators": {}}
"""Keys that were not dealt out in blocks."""


def keyed(keys: Sequence[str], **fields: str) -> list[Sample]:
    """Questions with these keys, one after the other."""
    return [replace(clean()[0], id=f"{fields}{i}", images=(), answer=key, **fields) for i, key in enumerate(keys)]


def test_clean() -> None:
    finding = only(balance(audited(clean())))
    assert (finding.verdict, finding.measured) == (Verdict.OK, "key: A 10 B 10 C 10 D 10; p = 1")


@pytest.mark.parametrize(("counts", "ok"), [((40, 30, 25, 25), True), ((55, 25, 20, 20), False)])
def test_biased_keys(counts: tuple[int, ...], ok: bool) -> None:
    keys = "".join(letter * count for letter, count in zip(LETTERS, counts, strict=True))
    finding = only(balance(audited(keyed(keys), **UNPROVED)))
    assert finding.ok is ok
    assert finding.measured.startswith("key: " + " ".join(f"{a} {n}" for a, n in zip(LETTERS, counts, strict=True)))


def test_a_bias_of_one_level_that_another_makes_up_for() -> None:
    samples = keyed("A" * 30 + "B" * 10, level="1") + keyed("B" * 20 + "C" * 30 + "D" * 30, level="2")
    assert "level 1" in only(balance(audited(samples, **UNPROVED))).measured


def test_one_p_value_among_many_is_not_much() -> None:
    uneven = keyed("A" * 55 + "B" * 30 + "C" * 25 + "D" * 25)
    assert not only(balance(audited(uneven, **UNPROVED))).ok
    tasks = [sample for i in range(40) for sample in keyed(LETTERS * 30, task=f"task {i}")]
    assert all(finding.ok for finding in balance(audited([*uneven, *tasks], **UNPROVED)))


def test_keys_dealt_in_blocks_are_even_but_for_one() -> None:
    first = next(i for i, sample in enumerate(clean()) if sample.answer == "A")
    second = changed(lambda sample, i: replace(sample, answer="B") if i == first else sample)
    finding = only(balance(audited(second)))
    assert not finding.ok
    assert "at most 1 apart" in finding.limit
    assert only(balance(audited(second, **UNPROVED))).ok


def test_orders() -> None:
    rng = Random(0)
    orders = ["".join(rng.sample(LETTERS, len(LETTERS))) for _ in range(300)]
    samples = [replace(sample, answer_type="sequence") for sample in keyed(orders)]
    assert only(balance(audited(samples, **UNPROVED))).ok
    first = [replace(sample, answer="A" + sample.answer.replace("A", "")) for sample in samples]
    assert "first letter: A 300" in only(balance(audited(first, **UNPROVED))).measured
    turns = [replace(sample, answer="ABCD"[i % 4 :] + "ABCD"[: i % 4]) for i, sample in enumerate(samples)]
    finding = only(balance(audited(turns, **UNPROVED)))
    assert not finding.ok
    assert "order: 24 keys, at most 75 apart" in finding.measured


def test_questions_with_fewer_options_expect_fewer_keys() -> None:
    pairs = [replace(sample, choices={"A": "no", "B": "yes"}) for sample in keyed("AB" * 40)]
    assert only(balance(audited(keyed(LETTERS * 20) + pairs, **UNPROVED))).ok


def test_what_cannot_be_said() -> None:
    assert only(balance(audited(clean()[:4], **UNPROVED))).verdict is Verdict.TOO_FEW
    free = [replace(sample, answer_type="number", choices={}, answer="7") for sample in clean()]
    assert only(balance(audited(free, **UNPROVED))).verdict is Verdict.NONE

"""Keys that their own state does not prove, and pictures that it does not draw."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from audit_samples import GENERATOR, TASK, audited, changed, clean, only, picture

from cogsight.shared.audit.finding import Verdict
from cogsight.shared.audit.proofs import keys, redrawing, spread
from cogsight.shared.sample import Sample


def stated(sample: Sample, state: object) -> Sample:
    return replace(sample, metadata=json.dumps({"state": state}))


def with_two_answers(sample: Sample) -> Sample:
    shown = json.loads(sample.metadata)["state"].split()[0]
    return stated(sample, " ".join([shown] * 5))


def other_key(sample: Sample) -> Sample:
    return replace(sample, answer="A" if sample.answer != "A" else "B")


def test_clean() -> None:
    for check in (keys, redrawing):
        assert only(check(audited(clean(12)))).verdict is Verdict.OK
    assert only(redrawing(audited(clean(12), redraw=5))).measured.startswith("0 of 5 ")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (other_key, f"but {clean(12)[4].answer} fits"),
        (with_two_answers, "but A, B, C, D fits"),
        (lambda sample: stated(sample, "no numbers"), "its state cannot be read: ValueError"),
        (lambda sample: stated(sample, "1 2"), "its state cannot be read"),
        (lambda sample: stated(sample, 7), "its state cannot be read"),
        (lambda sample: replace(sample, metadata="{}"), "its state cannot be read: KeyError('state')"),
        (lambda sample: replace(sample, question="Which is it?"), "its state asks in other words"),
        (lambda sample: replace(sample, choices=dict(reversed(sample.choices.items()))), "asks in other words"),
    ],
)
def test_what_is_not_proved(change: Callable[[Sample], Sample], said: str) -> None:
    finding = only(keys(audited(changed(lambda sample, i: change(sample) if i == 4 else sample, 12))))
    assert finding.verdict is Verdict.FAILS
    (worst,) = finding.worst
    assert worst.startswith(clean(12)[4].id)
    assert said in worst


def test_another_picture() -> None:
    def repainted(sample: Sample, i: int) -> Sample:
        return replace(sample, images=(*sample.images[:2], picture(5), *sample.images[3:])) if i == 4 else sample

    finding = only(redrawing(audited(changed(repainted, 12), redraw=12)))
    assert finding.worst == (f"{clean(12)[4].id}: picture 3",)
    missing = [replace(sample, images=sample.images[:3]) for sample in clean(2)]
    assert "3 pictures, but 5 are drawn" in only(redrawing(audited(missing))).worst[0]
    unreadable = [stated(sample, "?") for sample in clean(2)]
    assert "cannot be drawn" in only(redrawing(audited(unreadable))).worst[0]


def test_where_nothing_can_be_proved() -> None:
    for options in ({"procedural": False}, {"generators": {}}):
        for check in (keys, redrawing):
            assert only(check(audited(clean(4), **options))).verdict is Verdict.NONE
    assert only(redrawing(audited(clean(4), redraw=0))).verdict is Verdict.NONE


def test_a_solver_that_fits_more_is_noticed() -> None:
    lax = replace(GENERATOR, solve=lambda state: frozenset("ABCD"))
    assert not only(keys(audited(clean(4), generators={TASK: lax}))).ok


def test_spread() -> None:
    assert spread(list(range(10)), 3) == [0, 3, 6]  # type: ignore[arg-type]
    assert spread([1, 2], 5) == [1, 2]  # type: ignore[arg-type]

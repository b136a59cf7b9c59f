"""How scores add up, with a toy benchmark whose numbers can be checked by head."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import CATEGORIES, TASKS, UNREAD, toy_score, toy_scores

from cogsight.shared.errors import DataError
from cogsight.shared.sample import Judgement, Score
from cogsight.shared.stats import critical_count, wilson
from cogsight.shared.summary import AVERAGES, OUTCOMES, Row, Summary, summarise
from cogsight.shared.variants import Variant

averages = st.sampled_from(sorted(AVERAGES))


def toy(scores: Sequence[Score], per_task: int = 4, average: str = "tasks") -> Summary:
    return summarise(
        scores,
        Variant("toy", size=3 * per_task),
        title="Toy",
        tasks=TASKS,
        categories=CATEGORIES,
        expected=dict.fromkeys(TASKS, per_task),
        average=average,
        versions={"benchmark": "1-A"},
    )


def run(right: dict[str, int], n: int = 4) -> list[Score]:
    """A whole run with so many right answers by task."""
    return [toy_score(task, i, float(i < count)) for task, count in right.items() for i in range(n)]


def test_a_whole_run() -> None:
    summary = toy(run({"near": 4, "far": 2, "before": 1}))
    assert [(row.scope, row.name, row.accuracy) for row in summary.rows] == [
        ("overall", "overall", pytest.approx(7 / 12)),
        ("category", "space", 0.75),
        ("task", "near", 1.0),
        ("task", "far", 0.5),
        ("category", "time", 0.25),
        ("task", "before", 0.25),
    ]
    assert summary.complete
    assert summary.headline == summary.overall.low == pytest.approx(7 / 12)
    assert (summary.expected, summary.missing_tasks, summary.repeats) == (12, (), 1)
    assert summary.overall.interval == wilson(7, 12)
    assert summary.tasks["far"].category == "space"
    assert summary.versions == {"benchmark": "1-A"}


def test_three_ways_to_add_up() -> None:
    """8 questions of near (all right), 4 of far and 2 of before (none right)."""
    scores = run({"near": 8}, 8) + run({"far": 0}) + run({"before": 0}, 2)
    found = {average: toy(scores, average=average) for average in AVERAGES}
    assert {name: summary.overall.accuracy for name, summary in found.items()} == {
        "questions": pytest.approx(8 / 14),
        "tasks": pytest.approx(1 / 3),
        "categories": pytest.approx((1 / 2 + 0) / 2),
    }
    space = {name: summary.rows[1].accuracy for name, summary in found.items()}
    assert space == {"questions": pytest.approx(8 / 12), "tasks": 0.5, "categories": 0.5}
    chance = {name: summary.overall.chance for name, summary in found.items()}
    assert chance == {
        "questions": pytest.approx((8 / 4 + 4 / 2 + 2 / 24) / 14),
        "tasks": pytest.approx((1 / 4 + 1 / 2 + 1 / 24) / 3),
        "categories": pytest.approx(((1 / 4 + 1 / 2) / 2 + 1 / 24) / 2),
    }


def test_lost_attempts_are_not_the_models_fault() -> None:
    scores = run({"near": 2, "far": 2, "before": 2})
    scores[0] = toy_score("near", 0, None)  # a right one
    summary = toy(scores)
    near = summary.tasks["near"]
    assert (near.n, near.lost, near.low, near.high) == (4, 1, 0.25, 0.5)
    assert near.accuracy == pytest.approx(1 / 3)
    assert near.interval == wilson(1, 3)
    assert near.outcomes["lost"] == 0.25
    assert near.critical == critical_count([1 / 4] * 4) / 4
    assert (summary.complete, summary.headline) == (False, None)
    assert summary.overall.low == pytest.approx(5 / 12)


def test_a_task_that_was_lost_whole_bounds_the_score_only() -> None:
    scores = run({"near": 4, "far": 4}) + [toy_score("before", n, None) for n in range(4)]
    overall = toy(scores).overall
    assert (overall.accuracy, overall.high) == (1.0, 1.0)
    assert overall.low == pytest.approx(2 / 3)
    before = toy(scores).tasks["before"]
    assert (before.accuracy, before.low, before.high, before.interval) == (None, 0.0, 1.0, None)


@pytest.mark.parametrize(("drop", "missing"), [({("far", 3)}, ()), ({("before", n) for n in range(4)}, ("before",))])
def test_fewer_questions_are_no_whole_run(drop: set[tuple[str, int]], missing: tuple[str, ...]) -> None:
    ids = {f"toy/official/{task}/0/{n}" for task, n in drop}
    summary = toy([score for score in run({"near": 4, "far": 4, "before": 4}) if score.sample_id not in ids])
    assert (summary.complete, summary.headline, summary.missing_tasks) == (False, None, missing)
    assert (summary.overall.low, summary.overall.high) == (1.0, 1.0)


def test_more_questions_than_expected_are_not_the_benchmark_either() -> None:
    summary = toy([*run({"near": 4, "far": 4, "before": 4}), toy_score("near", 4, 1.0)])
    assert not summary.complete
    assert not summary.tasks["near"].whole


def test_no_scores_at_all() -> None:
    summary = toy([])
    assert not summary.complete
    assert summary.missing_tasks == tuple(TASKS)
    assert {(row.accuracy, row.low, row.interval, row.critical, row.above_chance) for row in summary.rows} == {
        (None, None, None, None, False)
    }


def test_attempts_at_one_question_count_as_one_question() -> None:
    once = run({"near": 1, "far": 2, "before": 3})
    summary = toy([replace(score, attempt=attempt) for score in once for attempt in range(5)])
    single = toy(once)
    assert (summary.repeats, summary.complete) == (5, True)
    for row, other in zip(summary.rows, single.rows, strict=True):
        assert (row.n, row.attempts) == (other.n, 5 * other.n)
        assert replace(row, attempts=other.attempts) == other  # saying the same five times is no more evidence


def test_attempts_that_differ_make_a_mean_with_a_bootstrap() -> None:
    scores = [toy_score("near", n, float(a <= n), attempt=a) for n in range(4) for a in range(4)]
    near = toy(scores).tasks["near"]
    assert near.accuracy == pytest.approx((1 + 2 + 3 + 4) / 16)
    assert near.interval is not None
    assert near.interval.method == "bootstrap"


def test_an_attempt_short_is_not_complete() -> None:
    scores = [replace(s, attempt=a) for s in run({"near": 4, "far": 4, "before": 4}) for a in range(2)]
    assert toy(scores).complete
    assert not toy(scores[:-1]).complete


def test_intervals_say_how_they_were_made() -> None:
    scores = run({"near": 2, "far": 2, "before": 2})
    methods = {"plain": scores}
    methods["grouped"] = [replace(s, group="one") if s.task == "far" else s for s in scores]
    methods["partial"] = [replace(s, points=0.5) if s.task == "far" and s.points else s for s in scores]
    methods["own groups"] = [replace(s, group=s.sample_id) for s in scores]
    methods["unequal"] = scores[:-1]
    found = {
        name: [row.interval.method for row in toy(own).rows if row.interval and row.name in ("overall", "near", "far")]
        for name, own in methods.items()
    }
    assert found == {
        "plain": ["wilson", "wilson", "wilson"],
        "grouped": ["bootstrap", "wilson", "wilson on groups"],
        "partial": ["bootstrap", "wilson", "bootstrap"],
        "own groups": ["wilson", "wilson", "wilson"],
        "unequal": ["wilson combined", "wilson", "wilson"],
    }


def test_above_chance_is_judged_by_low() -> None:
    """5 of 8 with chance 1/4 is above it (P = 0.027), 4 of 8 is not (P = 0.11), nor are 4 of 6 when another 2 are lost."""
    five = run({"near": 5}, 8)
    assert toy(five).tasks["near"].critical == 5 / 8
    assert toy(five).tasks["near"].above_chance
    assert not toy(run({"near": 4}, 8)).tasks["near"].above_chance
    lost = [toy_score("near", n, None) for n in (6, 7)]
    assert not toy([*run({"near": 4}, 6), *lost]).tasks["near"].above_chance


def test_outcomes_and_judged_are_rates() -> None:
    scores = [toy_score("near", n, 0.0, reason) for n, reason in enumerate(UNREAD)]
    scores += [toy_score("near", 5, 1.0), toy_score("near", 6, 0.5, "partial"), toy_score("near", 7, None)]
    scores[-3] = replace(scores[-3], judged_by="a judge")
    scores[-1] = replace(scores[-1], judged_by="a judge")  # it failed: nothing was read
    near = toy(scores).tasks["near"]
    assert near.outcomes == {**dict.fromkeys(UNREAD, 1 / 8), "parsed": 2 / 8, "lost": 1 / 8, "unjudged": 0}
    assert near.judged == 1 / 8
    assert list(near.outcomes) == list(OUTCOMES)


def test_what_was_not_judged_is_counted_apart_from_what_was_lost() -> None:
    scores = run({"near": 2, "far": 2, "before": 2})
    scores[0] = toy_score("near", 0, None)
    scores[1] = toy_score("near", 1, None, "not_judged")
    scores[2] = toy_score("near", 2, None, "judge_unreadable")
    near = toy(scores).tasks["near"]
    assert (near.lost, near.unjudged, near.unmeasured) == (1, 2, 3)
    assert (near.outcomes["lost"], near.outcomes["unjudged"]) == (0.25, 0.5)
    assert (near.low, near.high, near.accuracy) == (0.0, 0.75, 0.0)
    whole = run({"near": 2, "far": 2, "before": 2})
    assert toy(whole).complete and not toy([scores[1], *whole[:1], *whole[2:]]).complete


def test_unanimity_is_of_what_was_judged_with_several_votes() -> None:
    def judged(n: int, agreement: float, votes: int = 3) -> Score:
        judgement = Judgement(("p-1",), "j", votes, agreement, "")
        return replace(toy_score("near", n, 1.0), judged_by="j", judgement=judgement)

    assert toy([judged(0, 1.0), judged(1, 2 / 3), toy_score("near", 2, 1.0)]).overall.unanimous == 0.5
    assert toy([judged(0, 1.0, votes=1)]).overall.unanimous is None
    assert toy([toy_score("near", 0, 1.0)]).overall.unanimous is None


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (toy_score("near", 0, 1.0), "toy/official/near/0/0: attempt 0 is scored twice"),
        (
            replace(toy_score("far", 7, 1.0), task="fare"),
            "toy/official/far/0/7: task 'fare' is none of near, far, before",
        ),
        (toy_score("far", 7, 1.5, "x"), "toy/official/far/0/7: 1.5 points"),
        (toy_score("far", 7, float("nan"), "x"), "toy/official/far/0/7: nan points"),
    ],
)
def test_bad_scores_are_named(wrong: Score, message: str) -> None:
    with pytest.raises(DataError, match=message):
        toy([toy_score("near", 0, 0.0), wrong])


def test_expected_must_add_up_to_the_variant() -> None:
    with pytest.raises(ValueError, match="toy has 7 questions, but 12 are expected"):
        summarise(
            [],
            Variant("toy", size=7),
            title="Toy",
            tasks=TASKS,
            categories=CATEGORIES,
            expected=dict.fromkeys(TASKS, 4),
            average="tasks",
        )


@settings(max_examples=60, deadline=None)
@given(toy_scores(), averages)
def test_bounds_hold(scores: list[Score], average: str) -> None:
    summary = toy(scores, average=average)
    assert summary.complete == (summary.headline is not None)
    for row in summary.rows:
        check_bounds(row)


def check_bounds(row: Row) -> None:
    assert (row.low is None) == (row.high is None) == (row.chance is None) == (row.n == 0)
    assert (row.accuracy is None) == (row.interval is None) == (row.attempts == row.unmeasured)
    if row.low is not None and row.high is not None:
        assert 0 <= row.low <= row.high <= 1
        assert row.low <= (row.accuracy if row.accuracy is not None else row.low) + 1e-12
        assert row.high >= (row.accuracy if row.accuracy is not None else row.high) - 1e-12
        assert row.unmeasured or row.low == row.high
        assert sum(row.outcomes.values()) == pytest.approx(1)
    if row.interval and row.accuracy is not None:
        assert 0 <= row.interval.low <= row.accuracy + 1e-12
        assert row.accuracy - 1e-12 <= row.interval.high <= 1
        assert row.interval.low < row.interval.high


@settings(max_examples=40, deadline=None)
@given(toy_scores(), averages, st.integers())
def test_order_does_not_matter_and_nothing_is_changed(scores: list[Score], average: str, seed: int) -> None:
    shuffled = random.Random(seed).sample(scores, len(scores))
    before = list(shuffled)
    assert toy(shuffled, average=average) == toy(scores, average=average)
    assert shuffled == before


@settings(max_examples=40, deadline=None)
@given(toy_scores(), averages)
def test_json_brings_a_summary_back(scores: list[Score], average: str) -> None:
    summary = replace(toy(scores, average=average), view="collage")
    written = json.dumps(summary.to_dict(), allow_nan=False)
    assert Summary.from_dict(json.loads(written)) == summary
    assert {type(value) for value in numbers(summary.to_dict())} <= {int, float, bool}


def numbers(value: object) -> list[object]:
    """All numbers in a nest of dicts and lists."""
    if isinstance(value, dict):
        return [number for item in value.values() for number in numbers(item)]
    if isinstance(value, list | tuple):
        return [number for item in value for number in numbers(item)]
    return [] if value is None or isinstance(value, str) else [value]


@settings(max_examples=40, deadline=None)
@given(toy_scores(groups=("",)), st.integers(0, 23))
def test_losing_an_answer_only_widens_the_bounds(scores: list[Score], which: int) -> None:
    if not scores:
        return
    lost = [*scores]
    lost[which % len(scores)] = replace(scores[which % len(scores)], points=None, reason="request_failed")
    for row, before in zip(toy(lost).rows, toy(scores).rows, strict=True):
        assert (row.n, row.chance, row.critical) == (before.n, before.chance, before.critical)
        if row.low is not None and row.high is not None and before.low is not None and before.high is not None:
            assert row.low <= before.low + 1e-12
            assert row.high >= before.high - 1e-12


@settings(max_examples=40, deadline=None)
@given(toy_scores(), averages)
def test_the_other_averages_are_what_they_would_be(scores: list[Score], average: str) -> None:
    summary = toy(scores, average=average)
    assert list(summary.averages) == list(AVERAGES)
    for other in AVERAGES:
        assert summary.averages[other] == pytest.approx(toy(scores, average=other).overall.low)

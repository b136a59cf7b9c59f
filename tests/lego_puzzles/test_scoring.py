"""LEGO-Puzzles' averages, against the paper's own rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from cogsight.lego_puzzles.scoring import expected, published, score, summarise
from cogsight.lego_puzzles.taxonomy import CATEGORIES, TASKS
from cogsight.shared.sample import Reply, Sample, Score
from cogsight.shared.variants import Variant

FULL = Variant("lego_puzzles", size=1100)
LITE = Variant("lego_puzzles", ("lite",), subset="lite", size=220)
PROCEDURAL = Variant("lego_puzzles", ("procedural",), source="procedural", size=1100)


def run(right: Mapping[str, float], n: int) -> list[Score]:
    """Scores of a run with so many right answers of `n` by task."""
    return [
        Score(
            sample_id=f"lego_puzzles/official/{task}/0/{i}",
            attempt=0,
            points=float(i < count),
            reason="right" if i < count else "wrong",
            task=task,
            category=TASKS[task].category,
            chance=TASKS[task].chance,
        )
        for task, count in right.items()
        for i in range(n)
    ]


def rows(table: str, *kinds: str) -> list[Any]:
    found = [row for row in published()["tables"][table]["rows"] if row["kind"] in kinds]
    return [pytest.param(row, id=f"{row['model']} {row['versions'][-1]}") for row in found]


@pytest.mark.parametrize("row", rows("main", "proprietary", "open"))
def test_the_papers_models_come_out(row: dict[str, Any]) -> None:
    summary = summarise(run(row["scores"], 100), FULL)
    assert summary.complete
    assert summary.headline is not None
    assert 100 * summary.headline == pytest.approx(row["overall"], abs=0.0501)
    assert {name: round(100 * (task.accuracy or 0)) for name, task in summary.tasks.items()} == row["scores"]


@pytest.mark.parametrize("row", rows("lite", "proprietary", "open", "human"))
def test_the_papers_lite_rows_come_out(row: dict[str, Any]) -> None:
    summary = summarise(run({task: points / 5 for task, points in row["scores"].items()}, 20), LITE)
    assert 100 * (summary.headline or 0) == pytest.approx(row["overall"], abs=0.0501)


def test_thresholds_and_chance_are_the_papers() -> None:
    random, threshold = (row.values[0] for row in rows("main", "baseline"))
    summary = summarise(run(random["scores"], 100), FULL)
    assert {name: round(100 * (row.critical or 0), 9) for name, row in summary.tasks.items()} == threshold["scores"]
    printed = {name: 100 * (row.chance or 0) for name, row in summary.tasks.items()}
    assert printed == pytest.approx(random["scores"], abs=0.34)  # the paper prints 33.0 for a third
    assert 100 * (summary.overall.chance or 0) == pytest.approx(random["overall"])
    # The paper's 35.5 is the mean of the thresholds; the threshold of the mean is lower.
    assert sum(threshold["scores"].values()) / 11 == pytest.approx(threshold["overall"], abs=0.05)
    assert summary.overall.critical == 327 / 1100


def test_categories_are_means_of_their_tasks() -> None:
    right = {task: n for n, task in enumerate(TASKS, 1)}
    summary = summarise(run(right, 100), FULL)
    found = {row.name: row.accuracy for row in summary.rows if row.scope == "category"}
    assert found == {
        "spatial_understanding": pytest.approx((1 + 2 + 3 + 4) / 400),
        "single_step_reasoning": pytest.approx((5 + 6 + 7 + 8) / 400),
        "multi_step_reasoning": pytest.approx((9 + 10 + 11) / 300),
    }
    assert list(found) == list(CATEGORIES)
    assert summary.overall.accuracy == pytest.approx(6 / 100)  # not the mean of the categories, 5.92 %


def test_expected_by_variant() -> None:
    assert expected(FULL) == dict.fromkeys(TASKS, 100)
    assert expected(LITE) == dict.fromkeys(TASKS, 20)
    assert expected(PROCEDURAL) == dict.fromkeys(TASKS, 100)


@pytest.mark.parametrize("size", [0, 1101])
def test_a_size_that_cannot_be_shared_out(size: int) -> None:
    with pytest.raises(ValueError, match=f"lego_puzzles: size {size} is not a multiple of its 11 tasks"):
        expected(Variant("lego_puzzles", size=size))


def test_the_generated_set_is_whole_with_its_own_tasks() -> None:
    summary = summarise(run(dict.fromkeys(TASKS, 50), 100), PROCEDURAL)
    assert summary.complete
    assert list(summary.tasks) == list(TASKS)
    assert [row.name for row in summary.rows if row.scope == "category"] == list(CATEGORIES)


def test_a_missing_task_is_no_whole_run() -> None:
    summary = summarise(run({task: 50 for task in TASKS if task != "ordering"}, 100), FULL)
    assert (summary.complete, summary.headline, summary.missing_tasks) == (False, None, ("ordering",))
    assert summary.overall.accuracy == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("answer_type", "answer", "text", "points", "reason"),
    [
        ("option", "C", "The answer is C.", 1.0, "right"),
        ("option", "C", "The answer is B.", 0.0, "wrong"),
        ("sequence", "CBAD", "C, B, A, D", 1.0, "right"),
        ("sequence", "CBAD", "CBDA", 0.0, "wrong"),
        ("sequence", "CBAD", "<think>CBAD, then", 0.0, "truncated"),
    ],
)
def test_replies_score(answer_type: str, answer: str, text: str, points: float, reason: str) -> None:
    choices = dict.fromkeys("ABCD", "")
    sample = Sample("lego_puzzles/official/x/0/1", "x", "y", "0", (), "?", choices, answer, answer_type)
    found = score(sample, FULL, [Reply(text)])
    assert (found.points, found.reason) == (points, reason)
    assert found.chance == pytest.approx({"option": 1 / 4, "sequence": 1 / 24}[answer_type])

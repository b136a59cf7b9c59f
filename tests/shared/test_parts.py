"""Partial scores, with numbers that can be checked by head."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from strategies import CATEGORIES, TASKS, toy_score

from cogsight.shared import table
from cogsight.shared.frameworks.lmms import records
from cogsight.shared.frameworks.vlmevalkit.evaluate import metrics
from cogsight.shared.parts import add_up
from cogsight.shared.sample import Reply, Score
from cogsight.shared.stats import wilson
from cogsight.shared.summary import Summary, summarise
from cogsight.shared.variants import Variant

TITLES = {"steps": "Steps", "blocks": "Blocks", "never": "Never asked for"}


def told(n: int, *, attempt: int = 0, group: str = "", **parts: float) -> Score:
    return replace(toy_score("near", n, 0.0, attempt=attempt, group=group), parts=parts)


def summed(scores: list[Score]) -> Summary:
    counts = dict.fromkeys(TASKS, 1)
    return summarise(
        scores,
        Variant("toy", size=3),
        title="Toy",
        tasks=TASKS,
        categories=CATEGORIES,
        expected=counts,
        average="tasks",
        parts=TITLES,
    )


def test_each_part_is_a_mean_over_the_questions_of_which_it_is_known() -> None:
    lost = toy_score("near", 3, None)
    steps, blocks = add_up([told(0, steps=1.0, blocks=0.5), told(1, steps=0.0), told(2, steps=1.0), lost], TITLES)
    assert (steps.name, steps.title, steps.n, steps.missing, steps.mean) == (
        "steps",
        "Steps",
        3,
        1,
        pytest.approx(2 / 3),
    )
    assert (blocks.name, blocks.n, blocks.missing, blocks.mean) == ("blocks", 1, 3, 0.5)
    assert steps.interval == wilson(2, 3)


def test_a_question_asked_twice_counts_once() -> None:
    (steps,) = add_up([told(0, steps=1.0), told(0, steps=0.0, attempt=1), told(1, steps=1.0)], TITLES)
    assert (steps.n, steps.missing, steps.mean) == (2, 0, 0.75)


def test_questions_on_one_picture_are_resampled_together() -> None:
    scores = [told(n, group=f"picture {n // 4}", steps=float(n % 8 < 4)) for n in range(32)]
    (steps,) = add_up(scores, TITLES)
    assert (steps.mean, steps.interval.method) == (0.5, "bootstrap")
    assert steps.interval.high - steps.interval.low > 1.5 * (wilson(16, 32).high - wilson(16, 32).low)


def test_rounding_never_makes_more_than_all_right() -> None:
    (steps,) = add_up([told(n, steps=1 / 3 + 1 / 3 + 1 / 3) for n in range(10)], TITLES)
    assert steps.interval.high == 1.0


def test_no_parts_no_table() -> None:
    summary = summed([toy_score("near", 0, 1.0)])
    assert summary.parts == ()
    assert table.parts_table(summary) == []
    assert "Part" not in table.plain(summary)


def test_json_brings_parts_back() -> None:
    summary = summed([told(0, steps=1.0, blocks=0.5), toy_score("far", 0, None)])
    assert Summary.from_dict(json.loads(json.dumps(summary.to_dict()))) == summary
    assert [part["name"] for part in summary.to_dict()["parts"]] == ["steps", "blocks"]
    before = {name: value for name, value in summary.to_dict().items() if name != "parts"}
    assert Summary.from_dict(before).parts == ()  # written before there were parts


def test_parts_are_shown_under_the_rows() -> None:
    summary = summed([told(0, steps=1.0, blocks=0.5), told(1, steps=0.0)])
    assert table.parts_table(summary) == [
        "Part    n  Score  95 % interval  Missing",
        "------  -  -----  -------------  -------",
        "Steps   2   50.0       9.5-90.5",
        "Blocks  1   50.0       5.5-94.5        1",
    ]
    assert "\n".join(table.parts_table(summary)) in table.plain(summary)


def test_both_frameworks_bring_parts_to_the_summary() -> None:
    scores = [told(0, steps=1.0, blocks=0.5), told(1, steps=0.0)]
    logged = [records.metrics(score, [Reply("B")], {"view": "images"}) for score in scores]
    back = records.scores(json.loads(json.dumps([line["accuracy"] for line in logged])))
    assert summed(back) == summed(scores)
    assert logged[0][records.RECORD]["parts"] == {"steps": 1.0, "blocks": 0.5}
    assert metrics(summed(scores)).items() >= {"Steps": 50.0, "Blocks": 50.0}.items()

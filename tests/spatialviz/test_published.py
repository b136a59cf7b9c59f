"""The paper's numbers, as we keep them, against themselves, the paper's text and the package's statistics."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from cogsight.shared.sample import Score
from cogsight.shared.stats import wilson
from cogsight.shared.variants import Variant
from cogsight.spatialviz.scoring import published, summarise
from cogsight.spatialviz.taxonomy import CATEGORIES, KINDS, LEVELS, OFFICIAL_CATEGORIES, OFFICIAL_TASKS, SIZE, TASKS

DATA = published()
TABLES = DATA["tables"]
NOTES = " ".join(DATA["notes"])
QUESTIONS = TABLES["main"]["questions"]
FULL = Variant("spatialviz", size=SIZE)
COUNTED = [row for row in TABLES["main"]["rows"] if "right" in row]
MIXED = "Qwen2.5-VL-72B-Instruct"


def run(right: dict[str, int]) -> list[Score]:
    """A whole run with so many right answers of each ability."""
    left = dict(right)
    found = []
    for task, sizes in LEVELS.items():
        category = TASKS[task].category
        for level, size in enumerate(sizes):
            for n in range(size):
                points = float(left[category] > 0)
                left[category] -= 1
                reason = "right" if points else "wrong"
                found.append(
                    Score(f"spatialviz/official/{task}/{level}/{n}", 0, points, reason, task, category, chance=0.25)
                )
    return found


def test_29_levels_and_1180_questions() -> None:
    sizes = [size for own in LEVELS.values() for size in own]
    assert (len(sizes), sum(sizes), sizes.count(40), sizes.count(50)) == (29, 1180, 27, 2)
    by_ability = {name: sum(sum(LEVELS[t]) for t in TASKS if TASKS[t].category == name) for name in CATEGORIES}
    assert by_ability == QUESTIONS
    assert list(LEVELS) == list(TASKS) == list(OFFICIAL_TASKS.values())
    assert list(CATEGORIES) == list(OFFICIAL_CATEGORIES.values())


@pytest.mark.parametrize("row", COUNTED, ids=lambda row: row["model"])
def test_the_papers_rows_come_out(row: dict[str, Any]) -> None:
    summary = summarise(run(dict(zip(CATEGORIES, row["right"], strict=True))), FULL)
    assert summary.complete
    abilities = {one.name: 100 * (one.accuracy or 0) for one in summary.rows if one.scope == "category"}
    assert abilities == pytest.approx(row["scores"], abs=0.00501)
    expected = 33.31 if row["model"] == MIXED else row["overall"]  # note 2
    assert 100 * (summary.headline or 0) == pytest.approx(expected, abs=0.00501)


def test_the_papers_intervals_come_out() -> None:
    for row in TABLES["intervals"]["rows"]:
        interval = wilson(row["right"], 1180)
        assert (round(100 * interval.low, 2), round(100 * interval.high, 2)) == (row["low"], row["high"])
    top = summarise(run(dict(zip(CATEGORIES, COUNTED[0]["right"], strict=True))), FULL).overall
    assert top.interval == wilson(527, 1180)
    assert top.interval is not None and top.interval.method == "wilson"


def test_the_notes_hold() -> None:
    """Each number that a note states, computed again."""
    rows = {row["model"]: row for row in TABLES["main"]["rows"]}
    assert f"({sum(rows['Human']['scores'].values()) / 4:.4f}, printed {rows['Human']['overall']})" in NOTES
    counts = rows[MIXED]["right"]
    assert f"{' + '.join(map(str, counts))} = {sum(counts)} right, {100 * sum(counts) / 1180:.2f}" in NOTES
    text_only = rows["Qwen2.5-72B (text only)"]
    assert not is_count(text_only["scores"]["mental_rotation"], 260)
    assert not is_count(text_only["overall"], 1180)
    sizes = QUESTIONS | {"mental_rotation": 240}
    right = [round(text_only["scores"][name] * sizes[name] / 100) for name in CATEGORIES]
    assert all(is_count(text_only["scores"][name], sizes[name]) for name in CATEGORIES)
    assert f"{right[0]} of 240, and {sum(right)} of 1,160 ({100 * sum(right) / 1160:.2f})" in NOTES
    odd = [
        (row["model"], row[style])
        for row in TABLES["direct_and_cot"]["rows"]
        for style in ("direct", "cot", "overall")
        if style in row and not is_count(row[style], 1180)
    ]
    assert len(odd) == 5
    assert all(model in NOTES and f"{score}" in NOTES for model, score in odd)


def is_count(percent: float, n: int) -> bool:
    return abs(100 * round(percent * n / 100) / n - percent) < 0.00501


def test_steps_add_up_by_model_and_by_task() -> None:
    by_model, by_task = TABLES["steps_by_model"]["rows"], TABLES["steps_by_task"]["rows"]
    assert sum(row["models"] for row in by_model) == 27
    assert sum(row["steps"] * row["models"] for row in by_model) == 62 == sum(row["models"] for row in by_task)
    assert {row["task"] for row in by_task} == set(TASKS) - KINDS


def test_errors_add_up() -> None:
    errors = TABLES["errors"]
    assert sum(errors["errors"].values()) == 1128
    assert sum(row["share"] for row in errors["rows"]) == pytest.approx(100, abs=0.3)
    assert len(errors["rows"]) == 6


def test_the_papers_text_has_the_rows() -> None:
    papers = sorted((Path(__file__).parents[2] / ".." / "shared" / "papers").glob("004_*.txt"))
    if not papers:
        pytest.skip("the paper's text is not beside this checkout")
    lines = papers[0].read_text(encoding="utf-8").splitlines()
    cells = [line.split("\t")[1:] for line in lines if line.count("\t") == 5 and re.search(r"\d\.\d\d$", line)]
    printed = {tuple(map(float, row)) for row in cells}
    assert len(printed) == 8
    assert printed == {(row["overall"], *row["scores"].values()) for row in TABLES["main"]["rows"]}

"""The paper's tables, as we keep them, against themselves, the paper's text and the package's statistics."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from cogsight.lego_puzzles.scoring import published
from cogsight.lego_puzzles.taxonomy import TASKS
from cogsight.shared.stats import critical_count

DATA = published()
TABLES = DATA["tables"]
REFERENCE = Path(__file__).parents[2] / ".." / "shared"
MODELS = ("proprietary", "open")


def rows(table: str, version: str = "", *kinds: str) -> list[dict[str, Any]]:
    """Rows of a table that a version prints (any version for "")."""
    return [
        row
        for row in TABLES[table]["rows"]
        if (not version or version in row["versions"]) and (not kinds or row["kind"] in kinds)
    ]


@pytest.mark.parametrize("table", ["main", "lite"])
def test_overall_is_the_mean_of_the_tasks_in_every_row(table: str) -> None:
    for row in rows(table):
        assert list(row["scores"]) == list(TASKS)
        assert sum(row["scores"].values()) / 11 == pytest.approx(row["overall"], abs=0.05), row["model"]


@pytest.mark.parametrize(("table", "step"), [("main", 1), ("lite", 5)])
def test_scores_are_counts(table: str, step: int) -> None:
    """100 or 20 questions a task: whole per cents, or twentieths. Only the baseline's chances are no counts."""
    for row in rows(table, "", *MODELS, "human"):
        assert {score % step for score in row["scores"].values()} == {0}, row["model"]


@pytest.mark.parametrize("version", ["v1", "v3"])
def test_what_each_version_prints(version: str) -> None:
    assert [len(rows("main", version, kind)) for kind in ("proprietary", "open", "baseline", "human")] == [6, 14, 2, 0]
    assert [len(rows("lite", version, kind)) for kind in ("proprietary", "open", "baseline", "human")] == [3, 3, 0, 1]
    assert len(rows("generation", version)) == {"v1": 5, "v3": 6}[version]
    for table in ("main", "lite", "generation", "next_k_step"):
        names = [row["model"] for row in rows(table, version)]
        assert len(set(names)) == len(names), table


def test_every_row_names_its_versions() -> None:
    assert {tuple(row["versions"]) for table in TABLES for row in rows(table)} == {("v1",), ("v3",), ("v1", "v3")}
    assert set(DATA["versions"]) == {"v1", "v3"}
    differ = {(table, row["model"]) for table in TABLES for row in rows(table) if len(row["versions"]) == 1}
    assert differ == {
        ("main", "Qwen2.5-VL-7B"),
        ("main", "Qwen2.5-VL-72B"),
        ("lite", "Qwen2.5-VL-72B"),
        *(("generation", model) for model in ("GPT-4o", "GPT-4o before 6 March 2025", "Gemini-2.0-Flash", "Emu2")),
    }


def test_generation_overall_is_the_mean_of_five_tasks() -> None:
    for row in rows("generation"):
        for scale in ("appearance", "instruction_following"):
            ratings = row[scale]
            assert list(ratings) == ["rotation", "multiview", "position", "dependency", "next_step"]
            assert all(0 <= rating <= 3 for rating in ratings.values())
            assert sum(ratings.values()) / 5 == pytest.approx(row["overall"][scale], abs=0.005), row["model"]


def test_next_k_step_scores_are_twentieths() -> None:
    for row in rows("next_k_step"):
        assert len(row["direct"]) == len(row["cot"]) == 5
        assert {score % 5 for score in row["direct"] + row["cot"]} == {0}


def test_the_notes_hold() -> None:
    """Each number that a note states, computed again."""
    notes = " ".join(DATA["notes"])
    pooled = [task.chance for task in TASKS.values() for _ in range(100)]
    lite = [task.chance for task in TASKS.values() for _ in range(20)]
    mean = [sum(task.chance for task in TASKS.values()) / 11] * 1100
    threshold = next(row for row in rows("main") if row["model"] == "Random, p < 0.05")
    stated = {
        f"{critical_count(pooled)} of 1,100": 327,
        f"gives {critical_count(mean)})": 328,
        f"{critical_count(lite)} of 220": 72,
        f"({sum(threshold['scores'].values()) / 11:.4f})": 35.4545,
        f"fewer than {critical_count([1 / 4] * 20)} right": 9,
    }
    assert [phrase for phrase in stated if phrase not in notes] == []
    below = [row["scores"]["backwards"] < threshold["scores"]["backwards"] for row in rows("main", "v3", "open")]
    assert f"its Table 1 shows {sum(below)}" in notes
    v1 = [(r["scores"]["rotation"] < 25, r["scores"]["rotation_status"] < 50) for r in rows("main", "v1", *MODELS)]
    turned, status, both = (sum(x for x, _ in v1), sum(y for _, y in v1), sum(x and y for x, y in v1))
    assert turned == status
    assert f"{turned} are in each, {both} in both at once" in notes


def test_v1_is_the_papers_text() -> None:
    papers = sorted((REFERENCE / "papers").glob("000_*.txt"))
    if not papers:
        pytest.skip("the paper's text is not beside this checkout")
    text = papers[0].read_text(encoding="utf-8")
    printed = [line.split("\t") for line in text.splitlines() if line.count("\t") == 12 and re.search(r"\d\.\d$", line)]
    assert len(printed) == 22 + 7
    kept = [*rows("main", "v1"), *rows("lite", "v1")]
    assert [[*map(float, line[1:])] for line in printed] == [[*row["scores"].values(), row["overall"]] for row in kept]
    short = {"Random Guessing": "Random", "Human proficiency": "Human"}
    names = [short.get(line[0], line[0]) for line in printed if not line[0].startswith("$")]
    assert names == [row["model"] for row in kept if row["model"] != "Random, p < 0.05"]


def test_v3_is_the_reference() -> None:
    """`model n n … overall` in the reference's list of the main table of v3, names shortened there."""
    memo = REFERENCE / "reference" / "benchmarks.md"
    if not memo.exists():
        pytest.skip("the reference is not beside this checkout")
    text = memo.read_text(encoding="utf-8")
    found = re.findall(r"(?:\d+ ){11}\d+\.\d", text[text.index("Main table (v3") : text.index("- Lite: human")])
    listed = {tuple(map(float, line.split())) for line in found}
    kept = {(*row["scores"].values(), row["overall"]) for row in rows("main", "v3", *MODELS)}
    assert kept <= listed
    assert len(kept) == 20
    assert len(listed - kept) == 2  # the v1 rows of the two Qwen2.5-VL models, in brackets there

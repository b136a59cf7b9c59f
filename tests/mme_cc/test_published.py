"""The leaderboard as we keep it, against the paper's own arithmetic and its text."""

from __future__ import annotations

import pytest

from cogsight.mme_cc.scoring import published
from cogsight.mme_cc.taxonomy import CATEGORIES

DATA = published()
ROWS = DATA["rows"]
by_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row["model"])


@by_row
def test_overall_is_the_mean_of_the_three_categories(row: dict) -> None:
    assert sum(row["scores"]) / 3 == pytest.approx(row["overall"], abs=0.01)


@by_row
def test_a_category_is_a_mean_of_numbers_with_one_decimal(row: dict) -> None:
    """Three spatial subtasks, five geometric, three of visual knowledge; the notes name the scores that do not fit."""
    odd = {"Human": [True, False, False], "Gemini-2.5-Flash": [True, False, True]}
    fits = [abs(n * score - round(n * score, 1)) < 0.021 for n, score in zip((3, 5, 3), row["scores"], strict=True)]
    assert fits == odd.get(row["model"], [True] * 3)


def test_the_rows() -> None:
    """16 models and people, best first; the abstract quotes two of the numbers."""
    assert len(ROWS) == 17
    assert len({row["model"] for row in ROWS}) == 17
    assert DATA["categories"] == list(CATEGORIES)
    overall = {row["model"]: row["overall"] for row in ROWS}
    assert list(overall.values()) == sorted(overall.values(), reverse=True)
    assert (overall["Gemini-2.5-Pro"], overall["GLM-4.5V"]) == (42.66, 30.45)


def test_what_is_not_published_is_said() -> None:
    assert any("Table 4" in note and "absent" in note for note in DATA["notes"])

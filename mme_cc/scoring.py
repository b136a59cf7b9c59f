"""How MME-CC adds up: a category is the mean of its subtasks, overall the mean of the three categories (the paper's leaderboard)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from importlib.resources import files
from typing import Any

from cogsight.shared.sample import Score
from cogsight.shared.scoring import score_single_turn
from cogsight.shared.summary import Summary
from cogsight.shared.summary import summarise as add_up
from cogsight.shared.variants import Variant

from .taxonomy import CATEGORIES, TASKS

TITLE = "MME-CC"

score = score_single_turn
"""`score(sample, variant, replies, judge=None, attempt=0)`."""


def summarise(scores: Iterable[Score], variant: Variant, expected: Mapping[str, int]) -> Summary:
    """The subtasks' accuracies, their categories, and overall; `expected`: subtask → questions in a whole run."""
    return add_up(
        scores,
        replace(variant, size=sum(expected.values())),
        title=TITLE,
        tasks={name: TASKS[name] for name in expected},
        categories=CATEGORIES,
        expected=expected,
        average="categories",
    )


def published() -> dict[str, Any]:
    """The paper's leaderboard, in per cent as printed; `published.json` explains itself."""
    data: dict[str, Any] = json.loads(files(__package__).joinpath("published.json").read_text(encoding="utf-8"))
    return data

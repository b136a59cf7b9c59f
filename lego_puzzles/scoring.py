"""How LEGO-Puzzles scores: one reply, one answer; overall = mean of the tasks, category = mean of its tasks (paper, Table 1)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

from cogsight.shared.sample import Score
from cogsight.shared.scoring import score_single_turn
from cogsight.shared.summary import Summary
from cogsight.shared.summary import summarise as add_up
from cogsight.shared.variants import Variant

from .taxonomy import CATEGORIES, PROCEDURAL_TASKS, TASKS

TITLE = "LEGO-Puzzles"

TASKS_OF = {"official": tuple(TASKS), "procedural": PROCEDURAL_TASKS}
"""By source of the data."""

score = score_single_turn
"""`score(sample, variant, replies, judge=None, attempt=0)`."""


def expected(variant: Variant) -> dict[str, int]:
    """Task → questions in a whole run: every subset has as many of each (100, and 20 in Lite).

    Raises ValueError for a size that cannot be shared out.

    >>> expected(Variant("lego_puzzles", ("lite",), subset="lite", size=220))["ordering"]
    20
    """
    tasks = TASKS_OF[variant.source]
    share, rest = divmod(variant.size, len(tasks))
    if rest or not share:
        raise ValueError(f"{variant.name}: size {variant.size} is not a multiple of its {len(tasks)} tasks")
    return dict.fromkeys(tasks, share)


def summarise(scores: Iterable[Score], variant: Variant) -> Summary:
    """The tasks' accuracies, their categories, and overall = the mean of the tasks; see `shared.summary.summarise`."""
    counts = expected(variant)
    return add_up(
        scores,
        variant,
        title=TITLE,
        tasks={name: TASKS[name] for name in counts},
        categories=CATEGORIES,
        expected=counts,
        average="tasks",
    )


def published() -> dict[str, Any]:
    """The paper's tables (1 to 5) in both versions, in per cent as printed; `published.json` explains itself."""
    data: dict[str, Any] = json.loads(files(__package__).joinpath("published.json").read_text(encoding="utf-8"))
    return data

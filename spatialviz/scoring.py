"""How SpatialViz-Bench scores: one reply, one letter; overall and each ability = the mean over all their questions (paper, Table 2)."""

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

from .taxonomy import CATEGORIES, SIZES, SOURCES, TASKS

TITLE = "SpatialViz-Bench"

score = score_single_turn
"""`score(sample, variant, replies, judge=None, attempt=0)`."""


def summarise(scores: Iterable[Score], variant: Variant) -> Summary:
    """Tasks, abilities, and overall over all questions alike (officially 1,180); see `shared.summary.summarise`."""
    tasks = SOURCES[variant.source]
    return add_up(
        scores,
        variant,
        title=TITLE,
        tasks={task: TASKS[task] for task in tasks},
        categories=CATEGORIES,
        expected={task: SIZES[task] for task in tasks},
        average="questions",
    )


def published() -> dict[str, Any]:
    """The paper's tables as far as they are public, in per cent as printed; `published.json` explains itself."""
    data: dict[str, Any] = json.loads(files(__package__).joinpath("published.json").read_text(encoding="utf-8"))
    return data

"""How MME-CC adds up: a category is the mean of its subtasks, overall the mean of the three categories (the paper's leaderboard)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

from cogsight.shared.extraction.reasoning import visible
from cogsight.shared.sample import Extraction, Finish, Outcome, Reply, Sample, Score
from cogsight.shared.summary import Summary
from cogsight.shared.summary import summarise as add_up
from cogsight.shared.variants import Variant

from .taxonomy import CATEGORIES, TASKS

TITLE = "MME-CC"


def score(sample: Sample, variant: Variant, replies: Sequence[Reply], judge: object = None, attempt: int = 0) -> Score:
    """Right is the reference answer itself, up to case, blanks and marks around it; a lost request has no points (DESIGN 3.1)."""
    reply = replies[0] if replies else Reply(None, error="no reply came back")
    task = TASKS[sample.task]
    blank = Score(sample.id, attempt, None, "", task.name, task.category, sample.group, task.chance)
    if reply.error is not None:
        return replace(blank, reason="request_failed", detail=reply.error)
    read = _read(reply)
    if read.value is None:
        return replace(blank, points=0.0, reason=read.outcome.value, extraction=read)
    right = read.value == _plain(sample.answer)
    return replace(blank, points=float(right), reason="right" if right else "wrong", extraction=read)


def _read(reply: Reply) -> Extraction:
    """The whole visible reply is the answer."""
    seen = visible(reply.text or "")
    if seen is None or (reply.finish is Finish.LENGTH and not seen.strip()):
        return Extraction(None, Outcome.TRUNCATED)
    if not seen.strip():
        return Extraction(None, Outcome.EMPTY)
    return Extraction(_plain(seen), Outcome.PARSED, "whole reply")


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip(" .*`").casefold()


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

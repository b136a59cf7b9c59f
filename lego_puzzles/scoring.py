"""How LEGO-Puzzles scores: one reply, one answer; overall = mean of the tasks, category = mean of its tasks (paper, Table 1).

Next-k-Step has a row for each k, as in Table 4, and overall = their mean. Pictures that a model makes are graded (`produced.py`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

from cogsight.shared.benchmark import Task
from cogsight.shared.judge.query import Judge
from cogsight.shared.sample import Reply, Sample, Score
from cogsight.shared.scoring import score_single_turn
from cogsight.shared.summary import Summary
from cogsight.shared.summary import summarise as add_up
from cogsight.shared.variants import Variant

from . import produced
from .taxonomy import APART, CATEGORIES, CATEGORIES_APART, NEXT_K_STEP, PER_K, STEPS, SUBSETS, TASKS

TITLE = "LEGO-Puzzles"

SCORERS: Mapping[str, Callable[..., Score]] = {"picture": produced.score}
"""By answer type, where the answer is not read from the text of a reply."""


def score(
    sample: Sample, variant: Variant, replies: Sequence[Reply], judge: Judge | None = None, attempt: int = 0
) -> Score:
    """The verdict on the one reply."""
    return SCORERS.get(sample.answer_type, score_single_turn)(sample, variant, replies, judge, attempt)


def row_of(sample_id: str) -> str:
    """Which line of a summary a question counts in: its task's, or in Next-k-Step that of its k.

    >>> row_of("lego_puzzles/procedural/next_k_step/3/12"), row_of("lego_puzzles/official/height/all/7")
    ('next_k_step/3', 'height')
    """
    _, _, task, level, _ = sample_id.split("/")
    return f"{task}/{level}" if task == NEXT_K_STEP else task


def counted(sample_ids: Iterable[str]) -> dict[str, int]:
    """The questions of each row, for a variant whose size only its data tell."""
    counts = Counter(map(row_of, sample_ids))
    return {name: counts[name] for name in sorted(counts, key=_order)}


def expected(variant: Variant) -> dict[str, int]:
    """Row → questions in a whole run: every subset has as many of each (100, and 20 in Lite).

    Raises ValueError for a size that cannot be shared out.

    >>> expected(Variant("lego_puzzles", ("lite",), subset="lite", size=220))["ordering"]
    20
    """
    if variant.subset == NEXT_K_STEP:
        return {f"{NEXT_K_STEP}/{k}": PER_K for k in STEPS}
    tasks = SUBSETS[variant.subset].tasks
    share, rest = divmod(variant.size, len(tasks))
    if rest or not share:
        raise ValueError(f"{variant.name}: size {variant.size} is not a multiple of its {len(tasks)} tasks")
    return dict.fromkeys(tasks, share)


def summarise(scores: Iterable[Score], variant: Variant, counts: Mapping[str, int] | None = None) -> Summary:
    """The rows' accuracies, their categories, and overall = the mean of the rows; see `shared.summary.summarise`.

    `counts`: row → questions in a whole run, where these are not `expected` by the variant's size.
    """
    counts = counts or expected(variant)
    return add_up(
        [replace(score, task=row_of(score.sample_id)) if score.task == NEXT_K_STEP else score for score in scores],
        replace(variant, size=variant.size or sum(counts.values())),
        title=TITLE,
        tasks={name: _row(name) for name in counts},
        categories={**CATEGORIES, **CATEGORIES_APART},
        expected=counts,
        average="tasks",
        parts=produced.PARTS,
    )


def _row(name: str) -> Task:
    """What a row is about: a task, or Next-k-Step with one k."""
    task, _, k = name.partition("/")
    found = {**TASKS, **APART}[task]
    return replace(found, name=name, title=f"k = {k}") if k else found


def _order(name: str) -> tuple[int, int]:
    """The paper's, and k by its size."""
    task, _, k = name.partition("/")
    return [*TASKS, *APART].index(task), int(k or 0)


def published() -> dict[str, Any]:
    """The paper's tables (1 to 5) in both versions, in per cent as printed; `published.json` explains itself."""
    data: dict[str, Any] = json.loads(files(__package__).joinpath("published.json").read_text(encoding="utf-8"))
    return data

"""How VOILA scores: each step of the chain, each property by itself; the headline is the answer, all three properties right (Table 2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from cogsight.shared.answers import ANSWER_TYPES
from cogsight.shared.judge.query import Judge
from cogsight.shared.sample import Reply, Sample, Score
from cogsight.shared.scoring import unscored
from cogsight.shared.summary import Summary
from cogsight.shared.summary import summarise as add_up
from cogsight.shared.variants import Variant

from .prompts import STYLES, Question
from .samples import scenes_of
from .taxonomy import CATEGORIES, TASKS, base

TITLE = "VOILA"


def score(
    sample: Sample, variant: Variant, replies: Sequence[Reply], judge: Judge | None = None, attempt: int = 0
) -> Score:
    """The verdict on a dialogue; where a request was lost, the whole question is (DESIGN 3.1)."""
    steps = STYLES[variant.style].asked(Question(scenes_of(sample), base(variant.subset)))
    if lost := next((reply.error for reply in replies if reply.error is not None), None):
        return unscored(sample, "request_failed", lost, attempt)
    if len(replies) < len(steps):
        return unscored(sample, "request_failed", f"{len(replies)} of {len(steps)} replies came back", attempt)
    reply = dict(zip(steps, replies, strict=False))["apply"]
    read = ANSWER_TYPES[sample.answer_type].extract(reply, sample.choices)
    right = read.value == sample.answer
    reason = read.outcome.value if read.value is None else "right" if right else "wrong"
    return replace(unscored(sample, reason, "", attempt), points=float(right), extraction=read)


def summarise(scores: Iterable[Score], variant: Variant, expected: Mapping[str, int]) -> Summary:
    """Structures (Figure 7), by how many properties change, and overall over all questions alike, as the paper does.

    `expected`: structure → questions in a whole run.
    """
    return add_up(
        scores,
        variant,
        title=TITLE,
        tasks={name: TASKS[name] for name in expected},
        categories=CATEGORIES,
        expected=expected,
        average="questions",
    )

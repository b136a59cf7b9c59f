"""From a framework's reply to a score, and the score as a line of a sample log: the same for every framework."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..benchmark import Benchmark
from ..sample import Reply, Sample, Score
from ..scoring import unscored
from ..variants import Variant


def score_of(benchmark: Benchmark, sample: Sample, variant: Variant, replies: Sequence[Reply]) -> Score:
    """The benchmark's score. Never raises: a fault of ours is a score without points that says what went wrong."""
    try:
        return benchmark.score(sample, variant, replies)
    except Exception as error:  # noqa: BLE001 - the one boundary: a fault at one sample must not end a run that was paid for
        return unscored(sample, "scorer_failed", f"{type(error).__name__}: {error}")


def record(score: Score, reply: Reply, variant: str, view: str) -> dict[str, Any]:
    """Everything that is needed to look at a verdict, or to score the reply again. JSON values only."""
    read = score.extraction
    return {
        "id": score.sample_id,
        "variant": variant,
        "view": view,
        "attempt": score.attempt,
        "task": score.task,
        "points": score.points,
        "reason": score.reason,
        "outcome": read.outcome.value if read else None,
        "rule": read.rule if read else None,
        "value": read.value if read else None,
        "span": list(read.span) if read and read.span else None,
        "judged_by": score.judged_by,
        "detail": score.detail,
        "reply": reply.text,
        "finish": reply.finish.value,
        "error": reply.error,
    }

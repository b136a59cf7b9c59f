"""Where we meet the frameworks: the only code that imports lmms-eval or VLMEvalKit. Everything before and after is shared.

Both adapters score and log through the functions here, so that the same replies get the same verdicts and the same records.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..benchmark import Benchmark
from ..errors import CogsightError
from ..redact import redact
from ..sample import Reply, Sample, Score
from ..scoring import unscored
from ..settings import Settings, settings
from ..variants import Variant


def usable_settings() -> Settings:
    """The settings; one that cannot be used ends the program in one line. Asked when one of our tasks is really run.

    Both frameworks would print a traceback, and go on to other tasks or exit with code 0.
    """
    try:
        return settings()
    except CogsightError as error:
        raise SystemExit(f"cogsight: {error}") from error


def score(benchmark: Benchmark, sample: Sample, variant: Variant, replies: Sequence[Reply]) -> Score:
    """The benchmark's verdict; never raises: what goes wrong in scoring is ours, and says nothing about the model (DESIGN 3.5)."""
    try:
        return benchmark.score(sample, variant, replies)
    except Exception as error:  # noqa: BLE001 - the one boundary: a framework would retry, or end the whole run
        return unscored(sample, "scorer_failed", f"{type(error).__name__}: {error}")


def log_record(score: Score, reply: Reply) -> dict[str, Any]:
    """A line of a sample log, JSON values only: the verdict, how the reply was read, and the reply itself, to score it again.

    No secret of ours gets in: error texts of APIs quote keys.
    """
    read = score.extraction
    return {
        "id": score.sample_id,
        "attempt": score.attempt,
        "task": score.task,
        "points": score.points,
        "reason": score.reason,
        "outcome": read.outcome.value if read else None,
        "rule": read.rule if read else None,
        "value": read.value if read else None,
        "span": list(read.span) if read and read.span else None,
        "judged_by": score.judged_by,
        "detail": redact(score.detail),
        "reply": reply.text,
        "finish": reply.finish.value,
        "error": redact(reply.error),
    }

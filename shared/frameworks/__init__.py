"""Where we meet the frameworks: the only code that imports lmms-eval or VLMEvalKit. Everything before and after is shared.

Both adapters score (`scoring.py`) and log through the same functions, so that the same replies get the same verdicts and the same
records.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, TypeVar

from ..errors import CogsightError
from ..pictures import PICTURES, Gallery
from ..redact import redact
from ..sample import Finish, Reply, Score
from ..settings import Settings, judge_settings, settings

T = TypeVar("T")

EARLIER = "earlier_turns"
"""In a line of a sample log: what was said before the last reply, turn by turn."""


def or_exit(read: Callable[[], T]) -> T:
    """What `read` returns; an error of ours ends the program in one line.

    Both frameworks would print a traceback, and go on to other tasks or exit with code 0.
    """
    try:
        return read()
    except CogsightError as error:
        raise SystemExit(f"cogsight: {error}") from error


def usable_settings() -> Settings:
    """The settings; one that cannot be used ends the program. Asked when one of our tasks is really run."""
    or_exit(judge_settings)
    return or_exit(settings)


def log_record(score: Score, *replies: Reply) -> dict[str, Any]:
    """A line of a sample log, JSON values only: the verdict, how the reply was read, and the reply itself, to score it again.

    `replies`: those of the dialogue, one at least. No secret of ours gets in: error texts of APIs quote keys.
    """
    read = score.extraction
    *earlier, last = map(_reply_record, replies)
    return {
        "id": score.sample_id,
        "attempt": score.attempt,
        "task": score.task,
        "points": score.points,
        "reason": score.reason,
        "parts": dict(score.parts),
        "outcome": read.outcome.value if read else None,
        "rule": read.rule if read else None,
        "value": read.value if read else None,
        "span": list(read.span) if read and read.span else None,
        "judged_by": score.judged_by,
        "judgement": redact(asdict(score.judgement)) if score.judgement else None,
        "detail": redact(score.detail),
        **last,
        **({EARLIER: earlier} if earlier else {}),
    }


def replies_in(record: Mapping[str, Any]) -> tuple[Reply, ...]:
    """The replies of a line of a sample log. Raises KeyError, TypeError or ValueError for one that is none of ours."""
    turns = [*record.get(EARLIER, ()), record]
    if not all(isinstance(turn[name], str | None) for turn in turns for name in ("reply", "error")):
        raise TypeError("a reply or an error that is no text")
    return tuple(gallery().recall(Reply(turn["reply"], Finish(turn["finish"]), turn["error"]), turn) for turn in turns)


def _reply_record(reply: Reply) -> dict[str, Any]:
    said = {"reply": reply.text, "finish": reply.finish.value, "error": redact(reply.error)}
    return {**said, **gallery().note(reply)}


def gallery() -> Gallery:
    """Where the pictures lie that replies in logs hold: in the cache, for the model's own files are overwritten by its next run."""
    return Gallery(settings().cache / PICTURES)

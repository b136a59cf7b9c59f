"""From a reply to a Score, as all benchmarks share it: read by rules, then, where they find nothing, by a judge if there is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .answers import ANSWER_TYPES
from .benchmark import Judge
from .errors import CogsightError
from .sample import Extraction, Outcome, Reply, Sample, Score
from .variants import Variant

JUDGED = frozenset({Outcome.UNPARSED, Outcome.AMBIGUOUS})
"""What a judge may still make sense of: text that no rule reads. Silence, a refusal and a reply cut off stay what they are."""


def score_single_turn(
    sample: Sample, variant: Variant, replies: Sequence[Reply], judge: Judge | None = None, attempt: int = 0
) -> Score:
    """The verdict on the one reply to the one question of `sample`; a lost request has no points (DESIGN 3.1)."""
    reply = replies[0] if replies else Reply(None, error="no reply came back")
    if reply.error is not None:
        return unscored(sample, "request_failed", reply.error, attempt)
    score = _verdict(sample, ANSWER_TYPES[sample.answer_type].extract(reply, sample.choices), attempt)
    if judge is None or score.extraction is None or score.extraction.outcome not in JUDGED:
        return score
    try:
        answer = _judged(sample, reply, judge)
    except (CogsightError, ValueError) as error:
        failed = unscored(sample, "judge_unreadable", f"{type(error).__name__}: {error}", attempt)
        return replace(failed, extraction=score.extraction, judged_by=judge.name)
    if answer is not None:
        score = _verdict(sample, Extraction(answer, Outcome.PARSED, "judge"), attempt)
    return replace(score, judged_by=judge.name)


def unscored(sample: Sample, reason: str, detail: str, attempt: int = 0) -> Score:
    """The score of an attempt that we could not measure: no points, and `reason` and `detail` say why."""
    return replace(_blank(sample, attempt), reason=reason, detail=detail)


def _judged(sample: Sample, reply: Reply, judge: Judge) -> str | None:
    """The judge's answer in canonical form, None when it finds none. Raises ValueError for one that cannot be given."""
    answer = judge.extract(sample, reply)
    return None if answer is None else ANSWER_TYPES[sample.answer_type].parse(answer, sample.choices)


def _verdict(sample: Sample, extraction: Extraction, attempt: int) -> Score:
    if extraction.value is None:
        points, reason = 0.0, extraction.outcome.value
    else:
        right = ANSWER_TYPES[sample.answer_type].equal(extraction.value, sample.answer)
        points, reason = (1.0, "right") if right else (0.0, "wrong")
    return replace(_blank(sample, attempt), points=points, reason=reason, extraction=extraction)


def _blank(sample: Sample, attempt: int) -> Score:
    """A score that says only which attempt at which question it is about."""
    return Score(
        sample_id=sample.id,
        attempt=attempt,
        points=None,
        reason="",
        task=sample.task,
        category=sample.category,
        group=sample.group,
        chance=ANSWER_TYPES[sample.answer_type].chance(sample.choices),
    )

"""From a reply to a Score, as all benchmarks share it: read by rules, then, where they find nothing, by a judge if there is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .answers import ANSWER_TYPES
from .extraction.reasoning import visible
from .judge.prompts import NONE
from .judge.query import Judge, JudgeError, Query
from .sample import Extraction, Outcome, Reply, Sample, Score
from .variants import Variant

JUDGED = frozenset({Outcome.UNPARSED, Outcome.AMBIGUOUS})
"""What a judge may still make sense of: text that no rule reads. Silence, a refusal and a reply cut off stay what they are."""

EXTRACTING = {"option": "extract_option", "sequence": "extract_sequence"}
"""Answer type → the judge's template that reads a reply, in `judge.prompts`."""


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
        answer = judge.verdict(extraction_query(sample, reply)).values["answer"]
    except JudgeError as error:
        failed = unscored(sample, error.reason, str(error), attempt)
        return replace(failed, extraction=score.extraction, judged_by=judge.name)
    if answer != NONE:
        score = _verdict(sample, Extraction(str(answer), Outcome.PARSED, "judge"), attempt)
    return replace(score, judged_by=judge.name)


def extraction_query(sample: Sample, reply: Reply) -> Query:
    """Asks a judge for the answer that a reply declares: it sees the question and the options, not the key."""
    options = "\n".join(f"{letter}. {text}" for letter, text in sample.choices.items())
    return Query(
        template=EXTRACTING[sample.answer_type],
        reply=(visible(reply.text or "") or "").strip(),
        reference={"question": sample.question, "options": options},
        letters=tuple(sample.choices),
    )


def unscored(sample: Sample, reason: str, detail: str, attempt: int = 0) -> Score:
    """The score of an attempt that we could not measure: no points, and `reason` and `detail` say why."""
    return replace(_blank(sample, attempt), reason=reason, detail=detail)


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

"""How MME-CC is scored, and how it adds up.

Rules come first: the form of an item's reference decides how a reply is read (`shared.extraction.forms`). What they cannot read or
compare goes to the judge, with the item's own rubric, or the paper's rule for Unblock Me. Without a judge, a reply that gives no answer
of the asked form has failed (0 points), and one that no rule can compare is *not judged* (no points): by rules alone nobody gets a
number that looks like the paper's, which is a judge's throughout (Appendix C).

A category is the mean of its subtasks, overall the mean of the three categories: so in all 17 rows of the paper's leaderboard. The two
maze files are one subtask, their questions pooled; the geometric score of Gemini-2.5-Flash alone looks as if one of its subtasks were
a mean of two.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

from cogsight.shared.benchmark import Policy
from cogsight.shared.extraction.forms import TEXT, Kind, kind_of
from cogsight.shared.extraction.reasoning import visible
from cogsight.shared.judge.query import NOT_JUDGED, Judge, JudgeError, Query
from cogsight.shared.sample import Reply, Sample, Score
from cogsight.shared.scoring import JUDGED, unscored
from cogsight.shared.summary import Summary
from cogsight.shared.summary import summarise as add_up
from cogsight.shared.variants import Variant

from .prompts import rubric
from .taxonomy import CATEGORIES, TASKS

TITLE = "MME-CC"

PARTIAL = "partial credit"
"""The part of a score that tells the share of the reference's sub-parts that are right. A judge tells it of Unblock Me only; of what else
it decides, all or nothing counts, so that the mean is a lower bound."""

GRADING = {"moves": "grade_moves"}
"""Answer type → the judge's template, where it is another one than `grade_reference`. Right is a verdict with 1 in every field."""

WHOLE = frozenset({"bare", "closing", "answer", "contained"})
"""Rules that have seen all of an answer; what others read may lack a part that the reply gives in words they do not know."""


def score(
    sample: Sample, variant: Variant, replies: Sequence[Reply], judge: Judge | None = None, attempt: int = 0
) -> Score:
    """The verdict on one reply; a lost request has no points (DESIGN 3.1)."""
    reply = replies[0] if replies else Reply(None, error="no reply came back")
    if reply.error is not None:
        return _score(sample, attempt, None, "request_failed", detail=reply.error)
    ruled = _by_rules(sample, reply, attempt)
    if judge is None or not is_open(ruled):
        return ruled
    try:
        values = judge.verdict(query(sample, reply)).values
    except JudgeError as error:
        return replace(ruled, points=None, reason=error.reason, detail=str(error), parts={}, judged_by=judge.name)
    counted = [value for name, value in values.items() if name in FIELDS]
    share = sum(value == 1 for value in counted) / len(counted)
    return replace(
        ruled,
        points=float(share == 1),
        reason="right" if share == 1 else "wrong",
        parts={PARTIAL: share},
        detail="",
        judged_by=judge.name,
    )


FIELDS = frozenset({"correct", "steps", "blocks"})
"""Fields of those templates that count."""


def is_open(score: Score) -> bool:
    """Whether a score by rules is one that a judge must decide."""
    read = score.extraction
    return score.reason == NOT_JUDGED or (read is not None and read.outcome in JUDGED)


def query(sample: Sample, reply: Reply) -> Query:
    """What a judge is asked about a reply: whether it gives the reference's answer, by the item's rubric."""
    texts = {"question": sample.question, "reference": sample.answer, "rubric": rubric(sample)}
    return Query(
        template=GRADING.get(sample.answer_type, "grade_reference"),
        reply=(visible(reply.text or "") or "").strip(),
        reference={name: text for name, text in texts.items() if text.strip()},
    )


def right_answer(sample: Sample) -> str:
    """A reply that is right: the reference; or one of its alternatives, or four answers as Sandbagging wants them."""
    kind_, key = kind(sample)
    value = kind_.read(sample.answer).value
    return sample.answer if value is not None and kind_.grade(value, key) == 1 else kind_.write(key)


POLICIES: Mapping[str, Policy] = {"oracle": lambda sample, variant, turn, rng: right_answer(sample)}
"""A reference is not always a right answer to its question."""


def kind(sample: Sample) -> tuple[Kind, str]:
    """How a sample's replies are read, and its key."""
    try:
        return kind_of(sample.answer_type, sample.answer)
    except ValueError:
        return TEXT, TEXT.key(sample.answer)


def _by_rules(sample: Sample, reply: Reply, attempt: int) -> Score:
    kind_, key = kind(sample)
    read = kind_.read(reply)
    if read.value is None:
        return _score(sample, attempt, 0.0, read.outcome.value, extraction=read, parts={PARTIAL: 0.0})
    share = kind_.grade(read.value, key)
    if share is None or (share < 1 and kind_.size(read.value) < kind_.size(key) and read.rule not in WHOLE):
        why = f"no rule can compare {read.value[:80]!r} with the reference; a judge must"
        return _score(sample, attempt, None, NOT_JUDGED, extraction=read, detail=why)
    reason = "right" if share == 1 else "wrong"
    return _score(sample, attempt, float(share == 1), reason, extraction=read, parts={PARTIAL: share})


def _score(sample: Sample, attempt: int, points: float | None, reason: str, **more: Any) -> Score:
    blank = unscored(sample, reason, more.pop("detail", ""), attempt)
    return replace(blank, points=points, chance=TASKS[sample.task].chance, **more)


def summarise(scores: Iterable[Score], variant: Variant, expected: Mapping[str, int]) -> Summary:
    """The subtasks' accuracies, their categories, and overall; `expected`: subtask → questions in a whole run.

    The mean over all questions and that of the 11 subtasks are in `Summary.averages`.
    """
    return add_up(
        scores,
        replace(variant, size=sum(expected.values())),
        title=TITLE,
        tasks={name: TASKS[name] for name in expected},
        categories=CATEGORIES,
        expected=expected,
        average="categories",
        parts={PARTIAL: "Partial credit"},
    )


def published() -> dict[str, Any]:
    """The paper's leaderboard, in per cent as printed; `published.json` explains itself."""
    data: dict[str, Any] = json.loads(files(__package__).joinpath("published.json").read_text(encoding="utf-8"))
    return data

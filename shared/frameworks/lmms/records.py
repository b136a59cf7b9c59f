"""A verdict as lmms-eval keeps it: the metrics of one sample, among them all that is needed to score it again.

lmms-eval's sample log holds neither the row nor the messages, so the metric `cogsight` carries our own id, the raw reply and how
it was read. The numbers are per cent and count what was not measured as wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ...redact import redact
from ...sample import Judgement, Outcome, Reply, Score
from ...summary import LOST, UNJUDGED, outcome_of
from .. import log_record

RECORD = "cogsight"
"""The metric that is logged and not aggregated."""
RATES = (LOST, UNJUDGED, Outcome.TRUNCATED.value, Outcome.UNPARSED.value)
"""Shown beside the accuracies; the summary that `accuracy` prints has the others too."""
COMPLETE = "complete"
"""1 for a whole run, else 0: what lmms-eval's own table shows of --limit and of lost replies."""
SCORED = ("sample_id", "attempt", "points", "reason", "task", "category", "group", "chance", "parts", "judged_by")
"""Fields of a Score that a summary needs, beside the judgement."""


def metrics(score: Score, replies: Sequence[Reply], about: Mapping[str, Any]) -> dict[str, Any]:
    """Metric name → value. A task's own accuracy is named like the task. `about`: what else the record must say."""
    low = score.points or 0.0
    judgement = redact(asdict(score.judgement)) if score.judgement else None
    scored = {name: getattr(score, name) for name in SCORED} | {"judgement": judgement}
    outcome = outcome_of(score)
    return {
        "accuracy": {"score": 100 * low, "view": about["view"]} | scored,
        COMPLETE: scored,  # holds no number, so that lmms-eval gives no standard error
        score.task: 100 * low,
        **{rate: 100.0 * (outcome == rate) for rate in RATES},
        "score": low,  # a fraction, for lmms-eval's own --baseline and efficiency figures
        RECORD: log_record(score, *replies) | dict(about),
    }


def scores(items: Iterable[Mapping[str, Any]]) -> list[Score]:
    """The `accuracy` or `complete` items of a run as scores again."""
    return [
        Score(**{name: item[name] for name in SCORED}, judgement=item["judgement"] and Judgement(**item["judgement"]))
        for item in items
    ]

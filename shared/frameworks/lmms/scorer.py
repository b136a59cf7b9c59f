"""Scores the replies of a loaded task, with its judge asked about all of them at once.

lmms-eval scores one document after another, a few at a time: a judge would get one request after another. So at the first
document all replies of this rank, which are there by then, are scored; each document's own score then finds its verdicts ready.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from threading import Lock
from typing import Any

from ...dataset import Questions, from_row
from ...judge.model import ModelJudge
from ...registry import get
from ...sample import Finish, Reply, Sample, Score
from ...truth import PICTURE
from ..scoring import Attempt, score_all
from .replies import Finishes, read_replies


class Scorer:
    """For one variant; for a loaded task of it, `task`, it also knows how replies ended, and asks the judge."""

    def __init__(self, variant: str, task: Any = None, judge: ModelJudge | None = None) -> None:
        self._benchmark = get(variant)
        self._variant = self._benchmark.variant(variant)
        self._task = task
        self._finishes = Finishes(task) if task is not None else None
        self._judge = judge
        self._lock = Lock()
        self._asked = False

    def score(self, sample: Sample, results: Sequence[str | None]) -> tuple[Score, Sequence[Reply]]:
        """The score of what lmms-eval hands to process_results, and the replies that it is about."""
        if self._judge is not None:
            self._ask_once()
        attempt = self._attempt(sample, results)
        (found,) = self._scores([attempt])
        return found, attempt.replies

    def _ask_once(self) -> None:
        with self._lock:  # lmms-eval calls from several threads; all wait for the first
            if not self._asked:
                self._asked = True
                self._scores(list(self._attempts()))

    def _scores(self, attempts: Sequence[Attempt]) -> list[Score]:
        return score_all(self._benchmark, self._variant, attempts, self._judge)

    def _attempts(self) -> Iterator[Attempt]:
        """Everything on this rank that process_results will be called with."""
        rows = self._task.eval_docs_no_media
        for instance in self._task.instances:
            for text in instance.filtered_resps.values():
                yield self._attempt(from_row(rows[instance.doc_id]), [text])

    @cached_property
    def _questions(self) -> Questions:
        return Questions(self._benchmark.samples(self._variant))

    def _attempt(self, sample: Sample, results: Sequence[str | None]) -> Attempt:
        if sample.answer_type == PICTURE and not sample.images:  # lmms-eval hands over documents without media
            sample = self._questions[sample.id]
        finish = self._finishes.of(sample.id) if self._finishes else Finish.UNKNOWN
        return Attempt(sample, read_replies(results[0], finish, self._variant.packed))

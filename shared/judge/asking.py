"""Scoring with a judge, without waiting for it: score once to see what must be asked, ask it all at once, score with the verdicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..sample import Score
from .model import ModelJudge
from .query import Judge, JudgeError, Query, Verdict

Scorer = Callable[["Judge | None"], Score]
"""Scores one attempt, with the judge that it gets."""

ROUNDS = 8
"""A scorer may ask one thing after another, each knowing the verdicts before."""


@dataclass
class _Collector:
    """Stands in for the judge, and notes what it has no verdict on."""

    judge: ModelJudge
    queries: list[Query] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.judge.name

    def verdict(self, query: Query) -> Verdict:
        try:
            return self.judge.verdict(query)
        except JudgeError:
            self.queries.append(query)
            raise


def score_all(scorers: Sequence[Scorer], judge: ModelJudge | None) -> list[Score]:
    """The score of each, in order. Without a judge the rules decide alone."""
    if judge is None:
        return [scorer(None) for scorer in scorers]
    scores: dict[int, Score] = {}
    waiting: Sequence[int] = range(len(scorers))
    for _ in range(ROUNDS):
        asked: dict[int, list[Query]] = {}
        for index in waiting:
            collector = _Collector(judge)
            scores[index] = scorers[index](collector)
            if collector.queries:
                asked[index] = collector.queries
        queries = [query for own in asked.values() for query in own]
        if judge.problem or not judge.missing(queries):
            break
        judge.ask(queries)
        waiting = list(asked)
    return [scores[index] for index in range(len(scorers))]

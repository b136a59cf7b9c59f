"""Scoring with a judge, without waiting for it: score once to see what must be asked, ask it all at once, score with the verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ..sample import Score
from .model import ModelJudge
from .query import Judge, JudgeError, Query, Verdict

Scorer = Callable[["Judge | None"], Score]
"""Scores one attempt, with the judge that it gets."""

ROUNDS = 8
"""A scorer may ask one thing after another, each knowing the verdicts before; so often at most."""


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

    def score(indices: Iterable[int]) -> dict[int, list[Query]]:
        """Score these; what had to be asked for that, by index."""
        asked: dict[int, list[Query]] = {}
        for index in indices:
            collector = _Collector(judge)
            scores[index] = scorers[index](collector)
            if collector.queries:
                asked[index] = collector.queries
        return asked

    asked = score(range(len(scorers)))
    for _ in range(ROUNDS):
        if not judge.ask(query for queries in asked.values() for query in queries):
            break
        asked = score(asked)
    return [scores[index] for index in range(len(scorers))]

"""From replies to scores, as both frameworks and `cogsight score` do it: with a judge, if there is one, and never raising."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from ..benchmark import Benchmark
from ..errors import CogsightError
from ..judge import asking
from ..judge.model import ModelJudge
from ..judge.prompts import fields_of, version_of
from ..judge.query import Judge, JudgeError, Query, Verdict
from ..progress import tell
from ..sample import Judgement, Reply, Sample, Score
from ..scoring import unscored
from ..variants import Variant

LONGEST = 500
"""Characters that are kept of what a judge says about one reply."""


class Attempt(NamedTuple):
    """What a model said to one question, turn by turn."""

    sample: Sample
    replies: Sequence[Reply]
    number: int = 0


def score_all(
    benchmark: Benchmark, variant: Variant, attempts: Iterable[Attempt], judge: ModelJudge | None = None
) -> list[Score]:
    """The score of each attempt, in order; never raises. What the rules leave open is asked of the judge all at once.

    A judge that cannot work, or whose verdicts cannot be kept, is told of, and what needed it is not judged.
    """
    ready = scorers(benchmark, variant, attempts)
    if judge is None:
        return [scorer(None) for scorer in ready]
    try:
        return asking.score_all(ready, judge)
    except Exception as error:  # noqa: BLE001 - as in `score`: whatever happened, replies are there, and rules can read most
        problem = str(error) if isinstance(error, CogsightError) else f"{type(error).__name__}: {error}"
        tell(f"judging by {judge.name} has stopped: {problem}")
        return [scorer(_Broken(judge.name, problem)) for scorer in ready]


def scorers(benchmark: Benchmark, variant: Variant, attempts: Iterable[Attempt]) -> list[asking.Scorer]:
    """For each attempt what scores it, given a judge or None."""
    return [partial(score, benchmark, variant, attempt) for attempt in attempts]


def score(benchmark: Benchmark, variant: Variant, attempt: Attempt, judge: Judge | None = None) -> Score:
    """The benchmark's verdict; never raises: what goes wrong in scoring is ours, and says nothing about the model (DESIGN 3.5)."""
    witness = _Witness(judge) if judge else None
    try:
        found = benchmark.score(attempt.sample, variant, attempt.replies, witness, attempt.number)
    except JudgeError as error:
        found = unscored(attempt.sample, error.reason, str(error), attempt.number)
    except Exception as error:  # noqa: BLE001 - the one boundary: a framework would retry, or end the whole run
        return unscored(attempt.sample, "scorer_failed", f"{type(error).__name__}: {error}", attempt.number)
    return replace(found, judgement=witness.judgement) if witness else found


@dataclass
class _Broken:
    """Stands in for a judge that cannot be asked."""

    name: str
    problem: str

    def verdict(self, query: Query) -> Verdict:
        raise JudgeError(self.problem)


@dataclass
class _Witness:
    """Hands queries on to a judge, and notes what it answers."""

    judge: Judge
    heard: list[tuple[Query, Verdict]] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.judge.name

    def verdict(self, query: Query) -> Verdict:
        verdict = self.judge.verdict(query)
        self.heard.append((query, verdict))
        return verdict

    @property
    def judgement(self) -> Judgement | None:
        """All that was heard, as one; None when there was nothing."""
        if not self.heard:
            return None
        verdicts = [verdict for _, verdict in self.heard]
        said = [str(verdict.values.get(name, "")) for query, verdict in self.heard for name in _explaining(query)]
        return Judgement(
            prompts=tuple(dict.fromkeys(version_of(query.template) for query, _ in self.heard)),
            model=", ".join(sorted({verdict.model for verdict in verdicts} - {""})),
            votes=max(verdict.votes for verdict in verdicts),
            agreement=min(verdict.agreement for verdict in verdicts),
            explanation=_storable("; ".join(filter(None, said))),
        )


def _explaining(query: Query) -> list[str]:
    """Names of the fields that decide nothing."""
    return [field.name for field in fields_of(query) if not field.counts]


def _storable(text: str) -> str:
    """Capped, and without halves of surrogate pairs, which a JSON string may hold and a parquet file may not."""
    return text[:LONGEST].encode("utf-8", "replace").decode()

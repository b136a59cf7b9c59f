"""A judge that is a model behind an endpoint: asks for what the store lacks, and decides by its votes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ..progress import tell, track
from ..settings import settings
from . import live
from .client import Unavailable
from .endpoint import Endpoint
from .live import Keep, Unit
from .prompts import fields_of
from .query import UNREADABLE, JudgeError, Query, Value, Verdict
from .store import FILE, Store, Vote

Transport = Callable[[Endpoint, Sequence[Unit], Keep], Iterator[None]]
"""How votes are had: `live.answers`, or in a batch."""


class ModelJudge:
    """Decides queries by a model. `ask` fetches verdicts, `verdict` looks them up; nothing is paid for twice."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        store: Path | None = None,
        rejudge: bool = False,
        transport: Transport = live.answers,
    ) -> None:
        """`store`: file of verdicts; the one in the cache folder when not given. `rejudge`: replace those of earlier runs."""
        self.endpoint = endpoint
        self.problem = ""
        """Why judging has stopped; "" while it has not."""
        self._transport = transport
        self._store = Store(store or settings().cache / FILE)
        self._rejudge = rejudge
        self._fresh: set[str] = set()
        self._failed: dict[str, JudgeError] = {}

    @property
    def name(self) -> str:
        """The model, as it is asked for."""
        return self.endpoint.model

    @property
    def votes(self) -> int:
        """Votes on each query."""
        return self.endpoint.options.votes

    def verdict(self, query: Query) -> Verdict:
        """The verdict on a query that was asked before, in this run or an earlier one. Raises JudgeError when there is none."""
        votes = [vote for vote in self._stored(query) if vote is not None]
        if len(votes) < self.votes:
            raise self._failed.get(query.digest) or JudgeError(self.problem or f"{self.name} has not judged this yet")
        return decide(query, votes)

    def ask(self, queries: Iterable[Query]) -> None:
        """Have these judged, each vote kept as it arrives. Where the judge is unavailable, `problem` says why, and the rest stays open."""
        units = self.missing(queries)
        if not units or self.problem:
            return
        settled = 0
        try:
            for _ in track(self._transport(self.endpoint, units, self._keep), f"judging by {self.name}", len(units)):
                settled += 1
        except Unavailable as error:
            self.problem = str(error)
            tell(
                f"{error}; not judged: {len(units) - settled} of {len(units)}. The rest is kept: run this again to go on"
            )

    def missing(self, queries: Iterable[Query]) -> list[Unit]:
        """The votes that are yet to be had, for each distinct query; none on what has failed before."""
        distinct = {query.digest: query for query in queries}
        return [
            Unit(query, number)
            for digest, query in distinct.items()
            if digest not in self._failed
            for number, vote in enumerate(self._stored(query))
            if vote is None
        ]

    def _stored(self, query: Query) -> list[Vote | None]:
        if self._rejudge and query.digest not in self._fresh:
            return [None] * self.votes
        return self._store.votes(self.name, query, self.votes)

    def _keep(self, unit: Unit, answer: Vote | JudgeError) -> None:
        digest = unit.query.digest
        if isinstance(answer, JudgeError):
            self._failed[digest] = answer
            return
        if self._rejudge and digest not in self._fresh:
            self._store.forget(self.name, unit.query)
            self._fresh.add(digest)
        self._store.add(self.name, unit.query, unit.number, answer)


def decide(query: Query, votes: Sequence[Vote]) -> Verdict:
    """What most votes say, field by field. Raises JudgeError where no value has a majority."""
    values: dict[str, Value] = dict(votes[0].values)
    for field in fields_of(query):
        if field.counts:
            value, count = Counter(vote.values[field.name] for vote in votes).most_common(1)[0]
            if 2 * count <= len(votes):
                raise JudgeError(f"{len(votes)} votes on {field.name}, and no majority", UNREADABLE)
            values[field.name] = value
    decided = [field.name for field in fields_of(query) if field.counts]
    agreeing = [vote for vote in votes if all(vote.values[name] == values[name] for name in decided)]
    explained: Mapping[str, Value] = agreeing[0].values if agreeing else {}
    return Verdict(
        {**explained, **{name: values[name] for name in decided}},
        len(votes),
        len(agreeing) / len(votes),
        votes[0].model,
    )

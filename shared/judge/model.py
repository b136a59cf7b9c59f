"""A judge that is a model behind an endpoint: asks for what the store lacks, and decides by its votes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from threading import Lock

from ..progress import tell, track
from ..settings import settings
from .endpoint import Endpoint
from .live import Keep, Live, Unit
from .prompts import fields_of
from .query import UNREADABLE, JudgeError, Query, Value, Verdict
from .store import FILE, Store, Vote
from .trouble import Unavailable

Transport = Callable[[Endpoint, Sequence[Unit], Keep], Generator[None, None, None]]
"""How votes are had: `live.Live()`, or in a batch. Yields for each unit that is settled; to close it is to stop."""


class ModelJudge:
    """Decides queries by a model. `ask` fetches verdicts, `verdict` looks them up; nothing is paid for twice. For all threads."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        store: Path | None = None,
        rejudge: bool = False,
        transport: Transport | None = None,
        read_only: bool = False,
    ) -> None:
        """`store`: file of verdicts; the one in the cache folder when not given. `rejudge`: replace those of earlier runs.

        `read_only`: for looking only; `ask` would raise DataError.
        """
        self.endpoint = endpoint
        self.problem = ""
        """Why judging has stopped; "" while it has not."""
        self._transport = transport or Live()
        self._store = Store(store or settings().cache / FILE, read_only=read_only)
        self._rejudge = rejudge
        self._fresh: set[str] = set()
        self._failed: dict[str, JudgeError] = {}
        self._models: set[str] = set()
        self._asking = Lock()

    @property
    def name(self) -> str:
        """The model, as it is asked for."""
        return self.endpoint.model

    @property
    def votes(self) -> int:
        """Votes on each query."""
        return self.endpoint.options.votes

    def close(self) -> None:
        """Let go of the store."""
        self._store.close()

    def verdict(self, query: Query) -> Verdict:
        """The verdict on a query that was asked before, in this run or an earlier one. Raises JudgeError when there is none."""
        votes = [vote for vote in self._stored(query) if vote is not None]
        if len(votes) < self.votes:
            raise self._failed.get(query.digest) or JudgeError(self.problem or f"{self.name} has not judged this yet")
        for vote in votes:
            self._notice(vote)
        return decide(query, votes)

    def tokens(self, template: str) -> tuple[int, float, float]:
        """How many of the votes on a template say what they took; mean tokens of their prompts and completions."""
        return self._store.tokens(self.name, template)

    def ask(self, queries: Iterable[Query]) -> int:
        """Have these judged, each vote kept as it arrives; returns how many votes were settled, 0 when there was nothing to ask.

        Where the judge is unavailable, `problem` says why, and the rest stays open. Raises DataError when votes cannot be kept.
        """
        with self._asking:
            units = self.missing(queries)
            if not units or self.problem:
                return 0
            self._store.check_writable()
            return self._ask(units)

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

    def _ask(self, units: Sequence[Unit]) -> int:
        outdated = {unit.query.digest: unit.query for unit in units} if self._rejudge else {}

        def keep(unit: Unit, answer: Vote | JudgeError) -> None:
            # not before there is a vote: a judge that does not answer must not cost the verdicts that there are
            if isinstance(answer, Vote):
                self._forget(outdated)
            self._keep(unit, answer)

        settled, failed_before = 0, len(self._failed)
        try:
            with closing(self._transport(self.endpoint, units, keep)) as votes:
                for _ in track(votes, f"judging by {self.name}", len(units)):
                    settled += 1
        except Unavailable as error:
            self.problem = str(error)
            self._say_what_is_left(units, self.problem, replaced=not outdated)
        except KeyboardInterrupt:
            self._say_what_is_left(units, "interrupted", replaced=not outdated)
            raise
        if failed := list(self._failed.values())[failed_before:]:
            tell(f"no verdict on {len(failed)} replies, which the next run asks for again; the first: {failed[0]}")
        return settled

    def _say_what_is_left(self, units: Sequence[Unit], why: str, replaced: bool) -> None:
        """`replaced`: whether the votes of earlier runs are gone, if they were to go."""
        wanted = {unit.query.digest: unit.query for unit in units}
        left = {unit.query.digest for unit in self.missing(wanted.values())}
        how = "run this again without --rejudge" if self._rejudge and replaced else "run this again"
        tell(f"{why}; not judged: {len(left)} of {len(wanted)}. What is judged is kept: {how} to go on")

    def _stored(self, query: Query) -> list[Vote | None]:
        if self._rejudge and query.digest not in self._fresh:
            return [None] * self.votes
        return self._store.votes(self.name, query, self.votes)

    def _forget(self, outdated: dict[str, Query]) -> None:
        """Remove the votes of earlier runs on these, which then are outdated no longer."""
        if outdated:
            self._store.forget(self.name, outdated.values())
            self._fresh.update(outdated)
            outdated.clear()

    def _keep(self, unit: Unit, answer: Vote | JudgeError) -> None:
        if isinstance(answer, Vote):
            self._store.add(self.name, unit.query, unit.number, answer)
            self._notice(answer)
        else:
            self._failed[unit.query.digest] = answer

    def _notice(self, vote: Vote) -> None:
        """Tell, once, when more than one model answers to the judge's name."""
        if vote.model and vote.model not in self._models:
            self._models.add(vote.model)
            if len(self._models) == 2:
                tell(
                    f"verdicts of {self.name} come from different models, {' and '.join(sorted(self._models))}:"
                    " they may not be comparable; name one that does not change, or judge all anew with --rejudge"
                )


def decide(query: Query, votes: Sequence[Vote]) -> Verdict:
    """What most votes say, field by field. Raises JudgeError where no value has a majority."""
    values: dict[str, Value] = {}
    for name in (field.name for field in fields_of(query) if field.counts):
        value, count = Counter(vote.values[name] for vote in votes).most_common(1)[0]
        if 2 * count <= len(votes):
            raise JudgeError(f"{len(votes)} votes on {name}, and no majority", UNREADABLE)
        values[name] = value
    agreeing = [vote for vote in votes if all(vote.values[name] == value for name, value in values.items())]
    explained: Mapping[str, Value] = agreeing[0].values if agreeing else {}
    return Verdict({**explained, **values}, len(votes), len(agreeing) / len(votes), (agreeing or votes)[0].model)

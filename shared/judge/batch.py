"""Many votes through OpenAI's Batch interface: half the price, some hours later.

Requests go up in files, the server works them off within a day, and what it brought is read line by line. Each batch is noted in a
ledger beside the votes, so that a run that is killed, interrupted or out of time is taken up by the next one: nothing is sent again
while a batch that holds it is alive. What a batch does not bring (lines that failed or are missing, a batch that expired) is sent
again; a request that fails by itself three times is given up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from time import monotonic, sleep, time
from typing import IO, TYPE_CHECKING

from ..cache import locked
from ..progress import tell
from .batch_lines import Line, Shortfall, packed, read_line, request_line
from .batch_server import CutOff, Gone, Refused, Server
from .client import SEEDS_APART, WAITS, Client
from .endpoint import Endpoint
from .ledger import Ledger, Plan
from .live import Keep, Unit
from .prompts import version_of
from .query import NOT_JUDGED, UNREADABLE, JudgeError
from .store import Vote
from .trouble import Unavailable
from .wire import Dialect, body

if TYPE_CHECKING:
    from openai.types import Batch

HOURS = 25.0
"""How long to wait, if nothing else is said: a batch has 24 hours."""
LIFE = 25 * 3600.0
"""Seconds after which no batch is alive any more."""
FAILURES = 3
"""So often may a request fail by itself."""
IDLE = 5
"""Rounds of batches, one after another, that bring nothing; then the judging stops."""
ENDED = frozenset({"completed", "failed", "expired", "cancelled"})
FULL = "token_limit_exceeded"
"""The error of a batch for which the account's queue at OpenAI has no room; a smaller or a later one may be taken."""
SMALLEST = 10
"""Requests; where not even these find room, the queue is full of other things."""


@dataclass(frozen=True, slots=True)
class Waits:
    """Seconds to wait."""

    first: float = 5.0
    """Before the second look at a batch."""
    growth: float = 1.5
    """By how much each wait between looks is longer than the one before."""
    longest: float = 120.0
    settling: float = 30.0
    """From a killed run's last deed to the search for what it may have made."""
    tries: tuple[float, ...] = WAITS
    """Between tries of what failed."""

    def between_looks(self) -> Iterator[float]:
        """Without end."""
        wait = self.first
        while True:
            yield wait
            wait = min(self.longest, wait * self.growth)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a server takes in one file; OpenAI's."""

    requests: int = 50_000
    size: int = 200_000_000
    """Bytes."""


@dataclass(frozen=True, slots=True)
class Batches:
    """A transport: `ModelJudge(endpoint, store=path, transport=Batches(path))`."""

    store: Path
    """The file of verdicts, where the ledger is, too."""
    hours: float = HOURS
    """How long to wait for batches, at most."""
    waits: Waits = field(default_factory=Waits)
    limits: Limits = field(default_factory=Limits)

    def __call__(self, endpoint: Endpoint, units: Sequence[Unit], keep: Keep) -> Generator[None, None, None]:
        """Have all units answered; yields once for each that is settled and kept. Raises Unavailable when it stops before the end."""
        ledger = Ledger(self.store, endpoint)
        server = Server(endpoint, self.waits.tries)
        run = _Run(endpoint, units, keep, ledger, server, self)
        try:
            yield from run.settle_all()
        except (KeyboardInterrupt, GeneratorExit):
            run.say_what_goes_on()
            raise
        finally:
            server.close()
            ledger.close()


def unit_name(unit: Unit) -> str:
    """A unit in a file of requests (`custom_id`) and in the ledger: 40 characters for query and template, and the number of the vote."""
    key = f"{version_of(unit.query.template)} {unit.query.digest}"
    return f"{sha256(key.encode()).hexdigest()[:40]}-{unit.number}"


class _Run:
    """One call of the transport."""

    def __init__(
        self, endpoint: Endpoint, units: Sequence[Unit], keep: Keep, ledger: Ledger, server: Server, how: Batches
    ) -> None:
        self._endpoint = endpoint
        self._open = {unit_name(unit): unit for unit in units}
        self._keep = keep
        self._ledger = ledger
        self._server = server
        self._how = how
        self._deadline = monotonic() + 3600 * how.hours
        self._alive: dict[str, tuple[Plan, set[str]]] = {}  # what we wait for, and all that is in it
        self._dialect: Dialect | None = None
        self._largest = how.limits.requests
        self._one_at_a_time = False
        self._idle = 0
        self._said: dict[str, str] = {}

    def settle_all(self) -> Iterator[None]:
        """Rounds: send what is in no batch, wait until a batch has ended, read it."""
        while self._open:
            self._idle += 1
            if self._idle > IDLE:
                raise Unavailable(self._endpoint.says(f"has brought nothing in {IDLE} rounds of batches"))
            yield from self._send()
            for plan, batch in self._ended():
                yield from self._collect(plan, batch)

    def say_what_goes_on(self) -> None:
        """For who interrupts us: batches do not end by that."""
        if names := [str(plan.batch) for plan, _ in self._alive.values()]:
            tell(
                f"batches go on at {self._endpoint.host}, and cost what they cost: {', '.join(names)}; run this again to read them,"
                " or end them with openai.OpenAI().batches.cancel(NAME)"
            )

    def _settle(self, name: str, answer: Vote | JudgeError) -> None:
        self._keep(self._open[name], answer)
        del self._open[name]
        self._idle = 0

    def _send(self) -> Iterator[None]:
        """Send what no living batch holds. One process at a time, or two would send the same."""
        unfit: dict[str, JudgeError] = {}
        with locked(self._ledger.path.with_name(f"{self._ledger.path.name}-batches")):
            self._find_living()
            held = {name for _, units in self._alive.values() for name in units}
            waiting = [name for name in self._open if name not in held]
            if waiting and not (self._alive and self._one_at_a_time):
                self._dialect = self._dialect or _probed(self._endpoint)
                lines = self._lines(waiting, self._dialect, unfit)
                for names, file in packed(lines, self._largest, self._how.limits.size):
                    self._make(names, file)
                    if self._one_at_a_time:
                        break
        for name, error in unfit.items():
            self._settle(name, error)
            yield

    def _find_living(self) -> None:
        """Take up the batches of other runs that hold what we want; those whose making was cut short are looked for at the server."""
        plans = self._ledger.plans(self._open.keys())
        if lost := [plan for plan in plans if plan.batch is None]:
            sleep(max(0.0, lost[-1].planned + self._how.waits.settling - time()))
            found = self._server.find({plan.name for plan in lost}, lost[0].planned)
            for plan in lost:
                if plan.name in found:
                    self._ledger.made(plan, found[plan.name])
                else:
                    self._ledger.drop(plan)
            plans = self._ledger.plans(self._open.keys())
        for plan in plans:
            self._alive.setdefault(plan.name, (plan, self._ledger.units(plan)))

    def _lines(
        self, names: Sequence[str], dialect: Dialect, unfit: dict[str, JudgeError]
    ) -> Iterator[tuple[str, bytes]]:
        """Names and requests; those of which there is none go to `unfit`."""
        failures, endpoint = self._ledger.failures(names), self._endpoint
        for name in names:
            unit = self._open[name]
            seed = unit.number + SEEDS_APART * failures[name]  # another one than that which brought no verdict
            try:
                fields = body(unit.query, endpoint.model, dialect, seed, endpoint.options.max_tokens)
            except ValueError as error:  # a text that a data set lacks
                unfit[name] = JudgeError(f"{error}, so the judge is not asked", NOT_JUDGED)
                continue
            line = request_line(name, fields)
            if len(line) <= self._how.limits.size:
                yield name, line
            else:
                unfit[name] = JudgeError(endpoint.says("takes no request of this size in a batch"), UNREADABLE)

    def _make(self, names: Sequence[str], file: IO[bytes]) -> None:
        file_id = self._server.upload(file)
        plan = self._ledger.plan(names)
        try:
            batch = self._server.make(file_id, plan.name, plan.planned)
        except Refused:
            self._ledger.drop(plan)
            raise
        self._ledger.made(plan, batch)
        self._alive[plan.name] = (replace(plan, batch=batch), set(names))
        tell(f"sent {len(names)} requests to {self._endpoint.host} as batch {batch}")

    def _ended(self) -> list[tuple[Plan, Batch]]:
        """Wait until some batches have ended; none when there are none to wait for."""
        for wait in self._how.waits.between_looks():
            looks = [(plan, self._look(plan)) for plan, _ in list(self._alive.values())]
            ended = [(plan, batch) for plan, batch in looks if batch]
            if ended or not self._alive:
                return ended
            if monotonic() + wait > self._deadline:
                break
            sleep(wait)
        text = f"has not ended {len(self._alive)} batches in {self._how.hours:g} hours; they go on there"
        raise Unavailable(self._endpoint.says(text))

    def _look(self, plan: Plan) -> Batch | None:
        """The batch if it has ended."""
        old = time() - plan.planned > LIFE
        try:
            batch = self._server.look(str(plan.batch))
        except Gone:
            text = self._endpoint.says(f"does not know batch {plan.batch}")
            if not old:
                text += ", which may be alive in another account; set the key that it was sent with"
                raise Unavailable(text) from None
            tell(f"{text} any more: what was in it is sent again")
            self._ledger.drop(plan)
            del self._alive[plan.name]
            return None
        if batch is None:
            return None
        self._report(batch)
        counts = batch.request_counts
        late = bool(counts and counts.completed and not batch.output_file_id)  # its file is yet to come
        return batch if batch.status in ENDED and (not late or old) else None

    def _report(self, batch: Batch) -> None:
        counts = batch.request_counts
        done = f", {counts.completed + counts.failed} of {counts.total} done" if counts and counts.total else ""
        text = f"batch {batch.id}: {batch.status}{done}"
        if self._said.get(batch.id) != text:
            self._said[batch.id] = text
            tell(text)

    def _collect(self, plan: Plan, batch: Batch) -> Iterator[None]:
        """Keep what a batch has brought; count what failed in it."""
        _, asked = self._alive.pop(plan.name)
        if batch.status == "failed":
            self._ledger.drop(plan)
            self._say_why_refused(batch, len(asked))
            return
        mine = asked & self._open.keys()
        shortfall = Shortfall()
        for line in self._answers(batch, asked):
            if line.name in self._open:  # else it is there twice, or for another run
                try:
                    vote = line.vote(self._open[line.name].query, self._endpoint)
                except JudgeError as error:
                    shortfall.note(line, JudgeError(self._endpoint.says(str(error)), error.reason))
                else:
                    self._settle(line.name, vote)
                    yield
        if self._dialect:
            self._dialect = self._dialect.without(shortfall.complaint) or self._dialect
        failed = shortfall.failed(mine & self._open.keys(), batch.status == "completed")
        times = self._ledger.settle(plan, mine, failed)
        yield from self._give_up([name for name in failed if times[name] >= FAILURES], shortfall.problems)
        if batch.status == "cancelled":
            raise Unavailable(self._endpoint.says(f"was told by somebody to cancel batch {batch.id}"))

    def _give_up(self, names: Sequence[str], problems: Mapping[str, JudgeError]) -> Iterator[None]:
        self._ledger.absolve(names)
        for name in names:
            nothing = JudgeError(self._endpoint.says(f"has answered nothing in {FAILURES} batches"), UNREADABLE)
            self._settle(name, problems.get(name, nothing))
            yield

    def _say_why_refused(self, batch: Batch, size: int) -> None:
        """Of a batch that failed as a whole: none of it was run. Raises Unavailable, unless a smaller or a later one may do."""
        errors = (batch.errors and batch.errors.data) or []
        text = "; ".join(f"{error.code}: {error.message}" for error in errors[:3]) or "no reason given"
        if not any(error.code == FULL for error in errors) or (not self._alive and size <= SMALLEST):
            raise Unavailable(self._endpoint.says(f"refuses batch {batch.id} ({text})"))
        if not self._alive:
            self._largest = size // 2
        self._one_at_a_time = True
        self._idle = 0
        tell(
            f"{self._endpoint.says(f'has no room for batch {batch.id} now')} ({text}); one at a time from now on,"
            f" each of at most {self._largest} requests"
        )

    def _answers(self, batch: Batch, asked: Collection[str]) -> Iterator[Line]:
        """What a batch says on what was asked, in no order."""
        counts = batch.request_counts
        strangers: set[str] = set()
        files = (
            (batch.output_file_id, counts.completed if counts else 0),
            (batch.error_file_id, counts.failed if counts else 0),
        )
        for file_id, expected in files:
            for line in self._download(file_id, expected) if file_id else ():
                if line.name in asked:
                    yield line
                else:
                    strangers.add(line.name)
        if strangers:
            tell(f"batch {batch.id}: ignored {len(strangers)} answers to nothing that was asked in it")

    def _download(self, file_id: str, expected: int) -> Iterator[Line]:
        """The lines of a file, from the start again where it was cut off. Raises Unavailable when it cannot be had."""
        count = broken = 0
        for wait in (*self._how.waits.tries, None):
            count = broken = 0
            problem = ""
            try:
                for text in self._server.lines(file_id):
                    count += 1
                    if line := read_line(text):
                        yield line
                    else:
                        broken += 1
            except CutOff as error:
                problem = str(error)
            except Gone:
                tell(self._endpoint.says(f"has no file {file_id} any more: what was in it is sent again"))
                return
            if not problem and not broken and count >= expected:
                return
            if wait is not None:
                sleep(wait)
        if problem:
            raise Unavailable(self._endpoint.says(f"does not give file {file_id} to its end ({problem})"))
        tell(f"file {file_id}: {count} lines where {expected} are announced, {broken} of them unreadable")


async def _probe(endpoint: Endpoint) -> Dialect:
    async with Client(endpoint) as client:
        await client.probe()
        return client.dialect


def _probed(endpoint: Endpoint) -> Dialect:
    """What the judge takes in a request, by one that is answered at once. Raises Unavailable for one that cannot judge."""
    with ThreadPoolExecutor(1) as pool:  # the caller may have an event loop
        return pool.submit(asyncio.run, _probe(endpoint)).result()

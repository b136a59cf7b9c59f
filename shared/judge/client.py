"""One vote of a judge, whatever goes wrong on the way: what the server takes, tries and waits, and when to give up on it as a whole."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import repeat
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from .completion import read_vote
from .endpoint import Endpoint
from .pace import Pace
from .query import NOT_JUDGED, UNREADABLE, JudgeError, Query
from .store import Vote
from .trouble import Kind, Trouble, Unavailable, of_error, of_reply, of_status
from .wire import Dialect, body

if TYPE_CHECKING:
    import openai

T = TypeVar("T")

WAITS = (1.0, 2.0, 4.0, 8.0, 16.0)
"""Seconds before the next try of a request that failed; as many tries and one. Each wait varies, so that workers do not march in step."""
PROBE_WAITS = (1.0, 2.0)
READINGS = 3
"""How often a judge may answer what is no verdict, per vote."""
SEEDS_APART = 1000
"""Between the seeds of one vote's readings; votes have seeds 0, 1, 2."""
CONNECTING = 20.0
"""Seconds for a connection, which is there at once or not at all."""
IN_A_ROW = 3
"""After so many queries one after another without a vote the judge is probed again: is it the judge, or is it the queries?"""
CONCESSIONS = 7
"""Tries of one request with less and less in it; there are six things that can go."""
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""Hosts that no proxy of the environment stands before."""

PROBE = Query(
    "extract_option",
    "It cannot be A, so the answer is B.",
    {"question": "Which brick is larger?", "options": "A. the red one\nB. the blue one"},
    letters=("A", "B"),
)
RIGHT = "B"


class _Silent(JudgeError):
    """No answer of any kind."""


class Client:
    """Asks one endpoint, within `async with`. What it has learnt about the server outlasts that."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._pace = Pace(endpoint)
        self._dialect = Dialect()
        self._proved = False
        self._without_vote = 0
        self._openai: openai.AsyncOpenAI
        self._doubting: asyncio.Lock

    @property
    def dialect(self) -> Dialect:
        """What the server takes, as far as it has been asked."""
        return self._dialect

    async def __aenter__(self) -> Client:
        import openai

        timeout = self._endpoint.options.timeout
        settings = {
            **self._endpoint.connection,
            "max_retries": 0,
            "timeout": openai.Timeout(timeout, connect=min(timeout, CONNECTING)),
            "http_client": openai.DefaultAsyncHttpxClient(trust_env=not is_here(self._endpoint)),
        }
        self._openai = openai.AsyncOpenAI(**settings)
        self._doubting = asyncio.Lock()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._openai.close()

    async def probe(self) -> None:
        """One request whose answer is known, before many are sent; finds out what the server takes. Once it has worked, it is not sent again.

        Raises Unavailable for a judge that is not there, refuses, or cannot even do this.
        """
        if not self._proved:
            await self._probe(_ladder(self._dialect))
        self._proved = True

    async def vote(self, query: Query, number: int) -> Vote:
        """Vote `number` on a query. Raises Unavailable; JudgeError when this query alone cannot be judged."""
        try:
            vote = await self._vote(query, number, WAITS, READINGS)
        except Unavailable:
            raise
        except JudgeError:
            await self._doubt()
            raise
        self._without_vote = 0
        return vote

    async def _doubt(self) -> None:
        """After a query without a vote. Raises Unavailable when it is the judge that no longer works, and not a run of bad queries."""
        self._without_vote += 1
        async with self._doubting:
            if self._without_vote >= IN_A_ROW:
                await self._probe(repeat(self._dialect, READINGS))
                self._without_vote = 0

    async def _probe(self, dialects: Iterable[Dialect]) -> None:
        """Until the probe is answered in one of these dialects, which is then ours."""
        problem = ""
        for dialect in dialects:
            self._dialect = dialect
            try:
                vote = await self._vote(PROBE, 0, PROBE_WAITS, readings=1)
            except (Unavailable, _Silent) as error:
                raise Unavailable(str(error)) from None
            except JudgeError as error:
                problem = problem or str(error)
            else:
                if vote.values["answer"] == RIGHT:
                    return
                what = f"misreads a plain answer, {RIGHT}, as {vote.values['answer']}: it cannot judge, name another"
                raise Unavailable(self._endpoint.says(what))
        raise Unavailable(problem)

    async def _vote(self, query: Query, number: int, waits: tuple[float, ...], readings: int) -> Vote:
        problem = ""
        for reading in range(readings):
            completion = await self._completion(query, number + SEEDS_APART * reading, waits)
            try:
                return read_vote(query, completion, self._endpoint)
            except JudgeError as error:
                problem = str(error)
        raise JudgeError(self._endpoint.says(problem), UNREADABLE)

    async def _completion(self, query: Query, seed: int, waits: tuple[float, ...]) -> Mapping[str, Any]:
        """What the server sends back to a query, in the end."""
        failed = limited = 0
        while True:  # ends: `failed` is bounded by `waits`, and the rest by the patience of `_pace`
            await self._pace.wait()
            answer = await self._concede(query, seed)
            if not isinstance(answer, Trouble):
                self._pace.answered()
                return answer
            if answer.kind is Kind.TOO_MANY:
                self._pace.limited(answer, limited)
                limited += 1
                continue
            self._stop_on(answer, failed, len(waits))
            if answer.wait:
                self._pace.hold(answer.wait, answer)
            await asyncio.sleep(waits[failed] * random.uniform(0.75, 1.25))
            failed += 1

    def _stop_on(self, trouble: Trouble, failed: int, most: int) -> None:
        """Raises when there is no use in another try."""
        text = self._endpoint.says(trouble.text)
        if trouble.kind is Kind.REFUSED:
            raise Unavailable(text)
        if trouble.kind is Kind.UNFIT:
            raise JudgeError(text, UNREADABLE)
        if failed >= most:
            error = _Silent if trouble.kind is Kind.SILENT else JudgeError
            raise error(f"{text}; tried {failed + 1} times", NOT_JUDGED)

    async def _concede(self, query: Query, seed: int) -> Mapping[str, Any] | Trouble:
        """One request; what the server does not take is left out, and stays out once it has worked without."""
        usual = dialect = self._dialect
        for _ in range(CONCESSIONS):
            answer = await self._send(self._fields(query, dialect, seed))
            complaint = answer.body if isinstance(answer, Trouble) and answer.kind in (Kind.UNFIT, Kind.BROKEN) else ""
            if (softer := dialect.without(complaint)) is None:
                break
            dialect = softer
        if not isinstance(answer, Trouble) and dialect is not usual:
            self._dialect = dialect
        return answer

    def _fields(self, query: Query, dialect: Dialect, seed: int) -> dict[str, Any]:
        try:
            return body(query, self._endpoint.model, dialect, seed, self._endpoint.options.max_tokens)
        except ValueError as error:  # a text that a data set lacks
            raise JudgeError(f"{error}, so the judge is not asked", NOT_JUDGED) from error

    async def _send(self, fields: dict[str, Any]) -> Mapping[str, Any] | Trouble:
        """One request."""
        import openai

        timeout = self._endpoint.options.timeout
        try:
            raw = await within(timeout, self._openai.chat.completions.with_raw_response.create(**fields))
        except openai.APIStatusError as error:
            status, response = error.status_code, error.response
        except (openai.APIError, asyncio.TimeoutError) as error:
            return of_error(error, timeout)
        else:
            status, response = 200, raw.http_response
        text = response.content.decode("utf-8-sig", "replace")  # JSON is UTF-8, whatever the header says
        return of_status(status, text, response.headers) if status != 200 else of_reply(text, response.headers)


async def within(seconds: float, awaited: Awaitable[T]) -> T:
    """What is awaited, if it comes in time. Raises asyncio.TimeoutError.

    The time bounds the whole answer: servers keep a connection alive by sending blanks. Unlike `asyncio.wait_for` before Python 3.12,
    it loses no cancellation that comes at the same moment as the answer, after which a worker would go on.
    """
    request = asyncio.ensure_future(awaited)
    try:
        await asyncio.wait((request,), timeout=seconds)
        if not request.done():
            raise asyncio.TimeoutError
        return request.result()
    finally:
        request.cancel()
        await asyncio.gather(request, return_exceptions=True)


def _ladder(dialect: Dialect | None) -> Iterator[Dialect]:
    """This dialect and softer ones: servers that refuse a part may not say which."""
    last = dialect
    while dialect:
        yield (last := dialect)
        dialect = dialect.softer
    if last and last.seed:
        yield replace(last, seed=False)


def is_here(endpoint: Endpoint) -> bool:
    """Whether it runs on this machine."""
    return urlsplit(endpoint.base_url).hostname in LOOPBACK

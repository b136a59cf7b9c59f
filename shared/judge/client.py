"""One request to a judge, whatever goes wrong on the way: dialects, waiting, tries, and when to give up on the judge as a whole."""

from __future__ import annotations

import asyncio
import random
from time import monotonic, time
from typing import TYPE_CHECKING, Any

from .endpoint import Endpoint
from .query import NOT_JUDGED, UNREADABLE, JudgeError, Query
from .store import Vote
from .wire import FORMATS, Dialect, body, parse

if TYPE_CHECKING:
    import openai

WAITS = (1.0, 2.0, 4.0, 8.0, 16.0)
"""Seconds before the next try of a request that failed; as many tries and one. Each wait varies, so that workers do not march in step."""
READINGS = 3
"""How often a judge may answer what is no verdict, per vote."""
PATIENCE = 600.0
"""Seconds without any answer, after which a judge that says "too many requests" is taken to be unavailable."""
LONGEST_WAIT = 60.0
"""Seconds between tries after "too many requests", where the server does not say how long."""
GIVEN_UP = 3
"""So many queries given up one after another, and the judge is unavailable."""

REFUSING = frozenset({401, 402, 403, 404})
UNFIT = frozenset({400, 413, 422})
"""The request, not the server, is at fault."""
TOO_MANY = 429

PROBE = Query(
    "extract_option",
    "It cannot be A, so the answer is B.",
    {"question": "Which brick is larger?", "options": "A. the red one\nB. the blue one"},
    letters=("A", "B"),
)
RIGHT = "B"


class Unavailable(JudgeError):
    """Nothing more can be had from this judge now: everything stops."""


class Client:
    """Asks one endpoint; to be made and used within one event loop."""

    def __init__(self, endpoint: Endpoint) -> None:
        import openai

        self._endpoint = endpoint
        self._openai = openai.AsyncOpenAI(**endpoint.connection, max_retries=0)
        self._dialect = Dialect()
        self._resume = 0.0  # no request before this, by the monotonic clock: one "too many requests" is told to all
        self._answered = monotonic()
        self._given_up = 0

    @property
    def dialect(self) -> Dialect:
        """What the server takes, as far as it has been asked."""
        return self._dialect

    async def close(self) -> None:
        """End the connections."""
        await self._openai.close()

    async def probe(self) -> None:
        """One request whose answer is known, before many are sent; finds out what the server takes.

        Raises Unavailable for a judge that is not there, refuses, or cannot even do this.
        """
        try:
            vote = await self._vote(PROBE, 0, WAITS[:2], readings=1)
        except JudgeError as error:
            raise Unavailable(str(error)) from error
        if vote.values["answer"] != RIGHT:
            raise Unavailable(
                self._say(f"misreads a plain answer, {RIGHT}, as {vote.values['answer']}: it cannot judge")
            )

    async def vote(self, query: Query, number: int) -> Vote:
        """Vote `number` on a query. Raises Unavailable; JudgeError when this query alone cannot be judged."""
        return await self._vote(query, number, WAITS, READINGS)

    async def _vote(self, query: Query, number: int, waits: tuple[float, ...], readings: int) -> Vote:
        unreadable = JudgeError("")
        for reading in range(readings):
            completion = await self._answer(query, number + 1000 * reading, waits)
            try:
                return read_vote(query, completion)
            except JudgeError as error:
                unreadable = JudgeError(self._say(str(error)), UNREADABLE)
        raise unreadable

    async def _answer(self, query: Query, seed: int, waits: tuple[float, ...]) -> Any:
        """What the server sends back to a query, in the end."""
        import openai

        tried = 0
        while True:  # ends: `tried` grows with each failure, PATIENCE bounds the others
            await self._until_resumed()
            try:
                return await self._send(query, seed)
            except openai.APIStatusError as error:
                self._refused(error)
                limited, problem = error.status_code == TOO_MANY, f"status {error.status_code}: {error.message}"
                self._pause(retry_after(error), tried if limited else 0, limited)
            except (openai.APIError, ValueError) as error:  # no connection, no answer in time, no JSON
                limited, problem = False, f"{type(error).__name__}: {error}"
            if not limited and tried >= len(waits):
                self._give_up(problem, tried + 1)
            if not limited:
                await asyncio.sleep(waits[tried] * random.uniform(0.75, 1.25))
            tried += 1

    async def _send(self, query: Query, seed: int) -> Any:
        """One request; what the server does not take is left out, and stays out once it has worked without."""
        import openai

        dialect = self._dialect
        for _ in range(len(FORMATS) + 3):
            fields = body(query, self._endpoint.model, dialect, seed, self._endpoint.options.max_tokens)
            try:
                completion = await self._openai.chat.completions.create(**fields)
            except openai.APIStatusError as error:
                softer = dialect.without(str(error.message)) if error.status_code in UNFIT else None
                if softer is None and error.status_code in UNFIT and query is PROBE:
                    softer = dialect.softer  # a complaint that names nothing: the schema is the likeliest cause
                if softer is None:
                    raise
                dialect = softer
            else:
                self._dialect, self._answered, self._given_up = dialect, monotonic(), 0
                return completion
        raise Unavailable(self._say("takes none of the ways to ask for JSON"))

    def _refused(self, error: openai.APIStatusError) -> None:
        """Raises for an answer after which there is no use in trying again."""
        status, message = error.status_code, f"answers {error.status_code}: {error.message}"
        if status in REFUSING or (status == TOO_MANY and "insufficient_quota" in str(error.body)):
            raise Unavailable(self._say(message)) from error
        if status in UNFIT:
            raise JudgeError(self._say(message), UNREADABLE) from error
        if status == TOO_MANY and monotonic() - self._answered > PATIENCE:
            raise Unavailable(self._say(f"{message}, for {PATIENCE:.0f} s")) from error

    def _pause(self, asked_for: float | None, tried: int, limited: bool) -> None:
        """Nobody sends before the time that the server asks for. Raises Unavailable when that is longer than we wait."""
        if asked_for is not None and asked_for > PATIENCE:
            raise Unavailable(self._say(f"asks to be left alone for {asked_for:.0f} s"))
        if asked_for is None and not limited:
            return
        seconds = min(LONGEST_WAIT, 2.0**tried) if asked_for is None else asked_for
        self._resume = max(self._resume, monotonic() + seconds)

    async def _until_resumed(self) -> None:
        while (seconds := self._resume - monotonic()) > 0:
            await asyncio.sleep(seconds + random.uniform(0, min(1.0, seconds / 4)))

    def _give_up(self, problem: str, tries: int) -> None:
        self._given_up += 1
        text = self._say(f"does not answer ({problem}), tried {tries} times")
        raise Unavailable(text) if self._given_up >= GIVEN_UP else JudgeError(text, NOT_JUDGED)

    def _say(self, what: str) -> str:
        return self._endpoint.says(what)


def read_vote(query: Query, completion: Any) -> Vote:
    """The vote in a chat completion. Raises JudgeError when it holds no verdict."""
    try:
        choice = completion.choices[0]
        finish, text, refusal = choice.finish_reason, choice.message.content, getattr(choice.message, "refusal", None)
    except (AttributeError, LookupError, TypeError) as error:
        raise JudgeError(f"gave no completion but {str(completion)[:200]!r}", UNREADABLE) from error
    if finish == "length":
        raise JudgeError("was cut off; raise COGSIGHT_JUDGE_MAX_TOKENS", UNREADABLE)
    if not text or not isinstance(text, str):
        raise JudgeError(f"gave no verdict but {refusal or 'nothing'!r}", UNREADABLE)
    used = [getattr(completion.usage, name, None) or 0 for name in ("prompt_tokens", "completion_tokens")]
    return Vote(parse(query, text), str(completion.model or ""), *used)


def retry_after(error: openai.APIStatusError) -> float | None:
    """Seconds that the server asks us to wait, by `retry-after-ms` or `retry-after` (seconds or a date)."""
    from email.utils import parsedate_to_datetime

    headers = error.response.headers
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "")
        try:
            return max(0.0, float(value) * unit)
        except ValueError:
            continue
    try:
        date = parsedate_to_datetime(headers.get("retry-after", ""))
        return max(0.0, date.timestamp() - time())
    except (TypeError, ValueError):
        return None

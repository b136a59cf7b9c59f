"""What can be wrong with one request to a judge, as data: what it means for this request and the others, in words, how long to wait."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timezone
from email.utils import parsedate_to_datetime
from enum import Enum
from math import isfinite
from time import time
from typing import Any

from .query import JudgeError
from .wire import SHOWN


class Unavailable(JudgeError):
    """Nothing more can be had from this judge now: everything stops."""


class Kind(Enum):
    """What a failed request means."""

    SILENT = "no connection, no answer in time, or what no such server says: try again"
    BROKEN = "the server has failed: try again"
    TOO_MANY = "too many requests: all of them wait"
    UNFIT = "this request is at fault, not the server"
    REFUSED = "nobody gets an answer"


TOO_MANY = 429
REFUSING = frozenset({401, 402, 403, 404})
UNFIT = frozenset({400, 413, 422})
KINDS: Mapping[int, Kind] = {
    **dict.fromkeys(REFUSING, Kind.REFUSED),
    **dict.fromkeys((408, 409, 425), Kind.BROKEN),
    **dict.fromkeys(UNFIT, Kind.UNFIT),
    TOO_MANY: Kind.TOO_MANY,
}
"""By status; any other is UNFIT below 500, and BROKEN from there on."""
EXCEPTIONS = (
    (TOO_MANY, "insufficient_quota", Kind.REFUSED),
    (TOO_MANY, "request too large", Kind.UNFIT),
    (403, "moderation", Kind.UNFIT),
    (403, "flagged", Kind.UNFIT),
)
"""A status and a word in its body that give it another meaning."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A request that brought nothing."""

    kind: Kind
    text: str
    """What happened, to stand after "the judge". It may quote our key, which `Endpoint.says` takes out."""
    body: str = ""
    """All that the server said."""
    wait: float | None = None
    """Seconds before the next try, as far as the server says; never 0."""


def of_status(status: int, body: str, headers: Mapping[str, str]) -> Trouble:
    """What a status other than 200 means; `body` is the text that came with it."""
    usual = KINDS.get(status, Kind.UNFIT if status < 500 else Kind.BROKEN)
    said = body.lower()
    kind = next((other for code, word, other in EXCEPTIONS if code == status and word in said), usual)
    return Trouble(kind, f"answers {status}: {_message(body)}", body, retry_after(headers))


def of_error(error: Exception, seconds: float) -> Trouble:
    """What it means that no answer came at all; `seconds`: how long one was waited for."""
    import openai

    if isinstance(error, (asyncio.TimeoutError, openai.APITimeoutError)):
        return Trouble(Kind.SILENT, f"does not answer within {seconds:g} s")
    cause = error.__cause__ or error
    return Trouble(Kind.SILENT, f"does not answer ({type(cause).__name__}: {cause})")


def of_reply(text: str, headers: Mapping[str, str]) -> Mapping[str, Any] | Trouble:
    """The JSON object that came with status 200, unless it is none, or an error all the same."""
    try:
        reply = json.loads(text)
    except (ValueError, RecursionError):
        reply = None
    if not isinstance(reply, dict):
        return Trouble(Kind.SILENT, f"answers what is no JSON object: {text[:SHOWN]!r}")
    error = reply.get("error")
    if not error or reply.get("choices"):
        return reply
    code = str(error.get("code")) if isinstance(error, dict) else ""
    return of_status(int(code) if code.isascii() and code.isdecimal() and len(code) == 3 else 500, text, headers)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks us to wait, by `retry-after-ms` or `retry-after` (seconds or a date); None for none and 0.

    >>> retry_after({"retry-after-ms": "1500"})
    1.5
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "")
        try:
            seconds = float(value) * unit
        except ValueError:
            seconds = _seconds_until(value)
        if isfinite(seconds) and seconds > 0:
            return seconds
    return None


def _seconds_until(date: str) -> float:
    """From now to a date as HTTP writes it; 0 for what is none."""
    try:
        then = parsedate_to_datetime(date)
        return (then if then.tzinfo else then.replace(tzinfo=timezone.utc)).timestamp() - time()
    except (TypeError, ValueError, IndexError, OverflowError):
        return 0.0


def _message(body: str) -> str:
    """The sentence in an error's body, whose shape differs from server to server; the body itself where there is none."""
    try:
        found: Any = json.loads(body)
    except (ValueError, RecursionError):
        return body
    for name in ("error", "message"):
        found = found.get(name) or found if isinstance(found, dict) else found
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)

"""When to send: one "too many requests" is told to everybody who asks the same server."""

from __future__ import annotations

import asyncio
import random
from time import monotonic

from ..progress import tell
from .endpoint import Endpoint
from .trouble import Trouble, Unavailable

PATIENCE = 600.0
"""Seconds without any answer, after which a judge that says "too many requests" is unavailable. Nor do we wait longer at once."""
LONGEST_WAIT = 60.0
"""Seconds between tries after "too many requests", where the server does not say how long."""
LEAST = 1 / 16
"""Part of our own wait below which no server's takes us: one that always says "at once" would be asked without a pause."""
WORTH_TELLING = 10.0
"""Seconds of a pause from which on the user is told of it."""


class Pace:
    """Holds back all requests to one server. By the monotonic clock, which no correction of the time of day moves."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._resume = 0.0
        self._limited_since: float | None = None

    async def wait(self) -> None:
        """Until nobody is held back; a bit longer, so that not all go on at the same moment."""
        while (seconds := self._resume - monotonic()) > 0:
            await asyncio.sleep(seconds + random.uniform(0, min(1.0, seconds / 4)))

    def answered(self) -> None:
        """An answer has come: patience starts anew."""
        self._limited_since = None

    def limited(self, trouble: Trouble, times: int) -> None:
        """A request was one too many, after as many `times` before. Raises Unavailable when patience is at its end."""
        now = monotonic()
        self._limited_since = self._limited_since or now
        if now - self._limited_since > PATIENCE:
            raise Unavailable(self._endpoint.says(f"{trouble.text}, for {PATIENCE:g} s"))
        own = min(LONGEST_WAIT, 2.0 ** min(times, 10))
        self.hold(max(trouble.wait, LEAST * own) if trouble.wait else own, trouble)

    def hold(self, seconds: float, trouble: Trouble) -> None:
        """Nobody sends for so long. Raises Unavailable when that is longer than we wait."""
        if seconds > PATIENCE:
            raise Unavailable(self._endpoint.says(f"asks to be left alone for {seconds:.0f} s: it {trouble.text}"))
        now = monotonic()
        if seconds >= WORTH_TELLING and self._resume <= now:
            tell(self._endpoint.says(f"has us wait {seconds:.0f} s: it {trouble.text}"))
        self._resume = max(self._resume, now + seconds)

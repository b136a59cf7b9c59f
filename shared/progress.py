"""What we say on stderr beside results: notices, and how far long work is.

A bar on a terminal; elsewhere a plain line at the start and then one every ten seconds. Both tell how long it will still take.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from time import monotonic
from typing import TypeVar

T = TypeVar("T")

SECONDS_BETWEEN_LINES = 10.0


def tell(message: str) -> None:
    """A notice to the user. Not a warning: Python would put a place in our code before it, and lmms-eval would silence it."""
    print(f"cogsight: {message}", file=sys.stderr)


def track(items: Iterable[T], label: str, total: int | None) -> Iterator[T]:
    """The items unchanged, counted on stderr. `total` is how many will come; None when nobody knows."""
    return _bar(items, label, total) if sys.stderr.isatty() else _lines(items, label, total)


def _bar(items: Iterable[T], label: str, total: int | None) -> Iterator[T]:
    from rich.console import Console
    from rich.progress import track as rich_track

    yield from rich_track(items, description=label, total=total, console=Console(stderr=True), transient=True)


def _lines(items: Iterable[T], label: str, total: int | None) -> Iterator[T]:
    began = said = monotonic()
    print(label if total is None else f"{label}: {total}", file=sys.stderr)
    for count, item in enumerate(items, 1):
        yield item
        now = monotonic()
        if now - said >= SECONDS_BETWEEN_LINES:
            said = now
            left = "" if total is None else f"/{total}{_left((now - began) / count * (total - count))}"
            print(f"{label}: {count}{left}", file=sys.stderr)


def _left(seconds: float) -> str:
    """What is said of the time to go, where it is more than a minute.

    >>> _left(59), _left(150), _left(36_000)
    ('', ', 2 min left', ', 10.0 h left')
    """
    if seconds < 60:
        return ""
    return f", {seconds / 60:.0f} min left" if seconds < 7200 else f", {seconds / 3600:.1f} h left"

"""How long work reports on stderr: a bar on a terminal; elsewhere a plain line at the start and then one every ten seconds."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from time import monotonic
from typing import TypeVar

T = TypeVar("T")

SECONDS_BETWEEN_LINES = 10.0


def track(items: Iterable[T], label: str, total: int) -> Iterator[T]:
    """The items unchanged, counted on stderr. `total` is how many will come."""
    return _bar(items, label, total) if sys.stderr.isatty() else _lines(items, label, total)


def _bar(items: Iterable[T], label: str, total: int) -> Iterator[T]:
    from rich.console import Console
    from rich.progress import track as rich_track

    yield from rich_track(items, description=label, total=total, console=Console(stderr=True), transient=True)


def _lines(items: Iterable[T], label: str, total: int) -> Iterator[T]:
    said = monotonic()
    print(f"{label}: {total}", file=sys.stderr)
    for count, item in enumerate(items, 1):
        yield item
        if monotonic() - said >= SECONDS_BETWEEN_LINES:
            said = monotonic()
            print(f"{label}: {count}/{total}", file=sys.stderr)

"""Duplicates: questions that ask the same of the same pictures, and (only told, since it need not be wrong) of pictures that look the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .finding import WORST, Audited, Finding, Verdict, faults
from .measure import HASH, Item

NAME, NEAR_NAME = "duplicates", "near duplicates"
NEAR_BITS = 15
"""Bits of the 768 of a perceptual hash (2 %) in which two pictures may differ that look the same."""

Signs = NDArray[np.float32]


def duplicates(audited: Audited) -> Iterator[Finding]:
    """Same words, same pictures, same options, in whatever order."""
    for task, items in audited.tasks().items():
        first: dict[str, str] = {}
        found = {item.sample.id: f"asks the same as {other}" for item in items if (other := _seen(first, item))}
        mend = "make it again from another attempt, or leave it out"
        yield faults(NAME, task, found, len(items), "ask again what another asks", "none", mend)


def _seen(first: dict[str, str], item: Item) -> str:
    """The id of the first with this content, which is noted; "" for the first itself."""
    other = first.setdefault(item.content, item.sample.id)
    return "" if other == item.sample.id else other


def near_duplicates(audited: Audited) -> Iterator[Finding]:
    """Same words, and each picture of the one looks like one of the other; real duplicates left out."""
    limit = f"told only: at most {NEAR_BITS} of {3 * HASH * HASH} bits differ"
    for task, items in audited.tasks().items():
        if not all(item.looks for item in items):
            yield Finding(NEAR_NAME, task, Verdict.NONE, "questions without pictures")
            continue
        pairs = list(_near_pairs(items))
        worst = tuple(f"{later}: looks like {earlier}" for earlier, later in pairs[:WORST])
        yield Finding(NEAR_NAME, task, Verdict.OK, f"{len(pairs)} pairs among {len(items)}", limit, worst)


def _near_pairs(items: Sequence[Item]) -> Iterator[tuple[str, str]]:
    """Earlier and later id of each pair."""
    words: dict[str, list[Item]] = {}
    for item in items:
        words.setdefault(item.sample.question, []).append(item)
    for same in words.values():
        hashes = _Hashes.of(same)
        for place, item in enumerate(same):
            for other in np.flatnonzero(hashes.near(place)[:place]):
                if same[other].content != item.content:
                    yield same[other].sample.id, item.sample.id


@dataclass(frozen=True, slots=True)
class _Hashes:
    """The pictures of several questions one after the other: a row of bits for each, written as -1 and 1 so that a matrix product counts."""

    signs: Signs
    starts: NDArray[np.intp]
    """Row of each question's first picture."""

    @classmethod
    def of(cls, items: Sequence[Item]) -> _Hashes:
        rows = [np.frombuffer(look.hash, dtype=np.uint8) for item in items for look in item.looks]
        counts = [len(item.looks) for item in items]
        return cls(2 * np.unpackbits(np.array(rows), axis=1).astype(np.float32) - 1, np.cumsum([0, *counts[:-1]]))

    def near(self, place: int) -> NDArray[np.bool_]:
        """Which questions look like this one."""
        ends = [*self.starts[1:], len(self.signs)]
        own = self.signs[self.starts[place] : ends[place]]
        near = (own.shape[1] - own @ self.signs.T) / 2 <= NEAR_BITS  # own pictures x all pictures
        found = np.logical_or.reduceat(near, self.starts, axis=1).all(axis=0)
        back = np.logical_and.reduceat(near.any(axis=0), self.starts)
        return np.asarray(found & back)

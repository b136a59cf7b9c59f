"""Ways to make a state of a real model wrong by one part. There is no grid to say what can be built: boxes around the parts stand for them.

What is proved of a part that stands elsewhere than its author put it: its box meets no other box (studs may go into what stands on them), it
touches one, and nothing is left hanging in the air that was not. Whether studs would hold it is not known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice, product
from random import Random

import numpy as np

from cogsight.shared.render.kernels import Flags
from cogsight.shared.render.mesh import Floats

from . import real, views
from .changes import MOST, REACH, Change, Trait
from .pieces import Piece
from .shapes import PLATE_HEIGHT, STUD_HEIGHT

SLACK = 0.03
"""Studs by which boxes may meet, or come apart and still touch; curved parts and pins are not exact."""

SIZE = 0.05
"""Studs by which the footprints of two parts may differ that stand for each other."""

STEPS = [
    (x, y, z)
    for x, y, z in product(range(-3, 4), range(-3, 4), range(-9, 10))
    if 0 < abs(x) + abs(y) + abs(z) / 3 <= REACH
]
"""Moves to places that are near: studs, studs, plates."""


@lru_cache(maxsize=8192)
def box(piece: Piece) -> Floats:
    """(2, 3): the least and the greatest x, y, z, studs."""
    return np.stack(views.box(piece))


def recolor(rng: Random, pieces: Sequence[Piece], piece: Piece) -> Iterator[Change]:
    """A colour that other parts of the state have, that is as transparent, and that is clearly another one."""
    if not real.takes_color(piece):
        return
    colors = Counter(other.color for other in pieces if real.takes_color(other))
    known = sorted(color for color in colors if real.are_told_apart(color, piece.color))
    for color in _even(rng, piece.color, rng.sample(known, len(known)), colors):
        yield Change(piece, replace(piece, color=color))


def _even(rng: Random, old: str, others: Iterable[str], counts: Mapping[str, int]) -> Iterator[str]:
    """Some of the others, so that what is frequent becomes what is rare as often as the other way round.

    Or else the usual colour of a model would be right, and one would not have to look at its steps.
    """
    return (new for new in others if rng.random() * counts[old] < counts[new])


def reshape(rng: Random, pieces: Sequence[Piece], piece: Piece) -> Iterator[Change]:
    """Another kind of part that the state has, with the same footprint, on the same ground."""
    shapes = Counter(other.shape for other in pieces)
    others = sorted(shapes.keys() - {piece.shape})
    for shape in _even(rng, piece.shape, rng.sample(others, len(others)), shapes):
        new = replace(piece, shape=shape)
        (low, high), (mine, mine_high) = box(new), box(piece)
        up = (mine - low)[2] / PLATE_HEIGHT
        if (
            np.abs(np.concatenate([low - mine, high - mine_high])[[0, 1, 3, 4]]).max() < SIZE
            and abs(up - round(up)) < SIZE
        ):
            yield Change(piece, new.moved(z=round(up)))


def move(rng: Random, pieces: Sequence[Piece], piece: Piece) -> Iterator[Change]:
    """Another place near by, whole studs and plates away."""
    for new in _free(rng, [other for other in pieces if other != piece], piece):
        yield Change(piece, new)


def turn(rng: Random, pieces: Sequence[Piece], piece: Piece) -> Iterator[Change]:
    """The same part, turned about the vertical, its least corner where it was."""
    for quarters in rng.sample((1, 2, 3), 3):
        yield Change(piece, real.spun_in_place(piece, quarters))


def remove(rng: Random, pieces: Sequence[Piece], piece: Piece) -> Iterator[Change]:
    """The part is not there."""
    yield Change(piece, None)


def add(rng: Random, pieces: Sequence[Piece], piece: Piece) -> Iterator[Change]:
    """One more part like this one, near by; where this one could not be missing there would be more parts too many than missing."""
    if not _holds(feet(pieces), feet([other for other in pieces if other != piece])):
        return
    for new in _free(rng, pieces, piece):
        yield Change(None, new)


TRAITS: dict[str, Trait] = {
    "color": recolor,
    "kind": reshape,
    "place": move,
    "turn": turn,
    "fewer": remove,
    "more": add,
}
"""As `changes.TRAITS`."""


def changes(rng: Random, trait: str, pieces: Sequence[Piece], piece: Piece) -> Iterator[Change]:
    """Those after which the state is sound, and neither falls apart nor hangs in the air more than before."""
    before = feet(pieces)
    sound = (
        change
        for change in TRAITS[trait](rng, pieces, piece)
        if is_sound(after := change.on(pieces)) and _holds(before, feet(after))
    )
    return islice(sound, MOST)


def _holds(before: Sequence[float], after: Sequence[float]) -> bool:
    high = min(before) + SLACK
    return len(after) <= len(before) and sum(z > high for z in after) <= sum(z > high for z in before)


def _free(rng: Random, others: Sequence[Piece], piece: Piece) -> Iterator[Piece]:
    """Some near places where the box of the part is clear of all others and touches one."""
    rows = np.stack([box(other) for other in others])
    moves = np.array(STEPS) * (1, 1, PLATE_HEIGHT)
    moved = box(piece)[None] + moves[:, None]
    free = [i for i, candidate in enumerate(moved) if candidate[0, 2] > -SLACK and _is_clear(candidate, rows)]
    for i in rng.sample(free, min(MOST, len(free))):
        yield piece.moved(*STEPS[i])


def _is_clear(own: Floats, others: Floats) -> bool:
    """Does a box (2, 3) meet none of the others (n, 2, 3), and touch one?"""
    return not _meets(own, others).any() and bool(_touches(own, others).any())


def _overlaps(own: Floats, others: Floats) -> Floats:
    """(n, 3): by how much they go into each other along x, y and z; negative: how far apart they are."""
    deep: Floats = np.minimum(own[1], others[:, 1]) - np.maximum(own[0], others[:, 0])
    return deep


def _meets(own: Floats, others: Floats) -> Flags:
    """(n,): do they go into each other by more than studs go into what stands on them?"""
    return np.asarray((_overlaps(own, others) > (SLACK, SLACK, STUD_HEIGHT + SLACK)).all(1))


def _touches(own: Floats, others: Floats) -> Flags:
    """(n,): does the one stand on the other, or do they go into each other?"""
    return np.asarray((_overlaps(own, others) > (SLACK, SLACK, -SLACK)).all(1))


def is_sound(pieces: Sequence[Piece]) -> bool:
    """Is every part that stands elsewhere than its author put it clear of all others, and touches one?"""
    rows = np.stack([box(piece) for piece in pieces])
    return all(
        _is_clear(rows[i], np.delete(rows, i, 0)) for i, piece in enumerate(pieces) if not real.is_as_built(piece)
    )


def feet(pieces: Sequence[Piece]) -> list[float]:
    """The least z, in studs, of each thing that they are; parts that touch are one thing."""
    rows = np.stack([box(piece) for piece in pieces])
    left, found = set(range(len(pieces))), list[float]()
    while left:
        queue = [left.pop()]
        for i in queue:  # grows while it is walked
            joined = left & set(np.flatnonzero(_touches(rows[i], rows)).tolist())
            queue += joined
            left -= joined
        found.append(float(rows[queue, 0, 2].min()))
    return found

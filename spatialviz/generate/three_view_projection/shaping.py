"""Parts at random: a plate with something upright on it, then bosses, holes, slots and steps, each where nothing else is.

All that is added can be seen from in front, above and the right, unless something stands before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import TypeAlias

import numpy as np

from .solids import Box, Floats, Part, Rod, Solid, Vector, holds, planes

GAP = 1
"""Units between a round feature and any border or other feature, at least."""

SHIFTS = (-3, -2, 2, 3)
"""Units by which a feature is moved."""

RING, TINY = 16, 0.01
"""Points around a rod that are looked at, and how far from a face, in units."""

PLACES = 12
"""Tried for one feature."""

Feature: TypeAlias = tuple[Solid, ...]
"""What belongs together: a boss with its hole."""


@dataclass(slots=True)
class Face:
    """A rectangle on which features find places."""

    axis: int
    """Across the face."""
    at: int
    """Along that axis."""
    depth: int
    """Of what is behind it, along the axis; holes go through all of that. Negative where this lies towards lower numbers."""
    low: tuple[int, int]
    """Corner on the two other axes, in their order."""
    high: tuple[int, int]
    taken: list[tuple[int, int, int, int]] = field(default_factory=list)
    """Left, low, right, high."""

    def point(self, u: int, v: int, away: int) -> Vector:
        """A point above the face, `away` from it towards the outside."""
        outside = self.at + (away if self.depth < 0 else -away)
        rest = iter((u, v))
        x, y, z = (outside if axis == self.axis else next(rest) for axis in range(3))
        return x, y, z

    def place(self, rng: Random, radius: int) -> tuple[int, int] | None:
        """A center for something round, where nothing is; None when none was found."""
        room = radius + GAP
        us, vs = (range(self.low[i] + room, self.high[i] - room + 1) for i in (0, 1))
        for _ in range(PLACES if us and vs else 0):
            u, v = rng.choice(us), rng.choice(vs)
            if self.take(u - radius, v - radius, u + radius, v + radius):
                return u, v
        return None

    def take(self, left: int, low: int, right: int, high: int) -> bool:
        """Keeps a rectangle from others, unless it comes too near to one."""
        if any(left - GAP < r and right + GAP > a and low - GAP < t and high + GAP > b for a, b, r, t in self.taken):
            return False
        self.taken.append((left, low, right, high))
        return True


@dataclass(slots=True)
class Blank:
    """A plate with an upright, before features are added."""

    solids: list[Box]
    top: Face
    """Of the plate, where nothing stands."""
    front: Face
    """Of the upright, above the plate, seen from in front."""
    right: Face | None
    """The right side of the upright, if it is deep enough for round features."""


def blank(rng: Random) -> Blank:
    """An upright along the back, over all the width or a part of it, or a block in the back left corner."""
    width, depth, thickness = rng.randint(10, 14), rng.randint(8, 11), rng.randint(2, 3)
    plate = Box((0, 0, 0), (width, depth, thickness))
    tall = thickness + rng.randint(4, 7)
    kind = rng.choice(("wall", "short wall", "block"))
    deep = rng.randint(4, depth - 4) if kind == "block" else rng.randint(2, 3)
    start, end = (0, width) if kind == "wall" else (0, rng.randint(5, width - 3))
    if kind == "short wall" and rng.random() < 0.5:
        start, end = width - end, width
    upright = Box((start, depth - deep, thickness), (end, depth, tall))
    top = Face(2, thickness, -thickness, (0, 0), (width, depth - deep))
    front = Face(1, depth - deep, deep, (start, thickness), (end, tall))
    right = Face(0, end, start - end, (depth - deep, thickness), (depth, tall)) if deep >= 4 else None
    return Blank([plate, upright], top, front, right)


def _hole(rng: Random, face: Face) -> Feature | None:
    radius = rng.choice((1, 1, 2))
    place = face.place(rng, radius)
    if place is None:
        return None
    return (_rod(face, place, 0, abs(face.depth), radius, cut=True),)


def _boss(rng: Random, face: Face) -> Feature | None:
    """With a hole through it and what it stands on, if it is wide."""
    radius, height = rng.choice((1, 2, 2)), rng.randint(1, 3)
    place = face.place(rng, radius)
    if place is None:
        return None
    boss = _rod(face, place, height, height, radius)
    bored = radius == 2 and rng.random() < 0.6
    return (boss, _rod(face, place, height, height + abs(face.depth), 1, cut=True)) if bored else (boss,)


def _rod(face: Face, place: tuple[int, int], away: int, length: int, radius: int, *, cut: bool = False) -> Rod:
    """From `away` before the face so far back."""
    outer = face.point(*place, away)
    low = list(outer)
    low[face.axis] -= length if face.depth < 0 else 0
    return Rod(face.axis, (low[0], low[1], low[2]), length, radius, cut)


def _in_plate(rng: Random, made: Blank) -> Feature | None:
    return _hole(rng, made.top)


def _in_upright(rng: Random, made: Blank) -> Feature | None:
    return _hole(rng, made.front)


def _through_block(rng: Random, made: Blank) -> Feature | None:
    return _hole(rng, made.right) if made.right else None


def _on_plate(rng: Random, made: Blank) -> Feature | None:
    return _boss(rng, made.top)


def _on_upright(rng: Random, made: Blank) -> Feature | None:
    return _boss(rng, made.front)


def _notch(rng: Random, made: Blank) -> Feature | None:
    """Out of the plate's front edge or its front right corner."""
    wide, deep, (right, back) = rng.randint(2, 4), rng.randint(2, 3), made.top.high
    start = rng.choice((rng.randint(1, right - wide - 1), right - wide))
    if deep + GAP > back or not made.top.take(start, 0, start + wide, deep):
        return None
    return (Box((start, 0, 0), (start + wide, deep, made.top.at), cut=True),)


def _slot(rng: Random, made: Blank) -> Feature | None:
    """Down from the upright's upper edge, in its middle or at an end."""
    (left, low), (right, high) = made.front.low, made.front.high
    wide, deep = rng.randint(2, 3), rng.randint(2, 3)
    start = rng.choice((left, right - wide, rng.randint(left + 1, right - wide - 1)))
    if high - deep < low + GAP or not made.front.take(start, high - deep, start + wide, high):
        return None
    front = made.front.at
    return (Box((start, front, high - deep), (start + wide, front + made.front.depth, high), cut=True),)


def _rib(rng: Random, made: Blank) -> Feature | None:
    """A small block on the plate, before the upright."""
    (right, back), wide, deep, high = made.top.high, rng.randint(2, 4), rng.randint(2, 3), rng.randint(1, 3)
    if back < deep:
        return None
    start, near = rng.randint(0, right - wide), rng.choice((0, back - deep))
    if not made.top.take(start, near, start + wide, near + deep):
        return None
    level = made.top.at
    return (Box((start, near, level), (start + wide, near + deep, level + high)),)


FEATURES: dict[str, Callable[[Random, Blank], Feature | None]] = {
    "hole in the plate": _in_plate,
    "hole in the upright": _in_upright,
    "hole along the block": _through_block,
    "boss on the plate": _on_plate,
    "boss on the upright": _on_upright,
    "notch": _notch,
    "slot": _slot,
    "small block": _rib,
}
"""Name → (stream, blank) → what is added; None where there is no place."""


def shaped(rng: Random, count: int) -> tuple[list[Box], list[tuple[str, Feature]]]:
    """A blank, and so many features or fewer with their names, of which none meets another."""
    made = blank(rng)
    found: list[tuple[str, Feature]] = []
    for name in rng.sample(sorted(FEATURES), len(FEATURES)):
        feature = FEATURES[name](rng, made) if len(found) < count else None
        if feature and not _meets(feature, found):
            found.append((name, feature))
    return made.solids, found


def _meets(feature: Feature, others: list[tuple[str, Feature]]) -> bool:
    """Do the rooms of two features overlap or touch?"""
    rooms = [list(_room(solid)) for solid in feature]
    return any(
        all(a <= d and c <= b for (a, b), (c, d) in zip(room, _room(other), strict=True))
        for room in rooms
        for _, solids in others
        for other in solids
    )


def _room(solid: Solid) -> Iterator[tuple[int, int]]:
    """From where to where it goes, axis after axis."""
    for axis in range(3):
        if isinstance(solid, Box):
            yield solid.low[axis], solid.high[axis]
        elif axis == solid.axis:
            yield solid.ends
        else:
            yield solid.low[axis] - solid.radius, solid.low[axis] + solid.radius


def together(solids: list[Box], features: list[Feature]) -> Part:
    """As one part: what is added, then what is cut away."""
    listed = [*solids, *(solid for feature in features for solid in feature)]
    return tuple(sorted(listed, key=lambda solid: solid.cut))


def moved(rng: Random, solids: list[Box], features: list[Feature], index: int) -> Part | None:
    """The part with one feature elsewhere in its face; None when no tried place is good for it."""
    first = features[index][0]
    axes = first.across if isinstance(first, Rod) else (0, 1)
    whole = _extent(together(solids, features))
    for _ in range(PLACES):
        by = [0, 0, 0]
        by[rng.choice(axes)] = rng.choice(SHIFTS)
        vector = (by[0], by[1], by[2])
        feature = tuple(solid.moved(vector) for solid in features[index])
        part = together(solids, [*features[:index], feature, *features[index + 1 :]])
        if _extent(part) == whole and is_sound(part):
            return part
    return None


def _extent(part: Part) -> list[tuple[int, int]]:
    """From where to where all goes that is added or cut away, axis after axis."""
    rooms = [list(_room(solid)) for solid in part]
    return [(min(room[axis][0] for room in rooms), max(room[axis][1] for room in rooms)) for axis in range(3)]


def is_sound(part: Part) -> bool:
    """Is each rod all round alike: nothing but itself along it, a boss wholly on something, a hole open at both ends?"""
    return all(_is_sound(solid, part) for solid in part if isinstance(solid, Rod))


def _is_sound(rod: Rod, part: Part) -> bool:
    start, end = rod.ends
    stops = [place for place in planes(part)[rod.axis] if start <= place <= end]
    for low, high in pairwise(stops):
        for radius in (rod.radius - TINY, rod.radius + TINY):
            ring = holds(part, _ring(rod, radius, (low + high) / 2))
            if ring.any() and not ring.all():
                return False
    inner = [holds(part, _ring(rod, rod.radius - TINY, end)) for end in (start - TINY, end + TINY)]
    if rod.cut:
        return not any(ring.any() for ring in inner)
    return any(ring.all() for ring in inner)


def _ring(rod: Rod, radius: float, along: float) -> Floats:
    """(n, 3): around a rod's axis."""
    u, v = rod.across
    turns = 2 * np.pi * (np.arange(RING) + 0.5) / RING
    points = np.full((RING, 3), float(along))
    points[:, u], points[:, v] = rod.low[u] + radius * np.cos(turns), rod.low[v] + radius * np.sin(turns)
    return points

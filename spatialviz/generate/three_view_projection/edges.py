"""Edges of parts, and their views: visible edges solid, hidden ones dashed, each line once.

An edge is where the part, in a small ring around the point, is neither nothing nor all nor one half; a round side's outline, seen
across its axis, is drawn too. Edges are cut wherever another one may start or hide them, so that one point stands for each piece.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise, product
from math import acos, asin, cos, degrees, pi, sin, sqrt
from typing import NamedTuple, TypeAlias

import numpy as np

from .solids import Flags, Floats, Part, Rod, holds, planes

RING, EPSILON = 16, 0.01
"""Points around an edge, and their distance from it in units."""

SMALL = 1e-6


class Eye(NamedTuple):
    """How a part is seen from one side: axes to the right, up and towards the eye, each with its direction."""

    right: tuple[int, int]
    up: tuple[int, int]
    near: tuple[int, int]


EYES = {
    "front": Eye((0, 1), (2, 1), (1, -1)),
    "top": Eye((0, 1), (1, 1), (2, 1)),
    "left": Eye((1, -1), (2, 1), (0, -1)),
    "right": Eye((1, 1), (2, 1), (0, 1)),
}


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line of a view, or an arc with a radius. Units; x to the right, y up."""

    x: float
    y: float
    """Of one end, or of the arc's center."""
    a: float
    b: float
    """Of the other end; or where the arc starts and ends, degrees, anticlockwise from the right."""
    radius: float = 0.0
    hidden: bool = False

    def __str__(self) -> str:
        numbers = (self.x, self.y, self.a, self.b, *([self.radius] if self.radius else []))
        return "sd"[self.hidden] + ",".join(f"{number:.6g}" for number in numbers)

    def points(self, step: float) -> Floats:
        """(n, 2): along it, evenly, at most `step` apart, with both ends."""
        length = (
            (self.b - self.a) / 180 * pi * self.radius if self.radius else np.hypot(self.a - self.x, self.b - self.y)
        )
        share = np.linspace(0, 1, 2 + int(length / step))
        if not self.radius:
            return np.stack([self.x + share * (self.a - self.x), self.y + share * (self.b - self.y)], -1)
        turn = np.radians(self.a + share * (self.b - self.a))
        return np.stack([self.x + self.radius * np.cos(turn), self.y + self.radius * np.sin(turn)], -1)


View: TypeAlias = tuple[Stroke, ...]


def read_stroke(text: str) -> Stroke:
    """Reads what `str` writes. Raises ValueError for anything else."""
    numbers = [float(number) for number in text[1:].split(",")]
    if text[:1] not in ("s", "d") or len(numbers) not in (4, 5):
        raise ValueError(f"{text!r}: s or d, then four numbers, or five for an arc")
    x, y, a, b, radius = (*numbers, 0.0)[:5]
    return Stroke(x, y, a, b, radius, text[0] == "d")


class Piece(NamedTuple):
    """A piece of an edge, along an axis or around it."""

    axis: int
    at: tuple[float, float, float]
    """Of a line 0 along the axis; of an arc its center."""
    start: float
    end: float
    """Along the axis; of an arc radians, from the next axis towards the one after it."""
    radius: float = 0.0

    def point(self, where: float) -> tuple[float, float, float]:
        """The point at a place between start and end."""
        x = list(self.at)
        if self.radius:
            u, v = (self.axis + 1) % 3, (self.axis + 2) % 3
            x[u] += self.radius * cos(where)
            x[v] += self.radius * sin(where)
        else:
            x[self.axis] = where
        return x[0], x[1], x[2]

    def ring(self) -> Floats:
        """(RING, 3): points around its middle."""
        middle = (self.start + self.end) / 2
        one, two = np.zeros(3), np.zeros(3)
        u, v = (self.axis + 1) % 3, (self.axis + 2) % 3
        if self.radius:
            one[u], one[v], two[self.axis] = cos(middle), sin(middle), 1
        else:
            one[u], two[v] = 1, 1
        return np.array(self.point(middle)) + _CIRCLE[:, :1] * one + _CIRCLE[:, 1:] * two


_CIRCLE = EPSILON * np.array([(cos(a), sin(a)) for a in (2 * pi * (i + 0.5) / RING for i in range(RING))])


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """All that can be seen as a line."""

    pieces: list[Piece]
    sharp: Flags
    """(n,): False for the side of a rod, which is a line only as its outline."""
    around: Floats
    """(n, RING, 3)."""
    full: Flags
    """(n, RING): which of these points are in the part."""


def edges(part: Part) -> Edges:
    """The edges of a part."""
    pieces = [*_lines(part), *_circles(part)]
    around = np.stack([piece.ring() for piece in pieces])
    full = holds(part, around)
    changes = (full != np.roll(full, 1, axis=1)).sum(1)
    smooth = (changes == 2) & (np.abs(full.sum(1) - RING // 2) <= 1)
    sides = np.array([_is_side(piece, part) for piece in pieces])
    kept = np.flatnonzero((changes > 0) & (~smooth | sides))
    return Edges([pieces[i] for i in kept], ~smooth[kept], around[kept], full[kept])


def view(part: Part, side: str, found: Edges | None = None) -> View:
    """What is seen from a side of EYES; its lower left corner is at 0, 0."""
    found, eye = found or edges(part), EYES[side]
    visible = np.any(~found.full & _is_open(part, found.around, eye), axis=1)
    lines: dict[tuple[float, ...], list[tuple[float, float, bool]]] = defaultdict(list)
    for piece, seen, sharp in zip(found.pieces, visible.tolist(), found.sharp.tolist(), strict=True):
        if piece.axis == eye.near[0] and piece.radius:
            lines[_circle_key(piece, eye)].append((*_turned(piece, eye), seen))
        elif (piece.axis != eye.near[0] or piece.radius) and (sharp or _is_outline(piece, part, eye)):
            key, start, end = _flat(piece, eye)
            lines[key].append((start, end, seen))
    return placed(stroke for key, spans in lines.items() for stroke in _strokes(key, spans))


def placed(strokes: Iterable[Stroke]) -> View:
    """Moved so that the lower left corner is at 0, 0; sorted."""
    listed = list(strokes)
    corner = np.concatenate([stroke.points(0.1) for stroke in listed]).min(0)
    x, y = (round(float(value), 3) for value in corner)
    return tuple(sorted((_shifted(stroke, -x, -y) for stroke in listed), key=str))


def mirrored(one: View) -> View:
    """Left and right exchanged."""
    return placed(replace(s, x=-s.x, a=180 - s.b, b=180 - s.a) if s.radius else replace(s, x=-s.a, a=-s.x) for s in one)


def _shifted(stroke: Stroke, x: float, y: float) -> Stroke:
    ends = (stroke.a, stroke.b) if stroke.radius else (stroke.a + x, stroke.b + y)
    left, low, a, b = (round(number, 3) + 0.0 for number in (stroke.x + x, stroke.y + y, *ends))
    return Stroke(left, low, a, b, stroke.radius, stroke.hidden)


def _rods(part: Part) -> list[Rod]:
    return [solid for solid in part if isinstance(solid, Rod)]


def _lines(part: Part) -> Iterator[Piece]:
    """Where two planes meet, and the outermost lines of rods."""
    flat = planes(part)
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        crossings = set(product(map(float, flat[u]), map(float, flat[v])))
        for rod in _rods(part):
            if rod.axis == axis:
                x, y, r = rod.low[u], rod.low[v], rod.radius
                crossings |= {(x - r, y), (x + r, y), (x, y - r), (x, y + r)}
        for place in sorted(crossings):
            at = [0.0, 0.0, 0.0]
            at[u], at[v] = place
            for start, end in _pairs(_breaks(part, axis, at)):
                yield Piece(axis, (at[0], at[1], at[2]), start, end)


def _breaks(part: Part, axis: int, at: list[float]) -> set[float]:
    """Where along the axis something may start or hide a line."""
    found = set(map(float, planes(part)[axis]))
    for rod in _rods(part):
        if rod.axis != axis:
            middle, third = rod.low[axis], 3 - axis - rod.axis
            found |= {middle - rod.radius, float(middle), middle + rod.radius}  # in its middle a line may touch it
            rest = rod.radius**2 - (at[third] - rod.low[third]) ** 2
            if rest > 0:
                found |= {middle - sqrt(rest), middle + sqrt(rest)}
    return found


def _circles(part: Part) -> Iterator[Piece]:
    """The ends of rods."""
    for axis, x, y, r in sorted(
        {(rod.axis, rod.low[rod.across[0]], rod.low[rod.across[1]], rod.radius) for rod in _rods(part)}
    ):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        angles = {i * pi / 2 for i in range(5)}
        for place in _stops(part, u):
            if abs(place - x) < r:
                angles |= {acos((place - x) / r), 2 * pi - acos((place - x) / r)}
        for place in _stops(part, v):
            if abs(place - y) < r:
                angles |= {asin((place - y) / r) % (2 * pi), (pi - asin((place - y) / r)) % (2 * pi)}
        for height, (start, end) in product(planes(part)[axis], _pairs(angles)):
            at = [0.0, 0.0, 0.0]
            at[axis], at[u], at[v] = height, x, y
            yield Piece(axis, (at[0], at[1], at[2]), start, end, r)


def _stops(part: Part, axis: int) -> set[float]:
    """Planes across an axis, and those that touch the rods along others."""
    touching = {rod.low[axis] + sign * rod.radius for rod in _rods(part) if rod.axis != axis for sign in (-1, 1)}
    return {*map(float, planes(part)[axis]), *map(float, touching)}


def _pairs(places: Iterable[float]) -> Iterator[tuple[float, float]]:
    ordered = sorted(places)
    for start, end in pairwise(ordered):
        if end - start > SMALL:
            yield start, end


def _is_side(piece: Piece, part: Part) -> bool:
    """Does the line lie on the side of a rod?"""
    return not piece.radius and any(
        abs(sum((piece.at[i] - rod.low[i]) ** 2 for i in rod.across) - rod.radius**2) < SMALL
        for rod in _along(piece, part)
    )


def _is_outline(piece: Piece, part: Part, eye: Eye) -> bool:
    """Is it the outermost line of a rod, seen from here?"""
    wide, near = 3 - piece.axis - eye.near[0], eye.near[0]
    return any(
        abs(abs(piece.at[wide] - rod.low[wide]) - rod.radius) < SMALL and abs(piece.at[near] - rod.low[near]) < SMALL
        for rod in _along(piece, part)
    )


def _along(piece: Piece, part: Part) -> Iterator[Rod]:
    """Rods that run beside the piece, along its axis."""
    for rod in _rods(part):
        if rod.axis == piece.axis and rod.ends[0] - SMALL < piece.start and piece.end < rod.ends[1] + SMALL:
            yield rod


def _is_open(part: Part, points: Floats, eye: Eye) -> Flags:
    """(…,): is nothing of the part between the point and the eye?"""
    axis, sign = eye.near
    here = points[..., axis] * sign
    events = [np.full(here.shape, place * sign, np.float64) for place in planes(part)[axis]]
    for rod in _rods(part):
        if rod.axis != axis:
            wide = 3 - axis - rod.axis
            half = np.sqrt(np.maximum(rod.radius**2 - (points[..., wide] - rod.low[wide]) ** 2, 0))
            events += [rod.low[axis] * sign - half, rod.low[axis] * sign + half]
    ordered = np.sort(np.maximum(np.stack([here, *events], -1), here[..., None]), axis=-1)
    middles = (ordered[..., 1:] + ordered[..., :-1]) / 2
    ray = np.repeat(points[..., None, :], middles.shape[-1], axis=-2)
    ray[..., axis] = middles * sign
    blocked: Flags = np.any(holds(part, ray) & (np.diff(ordered, axis=-1) > SMALL), axis=-1)
    return ~blocked


def _flat(piece: Piece, eye: Eye) -> tuple[tuple[float, ...], float, float]:
    """A piece that is seen as a straight line: across (0) or up (1), at which place; its ends."""
    ends = [piece.point(where) for where in (piece.start, piece.end)]
    (x, y), (u, v) = ([end[axis] * sign for axis, sign in (eye.right, eye.up)] for end in ends)
    if abs(y - v) < abs(x - u):
        return (0, round(y, 6)), min(x, u), max(x, u)
    return (1, round(x, 6)), min(y, v), max(y, v)


def _circle_key(piece: Piece, eye: Eye) -> tuple[float, ...]:
    (right, sign), (up, other) = eye.right, eye.up
    return 2, piece.at[right] * sign, piece.at[up] * other, piece.radius


def _turned(piece: Piece, eye: Eye) -> tuple[float, float]:
    """The angles of an arc as seen, degrees, from 0 to 360."""
    middle, half = (piece.start + piece.end) / 2, degrees(piece.end - piece.start) / 2
    x, y, z = (a - b for a, b in zip(piece.point(middle), piece.at, strict=True))
    seen = [(x, y, z)[axis] * sign for axis, sign in (eye.right, eye.up)]
    turn = degrees(np.arctan2(seen[1], seen[0])) % 360
    return round(turn - half, 6), round(turn + half, 6)


def _strokes(key: tuple[float, ...], spans: list[tuple[float, float, bool]]) -> Iterator[Stroke]:
    """Pieces of one line, joined; where several lie on each other, what is visible counts."""
    places = sorted({round(place, 6) for span in spans for place in span[:2]})
    runs: list[tuple[float, float, bool]] = []
    for start, end in pairwise(places):
        over = [seen for low, high, seen in spans if low < (start + end) / 2 < high]
        if not over:
            continue
        if runs and runs[-1][1] == start and runs[-1][2] == any(over):
            start = runs.pop()[0]
        runs.append((start, end, any(over)))
    for start, end, seen in runs:
        if key[0] == 2:
            yield Stroke(key[1], key[2], start, end, key[3], not seen)
        elif key[0] == 0:
            yield Stroke(start, key[1], end, key[1], hidden=not seen)
        else:
            yield Stroke(key[1], start, key[1], end, hidden=not seen)

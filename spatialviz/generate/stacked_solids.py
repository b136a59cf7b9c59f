"""Solids on one upright axis, one on top of another, and the planes that cut them.

A solid is what lies between two like outlines, a circle or a regular polygon, of which the upper one may be larger, smaller or a point.
The outline of a cut is exact: each solid is the points on the inner side of some planes, so its cut is a polygon clipped by lines. A
circle counts as a polygon of ROUND sides, in the cuts as in the drawn solids.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import cos, pi, radians, sin
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from cogsight.shared.render.compiled import compiled

Floats = npt.NDArray[np.float64]

Point2: TypeAlias = tuple[float, float]
Outline: TypeAlias = tuple[Point2, ...]
"""Corners in turn."""

ROUND = 96
"""Sides of the polygon that stands for a circle."""

SHAPES = {0: "circular", 3: "triangular", 4: "square", 6: "hexagonal"}
"""Corners of a solid's outlines, 0 for a circle → in words."""

UPRIGHT = 90
"""Degrees of tilt."""

DIGITS = 12
"""Decimals of a sine that count: the last ones depend on the C library."""


@dataclass(frozen=True, slots=True)
class Solid:
    """Lengths in units of the stack's own."""

    corners: int
    """Of its outlines: a key of SHAPES."""
    bottom: int
    """Distance of the lower outline's corners from the axis."""
    top: int
    """Of the upper outline's; 0 is a tip."""
    height: int
    turn: int
    """Of the corners about the axis, degrees, anticlockwise seen from above."""

    def __post_init__(self) -> None:
        if (
            self.corners not in SHAPES
            or self.bottom < 0
            or self.top < 0
            or self.bottom + self.top == 0
            or self.height < 1
        ):
            raise ValueError(f"{self}: no solid; outlines have {', '.join(map(str, SHAPES))} corners")

    @property
    def name(self) -> str:
        """In words, as "square pyramid".

        >>> Solid(0, 20, 10, 15, 0).name, Solid(4, 20, 0, 15, 0).name
        ('truncated cone', 'square pyramid')
        """
        if self.corners == 0:
            return "cylinder" if self.bottom == self.top else "truncated cone" if self.bottom and self.top else "cone"
        kind = "prism" if self.bottom == self.top else "truncated pyramid" if self.bottom and self.top else "pyramid"
        return f"{SHAPES[self.corners]} {kind}"

    def __str__(self) -> str:
        return f"{self.corners},{self.bottom},{self.top},{self.height},{self.turn}"

    def spokes(self) -> list[Point2]:
        """The corners of its outlines, at distance 1 from the axis."""
        count = self.corners or ROUND
        angles = [radians(self.turn) + 2 * pi * i / count for i in range(count)]
        return [(round(cos(a), DIGITS), round(sin(a), DIGITS)) for a in angles]


Stack: TypeAlias = tuple[Solid, ...]
"""From bottom to top."""


@dataclass(frozen=True, slots=True)
class Plane:
    """A cut."""

    turn: int
    """The way that it faces, degrees about the axis."""
    tilt: int
    """Degrees: 0 level, UPRIGHT upright, else slanting."""
    offset: int
    """Upright: distance from the axis; else the height at which it meets the axis."""

    @property
    def name(self) -> str:
        """In words.

        >>> Plane(45, 90, 0).name, Plane(0, 30, 12).name
        ('an upright plane through the axis', 'a plane that slants at 30 degrees')
        """
        if self.tilt == UPRIGHT:
            return f"an upright plane {'beside' if self.offset else 'through'} the axis"
        return f"a plane that slants at {self.tilt} degrees" if self.tilt else "a level plane"

    def __str__(self) -> str:
        return f"{self.turn},{self.tilt},{self.offset}"

    def point(self, at: Point2) -> tuple[float, float, float]:
        """From the plane's coordinates, to the right and up along it, to those of the stack."""
        right, up = at
        s, c = (round(f(radians(self.tilt)), DIGITS) for f in (sin, cos))
        away, height = (self.offset, up) if self.tilt == UPRIGHT else (up * c, self.offset + up * s)
        s, c = (round(f(radians(self.turn)), DIGITS) for f in (sin, cos))
        return right * c - away * s, right * s + away * c, height


def read_stack(text: str) -> Stack:
    """Reads what `told` writes. Raises ValueError for anything else."""
    return tuple(Solid(*_numbers(solid, 5)) for solid in text.split("/"))


def read_plane(text: str) -> Plane:
    """Reads what `str` writes. Raises ValueError for anything else."""
    return Plane(*_numbers(text, 3))


def told(stack: Stack) -> str:
    """A stack's text."""
    return "/".join(map(str, stack))


def floors(stack: Stack) -> Iterator[tuple[Solid, int]]:
    """Each solid and the height at which it stands."""
    floor = 0
    for solid in stack:
        yield solid, floor
        floor += solid.height


@lru_cache(maxsize=256)
def cut(stack: Stack, plane: Plane) -> tuple[Outline, ...]:
    """What the plane cuts out of each solid, from bottom to top, in the plane's coordinates; nothing of those that it misses."""
    size = 4.0 * (sum(solid.height for solid in stack) + max(max(solid.bottom, solid.top) for solid in stack))
    room = np.array([(-size, -size), (size, -size), (size, size), (-size, size)])
    origin, right, up = (plane.point(at) for at in ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)))
    pieces = []
    for solid, floor in floors(stack):
        walls = _walls(solid, floor)
        beyond = _beyond(walls, origin)
        lines = np.stack([_beyond(walls, right) - beyond, _beyond(walls, up) - beyond, beyond], 1)
        piece = _clipped(room, lines).tolist()
        if len(piece) > 2:
            pieces.append(tuple((x, y) for x, y in piece))
    return tuple(pieces)


@lru_cache(maxsize=256)
def _walls(solid: Solid, floor: int) -> Floats:
    """(n, 4) a, b, c, d: points with a x + b y + c z + d > 0 lie outside one of the planes between which a solid lies."""
    walls = [(0.0, 0.0, -1.0, float(floor)), (0.0, 0.0, 1.0, -float(floor + solid.height))]
    spokes = solid.spokes()
    slope = (solid.top - solid.bottom) / solid.height
    for (x, y), (next_x, next_y) in zip(spokes, [*spokes[1:], spokes[0]], strict=True):
        a, b = (x + next_x) / 2, (y + next_y) / 2
        share = a * a + b * b  # of a corner's distance from the axis: the side's distance, times the length of (a, b)
        walls.append((a, b, -share * slope, -share * (solid.bottom - slope * floor)))
    return np.array(walls)


def _beyond(walls: Floats, point: tuple[float, float, float]) -> Floats:
    """(n,), in a fixed order of sums."""
    result: Floats = walls[:, 0] * point[0] + walls[:, 1] * point[1] + walls[:, 2] * point[2] + walls[:, 3]
    return result


@compiled
def _clipped(outline: Floats, lines: Floats) -> Floats:
    """The part of a convex outline (n, 2) where a x + b y + c <= 0 for each of some lines (n, 3)."""
    for i in range(len(lines)):
        a, b, c = lines[i]
        kept, count = np.empty((2 * len(outline), 2)), 0
        for k in range(len(outline)):
            x, y = outline[k]
            u, v = outline[(k + 1) % len(outline)]
            here, there = a * x + b * y + c, a * u + b * v + c
            if here <= 0:
                kept[count, 0], kept[count, 1] = x, y
                count += 1
            if here * there < 0:
                share = here / (here - there)
                kept[count, 0], kept[count, 1] = x + share * (u - x), y + share * (v - y)
                count += 1
        outline = kept[:count]
    return outline


def _numbers(text: str, count: int) -> list[int]:
    numbers = [int(number) for number in text.split(",")]
    if len(numbers) != count:
        raise ValueError(f"{text!r}: {count} whole numbers with commas between")
    return numbers

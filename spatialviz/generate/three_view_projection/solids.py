"""Parts made of boxes and rods along the axes, added and then cut away; lengths in units of the part's own.

x to the right, y away, z up. Rods do not cross faces that run along them, so that all edges are straight or full circles.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Vector: TypeAlias = tuple[int, int, int]

AXES = "xyz"


@dataclass(frozen=True, slots=True)
class Box:
    """From one corner to the opposite one."""

    low: Vector
    high: Vector
    cut: bool = False
    """Taken away, not added."""

    def __post_init__(self) -> None:
        if not all(low < high for low, high in zip(self.low, self.high, strict=True)):
            raise ValueError(f"{self}: its lower corner is not below its higher one on each axis")

    def __str__(self) -> str:
        return "+-"[self.cut] + "b" + ",".join(map(str, (*self.low, *self.high)))

    def moved(self, by: Vector) -> Box:
        """A copy elsewhere."""
        return Box(_sum(self.low, by), _sum(self.high, by), self.cut)

    def holds(self, points: Floats) -> Flags:
        """Which points (…, 3) are in it?"""
        inside: Flags = np.all((points > self.low) & (points < self.high), axis=-1)
        return inside


@dataclass(frozen=True, slots=True)
class Rod:
    """A cylinder along an axis."""

    axis: int
    low: Vector
    """The middle of its lower end."""
    length: int
    radius: int
    cut: bool = False
    """Taken away, not added: a hole."""

    def __post_init__(self) -> None:
        if self.axis not in range(3) or self.length < 1 or self.radius < 1:
            raise ValueError(f"{self!r}: a rod runs along axis 0, 1 or 2, with a length and a radius")

    def __str__(self) -> str:
        return "+-"[self.cut] + AXES[self.axis] + ",".join(map(str, (*self.low, self.length, self.radius)))

    def moved(self, by: Vector) -> Rod:
        """A copy elsewhere."""
        return Rod(self.axis, _sum(self.low, by), self.length, self.radius, self.cut)

    @property
    def across(self) -> tuple[int, int]:
        """The two other axes."""
        return (self.axis + 1) % 3, (self.axis + 2) % 3

    @property
    def ends(self) -> tuple[int, int]:
        """Along its axis."""
        return self.low[self.axis], self.low[self.axis] + self.length

    def holds(self, points: Floats) -> Flags:
        """Which points (…, 3) are in it?"""
        (u, v), (start, end), along = self.across, self.ends, points[..., self.axis]
        away = (points[..., u] - self.low[u]) ** 2 + (points[..., v] - self.low[v]) ** 2
        inside: Flags = (away < self.radius**2) & (along > start) & (along < end)
        return inside


Solid: TypeAlias = Box | Rod
Part: TypeAlias = tuple[Solid, ...]


def holds(part: Part, points: Floats) -> Flags:
    """Which points (…, 3) are in the part?"""
    added, cut = np.zeros(points.shape[:-1], np.bool_), np.zeros(points.shape[:-1], np.bool_)
    for solid in part:
        (cut if solid.cut else added)[...] |= solid.holds(points)
    return added & ~cut


def planes(part: Part) -> tuple[list[int], list[int], list[int]]:
    """Per axis, where faces across it may lie."""
    found: tuple[set[int], set[int], set[int]] = set(), set(), set()
    for solid in part:
        if isinstance(solid, Rod):
            found[solid.axis].update(solid.ends)
        else:
            for axis in range(3):
                found[axis].update((solid.low[axis], solid.high[axis]))
    x, y, z = map(sorted, found)
    return x, y, z


def told(part: Iterable[Solid]) -> str:
    """The part's text."""
    return "/".join(map(str, part))


def read(text: str) -> Part:
    """Reads what `told` writes. Raises ValueError for anything else."""
    return tuple(map(_read_solid, text.split("/")))


def _read_solid(text: str) -> Solid:
    cut, kind, numbers = text[:1] == "-", text[1:2], [int(number) for number in text[2:].split(",")]
    if kind == "b" and len(numbers) == 6:
        return Box((numbers[0], numbers[1], numbers[2]), (numbers[3], numbers[4], numbers[5]), cut)
    if kind and kind in AXES and len(numbers) == 5:
        return Rod(AXES.index(kind), (numbers[0], numbers[1], numbers[2]), numbers[3], numbers[4], cut)
    raise ValueError(f"{text!r}: + or -, then b with six numbers or x, y or z with five")


def _sum(one: Vector, other: Vector) -> Vector:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]

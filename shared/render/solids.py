"""Simple solids as meshes, with their lines: what brick models are put together from. Make each once and place it often."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

import numpy as np

from .edges import outlined, smoothed
from .mesh import Mesh, mesh

DIGITS = 12
"""Decimals of a sine that count: the last ones depend on the C library."""


def prism(outline: Sequence[tuple[float, float]], low: float, high: float) -> Mesh:
    """A convex outline (x, y), at least three points in turn, from height `low` to `high`.

    Sides that turn by little are round, as `edges.CREASE` says. Raises ValueError for an outline or a height that is none.
    """
    count = len(outline)
    if count < 3 or low >= high:
        raise ValueError(f"a prism has at least 3 corners and a height, not {count} corners from {low} to {high}")
    floor, roof = (np.array([(x, y, z) for x, y in outline], np.float64) for z in (low, high))
    after = [*range(1, count), 0]
    walls = [np.stack([floor, floor[after], roof[after]], 1), np.stack([floor, roof[after], roof], 1)]
    lids = [np.array([lid[[0, i, i + 1]] for i in range(1, count - 1)]) for lid in (floor, roof)]
    return smoothed(outlined(mesh(np.concatenate([*walls, *lids]))))


def box(x: float, y: float, z: float) -> Mesh:
    """A box of these sizes, with one corner at the origin."""
    return prism([(0, 0), (x, 0), (x, y), (0, y)], 0, z)


def cylinder(radius: float, low: float, high: float, *, sides: int = 32) -> Mesh:
    """An upright cylinder around the z axis."""
    turns = [2 * pi * i / sides for i in range(sides)]
    return prism([(radius * round(cos(a), DIGITS), radius * round(sin(a), DIGITS)) for a in turns], low, high)

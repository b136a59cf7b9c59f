"""Which outlines are what a plane cuts out of a stack of solids: by the widths of cuts, row by row.

Along each row of a cut the plane meets one solid, in one stretch. A figure is its rows from top to bottom, between its lowest and its
highest point, in units of its height; figures are compared by the share of the area that only one of them covers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from math import cos, pi, radians, sin
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .stacked_solids import UPRIGHT, Plane, Solid, Stack

Floats = npt.NDArray[np.float64]

FINE, ROWS = 256, 48
"""Rows across all the room there is, and of a figure."""

DIFFERENT = 0.14
"""Share of the area of two figures that only one of them covers, from which they are told apart."""

TURN = 3
"""Degrees between the ways in which a level figure is tried; half a turn of them, since it is also tried upside down."""


class Rows(NamedTuple):
    """Figures, one for each plane: (n, ROWS), in units of their heights; left >= right where a row is empty."""

    left: Floats
    right: Floats


def figures_of(stack: Stack, planes: Sequence[Plane]) -> Rows:
    """What the planes cut out. All empty rows where a plane misses the stack."""
    turn, tilt, offset = (
        np.array([getattr(p, name) for p in planes], np.float64) for name in ("turn", "tilt", "offset")
    )
    upright, rise, run = tilt == UPRIGHT, np.sin(np.radians(tilt)), np.cos(np.radians(tilt))
    height, width = sum(s.height for s in stack), 1 + max(max(s.bottom, s.top) for s in stack)
    low = np.where(upright, 0, np.maximum(-width / np.maximum(run, 1e-9), -offset / np.maximum(rise, 1e-9)))
    high = np.where(
        upright, height, np.minimum(width / np.maximum(run, 1e-9), (height - offset) / np.maximum(rise, 1e-9))
    )
    up = low[:, None] + (high - low)[:, None] * (np.arange(FINE) + 0.5) / FINE
    away = np.where(upright[:, None], offset[:, None], up * run[:, None])
    z = np.where(upright[:, None], up, offset[:, None] + up * rise[:, None])
    left, right = np.full(z.shape, np.inf), np.full(z.shape, -np.inf)
    floor = 0
    for solid in stack:
        for one in np.unique(turn) if solid.corners else (None,):
            chosen = np.flatnonzero(turn == one) if one is not None else slice(None)
            start, end = _chords(solid, floor, 0.0 if one is None else one, away[chosen], z[chosen])
            left[chosen], right[chosen] = np.minimum(left[chosen], start), np.maximum(right[chosen], end)
        floor += solid.height
    return _measured(left, right, (high - low) / FINE)


def distances(figure: Rows, others: Rows) -> Floats:
    """(n,): from one figure to each of the others or to its mirror image or either upside down, whichever is nearest; 0 to 1."""
    left, right = figure
    poses = [(left, right), (-right, -left)]
    poses += [(start[:, ::-1], end[:, ::-1]) for start, end in poses]
    width, own = (np.maximum(rows.right - rows.left, 0).sum(1) for rows in (others, figure))
    found = []
    for start, end in poses:
        shared = np.maximum(np.minimum(end, others.right) - np.maximum(start, others.left), 0).sum(1)
        found.append(1 - shared / (width + own - shared))
    result: Floats = np.min(found, axis=0)
    return result


def nearest(figures: Iterable[tuple[Stack, Plane]], stack: Stack, planes: Sequence[Plane]) -> list[float]:
    """How far each figure, a cut of a stack, is from those that the planes cut out of `stack`."""
    cuts = figures_of(stack, planes)
    return [float(distances(figures_of(other, [plane]), cuts).min()) for other, plane in figures]


def turned(plane: Plane) -> list[Plane]:
    """Those that cut out the same figure as it may lie on the page: a level one has no upright, and lies in any way."""
    return [replace(plane, turn=turn) for turn in range(0, 180, TURN)] if plane.tilt == 0 else [plane]


def _chords(solid: Solid, floor: int, turn: float, away: Floats, z: Floats) -> tuple[Floats, Floats]:
    """Where lines at these distances from the axis and heights, perpendicular to `turn`, enter and leave a solid."""
    share = (z - floor) / solid.height
    radius = np.where((share >= 0) & (share <= 1), solid.bottom + (solid.top - solid.bottom) * share, -1)
    if solid.corners == 0:
        half = np.sqrt(np.maximum(radius**2 - away**2, 0))
        met = (radius > 0) & (np.abs(away) < radius)
        return np.where(met, -half, np.inf), np.where(met, half, -np.inf)
    start, end = np.full(z.shape, np.inf), np.full(z.shape, -np.inf)
    angles = [radians(solid.turn - turn) + 2 * pi * i / solid.corners for i in range(solid.corners + 1)]
    for one, two in pairwise(angles):
        y, rest = radius * sin(one), radius * (sin(two) - sin(one))
        with np.errstate(divide="ignore", invalid="ignore"):
            along = (away - y) / rest
            x = radius * (cos(one) + along * (cos(two) - cos(one)))
        met = (radius > 0) & (along >= 0) & (along <= 1)
        start, end = np.where(met, np.minimum(start, x), start), np.where(met, np.maximum(end, x), end)
    return start, end


def _measured(left: Floats, right: Floats, step: Floats) -> Rows:
    """Rows across all the room → rows across each figure, `step` apart before, in units of its height."""
    full = left < right
    first, last = full.argmax(1), full.shape[1] - full[:, ::-1].argmax(1)
    count = np.maximum(last - first, 1)
    chosen = first[:, None] + ((np.arange(ROWS) + 0.5) / ROWS * count[:, None]).astype(np.int64)
    reach = np.where(full, left, np.inf).min(1), np.where(full, right, -np.inf).max(1)
    middle = np.where(full.any(1), reach[0], 0) / 2 + np.where(full.any(1), reach[1], 0) / 2
    size = (count * step)[:, None]
    rows = np.arange(len(left))[:, None]
    empty = ~full[rows, chosen]
    start, end = (np.where(full, x, 0)[rows, chosen] for x in (left, right))
    return Rows(
        np.where(empty, 0.0, (start - middle[:, None]) / size), np.where(empty, 0.0, (end - middle[:, None]) / size)
    )

"""Which drawings are views of a part: by rays through it, which know no edges.

Rays on a fine grid, along the axis of sight, meet faces one after another. Where neighbouring rays meet others first, there is a visible
edge; where they meet others behind, there is an edge. A drawing fits when lines and edges lie on each other, visible on visible ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .edges import EYES, View
from .solids import Box, Floats, Part

Ints = npt.NDArray[np.int64]

GRID, NEAR, STEP = 0.2, 0.36, 0.15
"""Units: between rays, between a line and an edge that are one, between points of a line that are looked at."""

DELTA = 1e-4

FAR = 1e12
"""Where a ray that misses a rod meets it: out of the part."""


class Found(NamedTuple):
    """Points of edges, (n, 2), in a view whose lower left corner is at 0, 0."""

    visible: Floats
    all: Floats


def fits(part: Part, side: str, drawing: View) -> bool:
    """Is this the part's view from the side? Dashed lines are hidden edges."""
    return agree(found(part, side), drawing)


def agree(edges: Found, drawing: View) -> bool:
    """Do the lines lie on the edges, and the edges on the lines?"""
    solid, dashed = (
        np.concatenate([np.zeros((0, 2)), *(s.points(STEP) for s in drawing if s.hidden == hidden)])
        for hidden in (False, True)
    )
    return (
        _covered(edges.visible, solid)
        and _covered(solid, edges.visible)
        and _covered(edges.all, np.concatenate([solid, dashed]))
        and _covered(dashed, edges.all)
    )


def found(part: Part, side: str) -> Found:
    """The edges in a view."""
    first, every = _met(part, side)
    return Found(_changes(first), _changes(every))


def _covered(points: Floats, by: Floats) -> bool:
    """Is each point near one of the others?"""
    if not len(points) or not len(by):
        return not len(points)
    away = (points[:, None, 0] - by[None, :, 0]) ** 2 + (points[:, None, 1] - by[None, :, 1]) ** 2
    return bool(away.min(1).max() < NEAR**2)


def _changes(faces: Ints) -> Floats:
    """Between which neighbours of a grid (rows up, columns to the right) the faces differ: middles, from the lowest and leftmost on."""
    padded = np.pad(faces, 1)
    up, along = (np.argwhere(np.diff(padded, axis=axis) != 0).astype(np.float64) for axis in (0, 1))
    up[:, 0] += 0.5
    along[:, 1] += 0.5
    points = np.concatenate([up, along])[:, ::-1] * GRID
    result: Floats = points - points.min(0)
    return result


def _met(part: Part, side: str) -> tuple[Ints, Ints]:
    """(h, w): a number for the face that each ray meets first, and one for all that it meets; 0 for none."""
    eye = EYES[side]
    (right, mirror), (up, _), (axis, sign) = eye
    x, y = (np.arange(low + GRID / 2, high, GRID) for low, high in (_extent(part, right), _extent(part, up)))
    x, y = (grid.ravel() for grid in np.meshgrid(x[::mirror], y))
    events, faces = _events(part, right, up, axis, sign, x, y)
    order = np.argsort(events, axis=1, kind="stable")
    events, faces = np.take_along_axis(events, order, 1), np.take_along_axis(faces, order, 1)
    before, after = (_within(part, (right, up, axis), x, y, (events + d) * sign) for d in (-DELTA, DELTA))
    again = np.zeros(events.shape, np.bool_)
    again[:, 1:] = (np.diff(events, axis=1) < DELTA) & (np.diff(faces, axis=1) == 0)
    changed = (before != after) & ~again
    rank = np.where(changed, changed.sum(1, keepdims=True) - np.cumsum(changed, axis=1), 0)
    every = np.where(changed, faces * (31 ** np.minimum(rank, 9)), 0).sum(1)
    first = np.where(rank == 0, np.where(changed, faces, 0), 0).max(1)
    shape = (-1, len(np.unique(x)))
    return first.reshape(shape), every.reshape(shape)


def _extent(part: Part, axis: int) -> tuple[int, int]:
    boxes = [solid for solid in part if isinstance(solid, Box) and not solid.cut]
    rods = [solid for solid in part if not isinstance(solid, Box) and not solid.cut]
    low = [box.low[axis] for box in boxes] + [rod.low[axis] - rod.radius * (rod.axis != axis) for rod in rods]
    high = [box.high[axis] for box in boxes]
    high += [rod.ends[1] if rod.axis == axis else rod.low[axis] + rod.radius for rod in rods]
    return min(low), max(high)


def _events(part: Part, right: int, up: int, axis: int, sign: int, x: Floats, y: Floats) -> tuple[Floats, Ints]:
    """(n, 2 solids): where each ray enters and leaves each solid, towards the eye, and the faces' numbers; far away where it does not."""
    places, numbers = [], []
    for index, solid in enumerate(part):
        if isinstance(solid, Box) or solid.axis == axis:
            low, high = (solid.low[axis], solid.high[axis]) if isinstance(solid, Box) else solid.ends
            ends = [np.full(x.shape, float(end)) for end in (low, high)]
            faces = [1000 + 7 * low, 1000 + 7 * high]
        else:
            away, along = (x - solid.low[right], y) if solid.axis == up else (y - solid.low[up], x)
            met = (np.abs(away) < solid.radius) & (along > solid.ends[0]) & (along < solid.ends[1])
            half = np.sqrt(np.where(met, solid.radius**2 - away**2, FAR))
            ends, faces = [solid.low[axis] - half, solid.low[axis] + half], [5003 + 11 * index] * 2
        places += [end * sign for end in ends]
        numbers += [np.full(x.shape, face, np.int64) for face in faces]
    return np.stack(places, 1), np.stack(numbers, 1)


def _within(part: Part, axes: tuple[int, int, int], x: Floats, y: Floats, z: Floats) -> npt.NDArray[np.bool_]:
    """(n, m): is the part there, at heights z (n, m) along each ray?"""
    at = [z, z, z]
    at[axes[0]], at[axes[1]], at[axes[2]] = (
        np.broadcast_to(x[:, None], z.shape),
        np.broadcast_to(y[:, None], z.shape),
        z,
    )
    full = np.zeros(z.shape, np.bool_)
    for cut in (False, True):
        for solid in part:
            if solid.cut != cut:
                continue
            if isinstance(solid, Box):
                spans = [(at[i] > solid.low[i]) & (at[i] < solid.high[i]) for i in range(3)]
                inside = spans[0] & spans[1] & spans[2]
            else:
                (i, j), (low, high) = solid.across, solid.ends
                inside = np.hypot(at[i] - solid.low[i], at[j] - solid.low[j]) < solid.radius
                inside &= (at[solid.axis] > low) & (at[solid.axis] < high)
            full = full & ~inside if cut else full | inside
    return full

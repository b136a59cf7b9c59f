"""What two views of a stack show of its solids, and of the line along which a plane cuts it."""

from __future__ import annotations

from math import cos, pi, radians, sin, sqrt

import numpy as np
import numpy.typing as npt

from cogsight.shared.render.draw import survey

from .stack_pictures import CAMERAS, bodies_of, frame_of
from .stacked_solids import Plane, Solid, Stack, cut, floors

Floats = npt.NDArray[np.float64]

OFF, STEP, STEPS = 0.05, 0.5, 160
"""Units along a ray from the surface to the viewer: where it starts, and from one tried point to the next; how many are tried."""

SAMPLES = 12
"""Tried points of each line of the cut that is as long as the stack is high."""


def solids_in_sight(stack: Stack) -> list[int]:
    """For each solid how many pixels show it in the view that shows more of it."""
    bodies = bodies_of(stack)
    frame = frame_of(bodies)
    counts = [
        np.bincount(1 + survey(bodies, camera=camera, frame=frame).ravel(), minlength=len(stack) + 1)[1:]
        for camera in CAMERAS
    ]
    seen: list[int] = np.max(counts, axis=0).tolist()
    return seen


def spread(stack: Stack, plane: Plane) -> float:
    """How far what is seen of the cut's line is from lying on one straight line, on which many planes would meet; in units.

    The root mean square distance from the straight line that fits best.
    """
    points = _on_line(stack, plane)
    seen = points[np.any([~_hidden(points, camera.axes()[2], stack) for camera in CAMERAS], axis=0)]
    if len(seen) < 3:
        return 0.0
    values = np.linalg.svd(seen - seen.mean(0), compute_uv=False)
    second: float = values.tolist()[1]
    return second / sqrt(len(seen))


def _on_line(stack: Stack, plane: Plane) -> Floats:
    """(n, 3): about evenly spaced."""
    height = sum(solid.height for solid in stack)
    found = []
    for piece in cut(stack, plane):
        for (x, y), (u, v) in zip(piece, [*piece[1:], piece[0]], strict=True):
            count = 1 + int(SAMPLES * np.hypot(u - x, v - y) / height)
            shares = [(i + 0.5) / count for i in range(count)]
            found += [plane.point((x + s * (u - x), y + s * (v - y))) for s in shares]
    return np.array(found).reshape(-1, 3)


def _hidden(points: Floats, towards: Floats, stack: Stack) -> npt.NDArray[np.bool_]:
    """(n,): does a solid lie between the point and the viewer?"""
    along = OFF + STEP * np.arange(STEPS)
    ray = points[:, None] + along[:, None] * towards
    hidden: npt.NDArray[np.bool_] = np.any([_within(ray, solid, floor) for solid, floor in floors(stack)], axis=(0, 2))
    return hidden


def _within(points: Floats, solid: Solid, floor: int) -> npt.NDArray[np.bool_]:
    """Which points (…, 3) are in a solid?"""
    x, y, z = np.moveaxis(points, -1, 0)
    share = (z - floor) / solid.height
    radius = solid.bottom + (solid.top - solid.bottom) * share
    if solid.corners:
        angles = [radians(solid.turn) + pi * (2 * i + 1) / solid.corners for i in range(solid.corners)]
        reach = np.max([x * cos(a) + y * sin(a) for a in angles], axis=0) / cos(pi / solid.corners)
    else:
        reach = np.hypot(x, y)
    inside: npt.NDArray[np.bool_] = (share > 0) & (share < 1) & (reach < radius)
    return inside

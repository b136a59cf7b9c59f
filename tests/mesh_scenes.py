"""Meshes for tests and measurements: brick models put together from solids."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt
from brick_models import Box, filled

from cogsight.shared.render.mesh import Mesh, join
from cogsight.shared.render.palette import PALETTE
from cogsight.shared.render.solids import box, cylinder

PLATE = 0.4
"""Height of a plate, studs."""


def at(x: float, y: float, z: float) -> npt.NDArray[np.float64]:
    """The matrix that moves by so much."""
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


@cache
def stud() -> Mesh:
    return cylinder(0.3, 0, 0.21, sides=24)


@cache
def block(w: int, d: int, h: int) -> Mesh:
    return box(w, d, h * PLATE)


def brick_mesh(boxes: Sequence[Box]) -> Mesh:
    """Bricks with all the studs that nothing covers; part i is box i."""
    taken = filled(boxes)
    parts = []
    for part, one in enumerate(boxes):
        color = PALETTE[one.color]
        parts.append(block(one.w, one.d, one.h).placed(at(one.x, one.y, one.z * PLATE), color=color, part=part))
        for x, y, z in one.cells():
            if z == one.z + one.h - 1 and (x, y, z + 1) not in taken:
                parts.append(stud().placed(at(x + 0.5, y + 0.5, (z + 1) * PLATE), color=color, part=part))
    return join(parts)

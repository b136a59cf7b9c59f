"""What can be seen of a pile of cubes from where its pictures are taken, and those pictures.

All pictures of stacks look from in front, from the right and from above. The camera is turned a little off the diagonal, so that no
cube lies exactly behind another one and no two corners coincide by chance.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from cogsight.shared.render import camera as cameras
from cogsight.shared.render.camera import Camera, Frame
from cogsight.shared.render.draw import INSTRUCTION, draw
from cogsight.shared.render.mesh import Mesh, join
from cogsight.shared.render.palette import Color
from cogsight.shared.render.solids import box

from .polycubes import Cell, Cells

if TYPE_CHECKING:
    from PIL import Image

Face = tuple[Cell, int]
"""A cube and the axis, 0, 1 or 2, along which one of its three faces looks that can be seen at all."""

FRONT_RIGHT = Camera(azimuth=-52, elevation=32)
"""Sees the faces that look to the right (+x), to the front (-y) and up (+z)."""

TOWARDS: tuple[Cell, ...] = ((1, 0, 0), (0, -1, 0), (0, 0, 1))
"""Where the three faces of `Face` look."""

NOTICED = 0.2
"""Share of a face that has to be in sight for the face to count as seen."""

RAYS = 8
"""Per side of a face: sight is asked for on a grid of so many points squared."""

GREY: Color = (112, 118, 126)
RED: Color = (226, 26, 26)
LIGHT_GREY: Color = (168, 174, 182)
"""Of cubes that stand beside red ones."""


def seen(cells: Collection[Cell]) -> dict[Face, float]:
    """The faces of which anything is in sight → how much of each, 0 to 1."""
    ordered = sorted(cells)
    faces = [(cell, axis) for cell in ordered for axis in range(3) if _beyond(cell, axis) not in cells]
    if not faces:
        return {}
    starts = np.array([np.add(cell, corner) for cell, axis in faces for corner in _grid(axis)])
    shares = (~_blocked(starts, np.array(ordered, np.float64))).reshape(len(faces), -1).mean(1)
    return {face: float(share) for face, share in zip(faces, shares.tolist(), strict=True) if share}


def all_noticed(cells: Cells) -> bool:
    """Can every cube be seen, by at least one face of which enough is in sight?"""
    if any(all(_beyond(cell, axis) in cells for axis in range(3)) for cell in cells):
        return False
    return {cell for (cell, _), share in seen(cells).items() if share >= NOTICED} == cells


def _beyond(cell: Cell, axis: int) -> Cell:
    i, j, k = TOWARDS[axis]
    return cell[0] + i, cell[1] + j, cell[2] + k


@cache
def _grid(axis: int) -> npt.NDArray[np.float64]:
    """Points on a face, (RAYS², 3), relative to its cube; none on the border."""
    line = (np.arange(RAYS) + 0.5) / RAYS
    points = np.insert(np.stack(np.meshgrid(line, line), -1).reshape(-1, 2), axis, 0.0, axis=1)
    points[:, axis] = max(TOWARDS[axis][axis], 0)
    return points


def _blocked(starts: npt.NDArray[np.float64], cells: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """(p,): does a cube lie between the point and the viewer? By where the ray enters and leaves each cube's three slabs."""
    ray = FRONT_RIGHT.axes()[2]
    near = (cells[None] + (ray < 0) - starts[:, None]) / ray
    far = (cells[None] + (ray > 0) - starts[:, None]) / ray
    blocked: npt.NDArray[np.bool_] = np.any(np.maximum(near.max(2), 0) + 1e-9 < far.min(2), axis=1)
    return blocked


@cache
def _cube() -> Mesh:
    return box(1, 1, 1)


def mesh_of(colors: Mapping[Cell, Color]) -> Mesh:
    """The cubes in these colours, each with all its edges; a part's number is its cube's in sorted order."""
    placed = []
    for part, (cell, color) in enumerate(sorted(colors.items())):
        matrix = np.eye(4)
        matrix[:3, 3] = cell
        placed.append(_cube().placed(matrix, color=color, part=part))
    return join(placed)


def _corners(cells: Iterable[Cell]) -> npt.NDArray[np.float64]:
    unit = np.array([(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)], np.float64)
    return (np.array(sorted(cells), np.float64)[:, None] + unit).reshape(-1, 3)


def pictures(stacks: Sequence[Mapping[Cell, Color]], *, size: int, margin: int = 8) -> list[Image.Image]:
    """Each stack in the middle of a picture `size` pixels square, all at one scale: the largest at which each fits."""
    scale = min(widest_frame(stack, size=size, margin=margin).scale for stack in stacks)
    frames = [widest_frame(stack, size=size, margin=margin, max_scale=scale) for stack in stacks]
    return [
        draw(mesh_of(stack), camera=FRONT_RIGHT, frame=frame, style=INSTRUCTION)
        for stack, frame in zip(stacks, frames, strict=True)
    ]


def widest_frame(cells: Iterable[Cell], *, size: int, margin: int, max_scale: float = float("inf")) -> Frame:
    """In which the cubes fill the picture, in its middle; `size` and `margin` in pixels, `max_scale` in pixels per cube."""
    return cameras.fit(_corners(cells), cameras=[FRONT_RIGHT], size=size, margin=margin, max_scale=max_scale)


def grey(cells: Iterable[Cell]) -> dict[Cell, Color]:
    """All cubes in the one colour of plain stacks."""
    return dict.fromkeys(cells, GREY)

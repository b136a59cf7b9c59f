"""A mesh before it has colours: which triangles each subpixel shows, and which lines are to be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from . import kernels
from .camera import Camera, Frame, project
from .kernels import Bytes, Depths, Flags, Floats, Indices, Ints
from .mesh import Mesh

LAYERS = 4
"""Transparent parts that can be seen one behind the other."""

FAR = np.float32(-np.inf)


@dataclass(frozen=True, slots=True, eq=False)
class Surfaces:
    """What a camera sees, in subpixels."""

    snapped: Ints
    """(n, 3, 2): corners of all triangles, in steps of the kernels' grid."""
    rows: Floats
    """(n, v, 5): planes of depth, and of what else varies over a triangle."""
    index: Indices
    """(h, w, layers): the triangles that each subpixel shows, nearest first, or `kernels.NOTHING`."""
    depth: Depths
    """(h, w, layers)."""


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """Lines over surfaces, in subpixels."""

    alpha: Depths
    """(h, w): how much of a subpixel a line covers."""
    depth: Depths
    """(h, w)."""
    owner: Indices
    """(h, w): which of `colors`; any where `alpha` is 0."""
    colors: Bytes
    """(m, 4)."""


def finer(frame: Frame, supersampling: int) -> Frame:
    """The same picture with each pixel cut into so many subpixels along each side."""
    return replace(frame, size=frame.size * supersampling, scale=frame.scale * supersampling)


def snapped(points: Floats) -> Ints:
    """Corners (n, 3, 3) in subpixels, on the kernels' grid: (n, 3, 2)."""
    result = np.empty((len(points), 3, 2), np.int64)
    kernels.snap(points, result)
    return result


def planes(corners: Ints, values: Sequence[Floats]) -> Floats:
    """Values at the corners of triangles, each (n, 3), as planes (n, len(values), 5) over the picture."""
    rows = np.empty((len(corners), len(values), 5))
    kernels.planes(corners, np.ascontiguousarray(np.stack(values, -1)), rows)
    return rows


def opaque(corners: Ints, rows: Floats, mesh: Mesh, chosen: Flags, shape: tuple[int, int]) -> Surfaces:
    """The nearest of the chosen triangles in each subpixel of a picture of `shape` (h, w)."""
    return _drawn(corners, rows, mesh, chosen, np.full(shape, FAR), 1)


def transparent(mesh: Mesh, behind: Surfaces) -> Surfaces:
    """The nearest transparent triangle of each part, of the nearest few parts, before the opaque surfaces. No layers if all is opaque."""
    chosen = mesh.colors[:, 3] < 255
    floor = np.ascontiguousarray(behind.depth[..., 0])
    return _drawn(behind.snapped, behind.rows, mesh, chosen, floor, LAYERS if chosen.any() else 0)


def lines(mesh: Mesh, camera: Camera, fine: Frame, behind: Surfaces, *, width: float, bias: float) -> Lines:
    """Edges, and those conditional lines that are outlines from here. `width` and `bias` in subpixels; width 0 draws none."""
    shape = behind.index.shape[:2]
    drawn = Lines(np.zeros(shape, np.float32), np.full(shape, FAR), np.zeros(shape, np.int32), _line_colors(mesh))
    if width == 0:
        return drawn
    conditionals = project(mesh.conditionals, camera=camera, frame=fine)
    outline = np.empty(len(conditionals), np.bool_)
    kernels.outlines(conditionals, outline)
    edges = project(mesh.edges, camera=camera, frame=fine)
    segments = np.concatenate([edges, conditionals[outline, :2]])
    kernels.draw(segments, width / 2, bias, behind.index, behind.rows, drawn.alpha, drawn.depth, drawn.owner)
    numbers = np.concatenate([np.arange(len(edges)), len(edges) + np.flatnonzero(outline), [0]]).astype(np.int32)
    return replace(drawn, owner=numbers[drawn.owner])


def _line_colors(mesh: Mesh) -> Bytes:
    """Of edges, then of conditional lines, then one that nobody has."""
    return np.concatenate([mesh.edge_colors, mesh.conditional_colors, np.zeros((1, 4), np.uint8)])


def _drawn(corners: Ints, rows: Floats, mesh: Mesh, chosen: Flags, floor: Depths, layers: int) -> Surfaces:
    shape = (*floor.shape, layers)
    depth, index = np.full(shape, FAR), np.full(shape, kernels.NOTHING, np.int32)
    if layers:
        kernels.raster(corners, rows, mesh.parts, np.flatnonzero(chosen), floor, depth, index)
    return Surfaces(corners, rows, index, depth)

"""Triangles, edge lines and conditional lines: what the mesh renderer draws. A part is made once and placed often."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from .palette import Color

Floats = npt.NDArray[np.float64]
Bytes = npt.NDArray[np.uint8]

INHERIT = (0, 0, 0, 0)
"""Colour of what takes the colour of the placed part."""

FROM_LDRAW: Floats = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
"""LDraw's axes (y down, z away) → ours (z up), without mirroring: a matrix for `Mesh.placed`."""

DARK = 130
"""Sum of red, green and blue below which a part gets edges lighter than itself."""


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Anything that can be drawn. All arrays may have length 0."""

    triangles: Floats
    """(n, 3, 3): triangle, corner, xyz. Both sides are drawn; the order of corners does not matter."""
    normals: Floats
    """(n, 3, 3): unit vectors of the surface at each corner, on either side."""
    colors: Bytes
    """(n, 4): red, green, blue, alpha; alpha 255 is opaque; `INHERIT` takes the colour of the placed part."""
    parts: npt.NDArray[np.int32]
    """(n,): which part each triangle belongs to, from 0."""
    edges: Floats
    """(m, 2, 3): lines that are always drawn where not hidden (LDraw type 2)."""
    edge_colors: Bytes
    """(m, 4); alpha 0 takes the edge colour of the placed part."""
    conditionals: Floats
    """(k, 4, 3): lines from point 0 to 1, drawn where points 2 and 3 are seen on the same side of them (LDraw type 5)."""
    conditional_colors: Bytes
    """(k, 4), as `edge_colors`."""

    def placed(self, matrix: Floats, *, color: Color | None = None, alpha: int = 255, part: int | None = None) -> Mesh:
        """A copy moved by a 4x4 matrix that acts on columns; `color` replaces `INHERIT`, `part` all part numbers."""
        turn, shift = matrix[:3, :3], matrix[:3, 3]
        across = np.linalg.inv(turn).T
        return Mesh(
            triangles=_moved(self.triangles, turn, shift),
            normals=_unit(_moved(self.normals, across, np.zeros(3))),
            colors=_painted(self.colors, None if color is None else (*color, alpha)),
            parts=self.parts if part is None else np.full_like(self.parts, part),
            edges=_moved(self.edges, turn, shift),
            edge_colors=_painted(self.edge_colors, None if color is None else (*edge_color(color), 255)),
            conditionals=_moved(self.conditionals, turn, shift),
            conditional_colors=_painted(self.conditional_colors, None if color is None else (*edge_color(color), 255)),
        )

    def points(self) -> Floats:
        """All corners, (3 n, 3)."""
        return self.triangles.reshape(-1, 3)


def mesh(
    triangles: npt.ArrayLike,
    *,
    colors: npt.ArrayLike = INHERIT,
    edges: npt.ArrayLike = (),
    edge_colors: npt.ArrayLike = INHERIT,
    conditionals: npt.ArrayLike = (),
    conditional_colors: npt.ArrayLike = INHERIT,
) -> Mesh:
    """A mesh of one part, with flat faces. Shapes as in `Mesh`; one colour, (4,), counts for all.

    `edges.smoothed` rounds it, `edges.outlined` finds lines for it where none are given.
    """
    corners = np.ascontiguousarray(triangles, np.float64).reshape(-1, 3, 3)
    lines = np.ascontiguousarray(edges, np.float64).reshape(-1, 2, 3)
    outlines = np.ascontiguousarray(conditionals, np.float64).reshape(-1, 4, 3)
    return Mesh(
        triangles=corners,
        normals=np.repeat(face_normals(corners)[:, None], 3, axis=1),
        colors=_repeated(colors, len(corners)),
        parts=np.zeros(len(corners), np.int32),
        edges=lines,
        edge_colors=_repeated(edge_colors, len(lines)),
        conditionals=outlines,
        conditional_colors=_repeated(conditional_colors, len(outlines)),
    )


def join(meshes: Iterable[Mesh]) -> Mesh:
    """All of them as one; part numbers stay. Nothing joined is an empty mesh."""
    listed = list(meshes) or [mesh(())]
    return Mesh(**{f.name: np.concatenate([getattr(one, f.name) for one in listed]) for f in fields(Mesh)})


def edge_color(color: Color) -> Color:
    """What the edges of a part of this colour look like: nearly black, but grey on a dark part.

    >>> edge_color((200, 32, 28)), edge_color((5, 19, 29))
    ((20, 20, 20), (90, 90, 90))
    """
    return (90, 90, 90) if sum(color) < DARK else (20, 20, 20)


def face_normals(triangles: Floats) -> Floats:
    """Unit normals (n, 3), by the right-hand rule; 0 for a triangle without area."""
    one, two = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    return _unit(np.cross(one, two))


def _repeated(colors: npt.ArrayLike, count: int) -> Bytes:
    return np.ascontiguousarray(np.broadcast_to(np.asarray(colors, np.uint8), (count, 4)))


def _unit(vectors: Floats) -> Floats:
    x, y, z = vectors[..., 0], vectors[..., 1], vectors[..., 2]
    length = np.sqrt(x * x + y * y + z * z)
    result: Floats = vectors / np.where(length > 0, length, 1)[..., None]
    return result


def _moved(points: Floats, turn: Floats, shift: Floats) -> Floats:
    """Point by point, without BLAS, whose rounding depends on the processor."""
    x, y, z = points[..., 0], points[..., 1], points[..., 2]
    return np.stack([x * row[0] + y * row[1] + z * row[2] + by for row, by in zip(turn, shift, strict=True)], -1)


def _painted(colors: Bytes, color: tuple[int, int, int, int] | None) -> Bytes:
    if color is None:
        return colors
    return np.where(colors[:, 3:] == 0, np.array(color, np.uint8), colors)

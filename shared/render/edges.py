"""What a mesh does not say: which of its edges are round, and where its lines are.

Triangles that share an edge (corners within a tolerance are one point) are neighbours; nothing is asked of the order of corners.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from .compiled import compiled
from .kernels import Flags, Floats, Ints
from .mesh import Mesh, face_normals

TOLERANCE = 0.002
"""Of the world's unit: corners that are nearer than about this are one point. LDraw writes three decimals or more."""

CREASE = 40.0
"""Degrees between two neighbouring triangles, up to which the edge between them is taken for round; a cylinder of 10 sides is."""

FLAT = 0.5
"""Degrees, up to which nothing is to be seen of the edge."""


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """The sides of triangles that two of them share."""

    one: Ints
    """(s,): index of a side in the flattened (n, 3) sides; side k of a triangle goes from its corner k to the next."""
    other: Ints
    """(s,): the same side of the other triangle."""
    alone: Ints
    """Sides that one triangle has, or more than two."""
    start: Ints
    """(3 n,): number of the point at which each side starts."""


def smoothed(mesh: Mesh, *, crease: float = CREASE) -> Mesh:
    """The mesh with normals averaged across round edges: those without a line of their own, where the surface turns by less than
    `crease` degrees.
    """
    sides = _sides(mesh.triangles)
    cosine = _cosines(mesh, sides)
    lined = _lined(mesh, sides)
    round_edges = (np.abs(cosine) >= np.cos(np.radians(crease))) & ~lined
    corners = np.ascontiguousarray(face_normals(mesh.triangles)[np.repeat(np.arange(len(mesh.triangles)), 3)])
    normals = np.empty_like(corners)
    _spread(corners, sides.start, sides.one[round_edges], sides.other[round_edges], normals)
    return replace(mesh, normals=normals.reshape(-1, 3, 3))


def outlined(mesh: Mesh, *, crease: float = CREASE) -> Mesh:
    """The mesh with lines found from its triangles in place of its own: edges at creases and at the border of open surfaces,
    conditional lines where it is round. Lines take the colour of the placed part.
    """
    sides = _sides(mesh.triangles)
    cosine = np.abs(_cosines(mesh, sides))
    sharp = cosine < np.cos(np.radians(crease))
    curved = ~sharp & (cosine < np.cos(np.radians(FLAT)))
    edges = np.concatenate([_ends(mesh.triangles, sides.one[sharp]), _ends(mesh.triangles, sides.alone)])
    one, other = sides.one[curved], sides.other[curved]
    conditionals = np.concatenate(
        [
            _ends(mesh.triangles, one),
            _opposite(mesh.triangles, one)[:, None],
            _opposite(mesh.triangles, other)[:, None],
        ],
        1,
    )
    return replace(
        mesh,
        edges=edges,
        edge_colors=np.zeros((len(edges), 4), np.uint8),
        conditionals=conditionals,
        conditional_colors=np.zeros((len(conditionals), 4), np.uint8),
    )


def _sides(triangles: Floats) -> Sides:
    start = _numbered(triangles.reshape(-1, 3))
    corners = start.reshape(-1, 3)
    end = corners[:, [1, 2, 0]].ravel()
    whole = ~np.any(corners == corners[:, [1, 2, 0]], axis=1)  # a triangle with two corners in one place has no sides
    sides = np.flatnonzero(np.repeat(whole, 3))
    key = (np.minimum(start, end) * (len(start) + 1) + np.maximum(start, end))[sides]
    order = np.argsort(key, kind="stable")
    firsts = np.flatnonzero(np.diff(key[order], prepend=-1))
    counts = np.diff(np.append(firsts, len(key)))
    pairs = firsts[counts == 2]
    return Sides(sides[order[pairs]], sides[order[pairs + 1]], sides[order[firsts[counts != 2]]], start)


def _numbered(points: Floats) -> Ints:
    """A number for each point (n,); equal numbers, equal places."""
    steps = np.rint(points / TOLERANCE).astype(np.int64)
    order = np.lexsort(steps.T)
    new = np.any(np.diff(steps[order], axis=0, prepend=steps[order[:1]] - 1) != 0, axis=1)
    numbers = np.empty(len(points), np.int64)
    numbers[order] = np.cumsum(new) - 1
    return numbers


def _cosines(mesh: Mesh, sides: Sides) -> Floats:
    """Of the angle between the normals of each two neighbours, either side up."""
    normals = face_normals(mesh.triangles)
    product: Floats = (normals[sides.one // 3] * normals[sides.other // 3]).sum(-1)
    return product


def _lined(mesh: Mesh, sides: Sides) -> Flags:
    """Which of the shared sides have one of the mesh's own edge lines on them."""
    here = _ends(mesh.triangles, sides.one)
    numbers = _numbered(np.concatenate([here.reshape(-1, 3), mesh.edges.reshape(-1, 3)])).reshape(-1, 2)
    numbers.sort(axis=1)
    key = numbers[:, 0] * (2 * len(numbers) + 1) + numbers[:, 1]
    return np.isin(key[: len(here)], key[len(here) :])


def _ends(triangles: Floats, sides: Ints) -> Floats:
    """(s, 2, 3)."""
    return np.stack([triangles[sides // 3, sides % 3], triangles[sides // 3, (sides + 1) % 3]], 1)


def _opposite(triangles: Floats, sides: Ints) -> npt.NDArray[np.float64]:
    """The corner (s, 3) of each triangle that is not on the side."""
    return triangles[sides // 3, (sides + 2) % 3]


@compiled
def _root(parent: Ints, flipped: Ints, corner: int) -> tuple[int, int]:
    """The first corner of a corner's group, and 1 when the two normals count as opposite."""
    flip = 0
    while parent[corner] != corner:
        flip ^= flipped[corner]
        corner = parent[corner]
    return corner, flip


@compiled
def _spread(normals: Floats, points: Ints, ones: Ints, others: Ints, out: Floats) -> None:
    """Average the normals (3 n, 3) of corners that meet at a point across the sides `ones` and `others`, which are the same.

    `points` (3 n,): where each corner is; side k goes from corner k to the next of its triangle. Neighbours whose corners run in
    different senses have opposite normals: those are turned before they are added.
    """
    count = normals.shape[0]
    parent, flipped = np.arange(count), np.zeros(count, np.int64)
    for s in range(ones.shape[0]):
        one, other = ones[s], others[s]
        one_end, other_end = one // 3 * 3 + (one + 1) % 3, other // 3 * 3 + (other + 1) % 3
        opposite = 1 if points[one] == points[other] else 0
        if not opposite:
            other, other_end = other_end, other
        for a, b in ((one, other), (one_end, other_end)):
            (root, flip), (other_root, other_flip) = _root(parent, flipped, a), _root(parent, flipped, b)
            if root != other_root:
                parent[other_root], flipped[other_root] = root, flip ^ other_flip ^ opposite
    out[:] = 0
    for corner in range(count):
        root, flip = _root(parent, flipped, corner)
        for c in range(3):
            out[root, c] += -normals[corner, c] if flip else normals[corner, c]
    for corner in range(count):
        root, flip = _root(parent, flipped, corner)
        if root != corner:
            for c in range(3):
                out[corner, c] = -out[root, c] if flip else out[root, c]
    for corner in range(count):
        length = np.sqrt(out[corner, 0] ** 2 + out[corner, 1] ** 2 + out[corner, 2] ** 2)
        for c in range(3):
            out[corner, c] = out[corner, c] / length if length > 1e-9 else normals[corner, c]

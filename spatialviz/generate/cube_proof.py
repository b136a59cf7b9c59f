"""How solvers of cube tasks compare shapes: as bit patterns, under the 24 signed permutations of the axes with determinant 1.

It knows nothing of how shapes are made (`polycubes`), and it begins with the pixels of a picture.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import permutations, product

import numpy as np

from cogsight.shared.render.draw import survey

from .cube_sight import FRONT_RIGHT, grey, mesh_of, widest_frame

Cell = tuple[int, int, int]

SIZE = 160
"""Side of the picture that is looked at, pixels."""

ENOUGH = 0.12 * 0.52
"""How much of a cube makes it known: 12 % of the face that looks smallest in the pictures, which is 0.52 of a square of its edge."""

ODD = {order: sum(a > b for i, a in enumerate(order) for b in order[i + 1 :]) % 2 for order in permutations(range(3))}
"""Order of the axes → 1 when it takes an odd number of swaps."""

ROTATIONS = [
    (order, signs)
    for order in ODD
    for signs in product((1, -1), repeat=3)
    if (-1) ** ODD[order] * signs[0] * signs[1] * signs[2] == 1
]
"""Which old axis each new one is, and its direction."""


def shown(cells: Collection[Cell]) -> frozenset[Cell]:
    """The cubes of which the picture shows enough. Questions say that no cube is hidden, so that these are all there are."""
    frame = widest_frame(cells, size=SIZE, margin=4)
    parts = survey(mesh_of(grey(cells)), camera=FRONT_RIGHT, frame=frame)
    counts = np.bincount(parts[parts >= 0], minlength=len(cells)).tolist()
    fewest = ENOUGH * frame.scale**2
    return frozenset(cell for cell, count in zip(sorted(cells), counts, strict=True) if count >= fewest)


def turnings(cells: Collection[Cell]) -> Iterator[list[Cell]]:
    """The 24 turned copies, each moved to the corner of the positive octant."""
    for order, signs in ROTATIONS:
        turned = [tuple(sign * cell[axis] for axis, sign in zip(order, signs, strict=True)) for cell in cells]
        low = [min(values) for values in zip(*turned, strict=True)]
        yield [(x - low[0], y - low[1], z - low[2]) for x, y, z in turned]


def same(one: Collection[Cell], other: Collection[Cell]) -> bool:
    """Is one the other, turned and moved?"""
    low = [min(values) for values in zip(*other, strict=True)]
    there = {(x - low[0], y - low[1], z - low[2]) for x, y, z in other}
    return any(there == set(turned) for turned in turnings(one))


def placements(part: Collection[Cell], whole: Collection[Cell]) -> set[int]:
    """All ways in which the part, turned at will, lies in the whole: a bit per cube of the whole in sorted order."""
    bit = {cell: 1 << n for n, cell in enumerate(sorted(whole))}
    found = set()
    for turned in turnings(part):
        reach = [max(values) for values in zip(*turned, strict=True)]
        for i, j, k in product(*(range(max(c[a] for c in bit) + 1 - reach[a]) for a in range(3))):
            bits = [bit.get((x + i, y + j, z + k), 0) for x, y, z in turned]
            if all(bits):
                found.add(sum(bits))
    return found

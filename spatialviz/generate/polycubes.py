"""Polycubes: sets of unit cubes in a grid, turned, mirrored, grown and split. What the generators of cube tasks build with.

World: right-handed, x to the right, y away, z up. Whether two polycubes are the same is asked here by walking all turns
(`orbit`); solvers have a method of their own, in `cube_proof`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from random import Random

Cell = tuple[int, int, int]
"""The unit cube from (x, y, z) to (x + 1, y + 1, z + 1)."""

Cells = frozenset[Cell]

STEPS: tuple[Cell, ...] = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
"""To the cubes that share a face."""

QUARTER_TURNS: tuple[Callable[[Cell], Cell], ...] = (
    lambda cell: (cell[0], -cell[2], cell[1]),
    lambda cell: (cell[2], cell[1], -cell[0]),
    lambda cell: (-cell[1], cell[0], cell[2]),
)
"""About x, y and z, each anticlockwise seen from where the axis points to. Together they make all 24 rotations."""


def normal(cells: Iterable[Cell]) -> Cells:
    """Moved so that each coordinate begins at 0."""
    cells = list(cells)
    low = [min(cell[axis] for cell in cells) for axis in range(3)]
    return frozenset((x - low[0], y - low[1], z - low[2]) for x, y, z in cells)


def mirrored(cells: Cells) -> Cells:
    """Its mirror image."""
    return normal((-x, y, z) for x, y, z in cells)


def orbit(cells: Cells) -> dict[Cells, str]:
    """All it can be turned into, up to 24, with the shortest way there: a letter, x, y or z, per quarter turn.

    >>> sorted(len(orbit(normal(cells))) for cells in ([(0, 0, 0)], [(0, 0, 0), (1, 0, 0)]))
    [1, 3]
    """
    start = normal(cells)
    found = {start: ""}
    queue = [start]
    for one in queue:
        for name, turn in zip("xyz", QUARTER_TURNS, strict=True):
            turned = normal(map(turn, one))
            if turned not in found:
                found[turned] = found[one] + name
                queue.append(turned)
    return found


def canonical(cells: Cells) -> tuple[Cell, ...]:
    """The same for two polycubes exactly when one is the other turned; mirror images stay two."""
    return min(tuple(sorted(one)) for one in orbit(cells))


def neighbours(cells: Cells) -> Cells:
    """The empty cells that share a face with it."""
    return frozenset(beside for cell in cells for beside in around(cell)) - cells


def around(cell: Cell) -> Iterator[Cell]:
    """The six cells that share a face with this one."""
    x, y, z = cell
    return ((x + i, y + j, z + k) for i, j, k in STEPS)


def connected(cells: Cells) -> bool:
    """Is it one piece, cubes holding to each other by whole faces?"""
    left = set(cells)
    queue = [left.pop()] if left else []
    for cell in queue:
        reached = left.intersection(around(cell))
        left -= reached
        queue.extend(reached)
    return bool(cells) and not left


def grown(rng: Random, count: int, room: Iterable[Cell], *, resting: bool = False) -> Cells | None:
    """A connected polycube of `count` cubes out of the cells of `room`; None when it cannot grow on from where it began.

    Where it is `resting`, every cube stands on the floor (z = 0) or on another one.
    """
    free = frozenset(cell for cell in room if not resting or cell[2] == 0)
    room, cells = frozenset(room), frozenset[Cell]()
    while len(cells) < count and free:
        cells |= {rng.choice(sorted(free))}
        free = neighbours(cells) & room
        if resting:
            free = frozenset((x, y, z) for x, y, z in free if z == 0 or (x, y, z - 1) in cells)
    return cells if len(cells) == count else None


def block(width: int, depth: int, height: int) -> Cells:
    """All cells of a box at the origin."""
    return frozenset(product(range(width), range(depth), range(height)))


def with_one_moved(cells: Cells) -> list[Cells]:
    """All connected polycubes that differ from this one in where a single cube is, in a fixed order, none of them it turned."""
    same = orbit(cells)
    found = {
        normal(rest | {there})
        for cell in cells
        if connected(rest := cells - {cell})
        for there in neighbours(rest) - {cell}
    }
    return sorted(found - same.keys(), key=sorted)


def told(cells: Iterable[Cell]) -> str:
    """Its text: three digits per cube.

    >>> told({(0, 0, 0), (1, 0, 2)})
    '000,102'
    """
    return ",".join("".join(map(str, cell)) for cell in sorted(cells))


def read(text: str) -> Cells:
    """The inverse of `told`. Raises ValueError for what is no such text."""
    words = text.split(",")
    if not all(len(word) == 3 and word.isdecimal() and word.isascii() for word in words):
        raise ValueError(f"{text!r}: a polycube is written as three digits per cube, such as 000,100")
    return frozenset((int(word[0]), int(word[1]), int(word[2])) for word in words)

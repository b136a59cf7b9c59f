"""Boxes for tests of the renderers: heaps of bricks of mixed heights, without any of the generators' rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from cogsight.shared.render.palette import PALETTE

Cell = tuple[int, int, int]

COLORS = list(PALETTE)


@dataclass(frozen=True)
class Box:
    """A brick at (x, y, z), w by d studs wide and h plates high, with studs on top."""

    x: int
    y: int
    z: int
    w: int
    d: int
    h: int
    color: str

    def cells(self) -> Iterator[Cell]:
        """The unit cells that it fills."""
        for x in range(self.x, self.x + self.w):
            for y in range(self.y, self.y + self.d):
                yield from ((x, y, z) for z in range(self.z, self.z + self.h))


def filled(boxes: Sequence[Box]) -> frozenset[Cell]:
    """The cells that any of them fills."""
    return frozenset(cell for box in boxes for cell in box.cells())


def heap(rng: Random, bricks: int, side: int = 7) -> tuple[Box, ...]:
    """So many bricks, plates and tall blocks let fall onto a field of side x side studs, wherever they come to rest."""
    out: list[Box] = []
    tops: dict[tuple[int, int], int] = {}
    for _ in range(bricks):
        w, d = rng.choice([(1, 1), (1, 4), (4, 1), (2, 2), (2, 4), (1, 6), (6, 1)])
        x, y = rng.randrange(side - w + 1), rng.randrange(side - d + 1)
        columns = [(i, j) for i in range(x, x + w) for j in range(y, y + d)]
        z = max(tops.get(column, 0) for column in columns)
        out.append(Box(x, y, z, w, d, rng.choice([1, 1, 3, 3, 6]), rng.choice(COLORS)))
        tops |= dict.fromkeys(columns, out[-1].z + out[-1].h)
    return tuple(out)

"""Boxes for tests of the renderers: heaps of bricks of mixed heights, without any of the generators' rules."""

from __future__ import annotations

from random import Random

from cogsight.shared.render.painter import Box
from cogsight.shared.render.palette import PALETTE

COLORS = list(PALETTE)


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

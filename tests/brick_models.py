"""Brick models for tests: a Hypothesis strategy, and random ones of mixed heights without any of the generators' rules."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from cogsight.lego_puzzles.generate.bricks import Brick, Model
from cogsight.shared.render.palette import PALETTE

COLORS = list(PALETTE)


def heap(rng: Random, bricks: int, side: int = 7) -> Model:
    """So many bricks, plates and tall blocks let fall onto a field of side x side studs, wherever they come to rest."""
    out: list[Brick] = []
    for _ in range(bricks):
        w, d = rng.choice([(1, 1), (1, 4), (4, 1), (2, 2), (2, 4), (1, 6), (6, 1)])
        x, y = rng.randrange(side - w + 1), rng.randrange(side - d + 1)
        tops = Model(tuple(out)).tops()
        z = max(tops.get((i, j), 0) for i in range(x, x + w) for j in range(y, y + d))
        out.append(Brick(x, y, z, w, d, rng.choice([1, 1, 3, 3, 6]), rng.choice(COLORS)))
    return Model(tuple(out))


def models() -> st.SearchStrategy[Model]:
    """Any heap of 1 to 12 bricks."""
    return st.builds(lambda seed, bricks: heap(Random(seed), bricks), st.integers(0, 10**9), st.integers(1, 12))

"""A sheet of coloured shapes in rows, and plain questions about it: what Sandbagging and Counterfactual Instruction start from."""

from __future__ import annotations

from random import Random

from cogsight.shared.render.canvas import SHAPES, Canvas
from cogsight.shared.sample import Picture

COLORS = ("red", "yellow", "green", "blue", "violet", "brown")
COLUMNS, ROWS, CELL = 4, 3, 110
"""Places; pixels per place."""

Thing = tuple[str, str]
"""Kind and colour; two empty texts for an empty place."""
Scene = tuple[Thing, ...]
"""Place after place, in reading order."""

EMPTY: Thing = ("", "")


def random_scene(rng: Random, things: int) -> Scene:
    """So many shapes on the sheet."""
    placed = [(rng.choice(SHAPES), rng.choice(COLORS)) for _ in range(things)]
    placed += [EMPTY] * (COLUMNS * ROWS - things)
    rng.shuffle(placed)
    return tuple(placed)


def only(scene: Scene) -> list[int]:
    """Places of the shapes that are the only one of their kind."""
    kinds = [kind for kind, _ in scene]
    return [place for place, kind in enumerate(kinds) if kind and kinds.count(kind) == 1]


def draw_scene(scene: Scene) -> Picture:
    """The sheet."""
    canvas = Canvas(COLUMNS * CELL, ROWS * CELL)
    canvas.box(2, 2, COLUMNS * CELL - 2, ROWS * CELL - 2)
    for place, (kind, color) in enumerate(scene):
        if kind:
            canvas.shape(kind, (place % COLUMNS * CELL + CELL // 2, place // COLUMNS * CELL + CELL // 2), 38, color)
    return canvas.picture()


def describe(scene: Scene) -> str:
    """The sheet in words."""
    rows = (scene[start : start + COLUMNS] for start in range(0, len(scene), COLUMNS))
    return "; ".join(", ".join(f"{color} {kind}" if kind else "nothing" for kind, color in row) for row in rows)

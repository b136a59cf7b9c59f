"""Parts that could be the new one for all that a picture shows: how long a part is cannot be known where something hides its end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from cogsight.shared.render.camera import project
from cogsight.shared.render.mesh import Floats

from .pieces import Piece, fits, footprint
from .shapes import SHAPES
from .stage import BEHIND, FAR, LEAST, Stage
from .views import corners


def could_be(
    stage: Stage, shapes: Iterable[str], part: Piece, before: Sequence[Piece], after: Sequence[Piece]
) -> Iterator[str]:
    """The shapes of which a part in this one's colour, put onto the state before, looks as the state after does, somewhere near this one.

    By the measure of `Stage.difference`, of fewer than LEAST pixels; the part may stick into no other one.
    """
    base, goal = (_painted(stage, pieces, part.color) for pieces in (before, after))
    differ = _differ(*base, *goal)
    low, high = _must_span(stage, differ, goal[1])
    for shape in shapes:
        for placed in _spanning(stage, low, high, list(_near(part, shape))):
            if not fits(placed, before):
                continue
            sprite = stage.sprite(placed)
            paint, depth = (array[sprite.window].copy() for array in base)
            nearer = sprite.depth > depth
            paint[nearer], depth[nearer] = OWN, sprite.depth[nearer]
            left = differ.sum() - differ[sprite.window].sum()
            left += _differ(paint, depth, *(array[sprite.window] for array in goal)).sum()
            if left < LEAST:
                yield shape
                break


OWN = -2
"""Stands for the colour of the part in a picture's colours."""


def _must_span(stage: Stage, differ: np.ndarray, depth: np.ndarray) -> tuple[Floats, Floats]:
    """What the box around a part must reach from and to, in the picture and in depth, pixels: (3,), (3,). Or else LEAST pixels that differ
    would lie beside it. Sprites take long, boxes do not.
    """
    rows, columns = np.nonzero(differ & (depth > FAR))
    if len(rows) < LEAST:
        return np.full(3, np.inf), np.full(3, -np.inf)
    spread = np.sort(np.stack([columns, rows, depth[rows, columns] * stage.frame.scale], 1), axis=0)
    return spread[LEAST - 1] + LOOSE, spread[-LEAST] - LOOSE


LOOSE = 1.0
"""Pixels by which a box and what is drawn of a part may differ."""


def _spanning(stage: Stage, low: Floats, high: Floats, placed: Sequence[Piece]) -> Iterator[Piece]:
    """Those whose boxes reach from `low` to `high`."""
    boxes = project(np.stack([corners(piece) for piece in placed]), camera=stage.camera, frame=stage.frame)
    wide = ((boxes.min(1) <= low) & (boxes.max(1) >= high)).all(1)
    return (piece for piece, reaches in zip(placed, wide, strict=True) if reaches)


def _painted(stage: Stage, pieces: Sequence[Piece], own: str) -> tuple[np.ndarray, np.ndarray]:
    """A picture's colours, as numbers, and depths: two arrays (h, w)."""
    index, depth = stage.compose(pieces)
    names = sorted({piece.color for piece in pieces} - {own})
    numbers = [OWN if piece.color == own else names.index(piece.color) for piece in pieces]
    return np.array([*numbers, -1])[index], depth


def _differ(paint: np.ndarray, depth: np.ndarray, other_paint: np.ndarray, other_depth: np.ndarray) -> np.ndarray:
    result: np.ndarray = (paint != other_paint) | (np.abs(depth - other_depth) > BEHIND)
    return result


def _near(part: Piece, shape: str) -> Iterator[Piece]:
    """Every place of a part of this shape where it shares room with the part, their lower or their upper sides level."""
    for turn in SHAPES[shape].turns:
        lying = replace(part, shape=shape, turn=turn)
        (w, d), (own_w, own_d) = footprint(lying), footprint(part)
        xs, ys = range(part.x - w + 1, part.x + own_w), range(part.y - d + 1, part.y + own_d)
        for x, y, z in product(xs, ys, {part.z, part.top - lying.kind.size[2]}):
            yield lying.at(x, y, z)

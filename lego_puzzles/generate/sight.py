"""What a picture of a model shows, for the solvers: they get this and never the model.

A unit face counts as seen when at least `CLEAR` percent of it is visible. A seen face tells two things about space: the cell behind it is
filled, with its colour, and the cell in front of it is empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cogsight.shared.render.painter import SIDES, Arrow, Cell, Face, Frame, owners, survey

from .bricks import Model

CLEAR = 45
"""Percent."""


@dataclass(frozen=True, slots=True)
class Sight:
    """Everything that one picture tells about space. Cells in neither are unknown."""

    filled: dict[Cell, str]
    """Cell → colour."""
    empty: frozenset[Cell]


def seen_faces(model: Model, frame: Frame, *, arrows: Sequence[Arrow] = (), clear: int = CLEAR) -> Iterator[Face]:
    """The unit faces of which the picture shows at least `clear` percent."""
    return (face for face, percent in survey(model.bricks, frame=frame, arrows=arrows).items() if percent >= clear)


def look(model: Model, frame: Frame) -> Sight:
    """What a picture of this model tells."""
    owner = owners(model.bricks)
    filled: dict[Cell, str] = {}
    empty: set[Cell] = set()
    for x, y, z, side in seen_faces(model, frame):
        i, j, k = SIDES[side].normal
        filled[x, y, z] = model.bricks[owner[x, y, z]].color
        empty.add((x + i, y + j, z + k))
    return Sight(filled, frozenset(empty))

"""Orthographic views of cube stacks: rows of squares, from top to bottom, one character each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cogsight.shared.render.palette import INK, Color

from .cube_sight import LIGHT_GREY, RED
from .sheet import canvas

if TYPE_CHECKING:
    from PIL import Image

EMPTY = "0"

PLAIN: Mapping[str, Color] = {"1": (222, 226, 231)}
"""Not white: an empty square among four others has an edge on each side too."""

COLORS: Mapping[str, Color] = {"1": LIGHT_GREY, "2": RED}
"""What fills a square, by its character; of any other there is no square."""


def squares(rows: Sequence[str], cell: int, fills: Mapping[str, Color] = PLAIN) -> Image.Image:
    """The view with squares of `cell` pixels, edges drawn, and a little paper around."""
    width, height, border = len(rows[0]), len(rows), 4
    sheet = canvas(width * cell + 2 * border, height * cell + 2 * border)
    for r, row in enumerate(rows):
        for c, mark in enumerate(row):
            if mark in fills:
                left, top = border + c * cell, border + r * cell
                sheet.box(left, top, left + cell, top + cell, fills[mark], INK)
    return sheet.image()

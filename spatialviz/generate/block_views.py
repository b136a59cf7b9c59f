"""Coloured blocks on a floor of cells with axes, from in front and turned by half a circle: painter's order, whole numbers throughout.

In a view, i goes to the right and towards the viewer, j to the right and away, z up. Painting by (z, i - j) is right for unit cubes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from cogsight.shared.render.canvas import Canvas, rgb
from cogsight.shared.render.palette import EDGE, Color, shade

from .sheet import canvas

if TYPE_CHECKING:
    from PIL import Image

Cell = tuple[int, int, int]
"""x, y, z; z is 0 on the floor."""

Point = tuple[int, int]

VIEWS = ("", "Rotated ")
"""As the panels' titles say it."""

A, B, C = 24, 13, 29
"""Pixels that a step along i or j goes right, and down or up, and one along z up: a side of 34 from 32 degrees above. 2·B and C differ,
so that no cube hides exactly behind another one."""

REACH, TOP, BELOW = 34, 3 * C, 30
"""Pixels kept beside, above and below the floor."""

NEAR, FAR = 9, 15
"""Tenths of a cell that the axes go beyond the floor, at its near and its far edge: past a block at the end."""

NOTICED = 60
"""Pixels of a block or a floor cell, of some 620 that its top has, from which on it is seen."""

AXES: dict[str, Color] = {"x": (222, 20, 20), "y": (20, 150, 40), "z": (20, 60, 220)}
FLOOR: Color = (150, 154, 160)


class View:
    """One side: from cells to pixels."""

    def __init__(self, side: int, turned: bool) -> None:
        self.side, self.turned = side, turned
        self.width = 2 * A * side + 2 * REACH
        self.height = 2 * B * side + TOP + BELOW

    def at(self, i: int, j: int, z: int) -> Point:
        """Where a corner of the view's grid is."""
        return REACH + A * (i + j), TOP + B * (self.side + i - j) - C * z

    def corner(self, x: int, y: int, z: int) -> Point:
        """Where a corner of the world's grid is."""
        return self.at(self.side - x, self.side - y, z) if self.turned else self.at(x, y, z)

    def cell(self, x: int, y: int) -> tuple[int, int]:
        """A cell's i and j."""
        return (self.side - 1 - x, self.side - 1 - y) if self.turned else (x, y)

    def faces(self, cells: Mapping[Cell, str]) -> Iterator[tuple[Cell, tuple[Point, ...], int]]:
        """What can be painted, in order: cell (z = -1 for the floor), corners, per cent of the colour's brightness."""
        floor = [(x, y, -1) for x in range(self.side) for y in range(self.side)]
        for cell in sorted([*floor, *cells], key=lambda cell: (cell[2], self._nearness(cell), cell)):
            (i, j), k = self.cell(cell[0], cell[1]), cell[2]
            if k >= 0:
                sides = ((i, j), (i + 1, j), (i + 1, j + 1))
                for (p, q), (r, s), percent in ((*sides[:2], 82), (*sides[1:], 64)):
                    yield (
                        cell,
                        (self.at(p, q, k), self.at(r, s, k), self.at(r, s, k + 1), self.at(p, q, k + 1)),
                        percent,
                    )
            top = ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))
            yield cell, tuple(self.at(p, q, k + 1) for p, q in top), 100

    def _nearness(self, cell: Cell) -> int:
        i, j = self.cell(cell[0], cell[1])
        return i - j


def hidden(cells: Mapping[Cell, str], side: int) -> bool:
    """Is there a block, or an empty column's floor, that neither view shows well enough?"""
    columns = {(x, y) for x, y, _ in cells}
    wanted = {*cells, *((x, y, -1) for x in range(side) for y in range(side) if (x, y) not in columns)}
    return not wanted <= seen(cells, side)


def seen(cells: Mapping[Cell, str], side: int) -> set[Cell]:
    """Blocks and floor cells (z = -1) of which one of the two views shows enough."""
    from PIL import Image, ImageDraw

    found: set[Cell] = set()
    for turned in (False, True):
        view = View(side, turned)
        image = Image.new("L", (view.width, view.height))
        numbers: dict[Cell, int] = {}
        pen = ImageDraw.Draw(image)
        for cell, corners, _ in view.faces(cells):
            pen.polygon(corners, fill=numbers.setdefault(cell, len(numbers) + 1))
        counts = image.histogram()
        found |= {cell for cell, number in numbers.items() if counts[number] >= NOTICED}
    return found


def picture(cells: Mapping[Cell, str], side: int, *, turned: bool) -> Image.Image:
    """One view. Axes on the far side of the floor go behind the blocks."""
    view = View(side, turned)
    page = canvas(view.width, view.height)
    near, far = ("y", "x") if turned else ("x", "y")
    _paint(page, view, {})
    _axis(page, view, "z", 24)
    _axis(page, view, far, 10 * side + FAR)
    _paint(page, view, cells)
    _axis(page, view, near, 10 * side + NEAR)
    _numbers(page, view)
    return page.image()


def _paint(page: Canvas, view: View, cells: Mapping[Cell, str]) -> None:
    """The blocks; where there are none, the floor."""
    for cell, corners, percent in view.faces(cells):
        if cell in cells or not cells:
            page.polygon(corners, shade(rgb(cells.get(cell, FLOOR)), percent), EDGE, 1)


def _axis(page: Canvas, view: View, axis: str, length: int) -> None:
    """An arrow from the origin, its length in tenths of a cell."""
    start, color = view.corner(0, 0, 0), AXES[axis]
    end = view.corner(*(int(axis == name) for name in "xyz"))
    dx, dy = end[0] - start[0], end[1] - start[1]
    tip = (start[0] + dx * length // 10, start[1] + dy * length // 10)
    back = (tip[0] - dx * 3 // 10, tip[1] - dy * 3 // 10)
    page.line(start, back, color)
    across = (-dy // 6, dx // 6)
    page.polygon(
        [tip, (back[0] + across[0], back[1] + across[1]), (back[0] - across[0], back[1] - across[1])], color, None
    )
    page.text((tip[0] + dx // 3, tip[1] + dy // 3), axis, 15, color)


def _numbers(page: Canvas, view: View) -> None:
    """Along the two near edges of the floor: x on the left, y on the right."""
    side = view.side
    for n in range(side):
        number = side - 1 - n if view.turned else n
        (left, down), (right, low) = view.at(n, 0, 0), view.at(side, n, 0)
        page.text((left + A // 2 - 11, down + B // 2 + 6), str(number), 12, AXES["x"])
        page.text((right + A // 2 + 11, low - B // 2 + 6), str(number), 12, AXES["y"])

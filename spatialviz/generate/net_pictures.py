"""Pictures of cubes and of nets: parallelograms with what is printed on them, in the release's style."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, radians, sin
from typing import TYPE_CHECKING

from cogsight.shared.render.canvas import Canvas
from cogsight.shared.render.palette import INK, PALETTE, PAPER, Color, shade

from .nets import COLORS, Corner, Face, Net
from .rotation_2d import CELL, KINDS, Stroke
from .sheet import SMOOTH

if TYPE_CHECKING:
    from PIL import Image

Point = tuple[float, float]

EDGE, SIDE = 72, 140
"""Pixels: edge of a cube, side of its panel."""

MARGIN = 4
"""Pixels around a net."""

WIDE: tuple[Point, Point] = ((42, 19), (-33, 21))
"""A net lies on a table: where a step to the right and one down lead, pixels."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a picture of a cube is taken."""

    azimuth: int
    """Degrees between the front face and the picture, 0 to 90."""
    elevation: int
    """Degrees above the horizon, -90 to 90; below it the bottom is seen."""
    roll: int = 0
    """Degrees by which the picture is turned, clockwise."""

    @property
    def above(self) -> bool:
        """Is the top seen?"""
        return self.elevation > 0

    def axes(self) -> tuple[Point, Point, Point]:
        """Where steps to the right, away and up lead, in a picture whose y points down."""
        around, rise, roll = map(radians, (self.azimuth, self.elevation, self.roll))
        flat = [(cos(around), sin(around) * sin(rise)), (sin(around), -cos(around) * sin(rise)), (0.0, -cos(rise))]
        x, y, z = ((a * cos(roll) - b * sin(roll), a * sin(roll) + b * cos(roll)) for a, b in flat)
        return x, y, z


LOOKS = (
    Look(45, 35),
    Look(35, 38),
    Look(55, 32),
    Look(40, -36),
    Look(52, -34),
    Look(45, 35, 20),
    Look(38, 37, -18),
    Look(50, -35, 16),
)
"""A number in a state names one of these; the first three are upright and from above."""

UPRIGHT_LOOKS = (0, 1, 2)


def cube_picture(faces: Corner, look: Look) -> Image.Image:
    """A cube in the middle of its panel."""
    x, y, z = (_times(axis, EDGE) for axis in look.axes())
    page = Canvas(SIDE * SMOOTH, SIDE * SMOOTH, PAPER, 1)
    middle = _plus((SIDE / 2, SIDE / 2), _times(_plus(_plus(x, y), z), -0.5))
    up, down, back = _plus(middle, z), _times(z, -1), _times(y, -1)
    cap = (_plus(up, y), x, back) if look.above else (middle, x, y)
    for face, (origin, right, below), light in zip(
        faces, (cap, (up, x, down), (_plus(up, x), y, down)), LIGHT, strict=True
    ):
        _print(page, face, origin, right, below, light)
    return page.image().reduce(SMOOTH)


LIGHT = (100, 92, 82)
"""Per cent of a colour that top or bottom, front and right side show."""


def net_pictures(nets: Sequence[Net]) -> list[Image.Image]:
    """Nets on panels of one size, each in the middle."""
    bounds = [_bounds(net) for net in nets]
    width, height = (max(round(high[i] - low[i]) for low, high in bounds) + 2 * MARGIN for i in (0, 1))
    images = []
    for net, (low, high) in zip(nets, bounds, strict=True):
        page = Canvas(width * SMOOTH, height * SMOOTH, PAPER, 1)
        left, top = ((size - low[i] - high[i]) / 2 for i, size in enumerate((width, height)))
        for (row, column), face in sorted(net.faces.items()):
            _print(page, face, _plus((left, top), _spot(row, column)), *WIDE, 100)
        images.append(page.image().reduce(SMOOTH))
    return images


def _bounds(net: Net) -> tuple[Point, Point]:
    spots = [_spot(row + i, column + j) for row, column in net.faces for i in (0, 1) for j in (0, 1)]
    xs, ys = zip(*spots, strict=True)
    return (min(xs), min(ys)), (max(xs), max(ys))


def _spot(row: int, column: int) -> Point:
    return _plus(_times(WIDE[0], column), _times(WIDE[1], row))


def _plus(one: Point, other: Point) -> Point:
    return one[0] + other[0], one[1] + other[1]


def _times(point: Point, factor: float) -> Point:
    return point[0] * factor, point[1] * factor


DOT_COLORS: dict[str, Color] = {"K": INK, "Y": (240, 225, 40)} | {name: PALETTE[COLORS[name]] for name in "RGB"}

RIM: Color = (92, 98, 106)
"""Edges of faces with drawings or dots; the drawings are black."""

DOT = 11
"""Radius of a dot, per cent of an edge."""

UNITS = 12
"""Units of a stroke in an edge."""


def _print(page: Canvas, face: Face, origin: Point, right: Point, down: Point, light: int) -> None:
    """A face whose top left corner is `origin` and whose sides are `right` and `down`, pixels."""

    def spot(x: float, y: float) -> tuple[int, int]:
        a, b = _plus(origin, _plus(_times(right, x), _times(down, y)))
        return round(a * SMOOTH), round(b * SMOOTH)

    def ring(x: float, y: float, radius: float) -> list[tuple[int, int]]:
        return [spot(x + radius * cos(pi * n / 24), y + radius * sin(pi * n / 24)) for n in range(48)]

    paper, border = (PALETTE[COLORS[face]], INK) if len(face) == 1 else (CELL, RIM)
    page.polygon([spot(0, 0), spot(1, 0), spot(1, 1), spot(0, 1)], shade(paper, light), border, 2 * SMOOTH)
    if len(face) == 2:
        for name, values in _strokes(face):
            x, y, *rest = (value / UNITS + 0.5 for value in values)
            if name == "line":
                page.line(spot(x, y), spot(rest[0], rest[1]), INK, 2 * SMOOTH)
            else:
                page.polygon(ring(x, y, values[2] / UNITS), None, INK, 2 * SMOOTH)
    if len(face) == 9:
        for n, letter in enumerate(face):
            if letter != ".":
                page.polygon(ring((n % 3 + 0.5) / 3, (n // 3 + 0.5) / 3, DOT / 100), DOT_COLORS[letter], None)


def _strokes(face: Face) -> list[Stroke]:
    """Of a drawing, turned as it is."""
    return [(name, _turned(values, int(face[1]))) for name, values in KINDS[face[0]].strokes]


def _turned(values: tuple[int, ...], quarters: int) -> tuple[int, ...]:
    """Of a line both ends, of a circle the middle, clockwise."""
    for _ in range(quarters):
        x, y, *rest = values
        values = (-y, x, -rest[1], rest[0]) if len(rest) == 2 else (-y, x, *rest)
    return values


def words(face: Face) -> str:
    """What is printed, as the alternative text says it.

    >>> words("R"), words("h1"), words("R........")
    ('red', 'stripes turned 90', 'dots R.. ... ...')
    """
    if len(face) == 1:
        return COLORS[face]
    if len(face) == 2:
        return KINDS[face[0]].name + f" turned {90 * int(face[1])}" * (face[1] != "0")
    return f"dots {face[:3]} {face[3:6]} {face[6:]}"


def net_words(net: Net) -> str:
    """A net in words.

    >>> net_words(Net.parse("01R 10Y 11G 12C 13B 21V"))[:48]
    'row 1 column 2 red, row 2 column 1 yellow, row 2'
    """
    spots = sorted(net.faces.items())
    return ", ".join(f"row {row + 1} column {column + 1} {words(face)}" for (row, column), face in spots)

"""A sheet to draw on: integer pixels, named colours, edges smoothed by drawing larger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..sample import Picture
from .palette import INK, PALETTE, PAPER, Color

if TYPE_CHECKING:
    from PIL import Image

Point = tuple[int, int]

SHAPES = ("circle", "square", "triangle", "star", "diamond", "cross")

_OUTLINES: dict[str, tuple[Point, ...]] = {
    "square": ((-85, -85), (85, -85), (85, 85), (-85, 85)),
    "triangle": ((0, -100), (95, 75), (-95, 75)),
    "diamond": ((0, -100), (75, 0), (0, 100), (-75, 0)),
    "cross": (
        *((-35, -95), (35, -95), (35, -35), (95, -35), (95, 35), (35, 35)),
        *((35, 95), (-35, 95), (-35, 35), (-95, 35), (-95, -35), (-35, -35)),
    ),
    "star": (
        *((0, -100), (23, -32), (95, -31), (38, 12), (59, 81)),
        *((0, 40), (-59, 81), (-38, 12), (-95, -31), (-23, -32)),
    ),
}
"""Corners, per cent of the radius; a circle has none."""


class Canvas:
    """Draws in the order of the calls, `smooth` times as large. Coordinates in pixels; colours are names in `PALETTE`, or RGB."""

    def __init__(self, width: int, height: int, color: str | Color = PAPER, smooth: int = 2) -> None:
        from PIL import Image, ImageDraw

        self._smooth = smooth
        self._image = Image.new("RGB", (width * smooth, height * smooth), rgb(color))
        self._pen = ImageDraw.Draw(self._image)

    def polygon(
        self, points: Sequence[Point], fill: str | Color | None = None, edge: str | Color | None = INK, width: int = 2
    ) -> None:
        """Closed; the edge lies on its outline."""
        corners = [(x * self._smooth, y * self._smooth) for x, y in points]
        if fill is not None:
            self._pen.polygon(corners, fill=rgb(fill))
        if edge is not None:
            self._pen.line([*corners, corners[0]], fill=rgb(edge), width=width * self._smooth, joint="curve")

    def box(
        self,
        left: int,
        top: int,
        right: int,
        bottom: int,
        fill: str | Color | None = None,
        edge: str | Color | None = INK,
    ) -> None:
        """A rectangle."""
        self.polygon([(left, top), (right, top), (right, bottom), (left, bottom)], fill, edge)

    def line(self, start: Point, end: Point, color: str | Color = INK, width: int = 2) -> None:
        """A straight line."""
        points = [(x * self._smooth, y * self._smooth) for x, y in (start, end)]
        self._pen.line(points, fill=rgb(color), width=width * self._smooth)

    def disc(self, center: Point, radius: int, fill: str | Color | None, edge: str | Color | None = INK) -> None:
        """A circle, or with `fill` None its outline."""
        (x, y), r = center, radius
        bounds = tuple(self._smooth * value for value in (x - r, y - r, x + r, y + r))
        inside, outline = (None if color is None else rgb(color) for color in (fill, edge))
        self._pen.ellipse(bounds, fill=inside, outline=outline, width=2 * self._smooth)

    def shape(self, kind: str, center: Point, radius: int, fill: str | Color) -> None:
        """One of SHAPES."""
        if kind == "circle":
            self.disc(center, radius, fill)
            return
        points = [(center[0] + x * radius // 100, center[1] + y * radius // 100) for x, y in _OUTLINES[kind]]
        self.polygon(points, fill)

    def text(self, at: Point, text: str, size: int = 20, color: str | Color = INK, anchor: str = "mm") -> None:
        """`anchor` as in Pillow; the middle of the text by default."""
        from PIL import ImageFont

        font = ImageFont.load_default(size * self._smooth)
        self._pen.text((at[0] * self._smooth, at[1] * self._smooth), text, fill=rgb(color), font=font, anchor=anchor)

    def image(self) -> Image.Image:
        """What has been drawn, in pixels."""
        return self._image.reduce(self._smooth)

    def picture(self) -> Picture:
        """The same, encoded."""
        return Picture.from_image(self.image())


def rgb(color: str | Color) -> Color:
    """The colour itself."""
    return PALETTE[color] if isinstance(color, str) else color

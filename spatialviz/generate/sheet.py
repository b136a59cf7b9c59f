"""The one picture of a question: rows of titled panels ("Original", "A", "B" …) on white paper, as in the release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cogsight.shared.render.canvas import Canvas
from cogsight.shared.render.palette import INK, PAPER, Color
from cogsight.shared.sample import Picture

if TYPE_CHECKING:
    from PIL import Image

TITLE = 18
"""Height of the titles' font, pixels."""

TITLE_SPACE, GAP, MARGIN = 28, 24, 10
"""Pixels: kept above each panel, between panels and between rows, around all."""

SMOOTH = 4
"""Subpixels per pixel of what `canvas` gives."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A picture under its title."""

    title: str
    image: Image.Image
    """RGB, white around what it shows. Options of one question have one size."""


def canvas(width: int, height: int, color: str | Color = PAPER) -> Canvas:
    """Something to draw a 2D panel on; `.image()` gives the panel's picture."""
    return Canvas(width, height, color, SMOOTH)


def sheet(rows: Sequence[Sequence[Panel]]) -> Picture:
    """Rows from top to bottom, each centred; panels of a row stand on one line, each under its title.

    A column is as wide as the wider of its panel and its title, so that titles never run into each other.
    """
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.load_default(TITLE)
    widths = [[max(panel.image.width, round(font.getlength(panel.title))) for panel in row] for row in rows]
    heights = [TITLE_SPACE + max(panel.image.height for panel in row) for row in rows]
    spans = [sum(row) + GAP * (len(row) - 1) for row in widths]
    page = Image.new("RGB", (max(spans) + 2 * MARGIN, sum(heights) + GAP * (len(rows) - 1) + 2 * MARGIN), PAPER)
    pen = ImageDraw.Draw(page)
    top = MARGIN
    for row, columns, span, height in zip(rows, widths, spans, heights, strict=True):
        left = (page.width - span) // 2
        for panel, width in zip(row, columns, strict=True):
            pen.text((left + width // 2, top + TITLE_SPACE // 2), panel.title, fill=INK, font=font, anchor="mm")
            drop = TITLE_SPACE + (height - TITLE_SPACE - panel.image.height) // 2
            page.paste(panel.image, (left + (width - panel.image.width) // 2, top + drop))
            left += width + GAP
        top += height + GAP
    return Picture.from_image(page)

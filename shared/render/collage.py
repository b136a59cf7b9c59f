"""Several pictures as one, each under its caption "Image N", for models that take one picture or cannot place several in a text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import isqrt

from ..sample import Picture
from .palette import INK, PAPER, RULE

GAP = 16
"""Pixels between pictures, and around them."""

MIN_CAPTION = 20
"""Smallest height of the captions' font, pixels; it grows with the pictures, which models may scale down."""


def collage(pictures: Sequence[Picture]) -> Picture:
    """A grid in reading order, as square as can be, on white. Every picture keeps its own pixels, in a thin frame.

    Raises ValueError without pictures.
    """
    from PIL import Image, ImageDraw, ImageFont

    if not pictures:
        raise ValueError("no pictures: nothing to put together")
    images = [picture.open() for picture in pictures]
    columns = isqrt(len(images) - 1) + 1
    caption = max(MIN_CAPTION, max(image.height for image in images) // 16)
    widths = [max(image.width for image in images[column::columns]) for column in range(columns)]
    rows = [images[start : start + columns] for start in range(0, len(images), columns)]
    heights = [caption + GAP + max(image.height for image in row) for row in rows]
    lefts = list(accumulate((width + GAP for width in widths), initial=GAP))
    tops = list(accumulate((height + GAP for height in heights), initial=GAP))
    sheet = Image.new("RGB", (lefts[-1], tops[-1]), PAPER)
    pen = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(caption)
    for index, image in enumerate(images):
        left, top = lefts[index % columns], tops[index // columns]
        pen.text((left, top), f"Image {index + 1}", fill=INK, font=font)
        top += caption + GAP // 2
        pen.rectangle((left - 1, top - 1, left + image.width, top + image.height), outline=RULE)
        sheet.paste(image, (left, top))
    return Picture.from_image(sheet)

"""The paper's collage: the three images side by side, 50 px of white between them (released code; not labelled)."""

from __future__ import annotations

from collections.abc import Sequence

from cogsight.shared.sample import Picture

GAP = 50
"""Pixels."""


def collage(images: Sequence[Picture]) -> Picture:
    """One picture of all, at their own sizes, their upper edges in line. RGB."""
    from PIL import Image

    opened = [image.open() for image in images]
    width = sum(image.width for image in opened) + GAP * (len(opened) - 1)
    sheet = Image.new("RGB", (width, max(image.height for image in opened)), "white")
    left = 0
    for image in opened:
        sheet.paste(image, (left, 0))
        left += image.width + GAP
    return Picture.from_image(sheet)

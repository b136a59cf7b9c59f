"""Pictures of any make as plain ones: what a person would see of them on white paper."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL import Image

    from .sample import Picture

DRAFT = 4
"""A JPEG is decoded this many times as large as needed, at most: smaller would blur its colours."""


def bad_bytes() -> tuple[type[Exception], ...]:
    """All that Pillow raises for bytes that are no picture, or too large a one."""
    from PIL import Image

    return OSError, ValueError, SyntaxError, Image.DecompressionBombError


def decoded(picture: Picture, side: int) -> Image.Image:
    """RGB, upright, transparent parts white, without whatever else the file says; no side longer than `side` px.

    Raises one of `bad_bytes()`.
    """
    import numpy as np
    from PIL import Image, ImageOps

    with Image.open(BytesIO(picture.data)) as opened:
        opened.draft("RGB", (DRAFT * side, DRAFT * side))
        image = ImageOps.exif_transpose(opened)
        deep = image.mode.startswith(("I", "F"))
        seen = (Image.fromarray(_eight_bits(np.asarray(image))) if deep else image).convert("RGBA")
    seen.thumbnail((side, side), Image.Resampling.BOX, reducing_gap=None)
    paper = Image.new("RGBA", seen.size, "white")
    return Image.alpha_composite(paper, seen).convert("RGB")


def _eight_bits(values: NDArray[np.generic]) -> NDArray[np.uint8]:
    """Of 16-bit grey, or of numbers that say nothing of their range: 0 is black, the largest white."""
    wide = values.astype(float)
    top = 65535.0 if values.dtype.kind in "iu" else max(float(wide.max()), 1e-9)
    scaled: NDArray[np.uint8] = (wide.clip(0, top) * (255 / top)).round().astype("uint8")
    return scaled

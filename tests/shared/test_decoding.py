"""Pictures of any make as plain ones."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from cogsight.shared.decoding import bad_bytes, decoded
from cogsight.shared.sample import Picture


def saved(image: Image.Image, **options: object) -> Picture:
    buffer = io.BytesIO()
    image.save(buffer, **{"format": "PNG", **options})
    return Picture(buffer.getvalue())


def test_it_is_small_enough_and_never_made_larger() -> None:
    wide = Picture.from_image(Image.new("RGB", (3000, 30), "red"))
    assert decoded(wide, 300).size == (300, 3)
    assert decoded(wide, 4000).size == (3000, 30)
    assert decoded(Picture.from_image(Image.new("RGB", (1, 5000))), 50).size == (1, 50)


def test_what_is_transparent_is_white() -> None:
    image = Image.new("RGBA", (2, 1), (255, 0, 0, 0))
    image.putpixel((1, 0), (255, 0, 0, 128))
    assert np.asarray(decoded(Picture.from_image(image), 9)).tolist() == [[[255, 255, 255], [255, 127, 127]]]
    palette = Image.new("P", (1, 1))
    assert decoded(saved(palette, transparency=0), 9).getpixel((0, 0)) == (255, 255, 255)


def test_it_stands_upright() -> None:
    turned = Image.Exif()
    turned[0x0112] = 6
    assert decoded(saved(Image.new("RGB", (20, 10)), format="JPEG", exif=turned), 99).size == (10, 20)


def test_deep_grey_keeps_its_shades() -> None:
    deep = Image.fromarray(np.array([[0, 257 * 100, 65535]], dtype=np.uint16))
    assert [pixel[0] for pixel in np.asarray(decoded(Picture.from_image(deep), 9))[0]] == [0, 100, 255]


def test_nothing_else_of_the_file_comes_along() -> None:
    info = PngInfo()
    info.add_text("model", "some model")
    assert decoded(saved(Image.new("RGB", (2, 2)), pnginfo=info), 9).info == {}


@pytest.mark.parametrize(
    "data", [b"", b"GIF89a", b"\x89PNG\r\n\x1a\n", saved(Image.new("RGB", (90, 90), "red")).data[:60]]
)
def test_bad_bytes_raise_what_is_foretold(data: bytes) -> None:
    with pytest.raises(bad_bytes()):
        decoded(Picture(data), 9)

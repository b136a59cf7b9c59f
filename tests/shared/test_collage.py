"""Several pictures as one: all there, pixel by pixel, each under its number."""

from __future__ import annotations

from hashlib import sha256
from random import Random

import pytest
from golden import golden_pixels
from PIL import Image

from cogsight.shared.render.collage import GAP, collage
from cogsight.shared.sample import Picture

COLORS = ["#ff0000", "#00aa00", "#0000ff", "#aa00aa", "#00aaaa", "#aaaa00", "#555555"]


def plain(color: str, width: int = 60, height: int = 40) -> Picture:
    return Picture.from_image(Image.new("RGB", (width, height), color))


def noise(seed: int, width: int, height: int) -> Picture:
    return Picture.from_image(Image.frombytes("RGB", (width, height), Random(seed).randbytes(3 * width * height)))


def places(sheet: Image.Image, picture: Picture) -> list[tuple[int, int]]:
    """Where the picture's own pixels stand in the sheet."""
    wanted = picture.open()
    w, h = wanted.size
    first = wanted.crop((0, 0, w, 1)).tobytes()
    rows = [sheet.crop((0, y, sheet.width, y + 1)).tobytes() for y in range(sheet.height)]
    starts = [
        (x, y) for y, row in enumerate(rows) for x in range(sheet.width - w + 1) if row[3 * x : 3 * (x + w)] == first
    ]
    return [(x, y) for x, y in starts if sheet.crop((x, y, x + w, y + h)).tobytes() == wanted.tobytes()]


@pytest.mark.parametrize("count", range(1, 11))
def test_every_picture_keeps_its_pixels_in_reading_order(count: int) -> None:
    pictures = [noise(n, 30 + 7 * (n % 3), 20 + 5 * (n % 4)) for n in range(count)]
    sheet = collage(pictures).open()
    found = [places(sheet, picture) for picture in pictures]
    assert [len(place) for place in found] == [1] * count
    order = [(y, x) for ((x, y),) in found]
    assert order == sorted(order)


def test_captions_stand_above_their_pictures_and_differ() -> None:
    pictures = [plain(color) for color in COLORS]
    sheet = collage(pictures).open()
    captions = []
    for picture in pictures:
        ((x, y),) = places(sheet, picture)
        caption = sheet.crop((x, y - 20 - GAP // 2, x + 60 + GAP, y - 2))
        assert sum(1 for value in caption.convert("L").tobytes() if value < 128) > 60, "no caption, or an illegible one"
        captions.append(caption.tobytes())
    assert len(set(captions)) == len(pictures)


def test_captions_grow_with_the_pictures() -> None:
    small, large = (collage([plain("#ffffff", side, side)] * 2).open() for side in (60, 1200))
    assert large.height - 1200 > small.height - 60 + 40


def test_sizes_and_modes_may_differ() -> None:
    grey = Picture.from_image(Image.new("L", (300, 10), 77))
    clear = Picture.from_image(Image.new("RGBA", (10, 200), (1, 2, 3, 255)))
    sheet = collage([grey, clear]).open()
    assert len(places(sheet, grey)) == 1
    assert len(places(sheet, clear)) == 1


def test_nothing_to_put_together() -> None:
    with pytest.raises(ValueError, match="no pictures"):
        collage([])


@pytest.mark.parametrize(("name", "expected"), golden_pixels("collage"))
def test_golden_pixels(name: str, expected: str) -> None:
    sheet = collage([plain(color) for color in COLORS[: int(name.split(" ")[1])]]).open()
    assert sha256(sheet.tobytes()).hexdigest() == expected

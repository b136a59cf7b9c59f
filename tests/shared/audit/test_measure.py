"""What is measured of pictures, on such as one can count by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from audit_samples import LETTERS, clean, pattern
from PIL import Image

from cogsight.shared.audit.measure import look, measure, option_pictures
from cogsight.shared.errors import DataError
from cogsight.shared.sample import Picture


def test_a_half_black_picture() -> None:
    image = Image.new("RGB", (40, 20), "white")
    image.paste("black", (20, 0, 40, 20))
    seen = look(Picture(b"12345"), image)
    assert (seen.size, seen.file_bytes, seen.mean, seen.ink) == ((40, 20), 5, (127.5, 127.5, 127.5), 0.5)
    assert seen.edges == pytest.approx(20 / (39 * 20) / 2)


def test_a_picture_of_one_pixel() -> None:
    assert look(Picture(b""), Image.new("RGB", (1, 1))).edges == 0


def test_pixels_not_files_are_compared() -> None:
    image = pattern(1)
    assert look(Picture(b"a"), image).pixels == look(Picture(b"bc"), image.copy()).pixels
    turned = image.rotate(90)
    assert look(Picture(b"a"), image).pixels != look(Picture(b"a"), turned).pixels
    assert look(Picture(b"a"), image).hash != look(Picture(b"a"), turned).hash


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ({"A": "<image 2>", "B": " <image1> "}, {"A": 1, "B": 0}),
        ({"A": "<image 2>", "B": "none"}, {}),
        ({"A": "<image 2>", "B": "<image 2>"}, {}),
        ({"A": "<image 2>", "B": "<image 6>"}, {}),
        ({"A": "<image 0>", "B": "<image 1>"}, {}),
        ({"A": "see <image 2>", "B": "<image 1>"}, {}),
        ({}, {}),
    ],
)
def test_which_options_are_pictures(choices: dict[str, str], expected: dict[str, int]) -> None:
    assert option_pictures(replace(clean()[0], choices=choices)) == expected


def test_options_and_other_pictures() -> None:
    item = measure(clean()[0])
    assert item.sample.images == ()
    assert item.other_looks == item.looks[:1]
    assert item.option_looks == item.looks[1:]
    assert item.nearest[1] in {a + b for a in LETTERS for b in LETTERS if a < b}


def test_a_file_that_is_no_picture_is_named() -> None:
    broken = replace(clean()[0], images=(Picture(b"nothing"), *clean()[0].images[1:]))
    with pytest.raises(DataError, match=f"{broken.id}: picture 1 cannot be read"):
        measure(broken)

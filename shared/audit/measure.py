"""What the checks need of a sample, its pictures reduced to a few numbers: so thousands of samples fit into memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageStat

from ..build import difference, fingerprint
from ..decoding import bad_bytes
from ..errors import DataError
from ..sample import PLACEHOLDER, Picture, Sample

Floats = NDArray[np.float64]

SMALL = 24
"""Pixels a side of the thumbnail."""
HASH = 16
"""Rows, and steps in a row, that the perceptual hash compares."""
FLAT = 4
"""Steps of brightness, of 255, that the hash takes for none: noise of a JPEG file does not change it."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a program sees of a picture without understanding it."""

    size: tuple[int, int]
    """Width and height, px."""
    file_bytes: int
    pixels: str
    """SHA-256 of size and RGB values: equal for the same picture, however it is encoded."""
    mean: tuple[float, float, float]
    """Of red, green and blue, 0 to 255."""
    edges: float
    """Share of the steps from a pixel to the one to its right, or below, that are noticeable."""
    ink: float
    """Share of the pixels that differ noticeably from the upper left one, which is background."""
    small: bytes = field(repr=False)
    """RGB values of a thumbnail, `SMALL` pixels a side."""
    hash: bytes = field(repr=False)
    """Perceptual ("difference hash"): for each colour a bit for each step from left to right, whether it gets brighter."""


@dataclass(frozen=True, slots=True)
class Item:
    """A sample without its pictures, and what was measured of these."""

    sample: Sample
    """`images` is empty."""
    content: str
    """`build.fingerprint`: equal for samples that ask the same."""
    looks: tuple[Look, ...]
    options: Mapping[str, int]
    """Letter → index in `looks`, where every option is a picture of its own; else empty."""
    nearest: tuple[float, str] = (1.0, "")
    """How much the two most similar option pictures differ, as a share of their pixels, and their letters."""

    @property
    def option_looks(self) -> tuple[Look, ...]:
        """In the order of the letters."""
        return tuple(self.looks[index] for index in self.options.values())

    @property
    def other_looks(self) -> tuple[Look, ...]:
        """Pictures that are no options."""
        return tuple(look for index, look in enumerate(self.looks) if index not in self.options.values())


def measure(sample: Sample) -> Item:
    """Raises DataError that names the sample when one of its pictures cannot be read."""
    images = [_opened(picture, sample.id, number) for number, picture in enumerate(sample.images, 1)]
    options = option_pictures(sample)
    pairs = combinations(options.items(), 2)
    differences = [(_apart(images[i], images[j]), a + b) for (a, i), (b, j) in pairs]
    looks = tuple(look(picture, image) for picture, image in zip(sample.images, images, strict=True))
    return Item(replace(sample, images=()), fingerprint(sample), looks, options, min(differences, default=(1.0, "")))


def option_pictures(sample: Sample) -> dict[str, int]:
    """Letter → index of its picture; empty unless each option is just a placeholder of a picture that is there, and no two of the same."""
    found = {letter: PLACEHOLDER.fullmatch(text.strip()) for letter, text in sample.choices.items()}
    indices = {letter: int(match[1]) - 1 for letter, match in found.items() if match}
    whole = len(indices) == len(found) == len({*indices.values()})
    return indices if whole and all(0 <= index < len(sample.images) for index in indices.values()) else {}


def look(picture: Picture, image: Image.Image) -> Look:
    """`image` is the decoded picture, RGB."""
    red, green, blue = ImageStat.Stat(image).mean
    return Look(
        size=image.size,
        file_bytes=len(picture.data),
        pixels=pixel_digest(image),
        mean=(red, green, blue),
        edges=_edges(image),
        ink=difference(image, Image.new("RGB", image.size, image.getpixel((0, 0)))),
        small=image.resize((SMALL, SMALL), Image.Resampling.BOX).tobytes(),
        hash=_hash(image),
    )


def _apart(one: Image.Image, other: Image.Image) -> float:
    """Share of the pixels that differ, at the size of the first: a copy that is only cut or scaled a little must not pass."""
    return difference(one, other if other.size == one.size else other.resize(one.size))


def pixel_digest(image: Image.Image) -> str:
    """Of an RGB picture's size and values."""
    return sha256(f"{image.size}".encode() + image.tobytes()).hexdigest()


def _edges(image: Image.Image) -> float:
    width, height = image.size
    if min(width, height) < 2:
        return 0.0
    right = difference(image.crop((0, 0, width - 1, height)), image.crop((1, 0, width, height)))
    below = difference(image.crop((0, 0, width, height - 1)), image.crop((0, 1, width, height)))
    return (right + below) / 2


def _hash(image: Image.Image) -> bytes:
    values = np.asarray(image.resize((HASH + 1, HASH), Image.Resampling.BOX)).astype(np.int16)
    bits: NDArray[Any] = np.diff(values, axis=1) > FLAT
    return np.packbits(bits).tobytes()


def _opened(picture: Picture, sample_id: str, number: int) -> Image.Image:
    try:
        return picture.open()
    except bad_bytes() as error:
        raise DataError(
            f"{sample_id}: picture {number} cannot be read: {error}; build the folder again with --overwrite"
        ) from error

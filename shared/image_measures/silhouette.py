"""What a picture shows, told from the ground on which it stands, and two such things laid onto each other.

The ground is what reaches the picture's edge without a sharp step in colour, and has nearly the hue of the edge: paper of one colour, a gentle
gradient, a soft shadow. A shadow with a hard rim is taken for a part; so is a hole in the thing, since the outline is filled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..decoding import bad_bytes, decoded
from .colors import Floats, lab

if TYPE_CHECKING:
    from ..sample import Picture

Mask = NDArray[np.bool_]

SIDE = 256
"""Px. Larger pictures are made so small."""
RIM = 3
"""Px, of the frame by which the ground is known."""
STEP = 8.0
"""Delta E within 3 × 3 pixels; more is a sharp step."""
HUE = 12.0
"""The ground's a and b are no farther than this from what the frame says."""
DARKER, LIGHTER = 45.0, 12.0
"""The ground is no darker or lighter than this; shadows are darker."""
SPECK = 0.01
"""Spots smaller than this part of the largest are noise."""

CANVAS, SPAN = 256, 128
"""Px: the square on which two things are laid, and the longer side of the true one there; a made one may reach as far again."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What a picture shows."""

    lab: Floats
    """Height × width × (L, a, b)."""
    mask: Mask
    """Height × width: the thing, without its ground. All False for a blank picture."""


@dataclass(frozen=True, slots=True)
class Laid:
    """Two figures on one canvas."""

    made: Floats
    """`CANVAS` × `CANVAS` lightness, white around the thing."""
    right: Floats
    either: Mask
    iou: float


def figure(picture: Picture) -> Figure:
    """Raises one of `bad_bytes()` for bytes that are no picture."""
    colors = lab(np.asarray(decoded(picture, SIDE)))
    return Figure(colors, _silhouette(colors))


def figure_of_reply(picture: Picture) -> Figure:
    """That of a model's picture; one that cannot be decoded shows nothing."""
    try:
        return figure(picture)
    except bad_bytes():
        return Figure(np.full((1, 1, 3), (100.0, 0.0, 0.0)), np.zeros((1, 1), dtype=bool))


def aligned(made: Figure, right: Figure) -> Laid:
    """The made one moved and scaled, never turned or stretched, to have the true one's place and size.

    That is judged in two ways, by their boxes and by their areas and centres, since a missing part misleads either; what overlaps more counts.
    """
    scale = SPAN / _by_box(right.mask).size
    true = _Placing(_by_box(right.mask), (CANVAS - 1) / 2 * np.ones(2), scale)
    right_mask, lightness = _drawn(right, true)
    found = []
    for spot_of in (_by_box, _by_area):
        spot, other = spot_of(made.mask), spot_of(right.mask)
        placing = _Placing(spot, true.target(other.centre), scale * other.size / spot.size)
        mask, made_lightness = _drawn(made, placing)
        either = mask | right_mask
        found.append(Laid(made_lightness, lightness, either, float((mask & right_mask).sum() / either.sum())))
    return max(found, key=lambda laid: laid.iou)


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where something is, and how large, px."""

    centre: Floats
    size: float


@dataclass(frozen=True, slots=True)
class _Placing:
    """How a picture is drawn onto the canvas: its spot's centre at `at`, `scale` times as large."""

    spot: _Spot
    at: Floats
    scale: float

    def target(self, point: Floats) -> Floats:
        """Where a point of the picture comes to lie."""
        return np.asarray(self.at + (point - self.spot.centre) * self.scale)


def _by_box(mask: Mask) -> _Spot:
    where = np.argwhere(mask)
    low, high = where.min(axis=0), where.max(axis=0)
    return _Spot((low + high) / 2, float((high - low).max() + 1))


def _by_area(mask: Mask) -> _Spot:
    where = np.argwhere(mask)
    return _Spot(where.mean(axis=0), float(np.sqrt(len(where))))


def _drawn(one: Figure, placing: _Placing) -> tuple[Mask, Floats]:
    """The silhouette and the lightness on the canvas."""
    from scipy.ndimage import affine_transform

    step = 1 / placing.scale
    start = placing.spot.centre - placing.at * step

    def drawn(values: Floats) -> Floats:
        return np.asarray(affine_transform(values, [step, step], start, (CANVAS, CANVAS), order=1, mode="nearest"))

    around = np.pad(one.mask, 1).astype(float)  # so that nothing at a picture's edge is drawn out
    start = start + 1
    mask = drawn(around) >= 0.5
    return mask, np.where(mask, drawn(np.pad(one.lab[..., 0], 1, mode="edge")), 100.0)


def _silhouette(colors: Floats) -> Mask:
    from scipy.ndimage import binary_erosion, binary_fill_holes

    off = colors - _ground(colors)
    like_ground = np.hypot(off[..., 1], off[..., 2]) < HUE
    like_ground &= (off[..., 0] > -DARKER) & (off[..., 0] < LIGHTER)
    smooth = _steps(colors) < STEP
    thing = ~_reaching_the_edge(like_ground & smooth)
    return _without_specks(np.asarray(binary_fill_holes(_shrunk(thing, binary_erosion))))


def _shrunk(thing: Mask, erosion: Callable[..., Mask]) -> Mask:
    """A step is seen from both its sides, so that the thing has a pixel too much all around."""
    return np.asarray(erosion(thing, np.ones((3, 3)), border_value=1))


def _ground(colors: Floats) -> Floats:
    """What the paper would look like without the thing: a surface of second order through the frame, whatever crosses it left out."""
    height, width = colors.shape[:2]
    y, x = np.meshgrid(np.linspace(-1, 1, height), np.linspace(-1, 1, width), indexing="ij")
    terms = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=-1)
    frame = np.ones((height, width), dtype=bool)
    frame[RIM:-RIM, RIM:-RIM] = False
    at, seen = terms[frame], colors[frame]
    kept = np.linalg.norm(seen - np.median(seen, axis=0), axis=1) < DARKER
    for _ in range(3):
        surface = np.linalg.lstsq(at[kept], seen[kept], rcond=None)[0] if kept.any() else np.zeros((6, 3))
        kept = np.linalg.norm(seen - at @ surface, axis=1) < HUE
    return np.asarray(terms @ surface)


def _steps(colors: Floats) -> Floats:
    """The greatest difference within 3 × 3 pixels."""
    from scipy.ndimage import maximum_filter, minimum_filter

    size = (3, 3, 1)
    spread = maximum_filter(colors, size, mode="nearest") - minimum_filter(colors, size, mode="nearest")
    return np.asarray(np.linalg.norm(spread, axis=-1))


def _reaching_the_edge(mask: Mask) -> Mask:
    from scipy.ndimage import label

    parts, _ = label(mask)
    edge = np.concatenate([parts[0], parts[-1], parts[:, 0], parts[:, -1]])
    return np.asarray(np.isin(parts, edge[edge > 0]))


def _without_specks(mask: Mask) -> Mask:
    from scipy.ndimage import label

    parts, _ = label(mask)
    sizes = np.bincount(parts.ravel())
    sizes[0] = 0
    return np.asarray((sizes >= max(1.0, SPECK * sizes.max()))[parts])

"""Models seen from several sides: common to Rotation and Multiview.

A model is turned by taking the camera round it the other way: the picture is the same, since light comes with the viewer. Whether a picture can
be of a model that another picture shows is decided pixel by pixel: what is recognised in the one is put before the camera of the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from cogsight.shared.render.camera import Camera, Frame
from cogsight.shared.render.draw import PHOTO, Style
from cogsight.shared.sample import Picture

from .pieces import Piece
from .stage import BEHIND, FAR, NOTICEABLE, PIXELS, SAME, Depth, Stage
from .views import CAMERA, frame_of, picture, resized

SIZE = 320
"""Pixels of a photo."""

SKIES = 4
"""Of the sky's lights, every how manieth is used: at this size more are not seen."""

SMALL_PHOTO: Style = replace(
    PHOTO, lighting=replace(PHOTO.lighting, skies=PHOTO.lighting.skies[::SKIES]), supersampling=2
)
"""At this size a third subpixel is not seen either, and takes twice the time."""


def turned(camera: Camera, degrees: float) -> Camera:
    """The camera that sees the model as if it had been turned clockwise, seen from above."""
    return replace(camera, azimuth=camera.azimuth + degrees)


def frame_for(pieces: Iterable[Piece], cameras: Sequence[Camera], size: int) -> Frame:
    """One for all these cameras, with the middle of the model in the middle; at any size all lies where it does in the photo that is shown."""
    both = cameras if len(cameras) > 1 else [*cameras, *cameras]  # one camera alone would be centred on its picture
    return resized(frame_of(pieces, cameras=both, size=SIZE), size)


def photo(pieces: Iterable[Piece], frame: Frame, camera: Camera) -> Picture:
    """With soft shadows, as a model on a white table."""
    return picture(pieces, frame, camera=camera, style=SMALL_PHOTO)


@dataclass(frozen=True, eq=False, slots=True)
class Shown:
    """What a picture shows, pixel by pixel, without saying from where."""

    paint: npt.NDArray[np.str_]
    """(PIXELS, PIXELS): the colour's name; "" for paper, and for parts that are not of one colour."""
    depth: Depth
    """(PIXELS, PIXELS): how near, from the middle of the model."""


def shown(pieces: Sequence[Piece], frame: Frame, camera: Camera) -> Shown:
    """`frame`: of a picture of `PIXELS` pixels."""
    index, depth = Stage(frame, camera).compose(pieces)
    return Shown(_paints(pieces)[index], depth)


def recognised(pieces: Sequence[Piece], frame: Frame, camera: Camera) -> list[Piece]:
    """The parts that a picture shows clearly: of transparent ones, which may be faint, nothing is concluded, and they hide what is behind."""
    sight = Stage(frame, camera).look(pieces)
    return [piece for piece in pieces if piece in sight.pieces and not _is_transparent(piece)]


def _is_transparent(piece: Piece) -> bool:
    if piece.is_grown:
        return False
    from .real import is_transparent

    return is_transparent(piece)


def contradicts(known: Sequence[Piece], frame: Frame, camera: Camera, seen: Shown) -> bool:
    """Would these parts, seen by this camera, have to look otherwise than a picture shows?

    They would where the picture shows something behind them, or another colour at the same surface, in as many pixels as a person notices.
    Something before them may hide them.
    """
    index, depth = Stage(frame, camera).compose(known)
    here = index >= 0
    behind = here & (seen.depth < depth - BEHIND)
    other = here & (np.abs(seen.depth - depth) <= SAME)
    other[other] = _differ(seen.paint[other], _paints(known)[index[other]])
    return int((behind | _inner(other)).sum()) >= NOTICEABLE


def look_the_same(one: Shown, other: Shown) -> bool:
    """Are the two one picture, but for where in it the model is? Nobody sees where the middle of a model should be."""
    first, second = _cropped(one), _cropped(other)
    height, width = (max(a, b) for a, b in zip(first.depth.shape, second.depth.shape, strict=True))
    if any(min(a, b) < max(a, b) - LOOSE for a, b in zip(first.depth.shape, second.depth.shape, strict=True)):
        return False
    here = _padded(first, height, width, 0, 0)
    steps = range(-1, 2)
    return any(_is_one(here, _padded(second, height, width, i, j)) for i in steps for j in steps)


LOOSE = 2
"""Pixels by which pictures of one thing may differ in height or width."""

RELIEF = 0.5
"""Studs by which two surfaces differ in depth that one sees to be different, where outlines and colours are the same."""


def _cropped(seen: Shown) -> Shown:
    """What lies around the model left out."""
    rows, columns = (np.flatnonzero((seen.depth > FAR).any(axis)) for axis in (1, 0))
    window = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    return Shown(seen.paint[window], seen.depth[window])


def _padded(seen: Shown, height: int, width: int, down: int, right: int) -> Shown:
    """With paper around it, moved so far from the upper left corner, which is one pixel in."""
    paint, depth = np.full((height + 2, width + 2), "", seen.paint.dtype), np.full((height + 2, width + 2), FAR)
    window = tuple(slice(1 + at, 1 + at + n) for at, n in zip((down, right), seen.depth.shape, strict=True))
    paint[window], depth[window] = seen.paint, seen.depth
    return Shown(paint, depth)


def _is_one(one: Shown, other: Shown) -> bool:
    """Do fewer pixels differ than a person notices? Depths count from the middle of the common part."""
    here, there = one.depth > FAR, other.depth > FAR
    both, apart = here & there, here != there
    off = one.depth[both] - other.depth[both]
    apart[both] = (np.abs(off - np.median(off)) > RELIEF) | _differ(one.paint[both], other.paint[both])
    return int(_inner(apart).sum()) < NOTICEABLE


def _paints(pieces: Sequence[Piece]) -> npt.NDArray[np.str_]:
    """Of each, the name of its colour; one more, "", for the paper."""
    return np.array([*map(_paint, pieces), ""])


def _paint(piece: Piece) -> str:
    if piece.is_grown:
        return piece.color
    from .real import takes_color

    return piece.color if takes_color(piece) else ""


def _differ(some: npt.NDArray[np.str_], others: npt.NDArray[np.str_]) -> npt.NDArray[np.bool_]:
    """Pixel by pixel: are the two colours known, and nobody takes them for each other?"""
    pairs, where = np.unique(np.stack([some, others], 1), axis=0, return_inverse=True)
    return np.array([_are_told_apart(*map(str, pair)) for pair in pairs], np.bool_)[where.reshape(-1)]


def _are_told_apart(one: str, other: str) -> bool:
    if "" in (one, other) or one == other:
        return False
    if not (one.startswith("#") and other.startswith("#")):
        return True
    from .real import are_told_apart

    return are_told_apart(one, other)


def _inner(mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Without its border: where two walls lie in one plane, the pixels between them may go to either."""
    inner = np.zeros_like(mask)
    inner[1:-1, 1:-1] = mask[1:-1, 1:-1] & mask[:-2, 1:-1] & mask[2:, 1:-1] & mask[1:-1, :-2] & mask[1:-1, 2:]
    return inner


__all__ = [
    "CAMERA",
    "FAR",
    "PIXELS",
    "SIZE",
    "Shown",
    "contradicts",
    "frame_for",
    "look_the_same",
    "photo",
    "recognised",
    "shown",
    "turned",
]

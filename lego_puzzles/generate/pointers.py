"""Arrows onto parts: a red and a blue one, each with its tip on the middle of a bare stud. Common to Height and Adjacency."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from cogsight.shared.render.camera import Frame, project
from cogsight.shared.render.palette import ARROWS, PAPER
from cogsight.shared.sample import Picture

from .pieces import Piece
from .shapes import PLATE_HEIGHT, STUD_HEIGHT
from .stage import PIXELS, Sight, Stage
from .views import CAMERA, SIZE, frame_of, picture, resized

if TYPE_CHECKING:
    from PIL import Image

Point = tuple[float, float]
Mask = npt.NDArray[np.bool_]

MARGIN = 0.13
"""Share of a picture's side that is left free around the model, for arrows."""

LENGTH, HEAD, WIDTH, SHAFT, HALO = 0.165, 0.055, 0.05, 0.018, 0.005
"""Of an arrow, as shares of the picture's side."""

SMOOTH = 4
"""Arrows are drawn so many times as large."""

SOURCES: dict[str, Point] = {
    "above": (0.0, -1.0),
    "left-above": (-0.7, -0.7),
    "right-above": (0.7, -0.7),
    "left": (-1.0, 0.0),
    "right": (1.0, 0.0),
}
"""Where an arrow comes from, on the page: x to the right, y down."""

COLORS = tuple(ARROWS)
"""Of the two arrows; no part of these questions has them."""

CLEAR = 0.4
"""Of a part that is pointed at, the share that must be in sight, arrows in place."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """An arrow onto the stud that fills the cell (x, y, z). Text: "3,4,2 above"."""

    x: int
    y: int
    z: int
    source: str
    """A name in `SOURCES`."""

    def __str__(self) -> str:
        return f"{self.x},{self.y},{self.z} {self.source}"

    @classmethod
    def parse(cls, text: str) -> Pointer:
        """Reads what `str` writes."""
        cell, source = text.split(" ")
        x, y, z = map(int, cell.split(","))
        return cls(x, y, z, source)

    def tip(self, frame: Frame) -> Point:
        """In the picture, pixels: the middle of the stud's upper side."""
        top = np.array([[self.x + 0.5, self.y + 0.5, self.z * PLATE_HEIGHT + STUD_HEIGHT]])
        x, y, _ = project(top, camera=CAMERA, frame=frame)[0]
        return float(x), float(y)

    def outline(self, frame: Frame, halo: float = 0.0) -> list[Point]:
        """The arrow's corners, pixels, grown by a share of the picture's side on all sides but the tip."""
        (x, y), (dx, dy), size = self.tip(frame), SOURCES[self.source], frame.size
        head, tail = (size * (reach + halo) for reach in (HEAD, LENGTH))
        wide, thin = (size * (width / 2 + halo * grow) for width, grow in ((WIDTH, 1.5), (SHAFT, 1.0)))
        half = [(0.0, 0.0), (head, wide), (head, thin), (tail, thin)]
        sides = [*half, *((back, -aside) for back, aside in reversed(half[1:]))]
        return [(x + dx * back - dy * aside, y + dy * back + dx * aside) for back, aside in sides]


def frame_for(pieces: Iterable[Piece], size: int) -> Frame:
    """One that leaves room for arrows; at any size all lies where it does in the picture that is shown."""
    return resized(frame_of(pieces, size=SIZE, margin=MARGIN * SIZE), size)


def stage_for(pieces: Sequence[Piece]) -> Stage:
    """The stage on which a picture with arrows is looked at."""
    return Stage(frame_for(pieces, PIXELS))


def covered(frame: Frame, arrows: Iterable[Pointer]) -> Mask:
    """The pixels of a picture that arrows hide, their halos included."""
    from PIL import Image, ImageDraw

    mask = Image.new("1", (frame.size,) * 2)
    pen = ImageDraw.Draw(mask)
    for arrow in arrows:
        pen.polygon(arrow.outline(frame, HALO), fill=1)
    return np.asarray(mask)


def look(pieces: Sequence[Piece], arrows: Sequence[Pointer]) -> tuple[Sight, list[Piece | None]]:
    """What the picture with its arrows tells, and which parts the arrows point at; None for a tip on no part that can be recognised."""
    stage = stage_for(pieces)
    sight = stage.look(pieces, hidden=covered(stage.frame, arrows))
    index, _ = stage.compose(pieces)
    found: list[Piece | None] = []
    for arrow in arrows:
        number = _under_tip(arrow, stage.frame, index)
        piece = None if number is None else pieces[number]
        clear = piece in sight.pieces and sight.seen[piece] >= CLEAR * stage.sprite(piece).area if piece else False
        found.append(piece if clear else None)
    return sight, found


def candidates(pieces: Sequence[Piece], families: Iterable[str]) -> dict[Piece, Pointer]:
    """Parts of these families that an arrow can point at, the base left out: onto their most central bare stud, from where it hides least."""
    stage = stage_for(pieces)
    index, _ = stage.compose(pieces)
    found = {}
    for number, piece in enumerate(pieces):
        if number == 0 or piece.kind.family not in families:
            continue
        studs = [stud for stud in sorted(piece.studs()) if stage.sees(pieces, [stud])]
        arrows = [Pointer(*stud, source) for stud in studs[:: max(1, len(studs) // 2)] for source in SOURCES]
        on_it = [arrow for arrow in arrows if _is_on(arrow, stage.frame, index, number)]
        if on_it:
            found[piece] = min(on_it, key=lambda arrow: int((covered(stage.frame, [arrow]) & (index >= 0)).sum()))
    return found


def _is_on(arrow: Pointer, frame: Frame, index: npt.NDArray[np.int16], number: int) -> bool:
    """Is the whole arrow in the picture, and its tip on this part?"""
    edge = 0.01 * frame.size
    inside = all(edge <= value <= frame.size - edge for corner in arrow.outline(frame, HALO) for value in corner)
    return inside and _under_tip(arrow, frame, index) == number


def _under_tip(arrow: Pointer, frame: Frame, index: npt.NDArray[np.int16]) -> int | None:
    """The part that all pixels about the tip show; None where they show several, or paper."""
    x, y = map(int, arrow.tip(frame))
    numbers = set(index[y - 1 : y + 2, x - 2 : x + 3].flat)
    return int(numbers.pop()) if len(numbers) == 1 and -1 not in numbers else None


def apart(one: Pointer, other: Pointer, frame: Frame) -> bool:
    """Is no end of one arrow near an end of the other, and does neither cover any of the other?"""
    ends = [[arrow.tip(frame), _tail(arrow, frame)] for arrow in (one, other)]
    near = (NEAR * frame.size) ** 2
    if any((x - u) ** 2 + (y - v) ** 2 < near for x, y in ends[0] for u, v in ends[1]):
        return False
    return not (covered(frame, [one]) & covered(frame, [other])).any()


NEAR = 0.08
"""Between the arrows' ends, as a share of the picture's side."""


def _tail(arrow: Pointer, frame: Frame) -> Point:
    (x, y), (dx, dy) = arrow.tip(frame), SOURCES[arrow.source]
    return x + dx * LENGTH * frame.size, y + dy * LENGTH * frame.size


def draw_with_arrows(pieces: Sequence[Piece], arrows: Sequence[Pointer]) -> Picture:
    """The model, and over it a red and a blue arrow with white halos."""
    frame = frame_for(pieces, SIZE)
    image = picture(pieces, frame).open()
    for arrow, color in zip(arrows, COLORS, strict=True):
        for halo, paint in ((HALO, PAPER), (0.0, ARROWS[color])):
            image.paste(paint, mask=_smooth(arrow.outline(frame, halo)))
    return Picture.from_image(image)


def _smooth(outline: list[Point]) -> Image.Image:
    from PIL import Image, ImageDraw

    mask = Image.new("L", (SIZE * SMOOTH,) * 2)
    ImageDraw.Draw(mask).polygon([(round(x * SMOOTH), round(y * SMOOTH)) for x, y in outline], fill=255)
    return mask.reduce(SMOOTH)


def shuffled(rng: Random, pair: tuple[Pointer, Pointer]) -> tuple[Pointer, Pointer]:
    """Which of the two is red is drawn."""
    first, second = rng.sample(pair, 2)
    return first, second

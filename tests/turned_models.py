"""Models turned in space before a camera that stays where it is: a second method beside the generators, which move the camera instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np
from PIL import Image

from cogsight.lego_puzzles.generate import multiview, rotation
from cogsight.lego_puzzles.generate.growing import Kit
from cogsight.lego_puzzles.generate.pieces import Model, Piece
from cogsight.lego_puzzles.generate.turntable import PIXELS, frame_for, turned
from cogsight.lego_puzzles.generate.views import CAMERA, picture, scene
from cogsight.shared.build import LOOK_ALIKE, difference
from cogsight.shared.render.camera import Frame
from cogsight.shared.render.draw import INSTRUCTION, Style, draw
from cogsight.shared.render.mesh import Floats
from cogsight.shared.render.palette import PALETTE
from cogsight.shared.sample import Picture

CORNERS = {"left": "red", "near": "blue", "right": "yellow", "far": "green"}
"""Of `GUIDE`, as the usual camera sees it: the colour of the brick there."""

GUIDE = (
    Piece.parse("grey plate_8x8 0,0,0 r0"),
    *(
        Piece.parse(f"{color} brick_1x1 {place},1 r0")
        for color, place in zip(CORNERS.values(), ("0,0", "7,0", "7,7", "0,7"), strict=True)
    ),
)
"""A square plate with a brick on each corner."""


@dataclass(frozen=True)
class Always:
    """A source of one model."""

    pieces: tuple[Piece, ...]

    def model(self, rng: Random, kit: Kit) -> Model:
        return Model((self.pieces,))


def spots(picture: Picture) -> dict[str, Floats]:
    """Name of a corner of `GUIDE` → the middle of its brick in a picture, (2,): x to the right, y down."""
    pixels = np.asarray(picture.open().convert("HSV")).astype(int)
    found = {}
    for corner, color in CORNERS.items():
        hue = int(np.asarray(Image.new("RGB", (1, 1), PALETTE[color]).convert("HSV"))[0, 0, 0])
        apart = np.abs((pixels[..., 0] - hue + 128) % 256 - 128)
        rows, columns = np.nonzero((apart < 10) & (pixels[..., 1] > 120))
        found[corner] = np.array([columns.mean(), rows.mean()])
    return found


def clockwise(degrees: float) -> Floats:
    """A turn about the vertical, clockwise seen from above: at 90 what lay to the east lies to the south. (3, 3)."""
    s, c = np.sin(np.radians(degrees)), np.cos(np.radians(degrees))
    return np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])


def tipped() -> Floats:
    """The model's upper side brought before the camera, its near side down: a turn about the camera's horizontal axis. (3, 3)."""
    right, _, towards = CAMERA.axes()
    away = np.cross([0, 0, 1], right)
    return np.stack([right, CAMERA.axes()[1], towards], 1) @ np.stack([right, away, [0, 0, 1]])


VIEWS = {"left": clockwise(-90), "right": clockwise(90), "back": clockwise(180), "top": tipped()}
"""View of Multiview → how the model is turned to show the same to a camera that stays."""


def fitting_turns(state: rotation.State) -> tuple[frozenset[str], list[float]]:
    """The options that fit, and how far each is off: the model is turned in space by each of the angles, and drawn."""
    camera = turned(CAMERA, state.angle)
    frame = frame_for(state.pieces, [CAMERA, camera], PIXELS)
    second = picture(state.pieces, frame, camera=camera).open()
    made = [turned_picture(state.pieces, frame, clockwise(angle)) for angle in state.options]
    off = [difference(one.open(), second) for one in made]
    return _within(LOOK_ALIKE, off), off


def fitting_views(state: multiview.State) -> tuple[frozenset[str], list[float]]:
    """Likewise: the model is turned in space to show the side asked for, and drawn; without shadows, which follow the camera.

    What is tipped to be seen from above is not lit from where the model is, so that slopes would have other shades there.
    """
    frame, style = state.frame(PIXELS), UNLIT if state.view == "top" else INSTRUCTION
    right = turned_picture(state.pieces, frame, VIEWS[state.view], style).open()
    shown = [
        picture(pieces, frame, camera=multiview.VIEWS[view], style=style)
        for pieces, view in zip(state.options, state.views, strict=True)
    ]
    off = [difference(right, one.open()) for one in shown]
    return _within(LOOK_ALIKE, off), off


UNLIT = replace(INSTRUCTION, lighting=replace(INSTRUCTION.lighting, ambient=1.0, sun=0.0))
"""Every side of a part has the part's own colour."""


def _within(limit: float, off: Sequence[float]) -> frozenset[str]:
    return frozenset(letter for letter, share in zip("ABCD", off, strict=True) if share < limit)


def turned_picture(pieces: Sequence[Piece], frame: Frame, turn: Floats, style: Style = INSTRUCTION) -> Picture:
    """The model turned about the frame's middle, from the usual camera."""
    middle, place = np.array(frame.target), np.eye(4)
    place[:3, :3], place[:3, 3] = turn, middle - turn @ middle
    return Picture.from_image(draw(scene(pieces).placed(place), camera=CAMERA, frame=frame, style=style))

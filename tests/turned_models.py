"""Models turned in space before a camera that stays where it is: a second method beside the generators, which move the camera instead."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import Image

from cogsight.lego_puzzles.generate.pieces import Piece
from cogsight.lego_puzzles.generate.views import CAMERA, scene
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


def turned_picture(pieces: Sequence[Piece], frame: Frame, turn: Floats, style: Style = INSTRUCTION) -> Picture:
    """The model turned about the frame's middle, from the usual camera."""
    middle, place = np.array(frame.target), np.eye(4)
    place[:3, :3], place[:3, 3] = turn, middle - turn @ middle
    return Picture.from_image(draw(scene(pieces).placed(place), camera=CAMERA, frame=frame, style=style))

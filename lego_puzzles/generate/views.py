"""Pictures of pieces: one fixed camera per question, and a frame that all its pictures share, so that neither scale nor crop tells them apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from cogsight.shared.render.camera import Camera, Frame, fit
from cogsight.shared.render.draw import INSTRUCTION, Style, draw
from cogsight.shared.render.mesh import Floats, Mesh, join
from cogsight.shared.render.palette import MARK, PALETTE, Color
from cogsight.shared.render.solids import cylinder
from cogsight.shared.sample import Picture

from .pieces import QUARTERS, Piece, footprint
from .shapes import PLATE_HEIGHT, STUD_HEIGHT, STUD_RADIUS, Cell, body, stud

VERSION = "2"
"""Changes when the same pieces give other pixels, by what this module or `shapes.py` says."""

CAMERA = Camera(azimuth=-60, elevation=30)
"""As booklets show a model: from above, a corner in front, the nearer side on the left."""

SIZE, MARGIN, PART_SIZE = 400, 14, 200
"""Pixels: of a picture, of its rim, and of a picture that shows one part."""

NO_MARKS: Mapping[Cell, str] = MappingProxyType({})

PAINT = 1.15, 1.2
"""How much wider and higher than a stud the paint on it is."""

LARGEST = 34.0
"""Pixels per stud that no picture goes beyond: small models stay small."""


def mesh_of(piece: Piece, part: int = 0) -> Mesh:
    """The piece at its place, in studs, with all its studs."""
    if piece.is_grown:
        return _grown_mesh(piece, part)
    from .real import mesh_of as real_mesh  # not kept: these are large, and soon placed

    return real_mesh(piece, part)


def _grown_mesh(piece: Piece, part: int, covered: frozenset[Cell] = frozenset()) -> Mesh:
    """`covered`: cells whose studs are left out."""
    studs = frozenset((x - piece.x, y - piece.y, z - piece.z) for x, y, z in piece.studs() - covered)
    shift = _shift(piece.x, piece.y, piece.z * PLATE_HEIGHT)
    return _uncolored(piece.shape, piece.turn, studs).placed(shift, color=rgb(piece.color), part=part)


@lru_cache(maxsize=1024)  # a part is looked at in hundreds of places, and what is made of its studs is the same
def _uncolored(shape: str, turn: str, studs: frozenset[Cell]) -> Mesh:
    """A kind of part at the origin, with these studs."""
    placed = [stud().placed(_shift(x + 0.5, y + 0.5, z * PLATE_HEIGHT)) for x, y, z in sorted(studs)]
    return join([body(shape).placed(matrix(Piece("grey", shape, 0, 0, 0, turn))), *placed])


def matrix(piece: Piece) -> Floats:
    """From the catalogue's space, in studs, to the world's: (4, 4)."""
    a, b, c, d = QUARTERS[piece.turn]
    w, depth, _ = piece.kind.size
    corner = np.array([(min(0, a * w) + min(0, b * depth)), (min(0, c * w) + min(0, d * depth))])
    result = np.eye(4)
    result[:2, :2] = (a, b), (c, d)
    result[:3, 3] = piece.x - corner[0], piece.y - corner[1], piece.z * PLATE_HEIGHT
    return result


def rgb(color: str) -> Color:
    """Of a palette name, or of "mark": what a question paints to point at it."""
    return MARK if color == "mark" else PALETTE[color]


def box(piece: Piece) -> tuple[Floats, Floats]:
    """The least and the greatest x, y, z of the piece, studs on top included, in studs."""
    if not piece.is_grown:
        points = mesh_of(piece).points()
        return points.min(0), points.max(0)
    w, d = footprint(piece)
    low = np.array([piece.x, piece.y, piece.z * PLATE_HEIGHT])
    return low, low + np.array([w, d, piece.kind.size[2] * PLATE_HEIGHT + STUD_HEIGHT])


def corners(piece: Piece) -> Floats:
    """The eight corners of the box around it, studs on top included, (8, 3), in studs."""
    low, high = box(piece)
    return np.array(
        [[(low, high)[i][0], (low, high)[j][1], (low, high)[k][2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    )


def frame_of(
    pieces: Iterable[Piece], *, cameras: Sequence[Camera] = (CAMERA,), size: int = SIZE, margin: float = MARGIN
) -> Frame:
    """The frame in which all these pieces fit: give it those of every picture that is compared."""
    points = np.concatenate([corners(piece) for piece in set(pieces)])
    return fit(points, cameras=cameras, size=size, margin=margin, max_scale=LARGEST)


def resized(frame: Frame, size: int) -> Frame:
    """The same picture, larger or smaller: rim, crop and scale keep their share of it, which `frame_of` at another size does not."""
    return replace(frame, size=size, scale=frame.scale * size / frame.size)


def picture(
    pieces: Iterable[Piece],
    frame: Frame,
    *,
    camera: Camera = CAMERA,
    style: Style = INSTRUCTION,
    marks: Mapping[Cell, str] = NO_MARKS,
) -> Picture:
    """These pieces, drawn. `marks`: cell that a stud fills → colour in which its top is painted, to point it out."""
    drawn = join([scene(pieces), *(mark(cell, color) for cell, color in sorted(marks.items()))])
    return Picture.from_image(draw(drawn, camera=camera, frame=frame, style=style))


def mark(cell: Cell, color: str = "mark") -> Mesh:
    """Paint all over the stud that fills this cell."""
    x, y, z = cell
    paint = cylinder(STUD_RADIUS * PAINT[0], 0, STUD_HEIGHT * PAINT[1], sides=16)
    return paint.placed(_shift(x + 0.5, y + 0.5, z * PLATE_HEIGHT), color=rgb(color), part=-1)


def part_picture(piece: Piece, *, camera: Camera = CAMERA, size: int = PART_SIZE) -> Picture:
    """One part by itself, as a booklet's parts list shows it, in the turn it has."""
    alone = piece.at(0, 0, 0)
    return picture([alone], frame_of([alone], cameras=[camera], size=size), camera=camera)


def scene(pieces: Iterable[Piece]) -> Mesh:
    """All of them as one mesh. Part i is piece i. Studs under a part are left out: a round one is no wider than they reach."""
    listed = list(pieces)
    filled = frozenset(cell for piece in listed if piece.is_grown for cell in piece.cells())
    return join([_grown_mesh(p, i, p.studs() & filled) if p.is_grown else mesh_of(p, i) for i, p in enumerate(listed)])


def _shift(x: float, y: float, z: float) -> Floats:
    result = np.eye(4)
    result[:3, 3] = x, y, z
    return result

"""Boxes on a grid, with studs and black edges, in the style of printed building steps: exact painter's order on Pillow.

Every box is cut into unit cells, one stud wide and one plate high. Seen from above and in front, cell (x, y, z) can only hide
cells with smaller z, or with equal z and smaller x + y; so painting by (z, x + y) is right, always, with no search and no cycles
(whole boxes of mixed heights do have cyclic occlusions). A stud fills an empty cell above its box and is painted as that cell.
Edges are drawn where a *box's* face ends, so the cuts are not seen.

All coordinates are integers from the model to the subpixel, so no rounding of floats can change a picture.
World: x to the right and towards the viewer, y to the left and towards the viewer, z up, in studs, studs and plates.
Lattice: u to the right, v down; A, B, C units per step. Pixels: `Frame`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from .palette import ARROWS, EDGE, MARK, PALETTE, PAPER, Color, shade

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

VERSION = "1"
"""Changes when any picture changes by a pixel."""

A, B, C = 70, 37, 34
"""Lattice units that one stud goes right and down, and one plate goes up: a stud pitch of 99, seen from 32 degrees above, at the
proportions of real bricks. 2·B·k = C·n has no solution below k = 17: corners that meet in a picture also meet in space."""

STUD_RADIUS_U, STUD_RADIUS_V, STUD_HEIGHT = 30, 16, 18
"""Of the stud's ellipse and side, lattice units."""

SUPERSAMPLING = 4
EDGE_WIDTH = 6
"""Subpixels."""
SCALE_UNIT = 1024

Cell = tuple[int, int, int]
Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Box:
    """A box at (x, y, z), w by d studs wide and h plates high."""

    x: int
    y: int
    z: int
    w: int
    d: int
    h: int
    color: str
    """A name in `PALETTE`."""
    studs: bool = True

    def __post_init__(self) -> None:
        if min(self.w, self.d, self.h) < 1 or self.color not in PALETTE:
            raise ValueError(f"{self}: sizes start at 1, colours are {', '.join(PALETTE)}")

    def cells(self) -> Iterator[Cell]:
        """The unit cells that it fills."""
        for x in range(self.x, self.x + self.w):
            for y in range(self.y, self.y + self.d):
                for z in range(self.z, self.z + self.h):
                    yield x, y, z


class Face(NamedTuple):
    """One visible side of one unit cell."""

    x: int
    y: int
    z: int
    side: str
    """"top", "right" (towards +x) or "left" (towards +y)."""


@dataclass(frozen=True, slots=True)
class Side:
    """Geometry of the unit faces that look one way."""

    normal: Cell
    corners: tuple[Cell, Cell, Cell, Cell]
    """In turn; corner i and the next bound edge i."""
    beyond: tuple[Cell, Cell, Cell, Cell]
    """Step to the neighbouring face of the same side across edge i."""
    light: int
    """Percent."""
    area: int
    """Square lattice units."""


SIDES = {
    "top": Side(
        (0, 0, 1),
        ((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)),
        ((0, -1, 0), (1, 0, 0), (0, 1, 0), (-1, 0, 0)),
        100,
        2 * A * B,
    ),
    "right": Side(
        (1, 0, 0),
        ((1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 0, 1)),
        ((0, 0, -1), (0, 1, 0), (0, 0, 1), (0, -1, 0)),
        66,
        A * C,
    ),
    "left": Side(
        (0, 1, 0),
        ((0, 1, 0), (1, 1, 0), (1, 1, 1), (0, 1, 1)),
        ((0, 0, -1), (1, 0, 0), (0, 0, 1), (-1, 0, 0)),
        82,
        A * C,
    ),
}


@dataclass(frozen=True, slots=True)
class Arrow:
    """A straight arrow that ends on a point of the picture."""

    tip: Point
    """Lattice."""
    towards: Point
    """From the tip to the tail, thousandths of the unit vector, v down."""
    color: str
    """A name in `ARROWS`."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Which part of the lattice a square picture shows. Pictures that are compared share one frame: equal scale, equal crop."""

    size: int
    """Pixels."""
    scale: int
    """Subpixels per `SCALE_UNIT` lattice units."""
    left: int
    top: int
    """Subpixels of the lattice's origin."""

    def at(self, point: Point) -> Point:
        """Lattice → subpixels."""
        return self.left + point[0] * self.scale // SCALE_UNIT, self.top + point[1] * self.scale // SCALE_UNIT


def project(x: int, y: int, z: int) -> Point:
    """World → lattice.

    >>> project(1, 0, 0), project(0, 0, 1)
    ((70, 37), (0, -34))
    """
    return (x - y) * A, (x + y) * B - z * C


def corners(face: Face) -> list[Point]:
    """The four corners of a face in the picture, lattice units, in the order of `Side.corners`."""
    return [project(face.x + i, face.y + j, face.z + k) for i, j, k in SIDES[face.side].corners]


def fit(scenes: Iterable[Sequence[Box]], *, size: int, margin: int = 20, max_pitch: int = 40) -> Frame:
    """The frame in which all the scenes fit, as large as they can be.

    `size` and `margin` in pixels; a stud's pitch gets at most `max_pitch` pixels, so that one small part does not fill the picture.
    """
    points = [
        project(x, y, z)
        for scene in scenes
        for box in scene
        for x in (box.x, box.x + box.w)
        for y in (box.y, box.y + box.d)
        for z in (box.z, box.z + box.h)
    ]
    if not points:
        raise ValueError("no box in any scene: nothing to frame")
    low_u, high_u = min(u for u, _ in points), max(u for u, _ in points)
    low_v, high_v = min(v for _, v in points) - STUD_HEIGHT, max(v for _, v in points)
    room = (size - 2 * margin) * SUPERSAMPLING * SCALE_UNIT
    scale = min(room // max(high_u - low_u, high_v - low_v), max_pitch * SUPERSAMPLING * SCALE_UNIT // 99)
    middle = size * SUPERSAMPLING // 2
    return Frame(
        size,
        scale,
        middle - (low_u + high_u) * scale // (2 * SCALE_UNIT),
        middle - (low_v + high_v) * scale // (2 * SCALE_UNIT),
    )


def paint(
    boxes: Sequence[Box], *, frame: Frame, marked: Collection[Cell] = (), arrows: Sequence[Arrow] = ()
) -> Image.Image:
    """The picture, RGB, `frame.size` pixels square. Boxes must not overlap.

    The studs on top of the `marked` cells are drawn in the colour `MARK`. Arrows lie over everything.
    """
    from PIL import Image, ImageDraw

    side = frame.size * SUPERSAMPLING
    image = Image.new("RGB", (side, side), PAPER)
    pen = ImageDraw.Draw(image)
    owner = owners(boxes)
    for item in _in_order(boxes, owner):
        box = boxes[owner[item.x, item.y, item.z]]
        color = PALETTE[box.color]
        if item.side == "stud":
            _stud(pen, frame, item, MARK if item[:3] in marked else color)
        else:
            pen.polygon([frame.at(point) for point in corners(item)], fill=shade(color, SIDES[item.side].light))
            _edges(pen, frame, item, owner)
    for arrow in arrows:
        _arrow(pen, frame, arrow)
    return image.reduce(SUPERSAMPLING)


def survey(boxes: Sequence[Box], *, frame: Frame, arrows: Sequence[Arrow] = ()) -> dict[Face, int]:
    """What can be seen: each face with a visible part → how much of its area is visible, percent.

    Counted in the same painter's order, with a colour per face, so that it says what the picture shows.
    """
    image, faces = face_image(boxes, frame=frame, arrows=arrows)
    counts = {color: count for count, color in image.getcolors(image.width * image.height) or ()}
    unit = SCALE_UNIT * SURVEY_STEP
    seen = {face: counts.get(_numbered(n), 0) for n, face in enumerate(faces, 1)}
    return {
        face: min(100, 100 * count * unit * unit // (SIDES[face.side].area * frame.scale * frame.scale))
        for face, count in seen.items()
        if count
    }


SURVEY_STEP = 2
"""Subpixels per pixel of the survey's image."""


def face_image(
    boxes: Sequence[Box], *, frame: Frame, arrows: Sequence[Arrow] = (), step: int = SURVEY_STEP
) -> tuple[Image.Image, list[Face]]:
    """A picture without edges in which the pixels of face number n are (n // 65536, n // 256 % 256, n % 256); 0 is none.

    A stud counts as the top face that it stands on. Numbers start at 1; `step` is the size of a pixel in subpixels.
    """
    from PIL import Image, ImageDraw

    side = frame.size * SUPERSAMPLING // step
    coarse = Frame(frame.size, frame.scale // step, frame.left // step, frame.top // step)
    image = Image.new("RGB", (side, side), (0, 0, 0))
    pen = ImageDraw.Draw(image)
    owner = owners(boxes)
    faces: dict[Face, int] = {}
    for item in _in_order(boxes, owner):
        face = item._replace(side="top") if item.side == "stud" else item
        color = _numbered(faces.setdefault(face, len(faces) + 1))
        if item.side == "stud":
            _stud_shape(pen, coarse, item, 0, color, color)
        else:
            pen.polygon([coarse.at(point) for point in corners(item)], fill=color)
    for arrow in arrows:
        pen.polygon([(x // step, y // step) for x, y in _arrow_shape(frame, arrow, HALO)], fill=(0, 0, 0))
    return image, list(faces)


def face_at(image: Image.Image, faces: Sequence[Face], point: Point, step: int = SURVEY_STEP) -> Face | None:
    """The face at a point (subpixels) of a `face_image`; None on paper."""
    x, y = point[0] // step, point[1] // step
    red, green, blue = image.crop((x, y, x + 1, y + 1)).tobytes()
    number = red * 65536 + green * 256 + blue
    return faces[number - 1] if number else None


def owners(boxes: Sequence[Box]) -> dict[Cell, int]:
    """Cell → index of the box that fills it. Raises ValueError when two boxes overlap."""
    owner: dict[Cell, int] = {}
    for index, box in enumerate(boxes):
        for cell in box.cells():
            if owner.setdefault(cell, index) != index:
                raise ValueError(f"{box} and {boxes[owner[cell]]} both fill cell {cell}")
    return owner


def _in_order(boxes: Sequence[Box], owner: dict[Cell, int]) -> list[Face]:
    """Bare faces, and studs as faces of side "stud" with the cell that they stand on, from back to front."""
    items: list[tuple[int, int, int, int, Face]] = []
    for x, y, z in owner:
        for rank, (name, side) in enumerate(SIDES.items()):
            i, j, k = side.normal
            if (x + i, y + j, z + k) in owner:
                continue
            items.append((z, x + y, x, rank, Face(x, y, z, name)))
            if name == "top" and boxes[owner[x, y, z]].studs:
                items.append((z + 1, x + y, x, rank, Face(x, y, z, "stud")))
    return [item[-1] for item in sorted(items)]


def _edges(pen: ImageDraw.ImageDraw, frame: Frame, face: Face, owner: dict[Cell, int]) -> None:
    """The borders of the box's face that lie on this unit face, with round corners."""
    x, y, z = face[:3]
    index = owner[x, y, z]
    border = [owner.get((x + i, y + j, z + k)) != index for i, j, k in SIDES[face.side].beyond]
    points = [frame.at(point) for point in corners(face)]
    for i, drawn in enumerate(border):
        if drawn:
            pen.line([points[i], points[(i + 1) % 4]], fill=EDGE, width=EDGE_WIDTH)
            if border[i - 1]:
                _disc(pen, points[i], EDGE_WIDTH // 2)


def _disc(pen: ImageDraw.ImageDraw, center: Point, radius: int) -> None:
    x, y = center
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=EDGE)


def _stud(pen: ImageDraw.ImageDraw, frame: Frame, item: Face, color: Color) -> None:
    """A stud with its outline: the same shape twice, first larger and black."""
    half = EDGE_WIDTH // 2
    _stud_shape(pen, frame, item, half, EDGE, EDGE)
    _stud_shape(pen, frame, item, -half, shade(color, SIDES["left"].light), EDGE)
    _stud_top(pen, frame, item, -half, color)


def _stud_shape(
    pen: ImageDraw.ImageDraw, frame: Frame, item: Face, grow: int, side_color: Color, top_color: Color
) -> None:
    """Side and top of a stud, each grown by so many subpixels."""
    (x, y), (rx, ry), height = _stud_place(frame, item)
    pen.ellipse((x - rx - grow, y - ry - grow, x + rx + grow, y + ry + grow), fill=side_color)
    pen.rectangle((x - rx - grow, y - height, x + rx + grow, y), fill=side_color)
    _stud_top(pen, frame, item, abs(grow), top_color)


def _stud_top(pen: ImageDraw.ImageDraw, frame: Frame, item: Face, grow: int, color: Color) -> None:
    (x, y), (rx, ry), height = _stud_place(frame, item)
    y -= height
    pen.ellipse((x - rx - grow, y - ry - grow, x + rx + grow, y + ry + grow), fill=color)


def _stud_place(frame: Frame, item: Face) -> tuple[Point, Point, int]:
    """Centre of the stud's foot, radii, height, in subpixels."""
    (u0, v0), (u1, v1) = project(item.x, item.y, item.z + 1), project(item.x + 1, item.y + 1, item.z + 1)
    radii = (STUD_RADIUS_U * frame.scale // SCALE_UNIT, STUD_RADIUS_V * frame.scale // SCALE_UNIT)
    return frame.at(((u0 + u1) // 2, (v0 + v1) // 2)), radii, STUD_HEIGHT * frame.scale // SCALE_UNIT


ARROW_LENGTH, HEAD_LENGTH, ARROW_WIDTH, SHAFT_WIDTH, HALO = 72, 24, 22, 8, 2
"""Pixels."""


def _arrow(pen: ImageDraw.ImageDraw, frame: Frame, arrow: Arrow) -> None:
    pen.polygon(_arrow_shape(frame, arrow, HALO), fill=PAPER)
    pen.polygon(_arrow_shape(frame, arrow, 0), fill=ARROWS[arrow.color])


def _arrow_shape(frame: Frame, arrow: Arrow, halo: int) -> list[Point]:
    """Outline of the arrow in subpixels, grown by `halo` pixels on all sides but the tip."""
    x, y = frame.at(arrow.tip)
    along, across = arrow.towards, (-arrow.towards[1], arrow.towards[0])

    def point(back: int, aside: int) -> Point:
        """`back` and `aside` in half pixels, from the tip."""
        dx, dy = (along[i] * back + across[i] * aside for i in (0, 1))
        return x + dx * SUPERSAMPLING // 2000, y + dy * SUPERSAMPLING // 2000

    head, shaft, wide = 2 * (HEAD_LENGTH + halo), SHAFT_WIDTH + 2 * halo, ARROW_WIDTH + 3 * halo
    tail = 2 * (ARROW_LENGTH + halo)
    half = [(0, 0), (head, wide), (head, shaft), (tail, shaft)]
    return [point(back, aside) for back, aside in half] + [point(back, -aside) for back, aside in reversed(half[1:])]


def _numbered(n: int) -> Color:
    return n // 65536, n // 256 % 256, n % 256

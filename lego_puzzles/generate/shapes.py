"""The parts that grown models are made of: where each fills space, where it has studs, what it looks like.

Unit of space: a stud to the side (x, y), a plate upwards (z). A cell is one stud by one stud by one plate. As a part lies in the catalogue it
fills cells from (0, 0, 0) on; pieces turn it about the vertical. The geometry is our own, drawn after what such parts have in common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from cogsight.shared.render.edges import outlined, smoothed
from cogsight.shared.render.mesh import Floats, Mesh, join, mesh
from cogsight.shared.render.solids import box, cylinder, prism

Cell = tuple[int, int, int]
Point = tuple[float, float]

PLATE_HEIGHT = 0.4
"""Studs."""

TURNS = ("r0", "r1", "r2", "r3")
"""Quarter turns about the vertical, anticlockwise seen from above."""

STUD_RADIUS, STUD_HEIGHT = 0.29, 0.2
"""Studs. A wider one would peep out from under a round part."""

LIP = 0.15
"""Height of the lower edge of a slope, studs."""

ROUND_SIDES = 24
"""Of what is drawn as round."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind of part."""

    name: str
    """Such as "slope_2x2"."""
    title: str
    """As a builder says it: "2x2 slope"."""
    family: str
    """"brick", "plate", "tile", "slope", "round", … : what is easily confused is of one family, or of one size."""
    size: Cell
    """Studs, studs, plates."""
    cells: frozenset[Cell]
    """Space that no other part may fill."""
    studs: frozenset[Cell]
    """The cells on whose upper side a stud stands."""
    sockets: frozenset[Cell]
    """The cells whose under side takes a stud."""

    @property
    def turns(self) -> tuple[str, ...]:
        """The quarter turns that make a difference: the first so many of `TURNS`."""
        if self.family in ("brick", "plate", "tile", "round"):
            return TURNS[:1] if self.size[0] == self.size[1] else TURNS[:2]
        return TURNS[:2] if self.family in ("arch", "axle") else TURNS

    def alike(self, turn: str) -> str:
        """The one of `turns` in which the part is the same as in this one: a place has one text."""
        return self.turns[TURNS.index(turn) % len(self.turns)]


def _block(w: int, d: int, h: int) -> frozenset[Cell]:
    return frozenset((x, y, z) for x in range(w) for y in range(d) for z in range(h))


def _shape(
    family: str,
    w: int,
    d: int,
    h: int,
    *,
    title: str = "",
    studs: Callable[[int, int], bool] = lambda x, y: True,
    sockets: Callable[[int, int], bool] = lambda x, y: True,
    cells: frozenset[Cell] | None = None,
    name: str = "",
) -> Shape:
    """A part in a box of w x d studs and h plates, with studs and sockets on those columns."""
    columns = [(x, y) for x in range(w) for y in range(d)]
    small, large = sorted((w, d))
    return Shape(
        name or f"{family}_{small}x{large}",
        f"{small}x{large} {title or family}",
        family.split("_")[0],
        (w, d, h),
        _block(w, d, h) if cells is None else cells,
        frozenset((x, y, h - 1) for x, y in columns if studs(x, y)),
        frozenset((x, y, 0) for x, y in columns if sockets(x, y)),
    )


def _none(x: int, y: int) -> bool:
    return False


def _axle() -> Shape:
    """Four studs wide: a 2x2 plate between two wheels, which reach below and beside it."""
    plate = frozenset((x, y, 4) for x in (1, 2) for y in (0, 1))
    wheels = frozenset((x, y, z) for x in (0, 3) for y in (0, 1) for z in range(5))
    return Shape("axle_2x2", "2x2 plate with wheels", "axle", (4, 2, 5), plate | wheels, plate, frozenset())


def _catalogue() -> Iterable[Shape]:
    for w, d in ((1, 1), (1, 2), (1, 3), (1, 4), (1, 6), (2, 2), (2, 3), (2, 4), (2, 6)):
        yield _shape("brick", w, d, 3)
    plates = ((1, 1), (1, 2), (1, 3), (1, 4), (1, 6), (2, 2), (2, 3), (2, 4), (2, 6), (2, 8))
    for w, d in (*plates, (4, 4), (4, 6), (4, 8), (6, 6), (6, 8), (8, 8)):
        yield _shape("plate", w, d, 1)
    for w, d in ((1, 1), (1, 2), (1, 3), (1, 4), (2, 2), (2, 4)):
        yield _shape("tile", w, d, 1, studs=_none)
    for w in (1, 2, 3, 4):  # slopes fall towards y = 0
        yield _shape("slope", w, 2, 3, name=f"slope_{w}x2", studs=lambda x, y: y == 1)
    for w in (1, 2):
        yield _shape("slope_long", w, 3, 3, title="slope", name=f"slope_{w}x3", studs=lambda x, y: y == 2)
        yield _shape("overhang", w, 2, 3, title="inverted slope", name=f"overhang_{w}x2", sockets=lambda x, y: y == 1)
    yield _shape("wedge", 1, 1, 2, title="small slope", studs=_none)
    yield _shape("wedge", 2, 1, 2, title="small slope", studs=_none)
    yield _shape("round", 1, 1, 3, title="round brick", name="round_brick_1x1")
    yield _shape("round", 2, 2, 3, title="round brick", name="round_brick_2x2")
    yield _shape("round", 1, 1, 1, title="round plate", name="round_plate_1x1")
    yield _shape("round", 2, 2, 1, title="round plate", name="round_plate_2x2")
    yield _shape("round", 1, 1, 1, title="round tile", name="round_tile_1x1", studs=_none)
    yield _shape("round", 1, 1, 3, title="cone", name="cone_1x1")
    yield _shape("round", 2, 2, 3, title="cone", name="cone_2x2", studs=_none)
    opening = frozenset((x, 0, z) for x in (1, 2) for z in (0, 1))
    yield _shape("arch", 4, 1, 3, sockets=lambda x, y: x in (0, 3), cells=_block(4, 1, 3) - opening)
    yield _axle()


SHAPES: dict[str, Shape] = {shape.name: shape for shape in _catalogue()}
"""Name → part. At least 25 kinds."""


def _moved(x: float = 0, y: float = 0, z: float = 0) -> Floats:
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


ALONG_X: Floats = np.array([[0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
"""Lays a prism down: its outline (y, z) runs along x."""


@cache
def stud() -> Mesh:
    """Standing on the origin."""
    return cylinder(STUD_RADIUS, 0, STUD_HEIGHT, sides=16)


def _low_slope(w: int, run: int, height: float) -> Mesh:
    """Falls over `run` studs towards y = 0, then a full-height rim of one stud if any room is left."""
    outline = [(0.0, 0.0), (run + 1.0, 0.0), (run + 1.0, height), (float(run), height), (0.0, LIP)]
    return prism(outline, 0, w).placed(ALONG_X)


def _wedge(w: int) -> Mesh:
    return prism([(0.0, 0.0), (1.0, 0.0), (1.0, 2 * PLATE_HEIGHT), (0.0, LIP)], 0, w).placed(ALONG_X)


def _overhang(w: int) -> Mesh:
    height = 3 * PLATE_HEIGHT
    return prism([(1.0, 0.0), (2.0, 0.0), (2.0, height), (0.0, height), (0.0, height - LIP)], 0, w).placed(ALONG_X)


def _frustum(low: float, high: float, height: float) -> Mesh:
    """An upright cone, cut off; radii in studs."""
    turns = [2 * np.pi * i / ROUND_SIDES for i in range(ROUND_SIDES)]
    circle = np.array([(round(float(np.cos(a)), 12), round(float(np.sin(a)), 12), 0.0) for a in turns])
    floor, roof = circle * low, circle * high + (0, 0, height)
    after = [*range(1, ROUND_SIDES), 0]
    walls = [np.stack([floor, floor[after], roof[after]], 1), np.stack([floor, roof[after], roof], 1)]
    lids = [np.array([lid[[0, i, i + 1]] for i in range(1, ROUND_SIDES - 1)]) for lid in (floor, roof)]
    return smoothed(outlined(mesh(np.concatenate([*walls, *lids]))))


def _arch() -> Mesh:
    """Two feet and a vault of straight pieces, one solid: its lids are cut into convex pieces that share their corners."""
    height, foot, crown = 3 * PLATE_HEIGHT, 0.0, 1.6 * PLATE_HEIGHT
    vault: list[Point] = [(1.0, foot), (1.0, crown * 0.6), (1.4, crown), (2.6, crown), (3.0, crown * 0.6), (3.0, foot)]
    roof: list[Point] = [(1.0, height), (1.4, height), (2.6, height), (3.0, height)]
    quads: list[Sequence[Point]] = [
        [(0.0, 0.0), vault[0], vault[1], roof[0], (0.0, height)],
        *([vault[i + 1], vault[i + 2], roof[i + 1], roof[i]] for i in range(3)),
        [vault[5], (4.0, 0.0), (4.0, height), roof[3], vault[4]],
    ]
    outline = [(0.0, 0.0), *vault, (4.0, 0.0), (4.0, height), *reversed(roof), (0.0, height)]
    lid = [(q[0], q[i], q[i + 1]) for q in quads for i in range(1, len(q) - 1)]
    triangles = [[(x, y, z) for x, z in corners] for corners in lid for y in (0.0, 1.0)]
    for (x0, z0), (x1, z1) in zip(outline, [*outline[1:], outline[0]], strict=True):
        triangles += [[(x0, 0.0, z0), (x1, 0.0, z1), (x1, 1.0, z1)], [(x0, 0.0, z0), (x1, 1.0, z1), (x0, 1.0, z0)]]
    return smoothed(outlined(mesh(triangles)))


def _wheels() -> Mesh:
    wheel = cylinder(0.98, 0, 0.8, sides=ROUND_SIDES).placed(ALONG_X)
    tyres = [wheel.placed(_moved(x, 1, 0.98), color=(40, 40, 44)) for x in (0.1, 3.1)]
    hubs = [cylinder(0.45, 0, 0.06, sides=16).placed(ALONG_X).placed(_moved(x, 1, 0.98)) for x in (0.04, 3.9)]
    axle = box(2.2, 0.4, 0.4).placed(_moved(0.9, 0.8, 0.8))
    return join([*tyres, *hubs, axle, box(2, 2, PLATE_HEIGHT).placed(_moved(1, 0, 4 * PLATE_HEIGHT))])


def _round(radius: float, plates: int) -> Mesh:
    return cylinder(radius, 0, plates * PLATE_HEIGHT, sides=ROUND_SIDES).placed(_moved(radius, radius))


BODIES: dict[str, Callable[[Shape], Mesh]] = {
    "slope": lambda shape: _low_slope(shape.size[0], shape.size[1] - 1, 3 * PLATE_HEIGHT),
    "wedge": lambda shape: _wedge(shape.size[0]),
    "overhang": lambda shape: _overhang(shape.size[0]),
    "arch": lambda shape: _arch(),
    "axle": lambda shape: _wheels(),
    "round": lambda shape: _round(shape.size[0] / 2, shape.size[2]),
    "cone_1x1": lambda shape: _frustum(0.5, 0.32, 3 * PLATE_HEIGHT).placed(_moved(0.5, 0.5)),
    "cone_2x2": lambda shape: _frustum(1.0, 0.35, 3 * PLATE_HEIGHT).placed(_moved(1, 1)),
}
"""Part, or family of parts, that is no box → what it looks like without its studs."""


@cache
def body(name: str) -> Mesh:
    """The part without studs, as it lies in the catalogue, in studs; its colour is that of the piece."""
    shape = SHAPES[name]
    make = BODIES.get(name) or BODIES.get(shape.family)
    w, d, h = shape.size
    return make(shape) if make else box(w, d, h * PLATE_HEIGHT)

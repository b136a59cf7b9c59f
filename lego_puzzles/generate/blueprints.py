"""What models are of: vehicles, buildings, furniture and animals, each by a small grammar that puts parts where such a thing has them.

A grammar writes a plan: pieces at their places, in no particular order. Whatever does not fit, or hangs on nothing, is left out of it, so
a grammar may try. `growing.py` finds the order in which a plan is built. Things face y = 0; slopes in turn "r0" fall that way, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from .pieces import Piece
from .shapes import SHAPES, Cell

BRICK = 3
"""Plates."""

AWAY, LEFT, RIGHT, FRONT = "r2", "r3", "r1", "r0"
"""Turns of a slope, by the side to which it falls: the back, x = 0, the greatest x, y = 0."""


@dataclass(slots=True)
class Plan:
    """The pieces so far, and the draws that choose the next."""

    rng: Random
    colors: Sequence[str]
    pieces: list[Piece] = field(default_factory=list)
    filled: set[Cell] = field(default_factory=set)
    held: set[Cell] = field(default_factory=set)
    """Cells that a stud fills: what has a socket there is held."""

    def color(self) -> str:
        """Any of the model's."""
        return self.rng.choice(self.colors)

    def put(self, color: str, shape: str, x: int, y: int, z: int, turn: str = "r0") -> bool:
        """Adds the piece, if it meets no other and stands on the ground or on a stud; tells whether it has."""
        piece = Piece(color, shape, x, y, z, SHAPES[shape].alike(turn))
        cells = piece.cells()
        if z < 0 or cells & self.filled or (z > 0 and not piece.sockets() & self.held):
            return False
        self.pieces.append(piece)
        self.filled |= cells
        self.held |= piece.studs()
        return True

    def cover(self, color: str, family: str, x: int, y: int, z: int, w: int, d: int) -> None:
        """A rectangle of w x d studs, with the largest parts of a family that fit."""
        if w <= 0 or d <= 0:
            return
        shape, turn, a, b = next(_covering(family, w, d))
        self.put(color, shape, x, y, z, turn)
        self.cover(color, family, x + a, y, z, w - a, b)
        self.cover(color, family, x, y + b, z, w, d - b)

    def row(self, color: str, x: int, y: int, z: int, length: int, *, along_x: bool) -> None:
        """A course of bricks one stud wide, of lengths as they are drawn."""
        while length > 0:
            part = self.rng.choice([n for n in (1, 2, 2, 3, 3, 4, 4) if n <= length])
            self.put(color, f"brick_1x{part}", x, y, z, "r1" if along_x else "r0")
            x, y, length = (x + part, y, length - part) if along_x else (x, y + part, length - part)


def _covering(family: str, w: int, d: int) -> Iterator[tuple[str, str, int, int]]:
    """Parts that fit into w x d studs, largest first: name, turn, studs along x and y."""
    sizes = [shape.size[:2] for name, shape in SHAPES.items() if name.startswith(f"{family}_")]
    for a, b in sorted(sizes, key=lambda size: -size[0] * size[1]):
        if a <= w and b <= d:
            yield f"{family}_{a}x{b}", "r0", a, b
        if b <= w and a <= d:
            yield f"{family}_{a}x{b}", "r1", b, a


Grammar = Callable[[Plan, int], None]
"""(plan, about how many parts it shall have)."""


def vehicle(plan: Plan, parts: int) -> None:
    """Two axles, a chassis, a hood with lamps, a cabin, and a bed, a box or a boot behind it."""
    rng, body, roof, glass = plan.rng, plan.color(), plan.color(), plan.color()
    length, wide = (8, 4) if parts > 22 else (rng.choice((6, 8)), 2)
    left, deck = 1 - (wide - 2) // 2, 6
    for y in (0, length - 2):
        plan.put("grey", "axle_2x2", 0, y, 0)
    plan.cover(plan.color(), "plate", left, 0, deck - 1, wide, length)
    hood, cabin = 2, rng.choice((2, 3)) if length == 6 else rng.choice((2, 3, 4))
    _hood(plan, body, left, wide, deck)
    low = deck + rng.choice((0, BRICK)) * (parts > 16)
    if low > deck:
        for x in range(left, left + wide, 2):
            plan.cover(body, "brick", x, hood, deck, 2, cabin)
    if not (rng.random() < 0.6 and plan.put(glass, f"slope_{wide}x2", left, hood, low)):
        plan.cover(glass, "brick", left, hood, low, wide, 2)
    plan.cover(body, "brick", left, hood + 2, low, wide, cabin - 2)
    plan.cover(roof, "plate", left, hood + 1, low + BRICK, wide, cabin - 1)
    plan.cover(roof, "tile", left, hood + 1, low + BRICK + 1, wide, min(2, cabin - 1))
    _load(plan, left, hood + cabin, deck, wide, length - hood - cabin)


def _hood(plan: Plan, color: str, left: int, wide: int, deck: int) -> None:
    kind = plan.rng.choice(("slope", "plates", "brick"))
    for x in range(left, left + wide, 2):
        if kind == "slope":
            plan.put(color, "slope_2x2", x, 0, deck)
        else:
            plan.cover(color, "plate" if kind == "plates" else "brick", x, 0, deck, 2, 2)
    top = deck + {"slope": BRICK, "plates": 1, "brick": BRICK}[kind]
    for x in (left, left + wide - 1):
        plan.put(plan.color(), plan.rng.choice(("round_plate_1x1", "round_tile_1x1", "wedge_1x1")), x, 0, top)


def _load(plan: Plan, left: int, y: int, z: int, wide: int, depth: int) -> None:
    """What stands behind the cabin."""
    color, kind = plan.color(), plan.rng.choice(("bed", "box", "boot"))
    if kind == "bed":
        for x in (left, left + wide - 1):
            plan.row(color, x, y, z, depth, along_x=False)
        plan.put(plan.color(), "round_brick_1x1", left + wide // 2 - 1, y, z)
    elif kind == "box":
        for floor in range(plan.rng.choice((1, 2))):
            plan.cover(plan.color(), "brick", left, y, z + BRICK * floor, wide, depth)
    else:
        plan.cover(color, "plate", left, y, z, wide, depth)
        plan.put(color, f"slope_{min(wide, 4)}x2", left, y + depth - 2, z + 1, AWAY)


def building(plan: Plan, parts: int) -> None:
    """A house on a plate, with a door, windows and a roof, a chimney, and something that grows beside it."""
    rng, wall, roof = plan.rng, plan.color(), plan.color()
    w, d = rng.choice(((4, 4), (4, 5), (5, 4))) if parts > 18 else rng.choice(((3, 4), (4, 3), (4, 4)))
    base = "plate_6x8" if parts > 14 else "plate_6x6"
    plan.put("grey", base, 0, 0, 0)
    x, y = rng.choice((0, 1)), SHAPES[base].size[1] - d
    top = 1
    for floor in range(2 if parts > 24 else 1):
        _storey(plan, wall, x, y, top, w, d, door=floor == 0)
        top += BRICK
    _roof(plan, roof, x, y, top, w, d)
    _garden(plan, x, y, w)


def _storey(plan: Plan, color: str, x: int, y: int, z: int, w: int, d: int, *, door: bool) -> None:
    """Four walls of one brick's height; the front one has an opening."""
    for wall in (x, x + w - 1):
        plan.row(color, wall, y, z, d, along_x=False)
    plan.row(color, x + 1, y + d - 1, z, w - 2, along_x=True)
    gap = x + 1 + plan.rng.randrange(max(1, w - 3)) if door else -1
    for column in range(x + 1, x + w - 1):
        if column != gap:
            plan.put(color if door else plan.color(), "brick_1x1", column, y, z)


def _roof(plan: Plan, color: str, x: int, y: int, z: int, w: int, d: int) -> None:
    kind = plan.rng.choice(("flat", "gable", "flat"))
    plan.cover(color, "plate", x, y, z, w, d)
    if kind == "gable" and w == 4:
        for row in range(0, d - d % 2, 2):
            plan.put(color, "slope_2x2", x, y + row, z + 1, LEFT)
            plan.put(color, "slope_2x2", x + 2, y + row, z + 1, RIGHT)
        plan.cover(color, "plate", x + 1, y, z + 1 + BRICK, 2, d - d % 2)
    else:
        for column in (x, x + w - 1):
            plan.cover(plan.color(), "tile", column, y, z + 1, 1, d)
    top = max(k for i, j, k in plan.held if (i, j) == (x + 1, y + d - 2)) if plan.held else z
    plan.put(plan.color(), plan.rng.choice(("round_brick_1x1", "brick_1x1", "cone_1x1")), x + 1, y + d - 2, top)


def _garden(plan: Plan, x: int, y: int, w: int) -> None:
    """Before the house: a tree, a bush, a path."""
    free = [column for column in range(6) if not x <= column < x + w] or [plan.rng.choice((0, 5))]
    tree = free[0]
    if plan.put("brown", "round_brick_1x1", tree, 1, 1):
        plan.put("green", "cone_1x1", tree, 1, 1 + BRICK)
    bush = 5 if tree < 3 else 0
    if plan.put(plan.color(), "round_plate_1x1", bush, 0, 1):
        plan.put(plan.color(), plan.rng.choice(("round_plate_1x1", "round_tile_1x1")), bush, 0, 2)
    for step in range(y):
        plan.put(plan.color(), plan.rng.choice(("tile_1x2", "plate_1x2")), 2, step, 1, "r1")


def furniture(plan: Plan, parts: int) -> None:
    """A table with chairs, a bed, a sofa or shelves, on a plate that is the floor."""
    plan.put("grey", "plate_6x8" if parts > 16 else "plate_6x6", 0, 0, 0)
    plan.rng.choice((_table, _bed, _sofa, _shelves))(plan, parts)


def _table(plan: Plan, parts: int) -> None:
    wood, leg = plan.color(), plan.rng.choice(("round_brick_1x1", "brick_1x1"))
    for x, y in ((1, 2), (4, 2), (1, 5), (4, 5)):
        plan.put(wood, leg, x, y, 1)
    plan.put(plan.color(), "plate_4x4", 1, 2, 1 + BRICK)
    for x, y in ((1, 2), (3, 4), (4, 2), (1, 5)):
        plan.put(
            plan.color(),
            plan.rng.choice(("round_plate_1x1", "tile_1x1", "cone_1x1", "round_tile_1x1")),
            x,
            y,
            2 + BRICK,
        )
    seat = plan.color()
    if plan.put(seat, "brick_2x2", 2, 0, 1):
        plan.put(seat, "plate_1x2", 2, 0, 1 + BRICK, "r1")
        plan.put(plan.color(), "tile_1x2", 2, 1, 1 + BRICK, "r1")


def _bed(plan: Plan, parts: int) -> None:
    frame, cover = plan.color(), plan.color()
    for x, y in ((1, 0), (4, 0), (1, 5), (4, 5)):
        plan.put(frame, "brick_1x1", x, y, 1)
    for x in (1, 4):
        plan.put(frame, "brick_1x4", x, 1, 1)
    plan.put(frame, "brick_1x2", 2, 5, 1, "r1")
    plan.cover(cover, "plate", 1, 0, 1 + BRICK, 4, 6)
    plan.row(frame, 1, 5, 2 + BRICK, 4, along_x=True)
    for x in (1, 3):
        plan.put("white", "wedge_1x2", x, 4, 2 + BRICK)
    plan.cover(plan.color(), "tile", 1, 0, 2 + BRICK, 4, plan.rng.choice((2, 3)))


def _sofa(plan: Plan, parts: int) -> None:
    cloth, cushion = plan.color(), plan.color()
    plan.cover(cloth, "brick", 1, 2, 1, 4, 2)
    plan.row(cloth, 0, 4, 1, 6, along_x=True)
    for x in (0, 5):
        plan.put(cloth, "brick_1x2", x, 2, 1)
        plan.put(cloth, "tile_1x2", x, 2, 1 + BRICK)
    plan.row(cloth, 0, 4, 1 + BRICK, 6, along_x=True)
    for x in (1, 3):
        plan.put(cushion, "tile_2x2", x, 2, 1 + BRICK)
    plan.put(plan.color(), "brick_2x2", 2, 0, 1)
    plan.put(plan.color(), "tile_2x2", 2, 0, 1 + BRICK)
    plan.cover(plan.color(), "tile", 0, 4, 1 + 2 * BRICK, 6, 1)


def _shelves(plan: Plan, parts: int) -> None:
    wood, things = plan.color(), ("round_brick_1x1", "brick_1x1", "cone_1x1", "round_plate_1x1", "brick_1x2")
    z = 1
    for _ in range(3 if parts > 20 else 2):
        for x in (0, 5):
            plan.put(wood, "brick_1x2", x, 4, z)
        for x in plan.rng.sample(range(1, 5), 3):
            plan.put(plan.color(), plan.rng.choice(things), x, 4, z)
        plan.put(wood, "plate_2x6", 0, 4, z + BRICK, "r1")
        z += BRICK + 1
    for x in plan.rng.sample(range(6), 3):
        plan.put(plan.color(), plan.rng.choice(things), x, 4, z)
    plan.put(plan.color(), "round_brick_2x2", 1, 0, 1)
    plan.put(plan.color(), "round_plate_2x2", 1, 0, 1 + BRICK)


def animal(plan: Plan, parts: int) -> None:
    """Four legs, a body, a neck and a head with eyes, ears or horns, and a tail."""
    rng, fur, belly = plan.rng, plan.color(), plan.color()
    length, height = rng.choice((5, 7)) if parts > 14 else 5, rng.choice((1, 1, 2))
    for y in (1, length - 1):
        for x in (0, 1):
            for joint in range(height):
                plan.put(rng.choice((fur, belly)), "brick_1x1", x, y, joint * BRICK)
    z = height * BRICK
    plan.cover(belly, "plate", 0, 1, z, 2, length - 1)
    for _ in range(1 + (parts > 20)):
        plan.cover(fur, "brick", 0, 1, z + 1, 2, length - 1)
        z += BRICK
    z += 1
    for _ in range(rng.choice((0, 1, 2))):
        plan.put(fur, "brick_2x2", 0, 1, z)
        z += BRICK
    _head(plan, fur, z)
    back = z_top(plan, 0, length - 1)
    plan.put(plan.color(), rng.choice(("slope_2x2", "overhang_2x2")), 0, length - 2 + rng.choice((0, 1)), back, AWAY)
    plan.put(plan.color(), rng.choice(("tile_1x2", "plate_1x2", "wedge_1x2")), 0, 3, z_top(plan, 0, 3), "r0")


def _head(plan: Plan, fur: str, z: int) -> None:
    rng, face = plan.rng, plan.color()
    plan.put(face, "plate_2x3", 0, 0, z)
    plan.put(face, rng.choice(("slope_2x2", "brick_2x2")), 0, 0, z + 1)
    plan.put(fur, "brick_1x2", 0, 2, z + 1, "r1")
    ear = rng.choice(("wedge_1x1", "cone_1x1", "round_plate_1x1", "plate_1x1"))
    for x in (0, 1):
        plan.put(fur, ear, x, 2, z + 1 + BRICK)
        plan.put(plan.color(), "round_tile_1x1", x, 1, z + 1 + BRICK)


def z_top(plan: Plan, x: int, y: int) -> int:
    """Height at which the next part would stand on this column, plates."""
    return max((z for i, j, z in plan.held if (i, j) == (x, y)), default=0)


GRAMMARS: dict[str, Grammar] = {
    "vehicle": vehicle,
    "building": building,
    "furniture": furniture,
    "animal": animal,
}


def plan(rng: Random, kind: str, colors: Sequence[str], parts: int) -> tuple[Piece, ...]:
    """The pieces of such a thing, about so many of them, each held by one that comes before it or by the ground."""
    drawn = Plan(rng, colors)
    GRAMMARS[kind](drawn, parts)
    return tuple(drawn.pieces)

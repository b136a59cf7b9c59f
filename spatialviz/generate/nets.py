"""Cubes with printed faces and their nets: the eleven shapes, folding and unfolding. What the generators of folding tasks build with.

World: right-handed, x to the right, y away, z up. A face that lies flat is looked at on its printed side; where it goes on the cube is
a frame: which way its right and its down point there. Folding puts the print outside. Solvers have a method of their own, in `net_proof`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from random import Random

from .rotation_2d import KINDS

Cell = tuple[int, int]
"""Row and column."""

Vector = tuple[int, int, int]

Frame = tuple[Vector, Vector]
"""Where the right and the down of a printed face point on the cube."""

Face = str
"""What is printed: a colour "R"; a kind in `rotation_2d.KINDS` and its quarter turns "h1"; or nine dots by row "R.GK..B.R"."""

COLORS = {"R": "red", "Y": "yellow", "G": "green", "C": "turquoise", "B": "blue", "V": "violet"}
"""Letter → name in `PALETTE`."""

STEPS: tuple[Cell, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))


@dataclass(frozen=True, slots=True)
class Net:
    """Six printed squares that hold together by their sides. Text: "00R 01G 11B …", row, column and face of each."""

    faces: Mapping[Cell, Face]

    def __str__(self) -> str:
        return " ".join(f"{row}{column}{face}" for (row, column), face in sorted(self.faces.items()))

    def __hash__(self) -> int:
        return hash(str(self))

    @classmethod
    def parse(cls, text: str) -> Net:
        """Reads what `str` writes. Raises ValueError for what is no net of a cube."""
        faces = {(int(word[0]), int(word[1])): word[2:] for word in text.split(" ")}
        if len(faces) != 6 or len(frames(frozenset(faces))) != 6:
            raise ValueError(f"{text!r}: six squares that fold into a cube, each as row, column and face")
        return cls(faces)


def spun(face: Face, quarters: int) -> Face:
    """Turned clockwise.

    >>> spun("RGB......", 1), spun("h1", 1), spun("R", 1)
    ('..R..G..B', 'h0', 'R')
    """
    if len(face) == 2:
        return f"{face[0]}{(int(face[1]) + quarters) % KINDS[face[0]].turns}"
    for _ in range(quarters % 4 if len(face) == 9 else 0):
        face = "".join(face[3 * (2 - c) + r] for r in range(3) for c in range(3))
    return face


def flipped(face: Face) -> Face:
    """Mirrored, left to right.

    >>> flipped("RGB......"), flipped("d0")
    ('BGR......', 'd1')
    """
    if len(face) == 2:
        kind = KINDS[face[0]]
        return f"{face[0]}{(kind.flip - int(face[1])) % kind.turns}"
    return "".join(face[r : r + 3][::-1] for r in range(0, len(face), 3))


def negative(vector: Vector) -> Vector:
    """The other way."""
    x, y, z = vector
    return -x, -y, -z


def cross(one: Vector, other: Vector) -> Vector:
    """The vector product."""
    (a, b, c), (x, y, z) = one, other
    return b * z - c * y, c * x - a * z, a * y - b * x


def outward(frame: Frame) -> Vector:
    """Which way a face looks."""
    return cross(frame[1], frame[0])


ROLLS: dict[Cell, Callable[[Frame], Frame]] = {
    (0, 1): lambda frame: (negative(outward(frame)), frame[1]),
    (0, -1): lambda frame: (outward(frame), frame[1]),
    (1, 0): lambda frame: (frame[0], negative(outward(frame))),
    (-1, 0): lambda frame: (frame[0], outward(frame)),
}
"""Step in the net → the frame of the square that it leads to, bent backwards by a quarter."""

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
AXES: tuple[Vector, ...] = (X, Y, Z, negative(X), negative(Y), negative(Z))

ATTITUDES: tuple[Frame, ...] = tuple((r, d) for r, d in product(AXES, AXES) if cross(r, d) != (0, 0, 0))
"""The 24 frames: every way in which a cube can stand, told by one of its faces."""


START: Frame = (X, negative(Y))
"""Flat on the top, as it lies on the table."""


@cache
def frames(cells: frozenset[Cell], start: Frame = START) -> dict[Vector, tuple[Cell, Frame]]:
    """Side of the cube → the square that comes there and its frame; the first square begins at `start`.

    Fewer than six sides where squares fall on each other, or do not hold together.
    """
    first = min(cells)
    placed, queue = {first: start}, [first]
    for row, column in queue:
        for step, roll in ROLLS.items():
            beside = (row + step[0], column + step[1])
            if beside in cells and beside not in placed:
                placed[beside] = roll(placed[row, column])
                queue.append(beside)
    return {outward(frame): (cell, frame) for cell, frame in placed.items()}


@cache
def shapes() -> tuple[frozenset[Cell], ...]:
    """The nets of a cube in all their 4 turns and 2 mirrored forms, each at the origin, in a fixed order."""
    found = {frozenset({(0, 0)})}
    for _ in range(5):
        found = {
            _at_origin(cells | {(row + i, column + j)})
            for cells in found
            for row, column in cells
            for i, j in STEPS
            if (row + i, column + j) not in cells
        }
    return tuple(sorted((cells for cells in found if len(frames(cells)) == 6), key=sorted))


def kind(cells: frozenset[Cell]) -> tuple[Cell, ...]:
    """The same for two shapes exactly when one is the other turned or mirrored."""
    forms = []
    for mirror in (1, -1):
        turned = [(row, mirror * column) for row, column in cells]
        for _ in range(4):
            turned = [(column, -row) for row, column in turned]
            forms.append(tuple(sorted(_at_origin(turned))))
    return min(forms)


@cache
def by_kind() -> tuple[tuple[frozenset[Cell], ...], ...]:
    """The shapes, grouped: eleven groups."""
    groups: dict[tuple[Cell, ...], list[frozenset[Cell]]] = {}
    for cells in shapes():
        groups.setdefault(kind(cells), []).append(cells)
    return tuple(tuple(group) for _, group in sorted(groups.items()))


def _at_origin(cells: Iterator[Cell] | frozenset[Cell] | list[Cell]) -> frozenset[Cell]:
    cells = list(cells)
    top, left = (min(values) for values in zip(*cells, strict=True))
    return frozenset((row - top, column - left) for row, column in cells)


Cube = Mapping[Vector, Face]
"""Side → what is printed there, told in the side's frame in UPRIGHT."""

UPRIGHT: dict[Vector, Frame] = {
    Z: (X, negative(Y)),
    negative(Z): (X, Y),
    negative(Y): (X, negative(Z)),
    X: (Y, negative(Z)),
    Y: (negative(X), negative(Z)),
    negative(X): (negative(Y), negative(Z)),
}
"""Side → the frame in which it is looked at. Top and bottom have the front below or above them; the four others stand upright."""


def quarters(frame: Frame, seen: Frame) -> int:
    """Clockwise turns that make a face in `frame` look as it does to who looks at that side in the frame `seen`."""
    right, down = seen
    return (right, down, negative(right), negative(down)).index(frame[0])


def folded(net: Net, start: Frame = START) -> Cube:
    """The cube of a net whose first square begins at `start`."""
    placed = frames(frozenset(net.faces), start)
    return {side: spun(net.faces[cell], quarters(frame, UPRIGHT[side])) for side, (cell, frame) in placed.items()}


def unfolded(cube: Cube, cells: frozenset[Cell], start: Frame) -> Net:
    """The net of this shape that folds into the cube, its first square at `start`."""
    placed = frames(cells, start)
    return Net({cell: spun(cube[side], -quarters(frame, UPRIGHT[side])) for side, (cell, frame) in placed.items()})


def random_net(rng: Random, cube: Cube) -> Net:
    """A net of the cube, each of the eleven kinds as likely."""
    return unfolded(cube, rng.choice(rng.choice(by_kind())), rng.choice(ATTITUDES))


Corner = tuple[Face, Face, Face]
"""What a view shows: the top or the bottom, the front (on the left), and the right side, each in its frame in UPRIGHT."""


def corner(cube: Cube, *, above: bool) -> Corner:
    """The cube as it stands, from the front right, from above or from below."""
    return cube[Z if above else negative(Z)], cube[negative(Y)], cube[X]


def stances(net: Net) -> list[Cube]:
    """The 24 ways in which its cube can stand."""
    return [folded(net, attitude) for attitude in ATTITUDES]


def corners(net: Net, *, above: bool) -> set[Corner]:
    """All that can be seen of its cube from there."""
    return {corner(cube, above=above) for cube in stances(net)}


PICTURES = "hdtlfqe"
"""Kinds in KINDS that show how they are turned."""


def _colors(rng: Random) -> list[Face]:
    return rng.sample(sorted(COLORS), 6)


def _drawings(rng: Random) -> list[Face]:
    """At most one face that looks the same however it is turned."""
    kinds = [*rng.sample(PICTURES, 5), rng.choice([*PICTURES, "o"])]
    faces = {f"{name}{rng.randrange(KINDS[name].turns)}" for name in kinds}
    return rng.sample(sorted(faces), len(faces))


DOTS = "RGBYK"
"""Letters of COLORS, and black."""


def _dots(rng: Random) -> list[Face]:
    """Four to nine dots a face, none of which looks the same when it is turned, or mirrored, or like another one."""
    faces: list[Face] = []
    for _ in range(200):
        dots = [rng.choice(DOTS) for _ in range(rng.randint(4, 8))]
        face = "".join(rng.sample([*dots, *"." * (9 - len(dots))], 9))
        looks = [spun(one, turn) for one in (face, flipped(face)) for turn in range(4)]
        if len(set(looks)) == 8 and not set(looks) & set(faces):
            faces.append(face)
        if len(faces) == 6:
            break
    return faces


PRINTS: dict[str, Callable[[Random], list[Face]]] = {"colours": _colors, "drawings": _drawings, "dots": _dots}
"""What is on the six faces; fewer than six where the draw came to nothing."""


def random_cube(rng: Random, prints: str) -> Cube | None:
    """A cube printed at random; None where the draw came to nothing."""
    faces = PRINTS[prints](rng)
    return dict(zip(UPRIGHT, faces, strict=True)) if len(faces) == 6 else None


def mirrored(cube: Cube) -> Cube:
    """Its mirror image in a wall that changes front and right side: at the corner between them all is as in a mirror."""
    image = {(-x, y, z): flipped(face) for (x, y, z), face in cube.items()}
    return folded(unfolded(image, shapes()[0], START), (Y, X))


def with_swap(cube: Cube, one: Vector, other: Vector) -> Cube:
    """Two faces have changed places."""
    return {**cube, one: cube[other], other: cube[one]}


def plain(face: Face) -> Face:
    """The same for a face however it is turned."""
    return min(spun(face, turn) for turn in range(4))

"""Pieces: parts at their places. A model is a row of building steps, each of which adds pieces.

Space is right-handed: x and y in studs, z upwards in plates. A piece stands on whole numbers, upright, in one of four quarter turns.

A piece of a real model is a part of an LDraw file that `real.py` has read, turned anyhow. It has no cells, studs and sockets: whoever needs these
asks for grown models; whoever needs looks only takes both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from .shapes import SHAPES, TURNS, Cell, Shape

QUARTERS = {"r0": (1, 0, 0, 1), "r1": (0, -1, 1, 0), "r2": (-1, 0, 0, -1), "r3": (0, 1, -1, 0)}
"""The upper left (2, 2) of the rotation matrix, row by row."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Its text: colour, shape, place, turn: "red slope_2x2 3,4,6 r1"."""

    color: str
    """A name of the palette; of a real piece "#rrggbb" or "#rrggbbaa"."""
    shape: str
    """A name in `SHAPES`; of a real piece "{file}/{part}", percent-encoded."""
    x: int
    """The least x of its cells, as turned, studs; y likewise."""
    y: int
    z: int
    """Plates."""
    turn: str = "r0"
    """A name in `TURNS`; of a real piece "m" and twelve numbers with commas between, the rows of [R | t]: its matrix of rotation, and how far its
    origin lies from x, y, z, in studs and plates."""

    def __str__(self) -> str:
        return f"{self.color} {self.shape} {self.x},{self.y},{self.z} {self.turn}"

    @classmethod
    def parse(cls, text: str) -> Piece:
        """Reads what `str` writes. Raises ValueError on anything else.

        >>> Piece.parse("red slope_2x2 3,4,6 r1").name
        'red 2x2 slope'
        """
        try:
            color, shape, place, turn = text.split(" ")
            x, y, z = map(int, place.split(","))
        except ValueError:
            raise ValueError(f"{text!r}: expected a piece such as 'red brick_2x4 0,1,3 r0'") from None
        return cls(color, shape, x, y, z, turn)

    @property
    def is_grown(self) -> bool:
        """Is it of our own catalogue, on the grid?"""
        return self.shape in SHAPES

    @property
    def kind(self) -> Shape:
        """The part; grown pieces only."""
        return SHAPES[self.shape]

    @property
    def name(self) -> str:
        """As a builder says it."""
        if self.is_grown:
            return f"{self.color_name} {self.kind.title}"
        from .real import title

        return f"{self.color_name} {title(self.shape)}"

    @property
    def color_name(self) -> str:
        """Its colour in a word."""
        if self.is_grown:
            return self.color
        from .real import color_name

        return color_name(self)

    @property
    def top(self) -> int:
        """Height of its upper side above the ground, plates."""
        return self.z + self.kind.size[2]

    def cells(self) -> frozenset[Cell]:
        """The space it fills."""
        return _moved(self.kind.cells, self)

    def studs(self) -> frozenset[Cell]:
        """The cells that its studs fill, each above the cell that carries it."""
        return frozenset((x, y, z + 1) for x, y, z in _moved(self.kind.studs, self))

    def sockets(self) -> frozenset[Cell]:
        """The cells where a stud would hold it: its own lowest ones that are open below."""
        return _moved(self.kind.sockets, self)

    def at(self, x: int, y: int, z: int) -> Piece:
        """The same piece elsewhere."""
        return replace(self, x=x, y=y, z=z)

    def turned(self, quarters: int) -> Piece:
        """The same piece at the same least x and y, so many quarter turns further, anticlockwise."""
        return replace(self, turn=self.kind.alike(TURNS[(TURNS.index(self.turn) + quarters) % 4]))

    def moved(self, x: int = 0, y: int = 0, z: int = 0) -> Piece:
        """The same piece, so many studs and plates further."""
        return replace(self, x=self.x + x, y=self.y + y, z=self.z + z)


@cache
def _turned(cells: frozenset[Cell], size: Cell, turn: str) -> frozenset[Cell]:
    """About the vertical, then pushed back to the origin."""
    w, d, _ = size
    for _ in range(TURNS.index(turn)):
        cells = frozenset((d - 1 - y, x, z) for x, y, z in cells)
        w, d = d, w
    return cells


def _moved(cells: frozenset[Cell], piece: Piece) -> frozenset[Cell]:
    return frozenset((i + piece.x, j + piece.y, k + piece.z) for i, j, k in _turned(cells, piece.kind.size, piece.turn))


def footprint(piece: Piece) -> tuple[int, int]:
    """Studs along x and y, as it is turned."""
    w, d, _ = piece.kind.size
    return (w, d) if piece.turn in ("r0", "r2") else (d, w)


@dataclass(frozen=True, slots=True)
class Model:
    """Building steps, in order. Text: pieces with "; " between, steps with " / " between."""

    steps: tuple[tuple[Piece, ...], ...]

    def __str__(self) -> str:
        return " / ".join(text_of(step) for step in self.steps)

    @classmethod
    def parse(cls, text: str) -> Model:
        """Reads what `str` writes. Raises ValueError on anything else."""
        return cls(tuple(pieces_of(step) for step in text.split(" / ")))

    def state(self, number: int) -> tuple[Piece, ...]:
        """All pieces after so many steps: 0 is none, `len(steps)` all."""
        return tuple(piece for step in self.steps[:number] for piece in step)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """All, in building order."""
        return self.state(len(self.steps))


def text_of(pieces: Iterable[Piece]) -> str:
    """Pieces as one line, "; " between."""
    return "; ".join(map(str, pieces))


def pieces_of(text: str) -> tuple[Piece, ...]:
    """Reads what `text_of` writes; "" is no piece."""
    return tuple(map(Piece.parse, text.split("; "))) if text else ()


def describe(pieces: Iterable[Piece]) -> str:
    """A picture in words: "red 2x4 brick at 0,1,3; …"."""
    return "; ".join(f"{piece.name} at {piece.x},{piece.y},{piece.z}" for piece in pieces)


def an(name: str) -> str:
    """With its article.

    >>> an("orange 1x1 tile"), an("red 1x1 tile")
    ('an orange 1x1 tile', 'a red 1x1 tile')
    """
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def way(start: Piece, end: Piece) -> str:
    """From the one place to the other, as the camera of `views.CAMERA` sees it.

    >>> start = Piece.parse("red brick_2x2 0,0,3 r0")
    >>> way(start, start.moved(x=-2, z=1))
    '2 studs to the left, 1 plate higher'
    """
    steps = (
        (end.x - start.x, "stud", "to the right", "to the left"),
        (end.y - start.y, "stud", "to the back", "to the front"),
        (end.z - start.z, "plate", "higher", "lower"),
    )
    words = (
        f"{abs(count):g} {unit}{'s' * (abs(count) != 1)} {more if count > 0 else less}"
        for count, unit, more, less in steps
        if count
    )
    return ", ".join(words)


def fits(piece: Piece, others: Iterable[Piece]) -> bool:
    """Does it meet no cell of the others and stay above the ground?"""
    own = piece.cells()
    return piece.z >= 0 and not any(own & other.cells() for other in others)


def counted(number: int, noun: str) -> str:
    """A number of things, in words."""
    return f"{number} {noun}{'s' * (number != 1)}"


def links(one: Piece, other: Piece) -> bool:
    """Does a stud of either hold the other?"""
    return bool(one.studs() & other.sockets() or other.studs() & one.sockets())


def touch(one: Piece, other: Piece) -> bool:
    """Do two of their cells share a side?"""
    theirs = other.cells()
    return any(neighbour in theirs for cell in one.cells() for neighbour in neighbours(cell))


def neighbours(cell: Cell) -> Iterator[Cell]:
    """The six cells beside, above and below."""
    x, y, z = cell
    for i, j, k in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)):
        yield x + i, y + j, z + k


def holds_together(pieces: Sequence[Piece]) -> bool:
    """Are they one thing, each linked to each by studs, over others?"""
    queue, loose = list(pieces)[:1], list(pieces)[1:]
    for piece in queue:  # grows while it is walked
        joined = [other for other in loose if links(piece, other)]
        queue += joined
        loose = [other for other in loose if other not in joined]
    return not loose


def stands(pieces: Iterable[Piece]) -> bool:
    """Is their middle of mass above what they stand on: the hull of the cells on the ground?"""
    cells = [cell for piece in pieces for cell in piece.cells()]
    ground = {(x + i, y + j) for x, y, z in cells if z == 0 for i in (0, 1) for j in (0, 1)}
    if not ground:
        return False
    middle = (sum(x + 0.5 for x, _, _ in cells) / len(cells), sum(y + 0.5 for _, y, _ in cells) / len(cells))
    border = _hull(ground)
    return all(_left_of(middle, a, b) >= 0 for a, b in zip(border, [*border[1:], border[0]], strict=True))


def _left_of(point: tuple[float, float], start: tuple[float, float], end: tuple[float, float]) -> float:
    """Positive to the left of the way from start to end, negative to its right."""
    return (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0])


def _hull(points: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Corners of the convex hull, anticlockwise."""
    ordered = sorted(points)
    border: list[tuple[float, float]] = []
    for half in (ordered, ordered[::-1]):
        start = len(border)
        for point in half:
            while len(border) - start >= 2 and _left_of(point, border[-2], border[-1]) <= 0:
                border.pop()
            border.append(point)
        border.pop()
    return border

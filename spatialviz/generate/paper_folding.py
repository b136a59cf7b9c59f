"""Paper Folding (MentalFolding/PaperFolding): a sheet is folded two or three times and punched; where are the holes when it is opened?

Folds run along a border between cells or along a diagonal, and a flap always lands on paper, so that each picture tells its fold.
Holes are in the middle of cells; one on a diagonal crease is whole when the sheet is opened.

The options are the right pattern with neither, one, the other or both of two errors, and each error drops, adds or moves the holes of a
flap: seen by themselves all four are alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.render.canvas import Canvas
from cogsight.shared.render.palette import INK, PAPER, RULE
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .options import LETTERS, Option, arrange, figures, fitting
from .sheet import Panel, canvas, sheet

if TYPE_CHECKING:
    from PIL import Image

QUESTION = (
    "A square sheet of {side}×{side} cells is folded {folds} times. The pictures in the top row show it after each fold, the flap that was "
    "just folded over in a darker shade and the place of the whole sheet in thin grey lines. In the last picture of the top row holes are "
    "punched through all layers at the red circles. Black dots mark cells with a hole. Which figure shows the sheet when it is opened again?"
)

Cell = tuple[int, int]
"""Row and column, from the top left."""
Holes = frozenset[Cell]
Point = tuple[int, int]
"""x to the right and y down, from the top left, in units of which a cell has 6. The four triangles into which the diagonals cut a cell
stand for their centroids, which are whole numbers; every fold takes triangles to triangles."""


class Fold(NamedTuple):
    """Text: "v2-"."""

    line: str
    """h: y = at; v: x = at; d: y - x = at; a: x + y = at."""
    at: int
    """In cells."""
    side: str
    """What is folded over: "-" where the left side of that equation is smaller, "+" where it is larger."""

    def __str__(self) -> str:
        return f"{self.line}{self.at}{self.side}"

    @classmethod
    def parse(cls, text: str) -> Fold:
        """Reads what `str` writes."""
        return cls(text[0], int(text[1:-1]), text[-1])

    def moves(self, point: Point) -> bool:
        """Is the point on the flap?"""
        x, y = point
        beyond = {"h": y, "v": x, "d": y - x, "a": x + y}[self.line] - 6 * self.at
        return beyond > 0 if self.side == "+" else beyond < 0

    def mirror(self, point: Point) -> Point:
        """Across the crease."""
        (x, y), at = point, 6 * self.at
        return {"h": (x, 2 * at - y), "v": (2 * at - x, y), "d": (y - at, x + at), "a": (at - y, at - x)}[self.line]


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    side: int
    """Cells along the sheet."""
    folds: int
    holes: tuple[int, int]
    """Punched: fewest and most."""

    def __post_init__(self) -> None:
        if not (2 <= self.side <= 6 and 1 <= self.folds <= 3 and 1 <= self.holes[0] <= self.holes[1] <= self.side):
            raise ValueError(f"{self}: a side has 2 to 6 cells, there are 1 to 3 folds and 1 to {self.side} holes")


LEVELS = {"0": Config(3, 2, (1, 1)), "1": Config(4, 2, (2, 2)), "2": Config(5, 3, (2, 3))}
"""As in the release: 3×3 with two folds, 5×5 with three."""


@dataclass(frozen=True, slots=True)
class State:
    """What the sheet shows. Text: side, folds, punched cells and four patterns with " | " between."""

    side: int
    folds: tuple[Fold, ...]
    punched: Holes
    options: tuple[Holes, ...]

    def __str__(self) -> str:
        patterns = (" ".join(f"{r},{c}" for r, c in sorted(holes)) for holes in (self.punched, *self.options))
        return " | ".join([str(self.side), " ".join(map(str, self.folds)), *patterns])

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        side, folds, *patterns = text.split(" | ")
        punched, *options = (frozenset(map(_cell, pattern.split(" "))) for pattern in patterns)
        return cls(int(side), tuple(map(Fold.parse, folds.split(" "))), punched, tuple(options))


def _cell(text: str) -> Cell:
    row, column = text.split(",")
    return int(row), int(column)


def triangles(cells: Iterable[Cell]) -> frozenset[Point]:
    """The quarters of these cells."""
    return frozenset((6 * c + x, 6 * r + y) for r, c in cells for x, y in ((3, 1), (5, 3), (3, 5), (1, 3)))


def whole(side: int) -> frozenset[Cell]:
    """All cells of a sheet."""
    return frozenset((r, c) for r in range(side) for c in range(side))


def folded(paper: frozenset[Point], fold: Fold) -> tuple[frozenset[Point], frozenset[Point]]:
    """Where there is paper after the fold, and where the flap lies."""
    flap = frozenset(fold.mirror(point) for point in paper if fold.moves(point))
    return frozenset(point for point in paper if not fold.moves(point)) | flap, flap


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """The key, at `slot`; None when none of some draws comes to anything. Four of five do not: a fold too many, or holes that have no like."""
    return next(filter(None, (_drawn(rng, config, slot) for _ in range(DRAWS))), None)


DRAWS = 10
"""Of folds and holes, for one question."""


def _drawn(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """The key by opening: the last fold first, each layer of a hole goes back to where it came from."""
    folds, papers = [], [triangles(whole(config.side))]
    for _ in range(config.folds):
        possible = list(_folds(config.side, papers[-1]))
        if not possible:
            return None
        line = rng.choice(sorted({fold.line for fold in possible}))
        folds.append(rng.choice([fold for fold in possible if fold.line == line]))
        papers.append(folded(papers[-1], folds[-1])[0])
    places = sorted(cell for cell in whole(config.side) if triangles([cell]) & papers[-1])
    count = rng.randint(*config.holes)
    if len(places) < count:
        return None
    punched = key = frozenset(rng.sample(places, count))
    flaps: list[AbstractSet[Cell]] = []
    for fold, before in zip(reversed(folds), reversed(papers[:-1]), strict=True):
        moved = frozenset(cell for cell in _opened(fold, key) if triangles([cell]) & before)
        flaps = [*({*_opened(fold, flap), *flap} for flap in flaps), moved]
        key |= moved
    options = distractors(rng, config.side, key, [key & flap for flap in flaps])
    if options is None:
        return None
    right = Option(key, "Right: these are the holes of all layers.")
    arranged = arrange(right, options, slot)
    state = State(config.side, tuple(folds), punched, arranged.things)
    return Puzzle(state, LETTERS[slot], arranged.explanation)


def _folds(side: int, paper: frozenset[Point]) -> Iterator[Fold]:
    """Those that fold something over onto paper, and leave the larger part where it is."""
    for line, low, high in (("h", 1, side), ("v", 1, side), ("d", 1 - side, side), ("a", 1, 2 * side)):
        for at in range(low, high):
            for sign in "-+":
                fold = Fold(line, at, sign)
                kept = frozenset(point for point in paper if not fold.moves(point))
                if kept != paper and folded(paper, fold)[1] <= kept:
                    yield fold


def _opened(fold: Fold, holes: Iterable[Cell]) -> Iterator[Cell]:
    """Where the flap of the fold has these holes, if it lies over them."""
    for r, c in holes:
        x, y = fold.mirror((6 * c + 3, 6 * r + 3))
        if fold.moves((x, y)):
            yield (y - 3) // 6, (x - 3) // 6


def distractors(rng: Random, side: int, key: Holes, flaps: list[Holes]) -> list[Option[Holes]] | None:
    """The key with one of two errors, with the other, and with both, in random order; None when the errors do not suffice.

    Cells that an error changes have a hole where they had none, and none where they had one.
    """
    groups = [flap for flap in flaps if flap]
    if len(groups) < len(flaps):
        return None
    errors: list[Holes] = []
    for _ in range(20):
        error = _error(rng, side, key, rng.choice(groups))
        if error and not any(error & other for other in errors):
            errors.append(error)
        if len(errors) == 2:
            break
    else:
        return None
    wrong = [key ^ errors[0], key ^ errors[1], key ^ errors[0] ^ errors[1]]
    return [Option(holes, _why(key, holes)) for holes in rng.sample(wrong, 3)] if all(wrong) else None


def _error(rng: Random, side: int, key: Holes, group: Holes) -> Holes:
    """The cells that change when the holes of a group are missing, or are elsewhere, or are there twice."""
    down, right = rng.choice(((0, 1), (0, -1), (1, 0), (-1, 0)))
    shifted = {(r + down, c + right) for r, c in group}
    elsewhere = rng.choice((shifted, {(side - 1 - r, c) for r, c in group}, {(r, side - 1 - c) for r, c in group}))
    if not elsewhere <= whole(side):
        return frozenset()
    added = frozenset(elsewhere) - key
    return rng.choice((group, added, group | added)) if added else added


def _why(key: Holes, holes: Holes) -> str:
    parts = [
        f"{said} {_places(cells)}"
        for said, cells in (("no hole", key - holes), ("a hole too many", holes - key))
        if cells
    ]
    return f"Wrong: {' and '.join(parts)}."


def _places(cells: Holes) -> str:
    return "at " + ", ".join(f"row {r + 1} column {c + 1}" for r, c in sorted(cells))


NORMALS = {"h": (0, 1), "v": (1, 0), "d": (-1, 1), "a": (1, 1)}
"""Line → (p, q) in its equation p·x + q·y = at."""


def solve(state: State) -> frozenset[str]:
    """By folding: the middle of every cell of the sheet goes along, and those that end under a punch have a hole."""
    holes = frozenset(cell for cell in whole(state.side) if _lands(cell, state.folds) in state.punched)
    return fitting(option == holes for option in state.options)


def _lands(cell: Cell, folds: Iterable[Fold]) -> Cell:
    y, x = (2 * value + 1 for value in cell)  # halves of a cell
    for fold in folds:
        p, q = NORMALS[fold.line]
        beyond = p * x + q * y - 2 * fold.at
        if beyond * (1 if fold.side == "+" else -1) > 0:
            step = 2 * beyond // (p * p + q * q)
            x, y = x - step * p, y - step * q
    return (y - 1) // 2, (x - 1) // 2


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its choices."""
    return QUESTION.format(side=state.side, folds={1: "one", 2: "two", 3: "three"}[len(state.folds)]), figures()


SIDE, EDGE = 120, 6
"""Of the sheet and around it, pixels."""
PAPER_COLOR, FLAP_COLOR, LINE, PUNCH = (232, 240, 252), (190, 212, 244), (20, 40, 200), (222, 20, 20)


def draw(state: State) -> tuple[Picture, ...]:
    """The operations above, the options below."""
    paper, steps = triangles(whole(state.side)), []
    for number, fold in enumerate(state.folds, 1):
        paper, flap = folded(paper, fold)
        steps.append(Panel(f"Operation {number}", _operation(state.side, paper, flap)))
    steps.append(Panel("Punch Holes", _operation(state.side, paper, flap, state.punched)))
    options = [Panel(letter, pattern(state.side, holes)) for letter, holes in zip(LETTERS, state.options, strict=True)]
    return (sheet([steps, options]),)


def _operation(side: int, paper: frozenset[Point], flap: frozenset[Point], punched: Holes = frozenset()) -> Image.Image:
    unit = SIDE // (2 * side)
    page = canvas(SIDE + 2 * EDGE, SIDE + 2 * EDGE)
    for part, color in ((paper, PAPER_COLOR), (flap, FLAP_COLOR)):
        for point in part:
            page.polygon([(EDGE + x * unit, EDGE + y * unit) for x, y in _corners(point)], color, None)
    _grid(page, side)
    for part in (paper, flap):
        for (x, y), (v, w) in sorted(outline(part)):
            page.line((EDGE + x * unit, EDGE + y * unit), (EDGE + v * unit, EDGE + w * unit), LINE)
    for r, c in sorted(punched):
        page.disc((EDGE + (2 * c + 1) * unit, EDGE + (2 * r + 1) * unit), unit // 2, PAPER, PUNCH)
    return page.image()


def _grid(page: Canvas, side: int) -> None:
    for at in range(EDGE, EDGE + SIDE + 1, SIDE // side):
        page.line((at, EDGE), (at, EDGE + SIDE), RULE, 1)
        page.line((EDGE, at), (EDGE + SIDE, at), RULE, 1)


def _corners(triangle: Point) -> tuple[Point, Point, Point]:
    """In half cells: the cell's middle, and the two ends of the border at which the triangle lies."""
    x, y = (value // 6 * 2 + 1 for value in triangle)
    right, down = (value % 6 // 2 - 1 for value in triangle)
    return (x, y), (x + right - down, y + down + right), (x + right + down, y + down - right)


def outline(part: frozenset[Point]) -> frozenset[tuple[Point, Point]]:
    """The sides of triangles that border on no other, as their ends in half cells."""
    found: set[tuple[Point, Point]] = set()
    for triangle in part:
        one, two, three = _corners(triangle)
        found ^= {(min(a, b), max(a, b)) for a, b in ((one, two), (two, three), (three, one))}
    return frozenset(found)


def pattern(side: int, holes: Holes) -> Image.Image:
    """The opened sheet with dots for holes."""
    page, cell = canvas(SIDE + 2 * EDGE, SIDE + 2 * EDGE), SIDE // side
    _grid(page, side)
    for r, c in sorted(holes):
        page.disc((EDGE + c * cell + cell // 2, EDGE + r * cell + cell // 2), cell // 4, INK)
    page.box(EDGE, EDGE, EDGE + SIDE, EDGE + SIDE)
    return page.image()


LINES = {"h": "row border", "v": "column border", "d": "falling diagonal", "a": "rising diagonal"}


def alt(state: State) -> tuple[str, ...]:
    """The sheet in words."""
    folds = ", ".join(f"{LINES[fold.line]} {fold.at} ({fold.side})" for fold in state.folds)
    options = "; ".join(
        f"{letter}: holes {_places(holes)}" for letter, holes in zip(LETTERS, state.options, strict=True)
    )
    return (f"{state.side}×{state.side} sheet folded along {folds}; punched {_places(state.punched)}; {options}",)


GENERATOR = Generator(
    name="paper_folding",
    category=TASKS["paper_folding"].category,
    answer_type=TASKS["paper_folding"].answer_type,
    levels=LEVELS,
    slots=len(LETTERS),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

"""Paper Folding (MentalFolding/PaperFolding): a sheet is folded two or three times and punched; where are the holes when it is opened?

Folds run along a border between cells or along a diagonal, and a flap always lands on paper, so that each picture tells its fold.
Holes are in the middle of cells; one on a diagonal crease is whole when the sheet is opened.

The four options are what the same punch gives after four ways of folding: two folds for the last but one, and after each the same two for
the last. Which way is asked about is drawn after all else, so that nothing but the two folds can tell, and neither does alone.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, combinations, pairwise
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


Folds = tuple[Fold, ...]
"""In the order of folding."""


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    side: int
    """Cells along the sheet."""
    folds: int
    holes: tuple[int, int]
    """Punched: fewest and most."""
    idle: int = 1
    """Of the folds of the four ways, counted in each, at most so many have no hole on their flaps."""

    def __post_init__(self) -> None:
        if not (2 <= self.side <= 6 and 2 <= self.folds <= 3 and 1 <= self.holes[0] <= self.holes[1] <= self.side):
            raise ValueError(f"{self}: a side has 2 to 6 cells, there are 2 or 3 folds and 1 to {self.side} holes")


LEVELS = {"0": Config(3, 2, (1, 1), idle=2), "1": Config(4, 2, (2, 2)), "2": Config(5, 3, (2, 3))}
"""As in the release: 3×3 with two folds, 5×5 with three. With one idle fold the easiest level would have 96 questions, with two it has 312."""


@dataclass(frozen=True, slots=True)
class State:
    """What the sheet shows. Text: side, folds, punched cells and four patterns with " | " between."""

    side: int
    folds: Folds
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
    """The key, at `slot`; None when none of some draws comes to anything: too few folds, or too many that change nothing."""
    return next(filter(None, (_drawn(rng, config, slot) for _ in range(DRAWS))), None)


DRAWS = 30
"""Of folds and holes, for one question."""


def _drawn(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    side = config.side
    common = tuple(_some(rng, possible(side, triangles(whole(side))), config.folds - 2))
    before = [(*common, fold) for fold in _some(rng, possible(side, papers_of(side, common)[-1]), 2)]
    papers = [papers_of(side, folds)[-1] for folds in before]
    places = sorted(cell for cell in whole(side) if all(triangles([cell]) & paper for paper in papers))
    count = rng.randint(*config.holes)
    if not before or len(places) < count:
        return None
    punched = frozenset(rng.sample(places, count))
    shared = frozenset.intersection(*(possible(side, paper) for paper in papers))
    steps = {(*folds, last): opened(side, (*folds, last), punched) for folds in before for last in shared}
    squares = (
        [(*folds, last) for folds in before for last in lasts]
        for lasts in combinations(_some(rng, shared, len(shared)), 2)
    )
    ways = next((ways for ways in squares if _apt([steps[folds] for folds in ways], config.idle)), None)
    if ways is None:
        return None
    asked, *others = rng.sample(ways, len(ways))
    right = Option(steps[asked][-1], "Right: these are the holes of all layers.")
    wrong = [Option(steps[folds][-1], _why(side, asked, folds, punched)) for folds in others]
    arranged = arrange(right, wrong, slot)
    return Puzzle(State(side, asked, punched, arranged.things), LETTERS[slot], arranged.explanation)


def _apt(steps: list[list[Holes]], most: int) -> bool:
    """Do the four ways give four patterns, none of them the punch alone, and do at most so many folds bring no hole?"""
    patterns = {step[-1] for step in steps if step and step[-1] != step[0]}
    return len(patterns) == len(LETTERS) and sum(one == two for step in steps for one, two in pairwise(step)) <= most


def _some(rng: Random, folds: Iterable[Fold], count: int) -> list[Fold]:
    """So many of them, each direction of lines as likely as another; [] when there are fewer."""
    left, drawn = set(folds), []
    if len(left) < count:
        return []
    for _ in range(count):
        line = rng.choice(sorted({fold.line for fold in left}))
        drawn.append(rng.choice(sorted(fold for fold in left if fold.line == line)))
        left.remove(drawn[-1])
    return drawn


def papers_of(side: int, folds: Folds) -> list[frozenset[Point]]:
    """Where there is paper before the first fold and after each."""
    return list(accumulate(folds, lambda paper, fold: folded(paper, fold)[0], initial=triangles(whole(side))))


def opened(side: int, folds: Folds, punched: Holes, shut: Container[int] = ()) -> list[Holes]:
    """The holes before and after opening each fold, the last fold first: each layer of a hole goes back to where it came from.

    Folds with the numbers `shut`, from 0, are not opened. An empty list when a punch misses the paper.
    """
    *papers, last = papers_of(side, folds)
    if not all(triangles([cell]) & last for cell in punched):
        return []
    steps = [punched]
    for number in reversed(range(len(folds))):
        flap = {cell for cell in _opened(folds[number], steps[-1]) if triangles([cell]) & papers[number]}
        steps.append(steps[-1] if number in shut else steps[-1] | flap)
    return steps


@lru_cache(maxsize=64)
def possible(side: int, paper: frozenset[Point]) -> frozenset[Fold]:
    """Those that fold something over onto paper, and leave the larger part where it is."""
    lines = (("h", 1, side), ("v", 1, side), ("d", 1 - side, side), ("a", 1, 2 * side))
    folds = (Fold(line, at, sign) for line, low, high in lines for at in range(low, high) for sign in "-+")
    return frozenset(fold for fold in folds if _lies_on(paper, fold))


def _lies_on(paper: frozenset[Point], fold: Fold) -> bool:
    kept = frozenset(point for point in paper if not fold.moves(point))
    return kept != paper and folded(paper, fold)[1] <= kept


def _opened(fold: Fold, holes: Iterable[Cell]) -> Iterator[Cell]:
    """Where the flap of the fold has these holes, if it lies over them."""
    for r, c in holes:
        x, y = fold.mirror((6 * c + 3, 6 * r + 3))
        if fold.moves((x, y)):
            yield (y - 3) // 6, (x - 3) // 6


def _why(side: int, asked: Folds, other: Folds, punched: Holes) -> str:
    key, holes = (opened(side, folds, punched)[-1] for folds in (asked, other))
    unlike = [number for number, (one, two) in enumerate(zip(asked, other, strict=True)) if one != two]
    mistakes = [f"operation {number + 1} {_unlike(asked[number], other[number])}" for number in unlike]
    if opened(side, asked, punched, unlike)[-1] == holes:
        mistakes = [f"operation {number + 1} were not opened again" for number in unlike]
    found = [
        f"{said} {_places(cells)}"
        for said, cells in (("no hole", key - holes), ("a hole too many", holes - key))
        if cells
    ]
    return f"Wrong: so it would be if {' and '.join(mistakes)}; {' and '.join(found)}."


def _unlike(asked: Fold, other: Fold) -> str:
    same = (asked.line, asked.side) == (other.line, other.side)
    amount = ("more of " if (other.at > asked.at) == (other.side == "-") else "less of ") if same else ""
    return f"folded {amount}the {FLAPS[other.line + other.side]} part over"


FLAPS = {
    "h-": "upper",
    "h+": "lower",
    "v-": "left",
    "v+": "right",
    "d-": "upper right",
    "d+": "lower left",
    "a-": "upper left",
    "a+": "lower right",
}
"""Line and side of a fold → what is folded over."""


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
    return QUESTION.format(side=state.side, folds={2: "two", 3: "three"}[len(state.folds)]), figures()


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

"""2D Rotation (MentalRotation/2DRotation): which figure is, or is not, the same grid turned in the plane?

Level 0 has coloured cells; level 1 cells with drawings in them, so that a figure may have every cell in its place and one drawing turned.
A red square outside one corner turns with the grid. The three figures have it at the three other corners, so that its place tells nothing.
A wrong figure differs in one respect from the right one, or from the other wrong one: the figure in the middle of the three is not the key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.render.palette import INK, Color
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .options import LETTERS, Option, arrange, figures, fitting
from .sheet import Panel, canvas, sheet

if TYPE_CHECKING:
    from PIL import Image

CAN, CANNOT = "can", "cannot"

QUESTIONS = {
    CAN: (
        "The figure on the left is a grid with a small red square outside one of its corners. Which of the figures A, B and C is the "
        "same grid, red square included, turned in the plane of the paper and not flipped over or changed in any other way?"
    ),
    CANNOT: (
        "The figure on the left is a grid with a small red square outside one of its corners. Which of the figures A, B and C cannot be "
        "obtained by turning this grid, red square included, in the plane of the paper without flipping it over or changing anything?"
    ),
}

Stroke = tuple[str, tuple[int, ...]]
"""("line", (x, y, x, y)), ("circle", (x, y, radius)) or ("dot", (x, y, radius)), in units of which a cell has 12, from its middle."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a cell can hold."""

    name: str
    turns: int = 1
    """How many ways of turning it by quarters look different: 1, 2 or 4."""
    flip: int = 0
    """Quarter turns that do to it what flipping it left to right does."""
    fill: str = ""
    """A name in `PALETTE`; "" for the grid's own grey."""
    strokes: tuple[Stroke, ...] = ()


def _lines(*ends: tuple[int, ...]) -> tuple[Stroke, ...]:
    return tuple(("line", four) for four in ends)


def _dots(*places: tuple[int, int]) -> tuple[Stroke, ...]:
    return tuple(("dot", (x, y, 1)) for x, y in places)


KINDS = {
    ".": Kind("grey"),
    "R": Kind("red", fill="red"),
    "G": Kind("green", fill="green"),
    "B": Kind("blue", fill="blue"),
    "Y": Kind("yellow", fill="yellow"),
    "o": Kind("circle", strokes=(("circle", (0, 0, 4)),)),
    "e": Kind("two circles side by side", 2, 0, strokes=(("circle", (-3, 0, 2)), ("circle", (3, 0, 2)))),
    "q": Kind("circle in a corner", 4, 1, strokes=(("circle", (-3, -3, 2)),)),
    "h": Kind("stripes", 2, 0, strokes=_lines((-6, -3, 6, -3), (-6, 0, 6, 0), (-6, 3, 6, 3))),
    "d": Kind("diagonal", 2, 1, strokes=_lines((-6, -6, 6, 6))),
    "t": Kind("half striped", 4, 1, strokes=_lines((-6, 6, 6, -6), (-6, 2, 2, -6), (-6, -2, -2, -6))),
    "l": Kind("corner", 4, 1, strokes=_lines((-2, -6, -2, -2), (-2, -2, -6, -2), (2, -6, 2, 2), (2, 2, -6, 2))),
    "f": Kind("half with a line", 4, 0, strokes=_lines((-6, 0, 6, 0), (0, 0, 0, -6))),
    "1": Kind("dot", strokes=_dots((0, 0))),
    "2": Kind("two dots", 2, 0, strokes=_dots((-3, 0), (3, 0))),
    "3": Kind("three dots", 2, 1, strokes=_dots((-4, -4), (0, 0), (4, 4))),
    "5": Kind("five dots", strokes=_dots((-4, -4), (4, -4), (0, 0), (-4, 4), (4, 4))),
}
"""By letter. A kind with `turns` 1 stays itself however it is turned."""

CORNERS = ("top left", "top right", "bottom right", "bottom left")
"""Clockwise."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells and a mark. Text: "R0 .0/.0 h1@0", cells by row as kind and quarter turns, then the mark's corner."""

    rows: tuple[tuple[str, ...], ...]
    mark: int
    """Index in CORNERS."""

    def __str__(self) -> str:
        return f"{'/'.join(' '.join(row) for row in self.rows)}@{self.mark}"

    @classmethod
    def parse(cls, text: str) -> Grid:
        """Reads what `str` writes."""
        cells, mark = text.split("@")
        return cls(tuple(tuple(row.split(" ")) for row in cells.split("/")), int(mark))


@dataclass(frozen=True, slots=True)
class State:
    """What the sheet shows. Text: "can", the original and three figures with " | " between."""

    ask: str
    original: Grid
    options: tuple[Grid, ...]

    def __str__(self) -> str:
        return " | ".join(map(str, (self.ask, self.original, *self.options)))

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        ask, original, *options = text.split(" | ")
        return cls(ask, Grid.parse(original), tuple(map(Grid.parse, options)))

    def titled(self) -> Iterator[tuple[str, Grid]]:
        """The panels."""
        return zip(("Original", *LETTERS), (self.original, *self.options), strict=False)


def turned(grid: Grid, quarters: int) -> Grid:
    """Clockwise."""
    rows = grid.rows
    for _ in range(quarters % 4):
        rows = tuple(tuple(_spun(cell, 1) for cell in column) for column in zip(*reversed(rows), strict=True))
    return Grid(rows, (grid.mark + quarters) % 4)


def flipped(grid: Grid) -> Grid:
    """Left to right."""
    rows = tuple(tuple(_flipped(cell) for cell in reversed(row)) for row in grid.rows)
    return Grid(rows, grid.mark ^ 1)


def _spun(cell: str, quarters: int) -> str:
    return f"{cell[0]}{(int(cell[1]) + quarters) % KINDS[cell[0]].turns}"


def _flipped(cell: str) -> str:
    kind = KINDS[cell[0]]
    return f"{cell[0]}{(kind.flip - int(cell[1])) % kind.turns}"


Change = Callable[[Grid, Random], Iterator[tuple[Grid, str]]]
"""Ways to spoil a grid in one respect, in random order, each with what it does; they may leave it as it was but for a turn."""


def _exchange(grid: Grid, rng: Random, empty: bool, why: str) -> Iterator[tuple[Grid, str]]:
    """Two neighbouring cells of different kinds change places, one of which is grey or none."""
    height, width = len(grid.rows), len(grid.rows[0])
    pairs = [((r, c), (r, c + 1)) for r in range(height) for c in range(width - 1)]
    pairs += [((r, c), (r + 1, c)) for r in range(height - 1) for c in range(width)]
    for (r, c), (s, d) in rng.sample(pairs, len(pairs)):
        one, other = grid.rows[r][c], grid.rows[s][d]
        if one[0] != other[0] and ("." in (one[0], other[0])) == empty:
            yield _with(_with(grid, r, c, other), s, d, one), why


def _move(grid: Grid, rng: Random) -> Iterator[tuple[Grid, str]]:
    yield from _exchange(grid, rng, True, "a cell has moved by one")


def _swap(grid: Grid, rng: Random) -> Iterator[tuple[Grid, str]]:
    yield from _exchange(grid, rng, False, "two cells have changed places")


def _corner(grid: Grid, rng: Random) -> Iterator[tuple[Grid, str]]:
    for quarters in rng.sample((1, 2, 3), 3):
        yield replace(grid, mark=(grid.mark + quarters) % 4), "the red square is at another corner of the grid"


def _inner(grid: Grid, rng: Random) -> Iterator[tuple[Grid, str]]:
    cells = [(r, c) for r, row in enumerate(grid.rows) for c, cell in enumerate(row) if KINDS[cell[0]].turns > 1]
    for r, c in rng.sample(cells, len(cells)):
        cell = grid.rows[r][c]
        turns = rng.randrange(1, KINDS[cell[0]].turns)
        yield _with(grid, r, c, _spun(cell, turns)), f"one drawing, {KINDS[cell[0]].name}, is turned within its cell"


def _all_inner(grid: Grid, rng: Random) -> Iterator[tuple[Grid, str]]:
    for turns in rng.sample((1, 2, 3), 3):
        rows = tuple(tuple(_spun(cell, turns) for cell in row) for row in grid.rows)
        yield replace(grid, rows=rows), "the drawings have not turned with their cells"


def _with(grid: Grid, row: int, column: int, cell: str) -> Grid:
    cells = [list(line) for line in grid.rows]
    cells[row][column] = cell
    return replace(grid, rows=tuple(map(tuple, cells)))


CHANGES: dict[str, Change] = {
    "flip": lambda grid, rng: iter([(flipped(grid), "the grid is flipped over")]),
    "move": _move,
    "swap": _swap,
    "corner": _corner,
    "inner": _inner,
    "all inner": _all_inner,
}


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    sizes: tuple[tuple[int, int], ...]
    """Rows and columns."""
    kinds: str
    """Letters of KINDS."""
    filled: tuple[int, int]
    """Cells that are not grey: fewest and most."""
    changes: tuple[str, ...]
    """Names in CHANGES."""

    def __post_init__(self) -> None:
        cells = min(rows * columns for rows, columns in self.sizes)
        if (
            set(self.kinds) - set(KINDS)
            or set(self.changes) - set(CHANGES)
            or not 1 <= self.filled[0] <= self.filled[1] < cells
        ):
            raise ValueError(
                f"{self}: kinds are {''.join(KINDS)}, changes {', '.join(CHANGES)}; leave a cell of {cells} grey"
            )


LEVELS = {
    "0": Config(((2, 3), (3, 3)), "RGBY", (3, 4), ("flip", "move", "swap", "corner")),
    "1": Config(((3, 3),), "oeqhdtlf1235", (5, 7), ("flip", "move", "swap", "inner", "all inner")),
}
"""Level 0: the whole object turns. Level 1: and what is in its cells."""


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """The key stands at `slot`; at slot 3 none of the figures is right."""
    ask, original = rng.choice((CAN, CANNOT)), _grid(rng, config)
    same = [(figure == slot) == (ask == CAN) for figure in range(3)]
    spoiled = distractors(rng, original, config, same.count(False))
    if spoiled is None:
        return None
    options = []
    for figure, quarters in enumerate(rng.sample((1, 2, 3), 3)):
        turn = Option(original, f"it is the grid turned clockwise by {90 * quarters} degrees")
        shown = turn if same[figure] else spoiled.pop()
        why = f"{'Right' if figure == slot else 'Wrong'}: {shown.why}."
        options.append(Option(turned(shown.thing, original.mark + quarters - shown.thing.mark), why))
    right = options.pop(slot) if slot < len(options) else None
    arranged = arrange(right, options, slot, none=True)
    return Puzzle(State(ask, original, arranged.things), LETTERS[slot], arranged.explanation)


def _grid(rng: Random, config: Config) -> Grid:
    height, width = rng.choice(config.sizes)
    cells = [".0"] * (height * width)
    for index in rng.sample(range(len(cells)), rng.randint(*config.filled)):
        kind = rng.choice(config.kinds)
        cells[index] = f"{kind}{rng.randrange(KINDS[kind].turns)}"
    rows = tuple(tuple(cells[width * r : width * (r + 1)]) for r in range(height))
    return Grid(rows, rng.randrange(4))


def distractors(rng: Random, original: Grid, config: Config, count: int) -> list[Option[Grid]] | None:
    """So many spoilt grids in random order, none a turned copy of the original or another; None when this one cannot be spoilt so.

    The second is made from the first in two cases of three, so that each of right, first and second is the one in the middle as often.
    """
    made: list[Option[Grid]] = [Option(original, "")]
    for name in rng.sample(config.changes, count):
        base = rng.choice((made[0], made[-1], made[-1]))
        for grid, what in CHANGES[name](base.thing, rng):
            if all(turned(grid, -grid.mark) != turned(other.thing, -other.thing.mark) for other in made):
                made.append(Option(grid, f"{base.why} and {what}" if base.why else what))
                break
        else:
            return None
    return rng.sample(made[1:], count)


def solve(state: State) -> frozenset[str]:
    """Turns the drawing, stroke by stroke, by each quarter and compares."""
    turns = [strokes(state.original)]
    for _ in range(3):
        turns.append(frozenset(_turned_stroke(stroke) for stroke in turns[-1]))
    same = [strokes(option) in turns for option in state.options]
    return fitting(fit == (state.ask == CAN) for fit in same)


def strokes(grid: Grid) -> frozenset[Stroke]:
    """All that is drawn, in units of which a cell has 12, from the middle of the grid; x to the right, y down."""
    x, y = 6 * len(grid.rows[0]) + 2, 6 * len(grid.rows) + 2
    found: set[Stroke] = {("mark", ((-x, -y), (x, -y), (x, y), (-x, y))[grid.mark])}
    for r, row in enumerate(grid.rows):
        for c, cell in enumerate(row):
            middle, kind = (12 * c + 8 - x, 12 * r + 8 - y), KINDS[cell[0]]
            found.add((kind.fill, middle))
            for stroke in kind.strokes:
                for _ in range(int(cell[1])):
                    stroke = _turned_stroke(stroke)
                found.add(_shifted(stroke, middle))
    return frozenset(found)


def _turned_stroke(stroke: Stroke) -> Stroke:
    """By a quarter, clockwise about (0, 0)."""
    kind, values = stroke
    if kind == "line":
        x, y, v, w = values
        return _line(-y, x, -w, v)
    x, y, *rest = values
    return kind, (-y, x, *rest)


def _shifted(stroke: Stroke, by: tuple[int, int]) -> Stroke:
    kind, values = stroke
    if kind == "line":
        x, y, v, w = values
        return _line(x + by[0], y + by[1], v + by[0], w + by[1])
    x, y, *rest = values
    return kind, (x + by[0], y + by[1], *rest)


def _line(x: int, y: int, v: int, w: int) -> Stroke:
    """The same whichever end comes first."""
    return "line", (*min((x, y), (v, w)), *max((x, y), (v, w)))


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its choices."""
    return QUESTIONS[state.ask], figures(len(state.options))


UNIT, SIDE = 5, 3 * 12 * 5 + 40
"""Pixels: of a stroke's unit, and of a panel, the same for all grids: 3 cells and the mark on either side."""

CELL: Color = (174, 181, 189)
MARK: Color = (255, 0, 0)


def draw(state: State) -> tuple[Picture, ...]:
    """The original and the figures in one row."""
    return (sheet([[Panel(title, picture(grid)) for title, grid in state.titled()]]),)


def picture(grid: Grid) -> Image.Image:
    """All that `strokes` names, cells first."""
    page, unit, middle = canvas(SIDE, SIDE), UNIT, SIDE // 2
    for kind, (a, b, *rest) in sorted(strokes(grid), key=lambda stroke: (len(stroke[1]), stroke)):
        x, y = middle + a * unit, middle + b * unit
        if kind == "line":
            page.line((x, y), (middle + rest[0] * unit, middle + rest[1] * unit))
        elif kind in ("circle", "dot"):
            page.disc((x, y), rest[0] * unit, INK if kind == "dot" else None)
        elif kind == "mark":
            page.box(x - 8, y - 8, x + 8, y + 8, MARK)
        else:
            page.box(x - 6 * unit, y - 6 * unit, x + 6 * unit, y + 6 * unit, kind or CELL)
    return page.image()


def alt(state: State) -> tuple[str, ...]:
    """The sheet in words."""
    return ("; ".join(f"{title}: {describe(grid)}" for title, grid in state.titled()),)


def describe(grid: Grid) -> str:
    """A grid in words, row by row.

    >>> describe(Grid.parse("R0 .0/h1 .0@0"))
    'red, grey / stripes turned 90, grey; red square at the top left'
    """
    rows = " / ".join(
        ", ".join(KINDS[c[0]].name + f" turned {90 * int(c[1])}" * (c[1] != "0") for c in row) for row in grid.rows
    )
    return f"{rows}; red square at the {CORNERS[grid.mark]}"


GENERATOR = Generator(
    name="rotation_2d",
    category=TASKS["rotation_2d"].category,
    answer_type=TASKS["rotation_2d"].answer_type,
    levels=LEVELS,
    slots=len(LETTERS),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

"""Gomoku Variation (Appendix A.2.1): the one point at which Black wins at once.

The official boards have "hybrid pieces", whose rule is published nowhere; these are boards of plain five in a row.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.render.canvas import Canvas
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .states import read_state, told

QUESTION = (
    "The picture shows a Gomoku board; columns are lettered A to {last} from left to right, rows numbered 1 to {side} from bottom to top."
    " It is Black's turn. One move wins at once: it completes five black stones, or more, in an unbroken row, column or diagonal. Give that"
    " point, as in: C4"
)

LETTERS = "ABCDEFGHIJKLMNO"
LINES = ((1, 0), (0, 1), (1, 1), (1, -1))
CELL, MARGIN = 36, 60
"""Pixels."""


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    side: int
    """Points per side."""
    stones: int
    """Black stones besides the four of the key; White has as many in all."""

    def __post_init__(self) -> None:
        if not 9 <= self.side <= len(LETTERS) or 2 * self.stones + 8 > self.side**2 // 2:
            raise ValueError(f"{self}: 9 to {len(LETTERS)} points a side, half of them empty; see LEVELS")


LEVELS = {"1": Config(9, 7), "2": Config(15, 26)}


@dataclass(frozen=True, slots=True)
class State:
    """Rows from top to bottom: B, W or a dot."""

    rows: tuple[str, ...]

    def __str__(self) -> str:
        return told(self)

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        return read_state(cls, text)


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """Four of a line of five are black; the other stones lie near it at random. None when they make a second point that wins."""
    side = config.side
    dx, dy = rng.choice(LINES)
    x = rng.randrange(side - 4 * dx)
    y = rng.randrange(side - 4 * dy) if dy >= 0 else rng.randrange(4, side)
    line = [(x + i * dx, y + i * dy) for i in range(5)]
    key = rng.choice(line)
    black = {point for point in line if point != key}
    free = [(u, v) for u in range(side) for v in range(side) if (u, v) not in line]
    rng.shuffle(free)
    free.sort(key=lambda point: max(abs(point[0] - side // 2), abs(point[1] - side // 2)) // 3)
    others = rng.sample(free[: side**2 * 3 // 4], 2 * config.stones + 4)
    black |= set(others[: config.stones])
    white = set(others[config.stones :])
    if any(_wins(black, point) for point in black) or any(_wins(white, point) for point in white):
        return None
    empty = [(u, v) for u in range(side) for v in range(side) if (u, v) not in black | white]
    if any(_wins(black, point) for point in empty if point != key):
        return None
    rows = tuple(
        "".join("B" if (u, v) in black else "W" if (u, v) in white else "." for u in range(side)) for v in range(side)
    )
    return Puzzle(State(rows), f"{LETTERS[key[0]]}{side - key[1]}", {})


def _wins(stones: set[tuple[int, int]], point: tuple[int, int]) -> bool:
    """Would `point` stand in five of these stones, counted both ways from it?"""
    for dx, dy in LINES:
        run = 1
        for way in (-1, 1):
            n = 1
            while (point[0] + way * n * dx, point[1] + way * n * dy) in stones:
                n += 1
            run += n - 1
        if run >= 5:
            return True
    return False


def solve(state: State) -> frozenset[str]:
    """Every empty point that stands in a window of five whose other four points are black."""
    rows, side = state.rows, len(state.rows)
    columns = ["".join(row[i] for row in rows) for i in range(side)]
    lines = [[(i, j) for i in range(side)] for j in range(side)]
    lines += [[(i, j) for j in range(side)] for i in range(side)]
    for total in range(2 * side - 1):
        lines.append([(i, total - i) for i in range(side) if 0 <= total - i < side])
        lines.append([(i, i + total - side + 1) for i in range(side) if 0 <= i + total - side + 1 < side])
    found = set()
    for line in lines:
        text = "".join(columns[i][j] for i, j in line)
        for start in range(len(text) - 4):
            window = text[start : start + 5]
            if window.count("B") == 4 and "." in window:
                i, j = line[start + window.index(".")]
                found.add(f"{LETTERS[i]}{side - j}")
    return frozenset(found)


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question; it has no choices."""
    side = len(state.rows)
    return QUESTION.format(last=LETTERS[side - 1], side=side), {}


def draw(state: State) -> tuple[Picture, ...]:
    """The board with its letters and numbers."""
    side = len(state.rows)
    end = MARGIN + (side - 1) * CELL
    canvas = Canvas(end + MARGIN, end + MARGIN, (228, 190, 128))
    for i in range(side):
        at = MARGIN + i * CELL
        canvas.line((at, MARGIN), (at, end), width=1)
        canvas.line((MARGIN, at), (end, at), width=1)
        for edge in (MARGIN // 2 - 4, end + MARGIN // 2 + 4):
            canvas.text((at, edge), LETTERS[i], 18)
            canvas.text((edge, at), str(side - i), 18)
    for v, row in enumerate(state.rows):
        for u, stone in enumerate(row):
            if stone != ".":
                fill = (15, 15, 15) if stone == "B" else (250, 250, 250)
                canvas.disc((MARGIN + u * CELL, MARGIN + v * CELL), CELL * 2 // 5, fill)
    return (canvas.picture(),)


def alt(state: State) -> tuple[str, ...]:
    """The picture in words."""
    return (f"a Gomoku board, row by row from the top: {'/'.join(state.rows)}",)


GENERATOR = Generator(
    name="gomoku_variation",
    category=TASKS["gomoku_variation"].category,
    answer_type=TASKS["gomoku_variation"].answer_type,
    levels=LEVELS,
    slots=1,
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

"""Arrow Moving (MentalAnimation/ArrowMoving): arrows on a grid move relative to where they point, and then point where they went.

Level 0 has one arrow; level 1 several, which swap places with what stands at their target. Two forms: which moves lead from the first
state to the second, and which state do the moves lead to.

The four options come from the right moves with neither, one, the other or both of two moves replaced: seen by themselves all are alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.render.palette import INK, RULE
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .options import LETTERS, Option, arrange, figures, fitting
from .sequences import crossed
from .sheet import Panel, canvas, sheet

if TYPE_CHECKING:
    from PIL import Image

MOVES, STATE = "moves", "state"
"""The two forms: what the options are."""

RULES = (
    "An arrow can move forward, backward, left or right, as seen in the direction in which it points at that moment; after each move it "
    "points in the direction in which it has just moved."
)
SEVERAL = (
    " An arrow is named by its cell (x, y) just before the move: x counts the columns from the left, y the rows from the bottom, as written "
    "at the grid. It jumps over whatever lies between. When its target cell is taken, the two arrows swap places, and the other arrow then "
    "points in the direction in which it has been moved, too."
)
QUESTIONS = {
    MOVES: "The pictures show arrows on a grid before and after some moves. {rules} Which moves lead from the initial to the final state?",
    STATE: "The first picture shows arrows on a grid. {rules} Which figure shows the grid after these moves: {moves}?",
}

Cell = tuple[int, int]
"""x from the left, y from the bottom."""

HEADINGS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
"""Clockwise."""
TURNS = {"F": "Forward", "R": "Right", "B": "Backward", "L": "Left"}
"""By how many quarters clockwise a move differs from where the arrow points: its place here."""
COLORS = ("red", "green", "blue", "violet", "orange")


class Arrow(NamedTuple):
    """Text: "red 0,1 N"."""

    at: Cell
    color: str
    heading: str
    """A name in HEADINGS."""

    def __str__(self) -> str:
        return f"{self.color} {self.at[0]},{self.at[1]} {self.heading}"

    @classmethod
    def parse(cls, text: str) -> Arrow:
        """Reads what `str` writes."""
        color, at, heading = text.split(" ")
        return cls(_cell(at), color, heading)


class Board(frozenset[Arrow]):
    """At most one arrow in a cell. Text: arrows with "; " between."""

    def __str__(self) -> str:
        return "; ".join(map(str, sorted(self)))

    @classmethod
    def parse(cls, text: str) -> Board:
        """Reads what `str` writes."""
        return cls(map(Arrow.parse, text.split("; ")))


class Move(NamedTuple):
    """Text: "0,1 F2"."""

    at: Cell
    """Of the arrow, before the move."""
    turn: str
    """A name in TURNS."""
    units: int

    def __str__(self) -> str:
        return f"{self.at[0]},{self.at[1]} {self.turn}{self.units}"

    @classmethod
    def parse(cls, text: str) -> Move:
        """Reads what `str` writes."""
        at, step = text.split(" ")
        return cls(_cell(at), step[0], int(step[1:]))


class Moves(tuple[Move, ...]):
    """One after the other. Text: moves with ", then " between."""

    __slots__ = ()

    def __str__(self) -> str:
        return "; ".join(map(str, self))

    @classmethod
    def parse(cls, text: str) -> Moves:
        """Reads what `str` writes."""
        return cls(map(Move.parse, text.split("; ")))

    def told(self, several: bool) -> str:
        """In words; the arrow is named only where there are several.

        >>> Moves.parse("0,1 F2; 0,2 R1").told(True)
        '((0, 1) Forward, 2 units) -- ((0, 2) Right, 1 unit)'
        """
        named = (f"{move.at} " if several else "" for move in self)
        return " -- ".join(
            f"({name}{TURNS[move.turn]}, {move.units} unit{'s' * (move.units > 1)})"
            for name, move in zip(named, self, strict=True)
        )


def _cell(text: str) -> Cell:
    x, y = text.split(",")
    return int(x), int(y)


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    side: int
    """Cells along the grid."""
    arrows: int
    moves: int

    def __post_init__(self) -> None:
        if not (2 <= self.side <= 5 and 1 <= self.arrows < self.side**2 and self.moves >= 2):
            raise ValueError(
                f"{self}: a side has 2 to 5 cells, one cell at least stays free, and there are two moves or more"
            )


LEVELS = {"0": Config(3, 1, 3), "1": Config(3, 5, 3)}
"""Level 0: one arrow. Level 1: several, with swaps."""


@dataclass(frozen=True, slots=True)
class State:
    """What the sheet and the question show. Text: form, side, initial, given and the four options with " | " between."""

    form: str
    side: int
    initial: Board
    given: Board | Moves
    """The final board, of which the options are moves; or the moves, and the options are boards."""
    options: tuple[Board | Moves, ...]

    def __str__(self) -> str:
        return " | ".join(map(str, (self.form, self.side, self.initial, self.given, *self.options)))

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        form, side, initial, given, *options = text.split(" | ")
        reading: tuple[type[Board] | type[Moves], ...] = (Board, Moves) if form == MOVES else (Moves, Board)
        read = reading[1].parse
        return cls(form, int(side), Board.parse(initial), reading[0].parse(given), tuple(map(read, options)))


def moved(board: Board, move: Move, side: int) -> Board | None:
    """The board after one move; None when there is no arrow or it would leave the grid."""
    arrow = next((arrow for arrow in board if arrow.at == move.at), None)
    if arrow is None:
        return None
    headings, turn = list(HEADINGS), list(TURNS).index(move.turn)
    index = (headings.index(arrow.heading) + turn) % 4
    (x, y), (dx, dy) = arrow.at, HEADINGS[headings[index]]
    target = (x + dx * move.units, y + dy * move.units)
    if not all(0 <= value < side for value in target):
        return None
    after = {Arrow(target, arrow.color, headings[index])}
    for other in board - {arrow}:
        swapped = Arrow(arrow.at, other.color, headings[(index + 2) % 4])
        after.add(swapped if other.at == target else other)
    return Board(after)


def after(board: Board | None, moves: Iterable[Move], side: int) -> Board | None:
    """The board after all moves; None when one of them cannot be made."""
    for move in moves:
        if board is not None:
            board = moved(board, move, side)
    return board


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """The key stands at `slot`."""
    side, form = config.side, rng.choice((MOVES, STATE))
    cells = rng.sample([(x, y) for x in range(side) for y in range(side)], config.arrows)
    colors = [rng.choice(COLORS) for _ in cells] if config.arrows > 1 else ["red"]
    initial = Board(Arrow(*arrow, rng.choice("NESW")) for arrow in zip(cells, colors, strict=True))
    right = _walk(rng, initial, config)
    final = after(initial, right, side)
    wrong = distractors(rng, initial, right, side)
    if wrong is None or final is None or final == initial:
        return None
    several = config.arrows > 1
    key: Option[Board | Moves] = Option(right, "Right: these moves lead to the final state.")
    spoiled: list[Option[Board | Moves]] = [
        Option(moves, f"Wrong: these moves lead to {board}.") for moves, board in wrong
    ]
    if form == STATE:
        key = Option(final, "Right: the moves lead here.")
        spoiled = [Option(board, f"Wrong: other moves lead here, {moves.told(several)}.") for moves, board in wrong]
    arranged = arrange(key, spoiled, slot)
    state = State(form, side, initial, final if form == MOVES else right, arranged.things)
    return Puzzle(state, LETTERS[slot], arranged.explanation)


def _walk(rng: Random, board: Board, config: Config) -> Moves:
    moves: list[Move] = []
    for _ in range(config.moves):
        move = rng.choice(_possible(board, config.side))
        moves.append(move)
        board = moved(board, move, config.side) or board
    return Moves(moves)


def _possible(board: Board, side: int) -> list[Move]:
    every = (Move(arrow.at, turn, units) for arrow in sorted(board) for turn in TURNS for units in range(1, side))
    return [move for move in every if moved(board, move, side)]


def distractors(rng: Random, initial: Board, right: Moves, side: int) -> list[tuple[Moves, Board]] | None:
    """The moves with one of two replaced, with the other and with both, each with where it leads: four different boards.

    None when no try of ten gives such moves. With one arrow, which needs no name, a replaced move takes it to other cells.
    """
    for _ in range(10):
        found = []
        for moves in crossed(rng, right, lambda at: _possible(after(initial, right[:at], side) or initial, side)):
            named = _renamed(initial, moves, side)
            board = after(initial, named, side) if named else None
            if named and board:
                found.append((named, board))
        if len({after(initial, right, side), *(board for _, board in found)}) == 4:
            return found
    return None


def _renamed(board: Board | None, moves: Sequence[Move], side: int) -> Moves | None:
    """Where there is one arrow, moves of that arrow wherever it is; None when one of them cannot be made."""
    named: list[Move] = []
    for move in moves:
        if board is None:
            return None
        named.append(move._replace(at=next(iter(board)).at) if len(board) == 1 else move)
        board = moved(board, named[-1], side)
    return Moves(named) if board is not None else None


PLANE = {"N": 1j, "E": 1, "S": -1j, "W": -1}
QUARTERS = {"F": 1, "L": 1j, "B": -1, "R": -1j}
"""As complex numbers: turning is multiplying."""


def solve(state: State) -> frozenset[str]:
    """Carries the arrows out in the complex plane."""
    if isinstance(state.given, Moves):
        reached = _carried(state.initial, state.given, state.side)
        return fitting(reached == _placed(option) for option in state.options if isinstance(option, Board))
    final = _placed(state.given)
    carried = (_carried(state.initial, option, state.side) for option in state.options if isinstance(option, Moves))
    return fitting(end == final for end in carried)


Placed = dict[complex, tuple[str, complex]]
"""Place → colour and heading."""


def _placed(board: Board) -> Placed:
    return {complex(*arrow.at): (arrow.color, PLANE[arrow.heading]) for arrow in board}


def _carried(board: Board, moves: Moves, side: int) -> Placed | None:
    placed = _placed(board)
    for move in moves:
        start = complex(*move.at)
        if start not in placed:
            return None
        color, heading = placed.pop(start)
        heading *= QUARTERS[move.turn]
        end = start + heading * move.units
        if not (0 <= end.real < side and 0 <= end.imag < side):
            return None
        if end in placed:
            placed[start] = (placed[end][0], -heading)
        placed[end] = (color, heading)
    return placed


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its choices."""
    several = len(state.initial) > 1
    rules = RULES + SEVERAL * several
    if isinstance(state.given, Moves):
        return QUESTIONS[STATE].format(rules=rules, moves=state.given.told(several)), figures()
    told = {
        letter: option.told(several)
        for letter, option in zip(LETTERS, state.options, strict=True)
        if isinstance(option, Moves)
    }
    return QUESTIONS[MOVES].format(rules=rules), told


CELL, AXIS, EDGE = 40, 18, 4
"""Of a cell, of the numbers at the axes, and around: pixels."""

SHAFT = ((-13, -4), (2, -4), (2, -10), (14, 0), (2, 10), (2, 4), (-13, 4))
"""An arrow to the right: pixels from its middle, y down."""


def draw(state: State) -> tuple[Picture, ...]:
    """The given states, and the options where they are states."""
    boards = [("Initial State", state.initial)]
    if isinstance(state.given, Board):
        boards.append(("Final State", state.given))
    boards += [
        (letter, option) for letter, option in zip(LETTERS, state.options, strict=True) if isinstance(option, Board)
    ]
    return (sheet([[Panel(title, picture(board, state.side)) for title, board in boards]]),)


def picture(board: Board, side: int) -> Image.Image:
    """A grid with its coordinates and arrows."""
    size, left = side * CELL, AXIS + EDGE
    page = canvas(left + size + EDGE, EDGE + size + AXIS)
    for n in range(side + 1):
        page.line((left + n * CELL, EDGE), (left + n * CELL, EDGE + size), RULE, 1)
        page.line((left, EDGE + n * CELL), (left + size, EDGE + n * CELL), RULE, 1)
    page.box(left, EDGE, left + size, EDGE + size)
    for n in range(side):
        page.text((left + n * CELL + CELL // 2, EDGE + size + AXIS // 2 + 1), str(n), 12)
        page.text((left - AXIS // 2, EDGE + size - n * CELL - CELL // 2), str(n), 12)
    for (x, y), color, heading in sorted(board):
        middle = (left + x * CELL + CELL // 2, EDGE + size - y * CELL - CELL // 2)
        dx, dy = HEADINGS[heading]
        page.polygon([(middle[0] + u * dx + v * dy, middle[1] - u * dy + v * dx) for u, v in SHAFT], color, INK, 1)
    return page.image()


def alt(state: State) -> tuple[str, ...]:
    """The sheet in words."""
    boards = [f"initial state: {state.initial}"]
    if isinstance(state.given, Board):
        boards.append(f"final state: {state.given}")
    boards += [
        f"{letter}: {option}"
        for letter, option in zip(LETTERS, state.options, strict=True)
        if isinstance(option, Board)
    ]
    return (" | ".join(boards),)


GENERATOR = Generator(
    name="arrow_moving",
    category=TASKS["arrow_moving"].category,
    answer_type=TASKS["arrow_moving"].answer_type,
    levels=LEVELS,
    slots=len(LETTERS),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

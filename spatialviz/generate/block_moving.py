"""Block Moving (MentalAnimation/BlockMoving): which moves take the blocks from the first state to the second, with gravity and swaps?

Two views from opposite sides show each state, and each of the blocks and of the empty floor can be seen in one of them.

The options are the right moves with neither, one, the other or both of two moves replaced: seen by themselves all four are alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .block_views import VIEWS, Cell, hidden, picture
from .options import LETTERS, Option, arrange, fitting
from .sequences import crossed
from .sheet import Panel, sheet

QUESTION = (
    "The top row shows coloured blocks from two opposite sides, and the bottom row shows them after some moves, from the same two sides. "
    "The red, green and blue arrows are the x, y and z axes; cells along x and y are numbered at the floor, and z is 0 on the floor. A move "
    "names a block by its cell (x, y, z) just before the move, and the direction in which it goes by one cell: x+ is along the red arrow, "
    "x- against it, and likewise for y and z. If there is a block in the target cell, the two swap places. No block floats: after each move "
    "every block with nothing under it falls straight down. Which moves lead from the initial to the final state?"
)

DIRECTIONS = {
    "x+": (1, 0, 0), "x-": (-1, 0, 0), "y+": (0, 1, 0), "y-": (0, -1, 0), "z+": (0, 0, 1), "z-": (0, 0, -1),
}  # fmt: skip
COLORS = ("red", "yellow", "green", "blue", "violet", "turquoise", "orange")

Stack = Mapping[Cell, str]
"""Cell → colour of the block in it."""


class Move(NamedTuple):
    """Text: "1,0,0 y+"."""

    at: Cell
    """Of the block, before the move."""
    direction: str
    """A name in DIRECTIONS."""

    def __str__(self) -> str:
        return f"{_written(self.at)} {self.direction}"

    @classmethod
    def parse(cls, text: str) -> Move:
        """Reads what `str` writes."""
        at, direction = text.split(" ")
        return cls(_cell(at), direction)


Moves = tuple[Move, ...]


def told(moves: Moves) -> str:
    """In words.

    >>> told((Move((1, 0, 0), "y+"), Move((1, 1, 0), "y-")))
    '(1, 0, 0) y+ -- (1, 1, 0) y-'
    """
    return " -- ".join(f"{move.at} {move.direction}" for move in moves)


def _written(cell: Cell) -> str:
    return ",".join(map(str, cell))


def _cell(text: str) -> Cell:
    x, y, z = map(int, text.split(","))
    return x, y, z


def _listed(stack: Stack) -> str:
    return "; ".join(f"{color} {_written(cell)}" for cell, color in sorted(stack.items()))


def _stack(text: str) -> dict[Cell, str]:
    return {_cell(at): color for color, at in (block.split(" ") for block in text.split("; "))}


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    side: int
    """Cells along the floor."""
    blocks: int
    height: int
    """Blocks on each other at first, at most."""
    moves: int

    def __post_init__(self) -> None:
        if not (2 <= self.side <= 4 and 2 <= self.blocks <= len(COLORS) and 1 <= self.height <= 3 and self.moves >= 2):
            raise ValueError(
                f"{self}: a side has 2 to 4 cells, there are 2 to {len(COLORS)} blocks, up to 3 on each other"
            )


LEVELS = {"0": Config(3, 4, 1, 3), "1": Config(3, 6, 2, 4)}
"""Level 0: blocks on the floor. Level 1: more of them, on each other, and one move more."""


@dataclass(frozen=True, slots=True)
class State:
    """What the sheet and the options show. Text: side, two stacks and four lists of moves with " | " between."""

    side: int
    initial: Stack
    final: Stack
    options: tuple[Moves, ...]

    def __str__(self) -> str:
        options = ("; ".join(map(str, moves)) for moves in self.options)
        return " | ".join([str(self.side), _listed(self.initial), _listed(self.final), *options])

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        side, initial, final, *options = text.split(" | ")
        read = (tuple(map(Move.parse, moves.split("; "))) for moves in options)
        return cls(int(side), _stack(initial), _stack(final), tuple(read))


def moved(stack: Stack, move: Move, side: int) -> dict[Cell, str] | None:
    """The blocks after one move; None when there is no block or it would leave the floor."""
    x, y, z = (a + b for a, b in zip(move.at, DIRECTIONS[move.direction], strict=True))
    if move.at not in stack or not (0 <= x < side and 0 <= y < side and z >= 0):
        return None
    result = dict(stack)
    block, other = result.pop(move.at), result.pop((x, y, z), None)
    result[x, y, z] = block
    if other:
        result[move.at] = other
    return _fallen(result)


def _fallen(stack: Stack) -> dict[Cell, str]:
    result: dict[Cell, str] = {}
    for (x, y, z), color in sorted(stack.items(), key=lambda block: block[0][2]):
        result[x, y, next(level for level in range(z + 1) if (x, y, level) not in result)] = color
    return result


def after(stack: Stack | None, moves: Iterable[Move], side: int) -> Stack | None:
    """The blocks after all moves; None when one of them cannot be made."""
    for move in moves:
        if stack is not None:
            stack = moved(stack, move, side)
    return stack


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """The key stands at `slot`."""
    side, initial = config.side, _pile(rng, config)
    right = _walk(rng, initial, config)
    final = after(initial, right, side)
    if not final or final == initial or hidden(initial, side) or hidden(final, side):
        return None
    wrong = distractors(rng, initial, right, side)
    if wrong is None:
        return None
    arranged = arrange(Option(right, "Right: these moves lead to the final state."), wrong, slot)
    return Puzzle(State(side, initial, final, arranged.things), LETTERS[slot], arranged.explanation)


def _pile(rng: Random, config: Config) -> Stack:
    columns = [(x, y) for x in range(config.side) for y in range(config.side)] * config.height
    places = rng.sample(columns, config.blocks)
    levels = ((x, y, places[:index].count((x, y))) for index, (x, y) in enumerate(places))
    return dict(zip(levels, rng.sample(COLORS, config.blocks), strict=True))


def _possible(stack: Stack, side: int) -> list[Move]:
    """Moves that change something."""
    every = (Move(cell, direction) for cell in sorted(stack) for direction in DIRECTIONS)
    return [move for move in every if moved(stack, move, side) not in (None, stack)]


def _walk(rng: Random, stack: Stack, config: Config) -> Moves:
    moves: list[Move] = []
    for _ in range(config.moves):
        moves.append(rng.choice(_possible(stack, config.side)))
        stack = moved(stack, moves[-1], config.side) or stack
    return tuple(moves)


def distractors(rng: Random, initial: Stack, right: Moves, side: int) -> list[Option[Moves]] | None:
    """Three lists of moves that can be made and lead elsewhere, each with what is then elsewhere; None when no try of ten gives them."""
    final = after(initial, right, side)
    for _ in range(10):
        lists = crossed(rng, right, lambda at: _possible(after(initial, right[:at], side) or initial, side))
        ends = [after(initial, moves, side) for moves in lists]
        if None not in ends and final not in ends and len({*map(tuple, lists), right}) == 4:
            whys = (f"Wrong: these moves lead to {_listed(end)}." for end in ends if end)
            return [Option(tuple(moves), why) for moves, why in zip(lists, whys, strict=True)]
    return None


def solve(state: State) -> frozenset[str]:
    """Moves the blocks as columns: what is taken out of a column lets the rest down, what is put over one lands on it."""
    final = _columns(state.final, state.side)
    return fitting(_carried(_columns(state.initial, state.side), moves) == final for moves in state.options)


Columns = dict[tuple[int, int], list[str]]
"""Place on the floor → colours from below."""


def _columns(stack: Stack, side: int) -> Columns:
    columns: Columns = {(x, y): [] for x in range(side) for y in range(side)}
    for (x, y, _), color in sorted(stack.items()):
        columns[x, y].append(color)
    return columns


def _carried(columns: Columns, moves: Sequence[Move]) -> Columns | None:
    for (x, y, z), direction in moves:
        axis, step = direction[0], 1 if direction[1] == "+" else -1
        source = columns[x, y]
        if z >= len(source):
            return None
        if axis == "z":
            if z + step < 0:
                return None
            if z + step < len(source):
                source[z], source[z + step] = source[z + step], source[z]
            continue
        target = columns.get((x + step * (axis == "x"), y + step * (axis == "y")))
        if target is None:
            return None
        if z < len(target):
            source[z], target[z] = target[z], source[z]
        else:
            target.append(source.pop(z))
    return columns


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its choices."""
    return QUESTION, {letter: told(moves) for letter, moves in zip(LETTERS, state.options, strict=True)}


def draw(state: State) -> tuple[Picture, ...]:
    """Both states, one in each row, from both sides."""
    return (
        sheet(
            [
                [Panel(f"{view}{when} State", picture(stack, state.side, turned=bool(view))) for view in VIEWS]
                for when, stack in (("Initial", state.initial), ("Final", state.final))
            ]
        ),
    )


def alt(state: State) -> tuple[str, ...]:
    """The sheet in words."""
    return (f"initial state: {_listed(state.initial)} | final state: {_listed(state.final)}",)


GENERATOR = Generator(
    name="block_moving",
    category=TASKS["block_moving"].category,
    answer_type=TASKS["block_moving"].answer_type,
    levels=LEVELS,
    slots=len(LETTERS),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

"""Unblock Me (Appendix A.2.2): how many moves, and which, bring block X to the exit?

A minimum may be reached in several orders; asked are boards on which every minimal solution moves the same blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.render.canvas import Canvas
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .states import read_state, told

QUESTION = (
    "The picture shows a sliding block puzzle, seen from above. A block moves only along its length: left and right, or up and down. To"
    " slide one block over any number of free cells counts as one move. Bring block X to the exit at the right edge, that is, until it"
    " touches that edge. Give the minimum number of moves and the moves in order, as in: Minimum number of moves: 2. Moves: B up 2, X right 3"
)

SIDE, EXIT_ROW, TARGET = 6, 2, "X"
NAMES = "ABCDEFGHIJ"
COLORS = ("orange", "yellow", "lime", "turquoise", "blue", "violet", "brown", "tan", "grey", "green")
CELL, MARGIN = 64, 50
"""Pixels."""
MOST_BOARDS = 12_000
"""Reachable positions; a draw with more comes to nothing."""

Move = tuple[str, str, int]
"""Block, direction, cells."""


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    blocks: tuple[int, int]
    """Fewest and most, besides X."""
    moves: tuple[int, int]
    """Fewest and most that the minimum may be."""

    def __post_init__(self) -> None:
        if not 1 <= self.blocks[0] <= self.blocks[1] <= len(NAMES):
            raise ValueError(f"{self}: 1 to {len(NAMES)} blocks besides X; see LEVELS")


LEVELS = {"1": Config((6, 8), (2, 3)), "2": Config((7, 9), (4, 6))}


@dataclass(frozen=True, slots=True)
class State:
    """The board: rows of block names, a dot for a free cell, "/" between."""

    board: str

    def __str__(self) -> str:
        return told(self)

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        return read_state(cls, text)


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """Blocks at random; None when X gets out in another number of moves than asked for, or not at all."""
    board = _lay(rng, rng.randint(*config.blocks))
    moves = _first_solution(board)
    if moves is None or not config.moves[0] <= len(moves) <= config.moves[1]:
        return None
    return Puzzle(State("/".join("".join(row) for row in board)), _written(moves), {})


def _written(moves: list[Move]) -> str:
    """An answer as it is asked for."""
    told = ", ".join(f"{name} {direction} {cells}" for name, direction, cells in moves)
    return f"Minimum number of moves: {len(moves)}\nMoves: {told}"


def _lay(rng: Random, count: int) -> list[list[str]]:
    board = [["."] * SIDE for _ in range(SIDE)]
    left = rng.randrange(2)
    board[EXIT_ROW][left : left + 2] = [TARGET] * 2
    placed = 0
    for _ in range(200):
        if placed == count:
            break
        length, row, column = rng.choice((2, 2, 3)), rng.randrange(SIDE), rng.randrange(SIDE)
        down = rng.randrange(2)
        cells = [(row + i * down, column + i * (1 - down)) for i in range(length)]
        if (not down and row == EXIT_ROW) or any(r >= SIDE or c >= SIDE or board[r][c] != "." for r, c in cells):
            continue
        for r, c in cells:
            board[r][c] = NAMES[placed]
        placed += 1
    return board


def _first_solution(board: list[list[str]]) -> list[Move] | None:
    """Breadth first over whole boards. Of all shortest solutions this finds the first in the order of names, directions, cells."""
    start = "".join("".join(row) for row in board)
    came: dict[str, tuple[str, Move] | None] = {start: None}
    queue = [start]
    for position in queue:
        if position[EXIT_ROW * SIDE + SIDE - 1] == TARGET:
            return _way_to(position, came)
        if len(queue) > MOST_BOARDS:
            return None
        for move, after in sorted(_slides(position)):
            if after not in came:
                came[after] = (position, move)
                queue.append(after)
    return None


def _way_to(position: str, came: dict[str, tuple[str, Move] | None]) -> list[Move]:
    moves = []
    while (step := came[position]) is not None:
        position, move = step
        moves.append(move)
    return moves[::-1]


def _slides(position: str) -> Iterator[tuple[Move, str]]:
    for name in set(position) - {"."}:
        cells = [i for i, other in enumerate(position) if other == name]
        pace = cells[1] - cells[0]
        words = ("left", "right") if pace == 1 else ("up", "down")
        for word, step, front in ((words[0], -pace, cells[0]), (words[1], pace, cells[-1])):
            free, at = 0, front + step
            while 0 <= at < SIDE**2 and position[at] == "." and (pace > 1 or at // SIDE == front // SIDE):
                free += 1
                after = position.replace(name, ".")
                for cell in cells:
                    after = after[: cell + free * step] + name + after[cell + free * step + 1 :]
                yield (name, word, free), after
                at += step


def solve(state: State) -> frozenset[str]:
    """Of all minimal solutions, for each set of blocks that one moves, the first in the order of names, directions, cells."""
    blocks = _blocks(state.board.split("/"))
    start = tuple(block.offset for block in blocks)
    depths, layers = {start: 0}, [[start]]
    while layers[-1] and not any(_is_out(blocks, offsets) for offsets in layers[-1]):
        layers.append([])
        for offsets in layers[-2]:
            for _, after in _steps(blocks, offsets):
                if after not in depths:
                    depths[after] = len(layers) - 1
                    layers[-1].append(after)
    ways: dict[tuple[int, ...], set[tuple[Move, ...]]] = {start: {()}}
    for depth, layer in enumerate(layers[1:], 1):
        ahead: dict[tuple[int, ...], set[tuple[Move, ...]]] = {}
        for offsets, found in ways.items():
            for move, after in _steps(blocks, offsets):
                if depths.get(after) == depth:
                    ahead.setdefault(after, set()).update((*way, move) for way in found)
        ways = ahead if layer else {}
    first: dict[frozenset[str], tuple[Move, ...]] = {}
    for way in sorted(way for offsets, found in ways.items() if _is_out(blocks, offsets) for way in found):
        first.setdefault(frozenset(name for name, _, _ in way), way)
    return frozenset(
        f"Minimum number of moves: {len(way)}\nMoves: {', '.join(f'{n} {d} {c}' for n, d, c in way)}"
        for way in first.values()
    )


@dataclass(frozen=True, slots=True)
class _Block:
    name: str
    across: bool
    line: int
    """Its row, or its column when it stands upright."""
    length: int
    offset: int
    """Where on its line it begins."""

    def mask(self, offset: int) -> int:
        """A bit per cell."""
        cells = range(offset, offset + self.length)
        return sum(1 << (self.line * SIDE + i if self.across else i * SIDE + self.line) for i in cells)


def _blocks(rows: list[str]) -> list[_Block]:
    columns = ["".join(row[i] for row in rows) for i in range(SIDE)]
    found = []
    for across, lines in ((True, rows), (False, columns)):
        for number, line in enumerate(lines):
            found += [
                _Block(name, across, number, line.count(name), line.index(name))
                for name in sorted(set(line) - {"."})
                if line.count(name) > 1
            ]
    return found


def _is_out(blocks: list[_Block], offsets: tuple[int, ...]) -> bool:
    return any(block.name == TARGET and at + block.length == SIDE for block, at in zip(blocks, offsets, strict=True))


def _steps(blocks: list[_Block], offsets: tuple[int, ...]) -> Iterator[tuple[Move, tuple[int, ...]]]:
    masks = [block.mask(at) for block, at in zip(blocks, offsets, strict=True)]
    taken = sum(masks)
    for i, block in enumerate(blocks):
        for word, way in (("left" if block.across else "up", -1), ("right" if block.across else "down", 1)):
            for cells in range(1, SIDE):
                at = offsets[i] + way * cells
                if not 0 <= at <= SIDE - block.length or block.mask(at) & (taken - masks[i]):
                    break
                yield (block.name, word, cells), (*offsets[:i], at, *offsets[i + 1 :])


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question; it has no choices."""
    return QUESTION, {}


def draw(state: State) -> tuple[Picture, ...]:
    """The board from above, each block with its letter, the exit as a gap in the frame."""
    side = 2 * MARGIN + SIDE * CELL
    canvas = Canvas(side + 30, side)
    canvas.box(MARGIN - 8, MARGIN - 8, side - MARGIN + 8, side - MARGIN + 8, (90, 70, 50))
    canvas.box(MARGIN, MARGIN, side - MARGIN, side - MARGIN, (236, 226, 208))
    for i in range(1, SIDE):
        at = MARGIN + i * CELL
        canvas.line((at, MARGIN), (at, side - MARGIN), (205, 192, 170), 1)
        canvas.line((MARGIN, at), (side - MARGIN, at), (205, 192, 170), 1)
    top = MARGIN + EXIT_ROW * CELL
    canvas.box(side - MARGIN - 1, top + 2, side - MARGIN + 10, top + CELL - 2, (236, 226, 208), None)
    canvas.text((side - MARGIN + 16, top + CELL // 2), "EXIT", 20, anchor="lm")
    rows = state.board.split("/")
    for name in sorted(set(state.board) - {".", "/"}):
        cells = [(r, c) for r, row in enumerate(rows) for c, other in enumerate(row) if other == name]
        (r0, c0), (r1, c1) = cells[0], cells[-1]
        left, upper = MARGIN + c0 * CELL + 5, MARGIN + r0 * CELL + 5
        right, lower = MARGIN + (c1 + 1) * CELL - 5, MARGIN + (r1 + 1) * CELL - 5
        canvas.box(left, upper, right, lower, "red" if name == TARGET else COLORS[NAMES.index(name)])
        canvas.text(((left + right) // 2, (upper + lower) // 2), name, 28)
    return (canvas.picture(),)


def alt(state: State) -> tuple[str, ...]:
    """The picture in words."""
    return (f"a sliding block puzzle, row by row: {state.board}",)


GENERATOR = Generator(
    name="unblock_me",
    category=TASKS["unblock_me"].category,
    answer_type=TASKS["unblock_me"].answer_type,
    levels=LEVELS,
    slots=1,
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

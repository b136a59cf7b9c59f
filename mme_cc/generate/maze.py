"""Maze (Appendix A.2.3): which digits lie on the shortest way from the entrance to the exit?

The walls leave loops open, so that there are several ways, of which one alone is shortest.
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
    "The picture shows a maze, seen from above. Black lines are walls. Take the shortest way from the entrance (IN) to the exit (OUT) and"
    " give the digits that lie on it, in the order in which you meet them, separated by commas."
)

CELL, MARGIN = 52, 60
"""Pixels."""


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    size: int
    """Cells per side. The official files are named Maze06 and Maze10; that these are sizes is a guess."""
    loops: int
    """Walls opened besides those that connect all cells."""
    on_the_way: int
    """Digits on the shortest way."""
    aside: int
    """Digits elsewhere."""

    def __post_init__(self) -> None:
        if self.size < 4 or self.on_the_way + self.aside > self.size**2 // 2:
            raise ValueError(f"{self}: at least 4 cells a side, digits on half of them at most; see LEVELS")


LEVELS = {"06": Config(6, loops=3, on_the_way=4, aside=5), "10": Config(10, loops=8, on_the_way=6, aside=12)}


@dataclass(frozen=True, slots=True)
class State:
    """Cells are numbered in reading order."""

    size: int
    doors: str
    """Per cell: 1 open to the right, 2 open downwards, 3 both, 0 neither."""
    digits: str
    """Per cell its digit, or a dot."""
    start: int
    """In the top row, open upwards."""
    goal: int
    """In the bottom row, open downwards."""

    def __str__(self) -> str:
        return told(self)

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        return read_state(cls, text)


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """Carve a tree, open some more walls, and lay digits; None when two ways are shortest or the way is too short."""
    size = config.size
    links = _carve(rng, size)
    closed = [(a, b) for a, b in _pairs(size) if b not in links[a]]
    for a, b in rng.sample(closed, config.loops):
        links[a].add(b)
        links[b].add(a)
    start, goal = rng.randrange(size), size * (size - 1) + rng.randrange(size)
    way = _only_shortest_way(links, start, goal)
    if way is None or len(way) < config.size + config.on_the_way:
        return None
    lit = sorted(rng.sample(range(1, len(way) - 1), config.on_the_way))
    dark = rng.sample([cell for cell in range(size**2) if cell not in way], config.aside)
    digits = {cell: rng.choice("123456789") for cell in [*(way[i] for i in lit), *dark]}
    doors = "".join(str((c + 1 in links[c]) + 2 * (c + size in links[c])) for c in range(size**2))
    state = State(size, doors, "".join(digits.get(cell, ".") for cell in range(size**2)), start, goal)
    return Puzzle(state, ", ".join(digits[way[i]] for i in lit), {})


def _pairs(size: int) -> list[tuple[int, int]]:
    """Cells side by side."""
    right = [(c, c + 1) for c in range(size**2) if (c + 1) % size]
    return right + [(c, c + size) for c in range(size * (size - 1))]


def _carve(rng: Random, size: int) -> list[set[int]]:
    """A random tree over all cells, by depth-first search: cell → cells that it is open to."""
    beside: list[list[int]] = [[] for _ in range(size**2)]
    for a, b in _pairs(size):
        beside[a].append(b)
        beside[b].append(a)
    links: list[set[int]] = [set() for _ in beside]
    trail = [rng.randrange(size**2)]
    seen = set(trail)
    while trail:
        fresh = [cell for cell in beside[trail[-1]] if cell not in seen]
        if not fresh:
            trail.pop()
            continue
        cell = rng.choice(fresh)
        links[trail[-1]].add(cell)
        links[cell].add(trail[-1])
        seen.add(cell)
        trail.append(cell)
    return links


def _only_shortest_way(links: list[set[int]], start: int, goal: int) -> list[int] | None:
    """By distances from the goal; None where a step has a choice."""
    distance, wave = {goal: 0}, [goal]
    while wave:
        wave = list(dict.fromkeys(b for a in wave for b in links[a] if b not in distance))
        distance |= dict.fromkeys(wave, max(distance.values()) + 1)
    way = [start]
    while way[-1] != goal:
        nearer = [cell for cell in links[way[-1]] if distance[cell] < distance[way[-1]]]
        if len(nearer) != 1:
            return None
        way += nearer
    return way


def solve(state: State) -> frozenset[str]:
    """The digits of every shortest way, by walking all ways at once from the entrance and noting what each has met."""
    met: dict[int, set[tuple[str, ...]]] = {state.start: {_at(state, state.start)}}
    passed: set[int] = set()
    while met and state.goal not in met:
        passed |= met.keys()
        ahead: dict[int, set[tuple[str, ...]]] = {}
        for cell, ways in met.items():
            for beyond in _open(state, cell):
                if beyond not in passed:
                    ahead.setdefault(beyond, set()).update((*way, *_at(state, beyond)) for way in ways)
        met = ahead
    return frozenset(", ".join(way) for way in met.get(state.goal, ()))


def _at(state: State, cell: int) -> tuple[str, ...]:
    return () if state.digits[cell] == "." else (state.digits[cell],)


def _open(state: State, cell: int) -> list[int]:
    size, doors = state.size, state.doors
    ways = [
        (cell + 1, doors[cell] in "13"),
        (cell + size, doors[cell] in "23"),
        (cell - 1, cell % size > 0 and doors[cell - 1] in "13"),
        (cell - size, cell >= size and doors[cell - size] in "23"),
    ]
    return [beyond for beyond, is_open in ways if is_open]


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question; it has no choices."""
    return QUESTION, {}


def draw(state: State) -> tuple[Picture, ...]:
    """The maze, its two openings labelled."""
    size = state.size
    side = 2 * MARGIN + size * CELL
    canvas = Canvas(side, side)
    for cell in range(size**2):
        left, top = MARGIN + cell % size * CELL, MARGIN + cell // size * CELL
        right, bottom = left + CELL, top + CELL
        if state.digits[cell] != ".":
            canvas.text(((left + right) // 2, (top + bottom) // 2), state.digits[cell], 26)
        if state.doors[cell] not in "13":
            canvas.line((right, top), (right, bottom), width=4)
        if state.doors[cell] not in "23" and cell != state.goal:
            canvas.line((left, bottom), (right, bottom), width=4)
        if cell < size and cell != state.start:
            canvas.line((left, top), (right, top), width=4)
        if cell % size == 0:
            canvas.line((left, top), (left, bottom), width=4)
    canvas.text((MARGIN + state.start * CELL + CELL // 2, MARGIN // 2), "IN", 22, "green")
    canvas.text((MARGIN + state.goal % size * CELL + CELL // 2, side - MARGIN // 2), "OUT", 22, "red")
    return (canvas.picture(),)


def alt(state: State) -> tuple[str, ...]:
    """The picture in words."""
    digits = sum(digit != "." for digit in state.digits)
    return (f"a maze of {state.size} by {state.size} cells with {digits} digits in it",)


GENERATOR = Generator(
    name="maze",
    category=TASKS["maze"].category,
    answer_type=TASKS["maze"].answer_type,
    levels=LEVELS,
    slots=1,
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

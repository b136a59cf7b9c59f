"""Indoor Directional Reasoning (Appendix A.1.2): one view of a room is said to face a direction; which does the other face?

A plain room of four walls, each with a colour and a sign of its own; a view shows the wall ahead and the ends of those beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.render.canvas import SHAPES, Canvas
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .states import read_state, told

QUESTION = (
    "Both pictures were taken from the middle of the same room with four walls. In the first picture the camera looks {anchor}. In which"
    " direction, north, east, south or west, does it look in the second picture?"
)

DIRECTIONS = ("North", "East", "South", "West")
"""Clockwise."""
COLORS = ("red", "orange", "yellow", "lime", "green", "turquoise", "blue", "violet", "brown", "tan")
WIDTH, HEIGHT = 520, 340
"""Pixels."""


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    turns: tuple[int, ...]
    """Quarter turns to the right between the views."""
    colors: int
    """Of the four walls; the signs tell them apart all the same."""

    def __post_init__(self) -> None:
        if not {1, 2, 3} >= set(self.turns) or not 1 <= self.colors <= 4:
            raise ValueError(f"{self}: 1 to 3 quarter turns, 1 to 4 colours; see LEVELS")


LEVELS = {"1": Config((1, 3), 4), "2": Config((1, 2, 3), 2)}


@dataclass(frozen=True, slots=True)
class State:
    """What both views show."""

    anchor: str
    """Direction of the first view."""
    first: tuple[tuple[str, str], ...]
    """Colour and sign of the walls at the left, ahead, at the right."""
    second: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return told(self)

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        return read_state(cls, text)


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State]:
    """The key is `DIRECTIONS[slot]`."""
    palette = rng.sample(COLORS, config.colors)
    colors = [palette[i % config.colors] for i in range(4)]
    rng.shuffle(colors)
    walls = list(zip(colors, rng.sample(SHAPES, 4), strict=True))
    turn = rng.choice(config.turns)
    anchor = (slot - turn) % 4
    views = [tuple(walls[(ahead + side) % 4] for side in (-1, 0, 1)) for ahead in (anchor, slot)]
    return Puzzle(State(DIRECTIONS[anchor], *views), DIRECTIONS[slot], {})


def solve(state: State) -> frozenset[str]:
    """Every direction in which the second view agrees with the first: no wall twice, no place with two walls."""
    start = DIRECTIONS.index(state.anchor)
    found = set()
    for number, direction in enumerate(DIRECTIONS):
        at: dict[int, set[tuple[str, str]]] = {}
        for ahead, view in ((start, state.first), (number, state.second)):
            for side, wall in zip((3, 0, 1), view, strict=True):
                at.setdefault((ahead + side) % 4, set()).add(wall)
        walls = [wall for there in at.values() for wall in there]
        if all(len(there) == 1 for there in at.values()) and len(set(walls)) == len(walls):
            found.add(direction)
    return frozenset(found)


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question; it has no choices."""
    return QUESTION.format(anchor=state.anchor.lower()), {}


def draw(state: State) -> tuple[Picture, ...]:
    """Two views."""
    return _view(state.first), _view(state.second)


def _view(walls: tuple[tuple[str, str], ...]) -> Picture:
    canvas = Canvas(WIDTH, HEIGHT, (250, 250, 250))
    left, right, top, bottom = 130, WIDTH - 130, 60, HEIGHT - 70
    canvas.polygon([(0, HEIGHT), (left, bottom), (right, bottom), (WIDTH, HEIGHT)], (196, 170, 136))
    corners = (
        [(0, 0), (left, top), (left, bottom), (0, HEIGHT)],
        [(left, top), (right, top), (right, bottom), (left, bottom)],
        [(right, top), (WIDTH, 0), (WIDTH, HEIGHT), (right, bottom)],
    )
    middle = (top + bottom) // 2
    signs = ((65, middle, 30), (WIDTH // 2, middle, 52), (WIDTH - 65, middle, 30))
    for (color, sign), points, (x, y, radius) in zip(walls, corners, signs, strict=True):
        canvas.polygon(points, color)
        canvas.disc((x, y), radius + 8, "white")
        canvas.shape(sign, (x, y), radius * 3 // 4, "grey")
    return canvas.picture()


def alt(state: State) -> tuple[str, ...]:
    """The pictures in words."""
    return tuple(
        "; ".join(
            f"{side} a {color} wall with a {sign}"
            for side, (color, sign) in zip(("left", "ahead", "right"), view, strict=True)
        )
        for view in (state.first, state.second)
    )


GENERATOR = Generator(
    name="indoor_directional_reasoning",
    category=TASKS["indoor_directional_reasoning"].category,
    answer_type=TASKS["indoor_directional_reasoning"].answer_type,
    levels=LEVELS,
    slots=len(DIRECTIONS),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

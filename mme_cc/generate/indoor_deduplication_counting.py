"""Indoor Deduplication Counting (Appendix A.1.3): how many things of two kinds are there in all, over views that overlap?

A plain stand-in: a long wall photographed from left to right; no two things of a kind have one colour, so that each can be recognised.
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
    "The pictures show one long room, photographed from left to right; each picture overlaps with the next, so that some things are in two"
    " of them. No two things of the same kind have the same colour. How many different {one}s and how many different {other}s are there in"
    " the room? A pot counts with or without a plant. Answer as in: {one}s: 1, {other}s: 2"
)

KINDS = ("chair", "pot", "lamp", "table")
COLORS = ("red", "orange", "yellow", "green", "turquoise", "blue", "violet", "brown")
PITCH, HEIGHT = 110, 260
"""Pixels per thing, and of a view."""

Thing = tuple[str, str]
"""Kind and colour."""


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    things: int
    views: int
    overlap: int
    """Things that two views share."""

    def __post_init__(self) -> None:
        if (self.things + (self.views - 1) * self.overlap) % self.views or not 0 < self.overlap < self.things:
            raise ValueError(f"{self}: the views must share the things out evenly; see LEVELS")


LEVELS = {"1": Config(things=8, views=2, overlap=2), "2": Config(things=14, views=3, overlap=2)}


@dataclass(frozen=True, slots=True)
class State:
    """What the views show, and the two kinds asked for."""

    views: tuple[tuple[Thing, ...], ...]
    asked: tuple[str, str]

    def __str__(self) -> str:
        return told(self)

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        return read_state(cls, text)


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """None unless counting view by view would give another answer for both kinds."""
    every = [(kind, color) for kind in KINDS for color in COLORS]
    room = rng.sample(every, config.things)
    width = (config.things + (config.views - 1) * config.overlap) // config.views
    starts = [n * (width - config.overlap) for n in range(config.views)]
    views = tuple(tuple(room[start : start + width]) for start in starts)
    asked = tuple(rng.sample(KINDS, 2))
    counts = [sum(kind == wanted for kind, _ in room) for wanted in asked]
    naive = [sum(kind == wanted for view in views for kind, _ in view) for wanted in asked]
    if 0 in counts or any(a == b for a, b in zip(counts, naive, strict=True)):
        return None
    answer = ", ".join(f"{kind}s: {count}" for kind, count in zip(asked, counts, strict=True))
    return Puzzle(State(views, (asked[0], asked[1])), answer, {})


def solve(state: State) -> frozenset[str]:
    """By the colours that occur anywhere, kind by kind."""
    colors: dict[str, set[str]] = {kind: set() for kind in state.asked}
    for view in state.views:
        for kind, color in view:
            colors.setdefault(kind, set()).add(color)
    return frozenset({", ".join(f"{kind}s: {len(colors[kind])}" for kind in state.asked)})


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question; it has no choices."""
    one, other = state.asked
    return QUESTION.format(one=one, other=other), {}


def draw(state: State) -> tuple[Picture, ...]:
    """The views from left to right. A pot's colour tells whether a plant is in it."""
    return tuple(map(_view, state.views))


def _view(things: tuple[Thing, ...]) -> Picture:
    width = PITCH * len(things) + 40
    canvas = Canvas(width, HEIGHT, (242, 236, 224))
    canvas.box(0, HEIGHT - 60, width, HEIGHT, (190, 164, 130), None)
    for number, (kind, color) in enumerate(things):
        _DRAWN[kind](canvas, 20 + PITCH * number + PITCH // 2, HEIGHT - 40, color)
    return canvas.picture()


def _chair(canvas: Canvas, x: int, floor: int, color: str) -> None:
    for leg in (-30, 22):
        canvas.box(x + leg, floor - 44, x + leg + 8, floor, color)
    canvas.box(x - 30, floor - 56, x + 30, floor - 42, color)
    canvas.box(x - 30, floor - 120, x - 18, floor - 56, color)


def _pot(canvas: Canvas, x: int, floor: int, color: str) -> None:
    if COLORS.index(color) % 2:
        for way in (-1, 0, 1):
            canvas.polygon([(x - 6, floor - 50), (x + 34 * way, floor - 120), (x + 6, floor - 50)], "lime")
    canvas.polygon([(x - 32, floor - 54), (x + 32, floor - 54), (x + 22, floor), (x - 22, floor)], color)


def _lamp(canvas: Canvas, x: int, floor: int, color: str) -> None:
    canvas.box(x - 3, floor - 130, x + 3, floor, "grey")
    canvas.box(x - 22, floor - 6, x + 22, floor, "grey")
    canvas.polygon([(x - 18, floor - 160), (x + 18, floor - 160), (x + 34, floor - 112), (x - 34, floor - 112)], color)


def _table(canvas: Canvas, x: int, floor: int, color: str) -> None:
    for leg in (-42, 34):
        canvas.box(x + leg, floor - 66, x + leg + 8, floor, color)
    canvas.box(x - 48, floor - 78, x + 48, floor - 64, color)


_DRAWN = {"chair": _chair, "pot": _pot, "lamp": _lamp, "table": _table}


def alt(state: State) -> tuple[str, ...]:
    """The pictures in words."""
    return tuple(", ".join(f"a {color} {kind}" for kind, color in view) for view in state.views)


GENERATOR = Generator(
    name="indoor_deduplication_counting",
    category=TASKS["indoor_deduplication_counting"].category,
    answer_type=TASKS["indoor_deduplication_counting"].answer_type,
    levels=LEVELS,
    slots=1,
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

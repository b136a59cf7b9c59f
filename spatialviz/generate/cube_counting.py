"""Cube counting (Visual Penetration; figure 2 of the paper): two or three views of a stack; how many cubes is it made of?

Cubes stand on the floor or on each other, so that a stack is a height for each square of its floor. Asked is the smallest number, the
largest, or a possible one. Every number from the smallest to the largest is possible: raise a column that is lower than its views
allow, one cube at a time. So a wrong "possible" number lies outside.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import NamedTuple

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .options import LETTERS, NONE, Option, arrange, fitting
from .sheet import Panel, sheet
from .views import squares

AT_LEAST, AT_MOST, POSSIBLY = "least", "most", "possibly"

QUESTIONS = {
    AT_LEAST: "What is the smallest number of cubes in a stack that looks like this?",
    AT_MOST: "What is the largest number of cubes in a stack that looks like this?",
    POSSIBLY: "Which of these numbers of cubes can a stack have that looks like this?",
}
INTRODUCTION = (
    "A stack of equal cubes stands on the floor. No cube floats: each stands on the floor or on top of another one. The picture shows"
    " the stack {views}; {front}."
)
VIEWS = {2: "from the front and from the top", 3: "from the front, from the top and from the left"}
FRONT = {
    2: "the lower edge of the top view is the front",
    3: "the lower edge of the top view and the right edge of the left view are the front",
}

TRIES = 20_000
"""At a stack that is in one piece and has the right number of cubes: the rarest needs some 400."""

CELL = 46
"""Pixels of a cube's side."""


WRONG = len(LETTERS) - 1
"""Wrong numbers of a question."""


class Numbers(NamedTuple):
    """Among which numbers is asked: any four in a row, `gap` apart, from the least to the most."""

    form: str
    """A name in QUESTIONS."""
    gap: int
    least: int
    most: int
    """Within these limits every number is the right one of at least one random stack in 250."""


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    side: int
    """Squares along each side of the floor, at most."""
    height: int
    """Cubes, at most."""
    views: int
    """2: front and top; 3: from the left too."""
    numbers: tuple[Numbers, ...]
    """What is asked, and among which numbers."""
    none: bool
    """Is the fourth option that no other number is right?"""

    def __post_init__(self) -> None:
        if self.views not in VIEWS or not 2 <= self.side <= 5 or not 2 <= self.height <= 5:
            raise ValueError(f"{self}: 2 or 3 views, a floor and a height of 2 to 5 cubes; see LEVELS")
        if not self.numbers or any(
            row.form not in QUESTIONS or row.gap < 1 or row.least < 1 or row.most - row.least < WRONG * row.gap
            for row in self.numbers
        ):
            raise ValueError(
                f"{self}: numbers have a form of {', '.join(QUESTIONS)}, a gap of 1 or more and room for {WRONG} gaps; see LEVELS"
            )


def _rows(form: str, gaps: tuple[int, ...], least: int, most: int) -> tuple[Numbers, ...]:
    return tuple(Numbers(form, gap, least, most) for gap in gaps)


LEVELS = {
    "0": Config(3, 3, 2, (*_rows(AT_LEAST, (1, 2), 6, 14), *_rows(AT_MOST, (1, 2), 8, 22)), none=False),
    "1": Config(
        *(3, 3, 3),
        (
            *_rows(AT_LEAST, (1, 2), 7, 15),
            *_rows(AT_MOST, (1, 2), 7, 22),
            *(Numbers(POSSIBLY, 2, 7, 15), Numbers(POSSIBLY, 3, 7, 17)),
        ),
        none=False,
    ),
    "2": Config(
        *(4, 3, 3),
        (
            *_rows(AT_LEAST, (1, 2), 12, 22),
            *_rows(AT_MOST, (1, 2), 15, 34),
            *(Numbers(POSSIBLY, 2, 12, 18), Numbers(POSSIBLY, 3, 11, 21), Numbers(POSSIBLY, 4, 11, 23)),
        ),
        none=True,
    ),
}


@dataclass(frozen=True, slots=True)
class State:
    """What the views show, and the numbers to choose from."""

    form: str
    """A name in QUESTIONS."""
    top: tuple[str, ...]
    """Rows of the top view from back to front, "1" where there is a column of cubes."""
    front: tuple[int, ...]
    """Height of the front view at each of its columns, from left to right."""
    left: tuple[int, ...]
    """The same of the view from the left: from back to front; () where it is not shown."""
    numbers: tuple[int, ...]
    """The options; three where the fourth letter says that none of them is right."""

    def __str__(self) -> str:
        heights = ("".join(map(str, view)) or "-" for view in (self.front, self.left))
        return " ".join([self.form, "/".join(self.top), *heights, ",".join(map(str, self.numbers))])

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        form, top, front, left, numbers = text.split(" ")
        if form not in QUESTIONS:
            raise ValueError(f"{text!r}: begins with none of {', '.join(QUESTIONS)}")
        heights, more = (tuple(map(int, view.replace("-", ""))) for view in (front, left))
        return cls(form, tuple(top.split("/")), heights, more, tuple(map(int, numbers.split(","))))


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """Four numbers and the right one among them are drawn first, then a stack for which it is right: numbers alone tell nothing."""
    row = rng.choice(config.numbers)
    start = rng.randint(row.least, row.most - WRONG * row.gap)
    right, *wrong = rng.sample(range(start, start + len(LETTERS) * row.gap, row.gap), len(LETTERS))
    for heights in _stacks(rng, config):
        front, left = tuple(map(max, zip(*heights, strict=True))), tuple(map(max, heights))
        top = tuple("".join("01"[height > 0] for height in line) for line in heights)
        shown_left = left if config.views == max(VIEWS) else ()
        low, high = bounds(top, front, shown_left)
        if _is_right(row, right, low, high):
            told = f"the stack has at least {low} and at most {high} cubes"
            others = [Option(number, f"Wrong: {told}.") for number in wrong]
            options = arrange(Option(right, f"Right: {told}."), others, slot, none=config.none)
            return Puzzle(State(row.form, top, front, shown_left, options.things), LETTERS[slot], options.explanation)
    return None


def _is_right(row: Numbers, right: int, low: int, high: int) -> bool:
    """For stacks of `low` to `high` cubes. Where any of these numbers is, no other that is offered may be, and there must be several."""
    if row.form == POSSIBLY:
        return low < high and low <= right <= high and right - row.gap < low and high < right + row.gap
    return right == {AT_LEAST: low, AT_MOST: high}[row.form]


def _stacks(rng: Random, config: Config) -> Iterator[list[list[int]]]:
    """Heights of columns, rows from back to front, on a floor of which half the squares stay empty; in one piece, no line empty."""
    for _ in range(TRIES):
        choices = (*(0,) * config.height, *range(1, config.height + 1))
        heights = [rng.choices(choices, k=config.side) for _ in range(config.side)]
        if all(map(any, heights)) and all(map(any, zip(*heights, strict=True))) and _in_one_piece(heights):
            yield heights


def _in_one_piece(heights: list[list[int]]) -> bool:
    """Do the columns hold together by whole sides?"""
    left = {(r, c) for r, row in enumerate(heights) for c, height in enumerate(row) if height}
    queue = [left.pop()]
    for r, c in queue:
        near = left & {(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)}
        left -= near
        queue.extend(near)
    return not left


def bounds(top: tuple[str, ...], front: tuple[int, ...], left: tuple[int, ...]) -> tuple[int, int]:
    """Fewest and most cubes of a stack with these views, of which there is one at least.

    Most: each column as high as its views allow. Fewest: one cube per column of cubes, and for each height one column that reaches it
    per line of a view that asks for it, where one column may serve a line of each view: as many as can be matched.
    """
    floor = [(r, c) for r, row in enumerate(top) for c, mark in enumerate(row) if mark == "1"]
    rows = left or (max(front),) * len(top)
    most = sum(min(rows[r], front[c]) for r, c in floor)
    fewest = len(floor)
    for height in range(2, max(front) + 1):
        across = [c for c, tall in enumerate(front) if tall == height]
        along = [r for r, tall in enumerate(left) if tall == height]
        fewest += (height - 1) * (len(across) + len(along) - _matched(across, along, set(floor)))
    return fewest, most


def _matched(across: list[int], along: list[int], floor: set[tuple[int, int]]) -> int:
    """How many columns of the front view can be paired with lines of the view from the left at a square of the floor."""
    partner: dict[int, int] = {}

    def found(c: int, tried: set[int]) -> bool:
        for r in along:
            if (r, c) in floor and r not in tried:
                tried.add(r)
                if r not in partner or found(partner[r], tried):
                    partner[r] = c
                    return True
        return False

    return sum(found(c, set()) for c in across)


def solve(state: State) -> frozenset[str]:
    """The letters of the numbers that fit, from the numbers of cubes of all stacks that look like this."""
    possible = totals(state.top, state.front, state.left)
    asked = {AT_LEAST: {min(possible)}, AT_MOST: {max(possible)}, POSSIBLY: possible}[state.form]
    return fitting(number in asked for number in state.numbers)


def totals(top: tuple[str, ...], front: tuple[int, ...], left: tuple[int, ...]) -> set[int]:
    """Numbers of cubes of all stacks with these views: column after column of the front view, with all heights that it can have.

    What counts of the columns so far is how many cubes they have and which lines of the view from the left reach their height.
    Raises ValueError when there is no stack.
    """
    states = {(0, frozenset(r for r in range(len(top)) if not left))}
    for c, tall in enumerate(front):
        ways = list(_heights([row[c] == "1" for row in top], tall, left))
        states = {(total + more, reached | new) for total, reached in states for more, new in ways}
    found = {total for total, reached in states if len(reached) == len(top)}
    if not found:
        raise ValueError(f"no stack looks like top {top}, front {front}, left {left}")
    return found


def _heights(filled: list[bool], tall: int, left: tuple[int, ...]) -> Iterator[tuple[int, frozenset[int]]]:
    """All heights of one column of the top view, as their sum and the lines of the left view that they bring to their height."""
    limits = [min(tall, left[r]) if left else tall for r in range(len(filled))]
    choices = (range(1, limit + 1) if there else (0,) for there, limit in zip(filled, limits, strict=True))
    for heights in product(*choices):
        if max(heights) == tall:
            yield sum(heights), frozenset(r for r, height in enumerate(heights) if left and height == left[r])


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its four numbers."""
    views = 3 if state.left else 2
    introduction = INTRODUCTION.format(views=VIEWS[views], front=FRONT[views])
    texts = [*map(str, state.numbers), NONE][: len(LETTERS)]
    return f"{introduction} {QUESTIONS[state.form]}", dict(zip(LETTERS, texts, strict=True))


def draw(state: State) -> tuple[Picture, ...]:
    """The views in a row."""
    panels = [Panel("Front", squares(_heaped(state.front), CELL)), Panel("Top", squares(state.top, CELL))]
    if state.left:
        panels.append(Panel("Left", squares(_heaped(state.left), CELL)))
    return (sheet([panels]),)


def _heaped(heights: tuple[int, ...]) -> list[str]:
    """Rows of a view with columns of these heights, from its top down."""
    return ["".join("01"[height > level] for height in heights) for level in reversed(range(max(heights)))]


def alt(state: State) -> tuple[str, ...]:
    """The picture in words."""
    left = f"; left view, heights from back to front: {state.left}" if state.left else ""
    return (f"front view, heights from left to right: {state.front}; top view from back to front: {state.top}{left}",)


GENERATOR = Generator(
    name="cube_counting",
    category=TASKS["cube_counting"].category,
    answer_type=TASKS["cube_counting"].answer_type,
    levels=LEVELS,
    slots=len(LETTERS),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

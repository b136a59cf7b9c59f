"""3D rotation (Mental Rotation; figure 2 of the paper): which polycube is the original turned, or is not?

Wrong shapes are the original's mirror image, or lack one of its cubes, or have one elsewhere. No cube of a picture is hidden, and the
question says so; without that, most pictures of polycubes fit several.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .cube_changes import CHANGES, MIRRORED, MOVED, changed, in_sight
from .cube_proof import same, shown
from .cube_sight import all_noticed, grey, pictures
from .options import LETTERS, Option, arrange, figures, fitting
from .polycubes import (
    Cells,
    block,
    grown,
    normal,
    read,
    told,
)
from .sheet import Panel, sheet

CAN, CANNOT = "can", "cannot"

QUESTIONS = {
    CAN: "Which of the figures A, B and C shows the original stack turned in space, not mirrored and not changed in any other way?",
    CANNOT: "Which of the figures A, B and C shows a stack that the original cannot be turned into? Turning does not mirror a stack.",
}
INTRODUCTION = (
    "The figure on the left shows a stack of equal cubes that hold together by their faces; so do the figures A, B and C. No cube is"
    " hidden: each can be seen at least in part."
)

FIGURES = len(LETTERS) - 1
"""The fourth option is that none of them is right."""

SIZE = 210
"""Pixels of a panel's side."""


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    cubes: tuple[int, int]
    """Fewest and most, of the original."""
    changes: tuple[str, ...]
    """How wrong shapes differ from the original, names in CHANGES."""
    length: int = 3
    """Cubes along the longest side, at most."""

    def __post_init__(self) -> None:
        if not 3 <= self.cubes[0] <= self.cubes[1] <= 9 or not set(self.changes) <= CHANGES.keys() or not self.changes:
            raise ValueError(f"{self}: 3 to 9 cubes, and changes out of {', '.join(CHANGES)}; see LEVELS")


LEVELS = {"0": Config((4, 6), (MOVED,)), "1": Config((6, 8), (MIRRORED, MOVED))}


@dataclass(frozen=True, slots=True)
class State:
    """The stacks as they stand in the pictures."""

    form: str
    """CAN or CANNOT."""
    original: Cells
    options: tuple[Cells, ...]
    """A, B, C."""

    def __str__(self) -> str:
        return " ".join([self.form, *map(told, (self.original, *self.options))])

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        form, original, *options = text.split(" ")
        if form not in QUESTIONS or len(options) != FIGURES:
            raise ValueError(f"{text!r}: a form, {CAN} or {CANNOT}, the original and three options")
        return cls(form, read(original), tuple(map(read, options)))


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """A polycube at random, turned copies of it, and changed ones; None when cubes are hidden in it or too few changes are left."""
    cells = grown(rng, rng.randint(*config.cubes), block(*(config.length,) * 3))
    if cells is None or not all_noticed(original := normal(cells)):
        return None
    form = rng.choice((CAN, CANNOT))
    turned = [(one, "it is the original, turned") for one in islice(in_sight(rng, original, but=original), FIGURES)]
    others = list(islice(distractors(rng, original, config), FIGURES))
    fit, rest = (turned, others) if form == CAN else (others, turned)
    if not fit or len(rest) < FIGURES:
        return None
    right = Option(fit[0][0], f"Right: {fit[0][1]}.")
    arranged = arrange(right, [Option(shape, f"Wrong: {why}.") for shape, why in rest], slot, none=True)
    return Puzzle(State(form, original, arranged.things), LETTERS[slot], arranged.explanation)


def distractors(rng: Random, original: Cells, config: Config) -> Iterator[tuple[Cells, str]]:
    """Shapes that no turning makes of the original, nor of each other, and what is wrong with them."""
    return changed(rng, original, config.changes)


def solve(state: State) -> frozenset[str]:
    """The letters of the options that fit, by what the pictures show."""
    original = shown(state.original)
    return fitting(same(original, shown(option)) == (state.form == CAN) for option in state.options)


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its four options."""
    return f"{INTRODUCTION} {QUESTIONS[state.form]}", figures(len(state.options))


def draw(state: State) -> tuple[Picture, ...]:
    """The original and three options in a row, at one scale."""
    images = pictures([grey(stack) for stack in (state.original, *state.options)], size=SIZE)
    titles = ("Original", *LETTERS)
    return (sheet([[Panel(title, image) for title, image in zip(titles, images, strict=False)]]),)


def alt(state: State) -> tuple[str, ...]:
    """The picture in words."""
    options = "; ".join(f"{letter}: {told(option)}" for letter, option in zip(LETTERS, state.options, strict=False))
    return (f"stacks of cubes at (x to the right, y away, z up): original: {told(state.original)}; {options}",)


GENERATOR = Generator(
    name="rotation_3d",
    category=TASKS["rotation_3d"].category,
    answer_type=TASKS["rotation_3d"].answer_type,
    levels=LEVELS,
    slots=len(LETTERS),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

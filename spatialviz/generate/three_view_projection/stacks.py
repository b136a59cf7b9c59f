"""Cube stacks with red cubes: given are a view from in front, above and the right, the front view and the top view.

Asked is the view from the left or from the right. Cubes may be hidden in all the given pictures, and a cube of which only one side is
seen has its colour on all sides; an option is right when any stack that looks like the pictures looks like it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import ClassVar, NamedTuple

from cogsight.shared.build import Puzzle
from cogsight.shared.sample import Picture

from ..cube_proof import shown
from ..cube_sight import pictures
from ..options import LETTERS, Option, arrange, figures, fitting
from ..polycubes import Cell, Cells, block, grown, normal, read, told
from ..sheet import Panel, sheet
from ..views import COLORS, EMPTY, squares

KIND = "stacks"

QUESTION = (
    "The upper row shows a stack of equal grey and red cubes: at an angle, from the front, and from the top. In the view at an angle the"
    " side that faces left is the front, the side that faces right is the right side of the stack; the lower edge of the top view is the"
    " front. No cube floats: each stands on the floor or on top of another one. A red cube is red all over, a grey one grey. Which of the"
    " figures A, B, C and D is the view from the {side}?"
)

SIDES = ("left", "right")

SIZE, CELL = 210, 44
"""Pixels of the isometric panel's side, and of a square of the views."""

View = tuple[str, ...]
"""Rows from top to bottom, squares as in `views.COLORS`."""

GREY_MARK, RED_MARK = COLORS


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    cubes: tuple[int, int] = (7, 11)
    """Fewest and most."""
    red: tuple[int, int] = (2, 4)
    """Of them, fewest and most."""
    sides: tuple[str, ...] = SIDES
    """From where the view may be that is asked for."""
    length: int = 3
    """Cubes along each side of the stack's room."""

    kind: ClassVar[str] = KIND

    def __post_init__(self) -> None:
        if not 1 <= self.red[0] <= self.red[1] < self.cubes[0] <= self.cubes[1] <= self.length**3 or self.length > 3:
            raise ValueError(f"{self}: 1 or more red cubes, more cubes than these, in a room of at most 3 a side")
        if not self.sides or not set(self.sides) <= set(SIDES):
            raise ValueError(f"{self}: sides are {', '.join(SIDES)}")


@dataclass(frozen=True, slots=True)
class State:
    """The stack and the views to choose from."""

    side: str
    """From where the asked view is."""
    grey: Cells
    red: Cells
    options: tuple[View, ...]

    kind: ClassVar[str] = KIND

    def __str__(self) -> str:
        return " ".join([KIND, self.side, told(self.grey), told(self.red), *map("/".join, self.options)])

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        kind, side, grey, red, *options = text.split(" ")
        if kind != KIND or side not in SIDES or len(options) != len(LETTERS):
            raise ValueError(f"{text!r}: {KIND}, a side, grey and red cubes, and four views")
        return cls(side, read(grey), read(red), tuple(tuple(option.split("/")) for option in options))


class Eye(NamedTuple):
    """How a stack is seen from one side: which axis runs to the right, down and towards the eye, each with its direction."""

    right: tuple[int, int]
    down: tuple[int, int]
    near: tuple[int, int]


EYES = {
    "front": Eye((0, 1), (2, -1), (1, -1)),
    "top": Eye((0, 1), (1, -1), (2, 1)),
    "left": Eye((1, -1), (2, -1), (0, -1)),
    "right": Eye((1, 1), (2, -1), (0, 1)),
}


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """A stack at random; None when it is smaller than its room or its view has too few that are like it."""
    stack = grown(rng, rng.randint(*config.cubes), block(*(config.length,) * 3), resting=True)
    if stack is None:
        return None
    cells = sorted(normal(stack))
    red = frozenset(rng.sample(cells, rng.randint(*config.red)))
    side = rng.choice(config.sides)
    marks = {cell: RED_MARK if cell in red else GREY_MARK for cell in cells}
    key = view(marks, EYES[side])
    wrong = distractors(rng, marks, side)
    if RED_MARK not in "".join(key) or len({key, *(one for one, _ in wrong)}) < len(LETTERS):
        return None
    right = Option(key, f"Right: this is the view from the {side}.")
    arranged = arrange(right, [Option(one, f"Wrong: {why}.") for one, why in wrong], slot)
    return Puzzle(State(side, frozenset(cells) - red, red, arranged.things), LETTERS[slot], arranged.explanation)


def view(marks: Mapping[Cell, str], eye: Eye) -> View:
    """What is seen: per line of sight the cube that is nearest to the eye."""
    nearest: dict[tuple[int, int], str] = {}
    for cell in sorted(marks, key=lambda cell: cell[eye.near[0]] * eye.near[1]):
        nearest[cell[eye.right[0]] * eye.right[1], cell[eye.down[0]] * eye.down[1]] = marks[cell]
    columns, rows = ({place[i] for place in nearest} for i in (0, 1))
    return tuple(
        "".join(nearest.get((column, row), EMPTY) for column in range(min(columns), max(columns) + 1))
        for row in range(min(rows), max(rows) + 1)
    )


def distractors(rng: Random, marks: Mapping[Cell, str], side: str) -> list[tuple[View, str]]:
    """Two outlines, one the other's mirror image, in two colourings, but for the right view: no option is nearest to all others."""
    key, opposite = (view(marks, EYES[name]) for name in (side, *(set(SIDES) - {side})))
    recolored, why = rng.choice(
        [
            (_flipped(opposite), "its colours are those of the opposite side"),
            (_exchanged(rng, key), "a red and a grey square have changed places"),
        ]
    )
    wrong = [
        (_flipped(key), "the view is mirrored"),
        (recolored, why),
        (_flipped(recolored), f"the view is mirrored, and {why}"),
    ]
    return rng.sample(wrong, len(wrong))


def _flipped(one: View) -> View:
    """Left and right exchanged."""
    return tuple(row[::-1] for row in one)


def _exchanged(rng: Random, one: View) -> View:
    """One of its red squares is grey and one of its grey squares red; unchanged where all are alike."""
    places = [(r, c) for r, row in enumerate(one) for c in range(len(row))]
    reds, greys = ([(r, c) for r, c in places if one[r][c] == mark] for mark in (RED_MARK, GREY_MARK))
    if not reds or not greys:
        return one
    new = {rng.choice(reds): GREY_MARK, rng.choice(greys): RED_MARK}
    return tuple("".join(new.get((r, c), mark) for c, mark in enumerate(row)) for r, row in enumerate(one))


def solve(state: State) -> frozenset[str]:
    """The letters of the views that some stack has which looks like the given pictures; all, when too many cubes may be hidden."""
    marks = {**dict.fromkeys(state.grey, GREY_MARK), **dict.fromkeys(state.red, RED_MARK)}
    box = _Box(*(1 + max(cell[axis] for cell in marks) for axis in range(3)))
    front, top = box.look(marks, "front"), box.look(marks, "top")
    noticed = shown(marks)
    hidden = [cell for cell in box.cells() if box.may_hide(cell, front, top) and _is_hidden(cell, marks, noticed)]
    if len(hidden) > MOST_HIDDEN:
        return frozenset(LETTERS)
    possible = set()
    for filling in product((EMPTY, GREY_MARK, RED_MARK), repeat=len(hidden)):
        stack = {cell: marks[cell] for cell in noticed}
        stack |= {cell: mark for cell, mark in zip(hidden, filling, strict=True) if mark != EMPTY}
        if (
            all(z == 0 or (x, y, z - 1) in stack for x, y, z in stack)
            and box.look(stack, "top") == top
            and box.look(stack, "front") == front
        ):
            possible.add(box.look(stack, state.side))
    return fitting(option in possible for option in state.options)


MOST_HIDDEN = 7
"""Places for which each of three contents is tried."""


def _is_hidden(cell: Cell, cells: Collection[Cell], noticed: Cells) -> bool:
    """Would it change nothing that can be noticed in the view at an angle, whether there is a cube or not?"""
    return cell not in noticed and (cell in cells or cell not in shown({*cells, cell}))


class _Box(NamedTuple):
    """The room of a stack, as wide, deep and high as its front and top views say."""

    width: int
    depth: int
    height: int

    def cells(self) -> Iterator[Cell]:
        yield from product(range(self.width), range(self.depth), range(self.height))

    def may_hide(self, cell: Cell, front: View, top: View) -> bool:
        """Do the front and the top view show something in line with it?"""
        x, y, z = cell
        return front[self.height - 1 - z][x] != EMPTY != top[self.depth - 1 - y][x]

    def look(self, marks: Mapping[Cell, str], side: str) -> View:
        """The view from a side: along each line of sight the first mark."""
        xs, ys, zs = range(self.width), range(self.depth), range(self.height)
        lines: dict[str, Iterator[Iterator[list[Cell]]]] = {
            "front": (([(x, y, z) for y in ys] for x in xs) for z in reversed(zs)),
            "top": (([(x, y, z) for z in reversed(zs)] for x in xs) for y in reversed(ys)),
            "left": (([(x, y, z) for x in xs] for y in reversed(ys)) for z in reversed(zs)),
            "right": (([(x, y, z) for x in reversed(xs)] for y in ys) for z in reversed(zs)),
        }
        return tuple(
            "".join(next((marks[c] for c in line if c in marks), EMPTY) for line in row) for row in lines[side]
        )


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its four options."""
    return QUESTION.format(side=state.side), figures()


def draw(state: State) -> tuple[Picture, ...]:
    """The stack at an angle and two of its views above, the options below."""
    marks = {**dict.fromkeys(state.grey, GREY_MARK), **dict.fromkeys(state.red, RED_MARK)}
    (isometric,) = pictures([{cell: COLORS[mark] for cell, mark in marks.items()}], size=SIZE)
    given = [Panel(name.capitalize(), squares(view(marks, EYES[name]), CELL, COLORS)) for name in ("front", "top")]
    options = [Panel(letter, squares(one, CELL, COLORS)) for letter, one in zip(LETTERS, state.options, strict=True)]
    return (sheet([[Panel("Isometric", isometric), *given], options]),)


def alt(state: State) -> tuple[str, ...]:
    """The picture in words."""
    options = "; ".join(f"{letter}: {'/'.join(one)}" for letter, one in zip(LETTERS, state.options, strict=True))
    stack = f"grey at {told(state.grey)}, red at {told(state.red)} (x to the right, y away, z up)"
    return (f"a stack of cubes, {stack}, from an angle, the front and the top; views, 1 grey, 2 red: {options}",)

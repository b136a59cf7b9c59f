"""Next-Step (section 3.2, single-step reasoning): given a model and the part to add, which of five pictures shows the next state?

The studs that the part will cover are marked, so that one place is right and the same part elsewhere is wrong. The options are a grid:
three values of one trait times two of another (colour, size, place … of the part; a change in the rest of the model), less one wrong
cell. Every option shares each of its values with others, so the options alone, without the first two pictures, do not favour any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.render.painter import Cell, Face, Frame, fit, paint, survey
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .bricks import BRICK, PLATE, Brick, Kit, Model, Size, grow, places, settle, shown
from .sight import Sight, look

SIZE, PART_SIZE = 448, 224
"""Pixels, of the models' pictures and of the part's."""

LETTERS = "ABCDE"

QUESTION = (
    "<image 1> shows a brick model that is being built, and <image 2> the next part to add. The part may be turned about the vertical, and "
    "is pushed onto the model from above. It covers all the studs that are painted magenta in the first picture (the paint only marks the "
    "place), and no other stud; apart from that the model stays as it is. Which picture shows the model after this step?"
)


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    parts: int
    """In the model, besides the base."""
    base: Size
    """Studs."""
    colors: int
    """How many, of the parts."""
    traits: tuple[tuple[str, str], ...]
    """Pairs of names in `TRAITS`, one of which makes the options: three values of the first, two of the second."""

    def __post_init__(self) -> None:
        unknown = {name for pair in self.traits for name in pair} - set(TRAITS)
        if unknown or not self.traits or not 2 <= self.colors <= len(COLORS):
            raise ValueError(f"{self}: traits are {', '.join(TRAITS)}; 2 to {len(COLORS)} colours")


COLORS = ("red", "orange", "yellow", "lime", "green", "turquoise", "blue", "violet", "brown", "tan")

SIZES: tuple[Size, ...] = ((1, 1), (1, 2), (1, 3), (1, 4), (2, 2), (2, 3), (2, 4))


@dataclass(frozen=True, slots=True)
class State:
    """What the seven pictures show. Text: current, part, marks and five options with " | " between."""

    current: Model
    part: Brick
    """At the origin, as <image 2> shows it."""
    marks: tuple[Cell, ...]
    """The cells whose studs the part will cover."""
    options: tuple[Model, ...]
    """In the order of the letters."""

    def __str__(self) -> str:
        marks = " ".join(",".join(map(str, cell)) for cell in self.marks)
        return " | ".join(map(str, (self.current, self.part, marks, *self.options)))

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        current, part, marks, *options = text.split(" | ")
        cells = []
        for mark in marks.split(" "):
            x, y, z = map(int, mark.split(","))
            cells.append((x, y, z))
        return cls(Model.parse(current), Brick.parse(part), tuple(cells), tuple(map(Model.parse, options)))

    def frame(self) -> Frame:
        """One for all models, so that neither scale nor crop tells them apart."""
        return fit([model.bricks for model in (self.current, *self.options)], size=SIZE)

    def visible(self) -> tuple[Sight, tuple[Sight, ...]]:
        """What the pictures of the current state and of the options tell."""
        frame = self.frame()
        return look(self.current, frame), tuple(look(option, frame) for option in self.options)


@dataclass(frozen=True, slots=True)
class Change:
    """One way to make an option wrong."""

    why: str
    part: tuple[tuple[str, Any], ...] = ()
    """Fields of the added part with their new values."""
    brick: int | None = None
    """Index of another brick that changes; the number of bricks for one more …"""
    into: Brick | None = None
    """… into this one; None: it is gone."""


@dataclass(frozen=True, slots=True)
class Step:
    """The right step: the model before, and the part at its place."""

    model: Model
    part: Brick
    kit: Kit
    loose: tuple[int, ...]
    """Indices of the bricks that are well seen, in random order: those that a change may touch."""

    def after(self, *changes: Change) -> Model | None:
        """The model with the part, as these changes make it.

        None where the part would not hold, not be seen as well as the right one, or stand at another height because the rest has changed.
        """
        model, part = self.model, replace(self.part, **dict(field for change in changes for field in change.part))
        for change in changes:
            if change.brick is not None:
                below, above = model.bricks[: change.brick], model.bricks[change.brick + 1 :]
                model = Model((*below, *([change.into] if change.into else []), *above))
        settled = settle(model.tops(), part, self.kit.support)
        if settled is None or settled != settle(self.model.tops(), part, self.kit.support):
            return None
        return result if shown(result := model + settled)[-1] >= self.kit.seen else None


Trait = Callable[[Step, Random], Iterator[Change]]
"""The ways in which an option can be wrong in one respect, in random order.

What is right and what is wrong must be exchangeable: alternatives come from the same distribution as the part itself.
"""


def _color(step: Step, rng: Random) -> Iterator[Change]:
    for color in rng.sample(step.kit.colors, len(step.kit.colors)):
        yield Change(f"the added part is {color}", (("color", color),))


def _size(step: Step, rng: Random) -> Iterator[Change]:
    part = step.part
    sizes = [(part.w + i, part.d + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    for w, d in rng.sample(sizes, len(sizes)):
        if (min(w, d), max(w, d)) in SIZES:
            yield Change(f"the added part is a {replace(part, w=w, d=d).name}", (("w", w), ("d", d)))


def _height(step: Step, rng: Random) -> Iterator[Change]:
    h = PLATE if step.part.h == BRICK else BRICK
    yield Change(f"the added part is a {replace(step.part, h=h).name}", (("h", h),))


def _turn(step: Step, rng: Random) -> Iterator[Change]:
    if step.part.w != step.part.d:
        yield Change("the added part is turned by 90 degrees", (("w", step.part.d), ("d", step.part.w)))


def _place(step: Step, rng: Random) -> Iterator[Change]:
    part, visible = step.part, _survey(step.model)
    near = [p for p in places(step.model, part, step.kit) if 0 < abs(p.x - part.x) + abs(p.y - part.y) <= REACH]
    for other in rng.sample(near, len(near)):
        if _all_seen(covered(step.model, other), visible):
            yield Change("the added part is on other studs than the marked ones", (("x", other.x), ("y", other.y)))


REACH = 3
"""By how many studs neighbouring places are apart, at most."""


def _recolor(step: Step, rng: Random) -> Iterator[Change]:
    for index in step.loose:
        brick = step.model.bricks[index]
        for color in rng.sample(step.kit.colors, len(step.kit.colors)):
            yield Change(
                f"the {brick.name} of the first picture is {color}", brick=index, into=replace(brick, color=color)
            )


def _number(step: Step, rng: Random) -> Iterator[Change]:
    """One brick too few or, as often, one too many: or else the fullest picture would be right."""
    if rng.random() < 0.5:
        more = grow(rng, step.model, step.kit, 1)
        if more:
            extra = more.bricks[-1]
            yield Change(f"there is one more part, a {extra.name}", brick=len(step.model.bricks), into=extra)
        return
    for index in step.loose:
        brick = step.model.bricks[index]
        if step.model.free(brick):
            yield Change(f"the {brick.name} of the first picture is missing", brick=index)


def _shove(step: Step, rng: Random) -> Iterator[Change]:
    for index in step.loose:
        brick = step.model.bricks[index]
        if step.model.free(brick):
            rest = Model((*step.model.bricks[:index], *step.model.bricks[index + 1 :]))
            near = [p for p in places(rest, brick, step.kit) if 0 < abs(p.x - brick.x) + abs(p.y - brick.y) <= REACH]
            for other in rng.sample(near, min(2, len(near))):
                yield Change(f"the {brick.name} of the first picture has moved", brick=index, into=other)


TRAITS: dict[str, Trait] = {
    "color": _color,
    "size": _size,
    "height": _height,
    "turn": _turn,
    "place": _place,
    "recolor": _recolor,
    "number": _number,
    "shove": _shove,
}

LEVELS = {
    "1": Config(4, (4, 6), 6, (("color", "number"), ("color", "recolor"), ("recolor", "color"), ("size", "color"))),
    "2": Config(
        7,
        (6, 6),
        5,
        (("size", "number"), ("place", "color"), ("place", "recolor"), ("size", "shove"), ("color", "place")),
    ),
    "3": Config(
        11,
        (6, 8),
        4,
        (("place", "size"), ("place", "turn"), ("size", "place"), ("place", "height"), ("place", "shove")),
    ),
}


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """The right option stands at `slot`."""
    colors = tuple(rng.sample(COLORS, config.colors))
    kit = Kit(SIZES, (BRICK, PLATE), colors, tallest=10, seen=60, kept=25)
    base = Brick(0, 0, 0, *config.base, PLATE, "grey")
    before = grow(rng, Model((base,)), kit, config.parts)
    after = grow(rng, before, kit, 1) if before else None
    if before is None or after is None:
        return None
    part, marks = after.bricks[-1], covered(before, after.bricks[-1])
    loose = [i for i, share in enumerate(shown(before)) if i and share >= WELL_SEEN]
    wrong = distractors(Step(before, part, kit, tuple(rng.sample(loose, len(loose)))), rng, *rng.choice(config.traits))
    if wrong is None or not _all_seen(marks, _survey(before)):
        return None
    right = (after, f"Right: the {part.name} covers the marked studs, and nothing else has changed.")
    options = [*wrong[:slot], right, *wrong[slot:]]
    alone = replace(part, x=0, y=0, z=0)
    if rng.random() < 0.5:
        alone = replace(alone, w=part.d, d=part.w)
    state = State(before, alone, marks, tuple(model for model, _ in options))
    return Puzzle(state, LETTERS[slot], {letter: why for letter, (_, why) in zip(LETTERS, options, strict=True)})


WELL_SEEN, MARK_SEEN = 45, 60
"""Percent visible: of bricks that may change, of each stud that is marked."""


def distractors(step: Step, rng: Random, first: str, second: str) -> list[tuple[Model, str]] | None:
    """Four of the five wrong cells of a grid of three values by two, each with why it is wrong; None when the step allows no grid.

    The second wrong row is a neighbour of the right one in one case of three, of the first wrong one in two: or else the right one would
    be the middle of the three.
    """
    after = cache(step.after)

    def differ(*changes: Change) -> bool:
        """Is each change alone, and are all together, possible, and other than the right step?"""
        models = [*(after(change) for change in changes), after(*changes)]
        return None not in models and after() not in models

    for column in TRAITS[second](step, rng):
        if not differ(column):
            continue
        row = next((row for row in TRAITS[first](step, rng) if differ(row, column)), None)
        if row is None:
            continue
        hub = step if rng.randrange(3) == 0 else replace(step, part=replace(step.part, **dict(row.part)))
        others = (other for other in TRAITS[first](hub, rng) if differ(other, column) and after(other) != after(row))
        if other := next(others, None):
            cells = rng.sample([(column,), (row,), (other,), (row, column), (other, column)], 4)
            return [(model, _why(cell)) for cell in cells if (model := after(*cell))]
    return None


def _why(changes: tuple[Change, ...]) -> str:
    return f"Wrong: {' and '.join(change.why for change in changes)}."


def covered(model: Model, part: Brick) -> tuple[Cell, ...]:
    """The cells whose studs the part covers."""
    tops = model.tops()
    return tuple((x, y, part.z - 1) for x, y in part.columns() if tops.get((x, y)) == part.z)


def _survey(model: Model) -> dict[Face, int]:
    return survey(model.bricks, frame=fit([model.bricks], size=SIZE))


def _all_seen(cells: tuple[Cell, ...], visible: Mapping[Face, int]) -> bool:
    """Are the studs on these cells in plain sight?"""
    return all(visible.get(Face(*cell, "top"), 0) >= MARK_SEEN for cell in cells)


def solve(state: State) -> frozenset[str]:
    """Tries the part at every place that the marks allow, and keeps the options that show one of them and no other change.

    Judges by cells that the pictures show as filled or empty: the part's cells must not be seen empty or in another colour, and
    everything seen to be filled must have been so before, or be the part.
    """
    before, options = state.visible()
    fits = set()
    for cells in _possible(state, before):
        expected = before.filled | dict.fromkeys(cells, state.part.color)
        for letter, option in zip(LETTERS[: len(options)], options, strict=True):
            kept = not option.empty & expected.keys()
            if kept and all(expected.get(cell) == color for cell, color in option.filled.items()):
                fits.add(letter)
    return frozenset(fits)


def _possible(state: State, before: Sight) -> Iterator[frozenset[Cell]]:
    """The cells of the part, wherever it covers the marked studs and no other stud that is seen."""
    marks = set(state.marks)
    low_x, low_y, z = min(x for x, _, _ in marks), min(y for _, y, _ in marks), state.marks[0][2] + 1
    for w, d in {(state.part.w, state.part.d), (state.part.d, state.part.w)}:
        for x in range(low_x - w + 1, low_x + 1):
            for y in range(low_y - d + 1, low_y + 1):
                footprint = {(i, j) for i in range(x, x + w) for j in range(y, y + d)}
                studs = {
                    (i, j, z - 1) for i, j in footprint if (i, j, z) in before.empty and (i, j, z - 1) in before.filled
                }
                cells = frozenset((i, j, z + k) for i, j in footprint for k in range(state.part.h))
                if (
                    marks <= {(i, j, z - 1) for i, j in footprint}
                    and studs <= marks
                    and not cells & before.filled.keys()
                ):
                    yield cells


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its choices."""
    return QUESTION, {letter: f"<image {n}>" for n, letter in enumerate(LETTERS, 3)}


def draw(state: State) -> tuple[Picture, ...]:
    """The model with marks, the part, the five options."""
    frame = state.frame()
    part = [state.part]
    images = [
        paint(state.current.bricks, frame=frame, marked=state.marks),
        paint(part, frame=fit([part], size=PART_SIZE)),
        *(paint(option.bricks, frame=frame) for option in state.options),
    ]
    return tuple(map(Picture.from_image, images))


def alt(state: State) -> tuple[str, ...]:
    """The pictures in words."""
    marks = ", ".join(f"{x},{y},{z}" for x, y, z in state.marks)
    return (
        f"{state.current.describe()}; magenta studs on {marks}",
        f"a {state.part.name}",
        *(option.describe() for option in state.options),
    )


GENERATOR = Generator(
    name="next_step",
    category=TASKS["next_step"].category,
    answer_type=TASKS["next_step"].answer_type,
    levels=LEVELS,
    slots=len(LETTERS),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

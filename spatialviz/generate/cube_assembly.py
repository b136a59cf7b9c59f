"""Cube assembly (Visual Penetration; figure 2 of the paper): a stack is put together from parts; which one is still missing?

Parts may be turned at will, but not mirrored. The given parts fit into the stack in several places as a rule; an option is right
when any of these leaves it over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .cube_changes import CHANGES, MIRRORED, MOVED, changed, in_sight
from .cube_proof import placements, shown
from .cube_sight import all_noticed, grey, pictures
from .options import LETTERS, Option, arrange, figures, fitting
from .polycubes import Cells, block, canonical, connected, grown, normal, orbit, read, told
from .sheet import Panel, sheet

QUESTION = (
    "The first figure shows a complete stack of equal cubes. It can be put together from {given} and one more part, perhaps in several ways."
    " Which of the figures A, B and C shows such a part? Parts may be turned in space in any way, but not mirrored, and they are as they are: no cube comes off."
    " No cube of any figure is hidden: each can be seen at least in part."
)
GIVEN = {1: "part 1", 2: "part 1, part 2"}

FIGURES = len(LETTERS) - 1
"""The fourth option is that none of them is right."""

SIZE = 180
"""Pixels of a panel's side."""

TRIES = 100
"""At a stack, and at taking it apart."""

SIDE = 3
"""Of the room that a stack has, cubes."""


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    cubes: tuple[int, int]
    """Fewest and most, of the complete stack."""
    given: int
    """Parts that are shown, 1 or 2."""
    part: int
    """Cubes of a given part, at least."""
    missing: int
    """Cubes of the missing part, at least."""
    changes: tuple[str, ...]
    """How wrong parts differ from the right one, names in CHANGES."""

    def __post_init__(self) -> None:
        fewest = self.part * self.given + self.missing
        if self.given not in GIVEN or min(self.part, self.missing) < 1 or not fewest <= self.cubes[0] <= self.cubes[1]:
            raise ValueError(f"{self}: 1 or 2 given parts, and cubes for all parts; see LEVELS")
        if not self.changes or not set(self.changes) <= CHANGES.keys():
            raise ValueError(f"{self}: changes are {', '.join(CHANGES)}; see LEVELS")


LEVELS = {
    "0": Config((7, 9), 1, 3, 4, (MOVED,)),
    "1": Config((10, 11), 2, 3, 4, (MOVED, MIRRORED)),
}


@dataclass(frozen=True, slots=True)
class State:
    """The stack and the parts as they stand in the pictures."""

    whole: Cells
    given: tuple[Cells, ...]
    """One or two parts."""
    options: tuple[Cells, ...]
    """A, B, C."""

    def __str__(self) -> str:
        return " ".join([told(self.whole), "+".join(map(told, self.given)), *map(told, self.options)])

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        whole, given, *options = text.split(" ")
        if len(options) != FIGURES:
            raise ValueError(f"{text!r}: the whole, the given parts and three options")
        return cls(read(whole), tuple(map(read, given.split("+"))), tuple(map(read, options)))


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """A stack at random, cut into parts at random; None when cubes are hidden or too few wrong parts are left."""
    whole = next(_stacks(rng, config), None)
    parts = next(_cuts(rng, whole, config), None) if whole else None
    if whole is None or parts is None:
        return None
    *given, missing = parts
    wrong = list(islice(distractors(rng, whole, given, missing, config), FIGURES))
    if len(wrong) < FIGURES:
        return None
    right = Option(missing, "Right: together with what is given it makes the stack.")
    arranged = arrange(right, [Option(part, f"Wrong: {why}.") for part, why in wrong], slot, none=True)
    return Puzzle(State(whole, tuple(given), arranged.things), LETTERS[slot], arranged.explanation)


def _stacks(rng: Random, config: Config) -> Iterator[Cells]:
    """Random stacks of which no cube is hidden."""
    for _ in range(TRIES):
        stack = grown(rng, rng.randint(*config.cubes), block(SIDE, SIDE, SIDE), resting=True)
        if stack and all_noticed(stack):
            yield normal(stack)


def _cuts(rng: Random, whole: Cells, config: Config) -> Iterator[list[Cells]]:
    """Random ways to take the stack apart, each part in a random position."""
    for _ in range(TRIES):
        parts = _cut(rng, whole, config)
        placed = [next(in_sight(rng, part), None) for part in parts]
        if placed and all(placed):
            yield [part for part in placed if part]


def _cut(rng: Random, whole: Cells, config: Config) -> list[Cells]:
    """Connected parts of the whole, one more than are given; none when the last one falls apart or a part finds no room."""
    spare = len(whole) - config.part * config.given - config.missing
    parts, rest = [], whole
    for _ in range(config.given):
        extra = rng.randint(0, spare)
        part = grown(rng, config.part + extra, rest)
        if part is None:
            return []
        spare, rest = spare - extra, rest - part
        parts.append(part)
    return [*parts, rest] if connected(rest) else []


def distractors(
    rng: Random, whole: Cells, given: Sequence[Cells], missing: Cells, config: Config
) -> Iterator[tuple[Cells, str]]:
    """Parts almost like the missing one that nothing leaves over, wherever the given parts are put."""
    left = {canonical(rest) for rest in set(_leftovers(whole, given)) if connected(rest)}
    wrong = changed(rng, missing, config.changes, "a part that fits")
    return ((part, why) for part, why in wrong if canonical(part) not in left)


def _leftovers(whole: Cells, parts: Sequence[Cells]) -> Iterator[Cells]:
    """What is left of the whole, for every way to take the parts out of it, one after the other."""
    if not parts:
        yield whole
        return
    for shape in orbit(parts[0]):
        x, y, z = min(shape)
        for i, j, k in whole:
            taken = frozenset((a + i - x, b + j - y, c + k - z) for a, b, c in shape)
            if taken <= whole:
                yield from _leftovers(whole - taken, parts[1:])


def solve(state: State) -> frozenset[str]:
    """The letters of the parts that complete the stack, by what the pictures show."""
    return completing(shown(state.whole), list(map(shown, state.given)), list(map(shown, state.options)))


def completing(whole: Cells, given: Sequence[Cells], options: Sequence[Cells]) -> frozenset[str]:
    """The letters of the parts with which the given ones cover each cube of the whole exactly once."""
    full = (1 << len(whole)) - 1
    covered = reduce(_joined, (placements(part, whole) for part in given), {0})
    gaps = {full ^ bits for bits in covered}
    return fitting(not gaps.isdisjoint(placements(option, whole)) for option in options)


def _joined(covered: set[int], more: set[int]) -> set[int]:
    """All unions of two that do not overlap."""
    return {one | other for one in covered for other in more if not one & other}


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its four options."""
    return QUESTION.format(given=GIVEN[len(state.given)]), figures(len(state.options))


def draw(state: State) -> tuple[Picture, ...]:
    """The stack and the given parts above, the options below, all at one scale."""
    images = pictures([grey(stack) for stack in (state.whole, *state.given, *state.options)], size=SIZE)
    titles = ["Complete stack", *(f"Part {n + 1}" for n in range(len(state.given))), *LETTERS]
    panels = [Panel(title, image) for title, image in zip(titles, images, strict=False)]
    return (sheet([panels[: -len(state.options)], panels[-len(state.options) :]]),)


def alt(state: State) -> tuple[str, ...]:
    """The picture in words."""
    given = "; ".join(f"part {n}: {told(part)}" for n, part in enumerate(state.given, 1))
    options = "; ".join(f"{letter}: {told(option)}" for letter, option in zip(LETTERS, state.options, strict=False))
    return (f"stacks of cubes at (x to the right, y away, z up): complete: {told(state.whole)}; {given}; {options}",)


GENERATOR = Generator(
    name="cube_assembly",
    category=TASKS["cube_assembly"].category,
    answer_type=TASKS["cube_assembly"].answer_type,
    levels=LEVELS,
    slots=len(LETTERS),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

"""Counterfactual Instruction (Appendix A.3.2): answer a plain fact about the picture as it is in a world in which something is swapped."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .scene import COLORS, COLUMNS, Scene, describe, draw_scene, only, random_scene
from .states import read_state, told

RULES = ("colors", "sides", "double")
"""What is swapped: two colours; left and right; nothing, but one kind counts twice."""

QUESTIONS = {
    "colors": "Suppose that {one} things were called {other}, and {other} things {one}. What colour is the only {what} called then?",
    "sides": "Suppose that “left” meant right, and “right” meant left. Which shape is next to the only {what}, to its {one}?",
    "double": "Suppose that every {what} counted as two shapes. How many shapes are in the picture then?",
}
ENDING = " Reply with the answer only."


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    things: int


LEVELS = {"1": Config(8), "2": Config(11)}


@dataclass(frozen=True, slots=True)
class State:
    """The sheet and what is asked."""

    scene: Scene
    rule: str
    what: str
    """A kind of shape."""
    words: tuple[str, ...]
    """The two colours, or the side."""

    def __str__(self) -> str:
        return told(self)

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        return read_state(cls, text)


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """The rule is `RULES[slot]`; None when the sheet has nothing to ask by it."""
    scene = random_scene(rng, config.things)
    rule, single = RULES[slot], only(scene)
    if rule == "double":
        what = rng.choice([kind for kind, _ in scene if kind])
        total = sum(2 if kind == what else bool(kind) for kind, _ in scene)
        return Puzzle(State(scene, rule, what, ()), str(total), {})
    if rule == "sides":
        # The shape at the left of the place is asked for as the one at its "right", and the other way round.
        pairs = [
            (place, word, scene[place + step][0])
            for place in single
            for word, step in (("right", -1), ("left", 1))
            if 0 <= place % COLUMNS + step < COLUMNS and scene[place + step][0]
        ]
        if not pairs:
            return None
        place, word, answer = rng.choice(pairs)
        return Puzzle(State(scene, rule, scene[place][0], (word,)), answer, {})
    if not single:
        return None
    what, one = scene[rng.choice(single)]
    other = rng.choice([color for color in COLORS if color != one])
    words = (one, other) if rng.randrange(2) else (other, one)
    return Puzzle(State(scene, rule, what, words), other, {})


def solve(state: State) -> frozenset[str]:
    """By changing the sheet as the rule says, and reading the answer off the changed one."""
    rows = [list(state.scene[start : start + COLUMNS]) for start in range(0, len(state.scene), COLUMNS)]
    if state.rule == "double":
        kinds = [kind for row in rows for kind, _ in row if kind]
        return frozenset({str(len(kinds) + kinds.count(state.what))})
    if state.rule == "sides":
        mirrored = [row[::-1] for row in rows]
        step = {"left": -1, "right": 1}[state.words[0]]
        places = [(row, row.index(thing)) for row in mirrored for thing in row if thing[0] == state.what]
        return frozenset(row[at + step][0] for row, at in places if 0 <= at + step < COLUMNS and row[at + step][0])
    one, other = state.words
    renamed = {one: other, other: one}
    return frozenset(renamed.get(color, color) for row in rows for kind, color in row if kind == state.what)


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question; it has no choices."""
    one, other = (*state.words, "", "")[:2]
    return QUESTIONS[state.rule].format(one=one, other=other, what=state.what) + ENDING, {}


def draw(state: State) -> tuple[Picture, ...]:
    """The sheet."""
    return (draw_scene(state.scene),)


def alt(state: State) -> tuple[str, ...]:
    """The picture in words."""
    return (describe(state.scene),)


GENERATOR = Generator(
    name="counterfactual_instruction",
    category=TASKS["counterfactual_instruction"].category,
    answer_type=TASKS["counterfactual_instruction"].answer_type,
    levels=LEVELS,
    slots=len(RULES),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

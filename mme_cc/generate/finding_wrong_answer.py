"""Finding Wrong Answer: what the official task asks is published nowhere but in its name. Here: which step of a sum is wrong?"""

from __future__ import annotations

from dataclasses import dataclass
from operator import add, mul, sub
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.render.canvas import Canvas
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .states import read_state, told

QUESTION = (
    "The picture shows a calculation in {count} steps; each step goes on with the result of the step before, whatever that is. Exactly one"
    " step is calculated wrongly. Which? Answer as in: Step 1"
)

SIGNS = {"+": add, "-": sub, "x": mul}
"""In signs that the font has."""


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    steps: int
    largest: int
    """Second number of a sum or difference; factors are 2 to 5."""


LEVELS = {"1": Config(4, 20), "2": Config(7, 90)}


@dataclass(frozen=True, slots=True)
class State:
    """Each step as written: number, sign, number, result."""

    steps: tuple[tuple[int, str, int, int], ...]

    def __str__(self) -> str:
        return told(self)

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        return read_state(cls, text)


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State]:
    """The wrong result is off by 1, 2 or 10."""
    wrong = rng.randrange(config.steps)
    value, steps = rng.randint(5, 40), []
    for number in range(config.steps):
        signs = ["+", *(["-"] if value > config.largest + 20 else []), *(["x"] if value < 60 else [])]
        sign = rng.choice(signs)
        second = rng.randint(2, 5) if sign == "x" else rng.randint(3, config.largest)
        result = {"+": value + second, "-": value - second, "x": value * second}[sign]
        if number == wrong:
            result += rng.choice((-10, -2, -1, 1, 2, 10))
        steps.append((value, sign, second, result))
        value = result
    return Puzzle(State(tuple(steps)), f"Step {wrong + 1}", {})


def solve(state: State) -> frozenset[str]:
    """Every step whose result is another one."""
    return frozenset(
        f"Step {number}" for number, (a, sign, b, result) in enumerate(state.steps, 1) if SIGNS[sign](a, b) != result
    )


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question; it has no choices."""
    return QUESTION.format(count=len(state.steps)), {}


def draw(state: State) -> tuple[Picture, ...]:
    """The steps, one below the other."""
    canvas = Canvas(460, 60 + 52 * len(state.steps), (252, 250, 240))
    for number, (a, sign, b, result) in enumerate(state.steps, 1):
        y = 4 + 52 * number
        canvas.text((40, y), f"Step {number}", 24, "blue", "lm")
        canvas.text((160, y), f"{a} {sign} {b} = {result}", 28, anchor="lm")
    canvas.box(10, 10, 450, 50 + 52 * len(state.steps))
    return (canvas.picture(),)


def alt(state: State) -> tuple[str, ...]:
    """The picture in words."""
    return ("; ".join(f"{a} {sign} {b} = {result}" for a, sign, b, result in state.steps),)


GENERATOR = Generator(
    name="finding_wrong_answer",
    category=TASKS["finding_wrong_answer"].category,
    answer_type=TASKS["finding_wrong_answer"].answer_type,
    levels=LEVELS,
    slots=1,
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

"""Ordering (section 3.3, multi-step reasoning): a start, a target and four shuffled states between them; in which order are they built?

Every step adds parts and takes none away, so the order is that of inclusion, and unique.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.render.painter import Frame, fit, paint
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .bricks import BRICK, PLATE, Brick, Kit, Model, Size, grow
from .sight import Sight, look

SIZE = 448
"""Pixels."""

LETTERS = "ABCD"
ORDERS = tuple("".join(order) for order in permutations(LETTERS))

QUESTION = (
    "<image 1> shows a brick model at the start of a few building steps, <image 2> shows the target. The four lettered pictures show the "
    "states between them, in no particular order. Every step only adds parts; nothing is taken away or moved. Give the order in which "
    "the four states come about on the way from the start to the target, as four letters, the first state first."
)

SIZES: tuple[Size, ...] = ((1, 2), (1, 3), (1, 4), (2, 2), (2, 2), (2, 3), (2, 4), (1, 1))
COLORS = ("red", "orange", "yellow", "lime", "green", "turquoise", "blue", "violet", "brown", "tan")


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    start: int
    """Parts at the start, besides the base."""
    base: Size
    """Studs."""
    step: tuple[int, int]
    """Fewest and most parts that one step adds."""
    colors: int
    """How many, of the parts; fewer make steps look more alike."""
    heights: tuple[int, ...]
    """Of the parts, in plates; repeats weigh."""

    def __post_init__(self) -> None:
        if not (1 <= self.step[0] <= self.step[1] and 1 <= self.colors <= len(COLORS)):
            raise ValueError(f"{self}: a step adds at least one part; 1 to {len(COLORS)} colours; see LEVELS")


LEVELS = {
    "1": Config(start=1, base=(4, 6), step=(2, 3), colors=8, heights=(BRICK, BRICK, PLATE)),
    "2": Config(start=3, base=(6, 6), step=(1, 2), colors=4, heights=(BRICK, PLATE)),
    "3": Config(start=6, base=(6, 8), step=(1, 1), colors=2, heights=(BRICK, PLATE, PLATE)),
}


@dataclass(frozen=True, slots=True)
class State:
    """What the six pictures show. Text: start, target, four steps, with " | " between."""

    start: Model
    target: Model
    steps: tuple[Model, ...]
    """In the order of the letters."""

    def __str__(self) -> str:
        return " | ".join(map(str, (self.start, self.target, *self.steps)))

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        start, target, *steps = map(Model.parse, text.split(" | "))
        return cls(start, target, tuple(steps))

    def models(self) -> tuple[Model, ...]:
        """One per picture."""
        return self.start, self.target, *self.steps

    def frame(self) -> Frame:
        """One for all pictures, so that neither scale nor crop tells them apart."""
        return fit([model.bricks for model in self.models()], size=SIZE)

    def visible(self) -> tuple[Sight, ...]:
        """What the six pictures tell."""
        frame = self.frame()
        return tuple(look(model, frame) for model in self.models())


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """The order is `ORDERS[slot]`."""
    colors = tuple(rng.sample(COLORS, config.colors))
    kit = Kit(SIZES, config.heights, colors, tallest=12, seen=60, kept=20)
    growing = grow(rng, Model((Brick(0, 0, 0, *config.base, PLATE, "grey"),)), kit, config.start)
    chain: list[Model] = []
    while growing and len(chain) < len(LETTERS) + 2:
        chain.append(growing)
        growing = grow(rng, growing, kit, rng.randint(*config.step))
    if len(chain) < len(LETTERS) + 2:
        return None
    start, *between, target = chain
    order = ORDERS[slot]
    state = State(start, target, tuple(between[order.index(letter)] for letter in LETTERS))
    return Puzzle(state, order, {letter: _explain(chain, order.index(letter) + 1) for letter in LETTERS})


def _explain(chain: list[Model], number: int) -> str:
    added = chain[number].bricks[len(chain[number - 1].bricks) :]
    return f"State {number} of {len(LETTERS)}: adds {', '.join(brick.name for brick in added)}."


def solve(state: State) -> frozenset[str]:
    """All orders in which no cell that a picture shows filled is empty, or of another colour, in a later one."""
    start, target, *steps = state.visible()
    sights = dict(zip(LETTERS, steps, strict=True))
    return frozenset(order for order in ORDERS if _grows([start, *(sights[letter] for letter in order), target]))


def _grows(sights: list[Sight]) -> bool:
    """Compares each picture with all later ones, since what a step adds may hide what the next one takes away."""
    return all(
        not earlier.filled.keys() & later.empty
        and all(later.filled.get(cell, color) == color for cell, color in earlier.filled.items())
        for i, earlier in enumerate(sights)
        for later in sights[i + 1 :]
    )


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its choices."""
    return QUESTION, {letter: f"<image {n}>" for n, letter in enumerate(LETTERS, 3)}


def draw(state: State) -> tuple[Picture, ...]:
    """Start, target, four steps."""
    frame = state.frame()
    return tuple(Picture.from_image(paint(model.bricks, frame=frame)) for model in state.models())


def alt(state: State) -> tuple[str, ...]:
    """The pictures in words."""
    return tuple(model.describe() for model in state.models())


GENERATOR = Generator(
    name="ordering",
    category=TASKS["ordering"].category,
    answer_type=TASKS["ordering"].answer_type,
    levels=LEVELS,
    slots=len(ORDERS),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

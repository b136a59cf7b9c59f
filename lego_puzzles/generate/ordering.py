"""Ordering (section 3.3, multi-step reasoning): a start, a target and four shuffled states between them; in which order are they built?

Every step adds parts and takes none away, so the order is that of inclusion, and unique.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .growing import Kit
from .pieces import Model, Piece, describe
from .sources import GROWN, Source
from .stage import Sight, Stage
from .views import frame_of, picture

LETTERS = "ABCD"
ORDERS = tuple("".join(order) for order in permutations(LETTERS))
STEPS = len(LETTERS) + 1
"""From the start to the target."""

QUESTION = (
    "<image 1> shows a brick model at the start of a few building steps, <image 2> shows the target. The four lettered pictures show the "
    "states between them, in no particular order. Every step only adds parts; nothing is taken away or moved. Give the order in which "
    "the four states come about on the way from the start to the target, as four letters, the first state first."
)


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    kit: Kit
    """Its steps: those before the start, and then five."""
    source: Source = GROWN

    def __post_init__(self) -> None:
        if self.kit.steps[0] < self.least:
            raise ValueError(f"{self}: a question takes more than {STEPS} steps; see LEVELS")

    @property
    def least(self) -> int:
        """Steps that a model must have."""
        return STEPS + 1


LEVELS = {
    "1": Config(Kit((8, 12), parts=(2, 3), colors=7, seen=0.5)),
    "2": Config(Kit((12, 18), parts=(1, 2), colors=4, seen=0.45)),
    "3": Config(Kit((18, 30), parts=(1, 1), colors=2, seen=0.4)),
}


@dataclass(frozen=True, slots=True)
class State:
    """What the six pictures show. Text: the start and five steps, then the right order: "… / … | CBAD"."""

    model: Model
    order: str

    def __str__(self) -> str:
        return f"{self.model} | {self.order}"

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        model, order = text.split(" | ")
        return cls(Model.parse(model), order)

    def pictures(self) -> tuple[tuple[Piece, ...], ...]:
        """Start, target, then the lettered ones."""
        between = (self.model.state(2 + self.order.index(letter)) for letter in LETTERS)
        return (self.model.state(1), self.model.pieces, *between)

    def visible(self) -> tuple[Sight, ...]:
        """What the six pictures tell."""
        stage = Stage.of(self.model.pieces)
        return tuple(stage.look(pieces) for pieces in self.pictures())


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """The order is `ORDERS[slot]`."""
    grown = config.source.model(rng, config.kit)
    if grown is None:
        return None
    before = grown.state(len(grown.steps) - STEPS)
    state = State(Model((before, *grown.steps[-STEPS:])), ORDERS[slot])
    if not Stage.of(state.model.pieces).differ(state.pictures()):
        return None
    return Puzzle(state, state.order, {letter: _explain(state, letter) for letter in LETTERS})


def _explain(state: State, letter: str) -> str:
    number = state.order.index(letter) + 1
    added = ", ".join(f"the {piece.name}" for piece in state.model.steps[number])
    return f"State {number} of {len(LETTERS)}: what has come in last is {added}."


def solve(state: State) -> frozenset[str]:
    """All orders in which nothing that a picture shows is missing, or otherwise, in a later one."""
    start, target, *steps = state.visible()
    sights = dict(zip(LETTERS, steps, strict=True))
    pairs = {(a, b): sights[a].precedes(sights[b]) for a, b in permutations(LETTERS, 2)}
    if not all(start.precedes(sight) and sight.precedes(target) for sight in steps):
        return frozenset()
    return frozenset(order for order in ORDERS if all(pairs[pair] for pair in _pairs(order)))


def _pairs(order: str) -> list[tuple[str, str]]:
    """Each letter with all later ones: what a step adds may hide what the next one takes away."""
    return [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its choices."""
    return QUESTION, {letter: f"<image {n}>" for n, letter in enumerate(LETTERS, 3)}


def draw(state: State) -> tuple[Picture, ...]:
    """Start, target, four states."""
    frame = frame_of(state.model.pieces)
    return tuple(picture(pieces, frame) for pieces in state.pictures())


def alt(state: State) -> tuple[str, ...]:
    """The pictures in words."""
    return tuple(map(describe, state.pictures()))


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

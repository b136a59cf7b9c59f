"""Dependency (section 3.2, single-step reasoning): a model before and after a step; which part does the step need?

The four parts are the corners of a square: two colours times two kinds of part. So neither a colour nor a kind is on the right option alone.
Both kinds are those of steps of the model, and either might have been asked for: no kind is right more often than it is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import permutations
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .growing import COLORS, Kit
from .pieces import Piece, an, describe, pieces_of, text_of
from .shapes import Shape
from .sources import GROWN, Source
from .stage import Sight, Stage
from .stand_ins import could_be
from .steps import Step, alone, late_steps
from .views import PART_SIZE, frame_of, picture

LETTERS = "ABCD"

QUESTION = (
    "<image 1> shows a brick model that is being built, <image 2> the same model one building step later. The step adds one part and changes "
    "nothing else. Which of the four parts is needed for it? Before it was put on, the part may have been turned about the vertical."
)


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    kit: Kit
    closeness: int
    """How much the two kinds of part have in common: 0 nothing asked, 1 the same family or the same footprint, 2 one of them and nearly the
    same size."""
    own_colors: bool
    """Whether the second colour is one that the model has."""
    source: Source = GROWN

    def __post_init__(self) -> None:
        if self.kit.steps[0] < 3 or self.closeness not in (0, 1, 2):
            raise ValueError(f"{self}: at least 3 steps, a closeness of 0, 1 or 2; see LEVELS")


LEVELS = {
    "1": Config(Kit((8, 11), colors=7, seen=0.6), closeness=0, own_colors=False),
    "2": Config(Kit((9, 16), colors=5, seen=0.5), closeness=1, own_colors=True),
    "3": Config(Kit((16, 30), colors=3, seen=0.45), closeness=2, own_colors=True),
}


@dataclass(frozen=True, slots=True)
class State:
    """What the six pictures show. Text: before, after and the four parts, " | " between."""

    before: tuple[Piece, ...]
    after: tuple[Piece, ...]
    options: tuple[Piece, ...]
    """At the origin, as they are shown."""

    def __str__(self) -> str:
        return " | ".join(map(text_of, (self.before, self.after, self.options)))

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        before, after, options = map(pieces_of, text.split(" | "))
        return cls(before, after, options)

    def visible(self) -> tuple[Sight, Sight]:
        """What the pictures of the model tell; those of the parts hide nothing."""
        stage = Stage.of([*self.before, *self.after])
        return stage.look(self.before), stage.look(self.after)


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """The right option stands at `slot`."""
    steps = list(late_steps(rng, config.source, config.kit))
    pairs = [
        (one, two)
        for one, two in permutations(steps, 2)
        if _may_be_confused(one.part.kind, two.part.kind, config.closeness)
    ]
    if not pairs:
        return None
    step, other = rng.choice(pairs)
    if (square := _square(rng, step, other.part.shape, config)) is None:
        return None
    order = rng.sample(range(1, 4), 3)
    order.insert(slot, 0)
    options = tuple(alone(rng, square[i]) for i in order)
    return Puzzle(State(step.before, step.after, options), LETTERS[slot], _explain(step, options))


def _square(rng: Random, step: Step, kind: str, config: Config) -> list[Piece] | None:
    """The part, then it in another colour, then the other kind of part in either colour."""
    used = {piece.color for piece in step.after} & set(COLORS)
    colors = sorted((used if config.own_colors else set(COLORS)) - {step.part.color})
    if not colors:
        return None
    painted = replace(step.part, color=rng.choice(colors))
    return [step.part, painted, *(replace(piece, shape=kind, turn="r0") for piece in (step.part, painted))]


def _may_be_confused(one: Shape, other: Shape, closeness: int) -> bool:
    same_family, same_size = one.family == other.family, sorted(one.size[:2]) == sorted(other.size[:2])
    apart = abs(sum(one.size[:2]) - sum(other.size[:2]))
    near = (True, same_family or same_size, (same_family and apart <= 1) or same_size)[closeness]
    return one.name != other.name and near and apart <= 4


def _explain(step: Step, options: tuple[Piece, ...]) -> dict[str, str]:
    """The new part is named once, in the right option's line and, for comparison, in the others'."""
    right = (step.part.color, step.part.shape)
    return {
        letter: f"Right: step {step.number} adds {an(part.name)}."
        if (part.color, part.shape) == right
        else f"Wrong: {an(part.name)}; step {step.number} adds {an(step.part.name)}."
        for letter, part in zip(LETTERS, options, strict=True)
    }


def solve(state: State) -> frozenset[str]:
    """The parts that are like the one that is new, or could be it; all of them where not just one new part is recognised."""
    before, after = state.visible()
    new = after.adds(before)
    if len(new) != 1:
        return frozenset(LETTERS)
    (part,) = new
    alike = {one.shape for one in state.options if one.color == part.color}
    fitting = {part.shape, *could_be(after.stage, alike - {part.shape}, part, state.before, state.after)}
    options = zip(LETTERS, state.options, strict=True)
    return frozenset(letter for letter, one in options if one.color == part.color and one.shape in fitting)


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its choices."""
    return QUESTION, {letter: f"<image {n}>" for n, letter in enumerate(LETTERS, 3)}


def draw(state: State) -> tuple[Picture, ...]:
    """Before, after, and the parts, all of them at one scale."""
    frame, parts = frame_of([*state.before, *state.after]), frame_of(state.options, size=PART_SIZE)
    models = [picture(pieces, frame) for pieces in (state.before, state.after)]
    return *models, *(picture([part], parts) for part in state.options)


def alt(state: State) -> tuple[str, ...]:
    """The pictures in words."""
    return describe(state.before), describe(state.after), *(an(part.name) for part in state.options)


GENERATOR = Generator(
    name="dependency",
    category=TASKS["dependency"].category,
    answer_type=TASKS["dependency"].answer_type,
    levels=LEVELS,
    slots=len(LETTERS),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

"""Rotation Status (section 3.2, single-step reasoning): does the next part have to be turned before it is put on?

The part's picture is taken by the same camera as the model's, so its turn can be compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .growing import Kit
from .pieces import Piece, an, describe
from .sources import GROWN, Source
from .stage import NOTICEABLE, Stage
from .steps import State, Step, alone, last_step
from .views import frame_of, part_picture, picture

QUESTION = (
    "<image 1> shows a brick model that is being built, <image 2> the next part, and <image 3> the model with that part in its place. All "
    "pictures are taken by the same camera from the same direction. Does the part, as its own picture shows it, have to be turned about the "
    "vertical before it is put on? (Turning a part so that it looks the same as before does not count.)"
)

CHOICES = {"A": "Yes, it has to be turned", "B": "No, it is put on as it is shown"}


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    kit: Kit
    quarters: tuple[int, ...]
    """By how many quarter turns the part's picture may differ."""
    families: tuple[str, ...]
    """Of the part: what is long shows its turn more clearly than what slopes."""
    source: Source = GROWN

    def __post_init__(self) -> None:
        if self.kit.steps[0] < 3 or not set(self.quarters) <= {1, 2, 3} or not self.quarters:
            raise ValueError(f"{self}: at least 3 steps, and quarter turns out of 1, 2, 3; see LEVELS")


LONG = ("brick", "plate", "tile")
SLOPED = ("slope", "overhang", "wedge")

LEVELS = {
    "1": Config(Kit((8, 11), colors=7, seen=0.6), (1,), LONG),
    "2": Config(Kit((9, 16), colors=5, seen=0.5), (1, 2, 3), (*LONG, *SLOPED)),
    "3": Config(Kit((14, 28), colors=3, seen=0.45), (2, 3, 1), SLOPED),
}


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """Slot 0: yes, 1: no."""
    step = last_step(
        rng, config.source, config.kit, lambda part: part.kind.family in config.families and len(part.kind.turns) > 1
    )
    if step is None or not _shows_turn(step):
        return None
    shown = alone(rng, step.part, turned=False)
    if slot == 0:
        shown = shown.turned(rng.choice(config.quarters))
        if shown.turn == step.part.turn:
            return None
    way = "turned before it is put on" if slot == 0 else "put on as it is shown"
    explanation = {letter: f"{_verdict(i == slot)}: the {step.part.name} is {way}." for i, letter in enumerate(CHOICES)}
    return Puzzle(State(step.before, shown, step.after), "AB"[slot], explanation)


def _shows_turn(step: Step) -> bool:
    """Would the model look different with the part in any of its other turns?"""
    others = [step.part.turned(quarters) for quarters in range(1, len(step.part.kind.turns))]
    stage = Stage.of([*step.after, *others])
    return all(stage.difference(step.after, (*step.before, other)) >= NOTICEABLE for other in others)


def _verdict(right: bool) -> str:
    return "Right" if right else "Wrong"


def solve(state: State) -> frozenset[str]:
    """Compares the turn of the part shown with those of the new parts of its kind; several new ones may give both answers."""
    before, after = state.visible()
    like = [piece for piece in after.adds(before) if _is_like(piece, state.part)]
    return frozenset("B" if piece.turn == state.part.turn else "A" for piece in like) or frozenset(CHOICES)


def _is_like(one: Piece, other: Piece) -> bool:
    return (one.color, one.shape) == (other.color, other.shape)


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its choices."""
    return QUESTION, CHOICES


def draw(state: State) -> tuple[Picture, ...]:
    """Before, the part, after."""
    frame = frame_of([*state.before, *state.after])
    return picture(state.before, frame), part_picture(state.part), picture(state.after, frame)


def alt(state: State) -> tuple[str, ...]:
    """The pictures in words."""
    return describe(state.before), f"{an(state.part.name)}, turn {state.part.turn}", describe(state.after)


GENERATOR = Generator(
    name="rotation_status",
    category=TASKS["rotation_status"].category,
    answer_type=TASKS["rotation_status"].answer_type,
    levels=LEVELS,
    slots=len(CHOICES),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

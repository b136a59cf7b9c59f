"""Position*, Dependency* and Next-Step* (section 3.1, image generation): the single-step tasks, answered by a picture.

The question shows a building step as the single-step tasks do; the true picture is drawn last, and no model is shown it. Where the place of
the new part cannot be known from the inputs (Next-Step*), its studs are marked, as in `next_step.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

from ..prompts import MAKE
from ..taxonomy import GENERATION
from .growing import Kit
from .pieces import Piece, an, describe
from .shapes import SHAPES
from .sources import GROWN, Source
from .stage import Stage
from .stand_ins import could_be
from .steps import State, alone, last_step, taken
from .views import SIZE, frame_of, part_picture, picture


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    kit: Kit
    source: Source = GROWN

    def __post_init__(self) -> None:
        if self.kit.steps[0] < 3:
            raise ValueError(f"{self}: at least 3 steps; see LEVELS")


LEVELS = {
    "1": Config(Kit((8, 11), colors=6, seen=0.6)),
    "2": Config(Kit((10, 18), colors=4, seen=0.5)),
    "3": Config(Kit((18, 30), colors=3, seen=0.45)),
}


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """A step whose part, and the studs that it takes, are in sight; its key is its picture."""
    step = last_step(rng, config.source, config.kit)
    if step is None or not Stage.of(step.after).sees(step.before, taken(step.before, step.part)):
        return None
    return Puzzle(State(step.before, alone(rng, step.part), step.after), "", {})


def solve(state: State) -> frozenset[str]:
    """Is there exactly one new part in sight, like the one shown? Then the picture is determined, and the key is it."""
    return frozenset({""} if _new_part(state) else ())


def solve_dependency(state: State) -> frozenset[str]:
    """As `solve`; and another kind of part, where the new one could be that for all that is in sight: its picture is not shown, but to be made."""
    part = _new_part(state)
    if part is None:
        return frozenset()
    kinds = [name for name in SHAPES if name != part.shape]
    others = could_be(Stage.of(state.after), kinds, part, state.before, state.after)
    return frozenset({"", *islice(others, 1)})


def _new_part(state: State) -> Piece | None:
    """The one that is seen to be new, where it is the one of the step."""
    before, after = state.visible()
    new = after.adds(before)
    known = len(new) == 1 and all((p.color, p.shape) == (state.part.color, state.part.shape) for p in new)
    return next(iter(new)) if known else None


def _models(state: State, *, marked: bool = False) -> tuple[Picture, Picture]:
    """Before, with or without its marks, and after."""
    frame = frame_of(state.after)
    marks = dict.fromkeys(taken(state.before, state.after[-1]), "mark") if marked else {}
    return picture(state.before, frame, marks=marks), picture(state.after, frame)


def _position(state: State) -> tuple[Picture, ...]:
    before, after = _models(state)
    return before, part_picture(state.part), after, _models(state, marked=True)[0]


def _dependency(state: State) -> tuple[Picture, ...]:
    return *_models(state), part_picture(state.part, size=SIZE)


def _next_step(state: State) -> tuple[Picture, ...]:
    marked, after = _models(state, marked=True)
    return marked, part_picture(state.part), after


def ask(task: str, state: State) -> tuple[str, dict[str, str]]:
    """The question; there is nothing to choose from."""
    return MAKE[task], {}


@dataclass(frozen=True, slots=True)
class Form:
    """One of the tasks: what it shows, the true picture last, that in words, and whether the true picture is determined."""

    draw: Callable[[State], tuple[Picture, ...]]
    words: Callable[[State], tuple[str, ...]]
    solve: Callable[[State], frozenset[str]] = solve


def _position_words(state: State) -> tuple[str, ...]:
    before, after = describe(state.before), describe(state.after)
    return before, an(state.part.name), after, f"{before}; magenta studs where the part goes"


def _dependency_words(state: State) -> tuple[str, ...]:
    return describe(state.before), describe(state.after), an(state.part.name)


def _next_step_words(state: State) -> tuple[str, ...]:
    return f"{describe(state.before)}; magenta studs where the part goes", an(state.part.name), describe(state.after)


FORMS: Mapping[str, Form] = {
    "position_image": Form(_position, _position_words),
    "dependency_image": Form(_dependency, _dependency_words, solve_dependency),
    "next_step_image": Form(_next_step, _next_step_words),
}

GENERATORS = tuple(
    Generator(
        name=task,
        category=GENERATION[task].category,
        answer_type=GENERATION[task].answer_type,
        levels=LEVELS,
        slots=1,
        generate=generate,
        solve=form.solve,
        ask=partial(ask, task),
        draw=form.draw,
        alt=form.words,
        parse=State.parse,
        truth=True,
    )
    for task, form in FORMS.items()
)

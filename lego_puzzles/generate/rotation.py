"""Rotation (section 3.1, spatial understanding): a model, and the same model turned about the vertical; by how many degrees?

The options are two turns and the same two the other way round, so that who takes one way for the other finds an answer, too; the closer the
two are, the harder. Any of the four may be right. A model that looks the same after a turn by one of the other angles is not asked about.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.render.camera import Camera
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .growing import Kit
from .pieces import Piece, describe, pieces_of, text_of
from .sources import GROWN, Source
from .turntable import CAMERA, PIXELS, SIZE, contradicts, frame_for, photo, recognised, shown, turned

LETTERS = "ABCD"

QUESTION = (
    "<image 1> shows a brick model. In <image 2> the same model has been turned about the vertical axis through its middle, while the camera "
    "has stayed where it was. By how many degrees has the model been turned clockwise, as seen from above?"
)

GRID = 15
"""Degrees: all angles are multiples."""

HALF, WHOLE = 180, 360
"""Degrees."""


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    kit: Kit
    apart: tuple[int, int]
    """Fewest and most degrees between the two turns of one way."""
    spacing: int
    """Degrees between any two options, at least: also between a turn and the same the other way round."""
    source: Source = GROWN

    def __post_init__(self) -> None:
        low, high = self.apart
        if self.spacing % GRID or not GRID <= self.spacing <= low <= high or not _pairs(low, high, self.spacing):
            raise ValueError(
                f"{self}: options are a multiple of {GRID} degrees apart, the two turns at least as much, and at most what leaves"
                " room for them in half a circle; see LEVELS"
            )

    @property
    def least(self) -> int:
        """Building steps that a real model must have; most of them bring several parts."""
        return self.kit.steps[0] // 2

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The two turns, the smaller first, less than half a circle each."""
        return _pairs(*self.apart, self.spacing)


def _pairs(low: int, high: int, spacing: int) -> list[tuple[int, int]]:
    turns = [turn for turn in range(GRID, HALF, GRID) if spacing <= 2 * turn <= WHOLE - spacing]
    return [(one, two) for one, two in product(turns, turns) if low <= two - one <= high]


LEVELS = {
    "1": Config(Kit((8, 14), colors=6, seen=0.5), (75, 120), 60),
    "2": Config(Kit((10, 20), colors=4, seen=0.45), (45, 60), 45),
    "3": Config(Kit((12, 26), colors=3, seen=0.4), (30, 30), 30),
}


@dataclass(frozen=True, slots=True)
class State:
    """What the two pictures show. Text: the angle, the options, the pieces, " | " between: "105 | 15 60 105 150 | …"."""

    angle: int
    """Degrees clockwise, seen from above."""
    options: tuple[int, ...]
    """In the order of the letters, ascending."""
    pieces: tuple[Piece, ...]

    def __str__(self) -> str:
        return f"{self.angle} | {' '.join(map(str, self.options))} | {text_of(self.pieces)}"

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        angle, options, pieces = text.split(" | ")
        return cls(int(angle), tuple(map(int, options.split())), pieces_of(pieces))


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """The right angle is the one at `slot`, in ascending order; which four there are, is drawn."""
    model = config.source.model(rng, config.kit)
    if model is None:
        return None
    one, two = rng.choice(config.pairs)
    options = (one, two, WHOLE - two, WHOLE - one)
    state = State(options[slot], options, model.pieces)
    explanation = {letter: _explain(angle, state.angle) for letter, angle in zip(LETTERS, options, strict=True)}
    return Puzzle(state, LETTERS[slot], explanation)


def _explain(angle: int, right: int) -> str:
    """Why an option is right or wrong.

    >>> _explain(300, 60)
    'Wrong: this is the turn the other way round, by 60 degrees anticlockwise.'
    >>> _explain(210, 60)
    'Wrong: this is a turn the other way round, by 150 degrees anticlockwise, and 90 degrees too much.'
    """
    if angle == right:
        return f"Right: the model is turned by {angle} degrees clockwise."
    if (angle < HALF) == (right < HALF):
        return f"Wrong: a turn by {angle} degrees is {_off(angle, right)}."
    back = WHOLE - angle
    if back == right:
        return f"Wrong: this is the turn the other way round, by {right} degrees anticlockwise."
    return f"Wrong: this is a turn the other way round, by {back} degrees anticlockwise, and {_off(back, right)}."


def _off(angle: int, right: int) -> str:
    return f"{abs(angle - right)} degrees too {'much' if angle > right else 'little'}"


def solve(state: State) -> frozenset[str]:
    """The angles by which what is recognised in the first picture may be turned to give the second one."""
    frame = frame_for(state.pieces, _cameras(state), PIXELS)
    known = recognised(state.pieces, frame, CAMERA)
    second = shown(state.pieces, frame, turned(CAMERA, state.angle))
    options = zip(LETTERS, state.options, strict=True)
    return frozenset(
        letter for letter, angle in options if not contradicts(known, frame, turned(CAMERA, angle), second)
    )


def _cameras(state: State) -> list[Camera]:
    return [CAMERA, turned(CAMERA, state.angle)]


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its choices."""
    return QUESTION, {letter: f"{angle} degrees" for letter, angle in zip(LETTERS, state.options, strict=True)}


def draw(state: State) -> tuple[Picture, ...]:
    """Before and after the turn."""
    frame = frame_for(state.pieces, _cameras(state), SIZE)
    return tuple(photo(state.pieces, frame, camera) for camera in _cameras(state))


def alt(state: State) -> tuple[str, ...]:
    """The pictures in words."""
    model = describe(state.pieces)
    return model, f"{model}; all turned by {state.angle} degrees clockwise"


GENERATOR = Generator(
    name="rotation",
    category=TASKS["rotation"].category,
    answer_type=TASKS["rotation"].answer_type,
    levels=LEVELS,
    slots=len(LETTERS),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

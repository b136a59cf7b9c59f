"""Rotation (section 3.1, spatial understanding): a model, and the same model turned about the vertical; by how many degrees?

The angle asked for is one of four that are evenly spaced; the closer they are, the harder. A model that looks the same after a turn by one of
the other angles is not asked about.
"""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    kit: Kit
    spacing: int
    """Degrees from one option to the next."""
    source: Source = GROWN

    def __post_init__(self) -> None:
        if self.spacing % GRID or not GRID <= self.spacing <= 90:
            raise ValueError(f"{self}: options are {GRID} to 90 degrees apart, in multiples of {GRID}; see LEVELS")


LEVELS = {
    "1": Config(Kit((8, 14), colors=6, seen=0.5), 90),
    "2": Config(Kit((10, 20), colors=4, seen=0.45), 45),
    "3": Config(Kit((12, 26), colors=3, seen=0.4), 30),
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
    """The right angle is the one at `slot`, in ascending order; where the four begin is drawn."""
    model = config.source.model(rng, config.kit)
    if model is None:
        return None
    first = rng.randrange(GRID, 360 - 3 * config.spacing, GRID)
    options = tuple(first + i * config.spacing for i in range(len(LETTERS)))
    state = State(options[slot], options, model.pieces)
    explanation = {
        letter: f"Right: the model is turned by {angle} degrees clockwise."
        if i == slot
        else f"Wrong: a turn by {angle} degrees is {abs(angle - state.angle)} degrees {'more' if i > slot else 'less'}."
        for i, (letter, angle) in enumerate(zip(LETTERS, options, strict=True))
    }
    return Puzzle(state, LETTERS[slot], explanation)


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

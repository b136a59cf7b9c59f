"""Rotation* and Multiview* (section 3.1, image generation): one photo of a model; the model is to be drawn turned, or from another side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.render.camera import Camera
from cogsight.shared.sample import Picture

from ..prompts import MAKE, VIEW_WORDS
from ..taxonomy import GENERATION
from .growing import Kit
from .pieces import Piece, describe, pieces_of, text_of
from .sources import GROWN, Source
from .turntable import CAMERA, PIXELS, SIZE, frame_for, photo, recognised, turned

CAMERAS: Mapping[str, Mapping[str, Camera]] = {
    "rotation_image": {str(degrees): turned(CAMERA, degrees) for degrees in (30, 60, 45, 90, 120)},
    "multiview_image": {
        "top": replace(CAMERA, elevation=90),
        "left": turned(CAMERA, -90),
        "right": turned(CAMERA, 90),
    },
}
"""Task → what is asked for → the camera of the true picture. A turn of the model clockwise is one of the camera the other way."""


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    kit: Kit
    wishes: tuple[str, ...]
    """Names in `CAMERAS[task]`."""
    source: Source = GROWN

    def __post_init__(self) -> None:
        if not self.wishes or not any(set(self.wishes) <= set(cameras) for cameras in CAMERAS.values()):
            raise ValueError(f"{self}: wishes are angles or views, {CAMERAS}; see LEVELS")


KITS = {"1": Kit((8, 11), colors=6, seen=0.6), "2": Kit((10, 24), colors=4, seen=0.5)}

LEVELS: dict[str, dict[str, Config]] = {
    "rotation_image": {"1": Config(KITS["1"], ("30", "60")), "2": Config(KITS["2"], ("30", "60", "45", "90", "120"))},
    "multiview_image": {"1": Config(KITS["1"], ("top", "left")), "2": Config(KITS["2"], ("top", "left", "right"))},
}
"""The paper's questions ask for 30 and 60 degrees, for the top and for the left."""


@dataclass(frozen=True, slots=True)
class State:
    """A model and what is asked for. Text: the task, the wish, the pieces, " | " between."""

    task: str
    wish: str
    pieces: tuple[Piece, ...]

    def __str__(self) -> str:
        return f"{self.task} | {self.wish} | {text_of(self.pieces)}"

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        task, wish, pieces = text.split(" | ")
        return cls(task, wish, pieces_of(pieces))

    def cameras(self) -> list[Camera]:
        """Of the picture that is given, and of the true one."""
        return [CAMERA, CAMERAS[self.task][self.wish]]


def generate(task: str, rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """Any model; its key is its picture."""
    model = config.source.model(rng, config.kit)
    return Puzzle(State(task, rng.choice(config.wishes), model.pieces), "", {}) if model else None


def solve(state: State) -> frozenset[str]:
    """Other pictures fit, too, unless most of what the true one shows is to be known from the one that is given."""
    frame = frame_for(state.pieces, state.cameras(), PIXELS)
    given, true = (set(recognised(state.pieces, frame, camera)) for camera in state.cameras())
    return frozenset({""} if len(given & true) >= KNOWN * len(true) else {"", OTHER})


OTHER = "another picture"
"""Stands for all that might be true where the given picture hides too much; such a draw is not asked."""

KNOWN = 0.6
"""Of the parts that the true picture shows, the share that the given one shows, too."""


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question; there is nothing to choose from."""
    return MAKE[state.task].format(degrees=state.wish, view=VIEW_WORDS.get(state.wish, "")), {}


def draw(state: State) -> tuple[Picture, ...]:
    """The given picture, then the true one."""
    frame = frame_for(state.pieces, state.cameras(), SIZE)
    return tuple(photo(state.pieces, frame, camera) for camera in state.cameras())


def alt(state: State) -> tuple[str, ...]:
    """The pictures in words."""
    model = describe(state.pieces)
    return model, f"{model}; {ask(state)[0]}"


GENERATORS = tuple(
    Generator(
        name=task,
        category=GENERATION[task].category,
        answer_type=GENERATION[task].answer_type,
        levels=levels,
        slots=1,
        generate=partial(generate, task),
        solve=solve,
        ask=ask,
        draw=draw,
        alt=alt,
        parse=State.parse,
        truth=True,
    )
    for task, levels in LEVELS.items()
)

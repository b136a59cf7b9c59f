"""Multiview (section 3.1, spatial understanding): a model from one side; which picture shows the same model from another?

The four options are the corners of a square: the side asked for or another one, the model as it is or with one part changed. So the options
alone do not tell which side is meant, nor which of the two models: the first picture shows either, as often the one as the other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import permutations
from random import Random

from PIL.Image import Image

from cogsight.shared.build import LOOK_ALIKE, Generator, Puzzle, difference
from cogsight.shared.render.camera import Camera, Frame
from cogsight.shared.sample import Picture

from ..prompts import VIEW_WORDS
from ..taxonomy import TASKS
from .changes import Change, changes
from .growing import Kit
from .pieces import Piece, describe, pieces_of, text_of
from .sources import GROWN, Source
from .turntable import (
    CAMERA,
    PIXELS,
    SIZE,
    Shown,
    contradicts,
    frame_for,
    look_the_same,
    photo,
    recognised,
    shown,
    turned,
)
from .views import picture

LETTERS = "ABCD"

VIEWS: dict[str, Camera] = {
    "left": turned(CAMERA, -90),
    "right": turned(CAMERA, 90),
    "back": turned(CAMERA, 180),
    "top": replace(CAMERA, elevation=90),
}
"""Where a picture is taken from, for somebody who looks at the first one: a camera to the left has gone clockwise, seen from above."""

QUESTION = "<image 1> shows a brick model on a table. Which of the four lettered pictures shows the same model, with no part changed, {view}?"


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    kit: Kit
    pairs: tuple[tuple[str, str], ...]
    """The view that is asked for, and the one that it is mixed up with."""
    traits: tuple[str, ...]
    """How a part is changed: names in `changes.TRAITS`."""
    source: Source = GROWN

    def __post_init__(self) -> None:
        if not self.traits or not self.pairs or {view for pair in self.pairs for view in pair} - set(VIEWS):
            raise ValueError(f"{self}: views are {', '.join(VIEWS)}; at least one trait; see LEVELS")

    @property
    def least(self) -> int:
        """Building steps that a real model must have; most of them bring several parts."""
        return self.kit.steps[0] // 2


LEVELS = {
    "1": Config(
        Kit((8, 12), colors=6, seen=0.6),
        (("top", "left"), ("left", "top"), ("right", "top"), ("top", "right"), ("back", "left"), ("left", "back")),
        ("color", "kind"),
    ),
    "2": Config(
        Kit((10, 18), colors=5, seen=0.5),
        (
            ("left", "right"),
            ("right", "left"),
            ("back", "left"),
            ("back", "right"),
            ("left", "back"),
            ("right", "back"),
        ),
        ("color", "kind", "place"),
    ),
    "3": Config(
        Kit((14, 26), colors=4, seen=0.45),
        (
            ("left", "right"),
            ("right", "left"),
            ("back", "right"),
            ("right", "back"),
            ("left", "back"),
            ("back", "left"),
        ),
        ("place", "turn", "kind", "place"),
    ),
}


@dataclass(frozen=True, slots=True)
class State:
    """What the five pictures show. Text: the view asked for, that of each option, then the reference's pieces and each option's."""

    view: str
    """A name in `VIEWS`."""
    views: tuple[str, ...]
    pieces: tuple[Piece, ...]
    options: tuple[tuple[Piece, ...], ...]

    def __str__(self) -> str:
        return " | ".join([self.view, " ".join(self.views), *map(text_of, (self.pieces, *self.options))])

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        view, views, pieces, *options = text.split(" | ")
        return cls(view, tuple(views.split()), pieces_of(pieces), tuple(map(pieces_of, options)))

    def frame(self, size: int) -> Frame:
        """One for all pictures, whose middle is the model's."""
        pieces = [piece for state in (self.pieces, *self.options) for piece in state]
        return frame_for(pieces, [CAMERA, *(VIEWS[view] for view in dict.fromkeys((self.view, *self.views)))], size)


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """The right option stands at `slot`."""
    model = config.source.model(rng, config.kit)
    if model is None:
        return None
    asked, other = rng.choice(config.pairs)
    change = _change(rng, config, model.pieces)
    if change is None:
        return None
    pieces = model.pieces
    if rng.random() < 0.5:  # what is as it was made looks it, to who knows what models are like
        pieces, change = change.on(pieces), change.undone
    corners = [(asked, None), (other, None), (asked, change), (other, change)]
    order = rng.sample(range(1, 4), 3)
    order.insert(slot, 0)
    chosen = [corners[i] for i in order]
    options = tuple(made.on(pieces) if made else pieces for _, made in chosen)
    state = State(asked, tuple(view for view, _ in chosen), pieces, options)
    explanation = {letter: _explain(asked, *corner) for letter, corner in zip(LETTERS, chosen, strict=True)}
    return Puzzle(state, LETTERS[slot], explanation)


def _change(rng: Random, config: Config, pieces: tuple[Piece, ...]) -> Change | None:
    """Of a part that the first picture shows clearly."""
    seen = recognised(pieces, frame_for(pieces, [CAMERA], PIXELS), CAMERA)
    parts = [piece for piece in seen if piece != pieces[0]]
    for piece in rng.sample(parts, min(PARTS, len(parts))):
        made = changes(rng, rng.choice(config.traits), pieces, piece)
        if change := next(made, None):
            return change
    return None


PARTS = 4
"""Tried in one model."""


def _explain(asked: str, view: str, change: Change | None) -> str:
    wrong = [f"this is the view from the {view}, not from the {asked}"] if view != asked else []
    wrong += [change.words] if change else []
    return f"Wrong: {' and '.join(wrong)}." if wrong else f"Right: the same model from the {view}."


def solve(state: State) -> frozenset[str]:
    """The options that may show, from the side asked for, what is recognised in the first picture, and the other way round.

    A picture from another side that looks like the one from the side asked for, wherever in the picture, is taken for it. Two that only
    shadows tell apart, as a brick from above and a plate in its place, are one picture.
    """
    frame, camera = state.frame(PIXELS), VIEWS[state.view]
    first = shown(state.pieces, frame, CAMERA)
    known = recognised(state.pieces, frame, CAMERA)
    fits = set()
    for letter, view, pieces in zip(LETTERS, state.views, state.options, strict=True):
        seen, wanted = shown(pieces, frame, VIEWS[view]), shown(pieces, frame, camera)
        if view != state.view and look_the_same(seen, wanted):
            seen, view = wanted, state.view
        if not contradicts(known, frame, camera, seen) and not _denies(pieces, frame, view, state.view, first):
            fits.add(letter)
    asked = _flats(state) if fits else []
    alike = {a for (a, one), (b, other) in permutations(asked, 2) if b in fits and difference(one, other) < LOOK_ALIKE}
    return frozenset(fits | alike)


def _flats(state: State) -> list[tuple[str, Image]]:
    """The options from the side asked for, drawn without shadows."""
    frame, camera = state.frame(PIXELS), VIEWS[state.view]
    options = zip(LETTERS, state.views, state.options, strict=True)
    return [
        (letter, picture(pieces, frame, camera=camera).open()) for letter, view, pieces in options if view == state.view
    ]


def _denies(pieces: tuple[Piece, ...], frame: Frame, view: str, asked: str, first: Shown) -> bool:
    """Does the first picture contradict what the option would show if it were the view asked for? Decided where it is that view."""
    return view == asked and contradicts(recognised(pieces, frame, VIEWS[view]), frame, CAMERA, first)


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its choices."""
    return QUESTION.format(view=VIEW_WORDS[state.view]), {letter: f"<image {n}>" for n, letter in enumerate(LETTERS, 2)}


def draw(state: State) -> tuple[Picture, ...]:
    """The reference, then the options."""
    frame = state.frame(SIZE)
    options = zip(state.options, state.views, strict=True)
    return photo(state.pieces, frame, CAMERA), *(photo(pieces, frame, VIEWS[view]) for pieces, view in options)


def alt(state: State) -> tuple[str, ...]:
    """The pictures in words."""
    options = zip(state.options, state.views, strict=True)
    return describe(state.pieces), *(f"{describe(pieces)}; from the {view}" for pieces, view in options)


GENERATOR = Generator(
    name="multiview",
    category=TASKS["multiview"].category,
    answer_type=TASKS["multiview"].answer_type,
    levels=LEVELS,
    slots=len(LETTERS),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

"""Next-k-Step (section 4.4): given a model and the next k parts, in order, which of four pictures shows the model after all k steps?

No place is marked, so a part may go wherever it fits. An option is wrong when it needs another part than those given, lacks one, has one too
many, or changes what was there. The options are the corners of a square: each of two such changes is made, or not. Any of the corners may
be the right one, since a change may be made in the first picture or the given parts as well, and be undone in wrong options: nothing in the
options alone says which it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

from ..taxonomy import APART, NEXT_K_STEP, STEPS
from .changes import Change, Option, any_corner, changes, is_sound, square
from .growing import Kit, can_add
from .pieces import Piece, an, describe, pieces_of, text_of
from .sources import GROWN, Source
from .stage import Sight, Stage
from .steps import alone
from .views import frame_of, part_picture, picture

LETTERS = "ABCD"

QUESTION = (
    "<image 1> shows a brick model that is being built. The next {steps}, in this order: {parts}. Every part may be turned about the "
    "vertical and goes onto the model from above, wherever it fits; nothing else is added, taken away, moved or exchanged, and every added "
    "part can be seen in the right picture. Which of the four lettered pictures shows the model after {all}?"
)


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    k: int
    """Parts to add."""
    kit: Kit
    new: tuple[str, ...] = ("color", "kind", "fewer")
    """In what options may differ about an added part, names in `changes.TRAITS`; "fewer": some lack it, or it is too many in some."""
    old: tuple[str, ...] = ("color", "kind", "place", "turn", "fewer")
    """In what options may differ about another part."""
    source: Source = GROWN

    def __post_init__(self) -> None:
        if not 1 <= self.k < self.kit.steps[0] or not self.new or not self.old:
            raise ValueError(f"{self}: a model has more steps than the {self.k} that are asked for; see LEVELS")


LEVELS = {k: Config(int(k), Kit((max(8, int(k) + 5), int(k) + 10), colors=5, seen=0.5)) for k in STEPS}


@dataclass(frozen=True, slots=True)
class State:
    """What the pictures show. Text: the current state, the parts, and four options, " | " between."""

    current: tuple[Piece, ...]
    parts: tuple[Piece, ...]
    """At the origin, as they are shown."""
    options: tuple[tuple[Piece, ...], ...]

    def __str__(self) -> str:
        return " | ".join(map(text_of, (self.current, self.parts, *self.options)))

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        current, parts, *options = map(pieces_of, text.split(" | "))
        return cls(current, parts, tuple(options))

    def pieces(self) -> frozenset[Piece]:
        """Of all pictures of the model."""
        return frozenset(piece for shown in (self.current, *self.options) for piece in shown)

    def visible(self) -> tuple[Sight, tuple[Sight, ...]]:
        """What the pictures of the current state and of the options tell."""
        stage = Stage.of(self.pieces())
        return stage.look(self.current), tuple(stage.look(option) for option in self.options)

    def shows_all(self) -> bool:
        """Is every part that a picture has and the current state has not recognised there?"""
        _, sights = self.visible()
        return all(
            sight.pieces.issuperset(piece for piece in option if piece not in self.current)
            for sight, option in zip(sights, self.options, strict=True)
        )


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """The right option stands at `slot`."""
    model = config.source.model(rng, config.kit)
    if model is None:
        return None
    for made in _squares(rng, config, model.pieces):
        (right,), both = any_corner(rng, (model.pieces,), made)
        current, added = right[: -config.k], right[-config.k :]
        if _goes_up(current, added) and (options := square(rng, right, both, slot, [current])):
            parts = tuple(alone(rng, part) for part in added)
            explanation = {letter: _explain(added, option) for letter, option in zip(LETTERS, options, strict=True)}
            state = State(current, parts, tuple(option.pieces for option in options))
            if state.shows_all():
                return Puzzle(state, LETTERS[slot], explanation)
    return None


def _goes_up(current: tuple[Piece, ...], added: tuple[Piece, ...]) -> bool:
    """Is there a model, and does each part, in this order, go onto it from above?"""
    return is_sound(current) and all(can_add((*current, *added[:n]), part) for n, part in enumerate(added))


def _explain(added: Sequence[Piece], option: Option) -> str:
    """Why the option is right or wrong, step by step: `added` are the parts of steps 1, 2, …"""
    if option.changes:
        return f"Wrong: {'; '.join(_wrong(added, change) for change in option.changes)}."
    steps = ", ".join(f"step {number} adds the {part.name}" for number, part in enumerate(added, 1))
    return f"Right: {steps}, and nothing else has changed."


def _wrong(added: Sequence[Piece], change: Change) -> str:
    """One change, with the step that it concerns."""
    if change.old in added:
        return f"in step {added.index(change.old) + 1} {change.words}"
    if change.old or not change.new:
        return f"of the first picture's parts {change.words}"
    same = [str(number) for number, part in enumerate(added, 1) if part.name == change.new.name]
    beside = f"beside that of step {' and '.join(same)}" if same else "which no step adds"
    return f"{change.words}, {beside}"


TRIES = 12
"""Squares tried for one model."""


def _squares(rng: Random, config: Config, pieces: tuple[Piece, ...]) -> Iterator[tuple[Change, Change]]:
    """A change of a part that the last k steps added, and one of a part that was there a step earlier, each in sight."""
    seen = Stage.of(pieces).look(pieces).pieces
    added = [piece for piece in pieces[-config.k :] if piece in seen]
    old = [piece for piece in pieces[1 : -config.k - 1] if piece in seen]
    if len(added) < config.k or not old:
        return
    for _ in range(TRIES):
        one = _change(rng, rng.choice(config.new), pieces, rng.choice(added))
        other = _change(rng, rng.choice(config.old), pieces, rng.choice(old))
        if one and other:
            yield one, other


def _change(rng: Random, trait: str, pieces: tuple[Piece, ...], piece: Piece) -> Change | None:
    return next(changes(rng, trait, pieces, piece), None)


def solve(state: State) -> frozenset[str]:
    """The options in which all that was there can still be, and whose new parts are exactly those given.

    A part that an option shows is new for certain where the first picture shows that it was not there, and perhaps where it
    may have been hidden.
    """
    before, options = state.visible()
    given = Counter((part.color, part.shape) for part in state.parts)
    return frozenset(
        letter
        for letter, option in zip(LETTERS, options, strict=True)
        if before.precedes(option) and _explains(given, before, option)
    )


def _explains(given: Counter[tuple[str, str]], before: Sight, option: Sight) -> bool:
    """Are the certainly new parts among those given, and the rest of these among the perhaps new ones?"""
    certain = Counter((piece.color, piece.shape) for piece in option.adds(before))
    perhaps = Counter((p.color, p.shape) for p in option.pieces - before.pieces if before.allows(p))
    return certain <= given and given - certain <= perhaps


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its choices."""
    k = len(state.parts)
    parts = ", ".join(f"<image {number}>" for number in range(2, k + 2))
    words = (
        ("building step adds this part", "the step")
        if k == 1
        else (f"{k} building steps add these parts", "both steps" if k == 2 else f"all {k} steps")
    )
    question = QUESTION.format(steps=words[0], parts=parts, all=words[1])
    return question.replace(", in this order", "") if k == 1 else question, {
        letter: f"<image {number}>" for number, letter in enumerate(LETTERS, k + 2)
    }


def draw(state: State) -> tuple[Picture, ...]:
    """The current state, the parts, the options."""
    frame = frame_of(state.pieces())
    parts = map(part_picture, state.parts)
    return picture(state.current, frame), *parts, *(picture(option, frame) for option in state.options)


def alt(state: State) -> tuple[str, ...]:
    """The pictures in words."""
    return describe(state.current), *(an(part.name) for part in state.parts), *map(describe, state.options)


GENERATOR = Generator(
    name=NEXT_K_STEP,
    category=APART[NEXT_K_STEP].category,
    answer_type=APART[NEXT_K_STEP].answer_type,
    levels=LEVELS,
    slots=len(LETTERS),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

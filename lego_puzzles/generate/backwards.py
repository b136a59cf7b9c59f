"""Backwards (section 3.3, multi-step reasoning): from the start and the finished model, which picture shows a state on the way between them?

The four options are the corners of a square: each of two changes is made, or not. Any of the corners may be the right one, since a change may
be made in the whole sequence and be undone in wrong options: nothing in the options alone says which corner it is, not even to who knows how
the model was made; only the start and the finished model do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .changes import Change, any_corner, changes, is_sound, made, square
from .growing import Kit
from .pieces import Piece, describe, pieces_of, text_of
from .sources import GROWN, Source
from .stage import Sight, Stage
from .views import frame_of, picture

LETTERS = "ABCD"

QUESTION = (
    "<image 1> shows a brick model at some point of its building, <image 2> shows it finished. Every building step only adds parts; nothing "
    "is taken away, moved or exchanged. Going back from the finished model, one of the four lettered pictures shows a state between the two; "
    "in each of the others a part has a wrong colour, is of a wrong kind, stands in a wrong place or is missing, or there is one part too many. "
    "Which one is right?"
)


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    kit: Kit
    between: tuple[int, int]
    """Fewest and most steps from the start to the state asked for, and from there to the end."""
    traits: tuple[tuple[str, str], ...]
    """Pairs of traits as `changes.changes` takes them: the two changes that make the options."""
    source: Source = GROWN

    def __post_init__(self) -> None:
        if self.kit.steps[0] < self.least or not self.traits:
            raise ValueError(f"{self}: too few steps, or no pair of traits; see LEVELS")

    @property
    def least(self) -> int:
        """Steps that a model must have."""
        return 2 * self.between[1] + 1


LEVELS = {
    "1": Config(Kit((8, 11), parts=(1, 2), colors=6, seen=0.5), (2, 3), (("color", "color"), ("color", "kind"))),
    "2": Config(
        Kit((11, 18), parts=(1, 2), colors=5, seen=0.45),
        (2, 4),
        (("color", "place"), ("kind", "place"), ("color", "count"), ("kind", "count")),
    ),
    "3": Config(
        Kit((16, 30), parts=(1, 1), colors=4, seen=0.4),
        (3, 6),
        (("place", "turn"), ("place", "kind"), ("place", "count")),
    ),
}


@dataclass(frozen=True, slots=True)
class State:
    """What the six pictures show. Text: start, finished model and four options, " | " between."""

    start: tuple[Piece, ...]
    finished: tuple[Piece, ...]
    options: tuple[tuple[Piece, ...], ...]

    def __str__(self) -> str:
        return " | ".join(map(text_of, self.pictures()))

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        start, finished, *options = map(pieces_of, text.split(" | "))
        return cls(start, finished, tuple(options))

    def pictures(self) -> tuple[tuple[Piece, ...], ...]:
        """In the order in which they are shown."""
        return self.start, self.finished, *self.options

    def pieces(self) -> frozenset[Piece]:
        """Of all pictures."""
        return frozenset(piece for shown in self.pictures() for piece in shown)

    def visible(self) -> tuple[Sight, ...]:
        """What the six pictures tell."""
        stage = Stage.of(self.pieces())
        return tuple(stage.look(pieces) for pieces in self.pictures())


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """The right option stands at `slot`."""
    grown = config.source.model(rng, config.kit)
    if grown is None:
        return None
    right = grown.state(number := len(grown.steps) - rng.randint(*config.between))
    start = grown.state(number - rng.randint(*config.between))
    for two in _squares(rng, rng.choice(config.traits), right, grown.pieces):
        (first, asked, last), both = any_corner(rng, (start, right, grown.pieces), two)
        if _may_be_made((start, grown.pieces), two) and (options := square(rng, asked, both, slot, [first, last])):
            explanation = {
                letter: option.explained(f"the state after step {number}")
                for letter, option in zip(LETTERS, options, strict=True)
            }
            state = State(first, last, tuple(option.pieces for option in options))
            return Puzzle(state, LETTERS[slot], explanation)
    return None


TRIES = 12
"""Squares tried for one state."""


def _squares(
    rng: Random, traits: tuple[str, str], right: tuple[Piece, ...], finished: tuple[Piece, ...]
) -> Iterator[tuple[Change, Change]]:
    """Two changes of different parts that are in sight, each of a trait."""
    seen = Stage.of(finished).look(right).pieces
    parts = [piece for piece in right[1:] if piece in seen]
    if len(parts) < 2:
        return
    for _ in range(TRIES):
        chosen = rng.sample(parts, 2)
        found = [_change(rng, trait, right, piece, finished) for trait, piece in zip(traits, chosen, strict=True)]
        if found[0] and found[1]:
            yield found[0], found[1]


def _change(
    rng: Random, trait: str, right: tuple[Piece, ...], piece: Piece, finished: tuple[Piece, ...]
) -> Change | None:
    """One that makes something that the finished model does not have."""
    return next((change for change in changes(rng, trait, right, piece) if change.new not in finished), None)


def _may_be_made(states: Iterable[Sequence[Piece]], both: tuple[Change, Change]) -> bool:
    """Could either change, and both, be made in these states? Asked whether they are made there or not, or else what may not be made would be
    wrong more often than right: one part too many, for which the finished model has no room.
    """
    return all(is_sound(made(state, by)) for state in states for by in (both[:1], both[1:], both))


def solve(state: State) -> frozenset[str]:
    """The options that come after the start and before the finished model."""
    start, finished, *options = state.visible()
    return frozenset(
        letter
        for letter, option in zip(LETTERS, options, strict=True)
        if start.precedes(option) and option.precedes(finished)
    )


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its choices."""
    return QUESTION, {letter: f"<image {n}>" for n, letter in enumerate(LETTERS, 3)}


def draw(state: State) -> tuple[Picture, ...]:
    """Start, finished model, four options."""
    frame = frame_of(state.pieces())
    return tuple(picture(pieces, frame) for pieces in state.pictures())


def alt(state: State) -> tuple[str, ...]:
    """The pictures in words."""
    return tuple(map(describe, state.pictures()))


GENERATOR = Generator(
    name="backwards",
    category=TASKS["backwards"].category,
    answer_type=TASKS["backwards"].answer_type,
    levels=LEVELS,
    slots=len(LETTERS),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

"""Outlier (section 3.3, multi-step reasoning): five pictures, four of which show states of one building sequence; which one does not belong?

Five states of a sequence are shown, in no order; in one of them one part is changed. The change is seen there, and is contradicted by at
least two other pictures, so that leaving out any other picture does not make a sequence of the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .changes import Change, changes
from .growing import Kit
from .pieces import Piece, describe, pieces_of, text_of
from .sources import GROWN, Source
from .stage import Sight, Stage
from .views import frame_of, picture

LETTERS = "ABCDE"

QUESTION = (
    "Five pictures show a brick model while it is being built, in no particular order. Every building step only adds parts; nothing is "
    "taken away, moved or exchanged. Four of the pictures show states of one and the same building sequence. Which picture does not "
    "belong to that sequence?"
)


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    kit: Kit
    traits: tuple[str, ...]
    """Names in `changes.TRAITS`: how the outlier may differ."""
    between: tuple[int, int] = (1, 1)
    """Fewest and most steps from one picture to the next."""
    source: Source = GROWN

    def __post_init__(self) -> None:
        if self.kit.steps[0] < self.least or not self.traits:
            raise ValueError(f"{self}: too few steps for {len(LETTERS)} pictures, or no trait; see LEVELS")

    @property
    def least(self) -> int:
        """Steps that a model must have."""
        return self.between[1] * (len(LETTERS) - 1) + 1


LEVELS = {
    "1": Config(Kit((9, 14), parts=(1, 2), colors=6, seen=0.5), ("color", "kind", "color"), (2, 2)),
    "2": Config(Kit((10, 18), parts=(1, 2), colors=5, seen=0.45), ("color", "kind", "place", "fewer"), (1, 2)),
    "3": Config(Kit((14, 26), parts=(1, 1), colors=4, seen=0.4), ("place", "kind", "turn", "place"), (1, 2)),
}


@dataclass(frozen=True, slots=True)
class State:
    """What the five pictures show, in the order of the letters. Text: their pieces, " | " between."""

    pictures: tuple[tuple[Piece, ...], ...]

    def __str__(self) -> str:
        return " | ".join(map(text_of, self.pictures))

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        return cls(tuple(map(pieces_of, text.split(" | "))))

    def pieces(self) -> frozenset[Piece]:
        """Of all pictures."""
        return frozenset(piece for shown in self.pictures for piece in shown)

    def visible(self) -> tuple[Sight, ...]:
        """What the five pictures tell."""
        stage = Stage.of(self.pieces())
        return tuple(stage.look(pieces) for pieces in self.pictures)


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """The outlier stands at `slot`; which of the states it is, is drawn."""
    grown = config.source.model(rng, config.kit)
    if grown is None:
        return None
    numbers = [len(grown.steps)]
    while len(numbers) < len(LETTERS):
        numbers.insert(0, numbers[0] - rng.randint(*config.between))
    states = [grown.state(number) for number in numbers]
    changed = rng.randrange(len(LETTERS))
    trait = rng.choice(config.traits)
    change = next((c for c in _candidates(rng, trait, states, changed) if _shows(states, changed, c)), None)
    if change is None:
        return None
    right = [states[i] for i in rng.sample(range(len(LETTERS)), len(LETTERS)) if i != changed]
    pictures = (*right[:slot], change.on(states[changed]), *right[slot:])
    explanation = {
        letter: f"Right: unlike in the other pictures, {change.words}."
        if i == slot
        else f"Wrong: the state after step {numbers[states.index(pictures[i])]} of {len(grown.steps)}."
        for i, letter in enumerate(LETTERS)
    }
    return Puzzle(State(pictures), LETTERS[slot], explanation)


def _candidates(rng: Random, trait: str, states: list[tuple[Piece, ...]], changed: int) -> list[Change]:
    """Changes of parts that at least two other pictures have in sight."""
    stage = Stage.of(states[-1])
    seen = [stage.look(state).pieces for state in states]
    common = [p for p in states[changed][1:] if p in seen[changed] and sum(p in other for other in seen) >= SHOWN]
    found = []
    for piece in rng.sample(common, min(PARTS, len(common))):
        found += [change for change in changes(rng, trait, states[changed], piece) if change.new not in states[-1]]
    return found


SHOWN, PARTS = 3, 5
"""Pictures in which the part that changes is recognised, the changed one included; parts that are tried."""


def _shows(states: list[tuple[Piece, ...]], changed: int, change: Change) -> bool:
    """Can the change be noticed, and all five pictures be told apart?"""
    pictures = [*states[:changed], change.on(states[changed]), *states[changed + 1 :]]
    stage = Stage.of([piece for state in pictures for piece in state])
    return change.is_seen(stage.look(pictures[changed])) and stage.differ([*pictures, states[changed]])


def solve(state: State) -> frozenset[str]:
    """The pictures without which the four others make a sequence, in some order."""
    sights = dict(zip(LETTERS, state.visible(), strict=True))
    follows = {(a, b) for a, b in permutations(sights, 2) if sights[a].precedes(sights[b])}
    return frozenset(
        letter for letter in LETTERS if _is_sequence([other for other in LETTERS if other != letter], follows)
    )


def _is_sequence(letters: list[str], follows: set[tuple[str, str]]) -> bool:
    """Is there an order in which each comes before all later ones?"""
    return any(
        all((a, b) in follows for i, a in enumerate(order) for b in order[i + 1 :]) for order in permutations(letters)
    )


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its choices."""
    return QUESTION, {letter: f"<image {n}>" for n, letter in enumerate(LETTERS, 1)}


def draw(state: State) -> tuple[Picture, ...]:
    """The five states."""
    frame = frame_of(state.pieces())
    return tuple(picture(pieces, frame) for pieces in state.pictures)


def alt(state: State) -> tuple[str, ...]:
    """The pictures in words."""
    return tuple(map(describe, state.pictures))


GENERATOR = Generator(
    name="outlier",
    category=TASKS["outlier"].category,
    answer_type=TASKS["outlier"].answer_type,
    levels=LEVELS,
    slots=len(LETTERS),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

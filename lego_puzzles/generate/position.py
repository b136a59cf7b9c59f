"""Position (section 3.2, single-step reasoning): the model now, the next part, the model after; which picture marks where the part goes?

Each option is the model as it is now, with the studs painted that the part would take at one place. The wrong places are such that the part
would fit there, too, and all four lie around one of them that is drawn, so that the right place is not the middle of the four. How many of them
are higher on the page is drawn first: what is built last is on top more often than not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .growing import Kit, places
from .pieces import Piece, an, describe, pieces_of, text_of, way
from .shapes import Cell
from .sources import GROWN, Source
from .stage import Sight, Stage
from .steps import Step, alone, cells_of, cells_text, late_steps, taken
from .views import frame_of, part_picture, picture

LETTERS = "ABCD"

QUESTION = (
    "<image 1> shows a brick model that is being built, <image 2> the next part, and <image 3> the model with that part in its place. Each of "
    "the four lettered pictures shows the model before the part is put on, with some studs painted magenta (the paint only marks a place). "
    "In which of them are exactly those studs painted that the part will cover?"
)


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    kit: Kit
    reach: int
    """Studs, and thirds of plates, between two places, at most."""
    same_turn: bool
    """Whether the wrong places take the part turned as it is."""
    source: Source = GROWN

    def __post_init__(self) -> None:
        if self.kit.steps[0] < 3 or self.reach < 1:
            raise ValueError(f"{self}: at least 3 steps and a reach of 1 stud; see LEVELS")


LEVELS = {
    "1": Config(Kit((8, 11), colors=7, seen=0.6), reach=5, same_turn=False),
    "2": Config(Kit((8, 16), colors=5, seen=0.5), reach=3, same_turn=False),
    "3": Config(Kit((12, 26), colors=3, seen=0.45), reach=2, same_turn=True),
}


@dataclass(frozen=True, slots=True)
class State:
    """What the seven pictures show. Text: before, part, after, and four sets of marked studs, " | " between."""

    before: tuple[Piece, ...]
    part: Piece
    """At the origin, as its picture shows it."""
    after: tuple[Piece, ...]
    options: tuple[frozenset[Cell], ...]
    """The cells that the marked studs fill."""

    def __str__(self) -> str:
        models = (text_of(self.before), str(self.part), text_of(self.after))
        return " | ".join([*models, *map(cells_text, self.options)])

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        before, part, after, *options = text.split(" | ")
        return cls(pieces_of(before), Piece.parse(part), pieces_of(after), tuple(map(cells_of, options)))

    def visible(self) -> tuple[Sight, Sight]:
        """What the pictures of the model tell."""
        stage = Stage.of([*self.before, *self.after])
        return stage.look(self.before), stage.look(self.after)


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """The right option stands at `slot`."""
    above = rng.randrange(len(LETTERS))
    found = next(_steps(rng, config, above), None)
    if found is None:
        return None
    step, spots = found
    order = [*spots[1 : slot + 1], spots[0], *spots[slot + 1 :]]
    marks = tuple(taken(step.before, spot) for spot in order)
    explanation = {
        letter: f"Right: the {step.part.name} covers these studs."
        if i == slot
        else f"Wrong: the {step.part.name} would stand {_words(step.part, spot)}."
        for i, (letter, spot) in enumerate(zip(LETTERS, order, strict=True))
    }
    return Puzzle(State(step.before, alone(rng, step.part), step.after, marks), LETTERS[slot], explanation)


MODELS = 6
"""Models whose steps are tried for one question: with the same wish, or else rare ones would lose their share."""


def _steps(rng: Random, config: Config, above: int) -> Iterator[tuple[Step, list[Piece]]]:
    """Steps, and the places to choose from, of which so many wrong ones are higher on the page than the right one."""
    for _ in range(MODELS):
        for step in late_steps(rng, config.source, config.kit):
            if spots := _spots(rng, step, config, above):
                yield step, spots


def _words(right: Piece, wrong: Piece) -> str:
    """How far the wrong place is from the right one."""
    return ", ".join(filter(None, [way(right, wrong), "turned" if right.turn != wrong.turn else ""]))


def _spots(rng: Random, step: Step, config: Config, above: int) -> list[Piece] | None:
    """The right place, then three others of the part, all with as many studs in sight, no two with the same ones."""
    stage = Stage.of(step.after)
    turns = (step.part.turn,) if config.same_turn else step.part.kind.turns
    found = {taken(step.before, step.part): step.part}
    for spot in places(step.before, step.part, turns=turns):
        if _distance(spot, step.part) <= 2 * config.reach:
            found.setdefault(taken(step.before, spot), spot)
    count = len(taken(step.before, step.part))  # or else the most magenta would be right more often than not
    usable = {
        spot: studs for studs, spot in found.items() if len(studs) == count and stage.sees_paint(step.before, studs)
    }
    if step.part not in usable:
        return None
    hub = rng.choice([spot for spot in usable if _distance(spot, step.part) <= config.reach])
    near = [spot for spot in usable if spot not in (hub, step.part) and _distance(spot, hub) <= config.reach]
    rows = {spot: stage.row(studs) for spot, studs in usable.items()}
    higher, lower = (
        [spot for spot in rng.sample(near, len(near)) if (rows[spot] < rows[step.part]) == side]
        for side in (True, False)
    )
    if hub != step.part:  # it is one of the four
        (higher if rows[hub] < rows[step.part] else lower).insert(0, hub)
    chosen = [*higher[:above], *lower[: WRONG - above]]
    if len(chosen) < WRONG or hub not in (step.part, *chosen):
        return None
    return [step.part, *rng.sample(chosen, WRONG)]


WRONG = len(LETTERS) - 1


def _distance(one: Piece, other: Piece) -> float:
    return max(abs(one.x - other.x), abs(one.y - other.y), abs(one.z - other.z) / 3)


def solve(state: State) -> frozenset[str]:
    """The options that mark the studs under a new part like the one shown; all of them where no such part is recognised."""
    before, after = state.visible()
    new = [p for p in after.adds(before) if (p.color, p.shape) == (state.part.color, state.part.shape)]
    covered = {piece.sockets() & _studs(state, before) for piece in new}
    fits = frozenset(letter for letter, marks in zip(LETTERS, state.options, strict=True) if marks in covered)
    return fits if new else frozenset(LETTERS)


def _studs(state: State, before: Sight) -> frozenset[Cell]:
    """Those that one sees in the first picture: on pieces that can be recognised, or marked."""
    return frozenset[Cell]().union(*(piece.studs() for piece in before.pieces), *state.options)


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its choices."""
    return QUESTION, {letter: f"<image {n}>" for n, letter in enumerate(LETTERS, 4)}


def draw(state: State) -> tuple[Picture, ...]:
    """Before, the part, after, the marked places."""
    frame = frame_of([*state.before, *state.after])
    options = (picture(state.before, frame, marks=dict.fromkeys(marks, "mark")) for marks in state.options)
    return picture(state.before, frame), part_picture(state.part), picture(state.after, frame), *options


def alt(state: State) -> tuple[str, ...]:
    """The pictures in words."""
    marked = (f"magenta studs in {cells_text(marks)}" for marks in state.options)
    return describe(state.before), an(state.part.name), describe(state.after), *marked


GENERATOR = Generator(
    name="position",
    category=TASKS["position"].category,
    answer_type=TASKS["position"].answer_type,
    levels=LEVELS,
    slots=len(LETTERS),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

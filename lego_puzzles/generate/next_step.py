"""Next-Step (section 3.2, single-step reasoning): given a model and the part to add, which of five pictures shows the next state?

The studs that the part will take are marked, so that one place is right and the same part elsewhere is wrong. The options are a grid:
three values of one trait of the part times two of another, less one wrong cell. Every option shares each of its values with others, so
the options alone, without the first two pictures, do not favour any.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .changes import Change, because, changes, is_sound, made
from .growing import Kit
from .pieces import Piece, an, describe, pieces_of, text_of
from .shapes import Cell
from .sources import GROWN, Source
from .stage import Sight, Stage
from .steps import Step, alone, cells_of, cells_text, last_step, taken
from .views import frame_of, part_picture, picture

LETTERS = "ABCDE"

QUESTION = (
    "<image 1> shows a brick model that is being built, and <image 2> the next part to add. The part may be turned about the vertical, and "
    "is pushed onto the model from above. It covers all the studs that are painted magenta in the first picture (the paint only marks the "
    "place), and no other stud; apart from that the model stays as it is. Which picture shows the model after this step?"
)


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    kit: Kit
    traits: tuple[tuple[str, str], ...]
    """Pairs of which one makes the options: three values of the first, a trait of the part, and two of the second: "part color", or how
    another part changes; names in `changes.TRAITS`, or "count": a part fewer or more."""
    source: Source = GROWN

    def __post_init__(self) -> None:
        if self.kit.steps[0] < 4 or not self.traits:
            raise ValueError(f"{self}: at least 4 steps and one pair of traits; see LEVELS")


LEVELS = {
    "1": Config(Kit((6, 9), colors=7, seen=0.5), (("color", "color"), ("color", "count"), ("kind", "part color"))),
    "2": Config(
        Kit((9, 16), colors=5, seen=0.45),
        (("kind", "color"), ("place", "part color"), ("kind", "place"), ("color", "kind")),
    ),
    "3": Config(
        Kit((14, 28), colors=4, seen=0.4), (("place", "kind"), ("place", "place"), ("kind", "turn"), ("place", "turn"))
    ),
}


@dataclass(frozen=True, slots=True)
class State:
    """What the seven pictures show. Text: current, part, marks and five options, " | " between."""

    current: tuple[Piece, ...]
    part: Piece
    """At the origin, as <image 2> shows it."""
    marks: frozenset[Cell]
    """The cells of the studs that the part takes."""
    options: tuple[tuple[Piece, ...], ...]

    def __str__(self) -> str:
        return " | ".join([text_of(self.current), str(self.part), cells_text(self.marks), *map(text_of, self.options)])

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        current, part, marks, *options = text.split(" | ")
        return cls(pieces_of(current), Piece.parse(part), cells_of(marks), tuple(map(pieces_of, options)))

    def pieces(self) -> frozenset[Piece]:
        """Of all pictures of the model."""
        return frozenset(piece for shown in (self.current, *self.options) for piece in shown)

    def visible(self) -> tuple[Sight, tuple[Sight, ...]]:
        """What the pictures of the current state and of the options tell."""
        stage = Stage.of(self.pieces())
        return stage.look(self.current), tuple(stage.look(option) for option in self.options)


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """The right option stands at `slot`."""
    step = last_step(rng, config.source, config.kit)
    if step is None or not Stage.of(step.after).sees(step.before, marks := taken(step.before, step.part)):
        return None
    for cells in distractors(rng, step, *rng.choice(config.traits)):
        wrong = rng.sample(cells, len(LETTERS) - 1)
        right = (step.after, f"Right: the {step.part.name} covers the marked studs, and nothing else has changed.")
        options = [*wrong[:slot], right, *wrong[slot:]]
        stage = Stage.of([piece for state, _ in options for piece in state])
        states = [pieces for pieces, _ in options]
        in_sight = all(pieces[-1] in stage.look(pieces).pieces for pieces in states)
        if in_sight and stage.differ(states) and all(map(is_sound, states)):
            state = State(step.before, alone(rng, step.part), marks, tuple(states))
            return Puzzle(state, LETTERS[slot], dict(zip(LETTERS, (why for _, why in options), strict=True)))
    return None


TRIES = 8
"""Grids tried for one step."""

Wrong = tuple[tuple[Piece, ...], str]
"""A state, and why it is wrong."""


def distractors(rng: Random, step: Step, first: str, second: str) -> Iterator[list[Wrong]]:
    """The five wrong cells of grids of three values by two.

    The second wrong value is a neighbour of the right one in one case of three, of the first wrong one in two: or else the right one
    would be the middle of the three.
    """
    for _ in range(TRIES):
        one = next(changes(rng, first, step.after, step.part), None)
        if one is None or one.new is None:
            return
        hub = step.part if rng.randrange(3) == 0 else one.new
        values = (change.new for change in changes(rng, first, (*step.before, hub), hub))
        other = next((value for value in values if value not in (None, step.part, one.new)), None)
        column = _second(rng, step, second)
        if other is None or column is None:
            continue
        rows = [None, one, Change(step.part, other)]
        cells = [_together(step, row, col) for row in rows for col in (None, column) if row or col]
        yield [(_made(step, cell), because(cell)) for cell in cells]


def _second(rng: Random, step: Step, trait: str) -> Change | None:
    """A change of the part's colour, or of another part that is well in sight."""
    if trait == "part color":
        return next(changes(rng, "color", step.after, step.part), None)
    seen = Stage.of(step.after).look(step.after).pieces
    others = [piece for piece in step.before[1:] if piece in seen]
    chosen = rng.choice(others) if others else None
    return next(changes(rng, trait, step.after, chosen), None) if chosen else None


def _together(step: Step, row: Change | None, column: Change | None) -> list[Change]:
    """What a cell of the grid changes; two changes of the part itself are one."""
    if row and row.new and column and column.new and column.old == step.part:
        return [Change(step.part, replace(row.new, color=column.new.color))]
    return [change for change in (row, column) if change]


def _made(step: Step, by: Sequence[Change]) -> tuple[Piece, ...]:
    """The state after the step with these changes, its part last."""
    part = next((change.new for change in by if change.old == step.part and change.new), step.part)
    return (*made(step.before, (change for change in by if change.old != step.part)), part)


def solve(state: State) -> frozenset[str]:
    """Tries the part at every place that the marks allow, and keeps the options that show it there and no other change."""
    before, options = state.visible()
    fits = set()
    for letter, option in zip(LETTERS, options, strict=True):
        kept = before.precedes(option)
        for placed in _possible(state, before):
            others = option.pieces - {placed}
            if kept and placed in option.pieces and all(before.allows(piece) for piece in others):
                fits.add(letter)
    return frozenset(fits)


def _possible(state: State, before: Sight) -> Iterator[Piece]:
    """The part wherever it takes all the marked studs, and none other of those on pieces that can be recognised."""
    carried = state.marks.union(*(piece.studs() for piece in before.pieces))
    for turn in state.part.kind.turns:
        lying = replace(state.part, turn=turn)
        x, y, z = min(state.marks)
        for u, v, w in lying.sockets():
            placed = lying.at(x - u, y - v, z - w)
            if placed.sockets() & carried == state.marks:
                yield placed


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its choices."""
    return QUESTION, {letter: f"<image {n}>" for n, letter in enumerate(LETTERS, 3)}


def draw(state: State) -> tuple[Picture, ...]:
    """The current state with its marks, the part, the options."""
    frame = frame_of(state.pieces())
    marked = picture(state.current, frame, marks=dict.fromkeys(state.marks, "mark"))
    return marked, part_picture(state.part), *(picture(option, frame) for option in state.options)


def alt(state: State) -> tuple[str, ...]:
    """The pictures in words."""
    marked = f"{describe(state.current)}; magenta studs in {cells_text(state.marks)}"
    return marked, an(state.part.name), *map(describe, state.options)


GENERATOR = Generator(
    name="next_step",
    category=TASKS["next_step"].category,
    answer_type=TASKS["next_step"].answer_type,
    levels=LEVELS,
    slots=len(LETTERS),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)

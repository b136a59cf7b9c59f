"""Next-Step (section 3.2, single-step reasoning): given a model and the part to add, which of five pictures shows the next state?

The studs that the part will take are marked, so that one place is right and the same part elsewhere is wrong. The options are a grid:
three values of one trait of the part times two of another, less one wrong cell. Any of the cells may be the right one, whichever was grown:
the part is what the right cell shows, and so is the rest of the first picture. So the options alone favour none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .changes import Change, because, changes, is_sound
from .growing import Kit, can_add
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
    "1": Config(Kit((8, 11), colors=7, seen=0.5), (("color", "color"), ("color", "count"), ("kind", "count"))),
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
    if step is None:
        return None
    for cells in grids(rng, step, *rng.choice(config.traits)):
        right, *wrong = rng.sample(cells, len(LETTERS))
        options = [*wrong[:slot], right, *wrong[slot:]]
        if _is_clear(right, options):
            state = State(right.rest, alone(rng, right.part), right.marks, tuple(cell.state for cell in options))
            explanation = {letter: _explain(right, cell) for letter, cell in zip(LETTERS, options, strict=True)}
            return Puzzle(state, LETTERS[slot], explanation)
    return None


TRIES = 8
"""Grids tried for one step."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cell of the grid: a state after the step."""

    rest: tuple[Piece, ...]
    """All that was there before."""
    part: Piece
    change: Change | None
    """That of the rest, between the two columns."""
    changed: bool
    """Is it made?"""

    @property
    def state(self) -> tuple[Piece, ...]:
        """All pieces, the part last."""
        return (*self.rest, self.part)

    @property
    def marks(self) -> frozenset[Cell]:
        """The studs that the part takes."""
        return taken(self.rest, self.part)


def grids(rng: Random, step: Step, first: str, second: str) -> Iterator[list[Candidate]]:
    """The six cells of grids of three values by two."""
    for _ in range(TRIES):
        values = _three(rng, step, first)
        other = next(changes(rng, "color", step.after, step.part), None) if second == "part color" else None
        column = _of_another(rng, step, second) if second != "part color" else None
        if values and other and other.new:
            colors = (step.part.color, other.new.color)
            yield [
                Candidate(step.before, replace(value, color=color), None, False) for value in values for color in colors
            ]
        elif values and column:
            rests = step.before, column.on(step.before)
            if all(map(is_sound, rests)):
                yield [Candidate(rests[made], value, column, made) for value in values for made in (False, True)]


def _three(rng: Random, step: Step, trait: str) -> list[Piece] | None:
    """The part, and two others that differ from it by the trait, the second of them near the first one or near the part."""
    one = next(changes(rng, trait, step.after, step.part), None)
    if one is None or one.new is None:
        return None
    hub = rng.choice((step.part, one.new))
    near = (change.new for change in changes(rng, trait, (*step.before, hub), hub))
    other = next((value for value in near if value not in (None, step.part, one.new)), None)
    return [step.part, one.new, other] if other else None


def _of_another(rng: Random, step: Step, trait: str) -> Change | None:
    """A change of another part that is well in sight."""
    seen = Stage.of(step.after).look(step.after).pieces
    others = [piece for piece in step.before[1:] if piece in seen]
    chosen = rng.choice(others) if others else None
    return next(changes(rng, trait, step.after, chosen), None) if chosen else None


def _is_clear(right: Candidate, options: Sequence[Candidate]) -> bool:
    """Can the right state be built, all states stand, every part be recognised, the marks be seen, and the pictures be told apart?"""
    states = [cell.state for cell in options]
    stage = Stage.of([piece for state in states for piece in state])
    return (
        can_add(right.rest, right.part)
        and all(map(is_sound, states))
        and Stage.of(right.state).sees(right.rest, right.marks)
        and all(cell.part in stage.look(cell.state).pieces for cell in options)
        and stage.differ(states)
    )


def _explain(right: Candidate, cell: Candidate) -> str:
    """Why the cell is right or wrong."""
    if cell == right:
        return f"Right: the {right.part.name} covers the marked studs, and nothing else has changed."
    by = [Change(right.part, cell.part)] if cell.part != right.part else []
    if cell.change and cell.changed != right.changed:
        by.append(cell.change if cell.changed else cell.change.undone)
    return because(by)


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

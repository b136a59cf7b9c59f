"""One building step of a grown model: the state before, the part that comes in, and the studs that it takes. Common to the single-step tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random

from .growing import Kit
from .pieces import Piece, pieces_of, text_of
from .shapes import Cell
from .sources import Source
from .stage import Sight, Stage


@dataclass(frozen=True, slots=True)
class Step:
    """A step that adds one part."""

    before: tuple[Piece, ...]
    part: Piece
    """At its place."""
    number: int
    """Which step of the building it is, from 1."""

    @property
    def after(self) -> tuple[Piece, ...]:
        """The state with the part."""
        return (*self.before, self.part)


@dataclass(frozen=True, slots=True)
class State:
    """A step as a question shows it. Text: before, part, after, " | " between."""

    before: tuple[Piece, ...]
    part: Piece
    """At the origin, as its picture shows it."""
    after: tuple[Piece, ...]

    def __str__(self) -> str:
        return " | ".join((text_of(self.before), str(self.part), text_of(self.after)))

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        before, part, after = text.split(" | ")
        return cls(pieces_of(before), Piece.parse(part), pieces_of(after))

    def visible(self) -> tuple[Sight, Sight]:
        """What the pictures of the model tell; that of the part hides nothing."""
        stage = Stage.of([*self.before, *self.after])
        return stage.look(self.before), stage.look(self.after)


def late_steps(rng: Random, source: Source, kit: Kit) -> Iterator[Step]:
    """The steps of a model that add one part, in sight, the last first; none when this draw comes to nothing.

    No step before half of the kit's fewest is taken.
    """
    if (model := source.model(rng, kit)) is None:
        return
    for number in range(len(model.steps), kit.steps[0] // 2, -1):
        added = model.steps[number - 1]
        step = Step(model.state(number - 1), added[0], number)
        if len(added) == 1 and step.part in Stage.of(step.after).look(step.after).pieces:
            yield step


def last_step(
    rng: Random, source: Source, kit: Kit, wanted: Callable[[Piece], bool] = lambda part: True
) -> Step | None:
    """The last step of a model that adds one wanted part, in sight; None when this draw comes to nothing."""
    return next((step for step in late_steps(rng, source, kit) if wanted(step.part)), None)


def taken(pieces: Iterable[Piece], part: Piece) -> frozenset[Cell]:
    """The studs of these pieces that the part takes, as the cells that they fill."""
    return part.sockets() & {cell for piece in pieces for cell in piece.studs()}


def alone(rng: Random, part: Piece, *, turned: bool = True) -> Piece:
    """The part by itself, at the origin, in any turn."""
    return replace(part, x=0, y=0, z=0, turn=rng.choice(part.kind.turns) if turned else part.turn)


def cells_text(cells: Iterable[Cell]) -> str:
    """Cells as "1,2,3 1,3,3"."""
    return " ".join(",".join(map(str, cell)) for cell in sorted(cells))


def cells_of(text: str) -> frozenset[Cell]:
    """Reads what `cells_text` writes."""
    cells = set()
    for cell in text.split():
        x, y, z = map(int, cell.split(","))
        cells.add((x, y, z))
    return frozenset(cells)

"""Three-view projection (Mental Rotation; figure 2 of the paper): from some views of a thing, which is another view of it?

The levels are kinds of things, not steps of difficulty: stacks of cubes, some of them red (`stacks`), and machine parts (`parts`). A kind is
a module with a Config, a State and a generator's functions of its own; its name, `Config.kind`, begins the text of its states. A new
kind is a row of KINDS and one of LEVELS.
"""

from __future__ import annotations

from random import Random
from typing import Any, Protocol

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

from ...taxonomy import TASKS
from ..options import LETTERS
from . import parts, stacks


class OfKind(Protocol):
    """A Config or a State."""

    @property
    def kind(self) -> str:
        """A name in KINDS."""


KINDS: dict[str, Any] = {stacks.KIND: stacks, parts.KIND: parts}
"""Name → module with `generate`, `solve`, `ask`, `draw`, `alt` and `State.parse`."""

LEVELS: dict[str, OfKind] = {"0": stacks.Config(), "1": parts.Config()}


def generate(rng: Random, config: OfKind, slot: int) -> Puzzle[OfKind] | None:
    """A puzzle of the kind."""
    made: Puzzle[OfKind] | None = KINDS[config.kind].generate(rng, config, slot)
    return made


def solve(state: OfKind) -> frozenset[str]:
    """The letters of the views that fit what the pictures show."""
    fits: frozenset[str] = KINDS[state.kind].solve(state)
    return fits


def ask(state: OfKind) -> tuple[str, dict[str, str]]:
    """The question and its four options."""
    asked: tuple[str, dict[str, str]] = KINDS[state.kind].ask(state)
    return asked


def draw(state: OfKind) -> tuple[Picture, ...]:
    """The given views above, the options below."""
    drawn: tuple[Picture, ...] = KINDS[state.kind].draw(state)
    return drawn


def alt(state: OfKind) -> tuple[str, ...]:
    """The picture in words."""
    described: tuple[str, ...] = KINDS[state.kind].alt(state)
    return described


def parse(text: str) -> OfKind:
    """Reads what `str` of a state writes. Raises ValueError for a text of no kind."""
    kind = text.split(" ")[0]
    if kind not in KINDS:
        raise ValueError(f"{text!r}: begins with none of {', '.join(KINDS)}")
    state: OfKind = KINDS[kind].State.parse(text)
    return state


GENERATOR = Generator(
    name="three_view_projection",
    category=TASKS["three_view_projection"].category,
    answer_type=TASKS["three_view_projection"].answer_type,
    levels=LEVELS,
    slots=len(LETTERS),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=parse,
)

"""Four lettered options: figures, or three figures and "none of them".

The builder asks for the key at each letter equally often (`slots=len(LETTERS)`). Where the fourth option says that none of the others
is right, that is so in the quarter of the questions whose key is at the fourth letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")
"""What an option is: a grid, a sequence of moves …"""

LETTERS = "ABCD"

NONE = "None of the other three"
"""The fourth option of questions that may have no right figure."""

NONE_RIGHT, NONE_WRONG = "Right: none of the other options is right.", "Wrong: another option is right."


@dataclass(frozen=True, slots=True)
class Option(Generic[T]):
    """One thing to choose, and why it is right or wrong: "Right: …", "Wrong: …"."""

    thing: T
    why: str


@dataclass(frozen=True, slots=True)
class Arranged(Generic[T]):
    """Options in the order of the letters."""

    things: tuple[T, ...]
    """Three where the fourth letter is NONE."""
    explanation: dict[str, str]
    """Letter → why."""


def arrange(right: Option[T] | None, wrong: Sequence[Option[T]], slot: int, *, none: bool = False) -> Arranged[T]:
    """The right option at `slot`, wrong ones in their order at the other letters; with `none` the fourth letter is NONE.

    With `none` and slot 3 no figure is right, and `right` is not used. Raises ValueError when there are too few wrong options.

    >>> arrange(Option("x", "Right."), [Option("y", "Wrong."), Option("z", "Wrong.")], 1, none=True).things
    ('y', 'x', 'z')
    """
    figures = len(LETTERS) - none
    options = list(wrong[:figures])
    if slot < figures:
        if right is None:
            raise ValueError(f"slot {slot}: the right option is missing")
        options = [*wrong[:slot], right, *wrong[slot : figures - 1]]
    if len(options) != figures:
        raise ValueError(f"{len(wrong)} wrong options: too few for {figures} figures")
    reasons = [option.why for option in options]
    if none:
        reasons.append(NONE_WRONG if slot < figures else NONE_RIGHT)
    return Arranged(tuple(option.thing for option in options), dict(zip(LETTERS, reasons, strict=True)))


def fitting(fits: Iterable[bool]) -> frozenset[str]:
    """The letters of the figures that fit; of three figures none of which does, the fourth letter, NONE.

    >>> sorted(fitting([False, True, False, True])), sorted(fitting([False] * 3)), sorted(fitting([False] * 4))
    (['B', 'D'], ['D'], [])
    """
    found = tuple(fits)
    letters = frozenset(letter for letter, fit in zip(LETTERS, found, strict=False) if fit)
    return letters or frozenset(LETTERS[len(found) :])


def figures(count: int = len(LETTERS)) -> dict[str, str]:
    """The choices of `count` panels titled by their letters; the letter that is left is NONE.

    >>> figures(3)["C"], figures(3)["D"]
    ('Figure C', 'None of the other three')
    """
    return {letter: f"Figure {letter}" if i < count else NONE for i, letter in enumerate(LETTERS)}

"""What a text says of a property, and whether that is right."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..words import ANY
from .lexicon import OTHER

Value = int | float | str

Claim = frozenset[Value]
"""All that a text may be said to say of one property: mostly one value; several actions can be done at once."""

UNREAD: Claim = frozenset()
"""Nothing that the rules understand."""
DOUBT = "(doubt)"
DOUBTFUL: Claim = frozenset({DOUBT})
"""Two things that exclude each other."""
ELSE: Claim = frozenset({OTHER})
"""Something that is none of the values: wrong, whatever is right."""
FREE: Claim = frozenset({ANY})


class Claims(NamedTuple):
    """What a text says of a scene, property by property."""

    number: Claim = UNREAD
    subject: Claim = UNREAD
    action: Claim = UNREAD

    def over(self, other: Claims) -> Claims:
        """These, and where they say nothing the others."""
        return Claims(*(own or theirs for own, theirs in zip(self, other, strict=True)))

    @property
    def read(self) -> int:
        """How many properties something is said of."""
        return sum(map(bool, self))


def one_of(values: Iterable[Value]) -> Claim:
    """The claim of a text that may say one thing only."""
    found = frozenset(values)
    return found if len(found) < 2 else DOUBTFUL


def is_right(claim: Claim, truth: Value | None) -> bool | None:
    """None where the rules cannot tell. A truth of None is "any", which only "any" matches."""
    if not claim or DOUBT in claim:
        return None
    return (ANY if truth is None else truth) in claim

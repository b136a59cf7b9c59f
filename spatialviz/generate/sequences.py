"""Sequences of moves as options: the right one, and what it becomes when moves are replaced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

M = TypeVar("M")
"""A move."""


def crossed(rng: Random, right: Sequence[M], possible: Callable[[int], Sequence[M]]) -> list[list[M]]:
    """The moves with one of two replaced, with the other and with both, in random order.

    `possible(at)` are the moves that could be made where the right one `at` is made. Each of the four sequences, the right one included,
    shares its two moves in question with one other each: seen by themselves all are alike.
    """
    places = rng.sample(range(len(right)), 2)
    one, other = ({at: rng.choice(possible(at))} for at in places)
    changes = rng.sample([one, other, one | other], 3)
    return [[change.get(at, move) for at, move in enumerate(right)] for change in changes]

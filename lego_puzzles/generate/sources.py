"""Where building steps come from."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from .growing import Kit, grow
from .pieces import Model


@dataclass(frozen=True, slots=True)
class Grown:
    """Models that are grown for the question."""

    def model(self, rng: Random, kit: Kit) -> Model | None:
        """A model as the kit asks; None when this draw comes to nothing."""
        return grow(rng, kit)


Source = Grown
"""What a Config may name."""

GROWN = Grown()

"""What pictures are wanted of, and how they are to be made: all that a folder of pictures depends on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import CogsightError
from ..rng import stream

if TYPE_CHECKING:
    from ..judge.query import Query
    from ..sample import Picture

SDXL = "stabilityai/stable-diffusion-xl-base-1.0"


@dataclass(frozen=True, slots=True)
class Motif:
    """Something of which several pictures are made."""

    name: str
    """Begins their file names, which tell later what they show: "two_senior women_writing"."""
    prompt: str
    group: str
    """What belongs together when people look through it: "senior woman"."""
    query: Callable[[Picture], Query] | None = None
    """What a vision judge may be asked about each: whose fields are all 1, it shows just what the prompt says."""

    def file(self, number: int) -> str:
        """The file name of one of them.

        >>> Motif("two_dogs_walking", "Two dogs walking", "dog").file(7)
        'two_dogs_walking_7.png'
        """
        return f"{self.name}_{number}.png"


@dataclass(frozen=True, slots=True)
class Recipe:
    """How they are made."""

    model: str = SDXL
    """On the Hub, or a folder."""
    per_motif: int = 30
    guidance: float = 8.0
    """How closely the model keeps to the prompt (classifier-free guidance scale)."""
    size: int = 1024
    """Of each side, px."""
    steps: int = 50
    """Of denoising."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.size % 8:
            raise CogsightError(f"--size {self.size}: expected a multiple of 8, which the model needs")

    def seed_of(self, motif: Motif, number: int) -> int:
        """Of one picture, 32 bits: it depends on nothing but the recipe's seed, the motif's name and the number."""
        return stream(self.seed, motif.name, number, "text-to-image").getrandbits(32)

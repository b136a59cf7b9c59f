"""What Cube Unfolding and Cube Reconstruction have in common: prints, how the corner that is seen is spoilt, and views in states."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from . import net_pictures
from .nets import PRINTS, Corner, Cube, Vector, X, Y, Z, mirrored, negative, spun, with_swap

CAN, CANNOT = "can", "cannot"

ABOVE: tuple[Vector, ...] = (Z, negative(Y), X)
BELOW: tuple[Vector, ...] = (negative(Z), negative(Y), X)
"""Sides that are seen from above and from below."""

MIRROR, SWAP, TURN, OPPOSITE = "mirror", "swap", "turn", "opposite"

Sides = tuple[Vector, ...]

Change = Callable[[Cube, Sides, Random], Iterator[tuple[Cube, str]]]
"""Ways to spoil the corner where these three sides meet, in random order, each with what it does."""


def _mirror(cube: Cube, _: Sides, __: Random) -> Iterator[tuple[Cube, str]]:
    yield mirrored(cube), "the corner is its mirror image"


def _swap(cube: Cube, seen: Sides, rng: Random) -> Iterator[tuple[Cube, str]]:
    for one in rng.sample(seen, len(seen)):
        two, three = (side for side in seen if side != one)
        yield with_swap(cube, two, three), "two faces that meet have changed places"


def _turn(cube: Cube, seen: Sides, rng: Random) -> Iterator[tuple[Cube, str]]:
    for side in rng.sample(seen, len(seen)):
        for turns in rng.sample((1, 2, 3), 3):
            turned = spun(cube[side], turns)
            if turned != cube[side]:
                yield {**cube, side: turned}, "the print of one face is turned"


def _opposite(cube: Cube, seen: Sides, rng: Random) -> Iterator[tuple[Cube, str]]:
    for one in rng.sample(seen, len(seen)):
        for other in rng.sample([side for side in seen if side != one], 2):
            yield (
                with_swap(cube, one, negative(other)),
                "a face of this corner has changed places with one away from it",
            )


CHANGES: dict[str, Change] = {MIRROR: _mirror, SWAP: _swap, TURN: _turn, OPPOSITE: _opposite}


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    prints: str
    """A name in PRINTS: colours, drawings that can be turned, or dots."""
    changes: tuple[str, ...]
    """How wrong figures are made, names in CHANGES."""
    looks: tuple[int, ...]
    """How cubes may be looked at, numbers of `net_pictures.LOOKS`: from more sides, more is to be turned in mind."""

    def __post_init__(self) -> None:
        known = range(len(net_pictures.LOOKS))
        if self.prints not in PRINTS or not set(self.changes) <= CHANGES.keys() or not set(self.looks) <= set(known):
            raise ValueError(f"{self}: prints are {', '.join(PRINTS)}, changes {', '.join(CHANGES)}, looks {known}")


LEVELS = {
    "0": Config("colours", (SWAP, OPPOSITE), net_pictures.UPRIGHT_LOOKS),
    "1": Config("drawings", (MIRROR, SWAP, TURN, OPPOSITE), tuple(range(5))),
    "2": Config("dots", (MIRROR, SWAP, TURN, OPPOSITE), tuple(range(len(net_pictures.LOOKS)))),
}
"""Level 0: which faces meet, and in which order. Level 1: and how each is turned. Level 2: and each face is many dots."""


def spoilt(rng: Random, cube: Cube, seen: Sides, config: Config) -> tuple[Cube, str] | None:
    """The cube with one change at this corner, and which; None where it cannot be changed so."""
    return next(CHANGES[rng.choice(config.changes)](cube, seen, rng), None)


@dataclass(frozen=True, slots=True)
class View:
    """A picture of a cube. Text: "0:R,G,B", how it is looked at, then top or bottom, front and right side."""

    look: int
    """Index in `net_pictures.LOOKS`."""
    faces: Corner

    def __str__(self) -> str:
        return f"{self.look}:{','.join(self.faces)}"

    @classmethod
    def parse(cls, text: str) -> View:
        """Reads what `str` writes."""
        look, faces = text.split(":")
        cap, front, right = faces.split(",")
        return cls(int(look), (cap, front, right))

    @classmethod
    def of(cls, cube: Cube, look: int) -> View:
        """The cube as it stands, looked at so."""
        cap, front, right = (cube[side] for side in sides(look))
        return cls(look, (cap, front, right))

    @property
    def above(self) -> bool:
        """Is its top seen?"""
        return net_pictures.LOOKS[self.look].above

    def words(self) -> str:
        """The picture in words."""
        places = ("top" if self.above else "bottom", "front left", "front right")
        return ", ".join(f"{net_pictures.words(face)} {side}" for face, side in zip(self.faces, places, strict=True))


def sides(look: int) -> Sides:
    """Top or bottom, front and right side."""
    return ABOVE if net_pictures.LOOKS[look].above else BELOW

"""Brick models: parts on an integer grid, each held by a stud, and how they grow one part at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from random import Random

from cogsight.shared.render.painter import SIDES, Box, Face, fit, survey

Size = tuple[int, int]

PLATE, BRICK = 1, 3
"""Heights, in plates."""

SURVEY_SIZE = 224
"""Pixels: enough to measure how much of a part is seen."""

_BRICK = re.compile(r"(\w+) (\d+)x(\d+)x(\d+) (-?\d+),(-?\d+),(\d+)")


@dataclass(frozen=True, slots=True)
class Brick(Box):
    """One part at its place. Its text is colour, size and place: "red 2x4x3 0,1,3".

    >>> Brick.parse("red 2x4x3 0,1,3").name
    'red 2x4 brick'
    """

    def __str__(self) -> str:
        return f"{self.color} {self.w}x{self.d}x{self.h} {self.x},{self.y},{self.z}"

    @classmethod
    def parse(cls, text: str) -> Brick:
        """Raises ValueError on anything but the one-line text."""
        if not (match := _BRICK.fullmatch(text)):
            raise ValueError(f"{text!r}: expected a brick such as 'red 2x4x3 0,1,3'")
        w, d, h, x, y, z = map(int, match.groups()[1:])
        return cls(x, y, z, w, d, h, match[1])

    @property
    def top(self) -> int:
        """Height of its upper side above the ground, plates."""
        return self.z + self.h

    @property
    def name(self) -> str:
        """As a builder says it, smaller side first."""
        kind = {PLATE: "plate", BRICK: "brick"}.get(self.h, f"block of {self.h} plates")
        return f"{self.color} {min(self.w, self.d)}x{max(self.w, self.d)} {kind}"

    def columns(self) -> Iterator[Size]:
        """The (x, y) that it stands over."""
        return ((x, y) for x in range(self.x, self.x + self.w) for y in range(self.y, self.y + self.d))


@dataclass(frozen=True, slots=True)
class Model:
    """Parts in building order. Text: the bricks' texts with "; " between."""

    bricks: tuple[Brick, ...]

    def __str__(self) -> str:
        return "; ".join(map(str, self.bricks))

    @classmethod
    def parse(cls, text: str) -> Model:
        """Raises ValueError on anything but the one-line text."""
        return cls(tuple(Brick.parse(part) for part in text.split("; ")))

    def __add__(self, brick: Brick) -> Model:
        return Model((*self.bricks, brick))

    def tops(self) -> dict[Size, int]:
        """Column → height of the highest stud there, plates."""
        return {column: brick.top for brick in sorted(self.bricks, key=attrgetter("top")) for column in brick.columns()}

    def free(self, brick: Brick) -> bool:
        """Nothing stands on it: it can be taken away upwards."""
        tops = self.tops()
        return all(tops[column] == brick.top for column in brick.columns())

    def held(self) -> bool:
        """Every part is linked to the ground by studs."""
        filled = {cell: brick for brick in self.bricks for cell in brick.cells()}
        reached = [brick for brick in self.bricks if brick.z == 0]
        for brick in reached:  # grows while it is walked
            for x, y in brick.columns():
                for neighbour in (filled.get((x, y, brick.top)), filled.get((x, y, brick.z - 1))):
                    if neighbour is not None and neighbour not in reached:
                        reached.append(neighbour)
        return len(reached) == len(self.bricks)

    def describe(self) -> str:
        """The picture in words: "grey 8x8 plate at 0,0,0; red 2x4 brick at 1,2,1"."""
        return "; ".join(f"{brick.name} at {brick.x},{brick.y},{brick.z}" for brick in self.bricks)


def settle(tops: Mapping[Size, int], brick: Brick, support: int) -> Brick | None:
    """The part at its (x, y), let down from above onto a model with these `Model.tops` until it rests.

    None where less than `support` percent of it rests on studs.
    """
    under = [tops.get(column, 0) for column in brick.columns()]
    z = max(under)
    held = under.count(z)
    return replace(brick, z=z) if z and 100 * held >= support * len(under) else None


@dataclass(frozen=True, slots=True)
class Kit:
    """What a model is made of, and what a part must show to be added."""

    sizes: tuple[Size, ...]
    """Smaller side first; repeats weigh."""
    heights: tuple[int, ...]
    """In plates; repeats weigh."""
    colors: tuple[str, ...]
    tallest: int = 12
    """No part ends above this, plates."""
    overhang: int = 1
    """By how many studs a part may stick out beyond the base."""
    support: int = 50
    """Of a part, percent of its area that must rest on studs."""
    seen: int = 60
    """Of a part just added, percent of its three outer sides that must be visible."""
    kept: int = 20
    """The same of all parts added before."""

    def __post_init__(self) -> None:
        if not self.sizes or not set(self.heights) <= {PLATE, BRICK} or not self.colors:
            raise ValueError(f"{self}: a kit needs sizes, heights of {PLATE} or {BRICK} plates, and colours")


def places(model: Model, part: Brick, kit: Kit) -> list[Brick]:
    """The part at every place where it can be put onto the model from above, as it is turned, within the kit's limits."""
    base, slack = model.bricks[0], kit.overhang
    xs = range(base.x - slack, base.x + base.w + slack - part.w + 1)
    ys = range(base.y - slack, base.y + base.d + slack - part.d + 1)
    tops = model.tops()
    settled = (settle(tops, replace(part, x=x, y=y), kit.support) for x in xs for y in ys)
    return [brick for brick in settled if brick and brick.top <= kit.tallest]


def draw_part(rng: Random, kit: Kit) -> Brick:
    """A part of the kit at the origin, turned either way."""
    w, d = rng.choice(kit.sizes)
    if rng.random() < 0.5:
        w, d = d, w
    return Brick(0, 0, 0, w, d, rng.choice(kit.heights), rng.choice(kit.colors))


TRIES = 40
"""Parts tried for one step."""


def grow(rng: Random, model: Model, kit: Kit, steps: int) -> Model | None:
    """The model after so many more parts, each in plain sight when added; None when one finds no place."""
    for _ in range(steps):
        bigger = next((model + brick for brick in _candidates(rng, model, kit) if shows_all(model + brick, kit)), None)
        if bigger is None:
            return None
        model = bigger
    return model


def _candidates(rng: Random, model: Model, kit: Kit) -> Iterator[Brick]:
    """Parts at their places, the height drawn first: most places are low, and models would be flat."""
    for _ in range(TRIES):
        spots = places(model, draw_part(rng, kit), kit)
        if spots:
            z = rng.choice(sorted({brick.z for brick in spots}))
            yield rng.choice([brick for brick in spots if brick.z == z])


def shows_all(model: Model, kit: Kit) -> bool:
    """The last part shows at least `kit.seen`, all others but the base at least `kit.kept`."""
    _, *others, last = shown(model)
    return last >= kit.seen and all(share >= kit.kept for share in others)


def shown(model: Model) -> list[int]:
    """For each part, how much of its three outer sides can be seen, percent, from `survey`."""
    visible = survey(model.bricks, frame=fit([model.bricks], size=SURVEY_SIZE))
    return [_share(brick, visible) for brick in model.bricks]


def _share(brick: Brick, visible: Mapping[Face, int]) -> int:
    """Weighted by area in the picture."""
    outer = [
        Face(*cell, name)
        for cell in brick.cells()
        for name, at_border in (
            ("top", cell[2] == brick.top - 1),
            ("right", cell[0] == brick.x + brick.w - 1),
            ("left", cell[1] == brick.y + brick.d - 1),
        )
        if at_border
    ]
    total = sum(SIDES[face.side].area for face in outer)
    return sum(SIDES[face.side].area * visible.get(face, 0) for face in outer) // total

"""Polycubes that are almost another one: the wrong options of cube tasks, and positions that hide none of their cubes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice, zip_longest
from random import Random
from typing import NamedTuple

from .cube_sight import all_noticed
from .polycubes import Cells, canonical, mirrored, orbit, with_one_moved

MIRRORED, MOVED = "mirrored", "moved"


class Change(NamedTuple):
    """A way to be wrong."""

    shapes: Callable[[Cells], list[Cells]]
    """All polycubes that it makes of one."""
    reason: str
    """Of the shape, compared with {one}."""


CHANGES: Mapping[str, Change] = {
    MIRRORED: Change(lambda cells: [mirrored(cells)], "it is the mirror image of {one}"),
    MOVED: Change(with_one_moved, "one cube is in another place than in {one}"),
}
"""None changes the number of cubes: whoever only counts would be told which options can be right."""


def changed(rng: Random, cells: Cells, kinds: Sequence[str], one: str = "the original") -> Iterator[tuple[Cells, str]]:
    """Shapes that no turning makes of `cells`, nor of each other, in random positions, with the reason; the kinds take turns."""
    pools = []
    for kind in rng.sample(kinds, len(kinds)):
        shapes = CHANGES[kind].shapes(cells)
        reason = CHANGES[kind].reason.format(one=one)
        pools.append([(shape, reason) for shape in rng.sample(shapes, len(shapes))])
    taken = {canonical(cells)}
    for shape, reason in filter(None, chain.from_iterable(zip_longest(*pools))):
        if (form := canonical(shape)) not in taken:
            taken.add(form)
            yield from ((position, reason) for position in islice(in_sight(rng, shape), 1))


def in_sight(rng: Random, shape: Cells, *, but: Cells = frozenset()) -> Iterator[Cells]:
    """The shape in all positions that show all of its cubes, except `but`, in random order."""
    positions = sorted(orbit(shape).keys() - {but}, key=sorted)
    rng.shuffle(positions)
    return filter(all_noticed, positions)

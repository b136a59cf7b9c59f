"""Can any plane cut this figure out of a stack? By halving the space of all planes until no part of it is left.

A plane has a turn, a tilt and a distance from the stack's middle. All planes of a box of these three lie near the one in its middle:
no point of a solid moves by more than `distance + tilt * (reach from the middle) + turn * (reach from the axis)` between the two (half
sides of the box, radians). So each outline that a plane of the box cuts lies between the middle plane's cuts of two solids, one with all
its walls moved in by so much and one with all of them moved out. Distances of parallel tangents of the outlines, two of one outline or
one of each of two, then lie between two bounds; they do not depend on where a figure is drawn, and grow with its scale. A box is empty
when there is no scale at which all bounds hold. What is said of a figure thus holds for every plane there is, not for those tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import cos, gcd, hypot, lcm, pi, radians, sin
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from cogsight.shared.render.compiled import compiled

from .stacked_solids import ROUND, UPRIGHT, Outline, Plane, Solid, Stack, floors

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

ALIKE = 0.05
"""A figure is like a cut when all distances of their tangents agree within this share of the longer side, at the scale that fits best."""

FINEST = 0.5
"""Units by which planes of the smallest boxes differ; a figure that one of them may have cut out is not proved to be no cut."""

MOST = 200_000
"""Boxes looked at for one figure."""

DIRECTIONS = 8
"""Of the tangents, evenly over half a turn."""

ARC = 24
"""Sides of the polygons, one within and one around, between which a circle lies."""

READ = 0.5
"""Units by which a plane may be misread in the picture, where one is about three pixels."""

UNSURE = 0.2
"""Share of the longer side by which a distance of tangents may change when a plane is misread."""


class Walls(NamedTuple):
    """A stack as numbers; the first axis is the solid."""

    spokes: Floats
    """(n, ARC, 2): directions of the corners."""
    corners: Ints
    """(n,): how many."""
    sizes: Floats
    """(n, 6): lower and upper height from the stack's middle; distances of sides from the axis, of a solid within (below, above) and around."""


def is_no_cut(figure: Sequence[Outline], stack: Stack, slanting: bool) -> bool:
    """True when no plane, level, upright or, if need be, slanting, cuts anything like this figure or its mirror image out of the stack.

    False says that none was shown to be missing: so it is for most figures of fewer pieces than there are solids, of which a plane that
    just touches the stack may cut a tiny one.
    """
    poses = np.stack([_tangents(figure), _tangents([[(-x, y) for x, y in piece] for piece in figure])])
    searched = [(stack, box) for box in _tilted_planes(stack, slanting)]
    if len(figure) == 1:
        searched += [((solid,), _level_plane(solid)) for solid in stack]
    return all(_is_not_cut_by(box, poses, solids) for solids, box in searched)


Box: TypeAlias = list[list[float]]
"""[Middle, half side] of turn, tilt (radians) and distance from the stack's middle (units)."""


def _is_not_cut_by(box: Box, poses: Floats, stack: Stack) -> bool:
    pieces = poses.shape[1]
    if pieces > len(stack):
        return True
    places = np.array(_places(pieces, len(stack)), np.int64).reshape(-1, len(stack))
    limits = ALIKE, FINEST, MOST
    return _nothing_fits(*_walls(stack), _reach(stack), _tangent_directions(), poses, places, np.array(box), *limits)


def is_steady(stack: Stack, plane: Plane) -> bool:
    """Does the plane cut nearly the same figure, of the same pieces, when it is misread by a little?"""
    middle = sum(solid.height for solid in stack) / 2
    offset = -plane.offset if plane.tilt == UPRIGHT else (plane.offset - middle) * cos(radians(plane.tilt))
    at = np.array([radians(plane.turn), radians(plane.tilt), offset])
    change, size = _change(*_walls(stack), at, _tangent_directions(), READ)
    return size > 0 and change <= UNSURE * size


@cache
def _tangent_directions() -> Floats:
    """(DIRECTIONS, 2)."""
    return np.array([(cos(pi * k / DIRECTIONS), sin(pi * k / DIRECTIONS)) for k in range(DIRECTIONS)])


def _tangents(figure: Sequence[Sequence[tuple[float, float]]]) -> Floats:
    """(pieces, DIRECTIONS, 2): how far each piece goes back and forth in each direction; the figure's longer side is 1."""
    size = np.ptp(np.concatenate([np.array(piece) for piece in figure]), axis=0).max()
    along = [np.array(piece) @ _tangent_directions().T / size for piece in figure]
    return np.stack([np.stack([one.min(0), one.max(0)], 1) for one in along])


def _places(pieces: int, solids: int) -> list[list[int]]:
    """All ways in which pieces, from bottom to top, are those of some solids: for each solid its piece, or -1."""
    return [
        [chosen.index(solid) if solid in chosen else -1 for solid in range(solids)]
        for chosen in combinations(range(solids), pieces)
    ]


def _walls(stack: Stack) -> Walls:
    middle = sum(solid.height for solid in stack) / 2
    spokes, corners, sizes = np.zeros((len(stack), ARC, 2)), [], []
    for i, (solid, floor) in enumerate(floors(stack)):
        count = solid.corners or ARC
        angles = [radians(solid.turn) + 2 * pi * k / count for k in range(count)]
        spokes[i, :count] = [(cos(a), sin(a)) for a in angles]
        within, around = _apothems(solid)
        low = floor - middle
        sizes.append(
            [low, low + solid.height, *(r * share for share in (within, around) for r in (solid.bottom, solid.top))]
        )
        corners.append(count)
    return Walls(spokes, np.array(corners), np.array(sizes))


def _apothems(solid: Solid) -> tuple[float, float]:
    """Of polygons within and around an outline, as shares of its corners' distance from the axis."""
    if solid.corners:
        return cos(pi / solid.corners), cos(pi / solid.corners)
    return cos(pi / ARC) * cos(pi / ROUND), 1.0


def _reach(stack: Stack) -> Floats:
    """(n, 2): how far points of each solid are from the axis, and from the stack's middle, at most."""
    middle = sum(solid.height for solid in stack) / 2
    return np.array(
        [
            [
                max(solid.bottom, solid.top),
                max(hypot(solid.bottom, floor - middle), hypot(solid.top, floor + solid.height - middle)),
            ]
            for solid, floor in floors(stack)
        ]
    )


def _tilted_planes(stack: Stack, slanting: bool) -> list[Box]:
    """Boxes that hold all upright planes, or all that are not level.

    Turning the stack by its symmetry changes nothing, nor, save for a mirror image, does looking at an upright plane from behind.
    """
    symmetry = gcd(*(solid.corners for solid in stack))
    reach = _reach(stack).max(0).tolist()
    if slanting:
        turns = pi / symmetry if symmetry else 0.0
        return [[[turns, turns], [pi / 4, pi / 4], [0, reach[1]]]]
    turns = pi / lcm(symmetry, 2) if symmetry else 0.0
    return [[[turns, turns], [pi / 2, 0], [0, reach[0]]]]


def _level_plane(solid: Solid) -> Box:
    """The one half way up the solid, turned in any way: all level cuts of one solid have one shape."""
    turns = pi / solid.corners if solid.corners else 0.0
    return [[turns, turns], [0, 0], [0, 0]]


@compiled
def _extent(
    spokes: Floats, count: int, size: Floats, grow: float, at: Floats, ways: Floats, points: Floats, found: Floats
) -> bool:
    """How far the cut of one solid, its walls moved out by `grow`, goes in each direction, (DIRECTIONS, 2); False when there is none.

    `points` (2 ARC, 3) is room for the corners: right and up along the plane, and distance from it.
    """
    low, high = size[0] - grow, size[1] + grow
    inner = 2 if grow < 0 else 4
    rise = (size[inner + 1] - size[inner]) / (size[1] - size[0])
    side = grow * np.sqrt(1 + rise * rise)
    below, above = size[inner] + side - rise * grow, size[inner + 1] + side + rise * grow
    if low >= high or (below <= 0 and above <= 0):
        return False
    if below < 0:
        low, below = low - below / rise, 0.0
    if above < 0:
        high, above = high - above / rise, 0.0
    ratio = 1 / np.cos(np.pi / count)
    c, s = np.cos(at[0]), np.sin(at[0])
    run, lift = np.cos(at[1]), np.sin(at[1])
    for i in range(count):
        right, away = spokes[i, 0] * c + spokes[i, 1] * s, spokes[i, 1] * c - spokes[i, 0] * s
        for k in range(2):
            radius, z = (above, high) if k else (below, low)
            points[2 * i + k, 0] = right * radius * ratio
            points[2 * i + k, 1] = away * radius * ratio * run + z * lift
            points[2 * i + k, 2] = z * run - away * radius * ratio * lift - at[2]
    found[:, 0], found[:, 1] = np.inf, -np.inf
    met = False
    for i in range(count):
        after = (i + 1) % count
        for k in range(3):
            one = 2 * i + (1 if k == 1 else 0)
            two = 2 * i + 1 if k == 2 else 2 * after + k
            if (points[one, 2] < 0) != (points[two, 2] < 0):
                met = True
                share = points[one, 2] / (points[one, 2] - points[two, 2])
                x = points[one, 0] + share * (points[two, 0] - points[one, 0])
                y = points[one, 1] + share * (points[two, 1] - points[one, 1])
                for d in range(found.shape[0]):
                    along = x * ways[d, 0] + y * ways[d, 1]
                    found[d, 0], found[d, 1] = min(found[d, 0], along), max(found[d, 1], along)
    return met


@compiled
def _fits(within: Floats, around: Floats, pose: Floats, place: Ints, alike: float) -> bool:
    """Is there a scale at which all distances of tangents may be like those of a figure?

    `within`, `around` (solids, directions, 2) bound the outlines of a cut from both sides.
    """
    smallest, largest = 1e-9, np.inf
    for one in range(len(place)):
        for other in range(len(place)):
            if one != other and (place[one] < 0 or place[other] < 0):
                continue
            for d in range(pose.shape[1]):
                low = within[one, d, 1] - within[other, d, 0]
                high = around[one, d, 1] - around[other, d, 0]
                asked = 0.0
                if place[one] >= 0:
                    asked = pose[place[one], d, 1] - pose[place[other], d, 0]
                    if high == -np.inf:
                        return False
                    less = asked - alike  # scale * less <= high
                    if less > 0:
                        largest = min(largest, high / less)
                    elif less < 0:
                        smallest = max(smallest, high / less)
                    elif high < 0:
                        return False
                more = asked + alike  # scale * more >= low
                if more > 0:
                    smallest = max(smallest, low / more)
                elif more < 0:
                    largest = min(largest, low / more)
                elif low > 0:
                    return False
                if smallest > largest:
                    return False
    return True


@compiled
def _bounds(
    spokes: Floats,
    corners: Ints,
    sizes: Floats,
    at: Floats,
    grow: Floats,
    ways: Floats,
    points: Floats,
    within: Floats,
    around: Floats,
) -> None:
    """Fills `within` and `around`, (solids, directions, 2); of a solid that is not met lower bounds are inf and upper ones -inf."""
    for i in range(len(corners)):
        if not _extent(spokes[i], corners[i], sizes[i], grow[i], at, ways, points, around[i]):
            around[i, :, 0], around[i, :, 1] = np.inf, -np.inf
        if not _extent(spokes[i], corners[i], sizes[i], -grow[i], at, ways, points, within[i]):
            within[i, :, 0], within[i, :, 1] = np.inf, -np.inf


@compiled
def _nothing_fits(
    spokes: Floats,
    corners: Ints,
    sizes: Floats,
    reach: Floats,
    ways: Floats,
    poses: Floats,
    places: Ints,
    box: Floats,
    alike: float,
    finest: float,
    most: int,
) -> bool:
    """True when every plane of the box (3, 2) is shown to cut something else; depth first, halving the side that moves points most."""
    solids, directions = len(corners), poses.shape[2]
    points = np.empty((2 * spokes.shape[1], 3))
    within, around = np.empty((solids, directions, 2)), np.empty((solids, directions, 2))
    stack = np.empty((256, 3, 2))
    stack[0] = box
    left, grow = 1, np.empty(solids)
    farthest = np.array([reach[:, 0].max(), reach[:, 1].max(), 1.0])
    for _ in range(most):
        if left == 0:
            return True
        left -= 1
        now = stack[left].copy()
        for i in range(solids):
            grow[i] = now[0, 1] * reach[i, 0] + now[1, 1] * reach[i, 1] + now[2, 1]
        _bounds(spokes, corners, sizes, now[:, 0], grow, ways, points, within, around)
        fits = False
        for p in range(len(poses)):
            for q in range(len(places)):
                fits = fits or _fits(within, around, poses[p], places[q], alike)
        if not fits:
            continue
        if grow.max() < finest:
            return False
        side = np.argmax(now[:, 1] * farthest)
        now[side, 1] /= 2
        for sign in (-1, 1):
            stack[left] = now
            stack[left, side, 0] += sign * now[side, 1]
            left += 1
    return False


@compiled
def _change(spokes: Floats, corners: Ints, sizes: Floats, at: Floats, ways: Floats, grow: float) -> tuple[float, float]:
    """By how much distances of tangents differ, at most, between planes so near; inf when a solid is met by some of them only.

    And the longer side of what the plane cuts, about; 0 when it cuts nothing.
    """
    points = np.empty((2 * spokes.shape[1], 3))
    shape = (len(corners), len(ways), 2)
    within, around = np.empty(shape), np.empty(shape)
    _bounds(spokes, corners, sizes, at, np.full(len(corners), grow), ways, points, within, around)
    most, low, high = 0.0, np.full(len(ways), np.inf), np.full(len(ways), -np.inf)
    for i in range(len(corners)):
        if around[i, 0, 0] == np.inf:
            continue
        if within[i, 0, 0] == np.inf:
            return np.inf, 1.0
        for d in range(len(ways)):
            most = max(most, within[i, d, 0] - around[i, d, 0], around[i, d, 1] - within[i, d, 1])
            low[d], high[d] = min(low[d], within[i, d, 0]), max(high[d], within[i, d, 1])
    return most, max(0.0, high[0] - low[0], high[len(ways) // 2] - low[len(ways) // 2])

"""Parts as meshes, to be drawn at an angle.

Each plane's faces are cut into trapezoids between neighbouring places where an outline begins, ends or bends; the sides of rods are
cut into facets. Lines are the edges found by `edges`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import cos, pi, sin
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from cogsight.shared.render.camera import Frame, fit
from cogsight.shared.render.draw import INSTRUCTION, draw, survey
from cogsight.shared.render.edges import smoothed
from cogsight.shared.render.mesh import Mesh, join, mesh

from ..cube_sight import FRONT_RIGHT, GREY
from .edges import edges
from .solids import Box, Floats, Part, Rod, holds, planes

if TYPE_CHECKING:
    from PIL import Image

FACETS = 48
"""Of a rod's side."""

EPSILON = 0.01
"""Units to either side of a face, where there is something on one side only."""

MARGIN = 6
"""Pixels around the part."""

Corner: TypeAlias = tuple[float, float]


def picture(part: Part, size: int) -> Image.Image:
    """The part from in front, above and the right, `size` pixels square."""
    body = mesh_of(part)
    return draw(body, camera=FRONT_RIGHT, frame=_frame(body, size), style=INSTRUCTION)


def in_sight(part: Part, size: int) -> list[int]:
    """For each solid how many pixels of the picture show a face that is there because of it."""
    body = mesh_of(part)
    shown = survey(body, camera=FRONT_RIGHT, frame=_frame(body, size))
    counts: list[int] = np.bincount(shown[shown >= 0], minlength=len(part)).tolist()
    return counts


def _frame(body: Mesh, size: int) -> Frame:
    return fit(body.points(), cameras=[FRONT_RIGHT], size=size, margin=MARGIN)


@lru_cache(maxsize=2)
def mesh_of(part: Part) -> Mesh:
    """All faces with their edges; a face's part number is that of the solid that it is there because of."""
    whole = [_flat(part, axis, place) for axis in range(3) for place in planes(part)[axis]]
    sides = [_side(part, index, solid) for index, solid in enumerate(part) if isinstance(solid, Rod)]
    return join([*whole, *sides, mesh((), edges=_lines(part))]).placed(np.eye(4), color=GREY)


def _flat(part: Part, axis: int, place: int) -> Mesh:
    """The faces in a plane."""
    u, v = (axis + 1) % 3, (axis + 2) % 3
    spans = [_Span.of(solid, u, v) for solid in part if not isinstance(solid, Rod) or solid.axis == axis]
    spans += [_Span.of(solid, u, v) for solid in part if isinstance(solid, Rod) and solid.axis != axis]
    stops = sorted({x for span in spans for x in span.stops})
    pieces, owners = [], []
    for start, end in pairwise(stops):
        middle = (start + end) / 2
        borders = sorted({b for span in spans for b in span.borders(start, middle, end)}, key=lambda b: b[1])
        for low, high in pairwise(borders):
            owner = _owner(part, axis, place, {u: middle, v: (low[1] + high[1]) / 2})
            if owner is not None:
                pieces.append([(start, low[0]), (end, low[2]), (end, high[2]), (start, high[0])])
                owners.append(owner)
    corners = np.full((len(pieces), 4, 3), float(place))
    corners[..., [u, v]] = np.array(pieces).reshape(-1, 4, 2)
    return _of_parts(corners, owners)


class _Span:
    """The outline of a solid, along an axis: where it begins, bends and ends, and between which heights it lies there."""

    def __init__(self, places: Sequence[float], low: Sequence[float], high: Sequence[float]) -> None:
        self.stops, self._low, self._high = places, low, high

    @classmethod
    def of(cls, solid: Box | Rod, u: int, v: int) -> _Span:
        if isinstance(solid, Rod) and {u, v} == set(solid.across):
            turns = [pi * i / (FACETS // 2) for i in range(FACETS // 2 + 1)]
            places = [round(solid.low[u] - solid.radius * cos(a), 9) for a in turns]
            half = [round(solid.radius * sin(a), 9) for a in turns]
            return cls(places, [solid.low[v] - h for h in half], [solid.low[v] + h for h in half])
        (a, b), (c, d) = (_reach(solid, axis) for axis in (u, v))
        return cls([a, b], [c, c], [d, d])

    def borders(self, start: float, middle: float, end: float) -> Iterator[tuple[float, float, float]]:
        """Its lower and its upper border at three places, if it reaches over them."""
        if self.stops[0] < middle < self.stops[-1]:
            for heights in (self._low, self._high):
                a, b, c = np.interp([start, middle, end], self.stops, heights).tolist()
                yield a, b, c


def _reach(solid: Box | Rod, axis: int) -> tuple[int, int]:
    """From where to where it goes along an axis."""
    if isinstance(solid, Box):
        return solid.low[axis], solid.high[axis]
    if axis == solid.axis:
        return solid.ends
    return solid.low[axis] - solid.radius, solid.low[axis] + solid.radius


def _owner(part: Part, axis: int, place: int, at: dict[int, float]) -> int | None:
    """The last solid that ends at the plane here; None when there is no face."""
    sides = np.array([[at.get(i, place + side) for i in range(3)] for side in (-EPSILON, EPSILON)])
    below, above = holds(part, sides).tolist()
    if below == above:
        return None
    across = [i for i, solid in enumerate(part) if not (isinstance(solid, Rod) and solid.axis != axis)]
    ends = [i for i in across if place in _reach(part[i], axis) and part[i].holds(sides).sum() == 1]
    return ends[-1] if ends else None  # none where the side of a rod touches the plane


def _side(part: Part, index: int, rod: Rod) -> Mesh:
    """The side of a rod, where there is one, with its outlines."""
    (u, v), stops = rod.across, [z for z in planes(part)[rod.axis] if rod.ends[0] <= z <= rod.ends[1]]
    turns = [
        2 * pi * (i - 0.5) / FACETS for i in range(FACETS + 3)
    ]  # a corner at each quarter would leave no facet there
    pieces, outlines = [], []
    for low, high in pairwise(stops):
        middle = np.zeros((FACETS, 2, 3))
        for i in range(FACETS):
            a = (turns[i] + turns[i + 1]) / 2
            for k, r in enumerate((rod.radius - EPSILON, rod.radius + EPSILON)):
                middle[i, k, [u, v, rod.axis]] = rod.low[u] + r * cos(a), rod.low[v] + r * sin(a), (low + high) / 2
        inner, outer = holds(part, middle).T
        rims = [[_on(rod, u, v, a, z) for a in turns] for z in (low, high)]
        for i in np.flatnonzero(inner != outer).tolist():
            pieces.append([rims[0][i], rims[0][i + 1], rims[1][i + 1], rims[1][i]])
            outlines.append([rims[0][i + 1], rims[1][i + 1], rims[0][i], rims[0][i + 2]])
    body = _of_parts(np.array(pieces).reshape(-1, 4, 3), [index] * len(pieces))
    return join([smoothed(body), mesh((), conditionals=np.array(outlines).reshape(-1, 4, 3))])


def _on(rod: Rod, u: int, v: int, turn: float, along: float) -> list[float]:
    point = [along] * 3
    point[u], point[v] = rod.low[u] + rod.radius * cos(turn), rod.low[v] + rod.radius * sin(turn)
    return point


def _of_parts(corners: Floats, owners: Sequence[int]) -> Mesh:
    """Quadrilaterals (n, 4, 3) of the solids with these numbers."""
    body = mesh(np.concatenate([corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]]))
    body.parts[:] = np.array([*owners, *owners], np.int32)
    return body


def _lines(part: Part) -> Floats:
    """(n, 2, 3): the sharp edges."""
    found = edges(part)
    lines = []
    for piece, sharp in zip(found.pieces, found.sharp.tolist(), strict=True):
        if sharp:
            count = 1 + int(FACETS * (piece.end - piece.start) / (2 * pi)) if piece.radius else 1
            places = np.linspace(piece.start, piece.end, count + 1).tolist()
            lines += [(piece.point(a), piece.point(b)) for a, b in pairwise(places)]
    return np.array(lines).reshape(-1, 2, 3)

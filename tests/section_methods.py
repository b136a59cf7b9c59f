"""Second methods for cross-sections and machine parts: the drawn triangles, sliced, and the pixels that show them.

They share nothing with the solvers but the states: those measure widths of solids and follow rays through boxes and rods.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from cogsight.shared.render.camera import Camera, fit
from cogsight.shared.render.draw import survey
from cogsight.shared.render.mesh import Mesh
from cogsight.spatialviz.generate.cross_section import State
from cogsight.spatialviz.generate.stack_pictures import bodies_of
from cogsight.spatialviz.generate.stacked_solids import UPRIGHT, Plane, Stack, cut
from cogsight.spatialviz.generate.three_view_projection import parts
from cogsight.spatialviz.generate.three_view_projection.edges import EYES, Stroke
from cogsight.spatialviz.generate.three_view_projection.faces import mesh_of
from cogsight.spatialviz.generate.three_view_projection.solids import Part

Floats = npt.NDArray[np.float64]

SAME, DIFFERENT = 0.011, 0.03
"""Of a figure's height: distance of two outlines that are one, and of two that are not, at least."""

JUDGED = 3
"""Planes found by a search whose outlines are compared, the best ones."""

CAMERAS = {"front": Camera(-90, 0), "top": Camera(-90, 90), "left": Camera(180, 0), "right": Camera(0, 0)}


@cache
def _body(stack: Stack) -> Mesh:
    return bodies_of(stack)


def sliced(stack: Stack, plane: Plane) -> Floats:
    """(n, 2, 2): lines along which the plane cuts the triangles of the drawn stack, in the plane's coordinates."""
    origin, right, up = (np.array(plane.point(at)) for at in ((0, 0), (1, 0), (0, 1)))
    axes = np.stack([right - origin, up - origin, np.cross(right - origin, up - origin)])
    corners = (_body(stack).triangles - origin) @ axes.T
    below = (corners[:, :, 2] < 0).sum(1)
    corners = corners[(below == 1) | (below == 2)]
    return np.stack([_meeting(corners, step)[:, :2] for step in (1, 2)], 1)


def _meeting(triangles: Floats, step: int) -> Floats:
    """(n, 3): where the side from the corner that is alone on one side of height 0, to the first or second of the others, meets that height."""
    rows, below = np.arange(len(triangles)), triangles[:, :, 2] < 0
    alone = np.where(below.sum(1) == 1, below.argmax(1), (~below).argmax(1))
    one, two = triangles[rows, alone], triangles[rows, (alone + step) % 3]
    result: Floats = one + (two - one) * (one[:, 2] / (one[:, 2] - two[:, 2]))[:, None]
    return result


def outline(lines: Floats) -> Floats:
    """Points along lines, evenly; in units of the figure's height, its middle at 0, 0."""
    size = np.ptp(lines.reshape(-1, 2), axis=0)[1]
    one, two = lines[:, 0], lines[:, 1]
    count = 2 + (np.hypot(*(two - one).T) / size / 0.02).astype(int)
    line = np.repeat(np.arange(len(lines)), count)
    share = (np.arange(len(line)) - np.repeat(np.cumsum(count) - count, count)) / (count[line] - 1)
    points = one[line] + share[:, None] * (two - one)[line]
    middle = (points.min(0) + points.max(0)) / 2
    result: Floats = (points - middle) / size
    return result


def spun(lines: Floats, degrees: float) -> Floats:
    """Lines (n, 2, 2), turned in the plane."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    result: Floats = lines @ np.array([[c, s], [-s, c]])
    return result


def lines_of(stack: Stack, plane: Plane) -> Floats:
    """The drawn figure's lines, (n, 2, 2)."""
    return np.concatenate([np.stack([np.array(p), np.roll(p, -1, axis=0)], 1) for p in cut(stack, plane)])


def apart(one: Floats, other: Floats) -> float:
    """The farthest that a point of one outline, or of its mirror image, is from the other one."""
    return min(max(reach(pose, other), reach(other, pose)) for pose in (one, one * [-1, 1]))


def reach(points: Floats, others: Floats) -> float:
    """How far the farthest point is from the nearest of the others."""
    from scipy.spatial import KDTree

    return float(KDTree(others).query(points)[0].max())


@dataclass(frozen=True)
class Slicer:
    """The drawn triangles of a stack, sliced by many planes at once: (n, 3) turn and tilt, radians, and distance from the stack's middle."""

    triangles: Floats
    """(t, 3, 3), seen from the middle, those of a solid together."""
    outward: Floats
    """(t, 3): normals."""
    parts: npt.NDArray[np.int32]
    """(t,): number of the solid."""

    @classmethod
    def of(cls, stack: Stack) -> Slicer:
        body, middle = _body(stack), sum(solid.height for solid in stack) / 2
        triangles = body.triangles - [0, 0, middle]
        outward = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        floors = np.cumsum([0, *(solid.height for solid in stack)]) - middle
        inside = np.array([[0, 0, (low + high) / 2] for low, high in pairwise(floors)])[body.parts]
        outward *= np.sign(((triangles.mean(1) - inside) * outward).sum(1))[:, None]
        return cls(triangles, outward, body.parts)

    def shapes(self, planes: Floats) -> Floats:
        """(n, parts, 8): what each plane cuts out of each solid as `_shape` tells it, nan where it misses one."""
        (c, run), (s, rise) = np.cos(planes[:, :2]).T, np.sin(planes[:, :2]).T
        right, up = np.stack([c, s, 0 * c], 1), np.stack([-s * run, c * run, rise], 1)
        facing = np.cross(right, up)
        away = np.einsum("tkx,nx->ntk", self.triangles, facing) - planes[:, 2, None, None]
        below = away < 0
        plane, triangle = np.nonzero((below[:, :, 0] != below[:, :, 1]) | (below[:, :, 0] != below[:, :, 2]))
        corners = self.triangles[triangle]
        seen = [(corners * ways[plane][:, None]).sum(2) for ways in (right, up)]
        placed = np.stack([*seen, away[plane, triangle]], 2)
        one, two = (_meeting(placed, step)[:, :2] for step in (1, 2))
        along = np.cross(facing[plane], self.outward[triangle])
        ways = np.stack([(along * right[plane]).sum(1), (along * up[plane]).sum(1)], 1)
        turned = (((two - one) * ways).sum(1) < 0)[:, None]
        return _shapes(
            np.where(turned, two, one),
            np.where(turned, one, two),
            plane * (1 + self.parts.max()) + self.parts[triangle],
            len(planes),
            1 + int(self.parts.max()),
        )


def _shapes(start: Floats, end: Floats, group: npt.NDArray[np.int64], figures: int, parts: int) -> Floats:
    """(figures, parts, 8): of outlines, given by lines in turn: left, right, low, high, middle (x, y), root of area, slant.

    In units of the figure's longer side, from its middle. `group` = figure * parts + part, ascending.
    """
    found = np.full((figures * parts, 8), np.nan)
    groups, first = np.unique(group, return_index=True)
    if len(groups):
        low = np.minimum.reduceat(np.minimum(start, end), first)
        high = np.maximum.reduceat(np.maximum(start, end), first)
        found[groups, :4] = np.stack([low[:, 0], high[:, 0], low[:, 1], high[:, 1]], 1)
        x, y = (start + end).T
        doubled = start[:, 0] * end[:, 1] - start[:, 1] * end[:, 0]
        slants = start[:, 0] * (2 * start[:, 1] + end[:, 1]) + end[:, 0] * (start[:, 1] + 2 * end[:, 1])
        sums = np.add.reduceat([doubled, doubled * x, doubled * y, doubled * slants], first, axis=1)
        area, (at_x, at_y, mixed) = np.maximum(sums[0], 1e-9), sums[1:]
        found[groups, 4], found[groups, 5] = at_x / area / 3, at_y / area / 3
        found[groups, 6], found[groups, 7] = np.sqrt(area / 2), mixed / area / 12 - at_x * at_y / area**2 / 9
    found = found.reshape(figures, parts, 8)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # planes that miss all solids
        left, right, low, high = (f(found[:, :, i], 1) for i, f in enumerate((np.nanmin, np.nanmax) * 2))
    size = np.maximum(right - left, high - low)[:, None]
    for i, middle in enumerate(((left + right) / 2, (left + right) / 2, (low + high) / 2, (low + high) / 2)):
        found[:, :, i] -= middle[:, None]
    found[:, :, 4] -= ((left + right) / 2)[:, None]
    found[:, :, 5] -= ((low + high) / 2)[:, None]
    found[:, :, :7] /= size[:, :, None]
    found[:, :, 7] /= size / 6 * size  # a slanting piece has about as much of it as its sides move
    return found


def shape_of(figure: Sequence[Sequence[tuple[float, float]]]) -> Floats:
    """(pieces, 8): of a drawn figure."""
    start, end = (np.concatenate([np.roll(piece, -turn, axis=0) for piece in figure]) for turn in (0, 1))
    return _shapes(start, end, np.repeat(np.arange(len(figure)), [len(piece) for piece in figure]), 1, len(figure))[0]


def reached(state: State, letter: str, starts: Sequence[Plane] = (), count: int = 160, climbs: int = 6) -> float:
    """How near planes come to a figure: some given ones or, of these and many at random, the best, moved as long as that helps."""
    option, slicer = state.options["ABCD".index(letter)], Slicer.of(state.stack)
    known = np.array([numbers_of(state.stack, plane) for plane in starts]).reshape(-1, 3)
    best = min([_apart_at(state.stack, at, option) for at in known], default=np.inf)
    if best < SAME:
        return best
    planes = np.concatenate([known, _at_random(slicer, count, state.slanting)])
    figure = shape_of(cut(*option))
    mirrored = figure[:, [1, 0, 2, 3, 4, 5, 6, 7]] * [-1, -1, 1, 1, -1, 1, 1, -1]
    poses = np.stack([figure, mirrored])
    misses = np.stack([(_misses(slicer, planes, pose[None]) ** 2).sum(1) for pose in poses])
    chosen = np.argsort(misses, axis=None)[:climbs]
    ends = _climb(slicer, planes[chosen % len(planes)], poses[chosen // len(planes)], state.slanting)
    return min([best, *(_apart_at(state.stack, end, option) for end in ends[:JUDGED])])


def _at_random(slicer: Slicer, count: int, slanting: bool) -> Floats:
    """(count, 3): planes that come near the stack."""
    planes = np.random.default_rng(0).uniform(0, 1, (count, 3)) * [2 * np.pi, np.pi / 2, 2] - [0, 0, 1]
    if not slanting:
        planes[:, 1] = np.where(np.arange(count) % 8, np.pi / 2, 0)
    reach = np.abs(slicer.triangles).max(axis=(0, 1))
    planes[:, 2] *= reach[:2].max() * np.sin(planes[:, 1]) + reach[2] * np.cos(planes[:, 1])
    return planes


def _misses(slicer: Slicer, planes: Floats, figures: Floats) -> Floats:
    """(n, pieces * 8): by how much what planes cut differs from figures; 1 each where they meet more or fewer solids than there are pieces."""
    shapes = slicer.shapes(planes)
    met = ~np.isnan(shapes[:, :, 0])
    whole = met.sum(1) == figures.shape[1]
    wanted = np.broadcast_to(figures, (len(planes), *figures.shape[1:]))
    found = np.ones(wanted.shape)
    found[whole] = shapes[whole][met[whole]].reshape(-1, *wanted.shape[1:]) - wanted[whole]
    return found.reshape(len(planes), -1)


def _climb(
    slicer: Slicer, planes: Floats, figures: Floats, slanting: bool, rounds: int = 14, step: float = 1e-4
) -> Floats:
    """(n, 3): planes near the given ones that come nearer to the figures, one each, the nearest first (Levenberg and Marquardt). Steps of 1: 3 degrees, a unit."""
    ways = np.diag([0.05, 0.05, 1.0])[[0, 1, 2] if slanting else [0, 2]]
    count, free = len(planes), len(ways)
    beside = np.concatenate([np.zeros((1, 3)), step * ways])
    damping, best = np.full(count, 1e-2), np.full(count, np.inf)
    tried, slopes, missed = planes.copy(), np.empty(0), np.empty(0)
    for _ in range(rounds):
        around = (tried[:, None] + beside).reshape(-1, 3)
        values = _misses(slicer, around, np.repeat(figures, free + 1, axis=0)).reshape(count, free + 1, -1)
        badness = (values[:, 0] ** 2).sum(1)
        better = badness < best
        if not slopes.size:
            slopes, missed = np.empty((count, values.shape[2], free)), np.empty((count, values.shape[2]))
        slopes[better] = np.swapaxes(values[better, 1:] - values[better, :1], 1, 2) / step
        missed[better], best[better], planes = (
            values[better, 0],
            badness[better],
            np.where(better[:, None], tried, planes),
        )
        damping = np.clip(np.where(better, damping / 5, damping * 5), 1e-6, 1e6)
        normal = np.einsum("nki,nkj->nij", slopes, slopes)
        normal += damping[:, None, None] * (np.eye(free) * (1e-6 + np.einsum("nii->ni", normal))[:, None])
        down = np.linalg.solve(normal, np.einsum("nki,nk->ni", slopes, missed)[:, :, None])[:, :, 0]
        tried = planes - np.clip(down, -5, 5) @ ways
    return planes[np.argsort(best)]


def numbers_of(stack: Stack, plane: Plane) -> list[float]:
    """Turn and tilt, radians, and distance from the stack's middle."""
    turn, tilt, middle = np.radians(plane.turn), np.radians(plane.tilt), sum(solid.height for solid in stack) / 2
    return [turn, tilt, -plane.offset if plane.tilt == UPRIGHT else (plane.offset - middle) * np.cos(tilt)]


def _apart_at(stack: Stack, at: Floats, option: tuple[Stack, Plane]) -> float:
    """How far an option's outlines are from those that a plane cuts out of the drawn triangles."""
    turn, tilt, distance = at.tolist()
    upright = abs(np.cos(tilt)) < 1e-3
    offset = -distance if upright else sum(solid.height for solid in stack) / 2 + distance / np.cos(tilt)
    lines = sliced(stack, Plane(np.degrees(turn), UPRIGHT if upright else np.degrees(tilt), offset))
    return apart(outline(lines_of(*option)), outline(lines)) if len(lines) > 2 else np.inf


def cut_by_slicing(state: State) -> set[str]:
    """The letters that fit: of figures that are cuts of the drawn triangles along the red line, or to which no plane comes near."""
    if state.plane is not None:
        lines = sliced(state.stack, state.plane)
        real = [outline(spun(lines, degrees)) for degrees in (range(0, 360, 2) if state.plane.tilt == 0 else [0])]
        figures = {letter: outline(lines_of(*option)) for letter, option in zip("ABCD", state.options, strict=True)}
        return {letter for letter, figure in figures.items() if any(apart(figure, one) < DIFFERENT for one in real)}
    planes = [plane for _, plane in state.options]
    return {letter for letter in "ABCD" if reached(state, letter, planes) > DIFFERENT}


STRAIGHT = 0.12
"""Units of a part: so far from a line lie the pixels that show it, at most."""

SCALE = 12
"""Pixels per unit of a part."""


def part_fits(state: parts.State) -> set[str]:
    """The letters of views of a machine part: their whole lines are where the picture of it changes, and all lines where any layer does."""
    visible, every = visible_edges(state.part, state.asked), all_edges(state.part, state.asked)
    found = set()
    for letter, option in zip("ABCD", state.options, strict=False):
        hidden, whole = (_points(stroke for stroke in option if stroke.hidden == dashed) for dashed in (True, False))
        if (
            _on(visible, whole)
            and _on(whole, visible)
            and _on(every, np.concatenate([hidden, whole]))
            and _on(hidden, every)
        ):
            found.add(letter)
    return found or {"D"}


def _points(strokes: Iterable[Stroke]) -> Floats:
    return np.concatenate([np.empty((0, 2)), *(stroke.points(0.1) for stroke in strokes)])


def _on(points: Floats, others: Floats) -> bool:
    return not len(points) or (len(others) > 0 and reach(points, others) < STRAIGHT)


def visible_edges(part: Part, side: str) -> Floats:
    """(n, 2): where pixels of the part's picture from a side show one face and their neighbours another, lower left corner at 0, 0."""
    body = mesh_of(part)
    frame = fit(body.points(), cameras=[CAMERAS[side]], size=SCALE * 24, margin=4, max_scale=SCALE)
    shown = survey(replace(body, parts=_faces(body).astype(np.int32)), camera=CAMERAS[side], frame=frame)
    return _changes(shown, frame.scale)


def all_edges(part: Part, side: str) -> Floats:
    """Likewise of all faces behind one another: where other triangles cover a pixel than cover its neighbours."""
    body = mesh_of(part)
    numbers = (_faces(body) + 1) ** 3
    (right, mirror), (up, _), _ = EYES[side]
    corners = body.triangles[:, :, [right, up]] * [mirror, 1.0] * SCALE
    corners += [2.37, 2.6180339] - corners.min((0, 1))  # no pixel lies on a line, diagonals of squares included
    covered = np.zeros(np.ceil(corners.max((0, 1)) + 2).astype(int)[::-1], np.int64)
    (ax, ay), (bx, by), (cx, cy) = (corners[:, n].T for n in range(3))
    area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    for n in np.flatnonzero(np.abs(area) > 1e-6):
        (x0, y0), (x1, y1) = np.floor(corners[n].min(0)).astype(int), np.ceil(corners[n].max(0)).astype(int) + 1
        y, x = np.ogrid[y0:y1, x0:x1]
        turns = [
            (ex - sx) * (y - sy) - (ey - sy) * (x - sx)
            for (sx, sy), (ex, ey) in zip(corners[n], np.roll(corners[n], -1, 0), strict=True)
        ]
        inside = np.logical_and.reduce([turn * area[n] > 0 for turn in turns])
        covered[y0:y1, x0:x1] += inside * numbers[n]
    return _changes(covered[::-1], SCALE)


def _faces(body: Mesh) -> npt.NDArray[np.int64]:
    """(n,): triangles of one plane have one number, and those of one curved face, however many facets it has."""
    points = body.triangles
    axis = np.ptp(points, axis=1).argmin(1)
    place = points[np.arange(len(points)), 0, axis]
    flat = (np.ptp(points, axis=1).min(1) < 1e-9) & (
        np.abs(place - place.round()) < 1e-9
    )  # facets of rods lie elsewhere
    return np.where(flat, 1 + axis * 100 + place.round().astype(int), 400 + body.parts)


def _changes(pixels: npt.NDArray[Any], scale: float) -> Floats:
    """(n, 2), in units, y up: where neighbours differ; lower left corner at 0, 0."""
    up, along = (np.argwhere(np.diff(pixels, axis=axis) != 0).astype(float) for axis in (0, 1))
    up[:, 0] += 0.5
    along[:, 1] += 0.5
    found = np.concatenate([up, along])[:, ::-1] * [1, -1]
    result: Floats = (found - found.min(0)) / scale
    return result

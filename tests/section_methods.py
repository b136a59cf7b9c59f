"""Second methods for cross-sections and machine parts: the drawn triangles, sliced, and the pixels that show them.

They share nothing with the solvers but the states: those measure widths of solids and follow rays through boxes and rods.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from cogsight.shared.render.camera import Camera, fit
from cogsight.shared.render.draw import survey
from cogsight.spatialviz.generate.cross_section import State
from cogsight.spatialviz.generate.stack_pictures import bodies_of
from cogsight.spatialviz.generate.stacked_solids import Plane, Stack, cut
from cogsight.spatialviz.generate.three_view_projection.faces import mesh_of
from cogsight.spatialviz.generate.three_view_projection.solids import Part

Floats = npt.NDArray[np.float64]

SAME, DIFFERENT = 0.01, 0.03
"""Of a figure's height: distance of two outlines that are one, and of two that are not, at least."""

CAMERAS = {"front": Camera(-90, 0), "top": Camera(-90, 90), "left": Camera(180, 0), "right": Camera(0, 0)}


def sliced(stack: Stack, plane: Plane) -> Floats:
    """(n, 2, 2): lines along which the plane cuts the triangles of the drawn stack, in the plane's coordinates."""
    origin, right, up = (np.array(plane.point(at)) for at in ((0, 0), (1, 0), (0, 1)))
    axes = np.stack([right - origin, up - origin, np.cross(right - origin, up - origin)])
    corners = (bodies_of(stack).triangles - origin) @ axes.T
    lines = []
    for triangle in corners:
        ends = [
            one + (two - one) * one[2] / (one[2] - two[2])
            for one, two in zip(triangle, np.roll(triangle, -1, axis=0), strict=True)
            if (one[2] < 0) != (two[2] < 0)
        ]
        if len(ends) == 2:
            lines.append([end[:2] for end in ends])
    return np.array(lines).reshape(-1, 2, 2)


def outline(lines: Floats) -> Floats:
    """Points along lines, evenly; in units of the figure's height, its middle at 0, 0."""
    size = np.ptp(lines.reshape(-1, 2), axis=0)[1]
    found = []
    for one, two in lines:
        share = np.linspace(0, 1, 2 + int(np.hypot(*(two - one)) / size / 0.02))[:, None]
        found.append(one + share * (two - one))
    points = np.concatenate(found)
    middle = (points.min(0) + points.max(0)) / 2
    result: Floats = (points - middle) / size
    return result


def lines_of(stack: Stack, plane: Plane) -> Floats:
    """The drawn figure's lines, (n, 2, 2)."""
    return np.concatenate([np.stack([np.array(p), np.roll(p, -1, axis=0)], 1) for p in cut(stack, plane)])


def apart(one: Floats, other: Floats) -> float:
    """The farthest that a point of one outline, or of its mirror image, is from the other one."""
    return min(max(reach(pose, other), reach(other, pose)) for pose in (one, one * [-1, 1]))


def reach(points: Floats, others: Floats) -> float:
    """How far the farthest point is from the nearest of the others."""
    away = (points[:, None, 0] - others[None, :, 0]) ** 2 + (points[:, None, 1] - others[None, :, 1]) ** 2
    return float(away.min(1).max()) ** 0.5


def cut_by_slicing(state: State, tried: Sequence[Plane] = ()) -> set[str]:
    """The letters that fit: of figures that are, or are not, cuts of the drawn triangles along the red line, or by a plane out of some."""
    figures = {letter: outline(lines_of(*option)) for letter, option in zip("ABCD", state.options, strict=True)}
    if state.plane is not None:
        real = outline(sliced(state.stack, state.plane))
        return {letter for letter, figure in figures.items() if apart(figure, real) < DIFFERENT}
    planes = [*(plane for _, plane in state.options), *tried]
    cuts = [outline(lines) for lines in (sliced(state.stack, plane) for plane in planes) if len(lines) > 2]
    return {letter for letter, figure in figures.items() if min(apart(figure, real) for real in cuts) > DIFFERENT}


def visible_edges(part: Part, side: str, scale: int = 12) -> Floats:
    """(n, 2): where pixels of the part's picture from a side show one face and their neighbours another, lower left corner at 0, 0."""
    body = mesh_of(part)
    points = body.triangles
    axis = np.ptp(points, axis=1).argmin(1)
    place = points[np.arange(len(points)), 0, axis]
    flat = (np.ptp(points, axis=1).min(1) < 1e-9) & (
        np.abs(place - place.round()) < 1e-9
    )  # facets of rods lie elsewhere
    faces = np.where(flat, 1 + axis * 100 + place.round().astype(int), 400 + body.parts)
    frame = fit(body.points(), cameras=[CAMERAS[side]], size=scale * 24, margin=4, max_scale=scale)
    shown = survey(replace(body, parts=faces.astype(np.int32)), camera=CAMERAS[side], frame=frame)
    up, along = (np.argwhere(np.diff(shown, axis=axis) != 0).astype(float) for axis in (0, 1))
    up[:, 0] += 0.5
    along[:, 1] += 0.5
    found = np.concatenate([up, along])[:, ::-1] * [1, -1]
    result: Floats = (found - found.min(0)) / frame.scale
    return result

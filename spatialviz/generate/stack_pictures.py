"""Pictures of stacked solids, with the line along which a plane cuts their surface, and of outlines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from cogsight.shared.render.camera import Camera, Frame, fit
from cogsight.shared.render.draw import INSTRUCTION, draw
from cogsight.shared.render.edges import smoothed
from cogsight.shared.render.mesh import Mesh, join, mesh
from cogsight.shared.render.palette import INK, PAPER

from .cube_sight import GREY, RED
from .sheet import SMOOTH
from .stacked_solids import Outline, Plane, Solid, Stack, cut, floors

if TYPE_CHECKING:
    from PIL import Image

CAMERAS = (Camera(azimuth=-58, elevation=28), Camera(azimuth=-118, elevation=10))
"""From above and the right, and nearly level from the left: what a wide solid hides in one view the other one shows."""

STYLE = replace(INSTRUCTION, line_width=1.5)

SIZE, MARGIN = 230, 6
"""Pixels of a view's side, and kept free around what it shows."""

PAPER_SIZE, BORDER, PEN = 150, 4, 2
"""Pixels: largest width and height of an outline, paper around it, width of the line."""

Floats = npt.NDArray[np.float64]


def views(stack: Stack, plane: Plane | None = None) -> list[Image.Image]:
    """The stack from both cameras, with the line along which the plane cuts it in red."""
    bodies = bodies_of(stack)
    things = [bodies] if plane is None else [bodies, _trace(stack, plane)]
    frame = frame_of(bodies)
    return [draw(join(things), camera=camera, frame=frame, style=STYLE) for camera in CAMERAS]


def figure(pieces: Sequence[Outline]) -> Image.Image:
    """Outlines as they lie to each other, as large as they fit."""
    from PIL import Image, ImageDraw

    corners = np.concatenate([np.array(piece) for piece in pieces])
    low, span = corners.min(0), np.ptp(corners, axis=0)
    scale = PAPER_SIZE / span.max()
    width, height = (round(side * scale) + 2 * BORDER for side in span.tolist())
    fine = Image.new("RGB", (width * SMOOTH, height * SMOOTH), PAPER)
    pen = ImageDraw.Draw(fine)
    for piece in pieces:
        x, y = ((np.array(piece) - low) * scale + BORDER).T * SMOOTH
        points = [(float(a), float(b)) for a, b in zip(x, height * SMOOTH - y, strict=True)]
        pen.line([*points, *points[:2]], fill=INK, width=PEN * SMOOTH, joint="curve")
    return fine.reduce(SMOOTH)


def frame_of(bodies: Mesh) -> Frame:
    """Of both views."""
    return fit(bodies.points(), cameras=CAMERAS, size=SIZE, margin=MARGIN)


def bodies_of(stack: Stack) -> Mesh:
    """All solids; a part's number is its solid's, from the bottom."""
    placed = []
    for part, (solid, floor) in enumerate(floors(stack)):
        matrix = np.eye(4)
        matrix[2, 3] = floor
        placed.append(_body(solid).placed(matrix, color=GREY, part=part))
    return join(placed)


def _body(solid: Solid) -> Mesh:
    """A solid that stands on height 0, with its edges, or its outlines where it is round."""
    spokes = np.array(solid.spokes())
    low, high = (
        np.column_stack([spokes * r, np.full(len(spokes), z)])
        for r, z in ((solid.bottom, 0), (solid.top, solid.height))
    )
    after, before = np.roll(np.arange(len(spokes)), -1), np.roll(np.arange(len(spokes)), 1)
    middles = [np.broadcast_to([0.0, 0.0, z], low.shape) for z in (0, solid.height)]
    triangles = np.concatenate(
        [
            np.stack(corners, 1)
            for corners, radius in (
                ((low, low[after], high[after]), solid.bottom),
                ((low, high[after], high), solid.top),
                ((low, low[after], middles[0]), solid.bottom),
                ((high, high[after], middles[1]), solid.top),
            )
            if radius
        ]
    )
    rims = [np.stack([rim, rim[after]], 1) for rim, radius in ((low, solid.bottom), (high, solid.top)) if radius]
    rises = np.stack([low, high], 1)
    if solid.corners:
        return mesh(triangles, edges=np.concatenate([*rims, rises]))
    beside = low if solid.bottom else high
    outlines = np.concatenate([rises, np.stack([beside[before], beside[after]], 1)], 1)
    return smoothed(mesh(triangles, edges=np.concatenate(rims), conditionals=outlines))


def _trace(stack: Stack, plane: Plane) -> Mesh:
    """The outlines of the cut, where they lie in space."""
    lines = [
        (plane.point(one), plane.point(two))
        for piece in cut(stack, plane)
        for one, two in zip(piece, [*piece[1:], piece[0]], strict=True)
    ]
    return mesh((), edges=lines, edge_colors=(*RED, 255))

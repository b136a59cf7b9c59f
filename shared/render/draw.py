"""Pictures of meshes: a z-buffer on the processor, with edge lines of constant width, transparent parts and soft shadows.

`INSTRUCTION` looks like a page of printed building steps, `PHOTO` like the finished model on a white table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import kernels
from .camera import Camera, Frame, project
from .kernels import Indices
from .lights import Light, Lighting, brightness, sunlight
from .mesh import Mesh
from .palette import PAPER, Color
from .surfaces import finer, lines, opaque, planes, snapped, transparent

if TYPE_CHECKING:
    from PIL import Image

VERSION = "2"
"""Changes when any picture changes by a pixel."""

BIAS = 0.4
"""Pixels that a line may lie behind a surface without being hidden by it."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a mesh is drawn."""

    lighting: Lighting
    line_width: float
    """Pixels; 0 draws no lines."""
    line_strength: float
    """1 draws lines in their own colour, less lets what is below shine through."""
    supersampling: int
    """Subpixels along a pixel's side."""
    paper: Color = PAPER


INSTRUCTION = Style(
    Lighting(ambient=0.66, sky=0.0, sun=0.36, sun_from=Light(-25, 55)),
    line_width=1.25,
    line_strength=1.0,
    supersampling=3,
)

SUN = Light(-50, 50)
SUNS = tuple(Light(SUN.azimuth + a, SUN.elevation + e) for a, e in [(0, 0), (4, 2), (-4, -2), (2.5, -3), (-2.5, 3)])
SKIES = (*(Light(a, 22) for a in (15, 87, 159, 231, 303)), *(Light(a, 55) for a in (45, 165, 285)))

PHOTO = Style(
    Lighting(ambient=0.28, sky=0.34, sun=0.42, sun_from=SUN, suns=SUNS, skies=SKIES, darkest=0.45),
    line_width=0.8,
    line_strength=0.3,
    supersampling=3,
)


def draw(mesh: Mesh, *, camera: Camera, frame: Frame, style: Style) -> Image.Image:
    """The picture, RGB, `frame.size` pixels square. The same mesh, in the same order, gives the same pixels."""
    from PIL import Image

    fine, bias, lighting = finer(frame, style.supersampling), BIAS * style.supersampling, style.lighting
    points = project(mesh.triangles, camera=camera, frame=fine)
    corners = snapped(points)
    rows = planes(corners, [points[..., 2], sunlight(mesh, corners, camera, lighting.sun_from)])
    seen = opaque(corners, rows, mesh, mesh.colors[:, 3] == 255, (fine.size, fine.size))
    before = transparent(mesh, seen)
    drawn = lines(mesh, camera, fine, seen, width=style.line_width * style.supersampling, bias=bias)
    drawn.alpha[:] *= np.float32(style.line_strength)
    sky, sun = brightness(mesh, camera, fine, lighting, seen)
    light = np.array([lighting.ambient + lighting.sky, lighting.sun])
    paper = np.array([lighting.darkest, (1 - lighting.darkest) / light.sum()])
    colors = np.concatenate([mesh.colors, np.array([[*style.paper, 255]], np.uint8)])
    canvas, out = np.empty((fine.size, fine.size, 3), np.float32), np.empty((frame.size, frame.size, 3), np.uint8)
    kernels.shade(seen.index, rows, colors, sky, sun, paper, canvas)
    kernels.overlay(
        before.index, before.depth, rows, colors, light,
        drawn.alpha, drawn.depth, drawn.owner, drawn.colors, bias, canvas,
    )  # fmt: skip
    kernels.average(canvas, out)
    return Image.fromarray(out)


def survey(mesh: Mesh, *, camera: Camera, frame: Frame, supersampling: int = 1) -> Indices:
    """Which part each subpixel shows, (h, w), -1 for none; a transparent part counts like any other."""
    fine = finer(frame, supersampling)
    points = project(mesh.triangles, camera=camera, frame=fine)
    corners = snapped(points)
    everything = np.ones(len(mesh.parts), np.bool_)
    seen = opaque(corners, planes(corners, [points[..., 2]]), mesh, everything, (fine.size, fine.size))
    return np.append(mesh.parts, np.int32(kernels.NOTHING))[seen.index[..., 0]]

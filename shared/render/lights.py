"""How bright every surface is, and what lies in shadow.

A light is an orthographic camera: what it does not see is in its shadow. The sun is several such cameras close together, so shadows
are sharp where they begin and soft where they end; the sky is several all around, so corners and the space below a model are dark.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import kernels
from .camera import Camera, Frame, fit, project
from .kernels import Depths, Floats
from .mesh import Mesh, face_normals
from .surfaces import Surfaces, opaque, planes, snapped

LOWEST = 4.0
"""Degrees above the horizon below which the ground is not seen."""

MAP_MARGIN = 4.0
"""Pixels around what a light sees."""

BLUR = 1.1
"""Pixels of a light's picture between the places at which it is looked at around a point, four by four."""

PLACES = np.array([((i - 1.5) * BLUR, ((i + group) % 4 - 1.5) * BLUR) for group in range(4) for i in (0, 2, 1, 3)])
"""Those places, in groups that neighbouring subpixels take in turn."""


@dataclass(frozen=True, slots=True)
class Light:
    """Parallel light from a direction that turns with the viewer, so that no shadow tells where a picture was taken from."""

    azimuth: float
    """Degrees anticlockwise from the viewer's azimuth."""
    elevation: float
    """Degrees."""

    def camera(self, viewer: Camera) -> Camera:
        """A camera that looks the way the light shines."""
        return Camera(viewer.azimuth + self.azimuth, self.elevation)


@dataclass(frozen=True, slots=True)
class Lighting:
    """Where light comes from and how much: a surface that gets 1 in all shows its own colour."""

    ambient: float
    """Reaches every surface."""
    sky: float
    """From everywhere above, as far as nothing stands in the way."""
    sun: float
    """On a surface that faces the sun."""
    sun_from: Light
    suns: tuple[Light, ...] = ()
    """Directions whose shadows are drawn; none: the sun reaches everything."""
    skies: tuple[Light, ...] = ()
    """The same of the sky."""
    darkest: float = 1.0
    """How much of the paper's brightness is left where neither sun nor sky comes to the ground."""
    map_size: int = 320
    """Pixels of a light's own picture."""


def sunlight(mesh: Mesh, corners: kernels.Ints, camera: Camera, light: Light) -> Floats:
    """How directly the sun shines on the side of each triangle that is seen, at its corners (n, 3), 0 to 1.

    `corners`: of the triangles as the camera sees them, snapped.
    """
    one, two = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    # Pixels count y downwards: a triangle that is anticlockwise from here has a negative area.
    front = np.where(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0] < 0, 1.0, -1.0)[:, None]
    faces = face_normals(mesh.triangles) * front
    turned = np.where(_dot(mesh.normals, faces[:, None]) >= 0, 1.0, -1.0)
    return np.maximum(_dot(mesh.normals, light.camera(camera).axes()[2]) * turned, 0.0)


def brightness(mesh: Mesh, camera: Camera, fine: Frame, lighting: Lighting, seen: Surfaces) -> tuple[Depths, Depths]:
    """Light from the sky, and from the sun on a surface that faces it, in each subpixel: two arrays (h, w)."""
    shape = seen.index.shape[:2]
    sky, sun = np.full(shape, lighting.ambient, np.float32), np.zeros(shape, np.float32)
    rows = np.concatenate([seen.rows[:, :1], _ground(camera, fine)])
    for lights, strength, on_ground, out in (
        (lighting.skies, lighting.sky, False, sky),
        (lighting.suns, lighting.sun, True, sun),
    ):
        if not lights or not len(mesh.parts):
            out += np.float32(strength)
            continue
        for light in lights:
            shadow = _shadow(mesh, light.camera(camera), lighting.map_size)
            kernels.lit(
                seen.index, rows, camera.nearness(fine.size), _turn(camera, fine, shadow),
                shadow.depth, shadow.rows, PLACES, strength / len(lights), on_ground, out,
            )  # fmt: skip
    return sky, sun


@dataclass(frozen=True, slots=True, eq=False)
class Shadow:
    """What a light sees; all else is in its shadow."""

    camera: Camera
    frame: Frame
    depth: Depths
    """(h, w, 1)."""
    rows: Floats
    """(n + 1, 1, 5): planes of depth of the triangles and, last, of the ground."""


def _shadow(mesh: Mesh, lamp: Camera, size: int) -> Shadow:
    frame = fit(_box(mesh.points()), cameras=[lamp], size=size, margin=MAP_MARGIN)
    points = project(mesh.triangles, camera=lamp, frame=frame)
    corners = snapped(points)
    rows = planes(corners, [points[..., 2]])
    seen = opaque(corners, rows, mesh, mesh.colors[:, 3] == 255, (size, size))
    return Shadow(lamp, frame, seen.depth, np.concatenate([rows, _ground(lamp, frame)]))


def _box(points: Floats) -> Floats:
    """The corners (8, 3) of the points' bounding box."""
    low, high = points.min(0), points.max(0)
    return np.array([np.where([i & 1, i & 2, i & 4], low, high) for i in range(8)])


def _turn(camera: Camera, fine: Frame, shadow: Shadow) -> Floats:
    """(3, 4): subpixels to the right of the target, above it and towards the viewer → a light's pixels and depth."""
    # Summed without BLAS, whose rounding depends on the processor.
    turn = (shadow.camera.axes()[:, None] * camera.axes()[None]).sum(-1) * (shadow.frame.scale / fine.scale)
    shift = project(np.array(fine.target), camera=shadow.camera, frame=shadow.frame)
    turn[1] *= -1
    return np.ascontiguousarray(np.concatenate([turn, shift[:, None]], 1))


def _ground(camera: Camera, frame: Frame) -> Floats:
    """Depth of the ground as a plane over the picture, (1, 1, 5); infinitely far where the camera does not look down on it."""
    if camera.elevation < LOWEST:
        return np.array([[[0.0, 0.0, -np.inf, -np.inf, np.inf]]])
    x, y, _ = frame.target
    triangle = np.array([[x, y, frame.ground], [x + 1, y, frame.ground], [x, y + 1, frame.ground]])
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = project(triangle, camera=camera, frame=frame).tolist()
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    a = ((bz - az) * (cy - ay) - (cz - az) * (by - ay)) / area
    b = ((bx - ax) * (cz - az) - (cx - ax) * (bz - az)) / area
    return np.array([[[a, b, az - a * ax - b * ay, -np.inf, np.inf]]])


def _dot(one: Floats, other: Floats) -> Floats:
    result: Floats = one[..., 0] * other[..., 0] + one[..., 1] * other[..., 1] + one[..., 2] * other[..., 2]
    return result

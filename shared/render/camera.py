"""Where a mesh is looked at from, and which part of space the picture shows.

World: right-handed, z up, any unit. A camera at azimuth 0 looks from +x, at 90 from +y; it always looks level with the horizon to
its right. A `Frame` is shared by all pictures that are compared: its place and scale come from all of them together, so neither
crop nor size tells them apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import cos, radians, sin, tan

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Vector = tuple[float, float, float]

DIGITS = 12
"""Decimals of a sine that count: the last ones depend on the C library."""

ROUNDS = 8
"""Of centring a picture in perspective; each brings it nearer to the middle by a factor of more than ten."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A direction to look from. Raises ValueError for an elevation or a field of view out of range."""

    azimuth: float
    """Degrees, anticlockwise seen from above."""
    elevation: float
    """Degrees above the horizon, -90 to 90; 90 looks straight down."""
    field_of_view: float = 0.0
    """Degrees across the picture, 0 to 60; 0 is orthographic."""

    def __post_init__(self) -> None:
        if not -90 <= self.elevation <= 90 or not 0 <= self.field_of_view <= 60:
            raise ValueError(f"{self}: elevations go from -90 to 90 degrees, fields of view from 0 to 60")

    def axes(self) -> Floats:
        """Unit vectors to the right, up the picture, and towards the viewer: the rows of a (3, 3) array.

        >>> Camera(azimuth=0, elevation=0).axes().tolist()
        [[-0.0, 1.0, 0.0], [-0.0, -0.0, 1.0], [1.0, 0.0, 0.0]]
        """
        azimuth, elevation = radians(self.azimuth), radians(self.elevation)
        (s, c), (rise, run) = _sine_cosine(azimuth), _sine_cosine(elevation)
        return np.array([[-s, c, 0.0], [-c * rise, -s * rise, run], [c * run, s * run, rise]])

    def nearness(self, size: int) -> float:
        """One over the viewer's distance from the frame's target, in pixels of a picture `size` pixels wide; 0: infinitely far."""
        return round(2 * tan(radians(self.field_of_view) / 2), DIGITS) / size


@dataclass(frozen=True, slots=True)
class Frame:
    """What square pictures show, whatever camera takes them."""

    size: int
    """Pixels."""
    scale: float
    """Pixels per unit of the world, at the target."""
    target: Vector
    """The point of the world in the middle of the picture."""
    ground: float = 0.0
    """Height of the ground, on which shadows fall."""


def project(points: npt.ArrayLike, *, camera: Camera, frame: Frame) -> Floats:
    """World (…, 3) → pixels (…, 3): x to the right, y down, and depth towards the viewer.

    Depth grows towards the viewer, is 0 at the target, and is linear in x and y on any plane, in perspective too.
    """
    x, y, depth = _seen(np.asarray(points, np.float64), camera, frame)
    return np.stack([frame.size / 2 + x, frame.size / 2 - y, depth], -1)


def fit(
    points: Floats, *, cameras: Sequence[Camera], size: int, margin: float, max_scale: float = float("inf")
) -> Frame:
    """The frame in which all the points fit for every camera, as large as they can be.

    `points` (n, 3): corners of *everything* that any compared picture shows. `size` and `margin` in pixels, `max_scale` in pixels
    per unit. One camera: the points are centred in its picture; several: the middle of their bounding box is.
    Raises ValueError without points or cameras, or when the margins leave no room.
    """
    if not len(points) or not cameras or 2 * margin >= size:
        raise ValueError(
            f"{len(points)} points, {len(cameras)} cameras, {size} pixels less margins of {margin}: no frame"
        )
    middle = (points.min(0) + points.max(0)) / 2
    frame = Frame(size, 1.0, _vector(middle), float(points[:, 2].min()))
    for _ in range(ROUNDS):
        scale = min(_largest_scale(points, camera, frame, size / 2 - margin) for camera in cameras)
        frame = replace(frame, scale=min(scale, max_scale))
        if len(cameras) > 1:
            return frame
        frame = replace(frame, target=_recentred(points, cameras[0], frame))
    return replace(frame, scale=min(_largest_scale(points, cameras[0], frame, size / 2 - margin), max_scale))


def _sine_cosine(angle: float) -> tuple[float, float]:
    return round(sin(angle), DIGITS), round(cos(angle), DIGITS)


def _vector(values: Floats) -> Vector:
    x, y, z = values.tolist()
    return x, y, z


def _along(points: Floats, axis: Floats) -> Floats:
    """Dot products without BLAS, whose rounding depends on the processor."""
    result: Floats = points[..., 0] * axis[0] + points[..., 1] * axis[1] + points[..., 2] * axis[2]
    return result


def _seen(points: Floats, camera: Camera, frame: Frame) -> list[Floats]:
    """To the right of the target, above it and nearer than it, in pixels of the picture."""
    right, up, towards = (_along(points - np.array(frame.target), axis) * frame.scale for axis in camera.axes())
    magnified = 1 / (1 - camera.nearness(frame.size) * towards)
    return [right * magnified, up * magnified, towards * magnified]


def _largest_scale(points: Floats, camera: Camera, frame: Frame, room: float) -> float:
    """Pixels per unit at which no point is more than `room` pixels from the middle: |x| s / (1 - n s h) <= room, solved for s."""
    right, up, towards = (_along(points - np.array(frame.target), axis) for axis in camera.axes())
    extent = np.maximum(np.abs(right), np.abs(up)) + room * camera.nearness(frame.size) * towards
    return room / max(float(extent.max()), 1e-9)


def _recentred(points: Floats, camera: Camera, frame: Frame) -> Vector:
    """A target that brings the middle of the picture's contents nearer to the middle of the picture."""
    x, y, _ = _seen(points, camera, frame)
    right, up, _ = camera.axes()
    dx, dy = (float(values.min() + values.max()) / 2 / frame.scale for values in (x, y))
    return _vector(np.array(frame.target) + dx * right + dy * up)

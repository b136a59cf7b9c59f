"""Pictures of mechanisms: flat parts from above, lying and standing ones from the side; teeth that mesh where parts touch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import atan2, cos, hypot, pi, radians, sin
from typing import TYPE_CHECKING

from cogsight.shared.render.canvas import Canvas
from cogsight.shared.render.palette import ARROWS, INK, PAPER, Color, shade

from .mechanism import FLAT, STEP, Link, Mechanism, Part
from .mechanism_layout import BEVEL, MODULE, RACK, STROKE, WORM, geneva_arms, radius, size
from .sheet import SMOOTH

if TYPE_CHECKING:
    from PIL import Image

Point = tuple[float, float]

FILLS: tuple[Color, ...] = (
    (232, 170, 160),
    (170, 198, 232),
    (176, 220, 176),
    (242, 216, 146),
    (206, 184, 232),
    (176, 222, 224),
    (226, 202, 172),
    (214, 214, 214),
)
"""Of bodies A, B, C …"""

BELT: Color = (70, 70, 70)
PITCH = pi * MODULE
"""Pixels from tooth to tooth."""

ADDENDUM, DEDENDUM = 0.85 * MODULE, 1.05 * MODULE
"""How far teeth reach over the pitch circle, and gaps below it, pixels."""


class Pen:
    """Draws with coordinates in pixels and parts of pixels."""

    def __init__(self, width: int, height: int) -> None:
        self.canvas = Canvas(width * SMOOTH, height * SMOOTH, PAPER, 1)

    def polygon(
        self, points: Sequence[Point], fill: Color | None, edge: Color | None = INK, width: float = 1.5
    ) -> None:
        """Closed, its edge on its outline."""
        self.canvas.polygon([_fine(point) for point in points], fill, edge, round(width * SMOOTH))

    def line(self, one: Point, other: Point, color: Color = INK, width: float = 1.5) -> None:
        """A straight line."""
        self.canvas.line(_fine(one), _fine(other), color, round(width * SMOOTH))

    def disc(self, x: float, y: float, r: float, fill: Color | None, edge: Color | None = INK) -> None:
        """A circle."""
        self.polygon([(x + r * cos(pi * n / 36), y + r * sin(pi * n / 36)) for n in range(72)], fill, edge)

    def text(self, x: float, y: float, text: str, height: int) -> None:
        """In the middle of this point; `height` in pixels."""
        self.canvas.text(_fine((x, y)), text, height * SMOOTH)

    def image(self) -> Image.Image:
        """What has been drawn, in pixels."""
        return self.canvas.image().reduce(SMOOTH)


def _fine(point: Point) -> tuple[int, int]:
    return round(point[0] * SMOOTH), round(point[1] * SMOOTH)


def picture(mechanism: Mechanism, driver: int = 0, *, letters: bool = True) -> Image.Image:
    """With an arrow on body A, where `driver` is 1 or -1, and the letters of the bodies."""
    pen = Pen(*size(mechanism.parts))
    phases = _phases(mechanism)
    links = {link.other: link for link in mechanism.links}
    for number, part in enumerate(mechanism.parts):
        _DRAW[part.kind](pen, mechanism, part, phases.get(number, 0.0), links.get(number))
    for link in mechanism.links:
        if link.kind in ("belt", "cross"):
            _belt(pen, mechanism.parts[link.one], mechanism.parts[link.other], crossed=link.kind == "cross")
    if letters:
        for part in {part.body: part for part in reversed(mechanism.parts)}.values():
            pen.disc(part.x, part.y, 10, PAPER)
            pen.text(part.x, part.y, part.body, 15)
    if driver:
        _arrow(pen, mechanism.driver(), driver)
    return pen.image()


def _fill(part: Part) -> Color:
    return FILLS[(ord(part.body) - ord("A")) % len(FILLS)]


def _phases(mechanism: Mechanism) -> dict[int, float]:
    """Gear → the angle of a tooth, radians; where gears mesh, a tooth of one is in a gap of the other."""
    phases: dict[int, float] = {}
    for number, part in enumerate(mechanism.parts):
        if part.kind == "gear" and number not in phases:
            links = [link for link in mechanism.links if link.kind == "mesh" and number in (link.one, link.other)]
            driven = [link for link in links if link.other == number and link.one in phases]
            first = next((link for link in links if link.one == number), None)
            if driven:
                phases[number] = _meshing(mechanism.parts[driven[0].one], part, phases[driven[0].one])
            else:
                phases[number] = _angle(part, mechanism.parts[first.other]) if first else 0.0
    return phases


def _angle(one: Part, other: Part) -> float:
    return atan2(other.y - one.y, other.x - one.x)


def _offset(part: Part, phase: float, angle: float) -> float:
    """Where this angle lies, in teeth, from a tooth's middle."""
    return ((angle - phase) * part.size / (2 * pi)) % 1


def _meshing(one: Part, other: Part, phase: float) -> float:
    angle = _angle(one, other)
    offset = 0.5 - _offset(one, phase, angle)
    return angle + pi - offset * 2 * pi / other.size


def _gear(pen: Pen, mechanism: Mechanism, part: Part, phase: float, _: Link | None) -> None:
    pitch, turn = radius(part.size), 2 * pi / part.size
    outline: list[Point] = []
    for tooth in range(part.size):
        for share, far in ((-0.29, -DEDENDUM), (-0.15, ADDENDUM), (0.15, ADDENDUM), (0.29, -DEDENDUM)):
            angle, far = phase + (tooth + share) * turn, pitch + far
            outline.append((part.x + far * cos(angle), part.y + far * sin(angle)))
    small = any(
        other.body == part.body and other.kind == "gear" and other.size > part.size for other in mechanism.parts
    )
    pen.polygon(outline, shade(_fill(part), 84 if small else 100))
    if part.size >= 15:
        pen.disc(part.x, part.y, pitch - DEDENDUM - 4, None, shade(_fill(part), 80))


def _pulley(pen: Pen, _: Mechanism, part: Part, __: float, ___: Link | None) -> None:
    pen.disc(part.x, part.y, radius(part.size), shade(_fill(part), 88))


def _belt(pen: Pen, one: Part, other: Part, *, crossed: bool) -> None:
    """The two tangents that belong to it, and the arcs around the pulleys."""
    r, s, apart, angle = (
        radius(one.size),
        radius(other.size),
        hypot(other.x - one.x, other.y - one.y),
        _angle(one, other),
    )
    lean = ((r + s) if crossed else (r - s)) / apart
    bend = atan2((1 - lean * lean) ** 0.5, lean)
    for side in (1, -1):
        away = angle + side * bend
        back = away + pi if crossed else away
        start = (one.x + r * cos(away), one.y + r * sin(away))
        pen.line(start, (other.x + s * cos(back), other.y + s * sin(back)), BELT, 3)
    for part, middle, half in ((one, angle + pi, pi - bend), (other, angle, pi - bend if crossed else bend)):
        spots = [middle + half * n / 24 for n in range(-24, 25)]
        points = [(part.x + radius(part.size) * cos(a), part.y + radius(part.size) * sin(a)) for a in spots]
        for start, end in pairwise(points):
            pen.line(start, end, BELT, 3)


def _along(link: Link | None, mechanism: Mechanism, side: str) -> float:
    """How far a tooth of a bar is from where it touches its gear, along its axis, pixels; the gear at a phase of 0 or as it meshes."""
    if link is None:
        return 0.0
    i, j = STEP[side]
    number = link.one if mechanism.parts[link.one].kind == "gear" else link.other
    phase = _phases(mechanism)[number]
    angle = atan2(j, i)
    return (0.5 - _offset(mechanism.parts[number], phase, angle)) * PITCH


def _rack(pen: Pen, mechanism: Mechanism, part: Part, _: float, link: Link | None) -> None:
    side = link.detail if link else "down"
    i, j = STEP[side]
    length, height = RACK
    shift = _along(link, mechanism, side)

    def spot(along: float, depth: float) -> Point:
        """Along the gear's turning, and away from the gear from its pitch circle on."""
        depth -= MODULE + height / 2
        return part.x - j * along + i * depth, part.y + i * along + j * depth

    outline = []
    for tooth in range(-4, 5):
        for share, depth in ((-0.29, DEDENDUM), (-0.15, -ADDENDUM), (0.15, -ADDENDUM), (0.29, DEDENDUM)):
            outline.append(spot(shift + (tooth + share) * PITCH, depth))
    ends = [
        spot(length / 2, DEDENDUM),
        spot(length / 2, height),
        spot(-length / 2, height),
        spot(-length / 2, DEDENDUM),
    ]
    pen.polygon([*outline, *ends], _fill(part))


def _worm(pen: Pen, mechanism: Mechanism, part: Part, _: float, __: Link | None) -> None:
    """Threads of a right-handed worm lean to the left, as "\\" does."""
    number = mechanism.parts.index(part)
    link = next(link for link in mechanism.links if link.kind == "worm" and link.one == number)
    hand, side = link.detail.split(" ")
    length, thick = WORM
    bevel = next((other for other in mechanism.parts if other.kind == "bevel" and other.body == part.body), None)
    ends = [part.x - length / 2 - 14, part.x + length / 2 + 14]
    if bevel:
        ends[0 if bevel.x < part.x else 1] = bevel.x
    pen.polygon(
        [(ends[0], part.y - 5), (ends[1], part.y - 5), (ends[1], part.y + 5), (ends[0], part.y + 5)], (200, 200, 200)
    )
    left, right, top, low = part.x - length / 2, part.x + length / 2, part.y - thick, part.y + thick
    pen.polygon([(left, top), (right, top), (right, low), (left, low)], _fill(part))
    lean = PITCH / 2 * (1 if hand == "R" else -1)
    gear_side = STEP[side][1]
    shift = -gear_side * _along(link, mechanism, "up" if side == "down" else "down") - gear_side * lean / 2
    for n in range(-8, 9):
        x = part.x + shift + n * PITCH
        start, end = (x - lean / 2, top - 2), (x + lean / 2, low + 2)
        if min(start[0], end[0]) > left and max(start[0], end[0]) < right:
            pen.line(start, end, INK, 4)


def _bevel(pen: Pen, mechanism: Mechanism, part: Part, _: float, __: Link | None) -> None:
    """A cone from the side, its teeth running to where the axles meet."""
    other = next(o for o in mechanism.parts if o.kind == "bevel" and o is not part)
    standing = part.way == "standing"
    corner = (part.x, part.y - BEVEL) if standing else (other.x, part.y)
    i, j = (0, 1) if standing else ((1 if part.x > other.x else -1), 0)

    def spot(depth: float, across: float) -> Point:
        return corner[0] + i * depth + j * across, corner[1] + j * depth + i * across

    if standing:
        pen.polygon([spot(BEVEL, -5), spot(BEVEL + 40, -5), spot(BEVEL + 40, 5), spot(BEVEL, 5)], (200, 200, 200))
    near, far = 0.45 * BEVEL, 0.96 * BEVEL
    pen.polygon([spot(near, -near), spot(near, near), spot(far, far), spot(far, -far)], _fill(part))
    for n in range(-4, 5):
        share = sin(radians(n * 20))
        pen.line(spot(near, near * share), spot(far, far * share), INK, 1.5)
    pen.polygon(
        [spot(far, -far), spot(far, far), spot(far + 7, far - 5), spot(far + 7, 5 - far)], shade(_fill(part), 80)
    )


def _slider(pen: Pen, mechanism: Mechanism, part: Part, _: float, link: Link | None) -> None:
    if link is None:
        return
    side, angle = link.detail.split(" ")
    i, j = STEP[side]
    gear = mechanism.parts[link.one]
    turned, far = radians(int(angle)) + atan2(j, i), STROKE * radius(gear.size)
    pin = (gear.x + far * cos(turned), gear.y + far * sin(turned))
    for edge in (1, -1):
        start = (part.x - 46 * i - 17 * j * edge, part.y - 46 * j - 17 * i * edge)
        pen.line(start, (start[0] + 92 * i, start[1] + 92 * j), BELT, 3)
    wide, high = (20, 15) if i else (15, 20)
    box = [(part.x + a * wide, part.y + b * high) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    pen.polygon(box, _fill(part))
    joint = (part.x - 14 * i, part.y - 14 * j)
    pen.line(pin, joint, INK, 8)
    pen.line(pin, joint, (225, 225, 225), 5)
    for x, y in (pin, joint):
        pen.disc(x, y, 5, (120, 120, 120))


def _geneva(pen: Pen, mechanism: Mechanism, part: Part, _: float, link: Link | None) -> None:
    """A wheel with slots, and the arm of its driver, its pin in a slot."""
    if link is None:
        return
    gear = mechanism.parts[link.one]
    apart, arm, rim = geneva_arms(part.size)
    toward = _angle(part, gear)
    outline: list[Point] = []
    hub = apart - arm - 6
    block = arm * 0.72
    for n in range(part.size):
        slot = toward + 2 * pi * n / part.size
        edge = 4 / rim
        outline += [
            _polar(part, rim, slot - edge),
            _polar(part, hub, slot - 4 / hub),
            _polar(part, hub, slot + 4 / hub),
        ]
        outline.append(_polar(part, rim, slot + edge))
        middle = slot + pi / part.size
        center = _polar(part, apart, middle)
        half = pi / part.size * 0.62
        start, end = _polar(part, rim, middle - half), _polar(part, rim, middle + half)
        outline.append(start)
        bite = min(block, 0.95 * hypot(center[0] - start[0], center[1] - start[1]))
        for share in range(1, 8):
            a = middle - half + 2 * half * share / 8
            x, y = rim * cos(a) + part.x, rim * sin(a) + part.y
            far = hypot(x - center[0], y - center[1])
            deep = max(0.0, bite - far)
            outline.append((x - deep * cos(middle), y - deep * sin(middle)))
        outline.append(end)
    pen.polygon(outline, _fill(part))
    pin = (gear.x + arm * cos(toward + pi), gear.y + arm * sin(toward + pi))
    pen.line((gear.x, gear.y), pin, INK, 13)
    pen.line((gear.x, gear.y), pin, shade(_fill(gear), 84), 10)
    pen.disc(*pin, 3.5, (90, 90, 90))
    pen.disc(gear.x, gear.y, 14, shade(_fill(gear), 84))


def _polar(part: Part, far: float, angle: float) -> Point:
    return part.x + far * cos(angle), part.y + far * sin(angle)


_DRAW: dict[str, Callable[[Pen, Mechanism, Part, float, Link | None], None]] = {
    "gear": _gear,
    "pulley": _pulley,
    "rack": _rack,
    "worm": _worm,
    "bevel": _bevel,
    "slider": _slider,
    "geneva": _geneva,
}
"""Kind of part → how it is drawn."""

RED = ARROWS["red"]


def _arrow(pen: Pen, part: Part, way: int) -> None:
    """Around the middle of a flat part; across the near side of an axle that lies or stands."""
    if part.way == FLAT:
        far = max(15.0, 0.62 * radius(part.size))
        spots = [radians(way * degree) for degree in range(-200, 41, 6)]
        _curve(pen, [(part.x + far * cos(a), part.y + far * sin(a)) for a in spots])
        return
    lying = part.kind == "worm"
    x, y = (part.x - WORM[0] / 2 - 26, part.y) if lying else (part.x, part.y + 26)
    i, j = (0, way) if lying else (way, 0)
    reach, bow = 20, 9
    line = [radians(degree) for degree in range(-70, 71, 7)]
    _curve(
        pen,
        [
            (x + i * reach * sin(a) + abs(j) * bow * cos(a), y + j * reach * sin(a) + abs(i) * bow * cos(a))
            for a in line
        ],
    )


def _curve(pen: Pen, points: list[Point]) -> None:
    for one, other in pairwise(points):
        pen.line(one, other, RED, 3)
    (a, b), (x, y) = points[-2:]
    angle = atan2(y - b, x - a)
    tip = [(x + 9 * cos(angle), y + 9 * sin(angle))]
    pen.polygon(tip + [(x + 8 * cos(angle + s * 2.2), y + 8 * sin(angle + s * 2.2)) for s in (1, -1)], RED, RED)

"""One individual: a subject's look put into an action's pose, dressed in colours of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import atan2, degrees, dist

from . import props
from .looks import LOOKS, SKIN, TONES, Clothes, Coat, Look
from .poses import POSES, Joint, Pose
from .svg import Point, along, ellipse, group, hull, limb, line, polygon, recoloured

SHOE = "#44404a"


@dataclass(frozen=True)
class Dress:
    """What varies from one individual to the next, whoever it is and whatever it does. Colours are `#rrggbb`."""

    tone: int
    """Of `looks.TONES`."""
    top: str
    bottom: str
    accent: str
    """Scarf, cap, tie, bow."""
    paint: str
    """The main colour of things: car, book, letters on a screen."""
    second: str
    """Seats."""
    wood: str
    edge: str
    """Wood in the shade."""
    crate: str
    tape: str
    food: int
    """Of `props.FOODS`."""
    tilt: float
    """Degrees added to the turn of the head, clockwise."""
    mirror: bool
    """Faces left."""


@dataclass(frozen=True)
class Figure:
    """All that a body part needs to draw itself."""

    look: Look
    pose: Pose
    dress: Dress
    key: str
    """Different for each figure of a drawing."""

    @property
    def skin(self) -> str:
        """Bare skin, or fur."""
        wear = self.look.wear
        return wear.fur if isinstance(wear, Coat) else TONES[self.dress.tone][SKIN]

    @property
    def shoe(self) -> str:
        """Colour of the feet."""
        wear = self.look.wear
        if isinstance(wear, Coat):
            return wear.paw
        return self.skin if self.pose.swims else SHOE


def draw_figure(subject: str, action: str, dress: Dress, *, key: str) -> str:
    """SVG of one individual that stands on (0, 0), within the space that `poses` names times the subject's size."""
    look, pose = LOOKS[subject], POSES[action]
    if pose.swims and isinstance(look.wear, Clothes):
        look = replace(look, wear=look.wear.for_water())
    figure = Figure(look, pose, dress, key)
    colors = _colors(dress)
    drawn = [PARTS[name](figure) if name in PARTS else props.PROPS[name].format_map(colors) for name in pose.layers]
    return group("".join(drawn), scale=look.build.size, mirror=dress.mirror)


def extent(subject: str, action: str) -> tuple[float, float]:
    """The top of the head and the lower edge of what is on the ground; y, units of a drawing."""
    build = LOOKS[subject].build
    return build.size * POSES[action].neck[1] - build.head * build.chin / 128, build.size * props.BELOW


def _colors(dress: Dress) -> Mapping[str, str]:
    """The fields of props and extras."""
    fields = ("accent", "paint", "second", "wood", "edge", "crate", "tape")
    return {"food": props.FOODS[dress.food]} | {name: getattr(dress, name) for name in fields}


def _arm(figure: Figure, joint: Joint, side: int) -> str:
    wear, width = figure.look.wear, figure.look.build.arm
    x, y = figure.pose.neck
    path = [(x + side * figure.pose.spread, y + 15), *joint]
    bare = limb(path, figure.skin, width)
    if isinstance(wear, Coat):
        return bare + ellipse(joint[1], (width * 0.55, width * 0.55), wear.paw, 2)
    return bare + (limb(along(path, wear.sleeve), figure.dress.top, width) if wear.sleeve else "")


def _leg(figure: Figure, joint: Joint, side: int) -> str:
    wear, width, pose = figure.look.wear, figure.look.build.leg, figure.pose
    knee, ankle = joint
    path = [(pose.hip[0] + side * pose.spread * 0.8, pose.hip[1]), *joint]
    drawn = limb(path, figure.skin, width)
    if isinstance(wear, Clothes) and wear.trouser:
        drawn += limb(along(path, wear.trouser), figure.dress.bottom, width)
    foot = props.SKATE if pose.skates else ellipse((5, 0), (width * 0.85, width * 0.5), figure.shoe)
    # Toes point forward across the shin; from the front, outwards.
    return drawn + group(foot, ankle, turn=_slope(knee, ankle), mirror=pose.frontal and side < 0)


def _trunk(figure: Figure) -> str:
    """Drawn in a frame in which the neck is (0, 0) and the hip straight below it."""
    wear, dress, width, pose = figure.look.wear, figure.dress, figure.look.build.trunk, figure.pose
    top = width / 2 - 4
    bottom = max(width / 2, dist(pose.neck, pose.hip) - width / 2 + 10)
    if isinstance(wear, Coat):
        drawn = limb([(0, top), (0, bottom)], wear.fur, width)
        drawn += line([(2, top + 8), (2, bottom)], wear.belly, width * 0.52)
        drawn += limb([(-width * 0.36, 6), (width * 0.36, 6)], dress.accent, 7)
    else:
        below = dress.bottom if wear.trouser else dress.top
        drawn = limb([(0, top), (0, bottom)], below, width) + line(
            [(0, top), (0, bottom - width * 0.3)], dress.top, width
        )
        drawn += _extras(props.ON_TRUNK, wear, dress)
    return group(drawn, pose.neck, turn=_slope(pose.neck, pose.hip))


def _skirt(figure: Figure) -> str:
    wear, build, pose = figure.look.wear, figure.look.build, figure.pose
    if isinstance(wear, Coat) or not wear.skirt:
        return ""
    (x, y), half, flare = pose.hip, build.trunk / 2, build.leg / 2 + 5
    corners = [(x - half, y - 6), (x + half, y - 6)]
    for leg in (pose.far_leg, pose.near_leg):
        x, y = along([pose.hip, *leg], wear.skirt)[-1]
        corners += [(x - flare, y + 3), (x + flare, y + 3)]
    return polygon(hull(corners), figure.dress.top)


def _tail(figure: Figure) -> str:
    wear, (x, y) = figure.look.wear, figure.pose.hip
    if isinstance(wear, Clothes):
        return ""
    rump = x - figure.look.build.trunk / 2 + 12
    path = [(rump + dx, y + 8 + dy) for dx, dy in wear.tail.path]
    drawn = limb(path, wear.fur, wear.tail.width)
    return drawn + (line(path[-2:], wear.tail.tip, wear.tail.width) if wear.tail.tip else "")


def _head(figure: Figure) -> str:
    wear, build, dress = figure.look.wear, figure.look.build, figure.dress
    if isinstance(wear, Coat):
        face = recoloured(figure.look.art, {}, figure.key)
    else:
        face = recoloured(figure.look.art, TONES[dress.tone], figure.key) + _extras(props.ON_HEAD, wear, dress)
    (x, y), scale = figure.pose.neck, build.head / build.size / 128
    return group(group(face, (-64, -build.chin)), (x, y + 3), scale=scale, turn=figure.pose.tilt + dress.tilt)


def _extras(table: Mapping[str, str], wear: Clothes, dress: Dress) -> str:
    return "".join(table[name].format_map(_colors(dress)) for name in wear.extras if name in table)


def _slope(start: Point, end: Point) -> float:
    """Degrees by which what hangs straight down must be turned to point from `start` to `end`."""
    return degrees(atan2(end[1] - start[1], end[0] - start[0])) - 90


PARTS: Mapping[str, Callable[[Figure], str]] = {
    "far_arm": lambda figure: _arm(figure, figure.pose.far_arm, -1),
    "near_arm": lambda figure: _arm(figure, figure.pose.near_arm, 1),
    "far_leg": lambda figure: _leg(figure, figure.pose.far_leg, -1),
    "near_leg": lambda figure: _leg(figure, figure.pose.near_leg, 1),
    "trunk": _trunk,
    "skirt": _skirt,
    "tail": _tail,
    "head": _head,
}
"""Names in `Pose.layers` that are parts of the body; the others are `props.PROPS`."""

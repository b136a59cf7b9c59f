"""Mechanisms: parts that hold on to each other, and how they move together. What Mechanical System builds with.

The picture lies in the plane of most axles' feet: a flat part turns clockwise (+) or anticlockwise (-). A part whose axle lies in the
picture turns so that its near side goes right or down (+), left or up (-); racks and sliders go right or down (+), left or up (-).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

FLAT, LYING, STANDING, ACROSS, ALONG = "flat", "lying", "standing", "across", "along"

WAYS: dict[str, tuple[str, str]] = {
    FLAT: ("turns clockwise", "turns anticlockwise"),
    LYING: ("turns with its near side going down", "turns with its near side going up"),
    STANDING: ("turns with its near side going right", "turns with its near side going left"),
    ACROSS: ("moves to the right", "moves to the left"),
    ALONG: ("moves down", "moves up"),
}
"""How a part can move → what + and - are called. A lying axle runs from left to right, a standing one up and down."""

RIGHT, DOWN, LEFT, UP = "right", "down", "left", "up"

STEP: dict[str, tuple[int, int]] = {RIGHT: (1, 0), DOWN: (0, 1), LEFT: (-1, 0), UP: (0, -1)}
"""Side → pixels, y down."""


@dataclass(frozen=True, slots=True)
class Part:
    """A wheel, a bar or a screw. Text: "B:gear:120,80:24", the body that it is fixed to, its kind, where its middle is, its size."""

    body: str
    """A letter. Parts with one letter are one piece: they turn together."""
    kind: str
    """gear, pulley, rack, worm, bevel, slider or geneva."""
    x: int
    y: int
    size: int
    """Teeth of a gear or a bevel, relative diameter of a pulley, slots of a Geneva wheel, threads of a worm; 0 of others."""
    way: str = FLAT
    """How it can move, a name in WAYS."""

    def __str__(self) -> str:
        return f"{self.body}:{self.kind}:{self.x},{self.y}:{self.size}:{self.way}"

    @classmethod
    def parse(cls, text: str) -> Part:
        """Reads what `str` writes."""
        body, kind, at, size, way = text.split(":")
        x, y = map(int, at.split(","))
        return cls(body, kind, x, y, int(size), way)


@dataclass(frozen=True, slots=True)
class Link:
    """Two parts that drive each other. Text: "mesh.0.1" or "rack.0.1.down", numbers of the parts, and what its kind asks for."""

    kind: str
    """A name in RATIOS."""
    one: int
    other: int
    detail: str = ""
    """rack: the side of the gear where it is. worm: hand and side of the worm where the gear is, "R down". bevel: the side of the
    standing one where the lying one is. crank: the side where the slider is and the pin's angle from there, clockwise, "left 60"."""

    def __str__(self) -> str:
        return ".".join((self.kind, str(self.one), str(self.other), *self.detail.split(" "))).rstrip(".")

    @classmethod
    def parse(cls, text: str) -> Link:
        """Reads what `str` writes."""
        kind, one, other, *detail = text.split(".")
        return cls(kind, int(one), int(other), " ".join(detail))


@dataclass(frozen=True, slots=True)
class Mechanism:
    """Parts and links. Text: parts, ";", links, each with spaces between."""

    parts: tuple[Part, ...]
    links: tuple[Link, ...]

    def __str__(self) -> str:
        return f"{' '.join(map(str, self.parts))} ; {' '.join(map(str, self.links))}"

    @classmethod
    def parse(cls, text: str) -> Mechanism:
        """Reads what `str` writes."""
        parts, links = text.split(" ; ")
        return cls(tuple(map(Part.parse, parts.split())), tuple(map(Link.parse, links.split())))

    def driver(self) -> Part:
        """The first part of A, which is driven."""
        return next(part for part in self.parts if part.body == "A")

    def ways(self) -> dict[str, str]:
        """Body → how it can move."""
        return {part.body: part.way for part in self.parts}


def _sized(sign: int) -> Callable[[Part, Part, str], Fraction]:
    """Speeds are inverse to sizes."""
    return lambda one, other, _: Fraction(sign * one.size, other.size)


def _rack(one: Part, _: Part, side: str) -> Fraction:
    """Teeth by which the rack moves per turn. At its top and on its right a wheel that turns clockwise goes right and down."""
    return Fraction(one.size if side in (UP, RIGHT) else -one.size)


def _worm(one: Part, other: Part, detail: str) -> Fraction:
    """The thread of a right-handed worm whose near side goes down runs to the left."""
    hand, side = detail.split(" ")
    sign = (-1 if hand == "R" else 1) * (1 if side == DOWN else -1)
    return Fraction(sign * one.size, other.size)


def _bevel(one: Part, other: Part, side: str) -> Fraction:
    """Where the standing one has its right side go away from who looks, the lying one on its right has its lower side go away."""
    return Fraction(one.size if side == RIGHT else -one.size, other.size)


def _crank(_: Part, __: Part, detail: str) -> Fraction:
    """Only the sign counts: in the half turn that begins where the pin is nearest to the slider, the slider is pulled."""
    side, angle = detail.split(" ")
    pulled = 0 < int(angle) % 360 < 180
    return Fraction(1 if pulled == (side in (LEFT, UP)) else -1)


RATIOS: Mapping[str, Callable[[Part, Part, str], Fraction]] = {
    "mesh": _sized(-1),
    "belt": _sized(1),
    "cross": _sized(-1),
    "rack": _rack,
    "worm": _worm,
    "bevel": _bevel,
    "crank": _crank,
    "geneva": lambda _, other, __: Fraction(-1, other.size),
}
"""Kind of link → by how much the other part moves while the first makes a turn."""


def speeds(mechanism: Mechanism) -> dict[str, Fraction]:
    """Body → its motion per turn of body A, from one to the next; all 0 where two ways of getting to a body contradict each other."""
    bodies = [part.body for part in mechanism.parts]
    steps = []
    for link in mechanism.links:
        one, other = mechanism.parts[link.one], mechanism.parts[link.other]
        ratio = RATIOS[link.kind](one, other, link.detail)
        steps += [(one.body, other.body, ratio), (other.body, one.body, 1 / ratio)]
    found = {"A": Fraction(1)}
    queue = ["A"]
    for body in queue:
        for here, there, ratio in steps:
            if here == body:
                if there not in found:
                    found[there] = found[here] * ratio
                    queue.append(there)
                elif found[there] != found[here] * ratio:
                    return dict.fromkeys(bodies, Fraction(0))
    return found

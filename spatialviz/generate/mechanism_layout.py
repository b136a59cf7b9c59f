"""Mechanisms at random: each new part is put where there is room, so that what touches in the picture is what drives."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import cos, hypot, pi, radians, sin
from random import Random

from .mechanism import ACROSS, ALONG, DOWN, LEFT, LYING, RIGHT, STANDING, STEP, UP, Link, Mechanism, Part

MODULE = 5
"""Pixels of pitch diameter per tooth."""

ROOM = 9
"""Pixels between things that do not touch."""

WORM = (104, 14)
"""Length and radius of a worm, pixels."""

BEVEL = 34
"""Radius of a bevel gear's wide end, pixels, and its distance from where the axles meet."""

RACK = (150, 26)
"""Length and height of a rack, pixels."""

STROKE = 0.62
"""Distance of a crank's pin from the middle, as a share of the gear's radius."""

TEETH = (10, 12, 15, 18, 20, 24, 30)
PULLEYS = (8, 10, 12, 15, 20)
SIDES = (RIGHT, DOWN, LEFT, UP)
EXTENT = (520, 400)
"""Largest picture, pixels."""


def radius(size: int) -> float:
    """Of a gear's pitch circle, or a pulley, pixels."""
    return size * MODULE / 2


def geneva_arms(slots: int) -> tuple[float, float, float]:
    """Distance of the middles, pin circle and wheel radius, pixels."""
    distance = 84.0
    return distance, distance * sin(pi / slots), distance * cos(pi / slots)


def rod(gear: Part) -> float:
    """Length of a slider's rod, pixels."""
    return 1.5 * radius(gear.size) + 34


@dataclass
class Yard:
    """A mechanism that grows."""

    rng: Random
    parts: list[Part] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    discs: list[tuple[float, float, float, str]] = field(default_factory=list)
    """Taken: middle, radius, body."""
    bands: list[tuple[float, float, float, float, float, str]] = field(default_factory=list)
    """Taken by belts and bars: ends, half width, bodies."""

    def letter(self) -> str:
        """The next body's."""
        return chr(ord("A") + len({part.body for part in self.parts}))

    def add(self, part: Part, reach: float) -> int:
        """Puts a part there; its number."""
        self.parts.append(part)
        self.discs.append((part.x, part.y, reach, part.body))
        return len(self.parts) - 1

    def is_free(self, x: float, y: float, reach: float, but: str = "") -> bool:
        """Is there room for a disc? Bodies in `but` do not count."""
        discs = all(b in but or hypot(x - i, y - j) >= reach + r + ROOM for i, j, r, b in self.discs)
        return discs and all(b in but or _gap(x, y, band) >= reach + half + ROOM for *band, half, b in self.bands)

    def is_clear(self, band: tuple[float, float, float, float], half: float, but: str) -> bool:
        """Is there room for a straight band?"""
        discs = all(b in but or _gap(i, j, list(band)) >= half + r + ROOM for i, j, r, b in self.discs)
        return discs and not any(_cross(band, (a, b, c, d)) for a, b, c, d, _, _ in self.bands)


def _gap(x: float, y: float, band: list[float]) -> float:
    """Distance of a point from a segment."""
    a, b, c, d = band
    length = (c - a) ** 2 + (d - b) ** 2
    share = max(0.0, min(1.0, ((x - a) * (c - a) + (y - b) * (d - b)) / length))
    return hypot(x - a - share * (c - a), y - b - share * (d - b))


def _cross(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    """Do two segments come near each other?"""
    ends = [(*one[:2], other), (*one[2:], other), (*other[:2], one), (*other[2:], one)]
    return min(_gap(x, y, list(band)) for x, y, band in ends) < 40 or _meet(one, other)


def _meet(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    def side(a: float, b: float, c: float, d: float, x: float, y: float) -> bool:
        return (c - a) * (y - b) - (d - b) * (x - a) > 0

    apart = side(*one, *other[:2]) != side(*one, *other[2:])
    return apart and side(*other, *one[:2]) != side(*other, *one[2:])


def mesh(yard: Yard, on: int) -> int | None:
    """A new gear beside this one."""
    gear = yard.parts[on]
    for angle in yard.rng.sample(range(0, 360, 30), 12):
        teeth = yard.rng.choice(TEETH)
        apart, reach = radius(gear.size) + radius(teeth), radius(teeth) + MODULE
        x, y = round(gear.x + apart * cos(radians(angle))), round(gear.y + apart * sin(radians(angle)))
        if yard.is_free(x, y, reach, gear.body):
            number = yard.add(Part(yard.letter(), "gear", x, y, teeth), reach)
            yard.links.append(Link("mesh", on, number))
            return number
    return None


def belt(yard: Yard, on: int) -> int | None:
    """A pulley on this gear, and a belt from it to a new gear with a pulley."""
    gear = yard.parts[on]
    sizes = [size for size in PULLEYS if radius(size) + 12 < radius(gear.size)]
    for angle in yard.rng.sample(range(0, 360, 30), 12) if sizes else ():
        size, teeth, there = yard.rng.choice(sizes), yard.rng.choice(TEETH), yard.rng.choice(PULLEYS)
        apart, reach = radius(gear.size) + radius(teeth) + yard.rng.randrange(30, 80), radius(teeth) + MODULE
        x, y = round(gear.x + apart * cos(radians(angle))), round(gear.y + apart * sin(radians(angle)))
        letter, half, band = yard.letter(), radius(max(size, there)), (gear.x, gear.y, x, y)
        fits = radius(there) + 12 < radius(teeth) and yard.is_free(x, y, reach)
        if fits and yard.is_clear(band, half, gear.body + letter):
            number = yard.add(Part(letter, "gear", x, y, teeth), reach)
            one = yard.add(Part(gear.body, "pulley", gear.x, gear.y, size), 0)
            other = yard.add(Part(letter, "pulley", x, y, there), 0)
            yard.links.append(Link(yard.rng.choice(("belt", "cross")), one, other))
            yard.bands.append((*band, half, gear.body + letter))
            return number
    return None


def step(yard: Yard, on: int) -> int | None:
    """A small gear on this one, and a new gear beside the small one, in front of the large one."""
    gear = yard.parts[on]
    sizes = [size for size in (10, 12, 15) if radius(size) + 22 <= radius(gear.size)]
    if not sizes or sum(part.body == gear.body for part in yard.parts) > 1:
        return None
    small = yard.add(Part(gear.body, "gear", gear.x, gear.y, yard.rng.choice(sizes)), 0)
    number = mesh(yard, small)
    if number is None:
        yard.parts.pop()
        yard.discs.pop()
    return number


JOINTS = {"mesh": mesh, "belt": belt, "step": step}


def rack(yard: Yard, on: int) -> int | None:
    """A bar with teeth along one side of this gear."""
    gear = yard.parts[on]
    length, height = RACK
    for side in yard.rng.sample(SIDES, 4):
        i, j = STEP[side]
        apart = radius(gear.size) + MODULE + height / 2
        x, y = round(gear.x + i * apart), round(gear.y + j * apart)
        band = (x - abs(j) * length / 2, y - abs(i) * length / 2, x + abs(j) * length / 2, y + abs(i) * length / 2)
        if yard.is_clear(band, height / 2, gear.body):
            part = Part(yard.letter(), "rack", x, y, 0, ACROSS if j else ALONG)
            number = yard.add(part, height / 2)
            yard.bands.append((*band, height / 2, gear.body + part.body))
            yard.links.append(Link("rack", on, number, side))
            return number
    return None


def slider(yard: Yard, on: int) -> int | None:
    """A pin on this gear that moves a block to and fro."""
    gear = yard.parts[on]
    if gear.size < 15 or sum(part.body == gear.body for part in yard.parts) > 1:
        return None
    for side in yard.rng.sample(SIDES, 4):
        i, j = STEP[side]
        angle = yard.rng.choice([*range(40, 141, 10), *range(220, 321, 10)])
        arm = STROKE * radius(gear.size)
        along = arm * cos(radians(angle)) + (rod(gear) ** 2 - (arm * sin(radians(angle))) ** 2) ** 0.5
        x, y = round(gear.x + i * along), round(gear.y + j * along)
        far = rod(gear) + arm + 22
        band = (gear.x + i * 20, gear.y + j * 20, gear.x + i * far, gear.y + j * far)
        if yard.is_clear(band, 24, gear.body):
            part = Part(yard.letter(), "slider", x, y, 0, ALONG if j else ACROSS)
            number = yard.add(part, 20)
            yard.bands.append((*band, 24, gear.body + part.body))
            yard.links.append(Link("crank", on, number, f"{side} {angle}"))
            return number
    return None


def geneva(yard: Yard, on: int) -> int | None:
    """A pin on this gear's axle that moves a slotted wheel on by one slot per turn."""
    gear = yard.parts[on]
    slots = yard.rng.choice((4, 5, 6))
    apart, _, reach = geneva_arms(slots)
    if sum(part.body == gear.body for part in yard.parts) > 1 or radius(gear.size) > apart - 26:
        return None
    for angle in yard.rng.sample(range(0, 360, 30), 12):
        x, y = round(gear.x + apart * cos(radians(angle))), round(gear.y + apart * sin(radians(angle)))
        if yard.is_free(x, y, reach, gear.body):
            number = yard.add(Part(yard.letter(), "geneva", x, y, slots), reach)
            yard.links.append(Link("geneva", on, number))
            return number
    return None


ENDS = {"rack": rack, "slider": slider, "geneva": geneva}


def worm(yard: Yard, *, bevel: bool) -> int:
    """A worm, driven by bevel gears or itself the driver, and a gear above or below it."""
    rng, body, (length, thick) = yard.rng, "B" if bevel else "A", WORM
    if bevel:
        side = rng.choice((RIGHT, LEFT))
        way = STEP[side][0]
        teeth = rng.choice((12, 15, 20))
        corner = (-way * (length // 2 + BEVEL + 26), 0)
        standing = yard.add(Part("A", "bevel", corner[0], corner[1] + BEVEL, teeth, STANDING), BEVEL + 12)
        lying = yard.add(Part("B", "bevel", corner[0] + way * BEVEL, corner[1], teeth, LYING), BEVEL + 4)
        yard.links.append(Link("bevel", standing, lying, side))
    screw = yard.add(Part(body, "worm", 0, 0, 1, LYING), thick)
    yard.bands.append((-length / 2, 0, length / 2, 0, thick, body))
    teeth, side = rng.choice(TEETH[3:]), rng.choice((UP, DOWN))
    y = STEP[side][1] * round(radius(teeth) + thick)
    gear = yard.add(Part(yard.letter(), "gear", 0, y, teeth), radius(teeth) + MODULE)
    yard.links.append(Link("worm", screw, gear, f"{rng.choice('RL')} {side}"))
    return gear


def chain(
    rng: Random, bodies: int, joints: tuple[str, ...], ends: tuple[str, ...], starts: tuple[str, ...]
) -> Mechanism | None:
    """So many flat bodies, joined one after the other or at a branch, with an end piece; None where there is no room."""
    yard, start = Yard(rng), rng.choice(starts)
    if start == "gear":
        teeth = rng.choice(TEETH[1:])
        flat = [yard.add(Part("A", "gear", 0, 0, teeth), radius(teeth) + MODULE)]
    else:
        flat = [worm(yard, bevel=start == "bevel")]
    while len(flat) < bodies:
        joint = "mesh" if len(flat) == 1 and start == "gear" else rng.choice(joints)
        number = JOINTS[joint](yard, rng.choice((flat[-1], flat[-1], rng.choice(flat))) if len(flat) > 1 else flat[0])
        if number is None:
            return None
        flat.append(number)
    end = rng.choice(ends)
    if end and ENDS[end](yard, flat[-1]) is None:
        return None
    return placed(_lettered(rng, Mechanism(tuple(yard.parts), tuple(yard.links))))


def _lettered(rng: Random, mechanism: Mechanism) -> Mechanism:
    """All bodies but A with one another's letters: in the order in which they are driven, neighbours in the alphabet would turn opposite ways."""
    others = sorted({part.body for part in mechanism.parts} - {"A"})
    letters = {"A": "A", **dict(zip(others, rng.sample(others, len(others)), strict=True))}
    return replace(mechanism, parts=tuple(replace(part, body=letters[part.body]) for part in mechanism.parts))


REACH = {
    "rack across": (82, 22),
    "rack along": (22, 82),
    "worm lying": (100, 40),
    "bevel standing": (50, 84),
    "bevel lying": (50, 50),
    "slider across": (60, 32),
    "slider along": (32, 60),
}
"""What lies around the middle of a part that is no wheel, to its sides and above or below it, pixels."""


def placed(mechanism: Mechanism) -> Mechanism | None:
    """Moved to the top left corner of its picture; None where it is larger than a picture may be."""
    reach = list(map(_reach, mechanism.parts))
    left = min(part.x - room for part, (room, _) in zip(mechanism.parts, reach, strict=True))
    top = min(part.y - room for part, (_, room) in zip(mechanism.parts, reach, strict=True))
    parts = tuple(replace(part, x=part.x - left, y=part.y - top) for part in mechanism.parts)
    width, height = size(parts)
    return Mechanism(parts, mechanism.links) if width <= EXTENT[0] and height <= EXTENT[1] else None


def size(parts: tuple[Part, ...]) -> tuple[int, int]:
    """Width and height that they need, pixels."""
    reach = list(map(_reach, parts))
    width = max(part.x + room for part, (room, _) in zip(parts, reach, strict=True))
    return width, max(part.y + room for part, (_, room) in zip(parts, reach, strict=True))


def _reach(part: Part) -> tuple[int, int]:
    wheel = round(geneva_arms(part.size)[2] if part.kind == "geneva" else radius(part.size)) + 12
    return REACH.get(f"{part.kind} {part.way}", (wheel, wheel))


def ring(count: int, tilt: int = 0, *, broken: bool = False) -> Mechanism:
    """Equal gears in a ring, each of which meshes with the next; `broken`: the last one is missing. `tilt` in degrees.

    Their teeth fit all around: rings of an odd number take 15 teeth, so that from one neighbour of a gear to the other it is a whole
    number of teeth and a half.
    """
    teeth = 14 if count == 4 else 15
    far, turns = radius(teeth) / sin(pi / count), [2 * pi * n / count + radians(tilt) for n in range(count)]
    spots = [(round(far * cos(turn)), round(far * sin(turn))) for turn in turns]
    gears = tuple(Part(chr(ord("A") + n), "gear", x, y, teeth) for n, (x, y) in enumerate(spots))
    pairs = [*((n, n + 1) for n in range(count - 1)), (count - 1, 0)]
    kept = count - broken
    links = tuple(Link("mesh", one, other) for one, other in pairs if max(one, other) < kept)
    return _fitting(Mechanism(gears[:kept], links))


def belted(count: int, tilt: int = 0, *, crossed: bool) -> Mechanism:
    """Equal gears in a row, each of which meshes with the next, and a belt from the first to the last. `tilt` in degrees."""
    teeth, pulley = 15, 6
    far, (x, y) = 2 * radius(teeth), (cos(radians(tilt)), sin(radians(tilt)))
    gears = [Part(chr(ord("A") + n), "gear", round(n * far * x), round(n * far * y), teeth) for n in range(count)]
    ends = [Part(gear.body, "pulley", gear.x, gear.y, pulley) for gear in (gears[0], gears[-1])]
    links = [Link("mesh", n, n + 1) for n in range(count - 1)]
    links.append(Link("cross" if crossed else "belt", count, count + 1))
    return _fitting(Mechanism((*gears, *ends), tuple(links)))


def _fitting(mechanism: Mechanism) -> Mechanism:
    found = placed(mechanism)
    if found is None:
        raise ValueError(f"{mechanism} is larger than a picture, {EXTENT[0]} by {EXTENT[1]} pixels")
    return found

"""Places where a train of wheels can be read two ways: what is offered beside the right number of turns.

Which of a body's two wheels drives, whether the motion goes over a belt, how many slots a Geneva wheel has: only the picture says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

from .mechanism import Link, Mechanism, Part

INNER, END, BELT, BELT_END, SLOTS = "inner wheels", "end wheels", "belt", "belt at an end", "slots"
"""Two wheels between A and the part asked about, or beside the way from one to the other; two wheels of one of these; a belt; slots."""

SLOT_NUMBERS = (4, 5, 6)


@dataclass(frozen=True, slots=True)
class Doubt:
    """One place, and what comes out when it is misread."""

    kind: str
    used: bool
    """Does the motion take the second wheel, or the belt? Of slots: always False."""
    factor: Fraction
    """The turns that come out when it is misread, per true turn."""
    mistake: str
    """What is misread: "if …"."""

    @property
    def place(self) -> tuple[str, bool, bool]:
        """Kind, `used`, and whether more turns come out where the second wheel or the belt is taken; of slots, when they are misread."""
        return self.kind, self.used, (self.factor > 1) != self.used


def driven(mechanism: Mechanism, body: str) -> Mechanism:
    """The same with `body` as A, and A with its letter."""
    letters = {"A": body, body: "A"}
    return replace(
        mechanism, parts=tuple(replace(part, body=letters.get(part.body, part.body)) for part in mechanism.parts)
    )


Contact = tuple[Part, Part, Link]
"""Two parts that touch, in the order in which the motion takes them."""


def way(mechanism: Mechanism, asked: str) -> list[Contact]:
    """From A to the body asked about; the mechanism is a tree."""
    ways: dict[str, list[Contact]] = {"A": []}
    queue = ["A"]
    for body in queue:
        for link in mechanism.links:
            one, other = mechanism.parts[link.one], mechanism.parts[link.other]
            for here, there in ((one, other), (other, one)):
                if here.body == body and there.body not in ways:
                    ways[there.body] = [*ways[body], (here, there, link)]
                    queue.append(there.body)
    return ways[asked]


def doubts(rng: Random, mechanism: Mechanism, asked: str) -> list[Doubt]:
    """All places. Misreadings of what is off the way from A are either way around, as chance has it."""
    contacts = way(mechanism, asked)
    into = {there.body: there for _, there, __ in contacts}
    out = {here.body: here for here, _, __ in contacts}
    outward = any(part.kind == "worm" for part in mechanism.parts)
    found = []
    for body in sorted({part.body for part in mechanism.parts}):
        gears = [part for part in mechanism.parts if part.body == body and part.kind == "gear"]
        touched = [wheels[body] for wheels in (into, out) if body in wheels]
        if len(gears) == 2 and all(part.kind == "gear" for part in touched):
            large, small = sorted(gears, key=lambda part: -part.size)
            if body in ("A", asked):
                if not outward:
                    found.append(_end(touched[0], large, small, body == "A"))
            else:
                found.append(_inner(rng, touched, large, small, outward))
    found += _belts(rng, mechanism, contacts, asked)
    found += _slots(rng, mechanism, asked)
    return found


def _end(touched: Part, large: Part, small: Part, drives: bool) -> Doubt:
    other = small if touched is large else large
    factor = Fraction(other.size, touched.size)
    mistake = f"if {touched.body}'s wheel with {other.size} teeth is taken for the one that meshes"
    return Doubt(END, touched is small, factor if drives else 1 / factor, mistake)


def _inner(rng: Random, touched: list[Part], large: Part, small: Part, outward: bool) -> Doubt:
    if len(touched) == 2 and touched[0] is not touched[1]:
        return Doubt(INNER, True, Fraction(touched[0].size, touched[1].size), f"if {large.body} is taken for one wheel")
    first, then = (large, small) if outward else rng.sample((large, small), 2)
    mistake = (
        f"if the motion is thought to go from {large.body}'s wheel with {first.size} teeth to the one with {then.size}"
    )
    return Doubt(INNER, False, Fraction(then.size, first.size), mistake)


def _belts(rng: Random, mechanism: Mechanism, contacts: list[Contact], asked: str) -> Iterator[Doubt]:
    teeth = {part.body: part.size for part in reversed(mechanism.parts) if part.kind == "gear"}
    for link in mechanism.links:
        if link.kind not in ("belt", "cross"):
            continue
        one, other = mechanism.parts[link.one], mechanism.parts[link.other]
        ends = {one.body, other.body} & {"A", asked}
        if len(ends) == 2:
            continue
        taken = next(((here, there) for here, there, by in contacts if by is link), None)
        backward = one.body == asked or other.body == "A" or (not ends and rng.random() < 0.5)
        here, there = taken or ((other, one) if backward else (one, other))
        over = Fraction(here.size * teeth[there.body], there.size * teeth[here.body])
        pair = " and ".join(sorted((here.body, there.body)))
        kind = BELT_END if ends else BELT
        if taken:
            yield Doubt(kind, True, 1 / over, f"if {pair} are thought to mesh instead of having a belt")
        else:
            yield Doubt(kind, False, over, f"if the motion is thought to go over the belt between {pair}")


def _slots(rng: Random, mechanism: Mechanism, asked: str) -> Iterator[Doubt]:
    for part in mechanism.parts:
        if part.kind == "geneva" and part.body == asked:
            number = rng.choice([n for n in SLOT_NUMBERS if n != part.size])
            yield Doubt(SLOTS, False, Fraction(part.size, number), f"if {asked} is thought to have {number} slots")

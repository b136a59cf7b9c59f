"""How Mechanical System is solved: velocities are equal where parts touch, which is a system of linear equations with exact coefficients.

Only a mechanism whose equations have a solution other than rest can move. Nothing here goes from part to part, as the generator does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import cos, radians, sin, sqrt

from .mechanism import STEP, Mechanism, Part

Equation = tuple[int, int]
"""Factors of the motions of the first and the other part; their sum is 0."""


def _rack(one: Part, _: Part, side: str) -> Equation:
    """The rim of a wheel that turns clockwise goes (-y, x) at (x, y); the rack goes along with it."""
    x, y = STEP[side]
    return one.size * (x - y), -1


def _worm(one: Part, other: Part, detail: str) -> Equation:
    """A thread is carried sideways: to the left where it is right-handed and its near side goes down."""
    hand, side = detail.split(" ")
    thread = {"R": -1, "L": 1}[hand] * one.size
    rim = STEP[side][1] * other.size
    return thread, -rim


def _bevel(one: Part, other: Part, side: str) -> Equation:
    """Away from who looks go the right side of the standing one, and the lower side of the lying one."""
    return STEP[side][0] * one.size, -other.size


def _crank(_: Part, __: Part, detail: str) -> Equation:
    """Where the block is a moment later."""
    side, angle = detail.split(" ")

    def reach(turn: float) -> float:
        return cos(turn) + sqrt(9 - sin(turn) ** 2)

    outward = reach(radians(int(angle)) + 1e-6) > reach(radians(int(angle)))
    return sum(STEP[side]) * (1 if outward else -1), -1


EQUATIONS: Mapping[str, Callable[[Part, Part, str], Equation]] = {
    "mesh": lambda one, other, _: (one.size, other.size),
    "belt": lambda one, other, _: (one.size, -other.size),
    "cross": lambda one, other, _: (one.size, other.size),
    "rack": _rack,
    "worm": _worm,
    "bevel": _bevel,
    "crank": _crank,
    "geneva": lambda _, other, __: (1, other.size),
}


def motion(mechanism: Mechanism) -> dict[str, Fraction] | None:
    """Body → its motion per turn of body A; None where nothing can move. Raises ValueError where a part is not held by the others."""
    bodies = sorted({part.body for part in mechanism.parts})
    rows = []
    for link in mechanism.links:
        one, other = mechanism.parts[link.one], mechanism.parts[link.other]
        row = dict.fromkeys(bodies, Fraction(0))
        for part, factor in zip((one, other), EQUATIONS[link.kind](one, other, link.detail), strict=True):
            row[part.body] += factor
        rows.append([row[body] for body in bodies])
    return _solution(bodies, rows)


def _solution(bodies: list[str], rows: list[list[Fraction]]) -> dict[str, Fraction] | None:
    """Gauss and Jordan, from the last body to the first, so that the one that is left over is A."""
    done: dict[int, list[Fraction]] = {}
    for column in range(len(bodies) - 1, -1, -1):
        pivot = next((row for row in rows if row[column] and not any(row is other for other in done.values())), None)
        if pivot is None:
            continue
        done[column] = pivot
        for row in rows:
            if row is not pivot and row[column]:
                factor = row[column] / pivot[column]
                row[:] = [a - factor * b for a, b in zip(row, pivot, strict=True)]
    free = set(range(len(bodies))) - done.keys()
    if not free:
        return None
    if free != {0}:
        raise ValueError(f"{', '.join(bodies[n] for n in sorted(free))}: these move independently of each other")
    found = {bodies[0]: Fraction(1)}
    return found | {bodies[column]: -row[0] / row[column] for column, row in done.items()}

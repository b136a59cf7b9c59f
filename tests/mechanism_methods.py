"""A second method for mechanisms: velocities of points in space, from positions alone, by numpy; the motions that leave no slip.

It takes teeth for radii and positions for directions. Where the solver has equations in whole numbers, and the generator goes from part to
part, this is a singular value decomposition. World: x to the right, y down, z away from who looks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cogsight.spatialviz.generate.mechanical_system import COUNT, FREE, LOCKED
from cogsight.spatialviz.generate.mechanism import Link, Mechanism, Part
from cogsight.spatialviz.generate.options import LETTERS

Array = NDArray[np.float64]

AXES = {"flat": (0, 0, 1), "lying": (1, 0, 0), "standing": (0, -1, 0), "across": (1, 0, 0), "along": (0, 1, 0)}
"""Way to move → axis of turning, by the cross product, or of travel; + as in `mechanism.WAYS`."""


def velocity(part: Part, arm: Array) -> Array:
    """Of a point at `arm` from the part's middle, at a motion of 1."""
    axis = np.array(AXES[part.way], float)
    return axis if part.way in ("across", "along") else np.cross(axis, arm)


def toward(one: Part, other: Part) -> Array:
    way = np.array([other.x - one.x, other.y - one.y, 0.0])
    return way / np.linalg.norm(way)


def _mesh(one: Part, other: Part, _: Link) -> Array:
    way = toward(one, other)
    across = np.array([-way[1], way[0], 0])
    return np.array([velocity(one, one.size * way) @ across, -velocity(other, -other.size * way) @ across])


def _belt(one: Part, other: Part, link: Link) -> Array:
    """Along the belt on that side where it leaves the first pulley; crossed, it arrives at the other side of the other one."""
    way = toward(one, other)
    side = np.array([-way[1], way[0], 0])
    back = side if link.kind == "belt" else -side
    return np.array([velocity(one, one.size * side) @ way, -velocity(other, other.size * back) @ way])


def _rack(one: Part, other: Part, _: Link) -> Array:
    arm = np.array([0.0, other.y - one.y, 0]) if other.way == "across" else np.array([other.x - one.x, 0.0, 0])
    arm *= one.size / np.linalg.norm(arm)
    axis = np.array(AXES[other.way], float)
    return np.array([velocity(one, arm) @ axis, -1])


def _worm(one: Part, other: Part, link: Link) -> Array:
    """The near side's motion, times the thread's lean: a "\\" that goes down seems to go left."""
    hand = link.detail.split(" ")[0]
    near = velocity(one, np.array([0, 0, -1.0]))
    sideways = -near[1] if hand == "R" else near[1]
    arm = np.array([0.0, one.y - other.y, 0])
    return np.array([sideways * one.size, -velocity(other, other.size * arm / np.linalg.norm(arm))[0]])


def _bevel(one: Part, other: Part, _: Link) -> Array:
    """Where they touch: on the line from the meeting of the axles, which lies above the one and level with the other."""
    side = np.sign(other.x - one.x)
    arms = np.array([side * one.size, 0, 0.0]), np.array([0, other.size, 0.0])
    return np.array([velocity(one, arms[0])[2], -velocity(other, arms[1])[2]])


def _crank(one: Part, other: Part, link: Link) -> Array:
    """Where the block is when the pin has turned a little further. Only the sign is the mechanism's: it is scaled to 1."""
    way = toward(one, other)
    way = np.array([np.round(way[0]), np.round(way[1]), 0])
    angle = np.radians(int(link.detail.split(" ")[1]))

    def along(turn: float) -> float:
        pin = np.array([np.cos(turn), np.sin(turn)])
        return float(pin[0] + np.sqrt(4 - pin[1] ** 2))

    forward = np.sign(along(angle + 1e-4) - along(angle - 1e-4)) * float(way @ np.array(AXES[other.way], float))
    return np.array([forward, -1])


def _geneva(one: Part, other: Part, _: Link) -> Array:
    """The pin is between the middles and takes the slot along; on the whole the wheel makes a slot's step per turn."""
    way = toward(one, other)
    across = np.array([-way[1], way[0], 0])
    signs = np.sign([velocity(one, way) @ across, -velocity(other, -way) @ across])
    return np.array([signs[0], signs[1] * other.size])


RULES: dict[str, Callable[[Part, Part, Link], Array]] = {
    "mesh": _mesh,
    "belt": _belt,
    "cross": _belt,
    "rack": _rack,
    "worm": _worm,
    "bevel": _bevel,
    "crank": _crank,
    "geneva": _geneva,
}


def motions(mechanism: Mechanism) -> dict[str, float] | None:
    """Body → its motion per turn of A; None where there is none but rest."""
    bodies = sorted({part.body for part in mechanism.parts})
    rows = []
    for link in mechanism.links:
        one, other = mechanism.parts[link.one], mechanism.parts[link.other]
        row = np.zeros(len(bodies))
        for part, factor in zip((one, other), RULES[link.kind](one, other, link), strict=True):
            row[bodies.index(part.body)] += factor
        rows.append(row / np.abs(row).max())
    _, values, vectors = np.linalg.svd(np.array(rows))
    if len(values) >= len(bodies) and values[-1] > 1e-6:
        return None
    return dict(zip(bodies, (vectors[-1] / vectors[-1][0]).tolist(), strict=True))


def mechanical_system_fits(state: Any) -> set[str]:
    """All letters that fit, by velocities in space."""
    found = [motions(mechanism) for mechanism in state.mechanisms]
    if state.form in (LOCKED, FREE):
        return {LETTERS[n] for n, one in enumerate(found) if (one is None) == (state.form == LOCKED)}
    (moves,) = found
    assert moves is not None
    if state.form == COUNT:
        number = abs(moves[state.asked[0]]) * int(state.asked[1:])
        return {LETTERS[n] for n, option in enumerate(state.options) if abs(int(option) - number) < 1e-6 * number}
    driver = 1 if state.driver == "+" else -1
    return {
        LETTERS[n]
        for n, option in enumerate(state.options)
        if all((driver * moves[body] > 0) == (sign == "+") for body, sign in zip(state.asked, option, strict=True))
    }

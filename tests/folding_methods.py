"""A second method for folding tasks: points in space, turned by matrices. It shares with the solver only the texts of states.

A net lies in the plane z = 0, row r and column c at x from c to c + 1 and y from -r - 1 to -r; each square hangs on the one before it and
is turned about the edge between them by a quarter, downwards. A cube is then a set of marked points, compared under scipy's rotations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from cogsight.spatialviz.generate import cube_reconstruction, cube_unfolding
from cogsight.spatialviz.generate.folding import CAN
from cogsight.spatialviz.generate.options import LETTERS
from cogsight.spatialviz.generate.rotation_2d import KINDS

Points = frozenset[tuple[str, int, int, int]]
"""Mark, and where in units of which an edge has 24, from the middle of the cube."""

Array = NDArray[np.float64]

TURNS = Rotation.create_group("O").as_matrix()


def marks(face: str) -> Iterator[tuple[str, Array]]:
    """What is printed on the square from (0, 0) to (1, 1), as marked points (x, y); y points down."""
    if len(face) == 1:
        yield face, np.array([0.5, 0.5])
    for n, dot in enumerate(face if len(face) == 9 else ""):
        yield dot, np.array([(n % 3) / 3 + 1 / 6, (n // 3) / 3 + 1 / 6])
    if len(face) == 2:
        quarter = np.linalg.matrix_power(np.array([[0, -1], [1, 0]]), int(face[1]))
        yield face[0], np.array([0.5, 0.5])
        for kind, values in KINDS[face[0]].strokes:
            ends = np.array([values[:2], values[2:] if kind == "line" else values[:2]])
            for share in (0, 0.25, 0.5, 0.75, 1):
                yield kind, (quarter @ (ends[0] * (1 - share) + ends[1] * share)) / 12 + 0.5


def laid(face: str, origin: Array, right: Array, down: Array) -> Points:
    """A face in space, its top left corner at `origin`, the middle of the cube at (0, 0, 0) and its edges of length 1."""
    spots = ((mark, origin + right * at[0] + down * at[1]) for mark, at in marks(face))
    return frozenset((mark, *(round(24 * value) for value in spot)) for mark, spot in spots)


def folded(net: Mapping[tuple[int, int], str]) -> list[Points]:
    """The six faces of the cube."""
    root = min(net)
    motions = {root: (np.eye(3), np.zeros(3))}
    queue = [root]
    for row, column in queue:
        turn, shift = motions[row, column]
        hinges = {
            (row, column + 1): ([column + 1, 0, 0], [0, 1, 0]),
            (row, column - 1): ([column, 0, 0], [0, -1, 0]),
            (row + 1, column): ([0, -row - 1, 0], [1, 0, 0]),
            (row - 1, column): ([0, -row, 0], [-1, 0, 0]),
        }
        for beside, (pivot, axis) in hinges.items():
            if beside in net and beside not in motions:
                bend = Rotation.from_rotvec(np.pi / 2 * np.array(axis)).as_matrix()
                motions[beside] = (turn @ bend, turn @ (np.array(pivot) - bend @ np.array(pivot)) + shift)
                queue.append(beside)
    middle = np.array([root[1] + 0.5, -root[0] - 0.5, -0.5])
    faces = []
    for (row, column), face in net.items():
        turn, shift = motions[row, column]
        origin = turn @ np.array([column, -row, 0]) + shift - middle
        faces.append(laid(face, origin, turn @ np.array([1, 0, 0]), turn @ np.array([0, -1, 0])))
    return faces


def viewed(faces: tuple[str, str, str], *, above: bool) -> frozenset[Points]:
    """Top or bottom, front and right side, as a picture shows them: x to the right, y away, z up."""
    half, x, y, z = 0.5, *np.eye(3)
    low = -half * (x + y + z)
    cap = (low + y + z, x, -y) if above else (low, x, y)
    places = (cap, (low + z, x, -z), (low + x + z, y, -z))
    return frozenset(laid(face, *place) for face, place in zip(faces, places, strict=True))


def fits(net: Mapping[tuple[int, int], str], faces: tuple[str, str, str], *, above: bool) -> bool:
    """Can the net's cube be turned so that these three faces are what is seen?"""
    seen = viewed(faces, above=above)
    cube = folded(net)
    for turn in TURNS:
        turned = {frozenset((m, *_times(turn, (x, y, z))) for m, x, y, z in face) for face in cube}
        if seen <= turned:
            return True
    return False


def _times(turn: Array, point: tuple[int, int, int]) -> tuple[int, int, int]:
    x, y, z = (round(value) for value in (turn @ np.array(point)).tolist())
    return x, y, z


def beside(net: Mapping[tuple[int, int], str], one: str, other: str) -> bool:
    """Are two coloured faces neighbours? Their middles are then nearer to each other than an edge."""
    spots = {mark: np.array(at) for face in folded(net) for mark, *at in face}
    return bool(np.linalg.norm(spots[one] - spots[other]) < 24)


def folding_fits(state: Any) -> set[str]:
    """All letters that fit, by points in space."""
    if isinstance(state, cube_unfolding.State):
        seen = [fits(net.faces, state.cube.faces, above=state.cube.above) for net in state.options]
    elif state.form == cube_reconstruction.OPPOSITE:
        asked, *colors = state.colors
        found = [color != asked and not beside(state.net.faces, asked, color) for color in colors]
        return set(_letters(found))
    else:
        seen = [fits(state.net.faces, view.faces, above=view.above) for view in state.options]
    return set(_letters([fit == (state.form == CAN) for fit in seen]))


def _letters(found: list[bool]) -> str:
    right = "".join(letter for letter, fit in zip(LETTERS, found, strict=False) if fit)
    return right or LETTERS[len(found) :]

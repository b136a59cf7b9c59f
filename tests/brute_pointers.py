"""Answers of the questions with arrows, from points in space that pixels show; no path from part to part, no cell of the grid.

A second method beside the tasks' own `solve`. The pixel under an arrow's tip is a point on the upper side of a stud: it says how high the part
is. And two parts are as near to each other as the nearest points that are seen of them: parts that touch meet in sight, and parts with
space between them are seen no nearer than that space.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from brute_bricks import points
from scipy.spatial import cKDTree

from cogsight.lego_puzzles.generate import adjacency, height
from cogsight.lego_puzzles.generate.pieces import Piece
from cogsight.lego_puzzles.generate.pointers import Pointer, frame_for
from cogsight.lego_puzzles.generate.shapes import PLATE_HEIGHT, STUD_HEIGHT
from cogsight.lego_puzzles.generate.stage import Stage
from cogsight.lego_puzzles.generate.views import SIZE
from cogsight.shared.render.mesh import Floats

MEETING = 0.19
"""Studs: nearer than a stud below is to the part one plate above it, and further than pixels that are neighbours on one surface."""


def clouds(pieces: Sequence[Piece], arrows: Sequence[Pointer]) -> list[tuple[float, Floats]]:
    """For each arrow how high the point under its tip is, in studs, and all points (n, 3) that are seen of the part there."""
    stage = Stage(frame_for(pieces, SIZE))
    index, depth = stage.compose(pieces)
    found = []
    for arrow in arrows:
        x, y = (int(value) for value in arrow.tip(stage.frame))
        rows, columns = np.nonzero(index == index[y, x])
        seen = points(stage, rows, columns, depth[rows, columns])
        found.append((float(seen[(rows == y) & (columns == x)][0, 2]), seen))
    return found


def _height(state: height.State) -> frozenset[str]:
    red, blue = (round((top - STUD_HEIGHT) / PLATE_HEIGHT) for top, _ in clouds(state.pieces, (state.red, state.blue)))
    higher, lower = ("A", "B") if state.ask == "higher" else ("B", "A")
    return frozenset("C" if red == blue else higher if red > blue else lower)


def _adjacency(state: adjacency.State) -> frozenset[str]:
    (_, red), (_, blue) = clouds(state.pieces, (state.red, state.blue))
    nearest = float(cKDTree(red).query(blue)[0].min())
    return frozenset("A" if nearest < MEETING else "B")


CHECKERS: dict[str, Callable[[Any], frozenset[str]]] = {"height": _height, "adjacency": _adjacency}
"""Task → the answers that fit its state, as by `Generator.solve`."""

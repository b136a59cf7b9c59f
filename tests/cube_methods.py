"""Second methods for the cube tasks: they share nothing with the solvers but the states and where the camera stands.

Sight is by rays where the solvers look at pixels; shapes are compared by distances and by scipy's rotation group; counts and views
are integer programs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.spatial.transform import Rotation

from cogsight.spatialviz.generate.cube_sight import seen
from cogsight.spatialviz.generate.polycubes import Cells, neighbours, normal

Cell = tuple[int, int, int]

IN_SIGHT = 0.06
"""Share of a face that makes it seen, by rays."""


def in_sight(cells: Collection[Cell]) -> list[Cell]:
    """The cubes that can be seen."""
    return sorted({cell for (cell, _), share in seen(frozenset(cells)).items() if share >= IN_SIGHT})


def congruent(one: Sequence[Cell], other: Sequence[Cell]) -> bool:
    """Is there a motion of space that carries one to the other? A bijection that keeps all distances and all triple products."""
    if len(one) != len(other):
        return False

    def extended(image: list[Cell]) -> bool:
        done = len(image)
        if done == len(one):
            return _volumes(one) == _volumes(image)
        return any(
            extended([*image, cell])
            for cell in other
            if cell not in image and all(_apart(one[i], one[done]) == _apart(image[i], cell) for i in range(done))
        )

    return extended([])


def _apart(one: Cell, other: Cell) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def _volumes(cells: Sequence[Cell]) -> list[int]:
    """Of the parallelepipeds on the first cell and any three others, with sign."""
    edges = [np.subtract(cell, cells[0]) for cell in cells[1:]]
    return [round(float(np.linalg.det(np.array(three)))) for three in combinations(edges, 3)]


def covers(whole: Collection[Cell], parts: Sequence[Collection[Cell]]) -> bool:
    """Can the parts, turned, fill the whole? Always the first cube that is still free is covered next, by any part that is left."""
    if not whole:
        return not parts
    first = min(whole)
    for n, part in enumerate(parts):
        for turned in _turned(part):
            for anchor in turned:
                placed = {tuple(np.add(cell, first) - anchor) for cell in turned}
                if placed <= set(whole) and covers(set(whole) - placed, [*parts[:n], *parts[n + 1 :]]):
                    return True
    return False


GROUP = np.rint(Rotation.create_group("O").as_matrix()).astype(int)


def _turned(part: Collection[Cell]) -> list[list[tuple[int, ...]]]:
    found = {}
    for matrix in GROUP:
        moved = np.array(sorted(part)) @ matrix.T
        cells = sorted(map(tuple, (moved - moved.min(0)).tolist()))
        found[tuple(cells)] = cells
    return list(found.values())


class Program:
    """An integer program over named variables, written constraint by constraint."""

    def __init__(self) -> None:
        self._index: dict[object, int] = {}
        self._high: list[int] = []
        self._rows: list[tuple[dict[object, int], float, float]] = []

    def variable(self, name: object, high: int = 1) -> object:
        self._index[name] = len(self._index)
        self._high.append(high)
        return name

    def add(self, terms: dict[object, int], low: float = -np.inf, high: float = np.inf) -> None:
        self._rows.append((terms, low, high))

    def optimum(self, terms: dict[object, int]) -> int | None:
        """The smallest value of the terms; None when nothing fits."""
        size = len(self._index)
        matrix = np.zeros((len(self._rows), size))
        for r, (row, _, _) in enumerate(self._rows):
            for name, factor in row.items():
                matrix[r, self._index[name]] += factor
        costs = np.zeros(size)
        for name, factor in terms.items():
            costs[self._index[name]] = factor
        limits = LinearConstraint(matrix, [row[1] for row in self._rows], [row[2] for row in self._rows])
        found: Any = milp(costs, constraints=limits, integrality=np.ones(size), bounds=Bounds(0, self._high))
        return round(found.fun) if found.status == 0 else None


def counts(top: Sequence[str], front: Sequence[int], left: Sequence[int]) -> tuple[Program, dict[object, int]]:
    """All stacks with these views as a program, and the terms that add up to their number of cubes."""
    program = Program()
    floor = [(r, c) for r, row in enumerate(top) for c, mark in enumerate(row) if mark == "1"]
    for r, c in floor:
        high = min(front[c], left[r]) if left else front[c]
        program.add({program.variable(("h", r, c), high): 1}, low=1)
    lines = [("front", c, tall, [place for place in floor if place[1] == c]) for c, tall in enumerate(front)]
    lines += [("left", r, tall, [place for place in floor if place[0] == r]) for r, tall in enumerate(left)]
    for name, number, tall, places in lines:
        reaching = [program.variable((name, number, place)) for place in places]
        program.add(dict.fromkeys(reaching, 1), low=1)
        for reaches, place in zip(reaching, places, strict=True):
            program.add({("h", *place): 1, reaches: -tall}, low=0)
    return program, {("h", r, c): 1 for r, c in floor}


def view_possible(
    room: tuple[int, int, int], known: dict[Cell, str], empty: Collection[Cell], views: dict[str, Sequence[str]]
) -> bool:
    """Is there a stack in the room with these cubes, none at these empty places, none floating, and these views (1 grey, 2 red)?"""
    program = Program()
    cells = list(product(*map(range, room)))
    for cell in cells:
        program.variable(("full", cell)), program.variable(("red", cell))
        program.add({("red", cell): 1, ("full", cell): -1}, high=0)
        if cell[2]:
            program.add({("full", cell): 1, ("full", (*cell[:2], cell[2] - 1)): -1}, high=0)
        if cell in known:
            program.add({("full", cell): 1}, low=1)
            program.add({("red", cell): 1}, *((1, 1) if known[cell] == "2" else (0, 0)))
        if cell in empty:
            program.add({("full", cell): 1}, high=0)
    for side, rows in views.items():
        for r, row in enumerate(rows):
            for c, mark in enumerate(row):
                _see(
                    program, (side, r, c), [LINES[side](room, r, c, depth) for depth in range(room[DEPTH[side]])], mark
                )
    return program.optimum({}) is not None


DEPTH = {"front": 1, "top": 2, "left": 0, "right": 0}
LINES: dict[str, Callable[[tuple[int, int, int], int, int, int], Cell]] = {
    "front": lambda room, r, c, depth: (c, depth, room[2] - 1 - r),
    "top": lambda room, r, c, depth: (c, room[1] - 1 - r, room[2] - 1 - depth),
    "left": lambda room, r, c, depth: (depth, room[1] - 1 - c, room[2] - 1 - r),
    "right": lambda room, r, c, depth: (room[0] - 1 - depth, c, room[2] - 1 - r),
}
"""Side → (room, row, column, depth) → cell."""


def _see(program: Program, name: object, line: list[Cell], mark: str) -> None:
    """The first cube along the line has the mark."""
    if mark == "0":
        program.add({("full", cell): 1 for cell in line}, high=0)
        return
    firsts = [program.variable((name, depth)) for depth in range(len(line))]
    program.add(dict.fromkeys(firsts, 1), 1, 1)
    for depth, first in enumerate(firsts):
        program.add({first: 1, ("full", line[depth]): -1}, high=0)
        if mark == "2":
            program.add({first: 1, ("red", line[depth]): -1}, high=0)
        else:
            program.add({first: 1, ("red", line[depth]): 1}, high=1)
        for before in line[:depth]:
            program.add({first: 1, ("full", before): 1}, high=1)


def rotation_3d_fits(state: Any) -> set[str]:
    original = in_sight(state.original)
    fits = [congruent(original, in_sight(option)) == (state.form == "can") for option in state.options]
    return lettered(fits)


def cube_assembly_fits(state: Any) -> set[str]:
    whole, given = in_sight(state.whole), [in_sight(part) for part in state.given]
    return lettered([covers(set(whole), [*given, in_sight(option)]) for option in state.options])


def cube_counting_fits(state: Any) -> set[str]:
    program, terms = counts(state.top, state.front, state.left)
    low, high = program.optimum(terms), program.optimum(dict.fromkeys(terms, -1))
    if state.form == "least":
        return lettered([number == low for number in state.numbers])
    if state.form == "most":
        return lettered([-number == high for number in state.numbers])
    return lettered(list(_feasible(state)))


def _feasible(state: Any) -> Iterator[bool]:
    for number in state.numbers:
        program, terms = counts(state.top, state.front, state.left)
        program.add(terms, number, number)
        yield program.optimum({}) is not None


def three_view_projection_fits(state: Any) -> set[str]:
    marks = {**dict.fromkeys(state.grey, "1"), **dict.fromkeys(state.red, "2")}
    x, y, z = (1 + max(cell[axis] for cell in marks) for axis in range(3))
    noticed = in_sight(marks)
    empty = [c for c in product(range(x), range(y), range(z)) if c not in marks and c in in_sight({*marks, c})]
    rows = {side: _rows(marks, (x, y, z), side) for side in ("front", "top")}
    known = {cell: marks[cell] for cell in noticed}
    return lettered([view_possible((x, y, z), known, empty, {**rows, state.side: option}) for option in state.options])


def _rows(marks: dict[Cell, str], room: tuple[int, int, int], side: str) -> list[str]:
    size = {"front": (room[2], room[0]), "top": (room[1], room[0])}[side]
    line = [
        [[LINES[side](room, r, c, d) for d in range(room[DEPTH[side]])] for c in range(size[1])] for r in range(size[0])
    ]
    return ["".join(next((marks[cell] for cell in cells if cell in marks), "0") for cells in row) for row in line]


def lettered(fits: Sequence[bool]) -> set[str]:
    """As the options: three with "none" at the fourth letter, or four."""
    found = {letter for letter, fit in zip("ABCD", fits, strict=False) if fit}
    return found or {"ABCD"[len(fits)]} if len(fits) == 3 else found


def with_one_more(cells: Cells) -> list[Cells]:
    """All polycubes that have one cube more, in a fixed order."""
    return sorted({normal(cells | {cell}) for cell in neighbours(cells)}, key=sorted)


SECOND = {
    "rotation_3d": rotation_3d_fits,
    "three_view_projection": three_view_projection_fits,
    "cube_counting": cube_counting_fits,
    "cube_assembly": cube_assembly_fits,
}
"""Task → the letters that fit, by the second method."""

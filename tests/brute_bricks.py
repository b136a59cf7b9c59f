"""Answers of the questions about building steps, from flat pictures: which colour each pixel shows, how near it is, and where outlines run.

A second method beside the tasks' own `solve`, which reasons about the parts that a person recognises. Here no picture is read as parts. Adding
parts only brings surfaces nearer, so one picture can be earlier than another when

- each pixel of the later one shows the same surface, or one that is nearer;
- where the surface stays, the outlines stay, and one parts it from what has come nearer beside it: no part grows;
- what comes nearer fills no cell of the grid that was seen to be filled: a brick does not grow out of a slope.

And parts make one picture of another when they can be put down somewhere, in some turn, in cells that are not seen to be filled, so that every
pixel comes out as the other shows it. All places are tried through which an unexplained pixel could be seen, on studs or not.

The right option passes without exception. What nobody can see is allowed, so these rules are more lenient than `solve` there; where only the
key passes them, it is proved once more. `STRAY` pixels may be off: so few tell nobody anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, permutations, product
from math import ceil, floor
from typing import Any

import numpy as np
import numpy.typing as npt

from cogsight.lego_puzzles.generate import backwards, dependency, next_k_step, next_step, ordering, outlier, position
from cogsight.lego_puzzles.generate import rotation_status as status
from cogsight.lego_puzzles.generate.pieces import Piece, footprint
from cogsight.lego_puzzles.generate.shapes import PLATE_HEIGHT, STUD_HEIGHT, STUD_RADIUS, Cell
from cogsight.lego_puzzles.generate.stage import PIXELS, Stage
from cogsight.lego_puzzles.generate.views import CAMERA, frame_of
from cogsight.shared.render.palette import PALETTE

STRAY = 24
"""Pixels, of 40,000, that may be off: single ones along edges, which parts at one depth share. `stage.NOTICEABLE` is more than twice that."""

FEW = 12
"""Pixels that show what a cell holds, at least."""

LEVEL = 1e-3
"""Studs: nearer together in depth are two pixels of one surface."""

PIXEL = 0.2
"""Studs, at least the side of a pixel: how well the point is known that a pixel shows."""

SKIN, SLACK, RIM = 0.1, 0.005, 0.03
"""How far behind a surface one looks for what fills the cell there, in studs; how far off a surface may be drawn, and how near to an edge of its
cell one cannot tell whose surface it is, in cells.
"""

INKS = {color: number for number, color in enumerate(PALETTE)}
Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, eq=False)
class Flat:
    """A picture on a stage; arrays of (200, 200)."""

    stage: Stage
    patch: Numbers
    """Pixels of one number are not separated by an outline."""
    ink: Numbers
    """Of the colour; -1 for the paper."""
    depth: npt.NDArray[np.floating[Any]]
    """Studs towards the viewer."""

    @classmethod
    def of(cls, stage: Stage, pieces: Sequence[Piece]) -> Flat:
        """The picture of these parts."""
        patch, depth = stage.compose(pieces)
        return cls(stage, patch, np.array([*(INKS[piece.color] for piece in pieces), -1], np.int16)[patch], depth)

    def under(self, piece: Piece) -> Flat:
        """With a part drawn over it."""
        sprite = self.stage.sprite(piece)
        nearer = sprite.depth > self.depth[sprite.window]
        patch, ink, depth = self.patch.copy(), self.ink.copy(), self.depth.copy()
        patch[sprite.window][nearer] = patch.max() + 1
        ink[sprite.window][nearer] = INKS[piece.color]
        depth[sprite.window][nearer] = sprite.depth[nearer]
        return Flat(self.stage, patch, ink, depth)

    def changed(self, other: Flat) -> Flags:
        """Where the two show different surfaces."""
        result: Flags = (self.ink != other.ink) | (np.abs(self.depth - other.depth) > LEVEL)
        return result

    def precedes(self, later: Flat) -> bool:
        """Can it become the later one when parts are added?"""
        changed = self.changed(later)
        nearer = changed & (later.depth > self.depth + LEVEL)
        off = int((changed & ~nearer).sum()) + self._outlines_off(later, ~changed, nearer)
        return off <= STRAY and not self.filled & later.cells(nearer)

    def _outlines_off(self, later: Flat, same: Flags, new: Flags) -> int:
        """Pairs of neighbouring pixels that an outline parts in one picture only, or that none parts although one shows what is new."""
        count = 0
        for axis in (0, 1):
            mine, theirs = (np.diff(flat.patch, axis=axis) != 0 for flat in (self, later))
            (one, other), (one_new, other_new) = (_neighbours(flags, axis) for flags in (same, new))
            near_mine, near_theirs = _beside(mine, axis), _beside(theirs, axis)
            count += int((one & other & ((mine & ~near_theirs) | (theirs & ~near_mine))).sum())
            count += int((((one & other_new) | (other & one_new)) & ~near_theirs).sum())
        return count

    @cached_property
    def filled(self) -> frozenset[Cell]:
        """The cells that are seen to be filled."""
        return self.cells(self.ink >= 0)

    def cells(self, chosen: Flags) -> frozenset[Cell]:
        """The cells behind the surfaces of these pixels, each shown by more than a few; studs reach into the cells above and are left out."""
        rows, columns = np.nonzero(chosen)
        towards = self.stage.camera.axes()[2]
        surface = points(self.stage, rows, columns, self.depth[chosen]) / UNITS
        cell = np.floor(surface - SKIN * towards / UNITS)
        within = surface - cell
        off = np.abs(within - 0.5)
        inside = (off < 0.5 + SLACK).all(-1) & ((off > 0.5 - RIM).sum(-1) <= 1)
        on_stud = np.hypot(*(within[:, :2].T - 0.5)) < STUD_RADIUS + SKIN
        on_stud &= within[:, 2] < STUD_HEIGHT / PLATE_HEIGHT + SKIN
        found, counts = np.unique(cell[inside & ~on_stud].astype(int), axis=0, return_counts=True)
        return frozenset((x, y, z) for (x, y, z), count in zip(found.tolist(), counts, strict=True) if count >= FEW)


def _beside(lines: Flags, axis: int) -> Flags:
    """With the pixels before and after: which of two parts shows a pixel that lies on the seam depends on which was drawn first."""
    found = lines.copy()
    one, other = _neighbours(found, axis)
    before, after = _neighbours(lines, axis)
    one |= after
    other |= before
    return found


def _neighbours(flags: Flags, axis: int) -> tuple[Flags, Flags]:
    """Each pixel but the last of its column (axis 0) or row, and the one that follows it."""
    turned = flags if axis == 0 else flags.T
    first, second = turned[:-1], turned[1:]
    return (first, second) if axis == 0 else (first.T, second.T)


UNITS = np.array([1.0, 1.0, PLATE_HEIGHT])
"""Of the grid, in studs."""


def points(stage: Stage, rows: Numbers, columns: Numbers, depth: npt.NDArray[np.floating[Any]]) -> Floats:
    """The points in space, in studs, that these pixels show: (n, 3)."""
    frame = stage.frame
    x, y = (columns + 0.5 - frame.size / 2) / frame.scale, (frame.size / 2 - rows - 0.5) / frame.scale
    result: Floats = np.array(frame.target) + np.stack([x, y, depth], -1) @ stage.camera.axes()
    return result


def fillings(picture: Flat, parts: Sequence[Piece], goal: Flat) -> Iterator[tuple[Piece, ...]]:
    """All ways to put the parts down, each in sight, so that the one picture becomes the other."""
    if not picture.precedes(goal):
        return
    unexplained = np.argwhere(goal.depth > picture.depth + LEVEL)  # not the single pixels that two parts share
    if not parts and len(unexplained) <= STRAY:
        yield ()
    if not parts or len(unexplained) <= STRAY:
        return
    row, column = max(unexplained, key=lambda at: float(goal.depth[tuple(at)]))
    (point,) = points(goal.stage, row, column, goal.depth[row, column])[None]
    for part in dict.fromkeys(parts):
        rest = list(parts)
        rest.remove(part)
        for placed in _through(part, point):
            if not placed.cells() & picture.filled and not (shown := picture.under(placed)).changed(goal)[row, column]:
                yield from ((placed, *others) for others in fillings(shown, rest, goal))


def _through(part: Piece, point: Floats) -> Iterator[Piece]:
    """The part in every turn and at every place of the grid where the point is in the box around it."""
    for turn in part.kind.turns:
        lying = replace(part, turn=turn)
        height = part.kind.size[2] * PLATE_HEIGHT + STUD_HEIGHT
        for x, y, z in product(*map(_starts, point, (*footprint(lying), height), (1, 1, PLATE_HEIGHT))):
            yield lying.at(x, y, z)


def _starts(value: float, length: float, unit: float) -> range:
    """Where, in units, something of this length may begin so that the value lies in it."""
    return range(ceil((value - length - PIXEL) / unit), floor((value + PIXEL) / unit) + 1)


def closely(pieces: Iterable[Piece]) -> Stage:
    """A stage that small models fill more than the pictures that are shown: their outlines are long enough to count."""
    return Stage(frame_of(pieces, size=PIXELS, margin=7), CAMERA)


def _flats(*states: Sequence[Piece]) -> list[Flat]:
    """Pictures of these states, on one stage."""
    stage = closely(piece for state in states for piece in state)
    return [Flat.of(stage, state) for state in states]


def _is_chain(flats: Sequence[Flat]) -> bool:
    """Can each be earlier than the next?"""
    return all(one.precedes(other) for one, other in pairwise(flats))


def _fitting(letters: Iterable[str], fits: Iterable[bool]) -> frozenset[str]:
    return frozenset(letter for letter, fit in zip(letters, fits, strict=True) if fit)


def _backwards(state: backwards.State) -> frozenset[str]:
    start, finished, *options = _flats(*state.pictures())
    return _fitting(backwards.LETTERS, (_is_chain((start, option, finished)) for option in options))


def _ordering(state: ordering.State) -> frozenset[str]:
    start, target, *steps = _flats(*state.pictures())
    named = dict(zip(ordering.LETTERS, steps, strict=True))
    orders = (("".join(order), [named[letter] for letter in order]) for order in permutations(ordering.LETTERS))
    return frozenset(name for name, order in orders if _is_chain((start, *order, target)))


def _outlier(state: outlier.State) -> frozenset[str]:
    flats = _flats(*state.pictures)
    rests = [[flat for flat in flats if flat is not out] for out in flats]
    return _fitting(outlier.LETTERS, (any(map(_is_chain, permutations(rest))) for rest in rests))


def _next_step(state: next_step.State) -> frozenset[str]:
    current, *options = _flats(state.current, *state.options)
    studs = _studs(state.current)
    made = ([way for (way,) in fillings(current, [state.part], option)] for option in options)
    fits = (any(placed.sockets() & studs == state.marks for placed in ways) for ways in made)
    return _fitting(next_step.LETTERS, fits)


def _dependency(state: dependency.State) -> frozenset[str]:
    before, after = _flats(state.before, state.after)
    return _fitting(dependency.LETTERS, (any(fillings(before, [part], after)) for part in state.options))


def _rotation_status(state: status.State) -> frozenset[str]:
    before, after = _flats(state.before, state.after)
    ways = fillings(before, [state.part], after)
    return frozenset("B" if placed.turn == state.part.turn else "A" for (placed,) in ways)


def _position(state: position.State) -> frozenset[str]:
    before, after = _flats(state.before, state.after)
    studs = _studs(state.before)
    covered = [placed.sockets() & studs for (placed,) in fillings(before, [state.part], after)]
    return _fitting(position.LETTERS, (marks in covered for marks in state.options))


def _next_k_step(state: next_k_step.State) -> frozenset[str]:
    current, *options = _flats(state.current, *state.options)
    return _fitting(next_k_step.LETTERS, (any(fillings(current, state.parts, option)) for option in options))


def _studs(pieces: Iterable[Piece]) -> frozenset[Cell]:
    return frozenset(cell for piece in pieces for cell in piece.studs())


CHECKERS: dict[str, Callable[[Any], frozenset[str]]] = {
    "next_step": _next_step,
    "dependency": _dependency,
    "rotation_status": _rotation_status,
    "position": _position,
    "backwards": _backwards,
    "ordering": _ordering,
    "outlier": _outlier,
    "next_k_step": _next_k_step,
}
"""Task → the answers that fit its state, as by `Generator.solve`."""

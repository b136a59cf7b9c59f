"""What pictures of pieces tell, for growing models and for solvers: a solver gets a `Sight`, never the pieces that it hides.

All pictures of a question share one camera and one frame, a `Stage`. On it each piece has one sprite: which pixels it would fill if it were
alone, and how near each of them is. A picture is the nearest of its sprites, pixel by pixel, so any number of states costs little. A
piece counts as recognised when enough of it is in sight; of everything else a picture tells only where it is not: where one looks through
to what lies behind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt

from cogsight.shared.render.camera import Camera, Frame, project
from cogsight.shared.render.mesh import Floats
from cogsight.shared.render.surfaces import opaque, planes, snapped

from .pieces import Piece
from .shapes import PLATE_HEIGHT, STUD_HEIGHT, STUD_RADIUS, Cell
from .views import CAMERA, PAINT, frame_of, mesh_of, resized

PIXELS = 200
"""Side of the pictures that a stage compares: those that are shown (`views.SIZE`), reduced, so that each of its pixels stands for four of them."""

SHARE, LEAST = 0.30, 24
"""A piece is recognised when this share of what it would show alone is in sight, and at least so many pixels."""

GONE = 36
"""Pixels of a piece where a picture shows something behind it, so that it is not there: 12 by 12 of a picture that is shown. Fewer are a
gap between two parts, into which only a machine looks.
"""

NOTICEABLE = 60
"""Pixels in which two pictures that are compared differ at least, of the 40,000 of a stage: a 1x1 plate in sight has 285 in a model that is
6 studs long, and about as many as these in one of 16."""

BEHIND, SAME = 0.12, 0.02
"""Studs in depth: what is further behind than the first can be told to be behind; what is nearer than the second is one surface."""

SURELY = 1.5
"""By how much more of a piece would have to be in sight than to recognise it, before a picture is said to show another one in its place."""

TOP = ((0.0, 0.0, STUD_HEIGHT),)
"""The middle of a stud's upper side, from that of its foot, studs."""

AROUND, FRONT, FOOT = tuple(n * 0.26 for n in range(-12, 12)), 1.4, 0.02
"""Where paint on a stud is looked at: radians from the side towards the viewer, all of them at its rim, the nearer ones at its foot; studs above that."""

Index = npt.NDArray[np.int16]
Depth = npt.NDArray[np.float32]
FAR = np.float32(-1e6)
"""The paper."""


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A piece alone: a window of the picture, in which its depth is given, `FAR` where it is not."""

    top: int
    left: int
    depth: Depth
    """(h, w): studs towards the viewer."""

    @property
    def window(self) -> tuple[slice, slice]:
        """Where in the picture it lies: rows, columns."""
        h, w = self.depth.shape
        return slice(self.top, self.top + h), slice(self.left, self.left + w)

    @property
    def area(self) -> int:
        """Pixels that it fills."""
        return int((self.depth > FAR).sum())


@dataclass(frozen=True, eq=False)
class Sight:
    """One picture, as far as a careful person reads it."""

    seen: Mapping[Piece, int]
    """The pieces that can be recognised, each with its pixels in sight."""
    depth: Depth
    """(PIXELS, PIXELS): how near the nearest surface is, `FAR` for paper."""
    stage: Stage
    index: Index
    """(PIXELS, PIXELS): which of `drawn` a pixel shows, -1 for the paper."""
    drawn: tuple[Piece, ...]

    @cached_property
    def pieces(self) -> frozenset[Piece]:
        """Those that can be recognised."""
        return frozenset(self.seen)

    def lacks(self, piece: Piece) -> bool:
        """Does the picture show that there is no such piece: is something behind it in sight, where it would be in front?"""
        sprite = self.stage.sprite(piece)
        here = self.depth[sprite.window]
        return int(((sprite.depth > FAR) & (here < sprite.depth - BEHIND)).sum()) >= GONE

    def allows(self, piece: Piece) -> bool:
        """Is it recognised, or could it be hidden?"""
        return piece in self.pieces or not (self.lacks(piece) or self._shows_another(piece))

    def precedes(self, later: Sight) -> bool:
        """Could building go on from this picture to the later one, by adding parts only?"""
        return all(later.allows(piece) for piece in self.pieces)

    def adds(self, before: Sight) -> frozenset[Piece]:
        """The pieces recognised here of which the earlier picture shows that they were not there."""
        return frozenset(piece for piece in self.pieces if not before.allows(piece))

    def _shows_another(self, piece: Piece) -> bool:
        """Would it be in plain sight, at the very surface that the picture gives to another piece, which it could not be taken for?"""
        sprite = self.stage.sprite(piece)
        here = self.depth[sprite.window]
        level = (sprite.depth > FAR) & (np.abs(here - sprite.depth) <= SAME)
        if level.sum() < SURELY * max(LEAST, SHARE * sprite.area):
            return False
        there, counts = np.unique(self.index[sprite.window][level], return_counts=True)
        others = there[(counts >= LEAST) & (there >= 0)]  # no neighbours, by a pixel at the seam
        return self._tells_from(piece, others.tolist())

    def _tells_from(self, piece: Piece, others: Sequence[int]) -> bool:
        """Do these of `drawn` show, in sight, what the piece would not: another colour, or a surface that it has not?"""
        sprite = self.stage.sprite(piece)
        own = np.full(self.depth.shape, FAR, np.float32)
        own[sprite.window] = sprite.depth
        odd = np.abs(own - self.depth) > SAME
        painted = [n for n in others if self.drawn[n].color != piece.color]
        shown = np.isin(self.index, others) & (odd | np.isin(self.index, painted))
        return int(shown.sum()) >= GONE


@dataclass(frozen=True, eq=False)
class Stage:
    """One camera and one frame, for all pictures of a question."""

    frame: Frame
    camera: Camera = CAMERA
    sprites: dict[Piece, Sprite] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, pieces: Iterable[Piece], camera: Camera = CAMERA) -> Stage:
        """Give it the pieces of every picture that is compared."""
        return cls(resized(frame_of(pieces, cameras=[camera]), PIXELS), camera)

    def sprite(self, piece: Piece) -> Sprite:
        """Made once for each piece and place."""
        if (found := self.sprites.get(piece)) is None:
            found = self.sprites[piece] = self._sprite(piece)
        return found

    def _sprite(self, piece: Piece) -> Sprite:
        mesh = mesh_of(piece)
        points: Floats = project(mesh.triangles, camera=self.camera, frame=self.frame)
        flat = snapped(points)
        seen = opaque(flat, planes(flat, [points[..., 2]]), mesh, np.ones(len(flat), np.bool_), (self.frame.size,) * 2)
        depth = np.where(seen.index[..., 0] >= 0, seen.depth[..., 0] / np.float32(self.frame.scale), FAR).astype(
            np.float32
        )
        rows, columns = np.flatnonzero((depth > FAR).any(1)), np.flatnonzero((depth > FAR).any(0))
        if not len(rows):
            return Sprite(0, 0, np.full((1, 1), FAR, np.float32))
        top, left = int(rows[0]), int(columns[0])
        return Sprite(top, left, depth[top : rows[-1] + 1, left : columns[-1] + 1].copy())

    def compose(self, pieces: Iterable[Piece]) -> tuple[Index, Depth]:
        """Which of the pieces each pixel shows, -1 for the paper, and how near: two arrays (PIXELS, PIXELS)."""
        size = self.frame.size
        index, depth = np.full((size, size), -1, np.int16), np.full((size, size), FAR, np.float32)
        for number, piece in enumerate(pieces):
            sprite = self.sprite(piece)
            nearer = sprite.depth > depth[sprite.window]
            index[sprite.window][nearer] = number
            depth[sprite.window][nearer] = sprite.depth[nearer]
        return index, depth

    def visible(self, pieces: Iterable[Piece]) -> list[tuple[int, int]]:
        """For each piece its pixels in sight, and those that it would have alone."""
        listed = list(pieces)
        index, _ = self.compose(listed)
        counts = np.bincount(index[index >= 0], minlength=len(listed))
        return [(int(count), self.sprite(piece).area) for piece, count in zip(listed, counts, strict=True)]

    def shares(self, pieces: Iterable[Piece]) -> list[float]:
        """For each piece the share in sight of what it would show alone, 0 to 1."""
        return [count / max(area, 1) for count, area in self.visible(pieces)]

    def sees(self, pieces: Iterable[Piece], studs: Iterable[Cell]) -> bool:
        """Is the middle of the upper side of each of these studs (the cells that they fill) in sight?"""
        _, depth = self.compose(pieces)
        return self._in_sight(depth, self._points(studs, TOP))

    def sees_paint(self, pieces: Iterable[Piece], studs: Iterable[Cell]) -> bool:
        """Is all that the viewer would see of paint on these studs, if nothing stood before it, in sight: its upper side, and down to its feet?"""
        _, depth = self.compose(pieces)
        towards = np.arctan2(*self.camera.axes()[2][1::-1])
        across, high = STUD_RADIUS * PAINT[0], STUD_HEIGHT * PAINT[1]
        rim = [(across * np.cos(towards + angle), across * np.sin(towards + angle), high) for angle in AROUND]
        feet = [(x, y, FOOT) for angle, (x, y, _) in zip(AROUND, rim, strict=True) if abs(angle) < FRONT]
        return self._in_sight(depth, self._points(studs, [*TOP, *rim, *feet]))

    def _in_sight(self, depth: Depth, points: Floats) -> bool:
        columns, rows = (np.clip(points[:, axis].astype(int), 0, self.frame.size - 1) for axis in (0, 1))
        return bool((depth[rows, columns] <= points[:, 2] / self.frame.scale + BEHIND).all())

    def row(self, studs: Iterable[Cell]) -> float:
        """How far down in the picture these studs are in the middle, pixels."""
        return float(self._points(studs, TOP)[:, 1].mean())

    def _points(self, studs: Iterable[Cell], offsets: Sequence[tuple[float, float, float]]) -> Floats:
        """(n, 3): points so far from the middles of these studs' feet, studs; in the picture and towards the viewer, pixels."""
        feet = np.array([(x + 0.5, y + 0.5, z * PLATE_HEIGHT) for x, y, z in studs]).reshape(-1, 1, 3)
        points = (feet + np.array(offsets)).reshape(-1, 3)
        result: Floats = project(points, camera=self.camera, frame=self.frame)
        return result

    def look(self, pieces: Iterable[Piece], hidden: npt.NDArray[np.bool_] | None = None) -> Sight:
        """What a picture of these pieces tells; `hidden`: the pixels over which something else is drawn."""
        listed = list(pieces)
        index, depth = self.compose(listed)
        if hidden is not None:
            index[hidden], depth[hidden] = -1, -FAR
        counts = np.bincount(index[index >= 0], minlength=len(listed))
        counted = zip(listed, ((int(n), self.sprite(p).area) for p, n in zip(listed, counts, strict=True)), strict=True)
        return Sight(
            {piece: n for piece, (n, area) in counted if n >= max(LEAST, SHARE * area)},
            depth,
            self,
            index,
            tuple(listed),
        )

    def differ(self, states: Sequence[Sequence[Piece]]) -> bool:
        """Does every picture of these states differ enough from every other for a careful person to tell them apart?"""
        return all(self.difference(one, other) >= NOTICEABLE for one, other in combinations(states, 2))

    def difference(self, one: Iterable[Piece], other: Iterable[Piece]) -> int:
        """Pixels in which pictures of the two differ in colour, or in depth by more than `BEHIND`: what a person could notice."""
        (here, near), (there, far) = self.compose(one := list(one)), self.compose(other := list(other))
        colors = {color: i for i, color in enumerate(sorted({piece.color for piece in (*one, *other)}))}
        paint = [np.array([*(colors[piece.color] for piece in pieces), -1]) for pieces in (one, other)]
        return int(((paint[0][here] != paint[1][there]) | (np.abs(near - far) > BEHIND)).sum())

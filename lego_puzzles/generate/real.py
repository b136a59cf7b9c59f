"""Pieces of real models: LDraw files, each read once in a process and then known by the name of the file.

A piece names its file and its part, "cars/3001.dat", so that a state's text is the same wherever the file lies. Whoever draws a piece must have
read its file before, in the same process.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from urllib.parse import quote, unquote

import numpy as np

from cogsight.shared.errors import CogsightError
from cogsight.shared.files import digest
from cogsight.shared.render.edges import smoothed
from cogsight.shared.render.mesh import FROM_LDRAW, INHERIT, Bytes, Floats, Mesh, mesh

from . import ldraw
from .ldraw.colors import EDGE, OWN, Rgba
from .pieces import Model, Piece
from .shapes import PLATE_HEIGHT
from .views import box

STUD, PLATE = 20, 8
"""LDU: side of a stud's square, height of a plate."""


@dataclass(frozen=True, eq=False)
class RealFile:
    """A file that was read."""

    path: Path
    sha256: str
    model: ldraw.Model

    @property
    def name(self) -> str:
        """As its pieces have it."""
        return self.path.stem

    @cached_property
    def assemblies(self) -> Mapping[str, Model]:
        """Name → what is built there, step by step, stood on the ground; "" is the main model. Parts without a surface are left out."""
        return {name: self._assembly(name) for name in self.model.assemblies}

    @cached_property
    def places(self) -> frozenset[Piece]:
        """Every part where it stands in an assembly, without its colour, in all four turns of the whole."""
        parts = {replace(piece, color="") for model in self.assemblies.values() for piece in model.pieces}
        return frozenset(spun(part, quarters) for part in parts for quarters in range(4))

    def _assembly(self, name: str) -> Model:
        steps = [
            drawn
            for step in self.model.steps
            if step.assembly == name and (drawn := [p for p in step.new if len(self.model.parts[p.part].mesh.faces)])
        ]
        if not steps:
            return Model(())
        ground = float(self.model.bounds(part for step in steps for part in step)[1, 1])
        return Model(tuple(tuple(self._piece(part, ground) for part in step) for step in steps))

    def _piece(self, placed: ldraw.PlacedPart, ground: float) -> Piece:
        """Our x, y, z are LDraw's x, z and -y."""
        around, (x, y, z) = FROM_LDRAW[:3, :3], placed.matrix[:, 3]
        origin = np.array([x / STUD, z / STUD, (ground - y) / PLATE])
        color = color_text(self.model.palette.rgba(placed.color))
        shape = f"{quote(self.name, safe='')}/{quote(placed.part, safe='')}"
        return _piece(color, shape, around @ placed.matrix[:, :3] @ around.T, origin)

    def mesh(self, part: str) -> Mesh:
        """A part in its own space, LDU, with LDraw's axes; what takes the colour of the placed part is `INHERIT`."""
        layers = self.model.parts[part].mesh
        return smoothed(
            mesh(
                layers.faces.points,
                colors=self._colors(layers.faces),
                edges=layers.edges.points,
                edge_colors=self._colors(layers.edges),
                conditionals=layers.conditionals.points,
                conditional_colors=self._colors(layers.conditionals),
            )
        )

    def _colors(self, layer: ldraw.Layer) -> Bytes:
        codes, where = np.unique(layer.colors, return_inverse=True)
        rows = [INHERIT if code in (OWN, EDGE) else self.model.palette.rgba(int(code)) for code in codes]
        table: Bytes = np.array(rows, np.uint8).reshape(-1, 4)
        return table[where]


_READ: dict[str, RealFile] = {}
"""Name → file, of this process."""


def read(path: Path, ldraw_dir: Path | None = None) -> RealFile:
    """The file; read when it is first asked for. Parts that it does not bring come from `ldraw_dir`, else from $LDRAWDIR.

    Raises LDrawError for a file that is no model with building steps, CogsightError where another file of that name has been read.
    """
    path = path.resolve()
    known = _READ.get(path.stem)
    if known and known.path == path:
        return known
    model = ldraw.load(path, ldraw_dir=ldraw_dir)
    found = RealFile(path, digest(path), model)
    if known and known.sha256 != found.sha256:
        raise CogsightError(
            f"{path}: pieces are known by the name of their file, and {known.path} has that name too; rename one"
        )
    return _READ.setdefault(path.stem, found)


def find(shape: str) -> tuple[RealFile, str]:
    """The file and the part that a shape names. Raises CogsightError where the file has not been read, or has no such part."""
    name, _, part = map(unquote, shape.partition("/"))
    if name not in _READ:
        raise CogsightError(
            f"piece {shape!r} is of the brick model {name}.mpd or {name}.ldr, which has not been read: give the file by --source (build) or --models (audit),"
            " or put it back where it was when the questions were made"
        )
    if part not in _READ[name].model.parts:
        raise CogsightError(
            f"{_READ[name].path} has no part {part!r}: it is not the file from which the questions were made"
        )
    return _READ[name], part


@lru_cache(maxsize=1024)
def _part(file: RealFile, part: str) -> Mesh:
    return file.mesh(part)


def mesh_of(piece: Piece, part: int = 0) -> Mesh:
    """The piece at its place, in studs; in its colour, except where its part has colours of its own."""
    *color, alpha = rgba(piece.color)
    return _part(*find(piece.shape)).placed(matrix(piece), color=(color[0], color[1], color[2]), alpha=alpha, part=part)


def matrix(piece: Piece) -> Floats:
    """From the part's space, in LDU, to the world's, in studs: (4, 4)."""
    turn, origin = _pose(piece)
    result = np.eye(4)
    result[:3, :3] = turn @ FROM_LDRAW[:3, :3] / STUD
    result[:3, 3] = origin * (1, 1, PLATE_HEIGHT)
    return result


def spun(piece: Piece, quarters: int) -> Piece:
    """The piece turned about the vertical through the origin by so many quarter turns, anticlockwise seen from above; real pieces only."""
    turn, origin = _pose(piece)
    quarter = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    for _ in range(quarters % 4):
        turn, origin = quarter @ turn, quarter @ origin
    return _piece(piece.color, piece.shape, turn, origin)


def spun_in_place(piece: Piece, quarters: int) -> Piece:
    """The same, but so that the least corner of the box around it stays where it was."""
    new = spun(piece, quarters)
    (before, _), (after, _) = box(piece), box(new)
    turn, origin = _pose(new)
    return _piece(new.color, new.shape, turn, origin + (before - after) / (1, 1, PLATE_HEIGHT))


def is_as_built(piece: Piece) -> bool:
    """Is there such a part at this place in its file, of whatever colour, in one of the turns of the whole?"""
    return replace(piece, color="") in find(piece.shape)[0].places


def takes_color(piece: Piece) -> bool:
    """Does most of its surface have the colour in which it is placed?"""
    drawn = _part(*find(piece.shape))
    a, b, c = drawn.triangles.transpose(1, 0, 2)
    areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return bool(areas[drawn.colors[:, 3] == 0].sum() >= areas.sum() / 2)


def is_transparent(piece: Piece) -> bool:
    """Does one see through it, in part?"""
    return rgba(piece.color)[3] < 255


LEAST_CONTRAST = 80
"""Difference in a colour channel, of 255, between two colours that nobody takes for each other."""


def are_told_apart(one: str, other: str) -> bool:
    """Are the two colours as transparent as each other, and clearly different?"""
    a, b = rgba(one), rgba(other)
    return a[3] == b[3] and max(abs(x - y) for x, y in zip(a, b, strict=True)) >= LEAST_CONTRAST


def _piece(color: str, shape: str, turn: Floats, origin: Floats) -> Piece:
    """A part turned by a (3, 3) matrix, with its origin there, in studs and plates."""
    place = np.floor(origin + EVEN)
    rows = np.concatenate([turn, (origin - place)[:, None]], 1).round(DIGITS) + 0.0  # no -0
    text = "m" + ",".join(f"{number:.10g}" for number in rows.reshape(-1))
    x, y, z = map(int, place)
    return Piece(color, shape, x, y, z, text)


DIGITS = 5
"""After the point: LDraw files give a few less."""

EVEN = 1e-6
"""What is so little below a whole number is that number."""


def _pose(piece: Piece) -> tuple[Floats, Floats]:
    """Its (3, 3) matrix of rotation, and its origin in studs and plates. Raises ValueError for a turn that is none of a real piece."""
    numbers = piece.turn[1:].split(",")
    if not piece.turn.startswith("m") or len(numbers) != 12:
        raise ValueError(f"{piece.turn!r}: expected the turn of a real piece, m and twelve numbers")
    rows = np.array(list(map(float, numbers))).reshape(3, 4)
    return rows[:, :3], rows[:, 3] + (piece.x, piece.y, piece.z)


def title(shape: str) -> str:
    """What its file calls a part: "Plate 1 x 2"."""
    file, part = find(shape)
    return " ".join(file.model.parts[part].title.lstrip("~=_|").split()) or part


def color_name(piece: Piece) -> str:
    """Of the nearest colour in the piece's file that is as transparent: "red", "transparent light blue"."""
    return _nearest(find(piece.shape)[0], piece.color)


@lru_cache(maxsize=1024)
def _nearest(file: RealFile, color: str) -> str:
    *rgb, alpha = rgba(color)
    named = (entry for code, entry in file.model.palette.named.items() if code not in (OWN, EDGE))
    alike = [entry for entry in named if (entry.alpha < 255) == (alpha < 255)]
    nearest = min(alike, key=lambda entry: (sum((a - b) ** 2 for a, b in zip(entry.rgb, rgb, strict=True)), entry.code))
    return re.sub(r"\btrans\b", "transparent", nearest.name.replace("_", " ").lower())


def color_text(color: Rgba) -> str:
    """ "#rrggbb", with "aa" where it is transparent.

    >>> color_text((201, 26, 9, 255)), color_text((201, 26, 9, 128))
    ('#c91a09', '#c91a0980')
    """
    shown = color if color[3] < 255 else color[:3]
    return "#" + bytes(shown).hex()


def rgba(color: str) -> Rgba:
    """Reads what `color_text` writes. Raises ValueError for anything else."""
    values = bytes.fromhex(color[1:])
    if not color.startswith("#") or len(values) not in (3, 4):
        raise ValueError(f"{color!r}: expected the colour of a real piece, #rrggbb or #rrggbbaa")
    red, green, blue, alpha = (*values, 255)[:4]
    return red, green, blue, alpha

"""The shape of a part: triangles with their outside known, edge lines and conditional lines, in the part's own space.

Files are meshed once and reused: a mesh is what the file draws itself plus the moved meshes of the files it places. Winding follows the BFC
extension: in the result a triangle whose file (and every file that placed it) is certified runs counter-clockwise seen from outside;
a mirroring matrix (negative determinant) and `0 BFC INVERTNEXT` each turn it round.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .colors import EDGE, OWN, Palette, inherited
from .library import Library
from .text import LDrawError, Line, Meta, Reference, Shape, Source, Transform

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

MAX_DEPTH = 40
"""Files inside files."""

MAX_ROWS = 1_000_000
"""Triangles and lines of one part; a large baseplate has 300,000."""

MAX_TOTAL = 4_000_000
"""The same of all files of a model together."""

SINGULAR = 1e-6
"""A matrix is singular when the box of its rows has less than this share of the volume that its rows' lengths allow."""

FLAT = 1e-9
"""LDU²: a triangle below this area is not kept."""

QUADS = ((0, 1, 2, 3), (1, 2, 3, 0), (0, 1, 3, 2), (1, 3, 2, 0), (0, 2, 1, 3), (2, 1, 3, 0))
"""Orders in which the corners a, b, c, d of a quad make the triangles abc and acd: as it is written, along the other diagonal (for one with
a dent), and for corners that are written crosswise."""


@dataclass(frozen=True, eq=False, slots=True)
class Layer:
    """Triangles (k = 3), edges (k = 2) or conditional lines (k = 4)."""

    points: Floats
    """(n, k, 3), LDU; x to the right, y down, z away from the viewer."""
    colors: Ints
    """(n,) codes, see `colors`: `OWN` and `EDGE` are the part's own colour and its edge colour."""

    def __len__(self) -> int:
        return len(self.points)

    def moved(self, transform: Transform, color: int) -> Layer:
        """The same, placed in this colour."""
        matrix = np.array(transform).reshape(3, 4)
        points = self.points @ matrix[:, :3].T + matrix[:, 3]
        if color == OWN:
            return Layer(points, self.colors)
        colors = np.where(self.colors == OWN, color, np.where(self.colors == EDGE, inherited(EDGE, color), self.colors))
        return Layer(points, colors)

    def take(self, chosen: Bools) -> Layer:
        """Those rows."""
        return Layer(self.points[chosen], self.colors[chosen])


@dataclass(frozen=True, eq=False, slots=True)
class Mesh:
    """What a file draws."""

    faces: Layer
    """Triangles."""
    certified: Bools
    """(faces,): whether the winding of the triangle can be relied on, so that its back need not be drawn."""
    edges: Layer
    conditionals: Layer
    """Drawn where the two control points (the last two) lie on one side of the line in the picture: outlines of round things."""

    def __len__(self) -> int:
        return len(self.faces) + len(self.edges) + len(self.conditionals)

    def moved(self, transform: Transform, color: int, *, inside_out: bool = False, certified: bool = True) -> Mesh:
        """The same, placed in this colour: mirrored triangles are turned round, those in a file that is not certified lose the mark."""
        faces = self.faces.moved(transform, color)
        size = volume(transform)
        if (size < 0) != inside_out:
            faces = Layer(faces.points[:, ::-1], faces.colors)
        trusted = self.certified & (certified and abs(size) >= SINGULAR)
        return Mesh(faces, trusted, self.edges.moved(transform, color), self.conditionals.moved(transform, color))


def volume(transform: Transform) -> float:
    """The determinant, as a share of what the lengths of the rows allow: ±1 for right angles, 0 for a matrix that flattens."""
    a, b, c, _, d, e, f, _, g, h, i, _ = transform
    lengths = np.prod([np.hypot(np.hypot(*row[:2]), row[2]) for row in ((a, b, c), (d, e, f), (g, h, i))])
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    return float(determinant / lengths) if lengths else 0.0


@dataclass(slots=True)
class Bfc:
    """What the `0 BFC` lines of one file have said so far."""

    certified: bool | None = None
    """None: nothing yet, and no line that draws."""
    clip: bool = True
    clockwise: bool = False
    invert: bool = False
    """The next reference is to be turned inside out."""

    def read(self, words: Sequence[str]) -> None:
        """A line of type 0."""
        said = {word.upper() for word in words}
        if "BFC" not in said or words[0].upper() != "BFC":
            return
        if self.certified is None:
            self.certified = "NOCERTIFY" not in said
        self.clip = (self.clip or "CLIP" in said) and "NOCLIP" not in said
        self.clockwise = (self.clockwise or "CW" in said) and "CCW" not in said
        self.invert = self.invert or "INVERTNEXT" in said

    def draw(self) -> None:
        """A line of type 1 to 5: the time to certify is over."""
        self.certified = bool(self.certified)

    @property
    def trusted(self) -> bool:
        """Whether the winding of what comes now can be relied on."""
        return bool(self.certified) and self.clip


@dataclass(slots=True)
class _Rows:
    """Lines of one kind, as they are read."""

    points: list[tuple[float, ...]] = field(default_factory=list)
    colors: list[int] = field(default_factory=list)
    trusted: list[bool] = field(default_factory=list)
    clockwise: list[bool] = field(default_factory=list)

    def add(self, shape: Shape, bfc: Bfc) -> None:
        self.points.append(shape.points)
        self.colors.append(inherited(shape.color, OWN))
        self.trusted.append(bfc.trusted)
        self.clockwise.append(bfc.clockwise)

    def layer(self, corners: int) -> Layer:
        return Layer(np.array(self.points, float).reshape(-1, corners, 3), np.array(self.colors, np.int64))

    def faces(self, corners: int) -> tuple[Layer, Bools]:
        """Turned counter-clockwise, quads cut into triangles."""
        layer, trusted = self.layer(corners), np.array(self.trusted, bool)
        turned = np.array(self.clockwise, bool)
        # from the same corner, so that a quad is cut along the same diagonal
        backwards = [0, *range(corners - 1, 0, -1)]
        points = np.where(turned[:, None, None], layer.points[:, backwards], layer.points)
        if corners == 3:
            return Layer(points, layer.colors), trusted
        triangles, known = cut_quads(points)
        return Layer(triangles, np.repeat(layer.colors, 2)), np.repeat(trusted & known, 2)


def cut_quads(quads: Floats) -> tuple[Floats, Bools]:
    """(n, 4, 3) → (2n, 3, 3), and of which quads the corners kept their order, (n,): cut by the first of `QUADS` that makes both
    triangles face one way."""
    fits = np.stack([_facing(quads[:, order]) for order in QUADS])
    which = fits.argmax(axis=0)
    corners = np.take_along_axis(quads, np.array(QUADS)[which][:, :, None], axis=1)
    return corners[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3, 3), which < 2


def _facing(corners: Floats) -> Bools:
    """(n,): whether the triangles abc and acd look to the same side."""
    products: Bools = np.einsum("ij,ij->i", normals(corners[:, :3]), normals(corners[:, [0, 2, 3]])) >= 0
    return products


def normals(triangles: Floats) -> Floats:
    """(n, 3, 3) → (n, 3): outwards where corners run counter-clockwise seen from outside; as long as twice the area."""
    return np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])


class Mesher:
    """Meshes the files of one library, each once."""

    def __init__(self, library: Library, palette: Palette) -> None:
        self.library, self.palette = library, palette
        self._meshes: dict[str, Mesh] = {}
        self._total = 0

    def part(self, source: Source) -> Mesh:
        """The mesh of a part, without triangles that have no area. Raises LDrawError for what cannot be read, found or drawn."""
        return without_slivers(self.mesh(source, ()))

    def mesh(self, source: Source, trail: tuple[str, ...]) -> Mesh:
        """The mesh of a file; `trail`: the files that are being meshed, from the part inwards."""
        if source.name not in self._meshes:
            self._meshes[source.name] = self._draw(source, source.lines, (*trail, source.name))
        return self._meshes[source.name]

    def drawn(self, source: Source, lines: Iterable[Line]) -> Mesh:
        """The mesh of some lines of a file."""
        return without_slivers(self._draw(source, lines, (source.name,)))

    def check_color(self, source: Source, line: Reference | Shape) -> None:
        """Raises LDrawError where the colour is not defined."""
        if line.color not in self.palette:
            raise LDrawError(
                f"{source.where(line.number)}: colour {line.color} is not defined; add a line `0 !COLOUR name CODE {line.color} VALUE #RRGGBB"
                " EDGE #RRGGBB` to the file, or let LDRAWDIR name a folder with a newer LDConfig.ldr"
            )

    def _draw(self, source: Source, lines: Iterable[Line], trail: tuple[str, ...]) -> Mesh:
        bfc, pieces = Bfc(), list[Mesh]()
        own = {2: _Rows(), 3: _Rows(), 4: _Rows(), 5: _Rows()}
        rows = 0
        for line in lines:
            if isinstance(line, Meta):
                bfc.read(line.words)
                continue
            bfc.draw()
            self.check_color(source, line)
            if isinstance(line, Shape):
                own[line.kind].add(line, bfc)
                rows += 1
            else:
                piece = self._piece(source, line, bfc, trail)
                rows += len(piece)
                pieces.append(piece)
            bfc.invert = False
            self._count(source, line, rows)
        self._total += rows
        return join([_own(own), *pieces])

    def _count(self, source: Source, line: Line, rows: int) -> None:
        for what, count, limit in (("part", rows, MAX_ROWS), ("model", self._total + rows, MAX_TOTAL)):
            if count > limit:
                raise LDrawError(
                    f"{source.where(line.number)}: the {what} comes to more than {limit:,} triangles and lines"
                )

    def _piece(self, source: Source, line: Reference, bfc: Bfc, trail: tuple[str, ...]) -> Mesh:
        """What a line of type 1 places."""
        found = self.library.find(line, source)
        check_trail(source, line, found, trail)
        if abs(volume(line.transform)) < SINGULAR:
            if np.linalg.matrix_rank(np.array(line.transform).reshape(3, 4)[:, :3]) < 2:
                raise singular(source, line)
            self.library.notices.append(f"{source.where(line.number)}: the matrix flattens {line.name}")
        mesh = self.mesh(found, trail)
        color = inherited(line.color, OWN)
        return mesh.moved(line.transform, color, inside_out=bfc.invert, certified=bfc.trusted)


def singular(source: Source, line: Reference) -> LDrawError:
    """The error of a matrix that leaves nothing of what it places."""
    matrix = " ".join(f"{line.transform[i]:g}" for i in (0, 1, 2, 4, 5, 6, 8, 9, 10))
    return LDrawError(
        f"{source.where(line.number)}: the matrix {matrix} of {line.name} is singular: it flattens what it places"
    )


def check_trail(source: Source, line: Reference, found: Source, trail: Sequence[str]) -> None:
    """Raises LDrawError where a file comes to hold itself, or the files inside files have no end."""
    if found.name in trail:
        ring = " → ".join(name or "the main model" for name in (*trail[trail.index(found.name) :], found.name))
        raise LDrawError(f"{source.where(line.number)}: a file cannot hold itself: {ring}")
    if len(trail) >= MAX_DEPTH:
        raise LDrawError(f"{source.where(line.number)}: more than {MAX_DEPTH} files inside each other")


def _own(rows: dict[int, _Rows]) -> Mesh:
    triangles, quads = rows[3].faces(3), rows[4].faces(4)
    faces, certified = (_layer([triangles[0], quads[0]], 3), np.concatenate([triangles[1], quads[1]]))
    return Mesh(faces, certified, rows[2].layer(2), rows[5].layer(4))


def join(meshes: Sequence[Mesh]) -> Mesh:
    """One mesh of several."""
    return Mesh(
        _layer([mesh.faces for mesh in meshes], 3),
        np.concatenate([np.zeros(0, bool), *(mesh.certified for mesh in meshes)]),
        _layer([mesh.edges for mesh in meshes], 2),
        _layer([mesh.conditionals for mesh in meshes], 4),
    )


def _layer(layers: Sequence[Layer], corners: int) -> Layer:
    return Layer(
        np.concatenate([np.zeros((0, corners, 3)), *(layer.points for layer in layers)]),
        np.concatenate([np.zeros(0, np.int64), *(layer.colors for layer in layers)]),
    )


def without_slivers(mesh: Mesh) -> Mesh:
    """Less the triangles that have no area."""
    area = np.linalg.norm(normals(mesh.faces.points), axis=1) / 2
    return Mesh(mesh.faces.take(area > FLAT), mesh.certified[area > FLAT], mesh.edges, mesh.conditionals)

"""A brick model with its building steps, as puzzles use it.

The steps come in the order of a printed booklet. A sub-model that has steps of its own is built first, in its own space, on pages of its own, just
before the step that attaches it; there it comes in as a whole, its parts moved to where they go. It is built once, however often it is used (its
parts in the colour 16 take the colour of its first use). A sub-model of a single step has no pages; its parts come with the step that places
it. A main model that only places one sub-model stands for that sub-model.

`model.state(index)` is what lies on the table after a step: all parts of that assembly so far. The camera does not move between steps;
what `0 ROTSTEP` asks for is recorded in `Step.rotation` and used by nobody unasked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from .colors import Palette
from .mesh import Bools, Floats, Ints, Layer, Mesh, join
from .text import Transform


@dataclass(frozen=True, slots=True)
class Rotation:
    """How the booklet turns the model for a step; degrees about x, then y, then z."""

    x: float
    y: float
    z: float
    absolute: bool
    """False: on top of the usual view."""


@dataclass(frozen=True, slots=True)
class PlacedPart:
    """One part at its place."""

    part: str
    """Key in `Model.parts`, such as "3001.dat"."""
    color: int
    """A code for `Model.palette`; ~c: the edge colour of c."""
    transform: Transform
    """Rows of the 3 by 4 matrix [R | t] from the part's space to the assembly's, LDU; `matrix` as an array."""
    submodels: tuple[str, ...] = ()
    """The sub-models through which it came, outermost first; empty for a part of the assembly itself."""

    @property
    def matrix(self) -> Floats:
        """(3, 4)."""
        return np.array(self.transform).reshape(3, 4)


@dataclass(frozen=True, slots=True)
class Step:
    """One page of the booklet."""

    assembly: str
    """What is on the table: the name of a sub-model, "" for the main model."""
    new: tuple[PlacedPart, ...]
    """The parts that come in, in the order of the file; never none."""
    attached: tuple[str, ...] = ()
    """Sub-models that come in whole, one for each copy."""
    rotation: Rotation | None = None
    """Of the view, if the file asks for one."""
    line: int = 0
    """In the file: where its first part stands."""


@dataclass(frozen=True, eq=False, slots=True)
class Part:
    """A kind of part."""

    name: str
    title: str
    """As its file says it: "Plate 1 x 2"."""
    mesh: Mesh


@dataclass(frozen=True, slots=True)
class Credit:
    """Who made one of the files."""

    name: str
    authors: tuple[str, ...]
    licence: str
    """"" where the file states none."""
    is_model: bool


@dataclass(frozen=True, eq=False, slots=True)
class Scene:
    """Placed parts as arrays, ready to be drawn. The owner of a row is the index of its part in the sequence that was given."""

    faces: Floats
    """(n, 3, 3), LDU, counter-clockwise seen from outside where `certified`."""
    face_rgba: Ints
    """(n, 4), 0 to 255."""
    face_owner: Ints
    certified: Bools
    edges: Floats
    """(m, 2, 3)."""
    edge_rgba: Ints
    edge_owner: Ints
    conditionals: Floats
    """(k, 4, 3): two ends, two control points."""
    conditional_rgba: Ints
    conditional_owner: Ints


@dataclass(frozen=True, eq=False, slots=True)
class Model:
    """A model that was read."""

    title: str
    steps: tuple[Step, ...]
    parts: Mapping[str, Part]
    palette: Palette
    credits: tuple[Credit, ...]
    """Of every file that was used, models first."""
    notices: tuple[str, ...]
    """What was left aside, each with file and line."""

    @property
    def authors(self) -> tuple[str, ...]:
        """To be named with every picture: those of the model, then those of the parts."""
        return tuple(dict.fromkeys(author for credit in self.credits for author in credit.authors))

    @property
    def licences(self) -> tuple[str, ...]:
        """What the files say, each once."""
        return tuple(dict.fromkeys(credit.licence for credit in self.credits if credit.licence))

    @property
    def assemblies(self) -> tuple[str, ...]:
        """Names of what is built, in the order of the first page; the last is "", the main model."""
        names = dict.fromkeys(step.assembly for step in self.steps)
        return (*(name for name in names if name), "")

    def state(self, index: int) -> tuple[PlacedPart, ...]:
        """What is on the table after step `index`, in the order in which it came."""
        steps = self.steps[: range(len(self.steps))[index] + 1]
        return tuple(part for step in steps if step.assembly == steps[-1].assembly for part in step.new)

    @property
    def complete(self) -> tuple[PlacedPart, ...]:
        """All parts of the finished model."""
        return self.state(-1)

    def new_kinds(self, index: int) -> tuple[str, ...]:
        """The kinds of part (part and colour count) that step `index` brings for the first time onto this table."""
        before = {(part.part, part.color) for part in self.state(index)[: -len(self.steps[index].new)]}
        kinds = dict.fromkeys((part.part, part.color) for part in self.steps[index].new)
        return tuple(name for name, color in kinds if (name, color) not in before)

    def scene(self, placed: Iterable[PlacedPart]) -> Scene:
        """These parts, moved to their places and painted."""
        meshes = [self.parts[part.part].mesh.moved(part.transform, part.color) for part in placed]
        whole = join(meshes)
        faces, edges, conditionals = (
            self._painted(whole_layer, [len(layer) for layer in layers])
            for whole_layer, layers in (
                (whole.faces, [mesh.faces for mesh in meshes]),
                (whole.edges, [mesh.edges for mesh in meshes]),
                (whole.conditionals, [mesh.conditionals for mesh in meshes]),
            )
        )
        return Scene(*faces, whole.certified, *edges, *conditionals)

    def _painted(self, layer: Layer, lengths: list[int]) -> tuple[Floats, Ints, Ints]:
        codes, where = np.unique(layer.colors, return_inverse=True)
        table = np.array([self.palette.rgba(int(code)) for code in codes], np.int64).reshape(-1, 4)
        return layer.points, table[where], np.repeat(np.arange(len(lengths)), lengths)

    def bounds(self, placed: Iterable[PlacedPart]) -> Floats:
        """(2, 3): the least and the greatest x, y, z of what these parts draw, LDU. Raises ValueError where they draw nothing."""
        corners = []
        for part in placed:
            mesh = self.parts[part.part].mesh
            points = np.concatenate([mesh.faces.points.reshape(-1, 3), mesh.edges.points.reshape(-1, 3)])
            points = points @ part.matrix[:, :3].T + part.matrix[:, 3]
            if len(points):
                corners += [points.min(axis=0), points.max(axis=0)]
        if not corners:
            raise ValueError("these parts draw nothing, so they have no bounds")
        return np.array([np.min(corners, axis=0), np.max(corners, axis=0)])

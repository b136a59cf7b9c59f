"""Small LDraw models for tests."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from cogsight.lego_puzzles.generate.ldraw import Mesh, Model, Scene, load
from cogsight.shared.render import mesh as render
from cogsight.shared.render.edges import smoothed

REAL = Path(__file__).parents[2] / "shared" / "data" / "ldraw"

UNIT = "1 0 0 0 1 0 0 0 1"

CORNERS = ((-1, -1, -1), (1, -1, -1), (1, -1, 1), (-1, -1, 1), (-1, 1, -1), (1, 1, -1), (1, 1, 1), (-1, 1, 1))
SIDES = ((0, 1, 2, 3), (7, 6, 5, 4), (4, 5, 1, 0), (5, 6, 2, 1), (6, 7, 3, 2), (7, 4, 0, 3))
"""Of the cube with corners ±1, counter-clockwise seen from outside."""


def at(color: int | str, x: float, y: float, z: float, name: str, matrix: str = UNIT) -> str:
    """A line of type 1."""
    return f"1 {color} {x} {y} {z} {matrix} {name}"


def faces(color: int | str = 16, *, clockwise: bool = False) -> str:
    """The six sides of the cube."""
    return "\n".join(
        f"4 {color} " + " ".join(" ".join(map(str, CORNERS[i])) for i in (side[::-1] if clockwise else side))
        for side in SIDES
    )


CUBE = f"0 FILE cube.dat\n0 Cube  1 x  1\n0 Author: Cuber\n0 !LDRAW_ORG Part\n0 BFC CERTIFY CCW\n{faces()}\n2 24 -1 -1 -1 1 -1 -1\n"
"""A section with a part."""

TWO = "\n".join([at(4, 0, 0, 0, "cube.dat"), "0 STEP", at(1, 0, -2, 0, "cube.dat")])
"""The lines of a model of two steps."""

ARM = "\n".join(["0 FILE the  Arm.ldr", at(16, 1, 0, 0, "cube.dat"), "0 STEP", at(2, 0, 0, 3, "cube.dat"), ""])
"""A section with a sub-model of two steps."""


def read(
    folder: Path, text: str, *, name: str = "model.mpd", ldraw_dir: Path | None = None, min_steps: int = 1
) -> Model:
    """The model that this text is."""
    path = folder / name
    path.write_bytes(text.encode())
    return load(path, ldraw_dir=ldraw_dir, min_steps=min_steps)


def volume(mesh: Mesh) -> float:
    """Of what the triangles enclose: positive where they run counter-clockwise seen from outside."""
    import numpy as np

    a, b, c = mesh.faces.points.transpose(1, 0, 2)
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def drawable(scene: Scene) -> render.Mesh:
    """Placed parts of an LDraw model as a mesh, stood upright, round where no line says otherwise; parts are numbered as in the scene.

    A second way to the pictures of `real.py`, which draws piece by piece.
    """
    flat = render.mesh(
        scene.faces,
        colors=scene.face_rgba,
        edges=scene.edges,
        edge_colors=scene.edge_rgba,
        conditionals=scene.conditionals,
        conditional_colors=scene.conditional_rgba,
    )
    return smoothed(replace(flat, parts=scene.face_owner.astype(np.int32)).placed(render.FROM_LDRAW))

"""Real brick models for the mesh renderer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cogsight.shared.render.edges import smoothed
from cogsight.shared.render.mesh import FROM_LDRAW, Mesh, mesh

from .ldraw import Scene


def drawable(scene: Scene) -> Mesh:
    """Placed parts of an LDraw model as a mesh, stood upright, round where no line says otherwise; parts are numbered as in the scene."""
    flat = mesh(
        scene.faces,
        colors=scene.face_rgba,
        edges=scene.edges,
        edge_colors=scene.edge_rgba,
        conditionals=scene.conditionals,
        conditional_colors=scene.conditional_rgba,
    )
    return smoothed(replace(flat, parts=scene.face_owner.astype(np.int32)).placed(FROM_LDRAW))

"""The generated set `spatialviz_procedural`: questions made afresh, with keys that a second method proves from what the pictures show.

A new task is a file shaped like `rotation_2d.py`, a row here and a name in `taxonomy.PROCEDURAL_TASKS`.
"""

from __future__ import annotations

from typing import Any

from cogsight.shared.build import Generator

from . import (
    arrow_moving,
    block_moving,
    cross_section,
    cube_assembly,
    cube_counting,
    cube_reconstruction,
    cube_unfolding,
    mechanical_system,
    paper_folding,
    rotation_2d,
    rotation_3d,
    three_view_projection,
)

DATA_VERSION = "4"
"""Changes when the same seed gives another question, text, key or order."""

RENDER_VERSION = "1"
"""Changes when any picture changes by a pixel."""

VERSIONS = {"data_version": DATA_VERSION, "render_version": RENDER_VERSION}
"""For the metadata of every sample."""

GENERATORS: dict[str, Generator[Any, Any]] = {
    generator.name: generator
    for generator in (
        rotation_2d.GENERATOR,
        rotation_3d.GENERATOR,
        three_view_projection.GENERATOR,
        paper_folding.GENERATOR,
        cube_unfolding.GENERATOR,
        cube_reconstruction.GENERATOR,
        cross_section.GENERATOR,
        cube_counting.GENERATOR,
        cube_assembly.GENERATOR,
        arrow_moving.GENERATOR,
        block_moving.GENERATOR,
        mechanical_system.GENERATOR,
    )
}
"""Task name → generator, in the paper's order."""

__all__ = ["DATA_VERSION", "GENERATORS", "RENDER_VERSION", "VERSIONS"]

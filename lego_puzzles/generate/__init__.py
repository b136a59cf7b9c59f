"""The embedded set `lego_puzzles_procedural`: questions made afresh, with keys that a second method proves from the pictures.

A new task is a file shaped like `height.py` and a row here.
"""

from __future__ import annotations

from typing import Any

from cogsight.shared.build import Generator
from cogsight.shared.render import draw

from . import (
    adjacency,
    backwards,
    dependency,
    generation_steps,
    generation_views,
    height,
    multiview,
    next_k_step,
    next_step,
    ordering,
    outlier,
    position,
    rotation,
    rotation_status,
    views,
)

DATA_VERSION = "2"
"""Changes when the same seed gives another question, text, key or order."""

RENDER_VERSION = f"{draw.VERSION}.{views.VERSION}"
"""Of the mesh renderer, and of our own parts and views."""

VERSIONS = {"data_version": DATA_VERSION, "render_version": RENDER_VERSION}
"""For the metadata of every sample."""

GENERATORS: dict[str, Generator[Any, Any]] = {
    module.GENERATOR.name: module.GENERATOR
    for module in (
        height,
        adjacency,
        rotation,
        multiview,
        next_step,
        dependency,
        rotation_status,
        position,
        backwards,
        ordering,
        outlier,
        next_k_step,
    )
} | {generator.name: generator for generator in (*generation_views.GENERATORS, *generation_steps.GENERATORS)}
"""Task name → generator, in the paper's order."""

__all__ = ["DATA_VERSION", "GENERATORS", "RENDER_VERSION", "VERSIONS"]

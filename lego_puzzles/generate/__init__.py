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

DATA_VERSION = "5"
"""Changes when the same seed gives another question, text, key or order."""

RENDER_VERSION = f"{draw.VERSION}.{views.VERSION}"
"""Of the mesh renderer, and of our own parts and views."""

VERSIONS = {"data_version": DATA_VERSION, "render_version": RENDER_VERSION}
"""For the metadata of every sample."""

_ALL: tuple[Generator[Any, Any], ...] = (
    height.GENERATOR,
    adjacency.GENERATOR,
    rotation.GENERATOR,
    multiview.GENERATOR,
    next_step.GENERATOR,
    dependency.GENERATOR,
    rotation_status.GENERATOR,
    position.GENERATOR,
    backwards.GENERATOR,
    ordering.GENERATOR,
    outlier.GENERATOR,
    next_k_step.GENERATOR,
    *generation_views.GENERATORS,
    *generation_steps.GENERATORS,
)

GENERATORS: dict[str, Generator[Any, Any]] = {generator.name: generator for generator in _ALL}
"""Task name → generator, in the paper's order."""

__all__ = ["DATA_VERSION", "GENERATORS", "RENDER_VERSION", "VERSIONS"]

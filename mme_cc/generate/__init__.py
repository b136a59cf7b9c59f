"""The embedded set `mme_cc_procedural`: simple questions of the 11 kinds, each with exactly one answer, proved by a second method.

They stand in for fuller generators: pictures are plain, and where the official rule is not published (hybrid pieces in Gomoku, what
Finding Wrong Answer asks) they ask something plain instead, and say so. A new subtask is a file shaped like `maze.py` and a row here.
"""

from __future__ import annotations

from typing import Any

from cogsight.shared.build import Generator

from . import (
    chart_modification,
    counterfactual_instruction,
    finding_wrong_answer,
    gomoku_variation,
    indoor_deduplication_counting,
    indoor_directional_reasoning,
    jigsaw_puzzle,
    maze,
    sandbagging,
    satellite_image_matching,
    unblock_me,
)

DATA_VERSION = "2"
"""Changes when the same seed gives another question, text, key or order."""

RENDER_VERSION = "1"
"""Changes when any picture changes by a pixel."""

VERSIONS = {"data_version": DATA_VERSION, "render_version": RENDER_VERSION}
"""For the metadata of every sample."""

GENERATORS: dict[str, Generator[Any, Any]] = {
    generator.name: generator
    for generator in (
        satellite_image_matching.GENERATOR,
        indoor_directional_reasoning.GENERATOR,
        indoor_deduplication_counting.GENERATOR,
        gomoku_variation.GENERATOR,
        unblock_me.GENERATOR,
        maze.GENERATOR,
        jigsaw_puzzle.GENERATOR,
        chart_modification.GENERATOR,
        sandbagging.GENERATOR,
        counterfactual_instruction.GENERATOR,
        finding_wrong_answer.GENERATOR,
    )
}
"""Subtask → generator, in the paper's order."""

__all__ = ["DATA_VERSION", "GENERATORS", "RENDER_VERSION", "VERSIONS"]

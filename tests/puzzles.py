"""Generated questions for the tests of single tasks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.rng import stream


def puzzles(generator: Generator[Any, Any], level: str, count: int, seed: int = 1) -> Iterator[Puzzle[Any]]:
    """So many puzzles of a level, before any proof, the keys taking turns. Raises AssertionError when most draws come to nothing."""
    made = 0
    for draw in range(20 * count):
        rng = stream(seed, generator.name, level, draw, "test")
        puzzle = generator.generate(rng, generator.levels[level], made % generator.slots)
        if puzzle is not None:
            yield puzzle
            made += 1
        if made == count:
            return
    raise AssertionError(f"{generator.name} level {level}: only {made} of {20 * count} draws gave a puzzle")

"""Questions about a user's own models: the tasks that need looks or building steps and no grid, on LDraw files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.errors import CogsightError
from cogsight.shared.progress import tell
from cogsight.shared.rng import stream

from . import backwards, multiview, ordering, outlier, rotation
from .sources import FromFiles

ABLE: dict[str, Generator[Any, Any]] = {
    module.GENERATOR.name: module.GENERATOR for module in (rotation, multiview, backwards, ordering, outlier)
}
"""Task → generator. The others ask about studs and the grid, which real parts do not name."""


def generators(source: FromFiles) -> dict[str, Generator[Any, Any]]:
    """Those tasks and levels for which an assembly of the files has enough steps. Raises CogsightError where it is enough for none."""
    longest = max(len(model.steps) for model in source.assemblies().values())
    made = {name: on_files(generator, source, longest) for name, generator in ABLE.items()}
    found = {name: generator for name, generator in made.items() if generator.levels}
    if not found:
        least = min(config.least for generator in ABLE.values() for config in generator.levels.values())
        raise CogsightError(
            f"{', '.join(source.names)}: {longest} building steps in the longest assembly, and questions take {least} or more"
        )
    return found


def on_files(generator: Generator[Any, Any], source: FromFiles, longest: int) -> Generator[Any, Any]:
    """The generator, its models from the files, with the levels that `longest` steps are enough for."""
    levels: Mapping[str, Any] = {
        level: replace(config, source=source, kit=replace(config.kit, steps=(config.least, config.kit.steps[1])))
        for level, config in generator.levels.items()
        if config.least <= longest
    }
    return replace(
        generator, levels=levels, generate=partial(_generate, generator), parse=partial(_parse, source, generator.parse)
    )


DRAWS = 20
"""Puzzles drawn for one attempt: of some models not one run of steps in ten gives a question with a single answer."""


def _generate(generator: Generator[Any, Any], rng: Random, config: Any, slot: int) -> Puzzle[Any] | None:
    """A puzzle with a proved key. Where parts of a file stand in one another, pictures from two sides may contradict each other, and none fits."""
    for _ in range(DRAWS):
        puzzle = generator.generate(rng, config, slot)
        if puzzle and generator.solve(puzzle.state) == {puzzle.key}:
            return puzzle
    return None


ATTEMPTS = 5
"""Attempts of `DRAWS` puzzles after which a level is left out: a whole build would end where it comes to nothing."""


def that_ask(
    able: Mapping[str, Generator[Any, Any]], tasks: Sequence[str], seed: int
) -> dict[str, Generator[Any, Any]]:
    """These tasks, with the levels for which the files give a question; a notice tells what is left out.

    Raises CogsightError where nothing is left.
    """
    found: dict[str, Generator[Any, Any]] = {}
    for task in tasks:
        levels = {level: config for level, config in able[task].levels.items() if _asks(able[task], level, seed)}
        if left := [level for level in able[task].levels if level not in levels]:
            tell(
                f"{task}, level {', '.join(left)}: no question with one answer in {ATTEMPTS * DRAWS} draws from these models; left out"
            )
        if levels:
            found[task] = replace(able[task], levels=levels)
    if not found:
        raise CogsightError(
            f"{', '.join(tasks)}: these models give no question with one answer in {ATTEMPTS * DRAWS} draws; take others, or another seed"
        )
    return found


def _asks(generator: Generator[Any, Any], level: str, seed: int) -> bool:
    """Is there one among the puzzles that the level's first sample is drawn from?"""
    streams = (stream(seed, generator.name, level, 0, "puzzle", attempt) for attempt in range(ATTEMPTS))
    return any(generator.generate(rng, generator.levels[level], 0) for rng in streams)


def _parse(source: FromFiles, parse: Callable[[str], Any], text: str) -> Any:
    """Whoever reads a state, in whatever process, can draw it."""
    source.assemblies()
    return parse(text)

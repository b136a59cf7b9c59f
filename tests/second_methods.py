"""Every generated task's second method, in one table; `prove.py` runs them on as many questions as one likes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import brute_bricks
import brute_pointers
import cube_methods
from flat_methods import arrow_moving_fits, block_moving_fits, paper_folding_fits, rotation_2d_fits
from folding_methods import folding_fits
from mechanism_methods import mechanical_system_fits
from section_methods import cut_by_slicing, part_fits
from turned_models import fitting_turns, fitting_views

from cogsight.shared.build import is_proved, look_alike
from cogsight.shared.rng import stream


def _three_views(state: Any) -> Collection[str]:
    return part_fits(state) if hasattr(state, "part") else cube_methods.three_view_projection_fits(state)


SECOND: Mapping[str, Mapping[str, Callable[[Any], Collection[str]]]] = {
    "lego_puzzles": {
        **brute_pointers.CHECKERS,
        **brute_bricks.CHECKERS,
        "rotation": lambda state: fitting_turns(state)[0],
        "multiview": lambda state: fitting_views(state)[0],
    },
    "spatialviz": {
        **cube_methods.SECOND,
        "three_view_projection": _three_views,
        "rotation_2d": rotation_2d_fits,
        "paper_folding": paper_folding_fits,
        "cube_unfolding": folding_fits,
        "cube_reconstruction": folding_fits,
        "cross_section": cut_by_slicing,
        "arrow_moving": arrow_moving_fits,
        "block_moving": block_moving_fits,
        "mechanical_system": mechanical_system_fits,
    },
}
"""Benchmark → task → the letters that fit a state."""

NOTHING, AGREE, LENIENT, REFUSED = "no question", "agree", "second method allows more", "SECOND METHOD REFUSES THE KEY"


@dataclass(frozen=True, slots=True)
class Draw:
    """One question to draw."""

    benchmark: str
    task: str
    level: str
    seed: int
    number: int


def prove(draw: Draw) -> tuple[Draw, str, str]:
    """The draw, what came of it, and the state where the methods differ. Raises UnprovedKey when the task's own solver turns the key down."""
    generator = import_module(f"cogsight.{draw.benchmark}.generate").GENERATORS[draw.task]
    rng = stream(draw.seed, draw.task, draw.level, draw.number, "proof")
    puzzle = generator.generate(rng, generator.levels[draw.level], draw.number % generator.slots)
    if puzzle is None or not is_proved(generator, puzzle.state, puzzle.key):
        return draw, NOTHING, ""
    fits = set(SECOND[draw.benchmark][draw.task](puzzle.state))
    if fits == {puzzle.key}:
        return draw, AGREE, ""
    if look_alike(generator.draw(puzzle.state)):  # as `build.make`, which looks at every question's pictures
        return draw, NOTHING, ""
    return draw, LENIENT if puzzle.key in fits else REFUSED, f"{puzzle.key} {sorted(fits)} {puzzle.state}"

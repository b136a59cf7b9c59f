"""Paper Folding: opening, folding cell by cell, and folding layers of pixels give the same holes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from statistics import mean

import numpy as np
import pytest
from puzzles import puzzles

from cogsight.shared.build import Puzzle
from cogsight.spatialviz.generate.paper_folding import (
    GENERATOR,
    LEVELS,
    Config,
    Fold,
    Holes,
    State,
    folded,
    opened,
    outline,
    papers_of,
    possible,
    solve,
    triangles,
    whole,
)

FINE = 8
"""Points per cell's side: a layer is a raster of (side·FINE)² points, none of which lies on a fold line at an angle of 45 degrees."""


def by_layers(state: State) -> Holes:
    """Folds a stack of rasters with numpy's flips and transposes, punches through it and looks which cells of the sheet lost points."""
    size = state.side * FINE
    rows, columns = np.indices((size, size)) * 2 + 1
    layers = [np.arange(size * size).reshape(size, size)]
    for fold in state.folds:
        at = 2 * FINE * fold.at
        beyond = {"h": rows, "v": columns, "d": rows - columns, "a": rows + columns}[fold.line] - at
        flap = beyond > 0 if fold.side == "+" else beyond < 0
        layers += [mirrored(np.where(flap, layer, -1), fold) for layer in layers]
        layers = [
            np.where(flap, -1, layer) if number < len(layers) // 2 else layer for number, layer in enumerate(layers)
        ]
    lost: set[int] = set()
    for r, c in state.punched:
        middle = np.s_[r * FINE + 3 : r * FINE + 5, c * FINE + 3 : c * FINE + 5]
        lost.update(*(layer[middle].ravel().tolist() for layer in layers))
    return frozenset((point // size // FINE, point % size // FINE) for point in lost - {-1})


def mirrored(layer: np.ndarray, fold: Fold) -> np.ndarray:
    """Flipped about the middle of the sheet, then shifted so that the middle becomes the fold line."""
    size, at = len(layer), fold.at * FINE
    if fold.line in "hv":
        axis = "hv".index(fold.line)
        return shifted(np.flip(layer, axis), axis, 2 * at - size)
    if fold.line == "d":
        return shifted(shifted(layer.T, 0, at), 1, -at)
    return shifted(shifted(layer.T[::-1, ::-1], 0, at - size), 1, at - size)


def shifted(layer: np.ndarray, axis: int, by: int) -> np.ndarray:
    """What leaves the raster is gone."""
    padded = np.pad(layer, len(layer), constant_values=-1)
    size = len(layer)
    starts = [size, size]
    starts[axis] -= by
    return padded[starts[0] : starts[0] + size, starts[1] : starts[1] + size]


@cache
def made(level: str) -> tuple[Puzzle[State], ...]:
    """Some of a level, for all tests."""
    return tuple(puzzles(GENERATOR, level, 40))


@pytest.mark.parametrize("level", LEVELS)
def test_three_methods_agree(level: str) -> None:
    for puzzle in made(level)[:30]:
        state = puzzle.state
        holes = by_layers(state)
        fits = {letter for letter, option in zip("ABCD", state.options, strict=True) if option == holes}
        assert solve(state) == fits == {puzzle.key}, state


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("3 | h1- a3- | 2,1 | 0,0 0,2 1,0 1,2 2,1 | 2,1 | 0,0 1,0 2,1 | 0,2 1,2 2,1", "C"),
        (
            "5 | v3+ v1- d2+ | 1,2 2,2 3,1 | 1,2 1,3 2,2 2,3 | 1,2 1,3 2,2 2,3 4,0 4,1 4,4 | 1,2 1,3 2,2 2,3 3,0 3,1 3,4"
            " | 1,2 1,3 2,2 2,3 3,0 3,1 3,4 4,0 4,1 4,4",
            "C",
        ),
    ],
)
def test_the_real_questions(text: str, key: str) -> None:
    """MentalFolding/PaperFolding/Level0/0 and Level2/0, transcribed."""
    assert solve(State.parse(text)) == {key}


@pytest.mark.parametrize("level", LEVELS)
def test_flaps_land_on_paper_and_folds_count(level: str) -> None:
    idle = 0
    for puzzle in made(level):
        state = puzzle.state
        paper = triangles(whole(state.side))
        for fold in state.folds:
            kept = frozenset(point for point in paper if not fold.moves(point))
            paper, flap = folded(paper, fold)
            assert flap and flap <= kept == paper
        steps = opened(state.side, state.folds, state.punched)
        assert steps[0] == state.punched and steps[-1] == state.options["ABCD".index(puzzle.key)]
        idle += sum(one == two for one, two in pairwise(steps))
        assert len(set(state.options)) == 4 and all(state.punched < option for option in state.options)
    assert idle <= 30


def ways(state: State) -> dict[Holes, tuple[Fold, ...]]:
    """Patterns that the punch gives after any two last folds, and such folds."""
    side, common = state.side, state.folds[:-2]
    folds = ((*common, fold) for fold in possible(side, papers_of(side, common)[-1]))
    ways = ((*before, last) for before in folds for last in possible(side, papers_of(side, before)[-1]))
    return {steps[-1]: way for way in ways if (steps := opened(side, way, state.punched))}


@pytest.mark.parametrize("level", LEVELS)
def test_every_option_could_have_been_the_key(level: str) -> None:
    """With other folds for the last two: the pictures of the sheet before them and of the punch, and the options, do not tell."""
    for puzzle in made(level)[:4]:
        found = ways(puzzle.state)
        for letter, option in zip("ABCD", puzzle.state.options, strict=True):
            assert solve(replace(puzzle.state, folds=found[option])) == {letter}


def axes(holes: Holes, side: int) -> int:
    """Of the square's four mirror axes, those of a pattern."""
    turned = np.zeros((side, side), bool)
    turned[tuple(zip(*holes, strict=True))] = True
    mirrors = (turned[::-1], turned[:, ::-1], turned.T, turned[::-1, ::-1].T)
    return sum(np.array_equal(turned, mirror) for mirror in mirrors)


RULES: dict[str, Callable[[Holes, State], int]] = {
    "most mirror axes": lambda holes, state: axes(holes, state.side),
    "fewest mirror axes": lambda holes, state: -axes(holes, state.side),
    "most holes": lambda holes, _: len(holes),
    "fewest holes": lambda holes, _: -len(holes),
    "middle number of holes": lambda holes, state: len({len(holes)} - {f(map(len, state.options)) for f in (min, max)}),
    "most like the others": lambda holes, state: -sum(len(holes ^ option) for option in state.options),
}


def test_options_alone_do_not_tell_the_key() -> None:
    """Rules for picking an option are right as often as chance, 25 %, give or take four standard errors."""
    items = [puzzle for level in LEVELS for puzzle in made(level)]
    for name, value in RULES.items():
        share = mean(picked(puzzle.state, "ABCD".index(puzzle.key), value) for puzzle in items)
        assert abs(share - 1 / 4) < 4 * (3 / 16 / len(items)) ** 0.5, (name, share)


def picked(state: State, key: int, value: Callable[[Holes, State], int]) -> float:
    """How likely one who picks among the options of the largest value picks the key."""
    values = [value(option, state) for option in state.options]
    return (values[key] == max(values)) / values.count(max(values))


def test_explanations_name_the_mistake() -> None:
    """A pattern with one fold left shut says so; the others name the fold that was taken for another."""
    whys = [why for puzzle in made("0") for why in puzzle.explanation.values()]
    wrong = [why for why in whys if not why.startswith("Right")]
    assert len(wrong) == 120 and all(re.match(WRONG, why) for why in wrong)
    assert any("not opened again" in why for why in wrong)


WRONG = (
    r"Wrong: so it would be if operation \d (were not opened again|folded (more of |less of )?the [a-z ]+ part over)"
    r"( and operation 2 folded [a-z ]+ over)?; (no hole|a hole too many) at row"
)


def test_an_outline_is_what_borders_on_nothing() -> None:
    assert len(outline(triangles([(0, 0)]))) == 4
    assert len(outline(triangles([(0, 0), (0, 1)]))) == 6
    assert len(outline(frozenset([(3, 1)]))) == 3


def test_configs_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="2 or 3 folds"):
        Config(4, 5, (1, 2))

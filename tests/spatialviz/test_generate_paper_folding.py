"""Paper Folding: opening, folding cell by cell, and folding layers of pixels give the same holes."""

from __future__ import annotations

import numpy as np
import pytest
from puzzles import puzzles

from cogsight.spatialviz.generate.paper_folding import (
    GENERATOR,
    LEVELS,
    Config,
    Fold,
    Holes,
    State,
    folded,
    outline,
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


@pytest.mark.parametrize("level", LEVELS)
def test_three_methods_agree(level: str) -> None:
    for puzzle in puzzles(GENERATOR, level, 30):
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
def test_flaps_land_on_paper_and_every_fold_counts(level: str) -> None:
    for puzzle in puzzles(GENERATOR, level, 20):
        state = puzzle.state
        paper = triangles(whole(state.side))
        for fold in state.folds:
            kept = frozenset(point for point in paper if not fold.moves(point))
            paper, flap = folded(paper, fold)
            assert flap and flap <= kept == paper
        key = state.options["ABCD".index(puzzle.key)]
        assert state.punched < key
        assert len(set(state.options)) == 4 and all(state.options)


def test_the_four_options_are_alike() -> None:
    """What tells an option from another tells a third from the fourth."""
    for level in LEVELS:
        for puzzle in puzzles(GENERATOR, level, 10):
            a, b, c, d = puzzle.state.options
            assert a ^ b ^ c ^ d == frozenset()


def test_an_outline_is_what_borders_on_nothing() -> None:
    assert len(outline(triangles([(0, 0)]))) == 4
    assert len(outline(triangles([(0, 0), (0, 1)]))) == 6
    assert len(outline(frozenset([(3, 1)]))) == 3


def test_configs_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="1 to 3 folds"):
        Config(4, 5, (1, 2))

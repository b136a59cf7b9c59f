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
from flat_methods import paper_folding_fits
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


@cache
def made(level: str) -> tuple[Puzzle[State], ...]:
    """Some of a level, for all tests."""
    return tuple(puzzles(GENERATOR, level, 40))


@pytest.mark.parametrize("level", LEVELS)
def test_three_methods_agree(level: str) -> None:
    for puzzle in made(level)[:30]:
        state = puzzle.state
        assert solve(state) == paper_folding_fits(state) == {puzzle.key}, state


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

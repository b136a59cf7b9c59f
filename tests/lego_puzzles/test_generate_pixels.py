"""Questions about building steps, solved a second time from flat pictures (`brute_bricks.py`)."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from brute_bricks import CHECKERS, Flat, closely, fillings
from puzzles import puzzles

from cogsight.lego_puzzles.generate import GENERATORS, backwards, ordering, outlier
from cogsight.lego_puzzles.generate.changes import TRAITS, changes, is_sound
from cogsight.lego_puzzles.generate.growing import Kit, grow
from cogsight.lego_puzzles.generate.pieces import Model, Piece, pieces_of
from cogsight.shared.rng import stream

BASE = pieces_of("grey plate_6x6 0,0,0 r0; blue brick_2x4 4,1,1 r0")
PART = Piece.parse("red tile_1x2 1,1,1 r0")
SEQUENCE = [
    *BASE,
    PART,
    *pieces_of("lime brick_1x1 0,0,1 r0; tan brick_2x2 2,4,1 r0; white brick_1x1 0,5,1 r0; orange brick_1x1 2,0,1 r0"),
]
STATES = [tuple(SEQUENCE[:number]) for number in range(2, 8)]


@pytest.mark.parametrize("task", CHECKERS)
def test_pixels_give_the_key(task: str) -> None:
    check(task, next(iter(GENERATORS[task].levels)), 2)


@pytest.mark.slow
@pytest.mark.parametrize(("task", "level"), [(task, level) for task in CHECKERS for level in GENERATORS[task].levels])
def test_pixels_and_parts_agree(task: str, level: str) -> None:
    check(task, level, 2)


def check(task: str, level: str, count: int) -> None:
    """Where parts prove the key, pixels do."""
    proved = 0
    for puzzle in puzzles(GENERATORS[task], level, 2 * count):
        if GENERATORS[task].solve(puzzle.state) == {puzzle.key}:
            proved += 1
            assert CHECKERS[task](puzzle.state) == {puzzle.key}, str(puzzle.state)
    assert proved


@pytest.mark.parametrize(
    ("later", "possible"),
    [
        ("", True),
        ("red tile_1x2 1,1,1 r0; lime brick_1x1 0,5,1 r0", True),
        ("red tile_1x2 1,1,1 r0; red tile_1x2 2,1,1 r0", True),
        ("yellow tile_1x2 1,1,1 r0", False),
        ("red plate_1x2 1,1,1 r0", False),
        ("red brick_1x2 1,1,1 r0", False),
        ("red tile_1x4 1,1,1 r0", False),
        ("red tile_1x2 3,1,1 r0", False),
        ("lime brick_1x1 0,5,1 r0", False),
    ],
)
def test_what_one_picture_can_become(later: str, possible: bool) -> None:
    before, after = (*BASE, PART), (*BASE, *pieces_of(later)) if later else (*BASE, PART)
    stage = closely([*before, *after])
    assert Flat.of(stage, before).precedes(Flat.of(stage, after)) is possible


def test_a_slope_is_filled_and_its_studs_are_not() -> None:
    slope = Piece.parse("red slope_2x2 1,1,1 r0")
    flat = Flat.of(stage := closely([*BASE, slope]), [*BASE, slope])
    inside = {cell for piece in (*BASE, slope) for cell in piece.cells()}
    assert flat.filled <= inside and flat.filled & slope.cells()
    brick = replace(slope, shape="brick_2x2")
    assert not flat.precedes(Flat.of(stage, [*BASE, brick]))


def test_parts_are_put_where_they_are() -> None:
    new = pieces_of("red slope_2x2 1,1,1 r1; lime brick_1x2 1,4,1 r1")
    stage = closely([*BASE, *new])
    before, after = Flat.of(stage, BASE), Flat.of(stage, [*BASE, *new])
    loose = [piece.at(0, 0, 0).turned(1) for piece in new]
    assert [set(found) for found in fillings(before, loose, after)] == [set(new)]
    assert not list(fillings(before, loose[:1], after)), "one part too few"
    assert not list(fillings(before, [*loose, loose[0]], after)), "one part too many"
    assert not list(fillings(after, loose, before)), "the wrong way round"


def both(task: str, state: Any) -> frozenset[str]:
    """The answers that fit, on which both methods agree."""
    answers: frozenset[str] = GENERATORS[task].solve(state)
    assert CHECKERS[task](state) == answers
    return answers


def test_ordering_follows_the_letters() -> None:
    model = Model((STATES[0], *((piece,) for piece in SEQUENCE[2:])))
    assert both("ordering", ordering.State(model, "CADB")) == {"CADB"}
    assert both("ordering", ordering.State(model, "BDAC")) == {"BDAC"}


def test_backwards_takes_all_that_lies_between() -> None:
    start, *between, _, finished = STATES
    spoiled = [tuple(replace(p, color="yellow") if p == PART else p for p in state) for state in between]
    options = (spoiled[0], between[0], spoiled[1], spoiled[2])
    assert both("backwards", backwards.State(start, finished, options)) == {"B"}
    assert both("backwards", backwards.State(start, finished, (*options[:3], between[2]))) == {"B", "D"}
    assert both("backwards", backwards.State(start, start, options)) == frozenset(), "beyond the end"


def test_outlier_is_the_one_without_which_there_is_a_sequence() -> None:
    spoiled = tuple(replace(p, color="yellow") if p == PART else p for p in STATES[3])
    shown = (STATES[4], STATES[1], spoiled, STATES[2], STATES[5])
    assert both("outlier", outlier.State(shown)) == {"C"}
    assert both("outlier", outlier.State((*shown[:2], STATES[3], *shown[3:]))) == set("ABCDE"), "nothing is wrong"
    assert both("outlier", outlier.State((spoiled, *shown[1:]))) == frozenset(), "two are"


@pytest.mark.parametrize("trait", TRAITS)
def test_changes_touch_one_part_and_leave_something_that_can_be_built(trait: str) -> None:
    made = 0
    for seed in range(6):
        if (model := grow(stream("changes", seed), Kit((8, 14)))) is None:
            continue
        pieces = model.pieces
        for piece in pieces[-4:]:
            for change in changes(Random(seed), trait, pieces, piece):
                made += 1
                after = change.on(pieces)
                assert is_sound(after) and after != pieces and change.words
                gone, come = set(pieces) - set(after), set(after) - set(pieces)
                assert gone == {change.old} - {None} and come == {change.new} - {None}
                assert len(after) == len(pieces) + {"fewer": -1, "more": 1}.get(trait, 0)
    assert made >= 5

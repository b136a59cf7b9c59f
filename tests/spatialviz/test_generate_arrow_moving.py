"""Arrow Moving: complex numbers, and a board that is turned until the move goes up, lead to the same states."""

from __future__ import annotations

import pytest
from flat_methods import arrow_moving_fits
from puzzles import puzzles

from cogsight.spatialviz.generate.arrow_moving import (
    GENERATOR,
    LEVELS,
    MOVES,
    Board,
    Config,
    Move,
    Moves,
    State,
    after,
    solve,
)


@pytest.mark.parametrize("level", LEVELS)
def test_two_methods_agree(level: str) -> None:
    for puzzle in puzzles(GENERATOR, level, 40):
        assert solve(puzzle.state) == arrow_moving_fits(puzzle.state) == {puzzle.key}, puzzle.state


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (
            "moves | 3 | red 0,1 S | red 1,0 E | 0,1 L2; 2,1 L1 | 0,1 F1; 0,0 B1 | 0,1 F1; 0,0 B2 | 0,1 F1; 0,0 L1",
            "D",
        ),
        (
            "state | 3 | violet 0,1 N; blue 1,1 N; blue 1,2 E; red 2,0 N; pink 2,2 W | 0,1 R1; 2,2 F1; 1,2 L2"
            " | violet 0,1 N; blue 1,1 S; blue 1,2 N; pink 2,0 S; red 2,1 N"
            " | violet 0,0 S; red 1,0 W; blue 1,1 N; pink 1,2 W; blue 2,2 E"
            " | blue 0,1 W; pink 1,0 S; violet 1,1 E; red 2,0 N; blue 2,2 E"
            " | blue 0,1 W; violet 1,1 E; blue 1,2 W; red 2,0 N; pink 2,2 E",
            "C",
        ),
    ],
)
def test_the_real_questions(text: str, key: str) -> None:
    """MentalAnimation/ArrowMoving/Level0/0 (its two arrows as one before and after) and Level1/0, transcribed."""
    assert solve(State.parse(text)) == {key}


def test_moves_that_cannot_be_made_lead_nowhere() -> None:
    board = Board.parse("red 0,1 N; blue 1,1 S")
    assert after(board, [Move((0, 1), "L", 1)], 3) is None
    assert after(board, [Move((2, 2), "F", 1)], 3) is None
    assert after(board, [Move((0, 1), "R", 1)], 3) == Board.parse("red 1,1 E; blue 0,1 W")
    state = State(
        MOVES,
        3,
        board,
        Board.parse("red 1,1 E; blue 0,1 W"),
        tuple(map(Moves.parse, ("0,1 L1", "2,2 F1", "0,1 F1", "0,1 R1"))),
    )
    assert solve(state) == {"D"}


@pytest.mark.parametrize("level", LEVELS)
def test_all_options_can_be_made_and_lead_to_different_states(level: str) -> None:
    for puzzle in puzzles(GENERATOR, level, 20):
        state = puzzle.state
        ends = [
            after(state.initial, option, state.side) if isinstance(option, Moves) else option
            for option in state.options
        ]
        assert None not in ends and len(set(ends)) == 4


def test_configs_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="one cell at least stays free"):
        Config(3, 9, 2)

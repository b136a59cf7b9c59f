"""2D Rotation: turned grids are told from spoilt ones, by strokes as by pixels."""

from __future__ import annotations

from random import Random

import pytest
from flat_methods import ROTATED, like, rotation_2d_fits
from PIL import Image
from puzzles import puzzles

from cogsight.spatialviz.generate.rotation_2d import (
    CAN,
    CANNOT,
    CHANGES,
    GENERATOR,
    KINDS,
    LEVELS,
    Config,
    Grid,
    State,
    flipped,
    picture,
    solve,
    strokes,
    turned,
)

GRID = Grid.parse("R0 .0 q0/h1 G0 .0@0")


@pytest.mark.parametrize("level", LEVELS)
def test_strokes_and_pixels_agree(level: str) -> None:
    for puzzle in puzzles(GENERATOR, level, 12):
        assert solve(puzzle.state) == rotation_2d_fits(puzzle.state) == {puzzle.key}, puzzle.state


def test_the_real_question() -> None:
    """MentalRotation/2DRotation/Level1/0, transcribed."""
    state = State.parse(
        "can | .0 10 20/50 .0 .0/.0 20 .0@0 | .0 50 .0/10 .0 21/21 .0 .0@0 | .0 20 .0/.0 .0 50/20 10 .0@2"
        " | .0 10 21/50 .0 .0/.0 21 .0@0"
    )
    assert solve(state) == {"B"}


@pytest.mark.parametrize("letter", KINDS)
def test_a_kind_turns_and_flips_as_it_is_drawn(letter: str) -> None:
    """What the table says of a kind is what its strokes do."""
    alone = Grid(((f"{letter}0",),), 0)
    drawn = picture(alone)
    looks = [picture(turned(alone, quarters)) for quarters in range(4)]
    for quarters, way in enumerate(ROTATED[1:], 1):
        assert like(looks[quarters], drawn.transpose(way))
    assert like(picture(flipped(alone)), drawn.transpose(Image.Transpose.FLIP_LEFT_RIGHT))
    shown = {strokes(Grid(((f"{letter}{turn}",),), 0)) for turn in range(4)}
    assert len(shown) == KINDS[letter].turns


def test_every_turn_is_found_and_nothing_else() -> None:
    turns = tuple(turned(GRID, quarters) for quarters in range(4))
    assert turns[1] == Grid.parse("h0 R0/G0 .0/.0 q1@1")
    assert solve(State(CAN, GRID, turns[1:])) == {"A", "B", "C"}
    assert solve(State(CANNOT, GRID, turns[1:])) == {"D"}
    for name, change in CHANGES.items():
        for spoilt, _ in change(GRID, Random(1)):
            assert solve(State(CAN, GRID, (turned(spoilt, 1), turns[2], turns[3]))) == {"B", "C"}, name


def test_the_red_square_is_at_the_three_other_corners() -> None:
    for level in LEVELS:
        for puzzle in puzzles(GENERATOR, level, 20):
            state = puzzle.state
            assert sorted((option.mark - state.original.mark) % 4 for option in state.options) == [1, 2, 3]


def test_configs_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="leave a cell of 6 grey"):
        Config(((2, 3),), "RG", (6, 6), ("flip",))
    with pytest.raises(ValueError, match="changes flip, move"):
        Config(((2, 3),), "RG", (3, 3), ("melt",))

"""Block Moving: columns that let blocks down, and an array in which they fall cell by cell, lead to the same states."""

from __future__ import annotations

import pytest
from flat_methods import block_moving_fits
from puzzles import puzzles

from cogsight.spatialviz.generate.block_moving import (
    GENERATOR,
    LEVELS,
    Config,
    Stack,
    State,
    after,
    solve,
)
from cogsight.spatialviz.generate.block_views import FLOOR, NOTICED, hidden, picture, seen


@pytest.mark.parametrize("level", LEVELS)
def test_two_methods_agree(level: str) -> None:
    for puzzle in puzzles(GENERATOR, level, 20):
        assert solve(puzzle.state) == block_moving_fits(puzzle.state) == {puzzle.key}, puzzle.state


def test_the_real_question() -> None:
    """MentalAnimation/BlockMoving/Level0/0, transcribed."""
    state = State.parse(
        "3 | yellow 1,0,0; blue 2,0,0; turquoise 2,1,0; violet 2,2,0 | yellow 1,0,0; blue 2,0,0; violet 2,1,0; turquoise 2,2,0"
        " | 1,0,0 y+; 1,1,0 y-; 2,1,0 y+ | 1,0,0 y+; 2,1,0 y+; 2,0,0 y+ | 2,2,0 x-; 2,0,0 x- | 1,0,0 x-; 2,0,0 y+; 2,2,0 y-"
    )
    assert solve(state) == {"A"}


def test_what_stood_on_a_block_falls_and_what_is_moved_over_a_gap_does() -> None:
    tower = State.parse("3 | red 0,0,0; blue 0,0,1 | red 1,0,0; blue 0,0,0 | 0,0,0 x+ | 0,0,1 x+ | 0,0,0 z+ | 0,0,0 x-")
    assert after(tower.initial, tower.options[0], 3) == tower.final
    assert after(tower.initial, tower.options[1], 3) == {(0, 0, 0): "red", (1, 0, 0): "blue"}
    assert after(tower.initial, tower.options[2], 3) == {(0, 0, 0): "blue", (0, 0, 1): "red"}
    assert after(tower.initial, tower.options[3], 3) is None
    assert solve(tower) == {"A"}


@pytest.mark.parametrize("level", LEVELS)
def test_every_block_is_seen_and_every_option_can_be_made(level: str) -> None:
    for puzzle in puzzles(GENERATOR, level, 10):
        state = puzzle.state
        assert not hidden(state.initial, state.side) and not hidden(state.final, state.side)
        assert all(after(state.initial, moves, state.side) for moves in state.options)
        assert len(set(state.options)) == 4


def test_a_block_between_towers_is_hidden() -> None:
    towers: Stack = {(x, y, z): "red" for x, y in ((0, 2), (2, 0)) for z in range(3)}
    assert hidden(towers, 3)
    assert (1, 1, -1) not in seen(towers, 3)
    assert not hidden({(1, 1, 0): "blue"}, 3)


def test_the_two_views_are_half_a_circle_apart() -> None:
    """A block in the near corner hides none of its faces in one view, and lies at the far corner in the other."""
    near, far = (picture({(2, 0, 0): "blue"}, 3, turned=turned) for turned in (False, True))
    mirrored = [picture({(0, 2, 0): "blue"}, 3, turned=turned) for turned in (True, False)]
    blue = [sum(r < 60 and b > 80 for r, _, b in image.get_flattened_data()) for image in (near, far, *mirrored)]
    assert blue[0] == pytest.approx(blue[2], rel=0.05) and blue[1] == pytest.approx(blue[3], rel=0.05)
    assert FLOOR != (0, 0, 0) and NOTICED > 0


def test_configs_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="up to 3 on each other"):
        Config(3, 4, 4, 3)

"""Rotation and Rotation*: the sense of a turn, and keys against models that are turned in space, pixel by pixel."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from puzzles import puzzles
from turned_models import GUIDE, Always, clockwise, fitting_turns, spots, turned_picture

from cogsight.lego_puzzles.generate import generation_views, rotation
from cogsight.lego_puzzles.generate.growing import Kit
from cogsight.lego_puzzles.generate.pieces import Piece
from cogsight.lego_puzzles.generate.rotation import GENERATOR, LETTERS, Config, State
from cogsight.lego_puzzles.generate.turntable import CAMERA, SIZE, SMALL_PHOTO, frame_for, turned
from cogsight.shared.build import LOOK_ALIKE, difference

LEVELS = [pytest.param(level, marks=[] if level == "2" else pytest.mark.slow) for level in GENERATOR.levels]

# --- which way


def test_clockwise_from_above_goes_from_the_far_side_to_the_right_to_the_near_side() -> None:
    first, second = (spots(picture) for picture in rotation.draw(State(90, (90, 180, 270, 350), GUIDE)))
    after = {"far": "right", "right": "near", "near": "left", "left": "far"}
    for old, new in after.items():
        assert np.hypot(*(second[old] - first[new])) < 12, f"what was {old} is {new} now"


@pytest.mark.parametrize("degrees", [15, 120, 330])
def test_light_stays_where_the_viewer_is(degrees: int) -> None:
    """The camera goes round the model; it is as if the model were turned before a camera and a sun that stay."""
    state = State(degrees, (degrees,), GUIDE)
    frame = frame_for(GUIDE, [CAMERA, turned(CAMERA, degrees)], SIZE)
    alike = turned_picture(GUIDE, frame, clockwise(degrees), SMALL_PHOTO)
    assert difference(rotation.draw(state)[1].open(), alike.open()) < LOOK_ALIKE / 5


@pytest.mark.parametrize("degrees", ["30", "120"])
def test_the_true_picture_is_turned_as_asked(degrees: str) -> None:
    state = generation_views.State("rotation_image", degrees, GUIDE)
    assert f"turned by {degrees} degrees clockwise" in generation_views.ask(state)[0]
    alike = turned_picture(GUIDE, frame_for(GUIDE, state.cameras(), SIZE), clockwise(float(degrees)), SMALL_PHOTO)
    assert difference(generation_views.draw(state)[-1].open(), alike.open()) < LOOK_ALIKE / 5


# --- keys


@pytest.mark.parametrize("level", LEVELS)
def test_pixels_give_the_same_key(level: str) -> None:
    """The model is turned in space by each of the angles; one gives the second picture."""
    for puzzle in puzzles(GENERATOR, level, 4):
        fits, off = fitting_turns(puzzle.state)
        assert fits == GENERATOR.solve(puzzle.state) == {puzzle.key}, off


@pytest.mark.parametrize(
    ("model", "fits"),
    [
        ("red brick_2x2 0,0,0 r0", "ABCD"),
        ("red brick_2x4 0,0,0 r0", "AC"),
        ("red brick_2x2 0,0,0 r0; blue plate_2x2 0,0,3 r0", "ABCD"),
    ],
)
def test_a_model_that_looks_the_same_from_several_sides_is_not_asked_about(model: str, fits: str) -> None:
    assert GENERATOR.solve(State.parse(f"45 | 45 135 225 315 | {model}")) == frozenset(fits)


def test_one_stud_on_the_side_tells() -> None:
    model = "red brick_2x4 0,0,0 r0; red plate_2x4 0,0,3 r0; blue brick_1x1 0,0,4 r0"
    assert GENERATOR.solve(State.parse(f"135 | 45 135 225 315 | {model}")) == {"B"}


def test_angles_say_nothing() -> None:
    """Which four are offered does not depend on which is right: the same draws give the same four at every slot, and any of them is right."""
    for level, config in GENERATOR.levels.items():
        given = replace(config, source=Always(GUIDE))
        for seed in range(5):
            drawn = [GENERATOR.generate(Random(seed), given, slot) for slot in range(len(LETTERS))]
            made = [puzzle for puzzle in drawn if puzzle]
            assert [puzzle.key for puzzle in made] == list(LETTERS), level
            assert len({puzzle.state.options for puzzle in made}) == 1
            assert [puzzle.state.angle for puzzle in made] == list(made[0].state.options)


@pytest.mark.parametrize("level", GENERATOR.levels)
def test_every_turn_is_offered_both_ways(level: str) -> None:
    """No two options are nearer than the level says, round the whole circle."""
    config = GENERATOR.levels[level]
    assert len(config.pairs) >= 9
    for seed in range(40):
        puzzle = GENERATOR.generate(Random(seed), replace(config, source=Always(GUIDE)), seed % 4)
        assert puzzle
        options = puzzle.state.options
        assert {360 - angle for angle in options} == set(options) and list(options) == sorted(options)
        assert min(np.diff([*options, options[0] + 360])) >= config.spacing >= rotation.GRID
        assert config.apart[0] <= options[1] - options[0] <= config.apart[1]


def test_options_say_which_are_turns_the_other_way_round() -> None:
    puzzle = GENERATOR.generate(Random(3), Config(Kit((5, 9)), (60, 60), 60, Always(GUIDE)), 2)
    assert puzzle and puzzle.state.options[2] == puzzle.state.angle
    one, two = puzzle.state.options[:2]
    assert puzzle.explanation == {
        "A": f"Wrong: this is a turn the other way round, by {360 - one} degrees anticlockwise, and 60 degrees too much.",
        "B": f"Wrong: this is the turn the other way round, by {360 - two} degrees anticlockwise.",
        "C": f"Right: the model is turned by {360 - two} degrees clockwise.",
        "D": f"Wrong: a turn by {360 - one} degrees is 60 degrees too much.",
    }


# --- states


def test_state_reads_back() -> None:
    state = State(105, (15, 60, 105, 150), (Piece.parse("red slope_2x2 3,4,6 r1"),))
    assert str(state) == "105 | 15 60 105 150 | red slope_2x2 3,4,6 r1"
    assert State.parse(str(state)) == state


@pytest.mark.parametrize(
    ("apart", "spacing"), [((45, 60), 0), ((45, 60), 10), ((30, 60), 45), ((60, 45), 30), ((150, 165), 60)]
)
def test_angles_that_are_refused(apart: tuple[int, int], spacing: int) -> None:
    with pytest.raises(ValueError, match="options are a multiple of 15 degrees apart"):
        Config(Kit((5, 9)), apart, spacing)


def test_a_picture_that_hides_too_much_is_not_asked_for() -> None:
    """A wall hides the parts behind it, of which one would see most after the turn."""
    plate = Piece.parse("grey plate_6x6 0,0,0 r0")
    wall = [Piece.parse(f"white brick_1x6 0,2,{z} r1") for z in (1, 4, 7)]
    small = [Piece.parse(f"{color} brick_1x1 {x},3,1 r0") for x, color in enumerate(["red", "blue", "lime", "tan"], 1)]
    known, hidden = (
        generation_views.State("rotation_image", "120", pieces) for pieces in ((plate, *small), (plate, *wall, *small))
    )
    assert generation_views.solve(known) == {""}
    assert generation_views.solve(hidden) > {""}

"""What pictures tell: recognised pieces, hidden ones, and those that a picture shows to be absent."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from cogsight.lego_puzzles.generate.growing import Kit, grow
from cogsight.lego_puzzles.generate.pieces import Piece
from cogsight.lego_puzzles.generate.stage import PIXELS, Stage
from cogsight.lego_puzzles.generate.views import CAMERA, frame_of, picture, scene
from cogsight.shared.render.draw import survey

BASE = Piece.parse("grey plate_6x6 0,0,0 r0")
BEHIND = Piece.parse("red brick_1x1 1,4,1 r0")
BEFORE = Piece.parse("blue brick_2x4 2,0,1 r0")
TOWER = (Piece.parse("lime brick_2x4 2,0,4 r0"), Piece.parse("lime brick_2x4 2,0,7 r0"))


@pytest.mark.parametrize("seed", range(3))
def test_sprites_together_are_the_drawn_picture(seed: int) -> None:
    """The survey draws all parts at once; the stage puts them together from sprites."""
    model = grow(Random(seed), Kit((15, 20)))
    assert model
    stage = Stage.of(model.pieces)
    index, _ = stage.compose(model.pieces)
    drawn = survey(scene(model.pieces), camera=CAMERA, frame=stage.frame)
    assert (index != drawn).mean() < 0.002


def test_a_part_in_sight_is_recognised_and_one_behind_a_wall_is_not() -> None:
    hidden = Piece.parse("red brick_1x1 1,5,1 r0")
    wall = tuple(Piece.parse(f"blue brick_2x4 {x},1,{z} r0") for x in (1, 3) for z in (1, 4))
    stage = Stage.of([BASE, hidden, *wall])
    assert hidden in stage.look([BASE, hidden]).pieces
    sight = stage.look([BASE, *wall, hidden])
    assert hidden not in sight.pieces and BASE in sight.pieces
    assert sight.allows(hidden), "what is hidden is neither there nor absent"


def test_an_empty_place_in_sight_is_absence() -> None:
    stage = Stage.of([BASE, BEFORE, BEHIND])
    sight = stage.look([BASE, BEFORE])
    assert sight.lacks(BEHIND) and not sight.allows(BEHIND)
    assert not stage.look([BASE, BEFORE, BEHIND]).lacks(BEHIND)


def test_another_colour_at_the_place_is_no_allowance() -> None:
    other = Piece.parse("yellow brick_2x4 2,0,1 r0")
    sight = Stage.of([BASE, BEFORE, other]).look([BASE, BEFORE])
    assert BEFORE in sight.pieces and not sight.allows(other)


def test_difference_counts_colours_and_depths() -> None:
    stage = Stage.of([BASE, BEFORE, BEHIND, *TOWER])
    assert stage.difference([BASE, BEFORE], [BEFORE, BASE]) == 0
    recolored = Piece.parse("yellow brick_2x4 2,0,1 r0")
    assert stage.difference([BASE, BEFORE], [BASE, recolored]) == stage.visible([BASE, BEFORE])[1][0]
    assert stage.difference([BASE, BEFORE], [BASE]) >= 100


def test_all_pictures_of_a_question_share_a_frame() -> None:
    frame = frame_of([BASE, BEFORE, *TOWER])
    small, large = (np.asarray(picture(pieces, frame).open()) for pieces in ([BASE], [BASE, BEFORE, *TOWER]))
    assert small.shape == large.shape == (400, 400, 3)
    ground = np.asarray(picture([BASE, BEFORE], frame).open())
    assert (small[-140:, :100] == ground[-140:, :100]).all(), "the base stays where it is"


def test_marks_are_painted_on_studs() -> None:
    stage = frame_of([BASE])
    plain, marked = (
        np.asarray(picture([BASE], stage, marks=marks).open()).astype(int) for marks in ({}, {(3, 3, 1): "mark"})
    )
    changed = np.argwhere((plain != marked).any(-1))
    assert 30 < len(changed) < 600 and np.ptp(changed, axis=0).max() < 40


def test_a_stage_is_square_and_small() -> None:
    assert Stage.of([BASE]).compose([BASE])[0].shape == (PIXELS, PIXELS)

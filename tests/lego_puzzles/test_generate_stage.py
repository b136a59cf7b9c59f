"""What pictures tell: recognised pieces, hidden ones, and those that a picture shows to be absent."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from cogsight.lego_puzzles.generate.growing import Kit, grow
from cogsight.lego_puzzles.generate.pieces import Piece
from cogsight.lego_puzzles.generate.pointers import frame_for as frame_with_arrows
from cogsight.lego_puzzles.generate.stage import NOTICEABLE, PIXELS, Stage
from cogsight.lego_puzzles.generate.turntable import SIZE as PHOTO_SIZE
from cogsight.lego_puzzles.generate.turntable import frame_for, turned
from cogsight.lego_puzzles.generate.views import CAMERA, LARGEST, SIZE, corners, frame_of, picture, scene
from cogsight.shared.render.camera import Frame, project
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
    assert stage.difference([BASE, BEFORE], [BEFORE, BASE]) < NOTICEABLE / 20, (
        "a pixel where two surfaces meet goes to the first"
    )
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


SMALL = (Piece.parse("red brick_2x2 0,0,0 r0"),)
LARGE = tuple(Piece.parse(f"red plate_8x8 {8 * x},{8 * y},0 r0") for x in range(2) for y in range(2))
CAMERAS = [CAMERA, turned(CAMERA, 90)]


@pytest.mark.parametrize("pieces", [SMALL, (BASE, BEFORE, *TOWER), LARGE], ids=["small", "usual", "large"])
def test_a_stage_is_the_picture_that_is_shown_reduced(pieces: tuple[Piece, ...]) -> None:
    """Else what a person notices in the one would be another share of the other; no small model is enlarged."""
    points = np.concatenate([corners(piece) for piece in pieces])
    frames: list[tuple[Frame, Frame]] = [
        (frame_of(pieces), Stage.of(pieces).frame),
        (frame_with_arrows(pieces, SIZE), frame_with_arrows(pieces, PIXELS)),
        (frame_for(pieces, CAMERAS, PHOTO_SIZE), frame_for(pieces, CAMERAS, PIXELS)),
        (frame_for(pieces, [CAMERA], PHOTO_SIZE), frame_for(pieces, [CAMERA], PIXELS)),
    ]
    for shown, reduced in frames:
        assert (shown.scale, reduced.size) == (pytest.approx(min(shown.scale, LARGEST)), PIXELS)
        there, here = (project(points, camera=CAMERA, frame=frame)[:, :2] for frame in (shown, reduced))
        assert here == pytest.approx(there * PIXELS / shown.size)


def test_what_is_noticeable_on_a_stage_is_four_times_as_much_in_the_picture() -> None:
    """The part that is added is drawn, and its pixels in the picture that is shown are counted."""
    before, after = [BASE], [BASE, Piece.parse("red plate_1x1 2,2,1 r0")]
    stage = Stage.of(after)
    one, other = (np.asarray(picture(pieces, frame_of(after)).open()).astype(int) for pieces in (before, after))
    changed = int((np.abs(one - other).max(-1) > 8).sum())
    assert changed == pytest.approx(4 * stage.difference(before, after), rel=0.15)
    assert stage.difference(before, after) >= NOTICEABLE

"""What Rotation and Multiview share: frames whose middle is the model's, and pictures that contradict each other either way."""

from __future__ import annotations

import numpy as np
import pytest

from cogsight.lego_puzzles.generate import multiview
from cogsight.lego_puzzles.generate.pieces import pieces_of
from cogsight.lego_puzzles.generate.turntable import CAMERA, PIXELS, SIZE, frame_for, turned
from cogsight.lego_puzzles.generate.views import corners

LOPSIDED = pieces_of("grey plate_6x6 0,0,0 r0; red brick_2x2 0,0,1 r0; red brick_2x2 0,0,4 r0; red brick_2x2 0,0,7 r0")


@pytest.mark.parametrize("more", [0, 1, 2])
def test_the_middle_of_the_model_is_that_of_the_frame_for_one_camera_too(more: int) -> None:
    """Centred on what one camera sees, a model that is turned would not turn on the spot."""
    points = np.concatenate([corners(piece) for piece in LOPSIDED])
    frame = frame_for(LOPSIDED, [CAMERA, *(turned(CAMERA, 90 * n) for n in range(1, 1 + more))], SIZE)
    assert frame.target == pytest.approx((points.min(0) + points.max(0)) / 2)


def test_an_option_with_something_that_the_first_picture_shows_to_be_absent_is_denied() -> None:
    """All that the first picture shows may be in the second; but not the other way round."""
    more = (*LOPSIDED, *pieces_of("blue brick_2x2 3,0,1 r0"))
    frame = multiview.State("right", ("right",), LOPSIDED, (more,)).frame(PIXELS)
    first = multiview.shown(LOPSIDED, frame, CAMERA)
    assert multiview._denies(more, frame, "right", "right", first)
    assert not multiview._denies(LOPSIDED, frame, "right", "right", first)
    assert not multiview._denies(more, frame, "left", "right", first), "of another side the first picture says nothing"
    state = multiview.State("right", ("right", "left", "right", "left"), LOPSIDED, (LOPSIDED, LOPSIDED, more, more))
    known = multiview.recognised(LOPSIDED, frame, CAMERA)
    seen = multiview.shown(more, frame, multiview.VIEWS["right"])
    assert not multiview.contradicts(known, frame, multiview.VIEWS["right"], seen), "this side alone would let it pass"
    assert multiview.solve(state) == {"A"}


@pytest.mark.parametrize(("view", "other", "fits"), [("top", "left", "AC"), ("left", "top", "A")])
def test_from_above_a_brick_and_a_plate_are_one_picture_but_for_their_shadows(view: str, other: str, fits: str) -> None:
    brick, plate = (pieces_of(f"grey plate_6x6 0,0,0 r0; red {kind}_2x2 2,2,1 r0") for kind in ("brick", "plate"))
    state = multiview.State(view, (view, other, view, other), brick, (brick, brick, plate, plate))
    assert multiview.solve(state) == frozenset(fits)


def test_from_above_a_tile_is_told_from_a_plate_by_its_studs() -> None:
    plate, tile = (pieces_of(f"grey plate_6x6 0,0,0 r0; red {kind}_2x2 2,2,1 r0") for kind in ("plate", "tile"))
    state = multiview.State("top", ("top", "left", "top", "left"), plate, (plate, plate, tile, tile))
    assert multiview.solve(state) == {"A"}

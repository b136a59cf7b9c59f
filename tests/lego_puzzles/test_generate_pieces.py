"""Parts and pieces: text, space, studs, looks."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogsight.lego_puzzles.generate.pieces import (
    Model,
    Piece,
    fits,
    footprint,
    holds_together,
    links,
    pieces_of,
    stands,
    text_of,
    touch,
)
from cogsight.lego_puzzles.generate.shapes import PLATE_HEIGHT, SHAPES, TURNS
from cogsight.lego_puzzles.generate.turntable import turned
from cogsight.lego_puzzles.generate.views import CAMERA, frame_of, mesh_of, scene
from cogsight.shared.render.draw import survey
from cogsight.shared.render.palette import PALETTE

PIECES = st.builds(
    Piece,
    st.sampled_from(sorted(PALETTE)),
    st.sampled_from(sorted(SHAPES)),
    st.integers(-20, 20),
    st.integers(-20, 20),
    st.integers(0, 30),
    st.sampled_from(TURNS),
)


@given(st.lists(PIECES, min_size=1, max_size=5))
def test_text_is_read_back(pieces: list[Piece]) -> None:
    assert pieces_of(text_of(pieces)) == tuple(pieces)
    assert Model.parse(str(Model((tuple(pieces), tuple(pieces[:1]))))) == Model((tuple(pieces), tuple(pieces[:1])))


@pytest.mark.parametrize("text", ["", "red brick_2x4", "red brick_2x4 1,2 r0", "red brick_2x4 a,b,c r0"])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected a piece such as"):
        Piece.parse(text)


@pytest.mark.parametrize(("name", "turn"), list(product(sorted(SHAPES), TURNS)))
def test_the_mesh_lies_in_the_cells(name: str, turn: str) -> None:
    """Turned meshes and turned cells come from different code: they must agree, and no part may be mirrored."""
    piece = Piece("red", name, 3, -2, 4, turn)
    points, cells = mesh_of(piece).points(), np.array(sorted(piece.cells()))
    low, high = cells.min(0), cells.max(0) + 1
    assert np.allclose(points.min(0)[:2], low[:2], atol=0.11) and np.allclose(points.max(0)[:2], high[:2], atol=0.11)
    assert footprint(piece) == tuple(high[:2] - low[:2])
    assert points[:, 2].min() >= 4 * PLATE_HEIGHT - 1e-9
    tops = {(int(np.floor(x)), int(np.floor(y))) for x, y, z in points if z > high[2] * PLATE_HEIGHT + 0.1}
    assert tops == {(x, y) for x, y, _ in piece.studs()}, "studs are drawn where the grid has them"


@pytest.mark.parametrize("shape", ["cone_2x2", "round_brick_2x2", "round_plate_2x2"])
def test_no_stud_comes_through_a_part_that_stands_on_it(shape: str) -> None:
    part, base = pieces_of(f"red {shape} 0,0,1 r0; grey plate_2x2 0,0,0 r0")
    for camera in (CAMERA, turned(CAMERA, 120)):
        frame = frame_of([part, base], cameras=[camera])
        alone, both = (survey(scene(shown), camera=camera, frame=frame) for shown in ([part], [part, base]))
        assert (both[alone >= 0] == 0).all(), "the plate hides nothing of what stands on it"


def test_turns_that_make_no_difference_have_one_name() -> None:
    for shape in SHAPES.values():
        for turn in TURNS:
            piece = Piece("red", shape.name, 0, 0, 0, turn)
            same = Piece("red", shape.name, 0, 0, 0, shape.alike(turn))
            assert (piece.cells(), piece.studs(), piece.sockets()) == (same.cells(), same.studs(), same.sockets())


def test_studs_link_and_sides_touch() -> None:
    below, above, beside = (Piece.parse(f"red brick_2x2 {place} r0") for place in ("0,0,0", "1,1,3", "2,0,0"))
    assert links(below, above) and touch(below, above)
    assert touch(below, beside) and not links(below, beside)
    assert not touch(below, above.moved(x=1)), "an edge in common is no contact"
    assert fits(above, [below, beside]) and not fits(above.moved(z=-1), [below])
    assert not holds_together([below, beside]) and holds_together([below, beside, above.moved(y=-1)])
    assert not links(below, Piece.parse("red overhang_1x2 0,1,3 r0")), (
        "the hollow side of an inverted slope takes no stud"
    )


def test_what_leans_too_far_falls() -> None:
    foot, beam = Piece.parse("red brick_1x1 0,0,0 r0"), Piece.parse("red brick_1x6 0,0,3 r0")
    assert stands([foot]) and not stands([foot, beam]) and not stands([beam])
    assert stands([foot, beam, Piece.parse("red brick_1x1 0,5,0 r0")])

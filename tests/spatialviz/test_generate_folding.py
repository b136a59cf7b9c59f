"""Cube Unfolding and Cube Reconstruction: nets, prints, pictures, keys that a second method confirms, and the release's own items."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from folding_methods import fits, folded, folding_fits
from hypothesis import given, settings
from hypothesis import strategies as st
from puzzles import puzzles

from cogsight.spatialviz.generate import GENERATORS, cube_reconstruction, cube_unfolding, net_proof
from cogsight.spatialviz.generate.folding import CHANGES, View, sides
from cogsight.spatialviz.generate.net_pictures import DOT_COLORS, EDGE, LOOKS, SIDE, cube_picture
from cogsight.spatialviz.generate.nets import (
    ATTITUDES,
    PRINTS,
    UPRIGHT,
    Net,
    by_kind,
    corner,
    corners,
    flipped,
    mirrored,
    outward,
    plain,
    random_cube,
    random_net,
    shapes,
    spun,
    stances,
    unfolded,
)
from cogsight.spatialviz.generate.options import LETTERS, NONE

RELEASE = Path(__file__).parents[2] / ".." / "shared" / "data" / "spatialviz"
TASKS = ("cube_unfolding", "cube_reconstruction")
CASES = [(task, level) for task in TASKS for level in GENERATORS[task].levels]


def cube_of(seed: int, prints: str) -> Any:
    rng = Random(seed)
    return next(cube for _ in range(50) if (cube := random_cube(rng, prints)) is not None)


def test_as_many_nets_as_are_known() -> None:
    assert len(by_kind()) == 11  # Gardner, Mathematical Carnival: 11 of the 35 hexominoes
    assert sum(len(group) for group in by_kind()) == len(shapes()) == len(set(shapes()))
    assert sorted({len(group) for group in by_kind()}) == [4, 8]  # mirror or half-turn symmetry, or none


def test_what_is_no_net_is_refused() -> None:
    with pytest.raises(ValueError, match="six squares that fold into a cube"):
        Net.parse("00R 01G 02B 10Y 11C 12V")
    with pytest.raises(ValueError, match="six squares that fold into a cube"):
        Net.parse("00R 01G 02B 10Y 40C 42V")


@given(st.text("RGBYK.", min_size=9, max_size=9) | st.sampled_from(["R", "d0", "t2", "h1", "l3"]))
def test_turning_and_flipping_a_face(face: str) -> None:
    assert spun(spun(face, 1), 3) == face == flipped(flipped(face))
    assert flipped(spun(face, 1)) == spun(flipped(face), 3)
    assert plain(spun(face, 2)) == plain(face)


@settings(max_examples=25, deadline=None)
@given(st.integers(0), st.sampled_from(list(PRINTS)), st.sampled_from(shapes()), st.sampled_from(ATTITUDES))
def test_folding_undoes_unfolding(seed: int, prints: str, cells: Any, start: Any) -> None:
    cube = cube_of(seed, prints)
    net = unfolded(cube, cells, start)
    assert Net.parse(str(net)) == net
    assert sum(stance == cube for stance in stances(net)) == 1
    for above in (True, False):
        seen = corners(net, above=above)
        assert {net_proof.shown(faces, above=above) for faces in seen} == net_proof.all_corners(net.faces)
        assert len(seen) == 24 == 3 * len(net_proof.all_corners(net.faces))


def test_frames_look_outward() -> None:
    assert all(outward(frame) == side for side, frame in UPRIGHT.items())
    assert len({(outward(frame), frame[0]) for frame in ATTITUDES}) == 24


@pytest.mark.parametrize("look", range(len(LOOKS)))
@pytest.mark.parametrize("name", list(CHANGES))
def test_what_a_change_spoils_is_seen(name: str, look: int) -> None:
    cube, rng = cube_of(look, "dots"), Random(look)
    view = View.of(cube, look)
    for changed, why in CHANGES[name](cube, sides(look), rng):
        assert why
        net = random_net(rng, changed)
        assert view.faces not in corners(net, above=view.above)
        assert not fits(net.faces, view.faces, above=view.above)
    twice = mirrored(mirrored(cube))
    assert corner(twice, above=True) == corner(cube, above=True) and twice == cube


@pytest.mark.parametrize("look", range(len(LOOKS)))
def test_a_picture_shows_each_dot_in_its_place(look: int) -> None:
    """By projecting points in space where the drawing lays out parallelograms."""
    cube = cube_of(look, "dots")
    image = cube_picture(View.of(cube, look).faces, LOOKS[look])
    axes = LOOKS[look].axes()
    for side in sides(look):
        right, down = UPRIGHT[side]
        for n, dot in enumerate(cube[side]):
            spot = [
                side[i] / 2 + right[i] * ((n % 3 + 0.5) / 3 - 0.5) + down[i] * ((n // 3 + 0.5) / 3 - 0.5)
                for i in range(3)
            ]
            x, y = (round(SIDE / 2 + EDGE * sum(spot[i] * axes[i][j] for i in range(3))) for j in (0, 1))
            found = image.getpixel((x, y))
            if dot == ".":
                assert found not in DOT_COLORS.values()
            else:
                assert found == DOT_COLORS[dot]


@pytest.mark.parametrize(("task", "level"), CASES)
def test_both_methods_agree(task: str, level: str) -> None:
    for puzzle in puzzles(GENERATORS[task], level, 8):
        assert folding_fits(puzzle.state) == GENERATORS[task].solve(puzzle.state) == {puzzle.key}


@pytest.mark.parametrize("form", cube_reconstruction.FORMS)
def test_none_is_right_in_its_share(form: str) -> None:
    made = [p for p in puzzles(cube_reconstruction.GENERATOR, "0", 240) if p.state.form == form]
    assert all(cube_reconstruction.ask(puzzle.state)[1]["D"] == NONE for puzzle in made)
    assert 0.1 < sum(puzzle.key == "D" for puzzle in made) / len(made) < 0.4


def test_the_nets_hide_nothing_that_matters() -> None:
    """The nets of a question differ in what the cube does not show; so the one that differs is not the odd one out."""
    for puzzle in puzzles(cube_unfolding.GENERATOR, "2", 12):
        cubes = [frozenset(net_proof.all_corners(net.faces)) for net in puzzle.state.options]
        assert len(set(cubes)) == len(LETTERS)


def test_configs_say_what_is_wrong() -> None:
    level = cube_reconstruction.LEVELS["0"].cubes
    with pytest.raises(ValueError, match="prints are colours, drawings, dots"):
        type(level)("stamps", ("turn",), (0,))
    with pytest.raises(ValueError, match="only of colours"):
        cube_reconstruction.Config(level, ("opposite",))


# The release's own items. There nets are folded upward, and their colours go through the sheet: what comes out is the mirror image of a
# net that is folded down. Transcribed by eye: rows and columns of a net run to the right and downwards in its picture.

UNFOLDING: dict[str, tuple[str, tuple[str, ...]]] = {
    "0": (
        "1:R,B,M",
        (
            "00R 10C 11Y 12M 13B 23G",
            "00B 01R 11C 12Y 13M 22G",
            "00R 10C 11M 12Y 13B 21G",
            "00R 10C 11Y 12M 13B 22G",
        ),
    ),
    "2": (
        "1:MBBMB.GGB,MGGBR...M,MRKR..G.B",
        (
            "00M.G.RG.BM 01B.BGBBGMM 11KBRMMGBMK 12BGGGRBGBK 22GMGBKMRBR 23B.K..RGRM",
            "00M.G.RG.BM 01GGBMB.MBB 11KBRMMGBMK 12BGGGRBGBK 22GMGBKMRBR 23B.K..RGRM",
            "00B.BGBBGMM 10KBRMMGBMK 20RBGBKMRMG 11BGGGRBGBK 12KRM..RB.G 13GGM.RBM..",
            "00M.G.RG.BM 01B.BGBBGMM 11KBRMMGBMK 12BGGGRBGBK 13KRM..RB.G 23GMRMKBGBR",
        ),
    ),
}
RECONSTRUCTION: dict[str, tuple[str, tuple[str, ...]]] = {
    # h: two stripes; d: a diagonal; t: a diagonal and half of the other one, to the corner where t0 has its stripes; o: a circle.
    "1": ("10t3 11h1 01d0 21h0 12d1 13o0", ("1:d0,h1,d1", "1:d1,h0,h0", "1:d0,h1,h0", "3:d0,o0,d1")),
    "2": (
        "00BMGGKKBMR 01.GKMGRKRB 11RBK.BMMBM 12GBKK.GR.. 13KGBKKGRMG 22...B.BRRG",
        (
            "1:KRBMGR.GK,BGKGKKGMR,KBGG.K..R",
            "1:GMBKKGRMB,R.MBBBKMM,GB.R..RB.",
            "3:..RG.KKBG,GRRB.B...,M.RBBBMMK",
            "1:GMBKKGRMB,R.MBBBKMM,GB.R..RB.",
        ),
    ),
}


def printed_key(task: str, level: str) -> str:
    if not RELEASE.exists():
        pytest.skip("the release's items lie beside the checkout, in ../shared/data/spatialviz")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = parquet.read_table(RELEASE / "test-00000-of-00001.parquet").to_pylist()
    return next(str(row["Answer"]) for row in rows if (row["Task"], row["Level"]) == (task, f"Level{level}"))


def through(net: str) -> dict[tuple[int, int], str]:
    return {(row, 9 - column): flipped(face) for (row, column), face in Net.parse(net).faces.items()}


@pytest.mark.parametrize("level", UNFOLDING)
def test_printed_keys_of_cube_unfolding(level: str) -> None:
    """All right. (The explanation of level 2 says that two faces have changed places; in fact one is turned by a quarter.)"""
    cube, nets = View.parse(UNFOLDING[level][0]), UNFOLDING[level][1]
    found = [net_proof.shown(cube.faces, above=cube.above) in net_proof.all_corners(through(net)) for net in nets]
    assert found == [fits(through(net), cube.faces, above=cube.above) for net in nets]
    assert [letter for letter, fit in zip(LETTERS, found, strict=True) if not fit] == [
        printed_key("CubeUnfolding", level)
    ]


@pytest.mark.parametrize("level", RECONSTRUCTION)
def test_printed_keys_of_cube_reconstruction(level: str) -> None:
    """All right: the printed key that is not is of an example that is not here."""
    net, views = RECONSTRUCTION[level][0], list(map(View.parse, RECONSTRUCTION[level][1]))
    found = [net_proof.shown(view.faces, above=view.above) in net_proof.all_corners(through(net)) for view in views]
    assert found == [fits(through(net), view.faces, above=view.above) for view in views]
    key = printed_key("CubeReconstruction", level)
    assert [letter for letter, fit in zip(LETTERS, found, strict=True) if fit] == [key]


def test_a_net_folded_the_other_way_shows_none_of_what_is_printed() -> None:
    """Which way a net is folded matters; the questions say it."""
    cube, nets = View.parse(UNFOLDING["0"][0]), UNFOLDING["0"][1]
    assert not any(fits(Net.parse(net).faces, cube.faces, above=cube.above) for net in nets)
    assert len(folded(Net.parse(nets[0]).faces)) == 6

"""Cross-sections and machine parts: second methods, the release's items, known views, golden pixels."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import cache
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden import golden_pixels
from hypothesis import given, settings
from hypothesis import strategies as st
from section_methods import (
    CAMERAS,
    DIFFERENT,
    Slicer,
    apart,
    cut_by_slicing,
    lines_of,
    numbers_of,
    outline,
    part_fits,
    reach,
    reached,
    shape_of,
    sliced,
    visible_edges,
)

from cogsight.shared.build import Job, Puzzle, is_proved, make
from cogsight.shared.errors import UnprovedKey
from cogsight.shared.rng import stream
from cogsight.shared.sample import Sample
from cogsight.spatialviz.generate import GENERATORS, VERSIONS, cross_section, section_search
from cogsight.spatialviz.generate.section_proof import DIFFERENT as TOLD_APART
from cogsight.spatialviz.generate.section_proof import nearest
from cogsight.spatialviz.generate.section_search import is_no_cut, is_steady
from cogsight.spatialviz.generate.stacked_solids import UPRIGHT, Plane, Solid, cut, read_plane, read_stack
from cogsight.spatialviz.generate.three_view_projection import parts, rays
from cogsight.spatialviz.generate.three_view_projection.edges import EYES, mirrored, read_stroke, view
from cogsight.spatialviz.generate.three_view_projection.shaping import is_sound
from cogsight.spatialviz.generate.three_view_projection.solids import Box, Rod, read, told

RELEASE = Path(__file__).parents[2] / ".." / "shared" / "data" / "spatialviz"
CASES = [("cross_section", level) for level in cross_section.LEVELS] + [("three_view_projection", "1")]
GOLDEN = [row for row in golden_pixels("spatialviz") if tuple(row[0].split(" ")[1:3]) in CASES]
every_level = pytest.mark.parametrize(("task", "level"), CASES)

BRACKET = read("+b0,0,0,12,9,2/+b0,7,2,12,9,7/+z8,3,2,3,2/-y4,7,5,2,1/-z8,3,0,5,1/-b3,0,0,5,3,2")
"""A plate with a wall, a bored boss, a hole in the wall and a notch in front."""


@cache
def made(task: str, level: str, index: int = 0) -> Sample:
    return make(Job(GENERATORS[task], "spatialviz", VERSIONS, 0, level, index))[0]


def state_of(sample: Sample) -> Any:
    return GENERATORS[sample.task].parse(json.loads(sample.metadata)["state"])


@every_level
def test_samples_are_whole(task: str, level: str) -> None:
    generator, sample = GENERATORS[task], made(task, level)
    state = state_of(sample)
    assert str(state) == json.loads(sample.metadata)["state"] and "\n" not in str(state)
    assert generator.solve(state) == {sample.answer}
    assert generator.ask(state) == (sample.question, sample.choices)
    assert generator.draw(state) == sample.images and len(sample.images) == 1 == len(generator.alt(state))
    assert [letter for letter, why in sample.explanation.items() if why.startswith("Right: ")] == [sample.answer]
    wrong = "ABCD".replace(sample.answer, "")[0]
    with pytest.raises(UnprovedKey, match=f"the key is {wrong}, but {sample.answer} fits"):
        is_proved(generator, state, wrong)


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(st.sampled_from(CASES), st.integers(0, 3), st.integers(0, 10**6))
def test_what_is_generated_is_told_and_the_same_again(case: tuple[str, str], slot: int, seed: int) -> None:
    generator = GENERATORS[case[0]]
    puzzle = generator.generate(stream(seed), generator.levels[case[1]], slot)
    assert puzzle == generator.generate(stream(seed), generator.levels[case[1]], slot)
    if puzzle:
        assert generator.parse(str(puzzle.state)) == puzzle.state
        assert puzzle.key == "ABCD"[slot] in generator.solve(puzzle.state)


@pytest.mark.parametrize(("name", "digest"), GOLDEN)
def test_golden_pixels(name: str, digest: str) -> None:
    """The same seed gives the same pixels; a change needs a new RENDER_VERSION or DATA_VERSION."""
    _, task, level, index = name.split(" ")
    assert sha256(made(task, level, int(index)).images[0].open().tobytes()).hexdigest() == digest


def test_every_level_has_a_golden_hash() -> None:
    assert {tuple(name.split(" ")[1:3]) for name, _ in GOLDEN} == set(CASES)


@pytest.mark.slow
@every_level
def test_each_key_in_its_share(task: str, level: str) -> None:
    assert Counter(made(task, level, index).answer for index in range(4)) == dict.fromkeys("ABCD", 1)


# Cross-sections.


def puzzles(form: str, level: str, count: int) -> list[Puzzle[cross_section.State]]:
    """Proved ones of one form."""
    config = replace(cross_section.LEVELS[level], forms=(form,))
    drawn = (cross_section.generate(stream(8, level, i), config, i % 4) for i in range(20 * count))
    proved = (puzzle for puzzle in drawn if puzzle and cross_section.solve(puzzle.state) == {puzzle.key})
    return list(islice(proved, count))


@pytest.mark.parametrize("level", cross_section.LEVELS)
def test_enough_draws_are_proved(level: str) -> None:
    """About half of them; were it a third, one sample in 10^10 would find none in 60 tries."""
    config = cross_section.LEVELS[level]
    drawn = [cross_section.generate(stream(7, level, i), config, i % 4) for i in range(30)]
    assert sum(puzzle is not None and cross_section.solve(puzzle.state) == {puzzle.key} for puzzle in drawn) >= 10


@pytest.mark.parametrize("level", cross_section.LEVELS)
@pytest.mark.parametrize("form", cross_section.QUESTIONS)
def test_slicing_finds_the_key(form: str, level: str) -> None:
    for puzzle in puzzles(form, level, 5):
        assert cut_by_slicing(puzzle.state) == {puzzle.key}


@pytest.mark.slow
@pytest.mark.parametrize("level", cross_section.LEVELS)
def test_a_search_finds_the_cuts_and_only_these(level: str) -> None:
    """Without a hint where: planes at random, moved to where they cut the figure."""
    found = Counter()
    for puzzle in puzzles(cross_section.NO_CUT, level, 4):
        for letter in "ABCD":
            found[letter == puzzle.key] += reached(puzzle.state, letter) < DIFFERENT
    assert found[True] == 0
    assert found[False] >= 8  # of 12


@pytest.mark.parametrize("level", cross_section.LEVELS)
def test_all_figures_show_all_solids_where_one_is_no_cut(level: str) -> None:
    """A level cut shows one outline, and was never the key."""
    for puzzle in puzzles(cross_section.NO_CUT, level, 4):
        assert {len(cut(*option)) for option in puzzle.state.options} == {len(puzzle.state.stack)}


@pytest.mark.parametrize("kind", ["level", "upright", "slanting"])
def test_no_plane_is_overlooked(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a plane anywhere cuts out is never called no cut, however little else is like it."""
    monkeypatch.setattr(section_search, "ALIKE", 1e-6)
    rng, looked_at = stream(3, kind), 0
    for count in (2, 3) * 20:
        stack = cross_section._stack(rng, count)
        height, width = sum(solid.height for solid in stack), max(max(solid.bottom, solid.top) for solid in stack)
        tilt, low, high = {
            "level": (0, 0, height),
            "upright": (UPRIGHT, -width, width),
            "slanting": (rng.uniform(3, 87), -height / 4, height * 5 / 4),
        }[kind]
        plane = Plane(rng.uniform(0, 360), tilt, rng.uniform(low, high))  # type: ignore[arg-type]
        figure = cut(stack, plane)
        if figure:
            looked_at += 1
            assert not is_no_cut(figure, stack, kind == "slanting"), (stack, plane)
            assert not is_no_cut([[(-x, y) for x, y in piece] for piece in figure], stack, kind == "slanting")
    assert looked_at > 25


def test_what_no_plane_can_cut() -> None:
    """On a cylinder of radius 20 no cut of a cone of radius 14 is the wider one, nor is it ever steeper than along the axis."""
    stack = read_stack("0,20,20,16,0/0,14,0,24,0")
    low = ((-20.0, 0.0), (20.0, 0.0), (20.0, 16.0), (-20.0, 16.0))
    narrow = tuple((x / 2, y) for x, y in low)
    along = ((-14.0, 16.0), (14.0, 16.0), (0.0, 40.0))
    steeper = ((-14.0, 16.0), (14.0, 16.0), (0.0, 56.0))
    assert not is_no_cut([low, along], stack, False)
    assert is_no_cut([narrow, along], stack, False)
    assert is_no_cut([low, steeper], stack, False)
    slant = cut(stack, Plane(0, 30, 12))
    assert is_no_cut(slant, stack, False)
    assert not is_no_cut(slant, stack, True)
    assert is_no_cut([low, along, steeper], stack, True)  # as many pieces as no plane meets


@pytest.mark.parametrize(
    ("state", "why"),
    [
        (
            "no_cut 3,14,14,18,30/0,20,26,18,45/3,22,16,22,195 - straight 3,14,14,18,30/0,20,26,18,45/3,22,16,22,195@90,90,0"
            " 3,14,14,18,30/0,20,26,18,45/3,22,16,22,195@120,90,7 3,14,14,18,30/3,22,16,22,195/0,20,26,18,45@120,90,0"
            " 3,14,14,18,30/0,20,26,18,45/3,22,16,22,195@135,90,10",
            "along a side",
        ),
        (
            "cut 0,18,18,20,75/3,26,26,18,270/0,22,0,16,300 120,90,13 straight"
            " 0,18,18,20,75/3,26,26,18,270/0,22,0,16,300@120,90,13 0,18,18,12,75/3,26,26,18,270/0,22,0,16,300@120,90,13"
            " 0,18,18,20,75/3,26,26,18,270/0,22,0,16,300@135,90,7 0,18,18,12,75/3,26,26,18,270/0,22,0,16,300@135,90,7",
            "along a side",
        ),
        (
            "no_cut 6,26,22,24,330/6,18,18,16,105/0,26,26,14,45 - any 6,26,22,24,330/6,10,10,16,105/0,26,26,14,45@315,45,37"
            " 6,26,22,24,330/6,18,18,16,105/0,26,26,14,45@315,45,14 6,26,22,24,330/6,18,18,16,105/0,26,26,14,45@15,90,0"
            " 6,26,22,24,330/6,18,18,16,105/0,26,26,14,45@225,60,20",
            "touches a rim in a point",
        ),
    ],
)
def test_planes_that_hardly_meet_a_solid_are_not_asked_about(state: str, why: str) -> None:
    """Whether such a plane cuts the solid at all is not to be seen."""
    asked = cross_section.State.parse(state)
    assert not all(is_steady(*option) for option in asked.options if option[0] == asked.stack), why
    assert cross_section.solve(asked) == set("ABCD")


@pytest.mark.parametrize(
    ("state", "fits"),
    [
        (
            "cut 4,10,10,20,105/4,22,0,22,45 0,0,25 straight 4,22,0,22,45/4,10,10,20,105@0,0,25 4,10,10,20,105/4,22,0,22,45@0,0,25"
            " 4,22,0,22,45/4,10,10,20,105@90,90,0 4,10,10,20,105/4,22,0,22,45@90,90,0",
            "AB",
        ),
        (
            "cut 0,24,24,22,90/4,16,10,32,120/4,16,0,12,135 0,0,57 straight 0,24,24,22,90/4,16,10,32,120/4,16,0,12,135@45,90,0"
            " 0,24,24,22,90/4,16,0,12,135/4,16,10,32,120@0,0,57 0,24,24,22,90/4,16,0,12,135/4,16,10,32,120@45,90,0"
            " 0,24,24,22,90/4,16,10,32,120/4,16,0,12,135@0,0,57",
            "BD",
        ),
        (
            "cut 3,20,20,28,90/4,12,12,30,15/3,26,0,24,345 0,0,71 straight 3,20,20,28,90/4,12,12,30,15/3,26,0,24,345@0,0,71"
            " 3,26,0,24,345/4,12,12,30,15/3,20,20,28,90@0,0,71 3,20,20,28,90/4,12,12,30,15/3,26,0,24,345@0,90,14"
            " 3,26,0,24,345/4,12,12,30,15/3,20,20,28,90@0,90,14",
            "AB",
        ),
        (
            "cut 3,12,24,22,30/3,14,0,32,105 0,0,35 straight 3,14,0,32,105/3,12,24,22,30@15,90,9 3,14,0,32,105/3,12,24,22,30@0,0,35"
            " 3,12,24,22,30/3,14,0,32,105@0,0,35 3,12,24,22,30/3,14,0,32,105@15,90,9",
            "BC",
        ),
    ],
    ids=["squares", "squares of three solids", "triangles of three solids", "triangles"],
)
def test_a_level_cut_has_no_upright(state: str, fits: str) -> None:
    """Two solids that change places: one polygon, turned. Each was asked about once; no generator may draw them now."""
    asked = cross_section.State.parse(state)
    assert cross_section.solve(asked) == cut_by_slicing(asked) == set(fits)
    assert not cross_section._are_clear(asked.options)


def test_a_level_figure_turned_is_not_said_to_be_no_cut() -> None:
    """A level cut of a prism that stands 25 degrees off: the shown one's, on a page without an upright."""
    stack = "3,20,20,16,{}/0,14,0,24,0"
    cuts = " ".join(f"{stack.format(0)}@{plane}" for plane in ("0,90,0", "0,90,4", "0,0,28"))
    asked = cross_section.State.parse(f"no_cut {stack.format(0)} - straight {stack.format(25)}@0,0,8 {cuts}")
    assert cross_section.solve(asked) == set("ABCD")
    assert cut_by_slicing(asked) == set()


@pytest.mark.parametrize("plane", ["30,90,7", "75,90,-4", "200,30,20", "45,60,12"])
def test_slicing_many_planes_is_slicing_each(plane: str) -> None:
    stack, at = read_stack("3,22,12,14,15/0,8,18,20,0/6,12,12,14,45"), read_plane(plane)
    (shape,) = Slicer.of(stack).shapes(np.array([numbers_of(stack, at)]))
    assert shape[~np.isnan(shape[:, 0])] == pytest.approx(shape_of(cut(stack, at)), abs=1e-6)


@pytest.mark.parametrize("plane", ["0,0,5", "0,90,0", "30,90,7", "75,90,-4", "200,30,20", "45,60,12"])
@pytest.mark.parametrize("stack", ["0,20,20,16,0/4,16,0,24,30", "3,22,12,14,15/0,8,18,20,0/6,12,12,14,45"])
def test_three_ways_to_cut_agree(stack: str, plane: str) -> None:
    """Clipped half-spaces, sliced triangles, and widths."""
    solids, at = read_stack(stack), read_plane(plane)
    assert apart(outline(lines_of(solids, at)), outline(sliced(solids, at))) < 0.011
    assert nearest([(solids, at)], solids, [at]) == [pytest.approx(0, abs=1e-9)]


def test_known_cuts() -> None:
    """A cone along its axis is a triangle, level a circle, beside the axis no triangle; a cube through its edges a rectangle of √2."""
    cone, cube = (Solid(0, 10, 0, 20, 0),), (Solid(4, 10, 10, 14, 0),)
    (triangle,) = cut(cone, Plane(0, 90, 0))
    assert {(-10.0, 0.0), (10.0, 0.0), (0.0, 20.0)} <= {(round(x, 6) + 0.0, round(y, 6) + 0.0) for x, y in triangle}
    assert cross_section._area(triangle) == pytest.approx(200)
    (circle,) = cut(cone, Plane(0, 0, 10))
    assert {round(float(np.hypot(x, y)), 6) for x, y in circle} == {5.0}
    (square,) = cut(cube, Plane(0, 90, 0))
    assert sorted({round(x, 6) for x, _ in square}) == [-10.0, 10.0]
    away = nearest([(cone, Plane(0, 90, 5))], cone, [Plane(0, 90, 0)])
    assert away[0] > TOLD_APART


def test_what_is_a_cut_of_no_plane() -> None:
    """Among cuts of a cone on a cylinder the one of a cylinder on a cone is found, and none when all four are cuts."""
    text = "no_cut 0,20,20,16,0/0,14,0,24,0 - straight {} 0,20,20,16,0/0,14,0,24,0@0,90,0"
    cuts = " ".join(f"0,20,20,16,0/0,14,0,24,0@{plane}" for plane in ("0,0,8", "0,90,6"))
    swapped = cross_section.State.parse(text.format(f"0,14,0,24,0/0,20,20,16,0@0,90,0 {cuts}"))
    assert cross_section.solve(swapped) == {"A"}
    same = cross_section.State.parse(text.format(f"0,20,20,16,0/0,14,0,24,0@0,90,9 {cuts}"))
    assert cross_section.solve(same) == set()


def test_a_line_that_is_seen_only_straight_settles_nothing() -> None:
    """Behind the axis only its line across the top is seen, on which many planes meet; before it the line goes on down the front."""
    stack = "0,26,26,12,0/0,10,10,12,0"
    options = f"{stack}@0,90,15 {stack}@0,90,0 {stack}@0,0,5 0,10,10,12,0/0,26,26,12,0@0,90,0"
    behind, before = (cross_section.State.parse(f"cut {stack} 0,90,{at} straight {options}") for at in (15, -15))
    assert cross_section.solve(behind) == set("ABCD")
    assert cross_section.solve(before) == {"A"}


# Machine parts.


def test_views_of_a_known_part() -> None:
    """Read off a drawing of the bracket: dashed where the bore and the wall's hole are, the notch open in front."""
    front = (
        "d7,0,7,5 d9,0,9,5 s0,0,0,7 s0,0,12,0 s0,2,12,2 s0,7,12,7 s10,2,10,5 s12,0,12,7 s3,0,3,2 s4,5,0,360,1 s5,0,5,2"
    )
    top = "d3,7,3,9 d5,7,5,9 s0,0,0,9 s0,0,3,0 s0,7,12,7 s0,9,12,9 s12,0,12,9 s3,0,3,3 s3,3,5,3 s5,0,12,0 s5,0,5,3"
    assert " ".join(map(str, view(BRACKET, "front"))) == f"{front} s6,2,6,5 s6,5,10,5"
    assert " ".join(map(str, view(BRACKET, "top"))) == f"{top} s8,3,0,360,1 s8,3,0,360,2"


def test_a_circle_behind_a_block_is_hidden_below_its_edge() -> None:
    part = read("+b0,0,0,10,8,2/+b0,6,2,10,8,8/+b2,0,2,6,2,5/-y4,6,5,2,2")
    arcs = [stroke for stroke in view(part, "front") if stroke.radius]
    assert sorted((s.a, s.b, s.hidden) for s in arcs) == [(0.0, 180.0, False), (180.0, 360.0, True)]


@pytest.mark.parametrize("side", EYES)
def test_rays_tell_views_apart(side: str) -> None:
    right = view(BRACKET, side)
    assert rays.fits(BRACKET, side, right)
    wrong = [view(BRACKET, other) for other in EYES if other != side]
    wrong += [mirrored(right), right[1:], tuple(stroke for stroke in right if not stroke.hidden)]
    assert not any(rays.fits(BRACKET, side, one) for one in wrong)
    assert mirrored(mirrored(right)) == right


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("+b0,0,0,14,9,2/+b3,6,2,14,9,9/+y10,3,6,3,2/-b6,0,0,9,3,2/-z11,3,0,2,1/-y6,6,5,3,1", "front"),
        ("+b0,0,0,11,10,3/+b0,6,3,7,10,9/+y4,4,6,2,2/-x0,8,5,7,1/-z4,3,0,3,2/-b8,0,0,10,2,3", "right"),
    ],
    ids=["a boss ends as far back as a hole has its middle", "a boss and a hole of one radius, one after the other"],
)
def test_rays_that_miss_a_rod_meet_nothing_of_it(text: str, side: str) -> None:
    assert rays.fits(read(text), side, view(read(text), side))


@pytest.mark.slow
def test_pixels_find_the_view_dashed_lines_included() -> None:
    """And refuse it without its dashed lines."""
    without = 0
    for index in range(8):
        sample = made("three_view_projection", "1", index)
        state = state_of(sample)
        assert part_fits(state) == {sample.answer}
        bare = [tuple(stroke for stroke in option if not stroke.hidden) for option in state.options]
        key = "ABCD".index(sample.answer)
        if key < len(bare) and bare[key] != state.options[key]:
            options = tuple(bare[n] if n == key else option for n, option in enumerate(state.options))
            assert sample.answer not in part_fits(replace(state, options=options))
            without += 1
    assert without > 2


@pytest.mark.slow
def test_pixels_and_edges_see_the_same() -> None:
    """Visible lines lie where the z-buffer shows another face beside."""
    for index in range(4):
        part = state_of(made("three_view_projection", "1", index)).part
        for side in CAMERAS:
            drawn = np.concatenate([s.points(0.1) for s in view(part, side) if not s.hidden])
            shown = visible_edges(part, side)
            assert max(reach(drawn, shown), reach(shown, drawn)) < 0.12


def test_outlines_end_where_a_rod_ends() -> None:
    """The hole in the wall is as high as the boss: nothing of it is seen on the boss."""
    part = read("+b0,0,0,11,8,3/+b0,6,3,11,8,7/+z8,3,3,2,2/-y9,6,5,2,1/-z8,3,0,5,1")
    assert not [s for s in view(part, "top") if not s.radius and s.x == s.a == 8 and not s.hidden]


@pytest.mark.parametrize(
    ("text", "sound"),
    [
        ("+b0,0,0,8,8,2/+z4,4,2,3,2", True),
        ("+b0,0,0,8,8,2/+z7,4,2,3,2", False),
        ("+b0,0,0,8,8,2/-z4,4,0,2,2", True),
        ("+b0,0,0,8,8,2/-z4,4,1,1,2", False),
        ("+b0,0,0,8,8,2/-z4,7,0,2,2", False),
    ],
)
def test_rods_stand_whole_and_holes_go_through(text: str, sound: bool) -> None:
    assert is_sound(read(text)) == sound
    assert told(read(text)) == text


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: cross_section.Config(4, (0,)), "2 or 3 solids"),
        (lambda: cross_section.Config(2, (0,), ("guess",)), "forms are"),
        (lambda: cross_section.State.parse("cut 0,1,1,1,0 - straight a b c d"), "a red line"),
        (lambda: cross_section.State.parse("maybe 0,1,1,1,0 - straight a b c d"), "a form"),
        (lambda: Solid(5, 1, 1, 1, 0), "no solid"),
        (lambda: read_plane("1,2"), "3 whole numbers"),
        (lambda: parts.Config((0, 2)), "1 or more features"),
        (lambda: parts.Config(sides=("below", "top")), "two or more sides"),
        (lambda: parts.State.parse("parts top top +b0,0,0,1,1,1 a b c"), "two sides"),
        (lambda: read("*b0,0"), r"\+ or -"),
        (lambda: read_stroke("x1,2,3,4"), "s or d"),
        (lambda: Box((0, 0, 0), (1, 1, 0)), "lower corner"),
        (lambda: Rod(3, (0, 0, 0), 1, 1), "axis 0, 1 or 2"),
    ],
)
def test_what_is_no_config_and_no_state(build: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build()


# The release. Its part of level 1 is not here: what tells its options apart are seams between bodies that lie flush, and ours have none.


@pytest.mark.parametrize(
    ("level", "state"),
    [
        (
            "Level1",
            "no_cut 0,54,43,36,0/0,36,36,54,0/3,32,41,72,0 - any 0,54,43,36,0/0,36,36,54,0/3,32,41,72,0@90,90,0"
            " 0,55,43,37,0/0,19,19,28,0/3,41,55,92,0@0,90,0 0,54,43,36,0/0,36,36,54,0/3,32,41,72,0@180,45,81"
            " 0,54,43,36,0/0,36,36,54,0/3,32,41,72,0@0,0,4",
        ),
        (
            "Level2",
            "no_cut 0,20,20,20,0/0,16,0,20,0/4,14,0,14,0 - straight 0,20,20,20,0/0,16,0,20,0/4,14,0,14,0@0,90,7"
            " 0,20,20,20,0/0,16,0,20,0/4,14,0,14,0@0,0,10 0,24,24,24,0/0,8,0,10,0/4,8,0,8,0@0,90,0"
            " 0,20,20,20,0/0,16,0,20,0/4,14,0,14,0@0,90,0",
        ),
    ],
)
def test_cross_sections_of_the_release(level: str, state: str) -> None:
    """Sizes read off the pictures and figures by eye; the cylinder is taken for solid. The printed keys hold."""
    if not RELEASE.is_dir():
        pytest.skip(f"the examples of the release are not at {RELEASE.resolve()}")
    import pyarrow.parquet as pq

    rows = pq.read_table(RELEASE / "test-00000-of-00001.parquet").to_pylist()
    key = next(row for row in rows if (row["Task"], row["Level"]) == ("CrossSection", level))["Answer"]
    asked = cross_section.State.parse(state)
    assert cross_section.solve(asked) == cut_by_slicing(asked) == {key}

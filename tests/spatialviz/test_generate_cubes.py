"""The generated cube tasks: polycubes, what pictures show of them, keys that second methods confirm, and the release's own items."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from hashlib import sha256
from itertools import pairwise, product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from cube_methods import SECOND, congruent, counts, covers, with_one_more
from golden import FOLDER, golden_pixels
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import polycubes

from cogsight.shared.build import Job, is_proved, make
from cogsight.shared.errors import UnprovedKey
from cogsight.shared.render.camera import project
from cogsight.shared.render.draw import survey
from cogsight.shared.rng import stream
from cogsight.shared.sample import Sample
from cogsight.spatialviz.generate import GENERATORS, cube_assembly, cube_counting, cube_proof, rotation_3d
from cogsight.spatialviz.generate.cube_changes import CHANGES, MOVED, changed
from cogsight.spatialviz.generate.cube_sight import (
    FRONT_RIGHT,
    RED,
    all_noticed,
    grey,
    mesh_of,
    pictures,
    seen,
    widest_frame,
)
from cogsight.spatialviz.generate.polycubes import (
    QUARTER_TURNS,
    Cells,
    block,
    canonical,
    connected,
    grown,
    mirrored,
    normal,
    orbit,
    read,
    told,
)
from cogsight.spatialviz.generate.three_view_projection import stacks

RELEASE = Path(__file__).parents[2] / ".." / "shared" / "data" / "spatialviz"
PARTS = ("three_view_projection", "1")
"""No cubes: tests/spatialviz/test_generate_parts.py."""
CASES = [(task, level) for task in SECOND for level in GENERATORS[task].levels if (task, level) != PARTS]
GOLDEN = [row for row in golden_pixels("spatialviz") if tuple(row[0].split(" ")[1:3]) in CASES]
every_level = pytest.mark.parametrize(("task", "level"), CASES)


@cache
def sample_of(task: str, level: str, index: int) -> Sample:
    return make(Job(GENERATORS[task], "spatialviz", {}, 0, level, index))[0]


# Polycubes.


@pytest.mark.slow
def test_as_many_polycubes_as_are_known() -> None:
    rows = [line.split("\t") for line in (FOLDER / "polycubes.tsv").read_text().splitlines() if line[0] != "#"]
    kinds: set[Any] = {canonical(frozenset({(0, 0, 0)}))}
    for size, expected in ((int(size), int(number)) for size, number in rows):
        if size > 1:
            kinds = {canonical(more) for kind in kinds for more in with_one_more(frozenset(kind))}
        assert (size, len(kinds)) == (size, expected)


@given(polycubes())
def test_text_of_a_polycube(cells: Cells) -> None:
    assert read(told(cells)) == cells
    assert connected(cells)


@pytest.mark.parametrize("text", ["", "00", "000,1000", "000,-10", "00x"])
def test_no_text_of_a_polycube(text: str) -> None:
    with pytest.raises(ValueError, match="three digits per cube"):
        read(text)


@given(polycubes(), polycubes())
def test_three_ways_to_compare_shapes_agree(one: Cells, other: Cells) -> None:
    """Walking the turns, signed permutations, and distances with triple products, which know no rotation at all."""
    for two in (other, mirrored(one), normal(map(QUARTER_TURNS[1], one))):
        same = canonical(one) == canonical(two)
        assert cube_proof.same(one, two) == same
        assert congruent(sorted(one), sorted(two)) == same


def test_rotations_do_not_mirror() -> None:
    corner = frozenset({(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)})
    assert len(set(map(tuple, map(sorted, cube_proof.turnings(corner))))) == len(orbit(corner)) == 12
    assert mirrored(corner) not in orbit(corner)
    assert not cube_proof.same(corner, mirrored(corner))


@given(polycubes(), st.sampled_from(sorted(CHANGES)), st.integers(0, 99))
@settings(max_examples=25, deadline=None)
def test_changed_shapes_are_other_shapes_and_show_all_their_cubes(cells: Cells, kind: str, seed: int) -> None:
    for shape, _ in list(zip(changed(Random(seed), cells, [kind, MOVED]), range(3), strict=False)):
        assert all_noticed(shape[0]) and connected(shape[0])
        assert canonical(shape[0]) != canonical(cells)


# What the pictures show.


def test_the_world_of_the_pictures_is_not_mirrored() -> None:
    """The corner nearest to the viewer in the middle, x down to the right of it, y up to the right, z up: a right-handed system."""
    frame = widest_frame([(0, 0, 0)], size=200, margin=10)
    near, along_x, along_y, up = project([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], camera=FRONT_RIGHT, frame=frame)[
        :, :2
    ]
    assert along_x[0] > near[0] and along_x[1] > near[1]
    assert along_y[0] > near[0] and along_y[1] < near[1]
    assert up[0] == near[0] and up[1] < near[1]


def test_right_and_front_in_the_pixels() -> None:
    """Of three cubes in an L the red one to the right of the corner is drawn to the right and below the one behind it."""
    corner, right, behind = (0, 0, 0), (1, 0, 0), (0, 1, 0)
    centers = []
    for marked in (right, behind):
        (image,) = pictures([{**grey([corner, right, behind]), marked: RED}], size=120)
        pixels = np.asarray(image).astype(int)
        centers.append(np.argwhere(pixels[..., 0] - pixels[..., 1] > 80).mean(0))
    (row_right, column_right), (row_behind, column_behind) = centers
    assert row_right > row_behind + 10
    assert abs(column_right - column_behind) < 40


@given(polycubes())
@settings(max_examples=30, deadline=None)
def test_rays_and_pixels_see_the_same(cells: Cells) -> None:
    frame = widest_frame(cells, size=300, margin=4)
    parts = survey(mesh_of(grey(cells)), camera=FRONT_RIGHT, frame=frame)
    found = np.bincount(parts[parts >= 0], minlength=len(cells)) / frame.scale**2
    areas = np.abs(FRONT_RIGHT.axes()[2])
    expected = [
        sum(share * areas[axis] for (c, axis), share in seen(cells).items() if c == cell) for cell in sorted(cells)
    ]
    assert np.abs(found - expected).max() < 0.12


def test_a_picture_of_seen_cubes_is_of_one_polycube() -> None:
    """All pentacubes in all positions that hide no cube, but for where they lie: no two show the same faces."""
    kinds = {canonical(frozenset({(0, 0, 0)}))}
    for _ in range(3):
        kinds = {canonical(more) for kind in kinds for more in with_one_more(frozenset(kind))}
    positions = {position for kind in kinds for position in orbit(frozenset(kind)) if all_noticed(position)}
    looks = {tuple(sorted(seen(position))) for position in positions}
    assert len(looks) == len(positions) > 80


# Keys.


@pytest.mark.slow
@every_level
def test_second_methods_find_the_key_and_nothing_else(task: str, level: str) -> None:
    for index in range(12):
        sample = sample_of(task, level, index)
        state = GENERATORS[task].parse(json.loads(sample.metadata)["state"])
        assert SECOND[task](state) == {sample.answer}


@pytest.mark.slow
@every_level
def test_each_key_in_its_share_and_reasons_for_all_letters(task: str, level: str) -> None:
    samples = [sample_of(task, level, index) for index in range(12)]
    assert Counter(sample.answer for sample in samples) == dict.fromkeys("ABCD", 3)
    for sample in samples:
        assert list(sample.choices) == list(sample.explanation) == list("ABCD")
        for letter, why in sample.explanation.items():
            assert why.startswith("Right: " if letter == sample.answer else "Wrong: ")
            assert "{" not in why


@every_level
def test_the_text_of_a_state_is_the_state(task: str, level: str) -> None:
    generator = GENERATORS[task]
    sample = sample_of(task, level, 0)
    text = json.loads(sample.metadata)["state"]
    state = generator.parse(text)
    assert str(state) == text
    assert "\n" not in text
    assert generator.ask(state) == (sample.question, sample.choices)
    assert tuple(generator.draw(state)) == sample.images
    assert len(generator.alt(state)) == len(sample.images) == 1


@given(st.sampled_from(CASES), st.integers(0, 3), st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_what_is_generated_is_told_proved_and_the_same_again(case: tuple[str, str], slot: int, seed: int) -> None:
    task, level = case
    generator = GENERATORS[task]
    puzzle = generator.generate(stream(seed), generator.levels[level], slot)
    assert puzzle == generator.generate(stream(seed), generator.levels[level], slot)
    if puzzle:
        assert generator.parse(str(puzzle.state)) == puzzle.state
        assert puzzle.key == "ABCD"[slot] in generator.solve(puzzle.state)


@pytest.mark.parametrize(("name", "expected"), GOLDEN)
def test_golden_pixels(name: str, expected: str) -> None:
    """The same seed gives the same pixels; a change needs a new RENDER_VERSION or DATA_VERSION."""
    _, task, level, index = name.split(" ")
    (picture,) = sample_of(task, level, int(index)).images
    assert sha256(picture.open().tobytes()).hexdigest() == expected


def test_every_level_has_a_golden_hash() -> None:
    assert [name for name, _ in GOLDEN] == [f"spatialviz {task} {level} 0" for task, level in CASES]


def test_a_wrong_key_is_refused() -> None:
    sample = sample_of("rotation_3d", "1", 0)
    state = rotation_3d.State.parse(json.loads(sample.metadata)["state"])
    with pytest.raises(UnprovedKey, match="this is a bug"):
        is_proved(rotation_3d.GENERATOR, state, "ABCD".replace(sample.answer, "")[0])


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: rotation_3d.Config((2, 4), (MOVED,)), "3 to 9 cubes"),
        (lambda: rotation_3d.Config((4, 4), ("squeezed",)), "changes out of"),
        (lambda: cube_assembly.Config((6, 9), 3, 3, 3, (MOVED,)), "1 or 2 given parts"),
        (lambda: cube_assembly.Config((6, 9), 1, 3, 3, ()), "changes are"),
        (lambda: cube_counting.Config(3, 3, 4, cube_counting.LEVELS["0"].numbers, none=False), "2 or 3 views"),
        (lambda: cube_counting.Config(3, 3, 2, (cube_counting.Numbers("guess", 1, 5, 9),), none=False), "a form of"),
        (
            lambda: cube_counting.Config(3, 3, 2, (cube_counting.Numbers("least", 2, 5, 10),), none=False),
            "room for 3 gaps",
        ),
        (lambda: stacks.Config(red=(3, 9)), "more cubes than these"),
        (lambda: stacks.Config(sides=("below",)), "sides are"),
        (lambda: rotation_3d.State.parse("may 000 000 000 000"), "a form, can or cannot"),
        (lambda: cube_assembly.State.parse("000 000"), "three options"),
        (lambda: cube_counting.State.parse("some 1 1 1 1"), "begins with none of"),
        (lambda: stacks.State.parse("stacks below 000 000 1 1 1 1"), "a side"),
        (lambda: GENERATORS["three_view_projection"].parse("cones 1"), "begins with none of stacks"),
    ],
)
def test_what_is_no_config_and_no_state(build: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build()


# Cube counting.


@given(st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=2, max_size=3), st.booleans())
@settings(max_examples=40, deadline=None)
def test_counts_of_a_floor_plan(heights: list[list[int]], with_left: bool) -> None:
    """Matching against all stacks there are, tried out; each number between is possible."""
    front, left = tuple(map(max, zip(*heights, strict=True))), tuple(map(max, heights)) if with_left else ()
    if 0 in front or 0 in map(max, heights):
        return
    top = tuple("".join("01"[height > 0] for height in row) for row in heights)
    low, high = cube_counting.bounds(top, front, left)
    assert cube_counting.totals(top, front, left) == set(range(low, high + 1))
    floor = [(r, c) for r, row in enumerate(top) for c, mark in enumerate(row) if mark == "1"]
    if len(floor) <= 6:
        assert _tried(floor, front, left) == set(range(low, high + 1))
    program, terms = counts(top, front, left)
    assert program.optimum(terms) == low


def _tried(floor: list[tuple[int, int]], front: tuple[int, ...], left: tuple[int, ...]) -> set[int]:
    found = set()
    for heights in product(range(1, 4), repeat=len(floor)):
        stack = dict(zip(floor, heights, strict=True))
        columns = [max(h for (_, c), h in stack.items() if c == column) for column in range(len(front))]
        rows = [max(h for (r, _), h in stack.items() if r == row) for row in range(len(left))]
        if columns == list(front) and rows == list(left):
            found.add(sum(heights))
    return found


@pytest.mark.parametrize("task", [cube_assembly, rotation_3d])
def test_nobody_can_count_the_key(task: Any) -> None:
    """All options have as many cubes, whatever the level."""
    for level, config in task.LEVELS.items():
        made = [puzzle for seed in range(12) if (puzzle := task.generate(stream(seed, level), config, seed % 4))]
        assert made and all(len(set(map(len, puzzle.state.options))) == 1 for puzzle in made)


@pytest.mark.parametrize("level", ["0", "1"])
def test_no_number_is_likelier_than_another(level: str) -> None:
    """Which numbers are offered says nothing about which is right: each of a row of four is in its share, whatever the row."""
    rows: dict[tuple[str, tuple[int, ...]], Counter[int]] = {}
    for seed in range(600):
        puzzle = cube_counting.generate(stream(seed, level), cube_counting.LEVELS[level], seed % 3)
        assert puzzle is not None
        numbers = tuple(sorted(puzzle.state.numbers))
        rank = numbers.index(puzzle.state.numbers["ABC".index(puzzle.key)])
        rows.setdefault((puzzle.state.form, numbers), Counter())[rank] += 1
    often = [row for row in rows.values() if row.total() >= 8]
    favourites = sum(max(row.values()) for row in often) / sum(row.total() for row in often)
    assert favourites < 0.42, "0.35 by chance in rows so short; a stack drawn before its numbers gave 0.48"


@given(st.sampled_from("012"), st.integers(0, 3), st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_no_gap_between_the_numbers_tells_the_key(level: str, slot: int, seed: int) -> None:
    """With the right one they go up by equal steps, or a step is missing that may be a wrong one as well."""
    config = cube_counting.LEVELS[level]
    puzzle = cube_counting.generate(stream(seed), config, slot)
    if puzzle:
        numbers = sorted(puzzle.state.numbers)
        gaps = sorted(b - a for a, b in pairwise(numbers))
        assert gaps[0] == gaps[-1] or (config.none and gaps == [gaps[0], 2 * gaps[0]])


def test_no_stack_looks_like_this() -> None:
    with pytest.raises(ValueError, match="no stack"):
        cube_counting.totals(("10",), (2, 1), (2,))


def test_a_hole_in_a_view_does_not_look_like_a_square() -> None:
    """A view of eight squares around none has edges everywhere that one of nine has."""
    images = [
        np.asarray(cube_counting.squares(rows, 40).convert("L"))
        for rows in (["111", "101", "111"], ["111", "111", "111"])
    ]
    assert (np.abs(np.subtract(*images, dtype=int)) > 16).mean() > 0.08


# Views.


def test_views_of_a_known_stack() -> None:
    """Red on the floor in front to the left, two grey ones behind it, and one to the right of the nearer of these."""
    marks = {(0, 0, 0): "2", (0, 1, 0): "1", (0, 1, 1): "1", (1, 1, 0): "1"}
    room = stacks._Box(2, 2, 2)
    expected = {"front": ("10", "21"), "top": ("11", "20"), "left": ("10", "12"), "right": ("01", "21")}
    for side, rows in expected.items():
        assert stacks.view(marks, stacks.EYES[side]) == room.look(marks, side) == rows


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_two_ways_to_look_agree(seed: int) -> None:
    cells = normal(grown(Random(seed), 8, block(3, 3, 3), resting=True) or {(0, 0, 0)})
    marks = {cell: Random(f"{seed}{cell}").choice("12") for cell in cells}
    room = stacks._Box(*(1 + max(cell[axis] for cell in cells) for axis in range(3)))
    for side, eye in stacks.EYES.items():
        assert stacks.view(marks, eye) == room.look(marks, side)


def test_a_view_that_hidden_cubes_could_have_is_not_ruled_out() -> None:
    """Behind two columns as high as itself a column may hold a red cube or a grey one: from the left both show."""
    columns = block(2, 2, 3)
    grey_cells = columns - {(0, 1, 0), (1, 0, 0)}
    views = tuple(stacks._Box(2, 2, 3).look({**dict.fromkeys(columns, "1"), (0, 1, 0): mark}, "left") for mark in "21")
    other = (("11", "11", "22"), ("22", "11", "11"))
    state = stacks.State("left", grey_cells, frozenset({(0, 1, 0), (1, 0, 0)}), (*views, *other))
    assert stacks.solve(state) >= {"A", "B"}
    assert SECOND["three_view_projection"](state) >= {"A", "B"}


# The release.


def printed(task: str, level: str) -> dict[str, Any]:
    if not RELEASE.is_dir():
        pytest.skip(f"the examples of the release are not at {RELEASE.resolve()}")
    import pyarrow.parquet as pq

    rows = pq.read_table(RELEASE / "test-00000-of-00001.parquet").to_pylist()
    return next(row for row in rows if (row["Task"], row["Level"]) == (task, level))


@pytest.mark.parametrize(
    ("level", "state"),
    [
        ("Level1", "most 100/111/101 311 213 8,11,10,9"),
        ("Level2", "possibly 1001/0101/0111/0100 2113 2131 99,7,16,11"),
    ],
)
def test_counts_of_the_release(level: str, state: str) -> None:
    """Transcribed from the pictures; 99 stands for the option that no other is right. The printed keys hold."""
    asked = cube_counting.State.parse(state)
    assert cube_counting.solve(asked) == SECOND["cube_counting"](asked) == {printed("CubeCounting", level)["Answer"]}


def test_rotation_of_the_release() -> None:
    """A U of five cubes, twice turned, and once without the end of an arm, which it cannot be turned into."""
    options = ("000,001,002,100,102", "000,001,011,020,021", "000,010,020,100")
    state = rotation_3d.State.parse(" ".join(["cannot 000,010,020,100,120", *options]))
    assert rotation_3d.solve(state) == SECOND["rotation_3d"](state) == {printed("3DRotation", "Level0")["Answer"]}


def test_assembly_of_the_release() -> None:
    """Two cubes on the floor are hidden, and known only as what others stand on. The printed key holds."""
    whole = read("000,001,002,010,011,020,021,022,100,110,120")
    given = [read("000,001,002"), read("000,001,002,011")]
    options = [read("010,100,110,120"), read("010,100,120"), read("000,100,110")]
    key = printed("CubeAssembly", "Level1")["Answer"]
    assert cube_assembly.completing(whole, given, options) == {key}
    assert [covers(whole, [*given, option]) for option in options] == [letter == key for letter in "ABC"]
    assert whole - cube_proof.shown(whole) == {(0, 1, 0), (0, 2, 0)}

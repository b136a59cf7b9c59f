"""Height and Adjacency: two arrows, and what can be read between the parts that they point at."""

from __future__ import annotations

from dataclasses import replace

import pytest
from brute_pointers import CHECKERS
from puzzles import puzzles

from cogsight.lego_puzzles.generate import GENERATORS, adjacency, height
from cogsight.lego_puzzles.generate.pieces import Piece, pieces_of
from cogsight.lego_puzzles.generate.pointers import (
    SOURCES,
    Pointer,
    apart,
    candidates,
    covered,
    draw_with_arrows,
    look,
    stage_for,
)
from cogsight.lego_puzzles.generate.seams import joined, seams
from cogsight.lego_puzzles.generate.stage import Stage
from cogsight.lego_puzzles.generate.views import SIZE
from cogsight.shared.render.palette import ARROWS

# --- keys


@pytest.mark.parametrize(
    ("task", "level"),
    [
        pytest.param(task, level, marks=[] if level == "1" else pytest.mark.slow)
        for task in CHECKERS
        for level in GENERATORS[task].levels
    ],
)
def test_points_in_space_give_the_same_key(task: str, level: str) -> None:
    generator = GENERATORS[task]
    for puzzle in puzzles(generator, level, 2 * generator.slots):
        assert CHECKERS[task](puzzle.state) == generator.solve(puzzle.state) == {puzzle.key}, str(puzzle.state)


BASE = "grey plate_8x8 0,0,0 r0"
RED, BLUE = "3,1,4 above", "6,1,4 above"


@pytest.mark.parametrize(
    ("about", "blue", "parts", "fits"),
    [
        ("side by side", "5,1,4 above", "lime brick_2x2 2,1,1 r0; tan brick_2x2 4,1,1 r0", "A"),
        ("of one colour", "5,1,4 above", "tan brick_2x2 2,1,1 r0; tan brick_2x2 4,1,1 r0", "A"),
        ("a stud between", "6,1,4 above", "lime brick_2x2 2,1,1 r0; tan brick_2x2 5,1,1 r0", "B"),
        ("held by studs", "5,1,7 above", "lime brick_2x4 2,1,1 r1; tan brick_1x2 5,1,4 r0", "A"),
        ("at a corner only", "5,3,4 above", "lime brick_2x2 2,1,1 r0; tan brick_2x2 4,3,1 r0", "AB"),
        ("in the air", "6,1,12 above", "lime brick_2x2 2,1,1 r0; tan brick_2x2 5,1,9 r0", "AB"),
    ],
)
def test_adjacency(about: str, blue: str, parts: str, fits: str) -> None:
    state = adjacency.State.parse(f"{RED} | {blue} | {BASE}; {parts}")
    assert adjacency.solve(state) == frozenset(fits), about


@pytest.mark.parametrize(
    ("ask", "blue", "parts", "fits"),
    [
        ("higher", "6,1,4 above", "lime brick_2x2 2,1,1 r0; tan brick_2x2 5,1,1 r0", "C"),
        ("higher", "6,1,2 above", "lime brick_2x2 2,1,1 r0; tan plate_2x2 5,1,1 r0", "A"),
        ("lower", "6,1,2 above", "lime brick_2x2 2,1,1 r0; tan plate_2x2 5,1,1 r0", "B"),
        ("higher", "5,6,2 above", "lime brick_2x2 2,1,1 r0; tan plate_2x2 5,6,1 r0", "A"),
        ("higher", "6,1,12 above", "lime brick_2x2 2,1,1 r0; tan brick_2x2 5,1,9 r0", "ABC"),
    ],
    ids=["equal", "higher", "lower", "higher on the page, lower in space", "in the air"],
)
def test_height(ask: str, blue: str, parts: str, fits: str) -> None:
    assert height.solve(height.State.parse(f"{ask} | {RED} | {blue} | {BASE}; {parts}")) == frozenset(fits)


@pytest.mark.parametrize(
    ("ask", "red", "blue", "wrong"),
    [
        ("higher", (9, 80.0), (6, 90.0), {"B": "its upper side is 3 plates lower than the other part's."}),
        (
            "higher",
            (9, 90.0),
            (8, 80.0),
            {"B": "its upper side is 1 plate lower than the other part's. It is higher on the page only."},
        ),
        (
            "lower",
            (9, 90.0),
            (6, 80.0),
            {"A": "its upper side is 3 plates higher than the other part's. It is lower on the page only."},
        ),
        ("higher", (9, 82.0), (8, 80.0), {"B": "its upper side is 1 plate lower than the other part's."}),
        ("lower", (9, 80.0), (8, 80.0), {"A": "its upper side is 1 plate higher than the other part's."}),
        (
            "lower",
            (9, 90.0),
            (9, 80.0),
            dict.fromkeys("AB", "the other part's upper side is as high, 9 plates above the ground."),
        ),
    ],
    ids=["plain", "only on the page", "lower", "hardly", "level on the page", "equal"],
)
def test_height_says_why_an_option_is_wrong(
    ask: str, red: tuple[int, float], blue: tuple[int, float], wrong: dict[str, str]
) -> None:
    (key,) = {"A", "B", "C"} - {*wrong, "C"} or {"C"}
    told = height._explain(ask, red, blue, key)
    ends = f"the red arrow's part ends {red[0]} plates above the ground, the blue arrow's {blue[0]}"
    assert told[key] == f"Right: {ends}."
    assert {letter: told[letter] for letter in wrong} == {letter: f"Wrong: {why}" for letter, why in wrong.items()}
    assert key == "C" or told["C"].startswith(f"Wrong: the two differ by {abs(red[0] - blue[0])} plate")


@pytest.mark.parametrize(
    ("blue", "key", "meet", "told"),
    [
        ("tan brick_2x2 4,1,1 r0", "A", True, "have a side in common"),
        ("tan brick_2x2 2,2,4 r0", "A", True, "are held together by studs"),
        ("tan brick_2x2 5,1,1 r0", "B", True, "they meet on the page only; in space a gap 1 stud wide is between"),
        (
            "tan brick_2x2 5,1,9 r0",
            "B",
            False,
            "they do not even meet on the page; in space a gap 5 plates high is between",
        ),
    ],
)
def test_adjacency_says_why_an_option_is_wrong(blue: str, key: str, meet: bool, told: str) -> None:
    (wrong,) = {"A", "B"} - {key}
    found = adjacency._explain(Piece.parse("lime brick_2x2 2,1,1 r0"), Piece.parse(blue), key, meet)
    assert told in found[wrong] and found[wrong].startswith("Wrong: ")
    assert found[key].startswith("Right: ")


def test_spoiled_questions_are_noticed() -> None:
    """An arrow on another part, the other question, a part that is not there: the key changes, or none is left."""
    (puzzle, *_) = puzzles(GENERATORS["height"], "1", 1)
    state: height.State = puzzle.state
    other = "lower" if state.ask == "higher" else "higher"
    assert height.solve(replace(state, ask=other)) == {"B"}
    assert height.solve(replace(state, red=state.blue, blue=state.red)) == {"B"}
    assert height.solve(replace(state, red=replace(state.red, z=state.red.z + 40))) == set("ABC")


# --- seams


def test_a_seam_that_something_covers_is_none() -> None:
    """Two bricks meet behind a wall; over the base plate a path of seams remains."""
    pieces = pieces_of(
        "grey plate_8x8 0,0,0 r0; lime brick_2x4 0,4,1 r1; tan brick_2x4 4,4,1 r1; white brick_2x2 4,2,1 r0; "
        "white brick_2x2 4,2,4 r0; white brick_2x2 4,2,7 r0"
    )
    stage, (lime, tan) = Stage.of(pieces), pieces[1:3]
    free, covered = stage.look(pieces[:3]), stage.look(pieces)
    assert {lime, tan} <= covered.pieces
    assert tan in seams(free)[lime]
    assert tan not in seams(covered).get(lime, ())
    assert tan in joined(covered, lime)


# --- arrows


def test_pointer_reads_back() -> None:
    assert str(Pointer.parse("3,-4,2 left-above")) == "3,-4,2 left-above"


@pytest.mark.parametrize("source", SOURCES)
def test_an_arrow_is_drawn_with_its_tip_where_it_points(source: str) -> None:
    brick = Piece.parse("white brick_2x2 0,0,0 r0")
    arrows = (Pointer(0, 0, 3, source), Pointer(1, 1, 3, source))
    pixels = draw_with_arrows([brick], arrows).open().load()
    frame = stage_for([brick]).frame
    for arrow, name in zip(arrows, ARROWS, strict=True):
        (x, y), (dx, dy) = (value * SIZE / frame.size for value in arrow.tip(frame)), SOURCES[source]
        at = (round(x + dx * 0.08 * SIZE), round(y + dy * 0.08 * SIZE))
        assert pixels[at] == ARROWS[name], "the shaft"


def test_what_an_arrow_points_at_is_clear() -> None:
    """Not between two parts, not on paper, not on what the arrows hide."""
    (one, other) = bricks = pieces_of("lime brick_2x2 0,0,0 r0; tan brick_2x2 2,0,0 r0")
    arrows = candidates([*pieces_of("grey plate_8x8 -2,-2,-1 r0"), *bricks], ["brick"])
    assert set(arrows) == {one, other}
    frame = stage_for(bricks).frame
    assert not apart(arrows[one], arrows[one], frame)
    assert look(bricks, (arrows[one], Pointer(9, 9, 9, "above")))[1] == [one, None]


def test_an_arrow_that_crosses_another_is_not_apart_from_it() -> None:
    """Tips and tails far from each other, the shafts one over the other."""
    frame = stage_for(pieces_of("grey plate_8x8 0,0,0 r0")).frame
    pairs = [(Pointer(3, 3, 1, "above"), Pointer(x, y, 1, "left")) for x in range(8) for y in range(8)]
    over = [pair for pair in pairs if (covered(frame, pair[:1]) & covered(frame, pair[1:])).any()]
    ends = [pair for pair in over if pair[1].tip(frame)[0] - pair[0].tip(frame)[0] > 0.08 * frame.size]
    assert ends and not any(apart(*pair, frame) for pair in over)


@pytest.mark.parametrize("module", [height, adjacency])
def test_configs_that_are_refused(module: object) -> None:
    level = module.LEVELS["1"]  # type: ignore[attr-defined]
    for wrong in ({"gap": (0, 3)}, {"gap": (4, 3)}, {"kit": replace(level.kit, steps=(4, 9))}):
        with pytest.raises(ValueError, match="see LEVELS"):
            replace(level, **wrong)

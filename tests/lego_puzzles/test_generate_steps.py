"""Questions about building steps: spoiled ones are noticed, and options alone favour none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from random import Random

import pytest
from puzzles import puzzles

from cogsight.lego_puzzles.generate import (
    GENERATORS,
    backwards,
    next_k_step,
    next_step,
    outlier,
    position,
    rotation_status,
    stand_ins,
)
from cogsight.lego_puzzles.generate import dependency as dep
from cogsight.lego_puzzles.generate.changes import USUAL, Change, add, recolor, reshape
from cogsight.lego_puzzles.generate.growing import Kit, can_add, grow
from cogsight.lego_puzzles.generate.pieces import Piece, pieces_of
from cogsight.lego_puzzles.generate.shapes import SHAPES
from cogsight.lego_puzzles.generate.stage import Stage
from cogsight.lego_puzzles.generate.stand_ins import could_be
from cogsight.lego_puzzles.generate.steps import State, cells_of, taken
from cogsight.shared.build import is_proved

BASE = pieces_of("grey plate_6x6 0,0,0 r0; blue brick_2x4 4,1,1 r0; lime brick_1x1 0,5,1 r0")
PART = Piece.parse("red slope_2x2 1,1,1 r0")
PLACED = (*BASE, PART)
LONG = Piece.parse("red brick_1x2 1,1,1 r0")


def next_step_of(*options: tuple[Piece, ...]) -> next_step.State:
    """Filled up with what is wrong."""
    return next_step.State(BASE, PART.at(0, 0, 0), taken(BASE, PART), (*options, *[BASE] * (5 - len(options))))


def next_k_step_of(parts: Sequence[Piece], *options: tuple[Piece, ...]) -> next_k_step.State:
    """Filled up with what is wrong."""
    alone = tuple(part.at(0, 0, 0) for part in parts)
    return next_k_step.State(BASE, alone, (*options, *[BASE] * (4 - len(options))))


WRONG = {
    "nothing added": BASE,
    "another colour": (*BASE, replace(PART, color="lime")),
    "another kind": (*BASE, replace(PART, shape="brick_2x2")),
    "one stud off": (*BASE, PART.moved(y=1)),
    "another part is gone": (*BASE[:2], PART),
    "another part is recoloured": (BASE[0], replace(BASE[1], color="lime"), BASE[2], PART),
    "another part has moved": (*BASE[:2], BASE[2].moved(x=2), PART),
    "a part too many": (*PLACED, Piece.parse("lime brick_1x1 3,0,1 r0")),
}


@pytest.mark.parametrize("why", WRONG)
def test_next_step_and_next_k_step_turn_down_what_is_wrong(why: str) -> None:
    assert next_step.solve(next_step_of(WRONG[why], PLACED)) == {"B"}
    anywhere = {"A", "B"} if why == "one stud off" else {"B"}
    assert next_k_step.solve(next_k_step_of([PART], WRONG[why], PLACED)) == anywhere


def test_a_turn_on_the_marked_studs_is_right_too() -> None:
    """The builder draws again where two options fit."""
    assert next_step.solve(next_step_of(PLACED, (*BASE, PART.turned(1)))) == {"A", "B"}


def test_a_step_too_few_is_no_next_k_step() -> None:
    other = Piece.parse("tan brick_1x2 1,4,1 r0")
    options = (PLACED, (*BASE, other), (*PLACED, other), (*BASE, other, PART.moved(x=1)))
    assert next_k_step.solve(next_k_step_of([PART, other], *options)) == {"C", "D"}


def test_dependency_names_the_part_in_colour_and_kind() -> None:
    options = (replace(PART, color="lime"), PART.turned(2), replace(PART, shape="brick_2x2"), PART)
    alone = tuple(piece.at(0, 0, 0) for piece in options)
    assert dep.solve(dep.State(BASE, PLACED, alone)) == {"B", "D"}
    assert dep.solve(dep.State(BASE, BASE, alone)) == set("ABCD"), "where nothing is new, nothing is known"


@pytest.mark.parametrize(
    ("part", "quarters", "answer"), [(PART, 1, "A"), (PART, 2, "A"), (PART, 0, "B"), (LONG, 1, "A"), (LONG, 2, "B")]
)
def test_rotation_status_compares_turns(part: Piece, quarters: int, answer: str) -> None:
    state = rotation_status.State(BASE, part.at(0, 0, 0).turned(quarters), (*BASE, part))
    assert rotation_status.solve(state) == {answer}


def test_position_wants_all_the_studs_and_no_others() -> None:
    right = taken(BASE, PART)
    options = (right - {min(right)}, right | cells_of("5,0,1"), cells_of("2,1,1 2,2,1 3,1,1 3,2,1"), right)
    assert position.solve(position.State(BASE, PART.at(0, 0, 0), PLACED, options)) == {"D"}


def test_paint_that_is_hidden_in_part_marks_no_place_of_position() -> None:
    """A wall that leaves the top of a stud in sight hides its foot."""
    base = pieces_of("grey plate_6x6 0,0,0 r0")
    wall = pieces_of("red plate_1x6 0,2,1 r1")
    stage = Stage.of([*base, *wall])
    behind, before = frozenset({(2, 3, 1)}), frozenset({(2, 1, 1)})
    assert stage.sees([*base, *wall], behind) and not stage.sees_paint([*base, *wall], behind)
    assert stage.sees_paint([*base, *wall], before) and stage.sees_paint(base, behind)


def test_backwards_makes_no_change_for_which_the_finished_model_has_no_room() -> None:
    """Or else one part too many would be wrong more often than right."""
    tan, red, blue = (
        Piece.parse(f"{part} r0") for part in ("tan brick_1x1 3,3,1", "red plate_1x1 1,1,1", "blue plate_1x1 2,2,1")
    )
    both = Change(None, tan), Change(red, replace(red, color="lime"))
    start = (*pieces_of("grey plate_6x6 0,0,0 r0"), red)
    assert backwards._may_be_made((start, (*start, blue)), both)
    assert not backwards._may_be_made((start, (*start, replace(blue, x=3, y=3))), both)


@pytest.mark.parametrize(
    "level", ["1", pytest.param("2", marks=pytest.mark.slow), pytest.param("3", marks=pytest.mark.slow)]
)
def test_all_places_take_as_many_studs(level: str) -> None:
    """Or else most magenta would be right."""
    for puzzle in puzzles(GENERATORS["position"], level, 10):
        assert len({len(marks) for marks in puzzle.state.options}) == 1


SLOPE_OR_BRICK = (
    "grey axle_2x2 -6,0,0 r1; grey axle_2x2 -2,0,0 r1; brown plate_2x6 -6,1,5 r1; green brick_1x2 -6,1,6 r1; blue brick_2x2 -4,1,6 r0; orange plate_1x2 -4,1,9 r0; orange tile_1x2 -4,1,10 r0; brown brick_2x2 -2,1,6 r0; green round_tile_1x1 -1,2,9 r0; green wedge_1x1 -1,1,9 r1; orange brick_2x2 -3,1,9 r0; violet cone_1x1 -6,1,9 r0"
    " | grey axle_2x2 -6,0,0 r1; grey axle_2x2 -2,0,0 r1; brown plate_2x6 -6,1,5 r1; green brick_1x2 -6,1,6 r1; blue brick_2x2 -4,1,6 r0; orange plate_1x2 -4,1,9 r0; orange tile_1x2 -4,1,10 r0; brown brick_2x2 -2,1,6 r0; green round_tile_1x1 -1,2,9 r0; green wedge_1x1 -1,1,9 r1; orange brick_2x2 -3,1,9 r0; violet cone_1x1 -6,1,9 r0; blue round_brick_1x1 -2,1,12 r0; blue cone_1x1 -3,2,12 r0"
    " | grey axle_2x2 -6,0,0 r1; grey axle_2x2 -2,0,0 r1; brown plate_2x6 -6,1,5 r1; green brick_1x2 -6,1,6 r1; blue brick_2x2 -4,1,6 r0; orange plate_1x2 -4,1,9 r0; orange tile_1x2 -4,1,10 r0; brown brick_2x2 -2,1,6 r0; green round_tile_1x1 -1,2,9 r0; green wedge_1x1 -1,1,9 r1; orange brick_2x2 -3,1,9 r0; violet cone_1x1 -6,1,9 r0; blue round_brick_1x1 -2,1,12 r0; blue cone_1x1 -3,2,12 r0; orange round_plate_1x1 -3,1,12 r0; blue tile_1x1 -5,1,9 r0; green round_tile_1x1 -2,1,15 r0"
    " | grey axle_2x2 -6,0,0 r1; grey axle_2x2 -2,0,0 r1; brown plate_2x6 -6,1,5 r1; green brick_1x2 -6,1,6 r1; blue slope_2x2 -4,1,6 r2"
    " | grey axle_2x2 -6,0,0 r1; grey axle_2x2 -2,0,0 r1; brown plate_2x6 -6,1,5 r1; green brick_1x2 -6,1,6 r1; blue brick_2x2 -4,1,6 r0; orange plate_1x2 -4,1,9 r0; orange tile_1x2 -4,1,10 r0; brown brick_2x2 -2,1,6 r0; green round_tile_1x1 -1,2,9 r0"
)


def test_a_part_that_could_be_another_contradicts_nothing() -> None:
    """The blue slope of D may be the part under the orange ones of A, B and C, or their brick that of E. It was asked about once."""
    assert outlier.solve(outlier.State.parse(SLOPE_OR_BRICK)) == frozenset("DE")


@pytest.mark.parametrize(
    ("hides", "part", "options", "fits"),
    [
        (True, "red brick_1x4 1,4,1 r0", "red brick_1x4; red brick_1x3; green brick_1x4; green brick_1x3", "AB"),
        (True, "red brick_1x3 1,4,1 r0", "red brick_1x4; red brick_1x3; green brick_1x4; green brick_1x3", "AB"),
        (True, "red brick_1x4 1,4,1 r0", "red brick_1x4; red plate_1x4; green brick_1x4; green plate_1x4", "A"),
        (False, "red brick_1x4 1,4,1 r0", "red brick_1x4; red brick_1x3; green brick_1x4; green brick_1x3", "A"),
    ],
    ids=["its end is hidden", "and of the shorter one", "its height is not", "nothing hides it"],
)
def test_a_part_is_known_as_far_as_it_is_seen(hides: bool, part: str, options: str, fits: str) -> None:
    wall = "; ".join(f"blue brick_2x2 2,5,{z} r0" for z in (1, 4, 7))
    before = f"grey plate_8x8 0,0,0 r0; {wall}" if hides else "grey plate_8x8 0,0,0 r0"
    shown = "; ".join(f"{option} 0,0,0 r0" for option in options.split("; "))
    state = dep.State.parse(f"{before} | {before}; {part} | {shown}")
    assert dep.solve(state) == frozenset(fits)


@pytest.mark.parametrize("hides", [True, False])
def test_a_picture_of_a_part_whose_end_is_hidden_is_not_asked_for(hides: bool) -> None:
    wall = "; blue brick_2x2 2,5,1 r0; blue brick_2x2 2,5,4 r0; blue brick_2x2 2,5,7 r0" if hides else ""
    before = pieces_of(f"grey plate_8x8 0,0,0 r0{wall}")
    part = Piece.parse("red brick_1x4 1,4,1 r0")
    state = State(before, part.at(0, 0, 0), (*before, part))
    fits = GENERATORS["dependency_image"].solve(state)
    assert "" in fits and len(fits) == 1 + hides, fits
    assert is_proved(GENERATORS["dependency_image"], state, "") is not hides
    assert GENERATORS["next_step_image"].solve(state) == {""}, "there the part is shown"


@pytest.mark.slow
def test_no_part_that_could_be_is_missed_for_its_box(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boxes spare most drawings, and change nothing; a part that stands behind another leaves something to find."""
    small = [name for name, shape in SHAPES.items() if max(shape.size[:2]) <= 3]
    wall = "; ".join(f"blue brick_1x2 2,5,{z} r0" for z in (1, 4, 7))
    behind = pieces_of(f"grey plate_8x8 0,0,0 r0; {wall}"), Piece.parse("red brick_1x2 2,6,1 r0")
    drawn = [puzzle.state for puzzle in puzzles(GENERATORS["dependency_image"], "2", 3)]
    steps = [behind, *((state.before, state.after[-1]) for state in drawn)]

    def found() -> list[set[str]]:
        return [
            set(could_be(Stage.of([*before, part]), small, part, before, (*before, part))) for before, part in steps
        ]

    quick = found()
    monkeypatch.setattr(stand_ins, "_spanning", lambda stage, low, high, placed: iter(placed))
    assert quick == found()
    assert len(quick[0]) > 1


def test_dependency_options_are_a_square_of_kinds_that_the_model_has() -> None:
    for level in dep.LEVELS:
        for puzzle in puzzles(GENERATORS["dependency"], level, 6):
            options = puzzle.state.options
            kinds, colors = {piece.shape for piece in options}, {piece.color for piece in options}
            assert (len(kinds), len(colors), len(set(options))) == (2, 2, 4)
            key = options["ABCD".index(puzzle.key)]
            assert (key.color, key.shape) == (puzzle.state.after[-1].color, puzzle.state.after[-1].shape)


@pytest.mark.slow
@pytest.mark.parametrize(("task", "levels"), [("next_step", "1"), ("next_k_step", "1234")])
def test_a_part_too_few_is_as_frequent_as_one_too_many(task: str, levels: str) -> None:
    """Or else the right picture would have the fewest edges of all, or the most."""
    counts: Counter[bool] = Counter()
    for puzzle in chain.from_iterable(puzzles(GENERATORS[task], level, 60 // len(levels)) for level in levels):
        sizes = [len(option) for option in puzzle.state.options]
        if len(set(sizes)) == 2:
            counts[sizes[ord(puzzle.key) - ord("A")] == max(sizes)] += 1
    assert min(counts[True], counts[False]) >= 2, counts


def test_the_parts_of_next_k_step_go_onto_its_first_picture_in_their_order() -> None:
    """Whether or not a change was made in all of them."""
    for puzzle in puzzles(GENERATORS["next_k_step"], "2", 12):
        state = puzzle.state
        right = state.options[ord(puzzle.key) - ord("A")]
        assert right[:-2] == state.current
        assert [(p.color, p.shape) for p in right[-2:]] == [(p.color, p.shape) for p in state.parts]
        assert all(can_add(right[:n], right[n]) for n in (-2, -1))


def test_wrong_kinds_are_as_usual_as_right_ones() -> None:
    """Of kinds with one footprint, each comes as often as grown models have it."""
    piece = Piece.parse("red tile_1x1 1,1,1 r0")
    drawn = Counter(next(reshape(Random(seed), [*BASE, piece], piece)).new.shape for seed in range(600))
    same = {name for name in USUAL if SHAPES[name].size[:2] == (1, 1)} - {piece.shape}
    total = sum(USUAL[name] for name in same)
    assert all(abs(drawn[name] / 600 - USUAL[name] / total) < 0.06 for name in same), drawn


def test_grey_stays_grey_and_nothing_else_gets_it() -> None:
    axle = Piece.parse("grey axle_2x2 1,1,1 r0")
    assert not list(recolor(Random(0), [*BASE, axle], axle))
    added = [change.new for seed in range(30) for change in add(Random(seed), BASE, BASE[2]) if change.new]
    assert {piece.color for piece in added} == {"blue", "lime"}


def test_usual_kinds_are_those_of_grown_models() -> None:
    models = [grow(Random(seed), Kit((8, 16))) for seed in range(12)]
    found = Counter(piece.shape for model in models if model for step in model.steps[4:] for piece in step)
    assert sum(n for name, n in found.items() if USUAL.get(name)) > 0.9 * sum(found.values())


def test_the_right_place_is_no_oftener_the_highest_on_the_page() -> None:
    """What is built last is on top: without a rank that is drawn first the highest place was right in 38 of 100."""
    ranks: Counter[int] = Counter()
    for puzzle in puzzles(position.GENERATOR, "2", 80):
        stage = Stage.of(puzzle.state.after)
        rows = [stage.row(marks) for marks in puzzle.state.options]
        ranks[sorted(rows).index(rows["ABCD".index(puzzle.key)])] += 1
    assert max(ranks.values()) <= 31 and len(ranks) == 4, ranks


@pytest.mark.parametrize("above", range(4))
def test_as_many_wrong_places_are_higher_as_was_drawn(above: int) -> None:
    step, (right, *wrong) = next(position._steps(Random(3), position.LEVELS["1"], above))
    rows = [Stage.of(step.after).row(taken(step.before, spot)) for spot in (right, *wrong)]
    assert len(wrong) == 3 and sum(row < rows[0] for row in rows[1:]) == above

"""Multiview and Multiview*: where a camera stands, and keys against models that are turned in space, pixel by pixel."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from puzzles import puzzles
from turned_models import GUIDE, Always, fitting_views, spots

from cogsight.lego_puzzles.generate import generation_views, multiview
from cogsight.lego_puzzles.generate.growing import Kit
from cogsight.lego_puzzles.generate.multiview import GENERATOR, LETTERS, VIEWS, Config, State
from cogsight.lego_puzzles.generate.pieces import Piece, pieces_of

LEVELS = [pytest.param(level, marks=[] if level == "2" else pytest.mark.slow) for level in GENERATOR.levels]

# --- where from


@pytest.mark.parametrize(
    ("view", "nearest"), [("left", "left"), ("right", "right"), ("back", "far")], ids=["left", "right", "back"]
)
def test_what_was_on_the_side_that_one_goes_to_is_nearest_then(view: str, nearest: str) -> None:
    first, other = map(spots, multiview.draw(State(view, (view,), GUIDE, (GUIDE,))))
    assert np.hypot(*(other[nearest] - first["near"])) < 12
    assert max(other, key=lambda corner: other[corner][1]) == nearest


def test_from_above_the_near_side_is_at_the_bottom() -> None:
    first, above = map(spots, multiview.draw(State("top", ("top",), GUIDE, (GUIDE,))))
    assert above["left"][0] < above["far"][0] < above["right"][0] and above["left"][0] < above["near"][0]
    assert above["far"][1] < above["right"][1] < above["left"][1] < above["near"][1]
    assert np.ptp([y for _, y in above.values()]) > 1.5 * np.ptp([y for _, y in first.values()])


@pytest.mark.parametrize("view", ["left", "right", "top"])
def test_pictures_to_be_made_are_from_the_same_places(view: str) -> None:
    state = generation_views.State("multiview_image", view, GUIDE)
    assert state.cameras()[1] == VIEWS[view]


# --- keys


@pytest.mark.parametrize("level", LEVELS)
def test_pixels_give_the_same_key(level: str) -> None:
    """The model is turned in space, before a camera that stays; one option shows the same, without shadows, which follow the camera."""
    proved = 0
    for puzzle in puzzles(GENERATOR, level, 4):
        fits, off = fitting_views(puzzle.state)
        assert puzzle.key in fits
        if GENERATOR.solve(puzzle.state) == {puzzle.key}:
            assert fits == {puzzle.key}, off
            proved += 1
    assert proved >= 2


def example() -> State:
    """A proved question of the second level."""
    return next(p.state for p in puzzles(GENERATOR, "2", 9) if GENERATOR.solve(p.state) == {p.key})


def test_two_right_options_are_both_found() -> None:
    state = example()
    (key,) = GENERATOR.solve(state)
    right = LETTERS.index(key)
    other = next(i for i, view in enumerate(state.views) if view == state.view and i != right)
    options = [state.options[right] if i == other else option for i, option in enumerate(state.options)]
    assert GENERATOR.solve(replace(state, options=tuple(options))) >= {LETTERS[right], LETTERS[other]}


def test_no_right_option_is_found_where_none_is() -> None:
    state = example()
    wrong = next(option for option in state.options if option != state.pieces)
    assert not GENERATOR.solve(replace(state, options=(wrong,) * 4))


def test_another_view_asked_for_is_another_key() -> None:
    state = example()
    other = next(view for view in state.views if view != state.view)
    fits = GENERATOR.solve(replace(state, view=other))
    assert {state.views[LETTERS.index(letter)] for letter in fits} == {other}


def test_a_model_that_looks_the_same_from_several_sides_is_not_asked_about() -> None:
    cube = pieces_of("red brick_2x2 0,0,0 r0; blue plate_2x2 0,0,3 r0")
    blue = pieces_of("blue brick_2x2 0,0,0 r0; blue plate_2x2 0,0,3 r0")
    state = State("left", ("left", "back", "left", "back"), cube, (cube, cube, blue, blue))
    assert GENERATOR.solve(state) == {"A", "B"}


def test_a_change_that_cannot_be_seen_in_the_right_view_is_not_asked_about() -> None:
    """The part between the walls is seen from above only."""
    sides = ("brick_2x6 0,0,{} r1", "brick_2x6 0,4,{} r1", "brick_2x2 0,2,{} r0", "brick_2x2 4,2,{} r0")
    box = "; ".join(f"white {side.format(z)}" for side in sides for z in (0, 3))
    one, two = (pieces_of(f"{box}; {color} plate_1x1 2,2,0 r0") for color in ("red", "blue"))
    state = State("right", ("right", "top", "right", "top"), one, (one, one, two, two))
    assert GENERATOR.solve(state) == {"A", "C"}


def test_either_model_is_shown_first() -> None:
    """The same draws, but for one: the model as it was grown is the right one as often as the changed one, so that neither looks it."""
    found = []
    config = replace(GENERATOR.levels["1"], traits=("color",), source=Always(GUIDE))
    for seed in range(40):
        puzzle = GENERATOR.generate(Random(seed), config, 0)
        assert puzzle
        found.append(puzzle.state.pieces == GUIDE)
        right, wrong = puzzle.state.pieces, next(o for o in puzzle.state.options if o != puzzle.state.pieces)
        (old,), (new,) = set(right) - set(wrong), set(wrong) - set(right)
        assert sum(why.endswith(f"the {old.name} is {new.color_name}.") for why in puzzle.explanation.values()) == 2
    assert 10 <= sum(found) <= 30


# --- states


def test_state_reads_back() -> None:
    one, two = ((Piece.parse(f"{color} slope_2x2 3,4,6 r1"),) for color in ("red", "blue"))
    state = State("top", ("top", "left", "top", "left"), one, (one, one, two, two))
    red, blue = "red slope_2x2 3,4,6 r1", "blue slope_2x2 3,4,6 r1"
    assert str(state) == f"top | top left top left | {red} | {red} | {red} | {blue} | {blue}"
    assert State.parse(str(state)) == state


def test_settings_that_are_refused() -> None:
    for pairs, traits in [((), ("color",)), ((("left", "top"),), ()), ((("left", "below"),), ("color",))]:
        with pytest.raises(ValueError, match="views are left, right, back, top"):
            Config(Kit((5, 9)), pairs, traits)


def test_one_picture_elsewhere_on_the_page_is_the_same_picture() -> None:
    """A tower that looks the same from both sides, off the middle because other pictures show more: left and right cannot be told apart."""
    tower = pieces_of("grey plate_4x4 0,0,0 r0; red brick_2x2 1,1,1 r0; blue cone_2x2 1,1,4 r0")
    longer = (*tower, *pieces_of("lime plate_2x4 -2,1,1 r0"))
    state = State("left", ("left", "right", "left", "right"), tower, (tower, tower, longer, longer))
    assert multiview.solve(state) == {"A", "B"}
    other = (*tower, *pieces_of("lime brick_1x1 0,0,1 r0"))
    assert multiview.solve(replace(state, pieces=other, options=(other, other, longer, longer))) == {"A"}

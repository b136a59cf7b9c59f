"""Bricks and models: their text, what holds, how they grow."""

from __future__ import annotations

from random import Random

import pytest
from brick_models import heap, models
from hypothesis import given, settings
from hypothesis import strategies as st

from cogsight.lego_puzzles.generate.bricks import BRICK, PLATE, Brick, Kit, Model, grow, places, settle, shown
from cogsight.lego_puzzles.generate.sight import look, seen_faces
from cogsight.shared.render.painter import fit, owners, survey

BASE = Model((Brick(0, 0, 0, 6, 6, PLATE, "grey"),))
KIT = Kit(sizes=((1, 2), (2, 2), (2, 4)), heights=(BRICK, PLATE), colors=("red", "blue"))


@given(models())
@settings(max_examples=100, deadline=None)
def test_the_text_brings_the_model_back(model: Model) -> None:
    assert Model.parse(str(model)) == model


@pytest.mark.parametrize(
    "text", ["", "red 2x4 0,1,3", "red 2x4x3", "red 2x4x3 0,1,3 ", "octarine 1x1x1 0,0,0", "red 0x1x1 0,0,0"]
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError):
        Model.parse(text)


def test_names() -> None:
    assert [Brick.parse(f"lime {size} 0,0,0").name for size in ("4x2x3", "1x6x1", "1x1x6")] == [
        "lime 2x4 brick",
        "lime 1x6 plate",
        "lime 1x1 block of 6 plates",
    ]


def held_by_links(model: Model) -> bool:
    """By merging groups of linked bricks until none merge, instead of by walking from the ground."""
    groups = [{index} for index in range(len(model.bricks))]

    def linked(one: Brick, other: Brick) -> bool:
        return set(one.columns()) & set(other.columns()) != set() and one.top == other.z

    for i, one in enumerate(model.bricks):
        for j, other in enumerate(model.bricks):
            if linked(one, other):
                a, b = (next(group for group in groups if k in group) for k in (i, j))
                if a is not b:
                    groups.remove(b)
                    a |= b
    return all(any(model.bricks[index].z == 0 for index in group) for group in groups)


@given(models(), st.data())
@settings(max_examples=150, deadline=None)
def test_held(model: Model, data: st.DataObject) -> None:
    """Heaps are held; without one of their bricks they may not be."""
    assert model.held()
    if len(model.bricks) > 1:
        index = data.draw(st.integers(0, len(model.bricks) - 1))
        rest = Model(model.bricks[:index] + model.bricks[index + 1 :])
        assert rest.held() == held_by_links(rest)


def test_a_brick_that_hangs_from_above_is_held() -> None:
    bridge = Model.parse("red 1x1x3 0,0,0; red 4x1x1 0,0,3; red 1x1x3 3,0,0; blue 1x1x1 1,0,2")
    assert bridge.held()
    assert not Model.parse("red 1x1x3 0,0,0; blue 1x1x1 2,0,2").held()


@given(models())
@settings(max_examples=60, deadline=None)
def test_settle_drops_until_it_touches(model: Model) -> None:
    """Brute force: the lowest height from which the way up is free."""
    filled = set(owners(model.bricks))
    part = Brick(2, 3, 0, 2, 1, 1, "tan")
    free = [
        z for z in range(80) if not any((x, y, above) in filled for x, y in part.columns() for above in range(z, 80))
    ]
    z = free[0]
    held = sum((x, y, z - 1) in filled for x, y in part.columns())
    settled = settle(model.tops(), part, support=100)
    assert (settled.z if settled else None) == (z if held == 2 else None)
    half = settle(model.tops(), part, support=50)
    assert (half.z if half else None) == (z if held >= 1 else None)


def test_places_are_all_places() -> None:
    """On a bare 6x6 base with one stud of overhang: a 2x2 part has 5x5 places inside, and 4 x 5 that stick out with half of it held."""
    found = places(BASE, Brick(0, 0, 0, 2, 2, PLATE, "red"), KIT)
    assert len(found) == 25 + 4 * 5
    assert {brick.z for brick in found} == {PLATE}
    low = Kit(KIT.sizes, KIT.heights, KIT.colors, tallest=PLATE)
    assert places(BASE, Brick(0, 0, 0, 2, 2, PLATE, "red"), low) == []


@pytest.mark.parametrize("seed", range(5))
def test_grown_models(seed: int) -> None:
    model = grow(Random(seed), BASE, KIT, 8)
    assert model is not None
    assert model == grow(Random(seed), BASE, KIT, 8)
    assert model.held()
    owners(model.bricks)  # raises where two overlap
    for count in range(2, len(model.bricks) + 1):
        so_far = Model(model.bricks[:count])
        *before, last = shown(so_far)
        assert last >= KIT.seen
        assert min(before[1:], default=100) >= KIT.kept
        brick = so_far.bricks[-1]
        below = {b for b in so_far.bricks[:-1] if b.top == brick.z and set(b.columns()) & set(brick.columns())}
        assert below, f"{brick} stands on nothing"
        assert so_far.free(brick)


def test_no_place_is_no_model() -> None:
    assert grow(Random(0), BASE, Kit(((2, 2),), (BRICK,), ("red",), tallest=2), 1) is None


def test_kits_and_parts_check_themselves() -> None:
    with pytest.raises(ValueError, match="heights of 1 or 3"):
        Kit(((1, 1),), (2,), ("red",))


def test_shown_tells_hidden_from_seen() -> None:
    model = Model.parse("grey 4x4x1 0,0,0; red 1x1x3 0,0,1; blue 1x1x3 3,3,1; green 2x2x12 1,1,1")
    base, red, blue, green = shown(model)
    assert red < 40 < 90 < blue
    assert green > 80
    assert 0 < base < 90


def test_look_tells_filled_from_empty_and_nothing_false() -> None:
    for seed in range(10):
        model = heap(Random(seed), 10)
        owner = owners(model.bricks)
        sight = look(model, fit([model.bricks], size=300))
        assert sight.filled
        assert all(model.bricks[owner[cell]].color == color for cell, color in sight.filled.items())
        assert not sight.empty & owner.keys()


def test_a_sliver_is_not_seen() -> None:
    """What shows less than half of a face must not decide a question."""
    slivers = 0
    for seed in range(10):
        model = heap(Random(seed), 10)
        frame = fit([model.bricks], size=300)
        percents = survey(model.bricks, frame=frame)
        seen = set(seen_faces(model, frame))
        assert min(percents[face] for face in seen) >= 40
        assert all(percents[face] < 50 for face in percents.keys() - seen)
        slivers += len(percents) - len(seen)
    assert slivers > 20

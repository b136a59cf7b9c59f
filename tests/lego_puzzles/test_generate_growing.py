"""Grown models: what holds for every one of them, whatever it is of."""

from __future__ import annotations

from hashlib import sha256
from random import Random

import pytest

from cogsight.lego_puzzles.generate.blueprints import GRAMMARS
from cogsight.lego_puzzles.generate.growing import Kit, can_add, grow, places, spun
from cogsight.lego_puzzles.generate.pieces import Model, Piece, holds_together, stands
from cogsight.lego_puzzles.generate.shapes import SHAPES
from cogsight.lego_puzzles.generate.stage import Stage
from cogsight.shared.rng import stream


def grown(kind: str, count: int, kit: Kit) -> list[Model]:
    drawn = (grow(stream("growing", kind, number), kit) for number in range(count))
    return [model for model in drawn if model]


@pytest.mark.parametrize("kind", GRAMMARS)
def test_every_state_is_one_thing_that_stands(kind: str) -> None:
    models = grown(kind, 6, Kit((8, 24), kinds=(kind,)))
    assert len(models) >= 4
    for model in models:
        for number in range(1, len(model.steps) + 1):
            state = model.state(number)
            assert holds_together(state) and stands(state), f"step {number} of {model}"
            assert len({cell for piece in state for cell in piece.cells()}) == sum(len(p.cells()) for p in state)


@pytest.mark.parametrize("kind", GRAMMARS)
def test_no_step_is_hidden_and_every_part_is_put_down_from_above(kind: str) -> None:
    kit = Kit((10, 20), parts=(1, 2), kinds=(kind,))
    for model in grown(kind, 3, kit):
        pieces, first = model.pieces, len(model.steps[0])
        stage = Stage.of(pieces)
        for number in range(first, len(pieces)):
            assert can_add(pieces[:number], pieces[number])
            # the frame of the finished model is not that in which it grew: sprites differ by some pixels
            assert stage.shares(pieces[: number + 1])[-1] >= 0.8 * kit.seen, f"{pieces[number]} in {model}"


def test_steps_and_parts_are_as_the_kit_asks() -> None:
    for model in grown("any", 12, Kit((8, 12), parts=(2, 3), colors=2)):
        assert 8 <= len(model.steps) <= 12
        assert all(2 <= len(step) <= 3 for step in model.steps[1:])
        assert len({piece.color for piece in model.pieces} - {"grey", "white", "green", "brown"}) <= 2
        assert Model.parse(str(model)) == model


def test_many_kinds_of_part_are_used() -> None:
    used = {piece.shape for model in grown("parts", 60, Kit((16, 30))) for piece in model.pieces}
    assert len(SHAPES) >= 25 and len(used) >= 25, sorted(set(SHAPES) - used)


def test_a_seed_gives_the_same_model_for_ever() -> None:
    models = [str(grow(stream("golden", number), Kit((8, 12)))) for number in range(5)]
    assert sha256("\n".join(models).encode()).hexdigest()[:16] == "90c3a98395548759"


def test_a_part_goes_wherever_a_stud_holds_it() -> None:
    base = Piece("grey", "plate_4x4", 0, 0, 0)
    assert len(list(places([base], Piece("red", "brick_2x2", 0, 0, 0)))) == 5 * 5
    assert len(list(places([base], Piece("red", "brick_1x2", 0, 0, 0)))) == 2 * (4 * 5)
    under = [base, Piece("red", "brick_2x4", 0, 0, 1), Piece("red", "brick_2x2", 2, 0, 4)]
    assert all(can_add(under, place) for place in places(under, Piece("blue", "slope_2x2", 0, 0, 0)))
    assert not can_add([*under, Piece("red", "plate_4x4", 0, 0, 7)], Piece("blue", "brick_1x1", 0, 3, 1)), (
        "a roof is above"
    )


def test_four_quarter_turns_are_none() -> None:
    model = grow(Random(1), Kit((12, 12)))
    assert model and spun(model.pieces, 4) == model.pieces
    assert all(holds_together(spun(model.pieces, quarters)) for quarters in range(4))


@pytest.mark.parametrize(
    "wrong", [{"steps": (0, 3)}, {"steps": (5, 41)}, {"steps": (4, 5), "colors": 0}, {"steps": (1, 2), "kinds": ("x",)}]
)
def test_a_kit_that_nothing_can_meet_is_refused(wrong: dict[str, tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match=r"steps|colours"):
        Kit(**wrong)  # type: ignore[arg-type]

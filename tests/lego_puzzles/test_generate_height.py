"""Height: the solver reads heights off pictures, and is never wrong about them."""

from __future__ import annotations

from random import Random

import pytest
from brick_models import heap

from cogsight.lego_puzzles.generate import height
from cogsight.lego_puzzles.generate.bricks import PLATE, Kit, Model, grow
from cogsight.lego_puzzles.generate.height import LEVELS, Config, Pointer, State, alt, generate, solve

BASE = "grey 6x6x1 0,0,0"


def state(model: str, red: str, blue: str, ask: str = "higher") -> State:
    return State(ask, Pointer.parse(red), Pointer.parse(blue), Model.parse(model))


@pytest.mark.parametrize(
    ("model", "red", "blue", "higher"),
    [
        (f"{BASE}; lime 2x2x3 0,4,1; tan 2x2x1 4,0,1", "0,4,3 left", "4,0,1 right", "A"),
        (f"{BASE}; lime 2x2x3 0,4,1; tan 2x2x1 4,0,1", "1,5,3 left", "5,1,1 right", "A"),
        (f"{BASE}; lime 2x2x1 0,4,1; tan 2x2x3 4,0,1", "0,4,1 left", "4,0,3 right", "B"),
        (f"{BASE}; lime 2x2x3 0,4,1; tan 2x2x3 4,0,1", "0,4,3 left", "4,0,3 right", "C"),
        (f"{BASE}; lime 1x1x3 0,0,1; tan 1x1x1 5,5,1; tan 1x1x3 5,5,2", "0,0,3 above", "5,5,4 right", "B"),
        (
            f"{BASE}; lime 1x1x1 2,0,1; lime 1x1x1 2,0,2; lime 1x1x1 2,0,3; tan 1x1x3 2,5,1",
            "2,0,3 above",
            "2,5,3 left",
            "C",
        ),
    ],
)
def test_plain_cases(model: str, red: str, blue: str, higher: str) -> None:
    assert solve(state(model, red, blue)) == {higher}
    lower = {"A": "B", "B": "A", "C": "C"}[higher]
    assert solve(state(model, red, blue, "lower")) == {lower}


def test_hidden_feet_leave_all_answers_open() -> None:
    """A pillar of which only the top peers over a wall: how tall it is cannot be seen."""
    model = f"{BASE}; lime 1x1x12 0,0,1; tan 6x1x9 0,2,1; tan 1x5x9 2,0,1".replace("tan 1x5x9 2,0,1", "tan 1x2x9 2,0,1")
    assert solve(state(model, "0,0,12 above", "0,2,9 left")) == frozenset("ABC")


def test_a_way_that_is_not_seen_leaves_all_answers_open(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = state(f"{BASE}; lime 1x1x3 0,5,1; tan 1x1x3 5,0,1", "0,5,3 left", "5,0,3 right")
    assert solve(seen) == {"C"}
    without_base = [face for face in seen.visible() if face.z > 0]
    monkeypatch.setattr(State, "visible", lambda self: without_base)
    assert solve(seen) == frozenset("ABC")


def random_states(count: int) -> list[State]:
    """Arrows onto bare studs of any heaps, that can be seen themselves; the rest may be hidden."""
    out = []
    for seed in range(count):
        rng = Random(seed)
        model = heap(rng, rng.randrange(3, 12), side=6)
        tops = model.tops()
        (x, y), (u, v) = rng.sample(sorted(tops), 2)
        red, blue = Pointer(x, y, tops[x, y] - 1, "above"), Pointer(u, v, tops[u, v] - 1, "right")
        made = State(rng.choice(["higher", "lower"]), red, blue, model)
        if [face and face[:3] for face in made.pointed_at()] == [(p.x, p.y, p.z) for p in (red, blue)]:
            out.append(made)
    return out


def test_never_wrong_on_any_heap() -> None:
    """One answer only when it is the true one; else all three."""
    sure = 0
    for case in random_states(150):
        fits = solve(case)
        rise = (case.blue.z - case.red.z) * (1 if case.ask == "higher" else -1)
        truth = "C" if rise == 0 else "B" if rise > 0 else "A"
        assert fits in ({truth}, frozenset("ABC")), str(case)
        sure += fits == {truth}
    assert sure > 40


def test_a_solver_that_trusts_the_page_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(height, "_rises", lambda tiles, start: {tile: start[1][0][1] - tile[1][0][1] for tile in tiles})
    with pytest.raises(AssertionError):
        test_never_wrong_on_any_heap()


@pytest.mark.parametrize("level", LEVELS)
def test_generated_questions_are_as_the_level_says(level: str) -> None:
    config = LEVELS[level]
    for slot in range(3):
        for seed in range(3):
            puzzle = generate(Random(seed), config, slot)
            if puzzle is None:
                continue
            made = puzzle.state
            pieces = made.model.bricks[1:]
            assert (len(pieces), len({piece.color for piece in pieces}) <= config.colors) == (config.pieces, True)
            rise = abs(made.red.z - made.blue.z)
            assert rise == 0 if slot == 2 else config.gap[0] <= rise <= config.gap[1]
            owner = [next(b for b in pieces if (p.x, p.y, p.z) in set(b.cells())) for p in (made.red, made.blue)]
            assert owner[0] != owner[1]
            assert not {"red", "blue"} & {piece.color for piece in pieces}, "an arrow's colour"
            faces = made.pointed_at()
            assert [face[:3] for face in faces if face] == [(p.x, p.y, p.z) for p in (made.red, made.blue)]
            assert f"a red arrow from {made.red.source}" in alt(made)[0]


def test_conflicts_come_as_often_as_asked() -> None:
    always = Config(pieces=6, base=(6, 6), heights=(3, 1), colors=4, support=100, gap=(1, 12), conflict=100)
    for seed in range(4):
        puzzle = generate(Random(seed), always, 0)
        assert puzzle is not None
        red, blue = puzzle.state.arrows()
        higher_in_space = puzzle.state.red.z > puzzle.state.blue.z
        assert higher_in_space == (red.tip[1] > blue.tip[1]), "higher in space, lower on the page"


def test_configs_check_themselves() -> None:
    with pytest.raises(ValueError, match="see LEVELS"):
        Config(pieces=1, base=(4, 4), heights=(1,), colors=1, support=50, gap=(1, 2), conflict=0)


def test_a_flat_model_has_only_equal_heights() -> None:
    flat = grow(Random(1), Model.parse(BASE), Kit(((1, 2),), (PLATE,), ("tan",), tallest=2), 4)
    assert flat is not None
    assert {brick.top for brick in flat.bricks[1:]} == {2}

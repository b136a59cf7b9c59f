"""Next-Step: exactly one option is the model plus the part, and the options alone do not say which."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from cogsight.lego_puzzles.generate import next_step
from cogsight.lego_puzzles.generate.bricks import BRICK, PLATE, Brick, Kit, Model, grow, places
from cogsight.lego_puzzles.generate.next_step import (
    LETTERS,
    LEVELS,
    TRAITS,
    Config,
    State,
    Step,
    covered,
    distractors,
    generate,
    solve,
)
from cogsight.shared.build import is_proved

BEFORE = Model.parse("grey 6x6x1 0,0,0; red 2x2x3 0,4,1; blue 2x4x1 3,1,1; lime 1x1x3 5,5,1")
PART = Brick.parse("tan 2x3x3 0,0,1")
KIT = Kit(next_step.SIZES, (BRICK, PLATE), ("red", "blue", "lime", "tan", "violet"))


def question(*options: Model | str, marks: Brick = PART, part: Brick | None = None) -> State:
    """The part goes to the free corner; options as models, or as the change to the right one."""
    models = [Model.parse(option) if isinstance(option, str) else option for option in options]
    return State(BEFORE, part or replace(PART, z=0), covered(BEFORE, marks), tuple(models))


RIGHT = BEFORE + PART
TURNED = replace(PART, w=3, d=2)


def without(model: Model, name: str) -> Model:
    return Model(tuple(brick for brick in model.bricks if brick.name != name))


WRONG = {
    "nothing added": BEFORE,
    "another colour": BEFORE + replace(PART, color="violet"),
    "one stud too long": BEFORE + replace(PART, d=4),
    "one stud too short": BEFORE + replace(PART, d=2),
    "a plate": BEFORE + replace(PART, h=PLATE),
    "turned": BEFORE + TURNED,
    "one stud off": BEFORE + replace(PART, y=1),
    "on other studs": BEFORE + replace(PART, x=3, y=1, z=2),
    "floating": BEFORE + replace(PART, z=5),
    "a brick is missing": without(BEFORE, "red 2x2 brick") + PART,
    "a brick is another": Model.parse(str(RIGHT).replace("red 2x2x3", "violet 2x2x3")),
    "a brick has moved": Model.parse(str(RIGHT).replace("5,5,1", "5,0,1")),
    "a part too many": RIGHT + Brick.parse("blue 1x2x1 1,4,4"),
    "twice": RIGHT + replace(PART, z=4),
}


def test_the_model_with_the_part_fits_and_nothing_else_does() -> None:
    for start in range(0, len(WRONG), 4):
        wrong = list(WRONG.values())[start : start + 4]
        assert solve(question(*wrong[:2], RIGHT, *wrong[2:])) == {"C"}
    for why, model in WRONG.items():
        assert solve(question(model, model, model, model, model)) == frozenset(), why


def test_the_part_may_be_shown_turned() -> None:
    assert solve(question(RIGHT, part=replace(TURNED, z=0))) == {"A"}


def test_two_right_options_are_both_found() -> None:
    """Half of the part over the edge: two places cover the same two studs."""
    edge = Brick.parse("tan 2x2x1 5,0,1")
    other = Brick.parse("tan 2x2x1 5,-1,1")
    assert covered(BEFORE, edge)[:1] == covered(BEFORE, other)
    one_stud = State(BEFORE, replace(edge, x=0, y=0, z=0), ((5, 0, 0),), (BEFORE + other, BEFORE + edge))
    assert solve(one_stud) == {"A"}, "the other covers a stud that is not marked"
    long = Brick.parse("tan 1x2x1 5,-1,1")
    over_the_corner = State(
        BEFORE, replace(long, y=0, z=0), ((5, 0, 0),), (BEFORE + long, BEFORE + Brick.parse("tan 2x1x1 5,0,1"))
    )
    assert solve(over_the_corner) == {"A", "B"}


def test_a_change_that_is_not_seen_leaves_two_options() -> None:
    """Behind a wall a brick is another colour: the pictures are equal, so both fit, and the builder draws again."""
    hidden = Model.parse("grey 6x6x1 0,0,0; red 1x1x1 0,0,1; tan 6x1x9 0,2,1; tan 2x2x9 2,0,1")
    part = Brick.parse("lime 1x2x3 5,4,1")
    other = Model.parse(str(hidden).replace("red", "blue"))
    state = State(hidden, replace(part, x=0, y=0, z=0), covered(hidden, part), (hidden + part, other + part))
    assert solve(state) == {"A", "B"}


def test_against_brute_force() -> None:
    """Every place of the part as an option: those fit that cover the marked studs and no others."""
    base = Model.parse("grey 5x5x1 0,0,0")
    for seed in range(4):
        rng = Random(seed)
        before = grow(rng, base, KIT, 3)
        assert before is not None
        part = Brick(0, 0, 0, *rng.choice([(1, 2), (2, 2), (2, 3)]), PLATE, "violet")
        spots = [spot for turned in {part, replace(part, w=part.d, d=part.w)} for spot in places(before, turned, KIT)]
        target = rng.choice(spots)
        marks = covered(before, target)
        if not next_step._all_seen(marks, next_step._survey(before)):
            continue
        options = rng.sample(spots, min(4, len(spots)))
        state = State(before, part, marks, tuple(before + spot for spot in (*options, target)))
        expected = {
            letter for letter, spot in zip(LETTERS, (*options, target), strict=False) if covered(before, spot) == marks
        }
        assert expected <= solve(state)
        seen_whole = {letter for letter in solve(state) if letter not in expected}
        assert not seen_whole, f"{seen_whole} do not cover the marked studs"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("slot", range(5))
def test_distractors_never_fit(level: str, slot: int) -> None:
    made = 0
    for seed in range(4):
        puzzle = generate(Random(100 * slot + seed), LEVELS[level], slot)
        if puzzle is None or not is_proved(next_step.GENERATOR, puzzle.state, puzzle.key):
            continue  # the builder draws again
        made += 1
        assert puzzle.key == LETTERS[slot]
        state = puzzle.state
        assert len(set(map(str, state.options))) == 5
        for letter, option in zip(LETTERS, state.options, strict=True):
            alone = replace(state, options=(option,))
            assert solve(alone) == (frozenset("A") if letter == puzzle.key else frozenset()), puzzle.explanation[letter]
            assert option.held()
            assert puzzle.explanation[letter].startswith("Right" if letter == puzzle.key else "Wrong")
    assert made


def step() -> Step:
    return Step(BEFORE, PART, KIT, (1, 2, 3))


@pytest.mark.parametrize("name", TRAITS)
def test_every_trait_makes_it_wrong(name: str) -> None:
    right = step().after()
    assert right == RIGHT
    changes = list(TRAITS[name](step(), Random(3)))
    models = {model for change in changes if (model := step().after(change)) and model != right}
    assert models, "no change is possible"
    for model in models:
        assert solve(question(model)) == frozenset(), str(model)


@pytest.mark.parametrize(("first", "second"), sorted({pair for config in LEVELS.values() for pair in config.traits}))
def test_options_are_a_grid(first: str, second: str) -> None:
    """Three values by two less one cell: no option has a value for itself alone more often than the grid says."""
    for seed in range(3):
        wrong = distractors(step(), Random(seed), first, second)
        if wrong is None:
            continue
        assert len({str(model) for model, _ in wrong} | {str(RIGHT)}) == 5
        both = [why for _, why in wrong if " and " in why]
        assert len(both) in (1, 2)


def test_the_right_place_is_not_the_middle_one() -> None:
    """Of three places on a line, the right one is in the middle in a third of the cases."""
    middle: Counter[bool] = Counter()
    for seed in range(60):
        wrong = distractors(step(), Random(seed), "place", "color")
        if wrong is None:
            continue
        spots = {(model.bricks[-1].x, model.bricks[-1].y) for model, _ in wrong} | {(PART.x, PART.y)}
        if len(spots) == 3:
            total = {spot: sum(abs(spot[0] - x) + abs(spot[1] - y) for x, y in spots) for spot in spots}
            middle[total[PART.x, PART.y] == min(total.values())] += 1
    assert sum(middle.values()) > 40
    assert middle[True] < 0.6 * sum(middle.values())


def test_fuller_pictures_are_right_as_often_as_emptier_ones() -> None:
    counts: Counter[int] = Counter()
    for seed in range(40):
        change = next(iter(TRAITS["number"](step(), Random(seed))))
        model = step().after(change)
        if model:
            counts[len(model.bricks) - len(RIGHT.bricks)] += 1
    assert set(counts) == {-1, 1}
    assert min(counts.values()) > 10


def test_configs_check_themselves() -> None:
    with pytest.raises(ValueError, match="traits are color"):
        Config(4, (4, 4), 4, (("color", "taste"),))

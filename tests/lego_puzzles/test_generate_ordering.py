"""Ordering: the solver finds all orders in which models only grow."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from cogsight.lego_puzzles.generate import ordering
from cogsight.lego_puzzles.generate.bricks import BRICK, PLATE, Kit, Model, grow
from cogsight.lego_puzzles.generate.ordering import LETTERS, LEVELS, ORDERS, Config, State, generate, solve

BASE = Model.parse("grey 5x5x1 0,0,0")
KIT = Kit(ordering.SIZES, (BRICK, PLATE), ("red", "tan", "blue"), kept=30)


def chain(seed: int, length: int) -> list[Model]:
    """A model after each of so many single steps."""
    grown = grow(Random(seed), BASE, KIT, length - 1)
    assert grown is not None
    return [Model(grown.bricks[:count]) for count in range(1, length + 1)]


def by_inclusion(state: State) -> frozenset[str]:
    """Brute force on the bricks themselves: every model's are among the next one's."""

    def grows(models: list[Model]) -> bool:
        return all(set(one.bricks) <= set(other.bricks) for one, other in pairwise(models))

    steps = dict(zip(LETTERS, state.steps, strict=True))
    return frozenset(
        order for order in ORDERS if grows([state.start, *(steps[letter] for letter in order), state.target])
    )


@pytest.mark.parametrize("seed", range(6))
def test_against_inclusion(seed: int) -> None:
    models = chain(seed, 6)
    start, *steps, target = models
    Random(seed).shuffle(steps)
    state = State(start, target, tuple(steps))
    assert by_inclusion(state) <= solve(state)
    assert len(by_inclusion(state)) == 1
    assert solve(state) == by_inclusion(state)


def test_equal_steps_can_be_swapped() -> None:
    one, two, three, four, five, _ = chain(1, 6)
    assert solve(State(one, five, (two, three, two, four))) == {"ACBD", "CABD"}


def test_what_is_taken_away_or_recoloured_fits_nowhere() -> None:
    start, *steps, target = chain(2, 6)
    gone = Model((*steps[2].bricks[:-2], steps[2].bricks[-1]))
    assert solve(State(start, target, (steps[0], steps[1], gone, steps[3]))) == frozenset()
    other = Model.parse(str(steps[2]).replace("tan", "violet").replace("red", "violet"))
    assert solve(State(start, target, (steps[0], steps[1], other, steps[3]))) == frozenset()


def test_an_addition_that_is_hidden_leaves_the_order_open() -> None:
    """Bricks put down behind a wall: nobody sees which came first."""
    text = "grey 6x6x1 0,0,0; tan 6x1x9 0,2,1; tan 1x2x9 2,0,1"
    models = [Model.parse(text)]
    for brick in ("red 1x1x1 0,0,1", "red 1x1x1 0,0,2", "red 1x1x1 5,5,1", "red 1x1x1 5,5,2", "red 1x1x1 5,5,3"):
        models.append(Model.parse(f"{models[-1]}; {brick}"))
    start, *steps, target = models
    assert solve(State(start, target, tuple(steps))) == {"ABCD", "BACD"}


@pytest.mark.parametrize("level", LEVELS)
def test_generated_chains(level: str) -> None:
    config = LEVELS[level]
    for slot in (0, 7, 23):
        puzzle = generate(Random(slot), config, slot)
        assert puzzle is not None
        state = puzzle.state
        assert puzzle.key == ORDERS[slot]
        assert by_inclusion(state) == {puzzle.key}
        steps = dict(zip(LETTERS, state.steps, strict=True))
        counts = [len(m.bricks) for m in (state.start, *(steps[letter] for letter in puzzle.key), state.target)]
        added = [b - a for a, b in pairwise(counts)]
        assert min(added) >= config.step[0]
        assert max(added) <= config.step[1]
        assert counts[0] == config.start + 1
        for place, letter in enumerate(puzzle.key, 1):
            assert puzzle.explanation[letter].startswith(f"State {place} of 4: adds ")


def test_pictures_share_one_frame() -> None:
    puzzle = generate(Random(5), LEVELS["1"], 3)
    assert puzzle is not None
    state = puzzle.state
    low = ordering.fit([state.start.bricks], size=ordering.SIZE)
    assert state.frame() != low
    assert state.frame() == ordering.fit([state.target.bricks], size=ordering.SIZE), "the target is the largest of all"


def test_configs_check_themselves() -> None:
    with pytest.raises(ValueError, match="a step adds at least one part"):
        Config(start=1, base=(4, 4), step=(0, 1), colors=2, heights=(1,))

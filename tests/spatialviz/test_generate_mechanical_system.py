"""Mechanical System: motions that three methods agree on, mechanisms known from books, drawings in which teeth mesh, fair options."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import hypot
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mechanism_methods import mechanical_system_fits, motions
from puzzles import puzzles

from cogsight.spatialviz.generate.mechanical_system import (
    COUNT,
    GENERATOR,
    LEVELS,
    MOVING,
    STUCK,
    WAY,
    Config,
    State,
    ask,
)
from cogsight.spatialviz.generate.mechanism import Link, Mechanism, Part, speeds
from cogsight.spatialviz.generate.mechanism_doubts import doubts
from cogsight.spatialviz.generate.mechanism_layout import EXTENT, MODULE, belted, radius, ring, size
from cogsight.spatialviz.generate.mechanism_pictures import FILLS, picture
from cogsight.spatialviz.generate.mechanism_proof import motion
from cogsight.spatialviz.generate.mechanism_words import sizes, words
from cogsight.spatialviz.generate.options import LETTERS

BRANCHED = (
    "A:gear:0,0:12:flat B:gear:90,0:24:flat B:gear:90,0:10:flat C:gear:190,0:30:flat D:gear:90,120:20:flat"
    " ; mesh.0.1 mesh.2.3 mesh.1.4"
)
BELTED = (
    "A:gear:0,0:15:flat B:gear:90,0:20:flat B:pulley:90,0:10:flat C:gear:290,0:30:flat C:pulley:290,0:20:flat"
    " ; mesh.0.1 belt.2.4"
)

every_level = pytest.mark.parametrize("level", list(LEVELS))


@every_level
def test_three_methods_agree(level: str) -> None:
    for puzzle in puzzles(GENERATOR, level, 40):
        assert mechanical_system_fits(puzzle.state) == GENERATOR.solve(puzzle.state) == {puzzle.key}
        for mechanism in puzzle.state.mechanisms:
            moves = motion(mechanism) or dict.fromkeys(speeds(mechanism), Fraction(0))
            assert speeds(mechanism) == moves
            assert all(abs(value - float(moves[body])) < 1e-6 for body, value in (motions(mechanism) or {}).items())


KNOWN = {
    # A pair of gears turns in opposite ways, an idler between them changes the way and not the ratio.
    "A:gear:0,0:12:flat B:gear:90,0:24:flat ; mesh.0.1": {"B": Fraction(-1, 2)},
    "A:gear:0,0:12:flat B:gear:70,0:18:flat C:gear:175,0:24:flat ; mesh.0.1 mesh.1.2": {"C": Fraction(1, 2)},
    # Two stages: 12 drives 24, on whose axle 10 drives 30: 6 to 1.
    "A:gear:0,0:12:flat B:gear:90,0:24:flat B:gear:90,0:10:flat C:gear:190,0:30:flat ; mesh.0.1 mesh.2.3": {
        "C": Fraction(1, 6)
    },
    "A:pulley:0,0:10:flat B:pulley:90,0:20:flat ; belt.0.1": {"B": Fraction(1, 2)},
    "A:pulley:0,0:10:flat B:pulley:90,0:20:flat ; cross.0.1": {"B": Fraction(-1, 2)},
    # A wheel that turns clockwise on a rack below it would roll to the right; held in its place, it sends the rack to the left.
    "A:gear:0,0:12:flat B:rack:0,50:0:across ; rack.0.1.down": {"B": Fraction(-12)},
    # One turn of a Geneva drive's pin is one slot.
    "A:gear:0,0:12:flat B:geneva:84,0:6:flat ; geneva.0.1": {"B": Fraction(-1, 6)},
    # A pin on top of a wheel that turns clockwise goes right, and so does a slider on the right.
    "A:gear:0,0:20:flat B:slider:120,0:0:across ; crank.0.1.right.270": {"B": Fraction(1)},
    # A right-handed worm whose near side goes down carries its thread to the left, and with it the top of the wheel below it.
    "A:worm:0,0:1:lying B:gear:0,60:20:flat ; worm.0.1.R.down": {"B": Fraction(-1, 20)},
    # Mitre gears: the near side of the standing one goes to the right, where the near side of the other one goes down.
    "A:bevel:0,34:20:standing B:bevel:34,0:20:lying ; bevel.0.1.right": {"B": Fraction(1)},
}


@pytest.mark.parametrize("text", KNOWN)
def test_mechanisms_known_from_books(text: str) -> None:
    mechanism = Mechanism.parse(text)
    assert str(mechanism) == text
    for body, value in KNOWN[text].items():
        assert speeds(mechanism)[body] == value == (motion(mechanism) or {})[body]
        assert motions(mechanism) is not None and abs((motions(mechanism) or {})[body] - value) < 1e-9


def test_rings_move_when_they_are_even() -> None:
    for count in (3, 4, 5, 6):
        assert (motion(ring(count)) is None) == (count % 2 == 1)
        assert motion(ring(count, broken=True)) is not None
    for count in (2, 3, 4):
        assert (motion(belted(count, crossed=True)) is None) == (count % 2 == 1)
        assert (motion(belted(count, crossed=False)) is None) == (count % 2 == 0)
    assert not set(MOVING) & set(STUCK)


def test_equal_directions_at_unequal_speeds_lock_too() -> None:
    parts = Mechanism.parse(
        "A:pulley:0,0:10:flat B:pulley:90,0:20:flat A:pulley:0,0:10:flat B:pulley:90,0:10:flat ; belt.0.1 belt.2.3"
    )
    assert motion(parts) is None and motions(parts) is None and set(speeds(parts).values()) == {0}


def test_what_nothing_holds_has_no_motion() -> None:
    with pytest.raises(ValueError, match="B: these move independently"):
        motion(Mechanism((Part("A", "gear", 0, 0, 12), Part("B", "gear", 300, 0, 12)), ()))


@every_level
def test_what_touches_is_what_drives(level: str) -> None:
    """Meshing gears stand at the distance of their pitch circles; all others but those on a two-stage wheel keep away."""
    for puzzle in puzzles(GENERATOR, level, 30):
        for mechanism in puzzle.state.mechanisms:
            width, height = size(mechanism.parts)
            assert width <= EXTENT[0] and height <= EXTENT[1]
            meshing = {(link.one, link.other) for link in mechanism.links if link.kind == "mesh"}
            gears = [(n, part) for n, part in enumerate(mechanism.parts) if part.kind == "gear"]
            linked = {frozenset(mechanism.parts[n].body for n in pair) for pair in meshing}
            for (n, one), (m, other) in combinations(gears, 2):
                apart = hypot(one.x - other.x, one.y - other.y) - radius(one.size) - radius(other.size)
                if (n, m) in meshing:
                    assert abs(apart) < 1.5
                elif one.body != other.body and frozenset((one.body, other.body)) not in linked:
                    assert apart > 2 * MODULE


def pixels(mechanism: Mechanism) -> int:
    """Gear-coloured pixels of a picture without letters."""
    image = np.asarray(picture(mechanism, letters=False))
    return int(sum((np.abs(image.astype(int) - np.array(color)).sum(axis=2) < 12).sum() for color in FILLS))


@pytest.mark.parametrize("teeth", [14, 16])
def test_teeth_mesh_instead_of_overlapping(teeth: int) -> None:
    """Of a meshing pair no tooth lies on one of the other gear; drawn without regard to each other, two of them would."""
    gears = tuple(Part("AB"[n], "gear", 60 + teeth * MODULE * n, 60, teeth) for n in (0, 1))
    alone = sum(pixels(Mechanism((gear,), ())) for gear in gears)
    assert pixels(Mechanism(gears, (Link("mesh", 0, 1),))) > alone - 12
    assert pixels(Mechanism(gears, ())) < alone - 40


def test_options_tell_nothing() -> None:
    """Ways: each pair once. Turns: numbers are all different."""
    for puzzle in puzzles(GENERATOR, "1", 100):
        state: State = puzzle.state
        if state.form == WAY:
            assert sorted(state.options) == ["++", "+-", "-+", "--"]
        if state.form == COUNT:
            numbers = [int(option) for option in state.options]
            assert len(set(numbers)) == len(numbers) and min(numbers) > 0


COUNTING = replace(GENERATOR, levels={"1": replace(LEVELS["1"], forms=(COUNT,))})
"""Level 1, the questions about numbers of turns alone."""


def stated(text: str, letter: str) -> int | None:
    """The first number of teeth that a question states of a body, or 1 of a worm."""
    if found := re.search(rf"(?:Numbers of teeth|bevel gears): [^.]*\b{letter} (\d+)", text):
        return int(found[1])
    return 1 if f"worm of {letter} " in text else None


def direct(text: str, asked: str) -> Fraction | None:
    """Teeth of A by teeth of the wheel asked about, as if these two meshed."""
    one, other = stated(text, "A"), stated(text, asked)
    return Fraction(one, other) if one and other else None


def away(number: int, turns: int) -> Fraction:
    """How far a number is from A's own, as a ratio above 1."""
    return max(Fraction(number, turns), Fraction(turns, number))


def roundness(number: int) -> int:
    return max(unit for unit in (1, 2, 5, 10, 20, 50, 100) if number % unit == 0)


RULES: dict[str, Callable[[list[int], int, Fraction | None], list[int]]] = {
    "the smallest": lambda numbers, *_: numbers[:1],
    "the second": lambda numbers, *_: numbers[1:2],
    "the third": lambda numbers, *_: numbers[2:3],
    "the largest": lambda numbers, *_: numbers[3:],
    "one in the middle": lambda numbers, *_: numbers[1:3],
    "as often as A": lambda numbers, n, _: [x for x in numbers if x == n],
    "not as often as A": lambda numbers, n, _: [x for x in numbers if x != n],
    "a pair, upside down": lambda numbers, n, _: [x for x in numbers if x != n and n * n in [x * y for y in numbers]],
    "nearest to A's": lambda numbers, n, _: [x for x in numbers if away(x, n) == min(away(y, n) for y in numbers)],
    "farthest from A's": lambda numbers, n, _: [x for x in numbers if away(x, n) == max(away(y, n) for y in numbers)],
    "the roundest": lambda numbers, *_: [x for x in numbers if roundness(x) == max(map(roundness, numbers))],
    "A divides it or it A": lambda numbers, n, _: [x for x in numbers if n % x == 0 or x % n == 0],
    "teeth by teeth": lambda numbers, n, ratio: [x for x in numbers if ratio and x == n * ratio],
    "teeth by teeth, upside down": lambda numbers, n, ratio: [x for x in numbers if ratio and x * ratio == n],
    "not teeth by teeth": lambda numbers, n, ratio: [x for x in numbers if ratio and x != n * ratio],
}
"""What may be tried without the picture → the numbers that it leaves, of all four in order, A's turns and `direct`."""


@cache
def counted() -> tuple[tuple[list[int], int, Fraction | None, int], ...]:
    """What the rules take, and the right number, of 400 questions."""
    found = []
    for puzzle in puzzles(COUNTING, "1", 400, seed=3):
        asked, turns, numbers = puzzle.state.asked[0], int(puzzle.state.asked[1:]), list(map(int, puzzle.state.options))
        ratio = direct(ask(puzzle.state)[0], asked)
        found.append((sorted(numbers), turns, ratio, numbers[LETTERS.index(puzzle.key)]))
    return tuple(found)


@pytest.mark.parametrize("rule", RULES)
def test_no_rule_finds_turns_without_the_picture(rule: str) -> None:
    """A guess among the numbers that a rule leaves, or among all where it leaves none, is right in a quarter, give or take 3 sigma."""
    points = 0.0
    for numbers, turns, ratio, right in counted():
        left = RULES[rule](numbers, turns, ratio) or numbers
        points += (right in left) / len(left)
    share, sigma = points / len(counted()), (0.25 * 0.75 / len(counted())) ** 0.5
    assert share < 0.25 + 3 * sigma, f"{rule}: {share:.3f}"


def test_the_sizes_of_a_question_fit_its_ratio() -> None:
    """The rules read what the question states: in many of these the direct ratio is offered, and as a rule it is wrong."""
    offered = [(n * ratio == right) for numbers, n, ratio, right in counted() if ratio and n * ratio in numbers]
    assert len(offered) > 0.4 * len(counted())
    assert 0.1 < sum(offered) / len(offered) < 0.4


def test_sizes_are_in_the_order_of_letters() -> None:
    """Were they in the order in which the parts join, the text would tell who meshes with whom."""
    for puzzle in puzzles(COUNTING, "1", 10):
        letters = re.findall(r"\b([A-Z]) \d", sizes(puzzle.state.mechanisms[0]).split(".")[0])
        assert letters == sorted(letters) and len(set(letters)) == len(letters)


@pytest.mark.parametrize(
    ("text", "asked", "told"),
    [
        # 12 drives 24, on whose axle 10 drives 30; D meshes with the large one.
        (BRANCHED, "C", {"inner wheels": (True, Fraction(24, 10))}),
        (BRANCHED, "D", {"inner wheels": (False, None)}),
        (BRANCHED, "B", {"end wheels": (False, Fraction(24, 10))}),
        # Driven from C: B's small one is what meshes.
        (BRANCHED.translate(str.maketrans("AC", "CA")), "B", {"end wheels": (True, Fraction(10, 24))}),
        # 20 and 30 teeth, pulleys of 10 and 20: taken for teeth, 2/3 instead of 1/2.
        (BELTED, "C", {"belt at an end": (True, Fraction(4, 3))}),
        # From C over the belt, 20 to 10, instead of 30 teeth to 20.
        (BELTED, "B", {"belt at an end": (False, Fraction(4, 3))}),
    ],
)
def test_misreadings_known_by_hand(text: str, asked: str, told: dict[str, tuple[bool, Fraction | None]]) -> None:
    found = {doubt.kind: doubt for doubt in doubts(Random(0), Mechanism.parse(text), asked)}
    assert found.keys() == told.keys()
    for kind, (used, factor) in told.items():
        assert found[kind].used == used and factor in (None, found[kind].factor), found[kind]


def test_every_wrong_number_of_turns_has_its_mistake() -> None:
    for puzzle in puzzles(COUNTING, "1", 20):
        for letter, why in puzzle.explanation.items():
            number = puzzle.state.options[LETTERS.index(letter)]
            assert why.startswith("Right") == (letter == puzzle.key)
            assert letter == puzzle.key or re.search(rf"; {number} comes out if ", why), why


@every_level
def test_letters_do_not_tell_who_drives_whom(level: str) -> None:
    """Were bodies lettered one after the other, those an odd number of letters apart would turn opposite ways."""
    states = [puzzle.state for puzzle in puzzles(GENERATOR, level, 300) if puzzle.state.form == WAY]
    keys = [next(option for option in state.options if second_fits(state, option)) for state in states]
    odd = [(ord(state.asked[0]) - ord(state.asked[1])) % 2 == 1 for state in states]
    told = sum((key[0] != key[1]) == apart for key, apart in zip(keys, odd, strict=True)) / len(states)
    assert abs(told - 0.5) < (0.1 if len(states) == 300 else 0.2), told


def second_fits(state: State, option: str) -> bool:
    return LETTERS[state.options.index(option)] in GENERATOR.solve(state)


@settings(max_examples=20, deadline=None)
@given(st.integers(0), st.sampled_from(list(LEVELS)))
def test_a_question_states_all_sizes(seed: int, level: str) -> None:
    (puzzle,) = puzzles(GENERATOR, level, 1, seed)
    if puzzle.state.form == COUNT:
        text, told = ask(puzzle.state)[0], sizes(puzzle.state.mechanisms[0])
        assert told in text
        assert all(
            str(part.size) in told
            for part in puzzle.state.mechanisms[0].parts
            if part.kind in ("gear", "bevel", "pulley")
        )
    assert all(words(mechanism) for mechanism in puzzle.state.mechanisms)


def test_configs_say_what_is_wrong() -> None:
    with pytest.raises(ValueError, match="joints mesh, belt, step"):
        Config((WAY,), (2, 3), ("glue",), ("",))

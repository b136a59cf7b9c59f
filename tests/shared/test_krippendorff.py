"""Krippendorff's alpha: his own example, brute force over pairs, and its ends."""

from __future__ import annotations

from itertools import permutations
from math import isnan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cogsight.shared.krippendorff import Scale, alpha, alpha_interval

OBSERVERS = (
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)
"""Krippendorff 2011, section C: 4 observers, 12 units, "." where one is missing."""
UNITS = [
    [int(value) for value in unit if value != "."] for unit in zip(*(row.split() for row in OBSERVERS), strict=True)
]

units = st.lists(st.lists(st.integers(0, 3), max_size=4), max_size=7)


@pytest.mark.parametrize(
    ("scale", "printed"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_the_papers_own_example(scale: Scale, printed: float) -> None:
    assert alpha(UNITS, scale) == pytest.approx(printed, abs=0.0005)


def brute(units: list[list[int]], scale: Scale) -> float:
    """The definition, pair by pair: mean squared distance within units over that of all pairs of values."""
    paired = [unit for unit in units if len(unit) > 1]
    values = [value for unit in paired for value in unit]

    def distance(one: int, other: int) -> float:
        if scale == "nominal":
            return float(one != other)
        if scale == "ordinal":
            low, high = min(one, other), max(one, other)
            between = sum(low <= value <= high for value in values)
            return float(between - (values.count(low) + values.count(high)) / 2) ** 2
        return float(one - other) ** 2 / (1 if scale == "interval" else (one + other or 1) ** 2)

    seen = sum(sum(distance(a, b) for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in paired)
    expected = sum(distance(a, b) for a, b in permutations(values, 2))
    return 1 - seen * (len(values) - 1) / expected if expected else float("nan")


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval", "ratio"])
@settings(max_examples=60, deadline=None)
@given(units)
def test_it_is_what_its_definition_says(scale: Scale, units: list[list[int]]) -> None:
    assert alpha(units, scale) == pytest.approx(brute(units, scale), nan_ok=True)


def test_its_ends() -> None:
    assert alpha([(0, 0), (3, 3), (1, 1, 1)]) == 1
    assert alpha([(0, 3), (3, 0)]) < 0
    assert all(isnan(alpha(units)) for units in ([], [(1,), (2,)], [(2, 2), (2, 2)]))


def test_the_interval_is_around_alpha_and_the_same_each_time() -> None:
    many = UNITS * 5
    interval = alpha_interval(many)
    assert interval is not None
    assert interval.low < alpha(many) < interval.high
    assert interval == alpha_interval(many)
    wider = alpha_interval(UNITS)
    assert wider is not None
    assert wider.high - wider.low > interval.high - interval.low


@pytest.mark.parametrize("same", [[(0, 0), (3, 3)], [(1,)], [], [(2, 2)]])
def test_an_interval_without_width_is_none(same: list[tuple[int, ...]]) -> None:
    assert alpha_interval(same) is None


def test_the_interval_covers_the_truth() -> None:
    """Two raters who agree on each unit with probability 0.7, else choose at random: nominal alpha 0.7 in the long run."""
    import random

    covered = 0
    for seed in range(100):
        stream = random.Random(seed)
        drawn = [
            (one, one if stream.random() < 0.7 else stream.randrange(4))
            for one in (stream.randrange(4) for _ in range(80))
        ]
        interval = alpha_interval(drawn, "nominal", resamples=300)
        covered += interval is not None and interval.low <= 0.7 <= interval.high
    assert covered >= 88

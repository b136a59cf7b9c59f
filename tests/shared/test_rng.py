"""Streams: fixed for ever, and unrelated when any part of their names differs."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import pytest

from cogsight.shared.rng import stream


def test_known_draws() -> None:
    """Written down once: a change here changes every generated question."""
    rng = stream(0, "height", "1", 0, "puzzle", 0)
    assert [rng.randrange(1000) for _ in range(5)] == KNOWN
    assert rng.sample(range(10), 4) == KNOWN_SAMPLE


KNOWN = [470, 828, 428, 576, 146]
KNOWN_SAMPLE = [7, 0, 3, 9]


def test_does_not_depend_on_the_process() -> None:
    code = "from cogsight.shared.rng import stream; print(stream(7, 'x').random())"
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert runs == {f"{stream(7, 'x').random()}\n"}


def test_names_part_the_streams() -> None:
    names = [
        (0, "a", 1),
        (0, "a", 2),
        (1, "a", 1),
        (0, "b", 1),
        (0, "a", 1, "x"),
        (0, "a1"),
        (0, "a", 11),
        (0, "a", "1", 1),
    ]
    draws = [stream(*name).random() for name in names]
    assert len(set(draws)) == len(names)
    neighbours = [[stream(seed, index).randrange(2) for index in range(200)] for seed in range(3)]
    for one, other in pairwise(neighbours):
        assert one[1:] != other[:-1]  # Random(seed + index) would fail here
        assert 60 < sum(a == b for a, b in zip(one, other, strict=True)) < 140


def test_a_name_with_a_slash_is_refused() -> None:
    with pytest.raises(ValueError, match="must not contain '/'"):
        stream(0, "a/b")

"""Marks of pictures that models made, as scores hold them: App and IF of LEGO-Puzzles (section 4.3, Table 3), by people or by a judge.

The paper has no one number. A picture's points here are the mean of its two marks over the top one; compare the two with the paper, not the points.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import fsum

from ..sample import Score

TOP = 3
"""The highest mark; the lowest is 0."""
APPEARANCE, INSTRUCTION = "appearance", "instruction"
"""Is it the same object? Is it what was asked for?"""
SCALES: Mapping[str, str] = {APPEARANCE: "App", INSTRUCTION: "IF"}
"""Name in `Score.parts`, where a mark is a share of `TOP`, and in a judge's verdict → what the paper calls it."""

RATED = "rated"
"""`Score.reason`: marked by people or by a judge; no picture is right or wrong."""


def with_marks(found: Score, marks: Mapping[str, float]) -> Score:
    """A score with a mark on each of `SCALES`, 0 to 3, which may be means of several raters.

    >>> unrated = Score("lego_puzzles/official/rotation_image/all/1", 0, None, "not_rated")
    >>> with_marks(unrated, {"appearance": 3, "instruction": 1.5}).points
    0.75
    """
    shares = {name: marks[name] / TOP for name in SCALES}
    points = fsum(marks[name] for name in SCALES) / (TOP * len(SCALES))
    return replace(found, points=points, reason=RATED, detail="", parts={**found.parts, **shares})

"""Hypothesis strategies and small builders for the package's types, for all tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hypothesis import strategies as st

from cogsight.shared.benchmark import Task
from cogsight.shared.sample import Outcome, Picture, Sample, Score

TASKS: Mapping[str, Task] = {
    "near": Task("near", "Near", "space", "option", 4, 1 / 4),
    "far": Task("far", "Far", "space", "option", 2, 1 / 2),
    "before": Task("before", "Before", "time", "sequence", 4, 1 / 24),
}
"""A toy benchmark of three tasks in two categories, of which one has a single task."""

CATEGORIES = {"space": "Space", "time": "Time"}

UNREAD = [outcome.value for outcome in Outcome if outcome is not Outcome.PARSED]


def toy_score(task: str, n: int, points: float | None, reason: str = "", *, attempt: int = 0, group: str = "") -> Score:
    """Attempt `attempt` at question `n` of a toy task."""
    reason = reason or {None: "request_failed", 1.0: "right"}.get(points, "wrong")
    category, chance = TASKS[task].category, TASKS[task].chance
    return Score(f"toy/official/{task}/0/{n}", attempt, points, reason, task, category, group, chance)


def verdicts() -> st.SearchStrategy[tuple[float | None, str]]:
    """Points with a reason that fits them: right, wrong, unread, part of the points, or lost."""
    return st.one_of(
        st.sampled_from([(1.0, "right"), (0.0, "wrong"), (None, "request_failed"), (None, "scorer_failed")]),
        st.sampled_from(UNREAD).map(lambda reason: (0.0, reason)),
        st.floats(0, 1).map(lambda points: (points, "partial")),
    )


@st.composite
def toy_scores(draw: st.DrawFn, groups: tuple[str, ...] = ("", "one", "two")) -> list[Score]:
    """Scores of a run of the toy benchmark, whole or not, with up to two attempts a question, in any order."""
    keys = st.tuples(st.sampled_from(list(TASKS)), st.integers(0, 5), st.integers(0, 1))
    found = draw(st.dictionaries(keys, verdicts(), max_size=24))
    group = {(task, n): draw(st.sampled_from(groups)) for task, n, _ in found}
    return [
        replace(toy_score(task, n, points, reason, attempt=attempt), group=group[task, n])
        for (task, n, attempt), (points, reason) in found.items()
    ]


def samples() -> st.SearchStrategy[Sample]:
    """Any sample that can be stored: texts of any characters, options in any order, any bytes as pictures."""
    text = st.text(max_size=20)
    lettered = st.dictionaries(st.sampled_from("ABCDEFGHIJ"), text, max_size=5)
    pictures = st.lists(st.binary(min_size=1, max_size=40).map(Picture), max_size=3).map(tuple)
    return st.builds(
        Sample,
        id=st.integers(0).map("toy/procedural/near/0/{}".format),
        **dict.fromkeys(("task", "category", "level", "question", "answer", "answer_type", "group", "metadata"), text),
        images=pictures,
        choices=lettered,
        explanation=lettered,
    )

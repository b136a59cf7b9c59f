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
        st.sampled_from([(1.0, "right"), (0.0, "wrong"), (None, "request_failed"), (None, "not_judged")]),
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


CHOICES: Mapping[str, Mapping[str, str]] = {
    "arrows": {"A": "red arrow", "B": "blue arrow", "C": "green arrow", "D": "yellow arrow"},
    "images": {letter: f"<image {n}>" for n, letter in enumerate("ABCDE", 2)},
    "yes or no": {"A": "Yes", "B": "No"},
    "ten": {letter: f"place {n}" for n, letter in enumerate("ABCDEFGHIJ", 1)},
}
"""Sets of options as questions have them: texts, placeholders, ordinary words, as many as there may be."""

FRAGMENTS = (
    *"ABCDEIJXabi",
    *(
        "The answer is ",
        "Answer: ",
        "answer",
        "so ",
        "not ",
        " is correct",
        " is wrong",
        " or ",
        ", ",
        ". ",
        ".\n\n",
        " -> ",
        "\n1. ",
        "2. ",
    ),
    *(
        "<think>",
        "</think>",
        "<answer>",
        "</answer>",
        "\\boxed{",
        "}",
        "{",
        '"answer": "',
        "**",
        "`",
        "(",
        ")",
        "'",
        '"',
        "</details>",
    ),
    *(
        "the blue arrow",
        "red arrow",
        "<image 4>",
        "image 3",
        "Yes",
        "no",
        "place 7",
        "答案是",
        "选",
        "正解は",
        "Ответ: ",
        "。",
        "，",
        "（",
        "Ｂ",
        "İ",
    ),
    *(
        "First ",
        "then ",
        "finally ",
        "wait, ",
        "If ",
        "maybe ",
        "e.g. ",
        "I'm sorry, I can't tell",
        "assistantfinal",
        "BADC",
        "ABCDE",
    ),
)
"""What replies are made of, torn to pieces."""


def choices() -> st.SearchStrategy[Mapping[str, str]]:
    """The options of some question."""
    return st.sampled_from(list(CHOICES.values()))


def replies() -> st.SearchStrategy[str]:
    """Anything a model might write: fragments of replies in any order, and arbitrary text among them."""
    piece = st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=12))
    return st.lists(piece, max_size=24).map("".join)


@st.composite
def polycubes(draw: st.DrawFn, most: int = 6) -> frozenset[tuple[int, int, int]]:
    """A connected polycube of up to `most` cubes: each new one beside one that is there."""
    cells = [(0, 0, 0)]
    for _ in range(draw(st.integers(0, most - 1))):
        x, y, z = draw(st.sampled_from(cells))
        i, j, k = draw(st.sampled_from([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]))
        if (x + i, y + j, z + k) not in cells:
            cells.append((x + i, y + j, z + k))
    low = [min(axis) for axis in zip(*cells, strict=True)]
    return frozenset((x - low[0], y - low[1], z - low[2]) for x, y, z in cells)

"""What a scored run says beyond its score: tables (sections) over its questions, and over two runs on the same questions.

Only the first attempt at each question counts here, and what was lost is left out: both are told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from .benchmark import Task
from .sample import Outcome, Reply, Sample, Score
from .stats import drop, holm, mcnemar, paired_difference, wilson
from .table import percent
from .variants import Variant

ALPHA = 0.05

UNREAD = frozenset(outcome.value for outcome in Outcome if outcome is not Outcome.PARSED)
"""Reasons of scores; any other tells of an answer that was read."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A scored run: the first attempt at each question."""

    name: str
    variant: Variant
    samples: Mapping[str, Sample]
    """By id; without pictures."""
    replies: Mapping[str, Reply]
    scores: Mapping[str, Score]

    @property
    def measured(self) -> dict[str, float]:
        """Id → points, in the order of the samples; the lost ones are not there."""
        points = ((name, self.scores[name].points) for name in self.samples if name in self.scores)
        return {name: own for name, own in points if own is not None}

    @property
    def about(self) -> str:
        """How much of the run there is."""
        lost = len(self.scores) - len(self.measured)
        return f"{self.name}: {len(self.scores)} of {self.variant.size or len(self.samples)} questions, {lost} of them lost"


@dataclass(frozen=True, slots=True)
class Section:
    """A table with what must be said of it."""

    title: str
    columns: tuple[str, ...]
    """The first is for names."""
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def plain(self) -> str:
        """Fixed columns in ASCII."""
        widths = [max(map(len, cells)) for cells in zip(self.columns, *self.rows, strict=True)]
        rule = tuple("-" * width for width in widths)
        lines = [_line(cells, widths) for cells in (self.columns, rule, *self.rows)]
        return "\n".join([self.title, "", *lines, "", *self.notes])


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = cells
    padded = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
    return "  ".join([first.ljust(widths[0]), *padded]).rstrip()


Group = tuple[str, Callable[[Sample], bool]]
"""A row's title, and which questions it is over."""


def groups(
    samples: Iterable[Sample], tasks: Mapping[str, Task], categories: Mapping[str, str], *, levels: bool
) -> list[Group]:
    """Overall, then each category with its tasks and, if wanted, their levels, as far as there are questions of them."""
    there = {(sample.category, sample.task, sample.level): None for sample in samples}
    found: list[Group] = [("Overall", lambda sample: True)]
    for category, title in categories.items():
        own = sorted(
            {(task, level) for of, task, level in there if of == category},
            key=lambda one: (list(tasks).index(one[0]), one),
        )
        found += [(title, _is(category=category))] * bool(own)
        for task in dict.fromkeys(name for name, _ in own):
            found.append((f"  {tasks[task].title}", _is(task=task)))
            of_task = [level for name, level in own if name == task]
            found += [
                (f"    level {level}", _is(task=task, level=level)) for level in of_task if levels and len(of_task) > 1
            ]
    return found


def _is(**fields: str) -> Callable[[Sample], bool]:
    return lambda sample: all(getattr(sample, name) == value for name, value in fields.items())


def accuracy(run: Answered, rows: Iterable[Group], known: Mapping[str, float]) -> Section:
    """Shares of right answers with Wilson's intervals, beside what needs no seeing. `known`: row's title → per cent of people."""
    cells = [_accuracy_row(run, title, holds, known) for title, holds in rows]
    return Section(
        "Accuracy, per cent",
        ("", "n", "right", "score", "95 % interval", "chance", "one letter", "never key", "people"),
        tuple(filter(None, cells)),
        (
            f"{run.about}.",
            "Intervals: Wilson. Chance: a blind guess among each question's options. One letter: always the same, the best one.",
            "Never key: options that no question of the row has as its key; who knows that has a better chance.",
        ),
    )


def _accuracy_row(
    run: Answered, title: str, holds: Callable[[Sample], bool], known: Mapping[str, float]
) -> tuple[str, ...] | None:
    measured = {name: points for name, points in run.measured.items() if holds(run.samples[name])}
    if not measured:
        return None
    right, n = fsum(measured.values()), len(measured)
    interval = wilson(right, n)
    keys = [run.samples[name].answer for name in measured]
    letters = sorted({letter for name in measured for letter in run.samples[name].choices})
    best = max(letters, key=keys.count, default="")
    return (
        title,
        str(n),
        f"{right:g}",
        percent(right / n),
        f"{percent(interval.low)}-{percent(interval.high)}",
        percent(fsum(run.scores[name].chance for name in measured) / n),
        f"{best} {percent(keys.count(best) / n)}",
        "".join(letter for letter in letters if letter not in keys) or "-",
        f"{known[title]:.1f}" if title in known else "",
    )


@dataclass(frozen=True, slots=True)
class Step:
    """From one level of a task to a harder one."""

    task: str
    levels: tuple[str, str]
    right: tuple[int, int]
    n: tuple[int, int]
    p: float
    """One-sided: is the harder level's share lower?"""
    adjusted: float
    """The same by Holm's method, among all steps of the run."""


def steps(run: Answered, tasks: Iterable[str]) -> list[Step]:
    """Each pair of levels of each task, the lower one first."""
    found = [
        (task, (low, high), (sum(of[low]), sum(of[high])), (len(of[low]), len(of[high])))
        for task in tasks
        if (of := _right_by_level(run, task))
        for at, low in enumerate(sorted(of))
        for high in sorted(of)[at + 1 :]
    ]
    ps = [drop(right[0], n[0], right[1], n[1]) for _, _, right, n in found]
    return [Step(*about, p, own) for about, p, own in zip(found, ps, holm(ps), strict=True)]


def _right_by_level(run: Answered, task: str) -> dict[str, list[bool]]:
    found: dict[str, list[bool]] = {}
    for name, points in run.measured.items():
        if run.samples[name].task == task:
            found.setdefault(run.samples[name].level, []).append(points == 1)
    return found


def gradient(run: Answered, tasks: Mapping[str, Task], notes: Iterable[str] = ()) -> Section:
    """Does the score drop from level to level?"""
    found = steps(run, tasks)
    rows = [
        (
            f"{tasks[step.task].title}, level {step.levels[0]} to {step.levels[1]}",
            *(f"{right}/{n}" for right, n in zip(step.right, step.n, strict=True)),
            f"{100 * (step.right[1] / step.n[1] - step.right[0] / step.n[0]):+.1f}",
            f"{step.p:.4f}",
            f"{step.adjusted:.4f}",
            "**" if step.adjusted < ALPHA else "*" if step.p < ALPHA else "",
        )
        for step in found
    ]
    alone = [step for step in found if step.p < ALPHA]
    held = [step for step in found if step.adjusted < ALPHA]
    counted = [
        f"* drops taken alone, p < {ALPHA}: {_in_tasks(alone)} (of {len(found)} steps in {len({s.task for s in found})} tasks).",
        f"** drops by Holm's method over all steps: {_in_tasks(held)}.",
        "Test: two proportions, one-sided, pooled, without continuity correction.",
    ]
    columns = ("Step", "lower", "higher", "points", "p", "p (Holm)", "")
    return Section("Difficulty: right answers by level", columns, tuple(rows), (*counted, *notes))


def _in_tasks(found: Sequence[Step]) -> str:
    return f"{len(found)} in {len({step.task for step in found})} tasks"


def paired(one: Answered, other: Answered, rows: Iterable[Group]) -> Section:
    """Two runs on the questions that both have measured."""
    first, second = one.measured, other.measured
    both = [name for name in first if name in second]
    cells = (_paired_row(title, [n for n in both if holds(one.samples[n])], first, second) for title, holds in rows)
    read = [name for name in both if _is_read(one, name) and _is_read(other, name)]
    difference = fsum(second[name] - first[name] for name in read) / len(read) if read else 0.0
    return Section(
        f"{other.name} against {one.name}, on the same questions",
        ("", "n", "first", "second", "points", "95 % interval", "only first", "only second", "p"),
        tuple(filter(None, cells)),
        (
            f"First: {one.about}. Second: {other.about}.",
            "Interval: paired bootstrap over questions. p: McNemar's test, exact, two-sided, of each row taken alone.",
            f"No answer could be read from {_unread(one, both)} of the first and {_unread(other, both)} of the second run's replies;"
            f" on the {len(read)} questions where both could be read the difference is {100 * difference:+.1f} points.",
        ),
    )


def _paired_row(
    title: str, names: Sequence[str], first: Mapping[str, float], second: Mapping[str, float]
) -> tuple[str, ...] | None:
    if not names:
        return None
    differences = [second[name] - first[name] for name in names]
    interval = paired_difference(differences)
    only_first = sum(first[name] == 1 != second[name] for name in names)
    only_second = sum(second[name] == 1 != first[name] for name in names)
    return (
        title,
        str(len(names)),
        percent(fsum(first[name] for name in names) / len(names)),
        percent(fsum(second[name] for name in names) / len(names)),
        f"{100 * fsum(differences) / len(names):+.1f}",
        f"{100 * interval.low:+.1f} to {100 * interval.high:+.1f}",
        str(only_first),
        str(only_second),
        f"{mcnemar(only_first, only_second):.4f}",
    )


def _is_read(run: Answered, name: str) -> bool:
    return run.scores[name].reason not in UNREAD


def _unread(run: Answered, names: Iterable[str]) -> int:
    return sum(not _is_read(run, name) for name in names)

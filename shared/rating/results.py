"""What ratings add up to: means as in Table 3 of the LEGO-Puzzles paper, and how far the raters agree.

A picture's mark is the mean over its raters, a task's the mean over its questions, and overall is the mean of the tasks (which reproduces the paper's
"Overall"). A reply without a picture has 0. People and each judge are added up apart: a judge never enters a person's mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from ..krippendorff import alpha, alpha_interval
from ..sample import PEOPLE
from ..stats import Cluster, Interval, bootstrap
from .collecting import Made
from .judging import is_judge
from .marks import TOP
from .protocol import QUESTIONS
from .reading import Rating
from .sheet import Entry, Key

OVERALL = "Overall"
SCALES = tuple(question.name for question in QUESTIONS)


@dataclass(frozen=True, slots=True)
class Mean:
    """One cell of the table."""

    column: str
    """The model; with its variant, where it has several here."""
    raters: str
    """`PEOPLE`, or a judge's name."""
    scale: str
    task: str
    """A title, or `OVERALL`."""
    mean: float | None
    """0 to 3; None where nothing is rated."""
    interval: Interval | None
    """Bootstrap over questions, 95 %, 0 to 3."""
    rated: int
    """Attempts that count: rated ones, and those without a picture."""
    without_picture: int
    """Of these, with 0."""
    missing: int
    """Attempts without a mark: not rated yet, or lost."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far raters agree."""

    raters: tuple[str, ...]
    scale: str
    pictures: int
    """That at least two of them have rated."""
    alpha: float
    """Krippendorff's, ordinal; NaN where there is nothing to compare."""
    interval: Interval | None
    """Bootstrap over pictures, 95 %."""


def parties(ratings: Iterable[Rating]) -> list[str]:
    """`PEOPLE`, if there are any, then each judge."""
    raters = {rating.rater for rating in ratings}
    judges = sorted(filter(is_judge, raters))
    return [PEOPLE] * (len(judges) < len(raters)) + judges


def columns(key: Key) -> dict[tuple[str, str], str]:
    """(Model, variant) → the column's title."""
    runs = sorted({(entry.model, entry.variant) for entry in key.items.values()})
    models = [model for model, _ in runs]
    return {(model, variant): model if models.count(model) == 1 else f"{model} {variant}" for model, variant in runs}


def means(key: Key, ratings: Sequence[Rating]) -> list[Mean]:
    """For each party, column and scale: all tasks, then overall, which a run has that was asked every task that stands here."""
    tasks = list(dict.fromkeys(entry.task for entry in key.items.values()))
    found = []
    for party in parties(ratings):
        for scale in SCALES:
            marks = _marks(party, scale, ratings)
            for run, title in columns(key).items():
                own = {name: entry for name, entry in key.items.items() if (entry.model, entry.variant) == run}
                cells = [(task, {name: one for name, one in own.items() if one.task == task}) for task in tasks]
                told = (title, party, scale)
                found += [_mean(told, task, [entries], marks) for task, entries in cells if entries]
                found.append(_mean(told, OVERALL, [entries for _, entries in cells], marks))
    return found


def agreements(ratings: Sequence[Rating]) -> list[Agreement]:
    """Of people with each other, of all of them with each judge as one rater more, and of every two raters where there are more than two."""
    people = sorted({rating.rater for rating in ratings if not is_judge(rating.rater)})
    judges = sorted({rating.rater for rating in ratings if is_judge(rating.rater)})
    everybody = [*people, *judges]
    pairs = [(one, other) for n, one in enumerate(everybody) for other in everybody[n + 1 :]]
    groups = dict.fromkeys([tuple(people), *((*people, judge) for judge in judges), *pairs])
    return [_agreement(group, scale, ratings) for group in groups if len(group) > 1 for scale in SCALES]


def _marks(party: str, scale: str, ratings: Iterable[Rating]) -> dict[str, float]:
    """Picture → mean mark."""
    given: dict[str, list[int]] = {}
    for rating in ratings:
        if scale in rating.marks and party == (rating.rater if is_judge(rating.rater) else PEOPLE):
            given.setdefault(rating.item, []).append(rating.marks[scale])
    return {item: fsum(marks) / len(marks) for item, marks in given.items()}


def _mean(
    told: tuple[str, str, str], task: str, strata: Sequence[Mapping[str, Entry]], marks: Mapping[str, float]
) -> Mean:
    """The mean of the strata's means; None while one of them has no mark at all, or nobody was asked it in this run."""
    known = [{name: _mark(name, entry, marks) for name, entry in entries.items()} for entries in strata]
    rated = [{name: mark for name, mark in own.items() if mark is not None} for own in known]
    number = sum(map(len, rated))
    entries = [entry for own in strata for entry in own.values()]
    empty = sum(entry.made is Made.NOTHING for entry in entries)
    mean = interval = None
    if all(rated):
        clusters = [(1 / len(rated), _clusters(own, all_of)) for own, all_of in zip(rated, strata, strict=True)]
        mean = fsum(fsum(own.values()) / len(own) for own in rated) / len(rated)
        interval = _stretched(bootstrap(clusters))
    return Mean(*told, task, mean, interval, number, empty, len(entries) - number)


def _mark(name: str, entry: Entry, marks: Mapping[str, float]) -> float | None:
    return 0.0 if entry.made is Made.NOTHING else marks.get(name)


def _clusters(marks: Mapping[str, float], entries: Mapping[str, Entry]) -> list[Cluster]:
    """By question: attempts at one are drawn together. Marks as shares of the top one."""
    groups: dict[str, list[float]] = {}
    for name, mark in marks.items():
        groups.setdefault(entries[name].group, []).append(mark / TOP)
    return [(fsum(own), len(own)) for own in groups.values()]


def _stretched(interval: Interval) -> Interval:
    return Interval(TOP * interval.low, TOP * interval.high, interval.method)


def _agreement(group: tuple[str, ...], scale: str, ratings: Iterable[Rating]) -> Agreement:
    given: dict[str, list[float]] = {}
    for rating in ratings:
        if rating.rater in group and scale in rating.marks:
            given.setdefault(rating.item, []).append(rating.marks[scale])
    units = list(given.values())
    compared = sum(len(unit) > 1 for unit in units)
    return Agreement(group, scale, compared, alpha(units), alpha_interval(units))

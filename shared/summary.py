"""From scores to the numbers that are reported: per task, category and overall, with what could not be measured beside them.

One question is one unit, however often it was asked: its value is the mean over its attempts, and intervals and thresholds
count questions, not attempts. An attempt that we could not measure (`Score.points is None`) has no value; `low` counts it
wrong, `high` right. Everything is a fraction in [0, 1].
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from math import fsum
from typing import Any

from .benchmark import Task
from .errors import DataError
from .judge.query import NOT_JUDGED, NOT_RATED, UNREADABLE
from .parts import Part
from .parts import add_up as add_up_parts
from .pictures import BROKEN_IMAGE, NO_IMAGE
from .rating.marks import SCALES
from .sample import PEOPLE, RULES, Outcome, Score
from .stats import Cluster, Interval, Strata, bootstrap, critical_mean, weigh_the_same, wilson, wilson_combined
from .truth import PICTURE
from .variants import Variant

LOST = "lost"
UNJUDGED = "unjudged"
"""Beside the outcomes of reading: what we could not measure, for want of a reply (or by a fault of our scorer), or of a verdict."""

READ = tuple(outcome.value for outcome in Outcome)
OUTCOMES = (*READ, UNJUDGED, LOST)

AVERAGES: Mapping[str, Callable[[Sequence[str]], list[float]] | None] = {
    "questions": None,
    "tasks": lambda categories: [1 / len(categories)] * len(categories),
    "categories": lambda categories: [1 / (len(set(categories)) * categories.count(own)) for own in categories],
}
"""How an overall score adds up: the weight of each task from the list of the tasks' categories; None: all questions alike.

A category's own score is the mean of its tasks, or under "questions" the mean of its questions.
"""


@dataclass(frozen=True, slots=True)
class Mark:
    """How pictures that a model made are marked on one scale, as a share of the top mark."""

    n: int
    """Questions that count: marked ones, and those without a picture, which have 0."""
    mean: float
    """Adds up as the row's score does."""
    interval: Interval
    """95 %, bootstrap over questions."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. A number that cannot be given (nothing asked, nothing measured) is None."""

    scope: str
    """"overall", "category" or "task"."""
    name: str
    title: str
    category: str
    """Of a task, its category's name; else ""."""
    n: int
    """Questions with at least one score, the lost ones included."""
    expected: int
    attempts: int
    lost: int
    """Attempts without a reply, or on which our scorer failed."""
    unjudged: int
    """Attempts that needed a judge, and have no verdict."""
    accuracy: float | None
    """Over what was measured."""
    low: float | None
    """All that could not be measured counted wrong: the number to print while there is any."""
    high: float | None
    interval: Interval | None
    """95 %, around `accuracy`."""
    chance: float | None
    """Expected score of blind guessing. Pictures that a model makes are marked, and none can be guessed: None."""
    critical: float | None
    """Smallest score that blind guessing reaches with probability below 0.05; None when no score is that improbable."""
    outcomes: Mapping[str, float]
    """Name in OUTCOMES → share of the attempts; they sum to 1, or are all 0 when there are none."""
    judged: float
    """Share of the attempts that a judge, not the rules, has read."""
    unanimous: float | None
    """Share of those on which all of the judge's votes agree; None where it had one vote, or nothing to read."""
    unrated: int = 0
    """Of the unjudged, pictures that nobody was asked about, people or judge."""
    withheld: int = 0
    """Of the unjudged, pictures that the framework between does not hand on; nobody can judge these."""
    marks: Mapping[str, Mark] = field(default_factory=dict)
    """Name in `rating.marks.SCALES` → what pictures got; empty where there are none, or not in every task that was asked."""
    no_image: int = 0
    """Attempts in which the model made no picture where one was asked for: measured, with 0."""
    broken_image: int = 0
    """Attempts in which what it made cannot be opened: with 0, too."""

    @property
    def above_chance(self) -> bool:
        """Whether even `low` is a score that blind guessing would rarely reach (exact one-sided test, 5 %)."""
        return self.low is not None and self.critical is not None and self.low >= self.critical - 1e-12

    @property
    def unsaid(self) -> int:
        """Attempts on which a judge could still give its verdict."""
        return self.unjudged - self.unrated - self.withheld

    @property
    def unmeasured(self) -> int:
        """Attempts without points."""
        return self.lost + self.unjudged

    @property
    def whole(self) -> bool:
        """All measured, and just the expected questions."""
        return self.n == self.expected and not self.unmeasured


@dataclass(frozen=True, slots=True)
class Summary:
    """What one run of one variant came to."""

    benchmark: str
    variant: str
    title: str
    average: str
    """A name in AVERAGES."""
    repeats: int
    """Attempts at each question (the most that any question had)."""
    rows: tuple[Row, ...]
    """Overall first, then each category followed by its tasks."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """What the scores depend on: benchmark, data, prompt, extraction, judge, framework → version."""
    view: str = ""
    """What the model was shown: "images", "collage" …; "" when nobody said."""
    parts: tuple[Part, ...] = ()
    """Partial scores over all questions, where the benchmark has any."""

    @property
    def overall(self) -> Row:
        """The row over everything."""
        return self.rows[0]

    @property
    def tasks(self) -> dict[str, Row]:
        """Task name → its row."""
        return {row.name: row for row in self.rows if row.scope == "task"}

    @property
    def expected(self) -> int:
        """Questions in a whole run."""
        return self.overall.expected

    @property
    def missing_tasks(self) -> tuple[str, ...]:
        """Tasks of which no question has a score."""
        return tuple(name for name, row in self.tasks.items() if not row.n)

    @property
    def complete(self) -> bool:
        """All measured, and every expected question there, as often as every other."""
        return all(row.whole for row in self.rows) and self.overall.attempts == self.expected * self.repeats

    @property
    def headline(self) -> float | None:
        """The one number to quote; None while the run is not complete."""
        return self.overall.low if self.complete else None

    @property
    def averages(self) -> dict[str, float | None]:
        """What `overall.low` is, or would be, under each of AVERAGES; None where nothing was asked."""
        asked = [(row.category, row.n, row.low) for row in self.tasks.values() if row.low is not None]
        found = {}
        for name, weigh in AVERAGES.items():
            weights = weigh([category for category, _, _ in asked]) if weigh and asked else [n for _, n, _ in asked]
            total = fsum(weight * low for weight, (_, _, low) in zip(weights, asked, strict=True))
            found[name] = total / fsum(weights) if asked else None
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values only, fit for JSON; what follows from the rows is written out too, for other readers."""
        derived = {
            "expected": self.expected,
            "complete": self.complete,
            "headline": self.headline,
            "missing_tasks": list(self.missing_tasks),
            "averages": self.averages,
        }
        listed = {"rows": [asdict(row) for row in self.rows], "parts": [asdict(part) for part in self.parts]}
        return asdict(self) | listed | derived

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Summary:
        """The inverse of `to_dict`, also after a trip through JSON."""
        names = ("benchmark", "variant", "title", "average", "repeats", "versions")
        rows = tuple(_read_row(row) for row in data["rows"])
        parts = tuple(Part(**{**part, "interval": Interval(**part["interval"])}) for part in data.get("parts", ()))
        return cls(**{name: data[name] for name in names}, rows=rows, view=data.get("view", ""), parts=parts)


@dataclass(frozen=True, slots=True)
class _Question:
    """All attempts at one question."""

    scores: tuple[Score, ...]

    @property
    def points(self) -> list[float]:
        return [score.points for score in self.scores if score.points is not None]

    @property
    def unmeasured(self) -> int:
        return len(self.scores) - len(self.points)

    @property
    def value(self) -> float:
        """Mean over the measured attempts; only asked of questions that have one."""
        return fsum(self.points) / len(self.points)

    @property
    def low(self) -> float:
        return fsum(self.points) / len(self.scores)

    @property
    def high(self) -> float:
        return (fsum(self.points) + self.unmeasured) / len(self.scores)

    @property
    def chance(self) -> float:
        return self.scores[0].chance

    @property
    def group(self) -> str:
        """What it stands or falls with: itself, when it is independent."""
        return self.scores[0].group or self.scores[0].sample_id


Questions = Mapping[str, Sequence[_Question]]
"""Task name → its questions; a task may have none."""


def summarise(
    scores: Iterable[Score],
    variant: Variant,
    *,
    title: str,
    tasks: Mapping[str, Task],
    categories: Mapping[str, str],
    expected: Mapping[str, int],
    average: str,
    versions: Mapping[str, str] | None = None,
    parts: Mapping[str, str] | None = None,
) -> Summary:
    """Add scores up. `tasks` are the variant's, `categories` their titles, `expected` the questions of each in a whole run.

    `parts`: names in `Score.parts` with their titles, in the order to show them.

    The order of the scores does not matter. Raises DataError that names the sample for a score given twice, of a task that
    the variant does not have, or with points outside [0, 1]; ValueError when `expected` does not add up to the variant.
    """
    if sum(expected.values()) != variant.size:
        raise ValueError(
            f"{variant.name} has {variant.size} questions, but {sum(expected.values())} are expected by task"
        )
    questions = _by_task(scores, tasks)
    of_category: dict[str, dict[str, list[_Question]]] = {name: {} for name in categories}
    for name, task in tasks.items():
        of_category[task.category][name] = questions[name]
    rows = [_row("overall", "overall", "Overall", tasks, questions, expected, average)]
    for name, own in of_category.items():
        if own:
            rows.append(_row("category", name, categories[name], tasks, own, expected, average))
        rows += [_row("task", task, tasks[task].title, tasks, {task: own[task]}, expected, average) for task in own]
    asked = [question.scores for own in questions.values() for question in own]
    return Summary(
        variant.benchmark,
        variant.name,
        title,
        average,
        repeats=max(map(len, asked), default=1),
        rows=tuple(rows),
        versions=dict(versions or {}),
        parts=add_up_parts(chain.from_iterable(asked), parts or {}),
    )


def _by_task(scores: Iterable[Score], tasks: Mapping[str, Task]) -> dict[str, list[_Question]]:
    """Scores by task and question, in the order of ids and attempts."""
    attempts: dict[tuple[str, int], Score] = {}
    for score in scores:
        _check(score, tasks)
        key = (score.sample_id, score.attempt)
        if key in attempts:
            raise DataError(f"{score.sample_id}: attempt {score.attempt} is scored twice; summarise one run at a time")
        attempts[key] = score
    by_question: dict[str, list[Score]] = {}
    for key in sorted(attempts):
        by_question.setdefault(key[0], []).append(attempts[key])
    found: dict[str, list[_Question]] = {task: [] for task in tasks}
    for own in by_question.values():
        found[own[0].task].append(_Question(tuple(own)))
    return found


def _check(score: Score, tasks: Mapping[str, Task]) -> None:
    if score.task not in tasks:
        raise DataError(f"{score.sample_id}: task {score.task!r} is none of {', '.join(tasks)}")
    if score.points is not None and not 0 <= score.points <= 1:
        raise DataError(f"{score.sample_id}: {score.points} points; expected 0 to 1, or None for what was not measured")


def _row(
    scope: str,
    name: str,
    title: str,
    tasks: Mapping[str, Task],
    questions: Questions,
    expected: Mapping[str, int],
    average: str,
) -> Row:
    measured = {task: [question for question in own if question.points] for task, own in questions.items()}
    asked, answered = _strata(questions, tasks, average), _strata(measured, tasks, average)
    scores = [score for own in questions.values() for question in own for score in question.scores]
    guessed = asked if all(tasks[task].answer_type != PICTURE for task in questions) else []
    counts = Counter(map(outcome_of, scores))
    judged = [score for score in scores if score.judged_by not in (RULES, PEOPLE) and score.points is not None]
    reasons = Counter(score.reason for score in scores if score.points is not None)
    missing = Counter(score.reason for score in scores if score.points is None)
    return Row(
        scope=scope,
        name=name,
        title=title,
        category=tasks[name].category if scope == "task" else "",
        n=sum(len(own) for own in questions.values()),
        expected=sum(expected[task] for task in questions),
        attempts=len(scores),
        lost=counts[LOST],
        unjudged=counts[UNJUDGED],
        accuracy=_mean(answered, lambda question: question.value),
        low=_mean(asked, lambda question: question.low),
        high=_mean(asked, lambda question: question.high),
        interval=_interval(answered) if answered else None,
        chance=_mean(guessed, lambda question: question.chance),
        critical=_critical(guessed) if guessed else None,
        outcomes={outcome: counts[outcome] / max(1, len(scores)) for outcome in OUTCOMES},
        judged=len(judged) / max(1, len(scores)),
        unanimous=_unanimous(judged),
        unrated=missing[NOT_RATED],
        withheld=missing[NO_IMAGE],
        marks=_marks(questions, tasks, average),
        no_image=reasons[NO_IMAGE],
        broken_image=reasons[BROKEN_IMAGE],
    )


def _marks(questions: Questions, tasks: Mapping[str, Task], average: str) -> dict[str, Mark]:
    """What pictures got on each scale. None while a task that was asked has no mark: the mean of the others would be of other tasks."""
    found = {}
    for name in SCALES:
        known = {task: [one for question in own for one in _marked(question, name)] for task, own in questions.items()}
        if any(own and not known[task] for task, own in questions.items()) or not any(known.values()):
            continue
        strata = _strata(known, tasks, average)
        mean = fsum(weight * (fsum(question.value for question in own) / len(own)) for weight, own in strata)
        interval = bootstrap([(weight, _clusters(own)) for weight, own in strata])
        found[name] = Mark(sum(map(len, known.values())), mean, interval)
    return found


def _marked(question: _Question, name: str) -> list[_Question]:
    """The question with its marks on one scale for points, where it has any."""
    scores = tuple(replace(score, points=score.parts[name]) for score in question.scores if name in score.parts)
    return [_Question(scores)] if scores else []


def _strata(questions: Questions, tasks: Mapping[str, Task], average: str) -> Strata[_Question]:
    """The tasks that have questions, with their weights; one stratum of all when questions weigh alike."""
    present = {task: own for task, own in questions.items() if own}
    if not present:
        return []
    weights = AVERAGES[average]
    if weights is None:
        return [(1.0, [question for own in present.values() for question in own])]
    return list(zip(weights([tasks[task].category for task in present]), present.values(), strict=True))


def _mean(strata: Strata[_Question], value: Callable[[_Question], float]) -> float | None:
    if not strata:
        return None
    return fsum(weight * (fsum(map(value, own)) / len(own)) for weight, own in strata)


def _critical(strata: Strata[_Question]) -> float | None:
    return critical_mean([(weight, [question.chance for question in own]) for weight, own in strata])


def _interval(strata: Strata[_Question]) -> Interval:
    """Wilson where it holds: every question right or wrong, and on its own; else the bootstrap.

    For a mean over tasks of equal size Wilson's interval of the pooled questions is a little too wide, never too narrow.
    """
    questions = [question for _, own in strata for question in own]
    binary = all(question.value in (0, 1) for question in questions)
    independent = len({question.group for question in questions}) == len(questions)
    if binary and independent and weigh_the_same(strata):
        return wilson(sum(question.value for question in questions), len(questions))
    if binary and independent:
        return wilson_combined([(weight, [question.value for question in own]) for weight, own in strata])
    return bootstrap([(weight, _clusters(own)) for weight, own in strata])


def _clusters(questions: Sequence[_Question]) -> list[Cluster]:
    groups: dict[str, list[float]] = {}
    for question in questions:
        groups.setdefault(question.group, []).append(question.value)
    return [(fsum(values), len(values)) for values in groups.values()]


def _unanimous(judged: Sequence[Score]) -> float | None:
    voted = [score.judgement for score in judged if score.judgement and score.judgement.votes > 1]
    return sum(judgement.agreement == 1 for judgement in voted) / len(voted) if voted else None


def outcome_of(score: Score) -> str:
    """The name in OUTCOMES. A reason that is none ("right", "wrong", a benchmark's own) tells of an answer that was read."""
    if score.points is None:
        return UNJUDGED if score.reason in (NOT_JUDGED, NOT_RATED, UNREADABLE, NO_IMAGE) else LOST
    return score.reason if score.reason in READ else Outcome.PARSED.value


def _read_row(data: Mapping[str, Any]) -> Row:
    interval = data["interval"]
    marks = {
        name: Mark(**{**one, "interval": Interval(**one["interval"])}) for name, one in data.get("marks", {}).items()
    }
    return Row(**{**data, "interval": interval and Interval(**interval), "marks": marks})

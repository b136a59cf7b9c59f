"""Shortcuts: can the key be guessed without understanding anything, from texts or from what pictures are like at a glance?

A linear model guesses the key of questions that it was not fitted on (`guessing`), from the columns of `clues`. Its share of right
guesses must not be above chance + 3 points: the check fails when one so high or higher has a probability below 5 % for a guesser
of just chance + 3 points (binomial; adjusted by Holm for the tasks). For one task that is the same as a one-sided 95 % bound above the
limit. Few questions cannot tell 3 points from nothing; the finding says how many it would take.

Guesses for questions that served to fit each other's models spread 1.2 times as much as independent ones. The margin makes up for that:
of 600 clean sets of 100 questions 2 % fail by themselves, none among eleven tasks; of 150 sets of 500 none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, sqrt
from statistics import NormalDist

import numpy as np

from ..stats import count_distribution, critical_count, holm
from . import clues, guessing
from .balance import PARTS
from .finding import WORST, Audited, Finding, Verdict
from .measure import Floats, Item

MARGIN = 0.03
"""Above chance."""
ALPHA = 0.05
TINY = 1e-6
"""Smaller p-values are not told apart."""
LEAST = 20
"""Questions below which nothing is fitted."""
PER_KEY = 5
"""Questions for each different key, on average, that guessing a free answer takes."""


@dataclass(frozen=True, slots=True)
class Guess:
    """How the guesses went at one task."""

    points: Floats
    """Of each question: 1 right, 0 wrong, 1/n where n options are as likely; of an order the share of letters in their place."""
    chances: Floats
    """What a blind guess gets on average."""
    sure: Floats
    """How clear the guess was, to sort the questions by."""
    telling: tuple[str, ...]
    shares: bool = False
    """Are points shares, not right or wrong?"""

    @property
    def limits(self) -> Floats:
        """Of each question."""
        return np.minimum(1.0, self.chances + MARGIN)

    def p(self) -> float:
        """Probability of so many points for a guesser who gets chance + 3 points."""
        n = len(self.points)
        if self.shares:  # a shuffled order has 1 letter in place on average, with variance 1
            error = max(float(self.points.std()), float(self.chances.mean())) / sqrt(n)
            return 1 - NormalDist().cdf((float(self.points.mean()) - float(self.limits.mean())) / error)
        right = floor(float(self.points.sum()) + 1e-9)
        return min(1.0, float(count_distribution(self.limits.tolist())[right:].sum()))

    def fails_from(self) -> float:
        """The smallest mean that would fail by itself."""
        n = len(self.points)
        if self.shares:
            return float(self.limits.mean()) + NormalDist().inv_cdf(1 - ALPHA) * float(self.chances.mean()) / sqrt(n)
        return critical_count(self.limits.tolist(), ALPHA) / n

    def enough(self) -> int:
        """Questions from which on 3 points are more than the one-sided 95 % error of a mean."""
        chance = float(self.chances.mean())
        spread = chance if self.shares else sqrt(chance * (1 - chance))
        return ceil((NormalDist().inv_cdf(1 - ALPHA) * spread / MARGIN) ** 2)


Guesser = Callable[[Sequence[Item]], "Guess | str"]
"""The guesses of one task's questions, or why there are none."""


@dataclass(frozen=True, slots=True)
class Clue:
    """Something to guess from, which is a check of its own."""

    name: str
    see: Callable[[Sequence[Item]], clues.Columns | str]
    guess: Callable[[Sequence[Item], clues.Columns], Guess | str]
    mend: str
    may_be_inherent: bool = False

    def run(self, audited: Audited) -> Iterator[Finding]:
        """One finding for each task."""
        guessing.require()
        made = {task: self._made(items) for task, items in audited.tasks().items()}
        guesses = {task: found for task, found in made.items() if isinstance(found, Guess)}
        adjusted = dict(zip(guesses, holm([guess.p() for guess in guesses.values()]), strict=True))
        for task, items in audited.tasks().items():
            found = made[task]
            if isinstance(found, Guess):
                yield self._finding(task, items, found, adjusted[task], audited.inherent.get(task, ""))
            else:
                few = len(items) < LEAST
                yield Finding(self.name, task, Verdict.TOO_FEW if few else Verdict.NONE, found)

    def _made(self, items: Sequence[Item]) -> Guess | str:
        if len(items) < LEAST:
            return f"{len(items)} questions; nothing is fitted to fewer than {LEAST}"
        seen = (
            self.see(items) if self.guess is by_class or _is_lettered(items) else "free answers, which have no options"
        )
        return seen if isinstance(seen, str) else self.guess(items, seen)

    def _finding(self, task: str, items: Sequence[Item], guess: Guess, p: float, reason: str) -> Finding:
        failed = p < ALPHA
        inherent = failed and self.may_be_inherent and bool(reason)
        verdict = Verdict.INHERENT if inherent else Verdict.FAILS if failed else Verdict.OK
        measured = f"{guess.points.mean():.1%} {'in place' if guess.shares else 'right'}"
        if failed:
            measured += f" ({f'p = {p:.1g}' if p >= TINY else f'p < {TINY:g}'}) by {', '.join(guess.telling)}"
        if inherent:
            measured += f"; inherent: {reason}"
        elif not failed and len(items) < guess.enough():
            measured += f"; {len(items)} questions, 3 points show from {guess.enough()} on"
        limit = f"chance {guess.chances.mean():.1%} + 3 points; fails from {guess.fails_from():.1%}"
        worst = _clearest(items, guess) if failed else ()
        return Finding(self.name, task, verdict, measured, limit, worst, self.mend if verdict is Verdict.FAILS else "")


def _is_lettered(items: Sequence[Item]) -> bool:
    return all(item.sample.answer_type in PARTS for item in items)


def _clearest(items: Sequence[Item], guess: Guess) -> tuple[str, ...]:
    """Ids of the questions that are guessed right most clearly."""
    order = np.argsort(-guess.points * 1e6 - guess.sure, kind="stable")
    return tuple(items[i].sample.id for i in order[:WORST])


def by_option(items: Sequence[Item], columns: clues.Columns) -> Guess | str:
    """Picks the likeliest option, or sorts the options, after what each of them is like."""
    order = [_positions(item) for item in items]
    fold = np.repeat(guessing.folds(items), [len(own) for own in order])
    ordered = all(len(item.sample.answer) > 1 for item in items)
    flat = np.concatenate(order)
    ends = np.cumsum([len(own) for own in order])[:-1]
    if ordered:
        scores = np.split(guessing.place_in_order(columns, flat, fold), ends)
        return _sorted_guess(order, scores, guessing.telling(columns, flat, ordered=True))
    scores = np.split(guessing.right_option(columns, flat == 0, fold), ends)
    return _picked_guess(order, scores, guessing.telling(columns, flat == 0))


def _positions(item: Item) -> Floats:
    """Of each option: its place in the right order; for a question with one right option 0 for it, 1 for the others."""
    letters, answer = list(item.sample.choices), item.sample.answer
    if len(answer) > 1:
        return np.array([float(answer.index(letter)) for letter in letters])
    return np.array([float(letter != answer) for letter in letters])


def _picked_guess(order: Sequence[Floats], scores: Sequence[Floats], telling: tuple[str, ...]) -> Guess:
    points, sure = [], []
    for own, score in zip(order, scores, strict=True):
        best = score >= score.max() - 1e-9
        points.append(float(best[own == 0].sum()) / float(best.sum()))
        sure.append(float(score.max() - np.median(score)))
    chances = np.array([1 / len(own) for own in order])
    return Guess(np.array(points), chances, np.array(sure), telling)


def _sorted_guess(order: Sequence[Floats], scores: Sequence[Floats], telling: tuple[str, ...]) -> Guess:
    ranks = [np.argsort(np.argsort(score, kind="stable")) for score in scores]
    points = np.array([float((rank == own).mean()) for rank, own in zip(ranks, order, strict=True)])
    chances = np.array([1 / len(own) for own in order])
    return Guess(points, chances, np.array([float(score.std()) for score in scores]), telling, shares=True)


def by_class(items: Sequence[Item], columns: clues.Columns) -> Guess | str:
    """Names the key (of an order its first letter) after what the whole question is like."""
    lettered = _is_lettered(items)
    target = np.array([item.sample.answer[:1] if lettered else item.sample.answer for item in items])
    counts = Counter(target.tolist())
    if len(counts) < 2:
        return f"all {len(items)} questions have the same key"
    if len(counts) * PER_KEY > len(items):
        return f"free answers: {len(counts)} different keys in {len(items)} questions"
    said = guessing.key_class(columns, target, guessing.folds(items))
    usual = max(counts.values()) / len(items)
    chances = np.array([1 / len(item.sample.choices) if lettered else usual for item in items])
    return Guess((said == target).astype(float), chances, np.zeros(len(items)), guessing.telling(columns, target))


CLUES = (
    Clue(
        "shortcut: option texts",
        clues.option_texts,
        by_option,
        "make right and wrong options alike in length, words and place",
    ),
    Clue(
        "shortcut: question text",
        clues.question_text,
        by_class,
        "let no word and no length of the question go with a key",
    ),
    Clue(
        "shortcut: option pictures",
        clues.option_pictures,
        by_option,
        "make wrong options that differ from each other as they differ from the right one, or declare it in Benchmark.inherent_shortcuts",
        may_be_inherent=True,
    ),
    Clue(
        "shortcut: other pictures", clues.other_pictures, by_class, "let nothing that is seen at a glance go with a key"
    ),
)

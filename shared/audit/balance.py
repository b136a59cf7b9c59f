"""Balance of the keys: is each possible answer right as often as the others, in each task and level?

Pearson's chi-square test, its p-values adjusted by Holm for all tasks and levels together. Generated keys are dealt out in blocks that
hold each once, so that there the counts of a level must be equal but for one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from ..sample import Sample
from ..stats import holm
from .finding import Audited, Finding, Verdict
from .measure import Item

NAME = "balance"
LEAST_P = 0.001
LEAST_INFORMATION = 10
"""Questions squared over possible keys, from which on chi-square's distribution is near enough (Koehler & Larntz, JASA 75, 1980)."""
MOST_KEYS = 720
"""More orders than six pictures have are not counted one by one."""

Keys = Sequence[str]


@dataclass(frozen=True, slots=True)
class Part:
    """Something of a key that should be balanced."""

    name: str
    of: Callable[[str], str]
    """From the key."""
    possible: Callable[[Sample], Keys]
    whole: bool = True
    """Is it all of the key?"""


def _letters(sample: Sample) -> Keys:
    return tuple(sample.choices)


PARTS: Mapping[str, tuple[Part, ...]] = {
    "option": (Part("key", str, _letters),),
    "sequence": (
        Part("first letter", lambda key: key[0], _letters, whole=False),
        Part("order", str, lambda sample: ["".join(order) for order in permutations(sample.choices)]),
    ),
}
"""Answer type → what is counted. Other answers have no positions."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Some questions of a task, and how often each key is right."""

    part: Part
    level: str
    """"" for all of the task."""
    counts: Mapping[str, int]
    expected: Mapping[str, float]

    @property
    def n(self) -> int:
        """Questions."""
        return sum(self.counts.values())

    def tells(self) -> bool:
        """Are there enough questions?"""
        return 1 < len(self.expected) <= MOST_KEYS and self.n**2 / len(self.expected) >= LEAST_INFORMATION

    def p(self) -> float:
        """Probability of counts as uneven as these, if keys were drawn evenly."""
        from scipy.stats import chisquare

        return float(chisquare([self.counts.get(key, 0) for key in self.expected], list(self.expected.values())).pvalue)

    def apart(self) -> int:
        """The most frequent key's count less the rarest one's."""
        counts = [self.counts.get(key, 0) for key in self.expected]
        return max(counts) - min(counts)

    def told(self) -> str:
        """In words."""
        where = f"level {self.level} " if self.level else ""
        if len(self.expected) > 9:
            return f"{where}{self.part.name}: {len(self.expected)} keys, at most {self.apart()} apart"
        return f"{where}{self.part.name}: " + " ".join(f"{key} {self.counts.get(key, 0)}" for key in self.expected)


def balance(audited: Audited) -> Iterator[Finding]:
    """One finding for each task: its least even cell."""
    cells = {task: [cell for cell in _cells(items) if cell.tells()] for task, items in audited.tasks().items()}
    adjusted = iter(holm([cell.p() for own in cells.values() for cell in own]))
    for task, items in audited.tasks().items():
        scored = [(next(adjusted), cell) for cell in cells[task]]
        yield _finding(task, items, scored, audited)


def _finding(task: str, items: Sequence[Item], scored: list[tuple[float, Cell]], audited: Audited) -> Finding:
    if not all(item.sample.answer_type in PARTS for item in items):
        return Finding(NAME, task, Verdict.NONE, "free answers, which have no positions")
    if broken := [cell for cell in _cells(items) if _is_dealt(task, cell, audited) and cell.apart() > 1]:
        worst = max(broken, key=Cell.apart)
        limit = "keys of a level dealt in blocks: at most 1 apart"
        return Finding(NAME, task, Verdict.FAILS, worst.told(), limit, (), "see `shared/build.py`: slots")
    if not scored:
        return Finding(NAME, task, Verdict.TOO_FEW, f"{len(items)} questions")
    p, cell = min(scored, key=lambda pair: pair[0])
    limit = f"chi-square p >= {LEAST_P} (Holm)"
    if p < LEAST_P:
        mend = "let the generator be asked for each key as often, or shuffle the options"
        return Finding(NAME, task, Verdict.FAILS, f"{cell.told()}; p = {p:.2g}", limit, (), mend)
    return Finding(NAME, task, Verdict.OK, f"{cell.told()}; p = {p:.2g}", limit)


def _is_dealt(task: str, cell: Cell, audited: Audited) -> bool:
    """Were these keys dealt out in blocks?"""
    generator = audited.generators.get(task)
    return bool(generator and cell.level and cell.part.whole and generator.slots == len(cell.expected))


def _cells(items: Sequence[Item]) -> Iterator[Cell]:
    """All questions of a task, and those of each level."""
    samples = [item.sample for item in items]
    for part in PARTS.get(samples[0].answer_type, ()):
        for level in ("", *dict.fromkeys(sample.level for sample in samples)):
            own = [sample for sample in samples if level in ("", sample.level)]
            yield Cell(part, level, Counter(part.of(sample.answer) for sample in own), _expected(part, own))


def _expected(part: Part, samples: Sequence[Sample]) -> dict[str, float]:
    """How often each key is right on average, if all that are possible at a question are as probable."""
    expected: dict[str, float] = {}
    for letters, times in Counter(tuple(sample.choices.items()) for sample in samples).items():
        sample = next(sample for sample in samples if tuple(sample.choices.items()) == letters)
        possible = part.possible(sample)
        for key in possible:
            expected[key] = expected.get(key, 0.0) + times / len(possible)
    return dict(sorted(expected.items()))

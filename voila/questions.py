"""Questions without end: any number, all different, spread evenly over structures, subjects, actions and numbers, in constant memory.

Nothing is drawn and compared with earlier draws: the n-th question of a structure is computed from n. Subjects stand on a circle, and
so do actions; image 1 has a pair of them, images 2 and 3 lie some shifts further on (none, one under Stable and Change, two under
Distraction). A lap of 182 questions visits each pair once. A pair meets all shifts and number patterns, lap after lap, before any comes
again (`_both`); circles, orders and beginnings are shuffled by the seed. Hence

- no question comes twice: a structure has given all it has (`rules.size`) before its first would return;
- in each lap subjects and actions are shown equally often in every image, and number patterns too but for one; the 728 scenes then
  follow by chance (of 10,013 questions 24 to 61 show one, 41 in the mean, since fewer patterns have a 4);
- the n-th does not depend on how many are asked for, nor on who else makes others;
- the questions of VOILA-ND are those of VOILA-WD without distraction, as in the official sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import lcm
from random import Random
from typing import NamedTuple, TypeVar

from cogsight.shared.rng import stream

from .rules import FOLLOWS, Scene, Scenes, number_patterns, size
from .taxonomy import ACTIONS, SUBJECTS, Rule, Structure

T = TypeVar("T")

LAP = len(SUBJECTS) * len(ACTIONS)
"""Questions in which each pair of subject and action stands once in image 1."""


class Question(NamedTuple):
    """A question and its place."""

    structure: Structure
    n: int
    """Within the structure, from 0."""
    scenes: Scenes


def questions(structures: Sequence[Structure], positions: Iterable[int], seed: int) -> Iterator[Question]:
    """The questions at these positions of the endless row in which the structures take turns.

    `range(n)` gives the first n; workers may share them as they like: `range(k, n, workers)`. A structure that has given all it has
    takes no more turns. Raises ValueError at a position where nothing is left.
    """
    turns = _turns(tuple(structures))
    for position in positions:
        structure, n = _turn(turns, position)
        yield Question(structure, n, _plan(structure, seed).scenes(n))


@dataclass(frozen=True, slots=True)
class _Turns:
    """A stretch of the row in which the same structures take turns."""

    start: int
    n: int
    """Within each structure, of its first question here."""
    structures: tuple[Structure, ...]


@lru_cache(maxsize=8)
def _turns(structures: tuple[Structure, ...]) -> tuple[_Turns, ...]:
    """The stretches; each ends where a structure has no more questions. The last one, where none has, is empty."""
    found, start, n = [], 0, 0
    for end in sorted({size(structure) for structure in structures}):
        left = tuple(structure for structure in structures if size(structure) >= end)
        found.append(_Turns(start, n, left))
        start, n = start + len(left) * (end - n), end
    return (*found, _Turns(start, n, ()))


def _turn(turns: tuple[_Turns, ...], position: int) -> tuple[Structure, int]:
    stretch = next(stretch for stretch in reversed(turns) if position >= stretch.start)
    if not stretch.structures:
        raise ValueError(f"question {position}: there are {stretch.start} different ones")
    done, turn = divmod(position - stretch.start, len(stretch.structures))
    return stretch.structures[turn], stretch.n + done


@dataclass(frozen=True, slots=True)
class _Plan:
    """What the seed decides for a structure, once and for all its questions. Offsets say where a series starts."""

    name: str
    seed: int
    subjects: list[str]
    actions: list[str]
    subject_shifts: list[tuple[int, int]]
    """Of images 2 and 3 against image 1, in places of `subjects`."""
    action_shifts: list[tuple[int, int]]
    numbers: list[tuple[int, int, int]]
    subject_offsets: list[int]
    """By the place of image 1's action: subjects that share it share a shift, and with it all 14 stand in image 2 and in image 3."""
    action_offsets: list[int]
    """By the place of image 1's subject, likewise."""
    number_offsets: list[int]
    """By subject and action."""

    def scenes(self, n: int) -> Scenes:
        """The images of the n-th question."""
        lap, place = divmod(n, LAP)
        cell = _order(self.seed, self.name, lap)[place]
        subject, action = divmod(cell, len(self.actions))
        kinds, number = _both(lap, len(self.subject_shifts) * len(self.action_shifts), len(self.numbers))
        subject_shift, action_shift = _both(kinds, len(self.subject_shifts), len(self.action_shifts))
        n1, n2, n3 = _at(self.numbers, number + self.number_offsets[cell])
        s2, s3 = _at(self.subject_shifts, subject_shift + self.subject_offsets[action])
        a2, a3 = _at(self.action_shifts, action_shift + self.action_offsets[subject])
        return (
            Scene(n1, self.subjects[subject], self.actions[action]),
            Scene(n2, _at(self.subjects, subject + s2), _at(self.actions, action + a2)),
            Scene(n3, _at(self.subjects, subject + s3), _at(self.actions, action + a3)),
        )


def _both(index: int, first: int, second: int) -> tuple[int, int]:
    """One of the `first` x `second` pairs, each once while the index runs over as many.

    Either member goes on by one at each step; when they come round together, after their least common multiple, the second skips one.

    >>> [_both(index, 2, 2) for index in range(4)]
    [(0, 0), (1, 1), (0, 1), (1, 0)]
    """
    return index % first, (index + index // lcm(first, second)) % second


def _at(items: Sequence[T], index: int) -> T:
    return items[index % len(items)]


@lru_cache(maxsize=64)  # all structures of a few seeds
def _plan(structure: Structure, seed: int) -> _Plan:
    rng = stream(seed, structure.name, "plan")
    subject_shifts = _shifts(structure.subject, len(SUBJECTS))
    action_shifts = _shifts(structure.action, len(ACTIONS))
    numbers = number_patterns(structure)
    return _Plan(
        structure.name,
        seed,
        _shuffled(rng, SUBJECTS),
        _shuffled(rng, ACTIONS),
        _shuffled(rng, subject_shifts),
        _shuffled(rng, action_shifts),
        _shuffled(rng, numbers),
        _spread(rng, len(ACTIONS), len(subject_shifts)),
        _spread(rng, len(SUBJECTS), len(action_shifts)),
        _spread(rng, LAP, len(numbers)),
    )


@lru_cache(maxsize=64)
def _order(seed: int, name: str, lap: int) -> list[int]:
    """Of the pairs in a lap."""
    return _shuffled(stream(seed, name, "order", lap), range(LAP))


def _shifts(rule: Rule, count: int) -> list[tuple[int, int]]:
    """Of images 2 and 3 against image 1, on a circle of `count` values."""
    follows = FOLLOWS["subject"][rule]
    return [(two, three) for two in range(count) for three in range(count) if follows(0, two, three)]


def _shuffled(rng: Random, items: Iterable[T]) -> list[T]:
    found = list(items)
    rng.shuffle(found)
    return found


def _spread(rng: Random, count: int, places: int) -> list[int]:
    """`count` offsets at even distances over `places`, in any order."""
    return _shuffled(rng, (n * places // count for n in range(count)))

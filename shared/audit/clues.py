"""What a program that understands nothing can see of a question: the columns of numbers that `shortcuts` guesses from.

Two kinds. *Ranked* clues have a row for each option, for "which of these is it?"; numbers are taken relative to the other options of
the same question, each also as a distance from their mean, since the odd one out and the middle one are favourites of guessers.
*Classed* clues have a row for each question, for "does anything here give the key's letter away?".

How far an option picture is from the question's other pictures is left out on purpose: to compare them *is* the task.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..sample import PLACEHOLDER
from .measure import Floats, Item, Look

NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")
NGRAMS = (1, 4)
"""Lengths of the pieces of text that are counted, characters."""
MOST_NGRAMS = 2000


@dataclass(frozen=True, slots=True)
class Columns:
    """Numbers to guess from."""

    values: Floats
    """Rows x columns."""
    names: tuple[str, ...]
    texts: tuple[str, ...] = ()
    """One for each row, whose n-grams are columns too; empty where there are none."""

    def matrix(self) -> tuple[Any, tuple[str, ...]]:
        """All columns, standardised, sparse where there are n-grams, and their names."""
        spread = self.values.std(axis=0)
        dense = (self.values - self.values.mean(axis=0)) / np.where(spread > 0, spread, 1)
        if not any(text.strip() for text in self.texts):
            return dense, self.names
        from scipy.sparse import csr_matrix, hstack
        from sklearn.feature_extraction.text import TfidfVectorizer

        counter = TfidfVectorizer(analyzer="char", ngram_range=NGRAMS, max_features=MOST_NGRAMS)
        counts = counter.fit_transform(self.texts)
        return hstack([csr_matrix(dense), counts]).tocsr(), (*self.names, *map(repr, counter.get_feature_names_out()))

    def tells(self) -> bool:
        """Do any two rows differ?"""
        return bool((self.values.std(axis=0) > 0).any()) or len(set(self.texts)) > 1


Pictured = tuple[tuple[str, Callable[[Look], float]], ...]

SIGHTS: Pictured = (
    ("red", lambda look: look.mean[0]),
    ("green", lambda look: look.mean[1]),
    ("blue", lambda look: look.mean[2]),
    ("edges", lambda look: look.edges),
    ("ink", lambda look: look.ink),
    ("file size", lambda look: float(look.file_bytes)),
)
"""Of one picture."""

ODD = "odd one out"
"""Distance of an option's thumbnail from the mean of the other options' thumbnails."""


def option_texts(items: Sequence[Item]) -> Columns | str:
    """Ranked: each option's place, length, number and words. Why not, where there is nothing to rank."""
    places = max(len(item.sample.choices) for item in items)
    order = np.concatenate([np.eye(places)[: len(item.sample.choices)] for item in items])
    texts = [[_words(text) for text in item.sample.choices.values()] for item in items]
    lengths = [[float(len(text)) for text in own] for own in texts]
    values = np.hstack([order, _relative(lengths), _relative([_numbers(own) for own in texts])])
    names = (*(f"place {n}" for n in range(1, places + 1)), *_pair("length"), *_pair("number"))
    return Columns(values, names, tuple(text for own in texts for text in own))


def option_pictures(items: Sequence[Item]) -> Columns | str:
    """Ranked: each option's colour, edges, ink, file size, and how unlike the others it is."""
    if not all(item.options for item in items):
        return "no option is a picture of its own"
    columns = [_relative([[of(look) for look in item.option_looks] for item in items]) for _, of in SIGHTS]
    odd = _relative([_oddness(item.option_looks) for item in items])
    names = tuple(name for sight, _ in SIGHTS for name in _pair(sight))
    return Columns(np.hstack([*columns, odd]), (*names, *_pair(ODD)))


def question_text(items: Sequence[Item]) -> Columns | str:
    """Classed: how long question and options are, and their words."""
    texts = tuple("\n".join([item.sample.question, *item.sample.choices.values()]) for item in items)
    if len(set(texts)) == 1:
        return "all questions have the same words"
    counts = [
        [len(item.sample.question), len(text), len(NUMBER.findall(text))]
        for item, text in zip(items, texts, strict=True)
    ]
    return Columns(np.array(counts, dtype=float), ("length of the question", "length", "numbers"), texts)


def other_pictures(items: Sequence[Item]) -> Columns | str:
    """Classed: number of pictures, and size, colour, edges, ink and file size of those that are no options."""
    shared = min(len(item.other_looks) for item in items)
    if not shared:
        return "all pictures are options"
    rows = [
        [float(len(item.looks)), *(value for look in item.other_looks[:shared] for value in _whole(look))]
        for item in items
    ]
    each = ("width", "height", *(name for name, _ in SIGHTS))
    return Columns(
        np.array(rows), ("pictures", *(f"{name} of picture {n}" for n in range(1, shared + 1) for name in each))
    )


def _whole(look: Look) -> list[float]:
    return [*map(float, look.size), *(of(look) for _, of in SIGHTS)]


def _words(text: str) -> str:
    """An option's text without the name of its picture, which only says its place."""
    return PLACEHOLDER.sub("", text).strip()


def _numbers(texts: Sequence[str]) -> list[float]:
    """The first number in each option; zeros where one has none."""
    found = [NUMBER.search(text) for text in texts]
    return [float(match[0].replace(",", ".")) for match in found if match] if all(found) else [0.0] * len(texts)


def _oddness(looks: Sequence[Look]) -> list[float]:
    small = np.array([np.frombuffer(look.small, dtype=np.uint8) for look in looks], dtype=float)
    others = (small.sum(axis=0) - small) / max(1, len(small) - 1)
    return [float(value) for value in np.sqrt(((small - others) ** 2).mean(axis=1))]


def _relative(values: Sequence[Sequence[float]]) -> Floats:
    """For each row: standard deviations above the mean of its question, and how many up or down; zeros where all are equal."""
    rows = []
    for own in values:
        array = np.array(own, dtype=float)
        spread = array.std()
        rows.append((array - array.mean()) / spread if spread > 1e-9 * max(1.0, abs(array).max()) else 0 * array)
    column = np.concatenate(rows)
    return np.column_stack([column, np.abs(column)])


def _pair(name: str) -> tuple[str, str]:
    return name, f"unusual {name}"

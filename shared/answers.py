"""The kinds of answer, as one table: how each is read from data, written, compared, and extracted from a reply.

Nobody branches on a type's name: a new kind is a row here and an extractor in `extraction/`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import factorial

from .extraction import extract
from .sample import Extraction, Reply

Choices = Mapping[str, str]

SEPARATORS = re.compile(r"[\s,>-]+")
"""What a release may write between the letters of an ordering."""


@dataclass(frozen=True, slots=True)
class AnswerType:
    """All text in, text out, so that a key and an extracted value compare as strings after `parse`."""

    parse: Callable[[str, Choices], str]
    """A key as a release writes it → canonical text. Raises ValueError when it is no possible answer to these choices."""
    equal: Callable[[str, str], bool]
    """Canonical value against canonical key."""
    extract: Callable[[Reply, Choices], Extraction]
    chance: Callable[[Choices], float]
    """Probability that a blind guess is right."""


def _one_letter(text: str, choices: Choices) -> str:
    letter = text.strip()
    if letter not in choices:
        raise ValueError(f"key {text!r} is none of the options {', '.join(choices)}")
    return letter


def _all_letters_in_order(text: str, choices: Choices) -> str:
    letters = SEPARATORS.sub("", text)
    if sorted(letters) != sorted(choices):
        raise ValueError(f"key {text!r} does not name each of the options {', '.join(choices)} once")
    return letters


ANSWER_TYPES: Mapping[str, AnswerType] = {
    "option": AnswerType(
        parse=_one_letter,
        equal=str.__eq__,
        extract=lambda reply, choices: extract(reply, "option", choices),
        chance=lambda choices: 1 / len(choices),
    ),
    "sequence": AnswerType(
        parse=_all_letters_in_order,
        equal=str.__eq__,
        extract=lambda reply, choices: extract(reply, "sequence", choices),
        chance=lambda choices: 1 / factorial(len(choices)),
    ),
}
"""The name is what `Sample.answer_type` says."""

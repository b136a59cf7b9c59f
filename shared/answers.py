"""The kinds of answer, as one table: how each is read from data, written, compared, and extracted from a reply.

Nobody branches on a type's name: a new kind is a row here and an extractor in `extraction/`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .sample import Extraction, Reply

Choices = Mapping[str, str]


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

"""What is known of a kind of free answer: what its lines and sentences say, how a key is written, and how the two compare."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from ..normalise import lower, plain
from ..words import entries


class Mention(NamedTuple):
    """A part of an answer, and where it is named."""

    start: int
    end: int
    part: str


class Contradiction(Exception):
    """Parts that cannot all belong to one answer."""


Parts = Sequence[str]

NOTHING = r"(?!)"
"""Matches nowhere."""
DENIED = (
    r"(?:is|are|was|would be|seems)(?: (?:already|also|clearly|therefore))? (?:not\b|wrong|incorrect|taken|occupied|blocked|impossible|illegal)"
    r"|(?:isn't|doesn't|cannot|can't|won't|fails|loses)\b"
)


@dataclass(frozen=True, slots=True)
class Form:
    """A kind of free answer. Texts come in plain writing (`normalise.plain`); parts, values and keys are canonical texts."""

    name: str
    line: Callable[[str], Parts | None]
    """The parts in a line that is nothing but (a piece of) an answer; none of them in a header; None for any other line."""
    prose: Callable[[str], Sequence[Mention]]
    """What a sentence names, in order."""
    value: Callable[[Parts], str | None]
    """The answer that parts make, None where they make none. Raises Contradiction when they make several."""
    key: Callable[[str], str]
    """A reference text → canonical key. Raises ValueError when it has another form."""
    grade: Callable[[str, str], float | None]
    """Share of the key's sub-parts that a value has right, 1 only when it is right; None where no rule can tell."""
    write: Callable[[str], str] = str
    """A right answer to a key."""
    announce: str = NOTHING
    """Words, besides those for "answer", after which an answer of this kind is named (regular expression, lower case)."""
    after: str = NOTHING
    """Words that make what stands before them the answer."""
    unit: str = NOTHING
    """What stands on both sides of an "or" that leaves two answers open."""
    ignore: str = NOTHING
    """A clause in which something else is spoken of; ends where the mention starts."""
    denied: str = DENIED
    """What takes a mention back right after it."""
    many: bool = False
    """Whether the answer has parts that may stand in several lines."""
    only: bool = False
    """Whether what alone is named in a whole reply may be taken for the answer."""
    size: Callable[[str], int] = lambda text: 1
    """Parts of a value or key."""


def agreed(parts: Parts) -> str | None:
    """The one part that all are. Raises Contradiction."""
    if len(set(parts)) > 1:
        raise Contradiction
    return parts[0] if parts else None


def joined(pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Left → right. Raises Contradiction when a left has two rights."""
    found: dict[str, str] = {}
    for left, right in pairs:
        if found.setdefault(left, right) != right:
            raise Contradiction
    return found


def runs(tokens: Sequence[re.Match[str]], text: str, gap: re.Pattern[str]) -> Iterator[list[re.Match[str]]]:
    """Tokens in a row, with nothing but a `gap` between them."""
    row = list(tokens[:1])
    for before, token in pairwise(tokens):
        if not gap.fullmatch(text, before.end(), token.start()):
            yield row
            row = []
        row.append(token)
    if row:
        yield row


def canonical_key(line: Callable[[str], Parts | None], value: Callable[[Parts], str | None]) -> Callable[[str], str]:
    """Reads a key whose lines are nothing but the answer."""

    def key(text: str) -> str:
        parts: list[str] = []
        for row in filter(str.strip, plain(text).split("\n")):
            found = line(row)
            if found is None:
                raise ValueError(f"key {text!r}: {row.strip()!r} is no such answer")
            parts += found
        try:
            found_value = value(parts)
        except Contradiction:
            found_value = None
        if found_value is None:
            raise ValueError(f"key {text!r} makes no answer of its kind")
        return found_value

    return key


def strict(value: str, key: str) -> float | None:
    """Right or wrong."""
    return float(value == key)


NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        entries(
            "zero, one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, "
            "fourteen, fifteen, sixteen, seventeen, eighteen, nineteen, twenty"
        )
    )
}
LETTER = r"[^\W一-鿿]"
"""A character of a word; Chinese ones stand beside an answer without a blank between."""
NUMBER = rf"(?<!{LETTER})(?<!\.)(?:\d{{1,9}}(?!\.?\d|{LETTER}|[%°])|(?:{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))})(?!{LETTER}))"
"""A whole number in digits or as a word, in lower case, that stands alone."""


def number(text: str) -> str:
    """Its digits, without zeros in front.

    >>> number("Seven"), number("07")
    ('7', '7')
    """
    small = lower(text)
    return NUMBER_WORDS.get(small) or str(int(small))

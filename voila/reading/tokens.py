"""From a reply to tokens: what each phrase is, image labels set apart, everything else as words and marks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from cogsight.shared.extraction.normalise import lower, plain

from .lexicon import LEXICON, Entry, Kind

IMAGE_NOUN = "image|picture|photograph|photo|img|panel|figure|frame|imagen|bild"
ORDINALS = {
    1: "first|1st|left|leftmost|one|1|a",
    2: "second|2nd|middle|center|centre|central|two|2|b",
    3: "third|3rd|right|rightmost|three|3|c",
    4: "fourth|4th|final|missing|four|4|d",
}
IMAGE_OF = {word: number for number, words in ORDINALS.items() for word in words.split("|")}
SHOWS = "shows?|depicts?|features?|contains?|displays?|portrays?|illustrates?|presents?|has|have|will|would|should|must|could|can|might"
LONGEST = 400
"""Tokens of a sentence: some of what is done with it takes the square of its length."""
SEVERAL = 0
"""The value of a label that names several images, or none of the four."""

_ORDER = "first|1st|second|2nd|third|3rd|fourth|4th"
_PLACE = "left|leftmost|middle|center|centre|central|right|rightmost"
LABEL = re.compile(
    rf"\b(?:the )?(?:{IMAGE_NOUN})s (?:\d|one)(?:(?: ?(?:[,&-]|and\b|to\b)){{1,2}} ?(?:\d|two|three)\b)+"
    rf"|\b(?:{IMAGE_NOUN})\s?(?:no\.?|number|:)?\s{{0,2}}[#(]?\s?(?P<number>\d+(?=\s?,)|(?<!:)(?<!: )(?:\d+|one|two|three|four)\b|[abcd](?=\s?[:)]))"
    rf"|\b(?:the )?(?P<ordinal>{_ORDER}|{_PLACE}|final|missing)[ -](?:one|{IMAGE_NOUN})\b"
    rf"|\b(?:{IMAGE_NOUN}) (?:on|in|at) the (?P<place>{_PLACE})\b"
    rf"|\bthe (?P<thing>{_ORDER})(?= (?:{SHOWS})\b)|\bin the (?P<within>{_ORDER})(?=\s?,)"
    rf"|(?:^|(?<=[\n.;>]))[ (]*(?P<side>{_PLACE}|first|second|third)\s?(?=:)",
)
"""How an image is named. An "image : 1" is only one before a comma, as in JSON: "Image : 2 foxes" tells what an image shows."""

_WORD = re.compile(r"(?<![\w)])-\d+|\d+(?:\.\d+)?|[^\W\d_]+(?:'[a-z]+)?|\n|[^\s\w]")
_JOINED = re.compile(r"(?<=[a-z])-(?=[a-z])")
_ARROW = re.compile(r"[-=]{1,3}>")


class Token(NamedTuple):
    """A phrase, and where it stands."""

    kind: Kind
    text: str
    value: Any
    plural: bool
    start: int
    end: int


def plainly(text: str) -> str:
    """A reply in plain writing and lower case, of the same length; a hyphen within a word is a blank."""
    small = _JOINED.sub(" ", lower(plain(text)))
    return _ARROW.sub(lambda arrow: ">".rjust(len(arrow[0])), small) if ">" in small else small


def scan(small: str, offset: int = 0) -> list[Token]:
    """The tokens of a text that is plainly written; places are counted from `offset`."""
    found: list[Token] = []
    position = 0
    for label in LABEL.finditer(small):
        found += _scan(small, position, label.start(), offset)
        found.append(Token(Kind.IMAGE, label[0], image_of(label), False, offset + label.start(), offset + label.end()))
        position = label.end()
    found += _scan(small, position, len(small), offset)
    return found


def image_of(label: re.Match[str]) -> int:
    """Number of the image that a label names."""
    name = next((group for group in label.groups() if group), "")
    return IMAGE_OF.get(name, SEVERAL)


def _scan(small: str, start: int, end: int, offset: int) -> list[Token]:
    words = list(_WORD.finditer(small, start, end))
    texts = [word[0] for word in words]
    found = []
    n = 0
    while n < len(texts):
        text = texts[n]
        entry = _longest(texts, n) if text in LEXICON else _UNKNOWN.get(text[0]) or _unknown(text)
        size = len(entry.words)
        last = words[n + size - 1] if size > 1 else words[n]
        if size > 1:
            text = " ".join(entry.words)
        found.append(Token(entry.kind, text, entry.value, entry.plural, offset + words[n].start(), offset + last.end()))
        n += size
    return found


def _longest(texts: Sequence[str], n: int) -> Entry:
    """The longest known phrase that begins there."""
    for entry in LEXICON[texts[n]]:
        if len(entry.words) == 1 or tuple(texts[n : n + len(entry.words)]) == entry.words:
            return entry
    return _unknown(texts[n])


def _unknown(text: str) -> Entry:
    """A numeral, a word or a mark."""
    if text[-1].isdecimal():
        return Entry((text,), Kind.NUMBER, _number(text))
    return _WORD_ENTRY if text[0].isalpha() else _MARK_ENTRY


_WORD_ENTRY, _MARK_ENTRY = Entry(("",), Kind.WORD), Entry(("",), Kind.MARK)
_UNKNOWN = dict.fromkeys("abcdefghijklmnopqrstuvwxyz", _WORD_ENTRY) | dict.fromkeys(",.:;()\n|=>", _MARK_ENTRY)
"""By the first character, for most."""


def _number(text: str) -> int | float:
    """Long ones are all alike: not what an image shows."""
    return float(text) if "." in text or len(text) > 6 else int(text)


def sentences(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Cut at full stops, line ends and semicolons, and where one would be endless; empty ones are left out."""
    own: list[Token] = []
    for token in tokens:
        ends = token.kind is Kind.MARK and token.text in ".\n;!?"
        if own and (ends or len(own) == LONGEST):
            yield own
            own = []
        if not ends:
            own.append(token)
    if own:
        yield own

"""What can be named in answer to one question: its letters and its option texts, compiled once per set of choices."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ..sample import PLACEHOLDER
from .normalise import lower, plain
from .words import GLUE

ARTICLE = re.compile(r"^(?:the|a|an) ")
DEGREES = re.compile(r"\s?(?:°|degrees?\b)")
BARE_WORDS = frozenset(
    "yes no true false none all both same left right up down top bottom one two three it is in on".split()
)
"""Option texts that are also ordinary words, like numbers: they count only where the answer is declared."""


class Mention(NamedTuple):
    """One or several options named in one breath."""

    start: int
    end: int
    letters: str
    """Each once, in order; may be no option of the question at all."""
    by_text: bool = False
    first_end: int = 0
    """Where the first of several letters ends."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The options of one question."""

    letters: str
    texts: re.Pattern[str] | None
    """Group n is the text of `text_letters[n - 1]`; longest first. None when no option has a text that can be told."""
    text_letters: str
    common: frozenset[str]
    """Letters of options whose text is a number or an ordinary word."""

    def mention(self, found: re.Match[str]) -> Mention:
        """A match of `texts` as a mention."""
        return Mention(found.start(), found.end(), self.text_letters[(found.lastindex or 1) - 1], by_text=True)


@lru_cache(maxsize=1024)
def _lexicon(options: tuple[tuple[str, str], ...]) -> Lexicon:
    texts = {letter: ARTICLE.sub("", " ".join(lower(plain(text)).split()).strip(" .,;:!")) for letter, text in options}
    told = [letter for letter, text in texts.items() if list(texts.values()).count(text) == 1 and _tellable(text)]
    told.sort(key=lambda letter: -len(texts[letter]))
    pattern = re.compile("|".join(f"({_loosely(texts[letter])})" for letter in told)) if told else None
    common = frozenset(
        letter for letter in told if texts[letter] in BARE_WORDS or re.fullmatch(r"[\d.,/ -]+", texts[letter])
    )
    return Lexicon("".join(texts), pattern, "".join(told), common)


def lexicon(choices: Mapping[str, str]) -> Lexicon:
    """The compiled options; the mapping is only read."""
    return _lexicon(tuple(choices.items()))


def _tellable(text: str) -> bool:
    return len(text) > 1 or text.isdigit()


def _loosely(text: str) -> str:
    """A pattern for the text: blanks and hyphens alike, "°" as "degrees", "<image 4>" as "Image 4"."""
    if image := PLACEHOLDER.fullmatch(text):
        return rf"(?:<\s?)?image[\s_]{{0,3}}0?{image[1]}(?!\d)\s?>?"
    text = DEGREES.sub("°", text)
    pattern = (
        re.escape(text)
        .replace(r"\ ", r"[\s-]{1,3}")
        .replace(r"\-", r"[\s-]{0,3}")
        .replace("°", r"[\s-]?(?:°|degrees?|deg)")
    )
    pattern = re.sub(r"(counter|anti)(?=[a-z])", r"\1[\\s-]?", pattern)
    end = rf"(?![{GLUE}])" if re.match(f"[{GLUE}]", text[-1]) else ""
    return pattern + end + (r"(?![.,]\d)" if text[-1].isdigit() else "")

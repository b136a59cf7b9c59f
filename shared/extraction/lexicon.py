"""What can be named in answer to one question: its letters and its option texts, compiled once per set of choices."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ..sample import PLACEHOLDER
from .normalise import lower, plain
from .words import GLUE, entries

ARTICLE = re.compile(r"^(?:the|an?) ")
DEGREES = re.compile(r"[\s-]{0,12}(?:°|degrees?\b|deg\b)")
SEPARATORS = re.compile(r"[\s_-]+")
NUMBER = re.compile(r"[\d.,/ -]+")
COMMON = frozenset(
    [
        "yes",
        "no",
        "true",
        "false",
        "none",
        "all",
        "both",
        "same",
        "left",
        "right",
        "up",
        "down",
        "top",
        "bottom",
        "front",
        "back",
        "one",
        "two",
        "three",
        "four",
        "it",
        "is",
        "in",
        "on",
    ]
)
"""Option texts that are also ordinary words, like numbers: they count only where the answer is declared."""


PLACE_WORDS = frozenset(
    entries(
        "left, right, upper, lower, top, bottom, front, back, middle, center, centre, corner, side, up, down, the, of"
    )
)


class Mention(NamedTuple):
    """One or several options named in one breath."""

    start: int
    end: int
    letters: str
    """Each once, in order; may be no option of the question at all."""
    by_text: bool = False
    first_end: int = 0
    """Where the first of several letters ends."""
    own: Mention | None = None
    """The option text that stands beside a letter, its own or another's: "B: the blue arrow"."""

    @property
    def named_end(self) -> int:
        """Where the mention ends, with the text beside it."""
        return self.own.end if self.own else self.end


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The options of one question."""

    letters: str
    texts: re.Pattern[str] | None
    """Matches the option texts that can be told from each other, longest first; None when there are none."""
    by_text: Mapping[str, str]
    """Text, and text without separators (`_key`) → letter."""
    common: frozenset[str]
    """Letters of options whose text is a number or an ordinary word."""
    places: frozenset[str]
    """Letters of options whose text tells a place: "upper left"."""
    nested: frozenset[str]
    """Letters of options whose text is a part of another's."""
    pictures: Mapping[str, str]
    """Number of the picture → letter, for options that are pictures."""

    def mention(self, found: re.Match[str]) -> Mention:
        """A match of `texts` as a mention."""
        letter = self.by_text.get(found[0]) or self.by_text[_key(found[0])]
        return Mention(found.start(), found.end(), letter, by_text=True)


def lexicon(choices: Mapping[str, str]) -> Lexicon:
    """The compiled options; the mapping is only read."""
    return _lexicon(tuple(choices.items()))


@lru_cache(maxsize=1024)
def _lexicon(options: tuple[tuple[str, str], ...]) -> Lexicon:
    texts = {letter: _bare(text) for letter, text in options}
    times = Counter(map(_key, texts.values()))
    told = {
        letter: text for letter, text in texts.items() if times[_key(text)] == 1 and (len(text) > 1 or text.isdigit())
    }
    patterns = [_loosely(text) for text in sorted(told.values(), key=len, reverse=True)]
    return Lexicon(
        "".join(texts),
        re.compile("|".join(patterns)) if patterns else None,
        {name: letter for letter, text in told.items() for name in (text, _key(text))},
        frozenset(letter for letter, text in told.items() if text in COMMON or NUMBER.fullmatch(text)),
        frozenset(letter for letter, text in told.items() if set(re.findall(r"\w+", text)) <= PLACE_WORDS),
        frozenset(one for one, text in told.items() for two, longer in told.items() if one != two and text in longer),
        {image[1]: letter for letter, text in told.items() if (image := PLACEHOLDER.fullmatch(f"<{text}>"))},
    )


def _bare(text: str) -> str:
    """A text in small letters without article, final stop and doubled blanks."""
    return ARTICLE.sub("", " ".join(lower(plain(text)).split()).strip(" .,;:!"))


def _key(text: str) -> str:
    return SEPARATORS.sub("", DEGREES.sub("°", text))


def _loosely(text: str) -> str:
    """A pattern for the text: blanks and hyphens alike, "°" as "degrees", "<image 4>" as "Image 4"."""
    if image := PLACEHOLDER.fullmatch(f"<{text}>"):
        return rf"image[\s_-]{{0,3}}{image[1]}(?!\d)"
    pattern = re.escape(DEGREES.sub("°", text)).replace(r"\ ", r"[\s-]{1,3}").replace(r"\-", r"[\s-]{0,3}")
    pattern = re.sub("(counter|anti)(?=[a-z])", r"\1[\\s-]?", pattern.replace("°", r"[\s-]{0,12}(?:°|degrees?|deg)"))
    end = rf"(?![{GLUE}])" if re.match(f"[{GLUE}]", text[-1]) else ""
    return pattern + end + (r"(?![.,]\d|%)" if text[-1].isdigit() else "")

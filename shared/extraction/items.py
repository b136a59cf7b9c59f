"""One option inside an ordering, and the letters of a text's options."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from .lexicon import Lexicon
from .mentions import texts
from .words import GLUE

PRIVATE, FILLER = 0xE000, "\ue000"
"""An option's text is replaced by a private character of its letter and fillers, so that "<image 5>" reads as the letter B."""
BY_TEXT = r"\ue041-\ue05a"

_PRONOUN = r"(?:(?<!I)|(?! +(?!(?:then|and|next|finally|before|is|to) )[a-z]))"
_OWN_TEXT = rf"(?:[.:)]? {{0,2}}\(? ?{FILLER}+ ?\)?)?"
ITEM = rf"[A-Z{BY_TEXT}](?:(?<=[A-Z])(?<![{GLUE}].)(?![{GLUE}]|'[a-z]|-[a-z]){_PRONOUN}{_OWN_TEXT}|(?<=[{BY_TEXT}]){FILLER}*)"
"""A letter that stands alone, with its own text behind it or not, or an option's text."""
ITEMS = re.compile(ITEM)


NUMBER = re.compile(r"\d+")
NUMBERS = re.compile(
    r"\d{1,2}(?<![\w.]\d)(?<![\w.]\d\d)(?: {0,3}(?:,|-*>| and | then )[ ,]{0,3}(?:and )?\d{1,2}){1,9}(?!\.?\w)"
)
"""Picture numbers in a row."""
IMAGES_BEFORE = re.compile(r"[Ii]mages? {1,3}$")


class Candidate(NamedTuple):
    """Letters in some order, a permutation or not."""

    start: int
    end: int
    letters: str
    firm: bool = True
    """Whether the order may be read without an announcement; small letters may not."""


def with_letters(text: str, small: str, lexicon: Lexicon) -> str:
    """The plain text with each option's text replaced by its letter; a text right behind its own letter is dropped."""
    parts, position = [], 0
    for mention in texts(small, lexicon):
        before = text[position : mention.start]
        repeated = before.rstrip(" .:()")[-1:] == mention.letters
        parts += [before, FILLER if repeated else chr(PRIVATE + ord(mention.letters))]
        bracketed = re.compile(rf" {{0,3}}\({mention.letters}\)").match(text, mention.end)
        position = bracketed.end() if bracketed else mention.end
        parts.append(FILLER * (position - mention.start - 1))
    lettered = "".join(parts) + text[position:] if parts else text
    return (
        with_picture_numbers(lettered, lexicon.pictures)
        if len(lexicon.pictures) > 1 and NUMBER.search(text)
        else lettered
    )


def with_picture_numbers(text: str, pictures: Mapping[str, str]) -> str:
    """The text with letters for the numbers of all option pictures in a row: "5, 4, 7, 6" or "images 5, 4, 7 and 6".

    Where the pictures are numbered from 1, only behind "images": "2, 1, 4, 3" may as well tell the place of each option.
    """
    places = {str(n) for n in range(1, len(pictures) + 1)} == set(pictures)

    def lettered(row: re.Match[str]) -> str:
        numbers = NUMBER.findall(row[0])
        if sorted(numbers) != sorted(pictures) or (
            places and not IMAGES_BEFORE.search(text[max(0, row.start() - 9) : row.start()])
        ):
            return row[0]
        return NUMBER.sub(
            lambda number: chr(PRIVATE + ord(pictures[number[0]])) + FILLER * (len(number[0]) - 1), row[0]
        )

    return NUMBERS.sub(lettered, text)


def letter_of(item: str) -> str:
    """The letter of a match of `ITEM`."""
    return chr(ord(item[0]) - PRIVATE) if item[0] > FILLER else item[0]

"""Finding where options are named in a text, by letter ("B", "A or C") or by their text ("the blue arrow")."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from .lexicon import Lexicon, Mention
from .words import GLUE, JOINS, entries

VERBS = entries("""
is, are, was, were, be, has, have, had, does, do, can, cannot, can't, could, will, would, should, must, may, might, isn't, aren't
doesn't, don't, won't, and, or, but, because, since, as, if, when, while, than, vs, not, nor, so, it, then, that, which
shows, show, matches, fits, works, looks, seems, appears, contains, depicts, represents, corresponds, points, remains
satisfies, rotated, flipped, mirrored, turned, reversed, follows, comes, goes, wins, ist, hat, und, oder, weil, est, et, ou, car, parce, es, y, o, porque, é, e, è, in, on, at, for, with, from, by, to, over, under, again, alone, here, instead, rather
""")
"""Small words before which a capital A is the option and not the article; before any other it is "A blue arrow"."""
I_VERBS = entries("is, isn't, because, since, or, matches, shows, fits")

WORD = rf"(?![{GLUE}])"
OUTSIDE = rf"(?<![{GLUE}°].)(?<![{GLUE}][.'].)(?<!\d-.)"
"""Looks back over the letter just read: it does not end a word, "U.S.A" or "3-D"."""
ALONE = r"(?!'(?![dt][ıiuü]r)[a-zà-ÿ]|-[a-zà-ÿ\d]|\+\+|#)"
OPTION_A = rf"(?! +(?!(?:{'|'.join(VERBS)}){WORD})[a-zà-ÿ])"
OPTION_I = rf"(?! +(?!(?:{'|'.join(I_VERBS)}){WORD})[a-zà-ÿ])"
SMALL = (
    rf"(?=\s*(?:[.,;:!?)/\n]|$)|(?<![ai]) +(?:because|since|as|and)\b|(?<!i) +is\b| +(?:or|and) [a-j]{WORD})(?!\.[a-z])"
)
LETTER = re.compile(
    rf"[A-Za-j]{OUTSIDE}(?:{WORD}{ALONE}(?:(?<=[B-HJ-Z])|(?<=A){OPTION_A}|(?<=I){OPTION_I}|(?<=[a-j]){SMALL})|(?<=[A-J])[A-J]{{1,9}}{WORD})"
)
"""A letter that stands alone, or capitals written together."""

NOUN = r"(?:(?:[Oo]ption|[Cc]hoice|[Ii]mage|[Ll]etter|[Aa]nswer) )?"
_SPACED = "|".join(word for word in entries(JOINS) if re.match(f"[{GLUE}]", word))
_UNSPACED = "|".join(word for word in entries(JOINS) if not re.match(f"[{GLUE}]", word))
JOINER = re.compile(
    rf"\)?\s{{0,9}}\(?(?:\s{{0,9}}(?:[,;/&+|-]|(?<![{GLUE}])(?:{_SPACED}){WORD}|{_UNSPACED})){{1,3}}\s{{0,9}}{NOUN}\(?| *\) *\( *| {{1,3}}"
)
GAP = 32
"""No joiner is longer."""


PART_OF_MORE = re.compile(rf"(?:[{GLUE}][-']?|\d[.,]|(?:^|[\s(])-|counter |anti )$")
"""What makes an option's text part of a longer word or number before it: "anti-clockwise", "5.5"."""


def letters_from_the_end(text: str, patience: int, announced: Callable[[int], bool]) -> Iterator[Mention]:
    """Mentions by letter in plain text, last first; letters that are joined make one mention.

    Before the last `patience` mentions only those that something announces.
    """
    spans = [found.span() for found in LETTER.finditer(text)]
    count = 0
    while spans:
        start, end = spans.pop()
        if count >= patience and not announced(start):
            continue
        first = end
        found = [text[start:end]]
        while spans and start - spans[-1][1] <= GAP and JOINER.fullmatch(text, spans[-1][1], start):
            start, first = spans.pop()
            found.append(text[start:first])
        count += 1
        yield Mention(start, end, _distinct(found), first_end=first)


def texts(small: str, lexicon: Lexicon) -> list[Mention]:
    """Every place where an option's text stands, in plain lower-case text."""
    if lexicon.texts is None:
        return []
    return [
        lexicon.mention(found)
        for found in lexicon.texts.finditer(small)
        if not PART_OF_MORE.search(small[max(0, found.start() - 9) : found.start()])
    ]


def _distinct(found: list[str]) -> str:
    """The letters in order, each once; capitals written together stay as they are, so that "AA" does not read as "A"."""
    return found[0].upper() if len(found) == 1 else "".join(dict.fromkeys("".join(reversed(found)).upper()))

"""Numbers in order ("3, 5, 7"), and one number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

from ..normalise import lower
from .form import NUMBER, Form, Mention, Parts, agreed, canonical_key, number, runs, strict

TOKEN = re.compile(NUMBER)
GAP = re.compile(r"[\s,;|/&>()'-]{0,6}(?:\b(?:and|then|to|finally)\b[\s,>-]{0,3}){0,2}")
"""Between two numbers of a row."""
LABEL = re.compile(
    r"\W*(?:(?:the|my|final|correct|shortest|all|encountered|in|order|on|path|so"
    r"|first|second|third|fourth|fifth|sixth|seventh|eighth|next|last)\s+)*"
    r"(?:answers?|final|digits?|numbers?|sequence|order|path|route|result)\b[^\d:=\n]{0,40}[:=]"
)
"""What may stand before the numbers in a line of their own."""
NUMBERED = re.compile(r"\W*(\d{1,2})[.)]\s+(?=\S)")
"""How an item of a list begins."""
WORDS = re.compile(r"\w")


def _rows(text: str) -> list[Mention]:
    small = lower(text)
    return [
        Mention(row[0].start(), row[-1].end(), " ".join(number(token[0]) for token in row))
        for row in runs(list(TOKEN.finditer(small)), small, GAP)
    ]


def _line(text: str) -> Parts | None:
    small = lower(text)
    label = LABEL.match(small)
    rest = small[label.end() :] if label else small
    if not WORDS.search(rest):
        return () if label else None
    found = _rows(rest)
    if len(found) == 1 and not WORDS.search(rest[: found[0].start] + rest[found[0].end :]):
        return (found[0].part,)
    item = NUMBERED.match(rest)
    return _line(rest[item.end() :]) if item else None


def _in_order(parts: Parts) -> str | None:
    """Rows that are all alike are one answer; single numbers, one a line, make a row."""
    if len(parts) > 1 and all(" " not in part for part in parts):
        return " ".join(parts)
    return agreed(parts)


def _grade(value: str, key: str) -> float:
    """Numbers written together ("357") are digits where the other side has single digits."""
    ours, theirs = value.split(), key.split()
    if len(ours) == 1 != len(theirs) and _single(theirs):
        ours = list(ours[0])
    elif len(theirs) == 1 != len(ours) and _single(ours):
        theirs = list(theirs[0])
    elif len(ours) == len(theirs) == 1:
        ours, theirs = list(ours[0]), list(theirs[0])
    same = sum(a == b for a, b in zip_longest(ours, theirs))
    return float(same / max(len(ours), len(theirs)))


def _single(tokens: Sequence[str]) -> bool:
    return all(len(token) == 1 for token in tokens)


NUMBERS = Form(
    name="numbers",
    line=_line,
    prose=_rows,
    value=_in_order,
    key=canonical_key(_line, _in_order),
    grade=_grade,
    write=lambda key: ", ".join(key.split()),
    announce=r"\b(?:digits?|numbers?|sequence|order|path|route)\b[^.:\n\d]{0,80}(?:\b(?:is|are)\b|[:=])(?!\s{0,3}(?:from|via))"
    r"|(?<!第.个)数字[^\n:\d]{0,12}[:是为]",
    after=r"(?:is|are) the (?:digits|numbers|sequence|answer|correct)",
    unit=NUMBER,
    size=lambda text: min(2, len(text.split())),  # one number may be the first of several
)


def _one_line(text: str) -> Parts | None:
    found = _line(text)
    return found if found is None or all(" " not in part for part in found) else None


def _singles(text: str) -> list[Mention]:
    small = lower(text)
    return [Mention(*token.span(), number(token[0])) for token in TOKEN.finditer(small)]


ONE_NUMBER = Form(
    name="number",
    line=_one_line,
    prose=_singles,
    value=agreed,
    key=canonical_key(_one_line, agreed),
    grade=strict,
    announce=r"=|\b(?:total(?: of)?|there (?:are|would be|will be|is)|makes|gives|equals?|results? in|counts?)\b[^\S\n]{0,3}:?",
    unit=NUMBER,
    only=True,
)

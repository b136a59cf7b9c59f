"""How many there are of each of several kinds: "5 chairs and 3 pots", "chairs: 5, pots: 3", "5, 3"."""

from __future__ import annotations

import re
from itertools import permutations

from ..normalise import lower
from ..words import entries
from .form import DENIED, NUMBER, NUMBER_WORDS, Contradiction, Form, Mention, Parts, canonical_key, joined, number
from .numbers import NUMBERS

NOUN = r"[^\W\d_]+(?:[ '-][^\W\d_]+){0,3}?"
NAMED = re.compile(
    rf"(?P<name>{NOUN})\)?\s?(?:\((?:[^()\n]{{0,30}})\)\s?)?[:=|>-]+\s{{0,9}}(?P<n>{NUMBER})(?=\s*(?:[,;|.()&\n]|and\b|{NOUN}\s?[:=]|$))"
)
COUNTED = re.compile(
    rf"(?P<n>{NUMBER})\s{{1,9}}(?P<name>{NOUN})(?=\s*(?:[,;:.!?()|&\n]|$|\b(?:and|in|are|were|across|visible|total|altogether|shown|throughout|on|here|or)\b))"
)
REMARK = re.compile(r"\([^()\n]{0,120}\)")
ADJECTIVES = frozenset(
    entries(
        "different, unique, distinct, separate, individual, total, number, of, the, a, an, count, counts, "
        "there, are, in, all, overall, final, answer, and, so, is, distinctive, various, actual, real, "
        "deduplicated, image, picture, room"
    )
)
FILLER = ADJECTIVES | frozenset(
    entries("we, have, i, counted, count, category, object, type, quantity, item, items, kind")
)
NO_KIND = frozenset(
    entries("picture, image, photo, view, step, page, room, cell, row, column, total, item, object, thing")
)
"""What is counted or numbered on the way."""
NO_NAME = frozenset(NUMBER_WORDS) | {"or", "and"}
"""Words that end a name."""


def _stem(name: str) -> str:
    """The words that tell the kind, in the singular."""
    words = [word for word in re.findall(r"[^\W\d_]+", lower(name)) if word not in ADJECTIVES]
    return " ".join(map(_singular, words))


def _singular(word: str) -> str:
    for plural, singular in (
        ("shelves", "shelf"),
        ("people", "person"),
        ("ies", "y"),
        ("sses", "ss"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("xes", "x"),
    ):
        if word.endswith(plural):
            return word[: -len(plural)] + singular
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _prose(text: str) -> list[Mention]:
    small = lower(text)
    found, taken = [], 0
    for match in sorted((*NAMED.finditer(small), *COUNTED.finditer(small)), key=re.Match.start):
        kind = _stem(match["name"])
        words = kind.split()
        if words and words[-1] not in NO_KIND and NO_NAME.isdisjoint(words) and match.start() >= taken:
            found.append(Mention(*match.span(), f"{kind}: {number(match['n'])}"))
            taken = match.end()
    return found


def _line(text: str) -> Parts | None:
    small = lower(text)
    found = _prose(text)
    rest = list(small)
    for mention in found:
        rest[mention.start : mention.end] = " " * (mention.end - mention.start)
    beside = set(re.findall(r"\w+", REMARK.sub("", "".join(rest))))
    if found:
        return [mention.part for mention in found] if beside <= FILLER else None
    if "|" in text and not re.search(r"\d", text):
        return ()
    bare = NUMBERS.line(text)
    return bare and [part.replace(" ", ", ") for part in bare]


def _value(parts: Parts) -> str | None:
    named = [(kind, count) for kind, _, count in (part.rpartition(": ") for part in parts) if kind]
    bare = [part for part in parts if ": " not in part]
    if named and not bare:
        return ", ".join(f"{kind}: {count}" for kind, count in joined(named).items())
    if named:
        raise Contradiction
    if len(bare) > 1 and any("," in part for part in bare):
        raise Contradiction
    return ", ".join(bare) or None


def _pairs(text: str) -> list[tuple[str, str]]:
    return [(kind, count) for kind, _, count in (part.rpartition(": ") for part in text.split(", "))]


def _grade(value: str, key: str) -> float | None:
    """By names where both sides have them, by order where neither, or the value alone, has none."""
    ours, theirs = _pairs(value), _pairs(key)
    if not any(kind for kind, _ in ours):
        shared = zip(ours, theirs, strict=False)
        return sum(a == b for (_, a), (_, b) in shared) / max(len(ours), len(theirs))
    if not any(kind for kind, _ in theirs) or len(ours) < len(theirs):
        return None
    matches = [
        chosen
        for chosen in permutations(ours[:MOST], len(theirs))
        if all(_same(a, b) for (a, _), (b, _) in zip(chosen, theirs, strict=True))
    ]
    if not matches:
        return None
    exact = [
        chosen for chosen in matches if all(a == b for (a, _), (b, _) in zip(chosen, theirs, strict=True))
    ] or matches
    return (
        sum(a == b for (_, a), (_, b) in zip(exact[0], theirs, strict=True)) / len(theirs) if len(exact) == 1 else None
    )


def _same(one: str, other: str) -> bool:
    """Whether two names may mean the same kind: the words of one are among those of the other."""
    ours, theirs = set(one.split()), set(other.split())
    return ours <= theirs or theirs <= ours


MOST = 6
"""Kinds of a reply that are compared."""

COUNTS = Form(
    name="counts",
    line=_line,
    prose=_prose,
    value=_value,
    key=canonical_key(_line, _value),
    grade=_grade,
    announce=r"\b(?:in total|total|altogether|overall|there (?:are|were|is)|counts?|(?:we|i) (?:can )?(?:have|get|see|count(?:ed)?|find|found)|combined|unique)\b[^\S\n]{0,3}(?:is|are|there are)?[^\S\n]{0,3}[:,]?",
    unit=NUMBER,
    ignore=r"\b(?:picture|image|photo|view|first|second|third|fourth) ?\w*\b|\beach\b|\bif\b",
    denied=rf"{DENIED}|in (?:the )?(?:first|second|third|fourth|last|left|right|next|other|same|picture|image|photo|view)\b",
    many=True,
    size=lambda text: len(text.split(", ")),
)

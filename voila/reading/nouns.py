"""The nouns of a text: of what kind, with what number and what their adjectives say of age and gender ("a group of four elderly men")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from . import vocabulary
from .claims import ELSE, UNREAD, Claim
from .lexicon import OTHER, Kind
from .tokens import Token

NOUNS = frozenset({Kind.ANIMAL, Kind.PERSON, Kind.GENDER, Kind.AGE, Kind.THING, Kind.TOPIC})
REACH = 9
"""Tokens before a noun in which its number is looked for."""
TRANSPARENT = frozenset(
    ["of", "the", "these", "those", "his", "her", "their", "its", "this", ",", "(", ")", "|", "-", "&"]
)
"""May stand between a number and its noun."""
STOPPERS = frozenset(
    [
        "in",
        "on",
        "at",
        "with",
        "by",
        "to",
        "from",
        "for",
        "near",
        "beside",
        "behind",
        "under",
        "over",
        "into",
        "and",
        "or",
        "while",
        "who",
        "which",
        "that",
        "as",
        "is",
        "are",
        "was",
        "were",
        "be",
        "being",
        "has",
        "have",
        "had",
        "having",
        "there",
        "they",
        "it",
        "he",
        "she",
        "we",
        "i",
        "you",
        "where",
        "when",
        "then",
        "than",
        "like",
        "his",
        "her",
        "their",
        "its",
        "shows",
        "show",
        "depicts",
        "features",
        "contains",
        "both",
        "all",
        "wearing",
        "holding",
        "another",
        "other",
    ]
)
"""Words before which another phrase ends."""
APPOSED = frozenset(
    ["(", ")", ",", "all", "of", "them", "whom", "which", "who", "are", "is", "being", "both", "-", ":", "either"]
)
"""Between a person and what more is said of him: "three senior citizens, all men"."""


class Noun(NamedTuple):
    """A noun with what belongs to it, from token `start` to before `end`."""

    subject: str | None
    """None for a thing of no kind."""
    number: Claim
    start: int
    end: int
    person: tuple[str, str] | None = None
    """(Gender, age)."""
    singular: bool = False


def nouns_of(tokens: Sequence[Token]) -> Iterator[Noun]:
    """All of them; an apposition is part of its noun."""
    waiting: Noun | None = None
    for n, token in enumerate(tokens):
        noun = _noun(tokens, n, token) if token.kind in NOUNS else None
        if noun is None:
            continue
        if waiting and noun.person and _completes(tokens, waiting, noun):
            gender, age = waiting.person or ("", "")
            person = noun.person[0] or gender, age or noun.person[1]
            noun = Noun(_kind(person), waiting.number or noun.number, waiting.start, noun.end, person)
        elif waiting:
            yield waiting
        waiting = noun
    if waiting:
        yield waiting


def _completes(tokens: Sequence[Token], one: Noun, two: Noun) -> bool:
    if not one.person or one.subject != OTHER:
        return False
    return all(token.text in APPOSED for token in tokens[one.end : max(one.end, two.start)])


def _noun(tokens: Sequence[Token], n: int, token: Token) -> Noun | None:
    """The noun at this place, if there is one."""
    kind = token.kind
    if kind is Kind.ANIMAL and not token.plural and [other.text for other in tokens[n + 1 : n + 2]] == ["like"]:
        return None  # "a wolf-like dog"
    if kind is Kind.ANIMAL:
        number, start, _ = _before(tokens, n)
        return Noun(token.value, number or _after(tokens, n), start, n + 1, singular=not token.plural)
    if kind is Kind.THING or (kind is Kind.TOPIC and token.text in ("subject", "subjects")):
        number, start, _ = _before(tokens, n)
        return Noun(None, number, start, n + 1)
    if n + 1 < len(tokens) and tokens[n + 1].kind in (Kind.PERSON, Kind.GENDER, Kind.AGE):
        return None  # the noun is yet to come
    person = _person(token)
    if person is None or (kind is Kind.AGE and token.text != "senior"):
        return None
    number, start, said = _before(tokens, n)
    for gender, age in (_person(other) or ("", "") for other in said):
        person = (person[0] or gender, _older(person[1], age))
    if person[0] and not person[1]:
        return Noun(None, number, start, n + 1)  # "two males", "a male skater": of what age?
    return Noun(_kind(person), number or _after(tokens, n), start, n + 1, person, not token.plural)


def _person(token: Token) -> tuple[str, str] | None:
    """What a token says of gender and age."""
    if token.kind is Kind.PERSON:
        gender, age = token.value
        return gender, age
    if token.kind is Kind.GENDER:
        return token.value, ""
    return ("", token.value) if token.kind is Kind.AGE else None


def _older(age: str, adjective: str) -> str:
    """An adjective makes an adult a senior or a boy a teenager; "adult" and "child" add to a noun that has no age."""
    return adjective if adjective in (vocabulary.SENIOR, vocabulary.TEENAGE) or not age else age


def _kind(person: tuple[str, str]) -> str:
    return vocabulary.PERSON_OF.get(person, OTHER)


def _before(tokens: Sequence[Token], n: int) -> tuple[Claim, int, list[Token]]:
    """The number before a noun, where its phrase starts, and the adjectives that tell of persons."""
    said: list[Token] = []
    start = n
    for at in range(n - 1, max(-1, n - 1 - REACH), -1):
        token = tokens[at]
        kind = token.kind
        if kind is Kind.NUMBER:
            return frozenset({token.value}), at, said
        if kind is Kind.ARTICLE:
            return frozenset({1}), at, said
        if kind is Kind.VAGUE:
            return ELSE, at, said
        if kind in (Kind.AGE, Kind.GENDER) or (kind is Kind.PERSON and at == n - 1 and not token.plural):
            said.append(token)
            start = at
        elif kind is Kind.ACTION or token.text in TRANSPARENT or (kind is Kind.WORD and token.text not in STOPPERS):
            start = at if token.text == "the" or (at == start - 1 and kind is not Kind.MARK) else start
        else:
            break
    return UNREAD, start, said


def _after(tokens: Sequence[Token], n: int) -> Claim:
    """The number in parentheses after a noun: "monkeys (4 subjects)"."""
    if [token.text for token in tokens[n + 1 : n + 2]] == ["("] and n + 2 < len(tokens):
        token = tokens[n + 2]
        return frozenset({token.value}) if token.kind is Kind.NUMBER else UNREAD
    return UNREAD


def group_of(tokens: Sequence[Token], subjects: Sequence[Noun]) -> list[Noun]:
    """The nouns of kinds that name who is shown; others may be named besides."""
    if not subjects:
        return []
    known = next((n for n, noun in enumerate(subjects) if noun.subject != OTHER), 0)
    if subjects[0].person and subjects[0].subject == OTHER and not _joint(tokens, subjects[0], subjects[known]):
        known = 0
    return coordinated(tokens, subjects[known:])


def _joint(tokens: Sequence[Token], one: Noun, two: Noun) -> bool:
    """Whether the second noun only says more exactly who the first are: no verb stands between them."""
    return not any(token.kind is Kind.ACTION for token in tokens[one.end : two.start])


def coordinated(tokens: Sequence[Token], nouns: Sequence[Noun]) -> list[Noun]:
    """The first noun and those that are joined with it: "a boy and a girl"."""
    group = [nouns[0]]
    for noun in nouns[1:]:
        between = [token.text for token in tokens[group[-1].end : noun.start]]
        if between not in (["and"], ["or"], ["/"], ["&"], [",", "and"], [",", "or"]):
            break
        group.append(noun)
    return group


def either(tokens: Sequence[Token], nouns: Sequence[Noun]) -> bool:
    """Whether joined nouns are alternatives: "a fox or a wolf"."""
    between = tokens[nouns[0].end : nouns[-1].start]
    return any(token.text in ("or", "/") for token in between)

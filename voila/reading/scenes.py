"""Reading a scene: how many, of what kind, doing what.

The subject is the first noun of a kind that is known; its number and what its adjectives say of age and gender stand before it ("a group
of four elderly, white-haired men"). Actions are all verbs that are asserted, two at most: who walks and carries something does both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from . import vocabulary
from .claims import DOUBTFUL, ELSE, FREE, UNREAD, Claim, Claims
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
EXCLUSIVE = (frozenset({"walking", "running"}), frozenset({"typing", "writing"}))
"""Cannot be meant both."""
DENIAL_REACH = 3
"""Tokens between "not" and the verb that it denies."""


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


def read_scene(tokens: Sequence[Token], *, explicit: bool = False) -> Claims:
    """What a piece of text says of one scene. `explicit`: "fox reading" says no number; else a singular noun says one."""
    nouns = list(_nouns(tokens))
    return Claims(_number(tokens, nouns, explicit), _subject(tokens, nouns), read_action(tokens))


def read_subject(tokens: Sequence[Token]) -> Claim:
    """The kind alone."""
    return _subject(tokens, list(_nouns(tokens)))


def _nouns(tokens: Sequence[Token]) -> Iterator[Noun]:
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
    if not person[1] and kind is Kind.GENDER:
        return Noun(None, number, start, n + 1)  # "two males": of what age?
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
        if kind in (Kind.AGE, Kind.GENDER) or (kind is Kind.PERSON and at == start - 1 and not token.plural):
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


def _number(tokens: Sequence[Token], nouns: Sequence[Noun], explicit: bool) -> Claim:
    """That of the subject, else of a thing of no kind, else the only one that is named."""
    subjects = [noun for noun in nouns if noun.subject]
    if subjects:
        first, *others = _coordinated(tokens, subjects)
        if first.number and others and not _either(tokens, [first, *others]):
            return _sum([first, *others])
        if first.number:
            return first.number
    if things := [noun.number for noun in nouns if noun.number and not noun.subject]:
        return things[0]
    named = [token for token in tokens if token.kind in (Kind.NUMBER, Kind.VAGUE)]
    if named and (not subjects or named[0].end <= tokens[subjects[0].start].start):
        return ELSE if named[0].kind is Kind.VAGUE else frozenset({named[0].value})
    return frozenset({1}) if subjects and subjects[0].singular and not explicit else UNREAD


def _sum(nouns: Sequence[Noun]) -> Claim:
    numbers = [next(iter(noun.number), OTHER) for noun in nouns]
    if all(isinstance(number, int) for number in numbers):
        return frozenset({sum(int(number) for number in numbers)})
    return ELSE


def _subject(tokens: Sequence[Token], nouns: Sequence[Noun]) -> Claim:
    """The first; other kinds that it is joined with make it none."""
    subjects = [noun for noun in nouns if noun.subject]
    if not subjects:
        return UNREAD
    known = next((n for n, noun in enumerate(subjects) if noun.subject != OTHER), 0)
    if subjects[0].person and subjects[0].subject == OTHER and not _joint(tokens, subjects[0], subjects[known]):
        known = 0
    group = _coordinated(tokens, subjects[known:])
    kinds = {str(noun.subject) for noun in group}
    if len(kinds) == 1:
        return frozenset(kinds)
    return DOUBTFUL if _either(tokens, group) else ELSE


def _joint(tokens: Sequence[Token], one: Noun, two: Noun) -> bool:
    """Whether the second noun only says more exactly who the first are: no verb stands between them."""
    return not any(token.kind is Kind.ACTION for token in tokens[one.end : two.start])


def _coordinated(tokens: Sequence[Token], nouns: Sequence[Noun]) -> list[Noun]:
    """The first noun and those that are joined with it: "a boy and a girl"."""
    group = [nouns[0]]
    for noun in nouns[1:]:
        between = [token.text for token in tokens[group[-1].end : noun.start]]
        if between not in (["and"], ["or"], ["/"], ["&"], [",", "and"], [",", "or"]):
            break
        group.append(noun)
    return group


def _either(tokens: Sequence[Token], nouns: Sequence[Noun]) -> bool:
    between = tokens[nouns[0].end : nouns[-1].start]
    return any(token.text in ("or", "/") for token in between)


def read_action(tokens: Sequence[Token]) -> Claim:
    """The actions that are asserted; what is no action of VOILA counts where nothing else is said."""
    asserted = [
        (n, token.value) for n, token in enumerate(tokens) if token.kind is Kind.ACTION and not _denied(tokens, n)
    ]
    known = frozenset(value for _, value in asserted if value != OTHER)
    if not known:
        return ELSE if asserted else UNREAD
    if len(known) > 2 or known in EXCLUSIVE or _alternatives(tokens, [n for n, _ in asserted]):
        return DOUBTFUL
    return known


def _denied(tokens: Sequence[Token], n: int) -> bool:
    for token in reversed(tokens[max(0, n - DENIAL_REACH) : n]):
        if token.kind is Kind.NOT:
            return True
        if token.kind in (Kind.MARK, Kind.ACTION) or token.text in ("but", "and"):
            return False
    return False


def _alternatives(tokens: Sequence[Token], places: Sequence[int]) -> bool:
    """ "Typing or writing"."""
    for one, two in pairwise(places):
        different = tokens[one].value != tokens[two].value
        if different and any(token.text in ("or", "/") for token in tokens[one + 1 : two]):
            return True
    return False


def with_anything(tokens: Sequence[Token]) -> Claims:
    """What is said of a scene that may be left open: "any number of foxes", "three any any", "one any driving a car".

    An "any" without a noun stands for the first property, in the order number, subject, action, that nothing before it speaks of.
    """
    said = read_scene(tokens, explicit=True)
    if not any(token.kind is Kind.ANY for token in tokens):
        return said
    slots: dict[str, Claim] = {}
    for n, token in enumerate(tokens):
        following = tokens[n + 1].kind if n + 1 < len(tokens) else Kind.MARK
        if token.kind in (Kind.NUMBER, Kind.ARTICLE):
            slots.setdefault("number", UNREAD)
        elif token.kind in (Kind.ANIMAL, Kind.PERSON):
            slots.setdefault("subject", UNREAD)
        elif token.kind is Kind.ACTION:
            slots.setdefault("action", UNREAD)
        elif token.kind is Kind.ANY:
            name = token.value or ("subject" if following in (Kind.NUMBER, Kind.THING) else _first_open(slots))
            slots[name] = FREE
    return Claims(**{name: _settled(slots.get(name, UNREAD), claim) for name, claim in said._asdict().items()})


def _first_open(slots: dict[str, Claim]) -> str:
    names = Claims._fields
    behind = max((names.index(name) + 1 for name in slots), default=0)
    return next((name for name in names[behind:] if name not in slots), names[-1])


def _settled(free: Claim, said: Claim) -> Claim:
    return free or said

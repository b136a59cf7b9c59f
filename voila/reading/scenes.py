"""Reading a scene: how many, of what kind, doing what.

The subject is the first noun of a kind that is known; its number and what its adjectives say of age and gender stand before it ("a group
of four elderly, white-haired men"). Actions are all verbs that are asserted of it, two at most: who walks and carries something does both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from .claims import DOUBTFUL, ELSE, FREE, UNREAD, Claim, Claims
from .lexicon import OTHER, Kind
from .nouns import Noun, coordinated, either, group_of, nouns_of
from .tokens import Token

EXCLUSIVE = (frozenset({"walking", "running"}), frozenset({"typing", "writing"}))
"""Cannot be meant both."""
DENIAL_REACH = 3
"""Tokens between "not" and the verb that it denies."""
OTHER_TIMES = frozenset(["after", "before"])
"""Before a verb of what is not done now."""
HEDGES = frozenset(["or", "maybe", "perhaps", "possibly"])
"""Before a second number, of which one is meant."""
COUNTED = (Kind.ARTICLE, Kind.NUMBER, Kind.VAGUE)
RESUMES = frozenset(["and", "but", "while", "as", ".", ";", "\n"])
"""After somebody who is named besides, the subject is spoken of again."""


def read_scene(tokens: Sequence[Token], *, explicit: bool = False) -> Claims:
    """What a piece of text says of one scene. `explicit`: "fox reading" says no number; else a singular noun says one."""
    nouns = list(nouns_of(tokens))
    return Claims(_number(tokens, nouns, explicit), _subject(tokens, nouns), _action(tokens, nouns))


def read_subject(tokens: Sequence[Token]) -> Claim:
    """The kind alone."""
    return _subject(tokens, list(nouns_of(tokens)))


def _number(tokens: Sequence[Token], nouns: Sequence[Noun], explicit: bool) -> Claim:
    """That of the subject, else of a thing of no kind, else the only one that is named."""
    subjects = [noun for noun in nouns if noun.subject]
    if _hedged(tokens):
        return DOUBTFUL
    if subjects:
        first, *others = coordinated(tokens, subjects)
        if first.number and others and not either(tokens, [first, *others]):
            return _sum([first, *others])
        if first.number:
            return first.number
    if things := [noun.number for noun in nouns if noun.number and not noun.subject]:
        return things[0]
    named = [token for token in tokens if token.kind in (Kind.NUMBER, Kind.VAGUE)]
    if named and (not subjects or named[0].end <= tokens[subjects[0].start].start):
        return ELSE if named[0].kind is Kind.VAGUE else frozenset({named[0].value})
    return frozenset({1}) if subjects and subjects[0].singular and not explicit else UNREAD


def _hedged(tokens: Sequence[Token]) -> bool:
    """ "Four bears, or maybe five"."""
    numbers = [n for n, token in enumerate(tokens) if token.kind is Kind.NUMBER]
    return any(n and tokens[n - 1].text in HEDGES and tokens[n].value != tokens[numbers[0]].value for n in numbers[1:])


def _sum(nouns: Sequence[Noun]) -> Claim:
    numbers = [next(iter(noun.number), OTHER) for noun in nouns]
    if all(isinstance(number, int) for number in numbers):
        return frozenset({sum(int(number) for number in numbers)})
    return ELSE


def _subject(tokens: Sequence[Token], nouns: Sequence[Noun]) -> Claim:
    """The first; other kinds that it is joined with make it none."""
    group = group_of(tokens, [noun for noun in nouns if noun.subject])
    kinds = {str(noun.subject) for noun in group}
    if len(kinds) < 2:
        return frozenset(kinds)
    return DOUBTFUL if either(tokens, group) else ELSE


def read_action(tokens: Sequence[Token]) -> Claim:
    """The actions that are asserted; what is no action of VOILA counts where nothing else is said."""
    return _action(tokens, list(nouns_of(tokens)))


def _action(tokens: Sequence[Token], nouns: Sequence[Noun]) -> Claim:
    """Those of the subject. Where all are of somebody else, "a bear near a man who is digging", the rules do not tell."""
    places = [n for n, token in enumerate(tokens) if token.kind is Kind.ACTION]
    places = [n for n in places if not _denied(tokens, n) and not _attributive(tokens, nouns, n)]
    others = set(_of_others(tokens, nouns))
    asserted = [(n, tokens[n].value) for n in places if n not in others]
    if places and not asserted:
        return DOUBTFUL
    known = frozenset(value for _, value in asserted if value != OTHER)
    if not known:
        return ELSE if asserted else UNREAD
    if len(known) > 2 or known in EXCLUSIVE or _alternatives(tokens, [n for n, _ in asserted]):
        return DOUBTFUL
    return known


def _attributive(tokens: Sequence[Token], nouns: Sequence[Noun], n: int) -> bool:
    """Whether it belongs to a thing: "on a reading chair"; in "two running foxes" it belongs to the subject."""
    between = tokens[n - 1].kind is Kind.ARTICLE if n else False
    if not between or not tokens[n].text.endswith("ing") or n + 1 >= len(tokens):
        return False
    return tokens[n + 1].kind is Kind.WORD and not any(noun.start <= n < noun.end for noun in nouns)


def _of_others(tokens: Sequence[Token], nouns: Sequence[Noun]) -> Iterator[int]:
    """The places of what is said of somebody who is named after the subject, and is of another kind."""
    subjects = [noun for noun in nouns if noun.subject]
    group = group_of(tokens, subjects)
    own = {noun.subject for noun in group}
    starts = {noun.start for noun in nouns}
    for noun in subjects:
        if noun.subject in own or noun.start < group[-1].end:
            continue
        # "a running fox" has its verb in front, "eating fish" has not
        yield from range(noun.start + 1, noun.end if tokens[noun.start].kind in COUNTED else noun.start)
        for n in range(noun.end, len(tokens)):
            if n in starts or _resumes(tokens, n):
                break
            yield n


def _resumes(tokens: Sequence[Token], n: int) -> bool:
    """Whether the subject is spoken of again; not where a comma only sets a clause off: "a man, who is reading"."""
    relative = any(token.text in ("who", "which", "that") for token in tokens[n + 1 : n + 2])
    return tokens[n].text in RESUMES or (tokens[n].text == "," and not relative)


def _denied(tokens: Sequence[Token], n: int) -> bool:
    if n and tokens[n - 1].text in OTHER_TIMES:
        return True
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

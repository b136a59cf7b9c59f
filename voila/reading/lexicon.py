"""The tables as one: what a phrase of a reply is, found by its first word, the longest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any, NamedTuple

from . import vocabulary, wording


class Kind(Enum):
    """What a token is."""

    NUMBER = "number"
    VAGUE = "vague"
    ARTICLE = "article"
    ANIMAL = "animal"
    PERSON = "person"
    GENDER = "gender"
    AGE = "age"
    THING = "thing"
    ACTION = "action"
    ANY = "any"
    TOPIC = "topic"
    SAME = "same"
    CHANGE = "change"
    UP = "up"
    DOWN = "down"
    FACTOR = "factor"
    NOT = "not"
    ONLY = "only"
    EXCEPT = "except"
    SO = "so"
    IMAGE = "image"
    WORD = "word"
    MARK = "mark"

    __hash__ = object.__hash__  # members are looked up millions of times, and Enum's own hash is slow


OTHER = "(other)"
"""The value of what is said, and is none of the benchmark's values: wrong."""


class Entry(NamedTuple):
    """One phrase."""

    words: tuple[str, ...]
    kind: Kind
    value: Any = None
    plural: bool = False


def phrases(table: str) -> list[str]:
    """The entries of a table."""
    return [entry for entry in (" ".join(part.split()) for part in table.split(",")) if entry]


def plural(noun: str) -> str:
    """The plural of a noun.

    >>> plural("bunny"), plural("fox"), plural("mouse"), plural("monkey")
    ('bunnies', 'foxes', 'mice', 'monkeys')
    """
    if noun in vocabulary.IRREGULAR_PLURALS:
        return vocabulary.IRREGULAR_PLURALS[noun]
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")


def forms(phrase: str) -> list[str]:
    """A verb with what follows it, in all its forms.

    >>> forms("stroll"), forms("carry on")
    (['stroll', 'strolls', 'strolling', 'strolled'], ['carry on', 'carries on', 'carrying on', 'carried on'])
    """
    verb, _, rest = phrase.partition(" ")
    if verb in ("ice", "figure", "roller"):
        return [f"{verb} {form}" for form in forms(rest)]
    if verb in vocabulary.IRREGULAR_VERBS:
        found = [verb, *phrases(vocabulary.IRREGULAR_VERBS[verb])]
    else:
        stem = verb.removesuffix("e")
        soft = verb[:-1] + "i" if verb.endswith("y") and verb[-2] not in "aeiou" else verb.removesuffix("e")
        s = "es" if soft.endswith(("i", "s", "x", "ch", "sh")) else "es" if verb.endswith("e") else "s"
        found = [verb, soft + s, stem + "ing", soft + "ed"]
    return [f"{form} {rest}".strip() for form in found]


def _nouns(table: str, kind: Kind, value: Any) -> Iterator[Entry]:
    for noun in phrases(table):
        yield Entry(tuple(noun.split()), kind, value)
        yield Entry(tuple(plural(noun).split()), kind, value, plural=True)


def _plain(table: str, kind: Kind, value: Any = None) -> Iterator[Entry]:
    return (Entry(tuple(phrase.split()), kind, value) for phrase in phrases(table))


def _verbs(table: str, value: str) -> Iterator[Entry]:
    return (Entry(tuple(form.split()), Kind.ACTION, value) for verb in phrases(table) for form in forms(verb))


def _entries() -> Iterator[Entry]:
    """All phrases; of one that comes twice the later meaning holds."""
    yield from _verbs(vocabulary.OTHER_VERBS, OTHER)
    for action, verbs in vocabulary.VERBS.items():
        yield from _verbs(verbs, action)
    for action, texts in vocabulary.MORE_ACTIONS.items():
        yield from _plain(texts, Kind.ACTION, action)
    yield from _nouns(vocabulary.OTHER_ANIMALS, Kind.ANIMAL, OTHER)
    for animal, nouns in vocabulary.ANIMALS.items():
        yield from _nouns(nouns, Kind.ANIMAL, animal)
    for person, nouns in vocabulary.PEOPLE.items():
        yield from _nouns(nouns, Kind.PERSON, person)
    yield from _nouns(vocabulary.THINGS, Kind.THING, None)
    for gender, words in vocabulary.GENDERS.items():
        yield from _plain(words, Kind.GENDER, gender)
    for age, words in vocabulary.AGES.items():
        yield from _plain(words, Kind.AGE, age)
    for number, words in vocabulary.NUMBERS.items():
        yield from _plain(words, Kind.NUMBER, number)
    yield from _plain(vocabulary.VAGUE, Kind.VAGUE)
    yield from _plain("a, an", Kind.ARTICLE, 1)
    for topic, words in wording.TOPICS.items():
        yield from _plain(words, Kind.TOPIC, topic)
    for kind, table in _WORDING:
        yield from _plain(table, kind)
    for factor, words in wording.FACTORS.items():
        yield from _plain(words, Kind.FACTOR, factor)
    for name, words in wording.ANYTHING.items():
        yield from _plain(words, Kind.ANY, name)
    yield from _plain(vocabulary.NEUTRAL, Kind.WORD)


_WORDING = (
    (Kind.SAME, wording.SAME),
    (Kind.CHANGE, wording.CHANGE),
    (Kind.UP, wording.UP),
    (Kind.DOWN, wording.DOWN),
    (Kind.NOT, wording.NEGATIONS),
    (Kind.ONLY, wording.ONLY),
    (Kind.EXCEPT, wording.EXCEPT),
    (Kind.SO, wording.SO),
)


def _by_first_word(entries: Iterable[Entry]) -> dict[str, tuple[Entry, ...]]:
    unique = {entry.words: entry for entry in entries}
    found: dict[str, list[Entry]] = {}
    for entry in sorted(unique.values(), key=lambda entry: -len(entry.words)):
        found.setdefault(entry.words[0], []).append(entry)
    return {word: tuple(own) for word, own in found.items()}


LEXICON = _by_first_word(_entries())
"""First word → the phrases that begin with it, longest first."""

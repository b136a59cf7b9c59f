"""The kinds of answer, as one table: how each is read from data, written, compared, and extracted from a reply.

Nobody branches on a type's name: a new kind is a row here and an extractor in `extraction/`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import factorial, prod

from .extraction import extract
from .extraction.forms import KINDS, TEXT, kind_of
from .extraction.reasoning import visible
from .sample import Extraction, Outcome, Reply

Choices = Mapping[str, str]
"""Letter → text; of properties, name → the values that it can have, as "one, two, any"."""

SEPARATORS = re.compile(r"[\s,>-]+")
"""What a release may write between the letters of an ordering."""


@dataclass(frozen=True, slots=True)
class AnswerType:
    """All text in, text out, so that a key and an extracted value compare as strings after `parse`."""

    parse: Callable[[str, Choices], str]
    """A key as a release writes it → canonical text. Raises ValueError when it is no possible answer to these choices."""
    equal: Callable[[str, str], bool]
    """Canonical value against canonical key."""
    extract: Callable[[Reply, Choices], Extraction]
    chance: Callable[[Choices], float]
    """Probability that a blind guess is right."""


def _one_letter(text: str, choices: Choices) -> str:
    letter = text.strip()
    if letter not in choices:
        raise ValueError(f"key {text!r} is none of the options {', '.join(choices)}")
    return letter


def _all_letters_in_order(text: str, choices: Choices) -> str:
    letters = SEPARATORS.sub("", text)
    if sorted(letters) != sorted(choices):
        raise ValueError(f"key {text!r} does not name each of the options {', '.join(choices)} once")
    return letters


def values_of(choices: Choices) -> dict[str, list[str]]:
    """Property → what it can be.

    >>> values_of({"number": "1, 2, any"})
    {'number': ['1', '2', 'any']}
    """
    return {name: values.split(", ") for name, values in choices.items()}


@lru_cache(maxsize=8)
def _form(choices: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    """Such as "number = 2, subject = fox": every property once, in their order, each with a value that it can have."""
    longest_first = {name: sorted(values, key=len, reverse=True) for name, values in values_of(dict(choices)).items()}
    pairs = (rf"{name}\s*=\s*({'|'.join(map(re.escape, values))})\b" for name, values in longest_first.items())
    return re.compile(r",\s*".join(pairs), re.IGNORECASE)


def _written(found: re.Match[str], choices: Choices) -> str:
    return ", ".join(f"{name} = {value.lower()}" for name, value in zip(choices, found.groups(), strict=True))


def _each_property(text: str, choices: Choices) -> str:
    found = _form(tuple(choices.items())).fullmatch(text.strip())
    if not found:
        raise ValueError(f"key {text!r} does not give each of {', '.join(choices)} a value that it can have")
    return _written(found, choices)


def _last_properties(reply: Reply, choices: Choices) -> Extraction:
    """Reads the form alone, wherever it stands; a benchmark that takes other words for it has a reader of its own."""
    shown = visible(reply.text or "")
    if shown is None:
        return Extraction(None, Outcome.TRUNCATED)
    *_, last = (None, *_form(tuple(choices.items())).finditer(shown))
    if last is None:
        return Extraction(None, Outcome.UNPARSED if shown.strip() else Outcome.EMPTY)
    return Extraction(_written(last, choices), Outcome.PARSED, "form", last.span())


def _no_text(text: str, choices: Choices) -> str:
    """The key of a question that a picture answers: it is a picture itself, or not known."""
    if text or choices:
        raise ValueError(f"key {text!r}, options {', '.join(choices) or 'none'}: what a picture answers has neither")
    return text


def _free(name: str) -> AnswerType:
    """A kind of free answer. A key is kept as it is written, since its form decides how a reply is read; so what is compared is
    what `forms.kind_of` makes of it, and `extract`, which knows no key, reads the first of the type's forms.
    """
    kind = KINDS[name][0] if name != "text" else TEXT

    def parse(text: str, choices: Choices) -> str:
        kind_of(name, text)
        return text

    def equal(value: str, key: str) -> bool:
        found, canonical = kind_of(name, key)
        return found.grade(value, canonical) == 1

    return AnswerType(parse, equal, lambda reply, choices: kind.read(reply), chance=lambda choices: 0.0)


ANSWER_TYPES: Mapping[str, AnswerType] = {
    "option": AnswerType(
        parse=_one_letter,
        equal=str.__eq__,
        extract=lambda reply, choices: extract(reply, "option", choices),
        chance=lambda choices: 1 / len(choices),
    ),
    "sequence": AnswerType(
        parse=_all_letters_in_order,
        equal=str.__eq__,
        extract=lambda reply, choices: extract(reply, "sequence", choices),
        chance=lambda choices: 1 / factorial(len(choices)),
    ),
    "properties": AnswerType(
        parse=_each_property,
        equal=str.__eq__,
        extract=_last_properties,
        chance=lambda choices: 1 / prod(map(len, values_of(choices).values())),
    ),
    "picture": AnswerType(
        parse=_no_text,
        equal=lambda value, key: False,
        extract=lambda reply, choices: Extraction(None, Outcome.EMPTY),
        chance=lambda choices: 0.0,
    ),
    **{name: _free(name) for name in KINDS},
}
"""The name is what `Sample.answer_type` says."""

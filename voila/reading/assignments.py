"""What is said property by property: "number = 2", "Subject type: foxes", "the action is reading"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .claims import DOUBTFUL, ELSE, FREE, UNREAD, Claim, Claims, one_of
from .lexicon import Kind
from .scenes import read_action, read_subject
from .tokens import Token

STRONG = frozenset(["=", ":"])
WEAK = frozenset(["is", "are", "be", "becomes", "equals", ">", "-", "|"])
BEFORE_IS = frozenset(
    [
        "will",
        "should",
        "would",
        "must",
        "can",
        "could",
        "might",
        "may",
        "also",
        "then",
        "therefore",
        "thus",
        "of",
        "in",
        "for",
        "the",
        "'",
        "s",
        "new",
        "image",
        "value",
    ]
)
"""May stand between a property and the word that gives it a value."""
ENDS = frozenset([",", ";", ".", "\n"])
"""Marks at which a value ends."""


class Assignment(NamedTuple):
    """A property and what is said of it."""

    name: str
    claim: Claim
    strong: bool
    start: int
    """Token of the property's name."""
    end: int
    image: int
    """Of which image; 0 when that is not said."""


def assignments(tokens: Sequence[Token]) -> Iterator[Assignment]:
    """All of them, in order."""
    image = 0
    names: list[str] = []
    first = n = 0
    while n < len(tokens):
        token = tokens[n]
        if token.kind is Kind.IMAGE:
            image = token.value
        if token.kind is not Kind.TOPIC or token.value not in Claims._fields:
            if names and token.text not in ("and", ",", "&", "the"):
                names = []
            n += 1
            continue
        if not names:
            first = n
        names.append(token.value)
        start, strong, own = _value_start(tokens, n + 1)
        if start is None:
            n += 1
            continue
        end = _value_end(tokens, start)
        for name in names:
            yield Assignment(name, value_of(name, tokens[start:end]), strong, first, end, own or image)
        names = []
        n = max(end, n + 1)


def _value_start(tokens: Sequence[Token], n: int) -> tuple[int | None, bool, int]:
    """Where the value begins, whether a mark announces it, and the image that is named on the way."""
    image = 0
    while n < len(tokens) and n < len(tokens):
        token = tokens[n]
        if token.kind is Kind.IMAGE:
            image = token.value
        elif token.text in STRONG:
            return n + 1, True, image
        elif token.text in WEAK:
            return n + 1, False, image
        elif token.text not in BEFORE_IS:
            return None, False, image
        n += 1
    return None, False, image


def _value_end(tokens: Sequence[Token], n: int) -> int:
    while n < len(tokens) and tokens[n].text in ("|", "-", ":", "="):
        n += 1
    depth = 0
    while n < len(tokens):
        token = tokens[n]
        depth += (token.text == "(") - (token.text == ")")
        if depth <= 0 and token.kind is Kind.MARK and token.text in ENDS:
            return n
        if token.kind is Kind.TOPIC and token.value in Claims._fields and _value_start(tokens, n + 1)[0] is not None:
            return n
        if token.text in ("\n", "|"):
            return n
        n += 1
    return n


def value_of(name: str, tokens: Sequence[Token]) -> Claim:
    """What a value says of its property. Remarks in parentheses are left out where something else is there."""
    outside = list(_without_remarks(tokens)) or list(tokens)
    if any(token.text == "not" for token in outside):  # "not a fox but a wolf"
        but = next((n for n, token in enumerate(outside) if token.text == "but"), None)
        return DOUBTFUL if but is None else value_of(name, outside[but + 1 :])
    if any(token.kind is Kind.ANY for token in outside):
        return FREE if not any(token.text == "or" for token in outside) else DOUBTFUL
    return READERS[name](_last_result(outside)) or READERS[name](tokens)


def _last_result(tokens: list[Token]) -> list[Token]:
    """What a calculation comes to: "3 - 2 + 1 = 2"."""
    places = [n for n, token in enumerate(tokens) if token.text == "="]
    return tokens[places[-1] + 1 :] if places else tokens


def _without_remarks(tokens: Sequence[Token]) -> Iterator[Token]:
    depth = 0
    for token in tokens:
        if token.text == ")":
            depth = max(0, depth - 1)
        elif token.text == "(":
            depth += 1
        elif not depth:
            yield token


def _number(tokens: Sequence[Token]) -> Claim:
    named = [token.value for token in tokens if token.kind is Kind.NUMBER]
    if named:
        return one_of(named)
    if any(token.kind is Kind.VAGUE for token in tokens):
        return ELSE
    return frozenset({1}) if any(token.kind is Kind.ARTICLE for token in tokens) else UNREAD


def _action(tokens: Sequence[Token]) -> Claim:
    """One: an answer is a single action."""
    claim = read_action(tokens)
    return claim if len(claim) < 2 else DOUBTFUL


READERS = {"number": _number, "subject": read_subject, "action": _action}

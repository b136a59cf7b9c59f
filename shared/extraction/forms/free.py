"""Free text: rules can only see that an answer is the key word for word; all else is for a judge."""

from __future__ import annotations

import re

from ...sample import Extraction, Outcome, Reply
from ..containers import last_container
from ..normalise import lower, plain
from ..page import Verdict
from ..reply import read_reply
from .declared import ANSWER

FIRM = ("contained", "answer")
LONGEST = 2000
"""Characters of a free answer."""


def read_text(reply: str | Reply) -> Extraction:
    """What stands in a container, or after the last "the answer is", or else the whole reply."""
    return read_reply(reply, _read, FIRM)


def declared_part(text: str) -> tuple[str, int, int]:
    """The part of a reply that is the answer, as far as that is marked: rule, start, end."""
    container = last_container(text)
    if container and normal(text[container.start : container.end]):
        return "contained", container.start, container.end
    announced = list(ANSWER.finditer(lower(plain(text))))
    if announced and normal(text[announced[-1].end() :]):
        return "answer", announced[-1].end(), len(text)
    return "whole", 0, len(text)


def _read(text: str) -> Verdict:
    return _verdict(*declared_part(text), text) if text else Verdict(Outcome.EMPTY, "")


def _verdict(rule: str, start: int, end: int, text: str) -> Verdict:
    value = normal(text[start:end])
    if not value:
        return Verdict(Outcome.UNPARSED, rule)
    return Verdict(Outcome.PARSED, rule, value[:LONGEST], start, end)


def normal(text: str) -> str:
    """One way of writing: without marks, case, runs of blanks, and full stops around it.

    >>> normal("**The second  student.**")
    'the second student'
    """
    return re.sub(r"\s+", " ", lower(plain(text))).strip(" .,:;!-")


def key(text: str) -> str:
    """Raises ValueError for a reference without any word."""
    found = normal(text)
    if not re.search(r"\w", found):
        raise ValueError(f"key {text!r} says nothing")
    return found[:LONGEST]


def grade(value: str, key: str) -> float | None:
    """The same words are right; of others no rule can tell."""
    return 1.0 if value == key else None

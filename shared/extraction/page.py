"""A reply as the rules see it, what a rule is, and what it says."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

from ..sample import Outcome
from .containers import last_container
from .lexicon import Lexicon
from .normalise import lower, plain

PATIENCE, ENDURANCE = 500, 2000
"""Mentions judged, last first, and mentions judged in all: of those before the last 500 only the ones that are `announced`."""
ANNOUNCEMENT = re.compile(
    "answer|ans|correct|choose|order|sequence|[答正选選顺順답]|ответ|respuesta|réponse|antwort|resposta|risposta"
)
"""The words that announce an answer most often."""
NEAR = 60
"""Characters before a mention in which one of them ends, if the mention is announced."""

LABEL_LINE = re.compile(r"^[ \-(>]*(?:(?:Option|Choice|Image|Picture) )?([A-J]) ?[.):]", re.MULTILINE)
"""A line that begins with an option's letter: "A. red arrow"."""
WORD = re.compile(r"\w")
CLOSING = " \n.):!?,"
"""What may follow an answer that closes a reply."""


class Verdict(NamedTuple):
    """What a rule makes of a reply; offsets are those of the page."""

    outcome: Outcome
    rule: str
    value: str | None = None
    start: int = 0
    end: int = 0


class Page:
    """A reply without its reasoning, in plain writing, and the options that it may name."""

    def __init__(self, text: str, lexicon: Lexicon) -> None:
        self.text = text
        self.lexicon = lexicon
        self.plain = plain(text)
        self.small = lower(self.plain)
        self.container = last_container(text)
        """The last place where the reply sets an answer apart."""
        self.behind = self.container.end if self.container else 0
        """Where what is said after it begins."""
        self.last_word_end = len(self.plain.rstrip(CLOSING))
        self.listed = listed(self.plain) if "\n" in self.plain else frozenset[int]()

    def announced(self, start: int) -> bool:
        """A cheap look whether something near may announce what starts here."""
        before = bisect_right(self._announcements, start)
        return before > 0 and start - self._announcements[before - 1] <= NEAR

    @cached_property
    def _announcements(self) -> list[int]:
        return [match.end() for match in ANNOUNCEMENT.finditer(self.small)]

    def contents(self, read: Callable[[str, Lexicon], Verdict]) -> Verdict | None:
        """What another reading makes of the last container's contents; None when there is no container."""
        if self.container is None:
            return None
        rule, start, end = self.container
        verdict = read(self.text[start:end], self.lexicon)
        return verdict._replace(rule=rule, start=verdict.start + start, end=verdict.end + start)


def listed(text: str) -> frozenset[int]:
    """Where the letters of an option list stand, each for the first time at the beginning of a line: two in turn, or more."""
    labels = {label[1]: label for label in reversed(list(LABEL_LINE.finditer(text)))}
    first = sorted(labels.values(), key=lambda label: label.start())
    if len(first) > 2:
        return frozenset(label.start(1) for label in first)
    turns = [pair for pair in pairwise(first) if ord(pair[1][1]) == ord(pair[0][1]) + 1]
    return frozenset(label.start(1) for pair in turns for label in pair)


P = TypeVar("P", bound=Page)


@dataclass(frozen=True, slots=True)
class Rule(Generic[P]):
    """One way of finding the answer; the rules of an answer type are tried in order, and the first that says anything decides."""

    name: str
    read: Callable[[P], Verdict | None]
    firm: bool = True
    """Whether the answer is declared, so that it holds even when the reply was cut off after it."""
    ways: tuple[str, ...] = ()
    """What it reports as the rule when it tells several ways apart; else its own name."""


def first_verdict(rules: tuple[Rule[P], ...], page: P) -> Verdict:
    """The verdict of the first rule that has one."""
    for rule in rules:
        if verdict := rule.read(page):
            return verdict
    return Verdict(Outcome.UNPARSED, "")

"""A reply as the rules see it, what a rule is, and what it says."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from ..sample import Outcome
from .containers import Container, last_container
from .lexicon import Lexicon
from .normalise import lower, plain

LABEL_LINE = re.compile(r"^[ \-(>]*([A-J]) ?[.):]", re.MULTILINE)
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
        self.judged: list[Any] | None = None
        """Kept by the `survey` of the answer type."""

    @cached_property
    def first_word(self) -> int:
        """Where the first letter or digit stands."""
        found = WORD.search(self.plain)
        return found.start() if found else len(self.plain)

    @cached_property
    def last_word_end(self) -> int:
        """Where the last line's text ends, without closing punctuation."""
        return len(self.plain.rstrip(CLOSING))

    @cached_property
    def container(self) -> Container | None:
        """The last place where the reply sets an answer apart."""
        return last_container(lower(self.text))

    @cached_property
    def listed(self) -> frozenset[int]:
        """Where the letters of an option list stand: consecutive letters, each at the beginning of a line."""
        labels = list(LABEL_LINE.finditer(self.plain)) if "\n" in self.plain else []
        return frozenset(
            label.start(1)
            for one, other in pairwise(labels)
            if ord(other[1]) == ord(one[1]) + 1
            for label in (one, other)
        )

    def contents(self, read: Callable[[Page], Verdict]) -> Verdict | None:
        """What another reading makes of the last container's contents; None when there is no container."""
        if self.container is None:
            return None
        rule, start, end, _ = self.container
        verdict = read(Page(self.text[start:end], self.lexicon))
        return verdict._replace(rule=rule, start=verdict.start + start, end=verdict.end + start)


class Rule(NamedTuple):
    """One way of finding the answer; the rules of an answer type are tried in order, and the first that says anything decides."""

    name: str
    read: Callable[[Page], Verdict | None]
    firm: bool = True
    """Whether the answer is declared, so that it holds even when the reply was cut off after it."""
    ways: tuple[str, ...] = ()
    """What it reports as the rule when it tells several ways apart; else its own name."""


def first_verdict(rules: tuple[Rule, ...], page: Page) -> Verdict:
    """The verdict of the first rule that has one."""
    for rule in rules:
        if verdict := rule.read(page):
            return verdict
    return Verdict(Outcome.UNPARSED, "")

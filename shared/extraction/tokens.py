"""Cutting text into words and phrases, and looking up what they do beside an option."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .words import AFTER, BEFORE, GLUE, JOINS, Role, entries


class Step(NamedTuple):
    """A word or phrase met while reading away from an option."""

    role: int
    size: int
    """In tokens."""


class Words:
    """What stands on one side of an option: phrases by their word next to the option, longest first."""

    def __init__(self, tables: Mapping[int, str], nearest: int) -> None:
        self.roles: dict[str, int] = {}
        for role, table in tables.items():
            for entry in entries(table):
                self.roles[entry] = self.roles.get(entry, Role.NONE) | role
        self.longest: dict[str, int] = {}
        for entry in self.roles:
            words = entry.split()
            self.longest[words[nearest]] = max(self.longest.get(words[nearest], 1), len(words))

    def before(self, tokens: Sequence[str], end: int) -> Step:
        """The longest phrase that ends there."""
        for size in range(min(self.longest.get(tokens[end - 1], 1), end), 1, -1):
            if role := self.roles.get(" ".join(tokens[end - size : end])):
                return Step(role, size)
        return Step(self.roles.get(tokens[end - 1], Role.NONE), 1)

    def after(self, tokens: Sequence[str], start: int) -> Step:
        """The longest phrase that begins there."""
        for size in range(min(self.longest.get(tokens[start], 1), len(tokens) - start), 1, -1):
            if role := self.roles.get(" ".join(tokens[start : start + size])):
                return Step(role, size)
        return Step(self.roles.get(tokens[start], Role.NONE), 1)


LEFT_WORDS = Words(BEFORE, -1)
RIGHT_WORDS = Words(AFTER, 0)

_UNSPACED = sorted(
    {word for word in (*LEFT_WORDS.roles, *RIGHT_WORDS.roles, *entries(JOINS)) if not re.match(rf"[{GLUE}\W]", word)},
    key=len,
    reverse=True,
)
_TOKEN = re.compile(rf" *(e\.g\.|i\.e\.|z\.b\.|[{GLUE}']+(?:-[{GLUE}']+)*|\.{{2,}}|[!-~\n]|{'|'.join(_UNSPACED)}|[^ ])")


def tokens(text: str) -> list[str]:
    """Words in lower case, punctuation, line ends; single capitals stay, since they may be options.

    >>> tokens("So the answer isn't B... 答案应该是C。")
    ['so', 'the', 'answer', "isn't", 'B', '...', '答案', '应该是', 'C', '。']
    """
    return [token.lower() if len(token) > 1 or token == "I" else token for token in _TOKEN.findall(text)]

"""Cutting text into words and phrases, and looking up what they do beside an option."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from .words import GLUE, JOINS, Role, entries
from .words_after import AFTER
from .words_before import BEFORE


class Words:
    """What stands on one side of an option: phrases by their word next to the option."""

    def __init__(self, tables: Mapping[int, str], nearest: int) -> None:
        self.roles: dict[str, int] = {}
        for role, table in tables.items():
            for entry in entries(table):
                self.roles[entry] = self.roles.get(entry, Role.NONE) | role
        self.longest: dict[str, int] = {}
        for phrase in self.roles:
            words = phrase.split()
            self.longest[words[nearest]] = max(self.longest.get(words[nearest], 1), len(words))

    def before(self, tokens: Sequence[str], end: int) -> tuple[int, int]:
        """Role of the longest phrase that ends there, and its number of tokens."""
        size = self.longest.get(tokens[end - 1], 0)
        while size > 1:
            if size <= end and (role := self.roles.get(" ".join(tokens[end - size : end]))):
                return role, size
            size -= 1
        return (self.roles.get(tokens[end - 1], Role.NONE) if size else Role.NONE), 1

    def after(self, tokens: Sequence[str], start: int) -> tuple[int, int]:
        """Role of the longest phrase that begins there, and its number of tokens."""
        size = self.longest.get(tokens[start], 0)
        while size > 1:
            if role := self.roles.get(" ".join(tokens[start : start + size])):
                return role, size
            size -= 1
        return (self.roles.get(tokens[start], Role.NONE) if size else Role.NONE), 1


LEFT_WORDS = Words(BEFORE, -1)
RIGHT_WORDS = Words(AFTER, 0)

_UNSPACED = sorted(
    {word for word in (*LEFT_WORDS.roles, *RIGHT_WORDS.roles, *entries(JOINS)) if not re.match(rf"[{GLUE}\W]", word)},
    key=len,
    reverse=True,
)


def _pattern(letters: str, more: str) -> re.Pattern[str]:
    return re.compile(rf" *(e\.g\.|i\.e\.|z\.b\.|[{letters}']+(?:-[{letters}']+)*|\.{{2,}}|{more}[^ ])")


_TOKEN = _pattern(GLUE, rf"[!-~\n]|{'|'.join(_UNSPACED)}|")
_ASCII_TOKEN = _pattern("0-9A-Za-z", "")


def tokens(text: str) -> list[str]:
    """Words in lower case, punctuation, line ends; single capitals stay, since they may be options.

    >>> tokens("So the answer isn't B... 答案应该是C。")
    ['so', 'the', 'answer', "isn't", 'B', '...', '答案', '应该是', 'C', '。']
    """
    found = (_ASCII_TOKEN if text.isascii() else _TOKEN).findall(text)
    return [token.lower() if len(token) > 1 or token == "I" else token for token in found]

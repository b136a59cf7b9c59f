"""A text as data inside a prompt: between marker lines whose mark it does not hold, clean, and not longer than a judge can read."""

from __future__ import annotations

from hashlib import sha256
from itertools import count
from unicodedata import category

HEAD, TAIL = 4_000, 8_000
"""Characters that are kept of a long reply: answers stand at the end, what they are about at the start."""
HIDDEN = frozenset({"Cc", "Cf", "Cs"})
"""Unicode's categories of what nobody sees or nobody can send: controls, marks of direction and zero width, halves of characters."""
SHOWN_AS = "\N{REPLACEMENT CHARACTER}"


def fenced(reply: str, label: str) -> str:
    """A reply of any kind, as a block: head and tail of it if it is long.

    >>> print(fenced("It is B.", "ANSWER"))
    <<<ANSWER c91a8a6eb7b2>>>
    It is B.
    <<<END OF ANSWER c91a8a6eb7b2>>>
    """
    return fenced_whole(capped(reply), label)


def fenced_whole(text: str, label: str) -> str:
    """A text that must not lose anything, as a block."""
    content = clean(text)
    mark = _mark(content, label)
    return f"<<<{label} {mark}>>>\n{content}\n<<<END OF {label} {mark}>>>"


def capped(reply: str) -> str:
    """The reply, or of a long one its head and tail with a note of what is left out between them."""
    left_out = len(reply) - HEAD - TAIL
    if left_out <= 0:
        return reply
    return f"{reply[:HEAD]}\n[... {left_out} characters left out ...]\n{reply[-TAIL:]}"


def clean(text: str) -> str:
    r"""The text with one kind of line end, and a sign in place of each character that is hidden: nothing vanishes, nothing joins.

    >>> clean("A\u200bB\r\nC\x00")
    'A�B\nC�'
    """
    lines = (
        "".join(SHOWN_AS if category(char) in HIDDEN and char != "\t" else char for char in line)
        for line in text.splitlines()
    )
    return "\n".join(lines)


def _mark(text: str, label: str) -> str:
    """Twelve characters that do not occur in the text, the same ones whenever it is asked about."""
    marks = (sha256(f"{label} {number} {text}".encode()).hexdigest()[:12] for number in count())
    return next(mark for mark in marks if mark not in text)

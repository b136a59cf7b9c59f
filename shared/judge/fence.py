"""A reply as data inside a prompt: between marker lines that it cannot know, and not longer than a judge can read."""

from __future__ import annotations

from hashlib import sha256

HEAD, TAIL = 4_000, 8_000
"""Characters that are kept of a long reply: answers stand at the end, what they are about at the start."""


def fenced(reply: str, label: str = "ANSWER") -> str:
    """The reply between two marker lines whose name is made from a hash of it, which no reply can hold.

    >>> print(fenced("It is B."))
    <<<ANSWER 1bd04db3f0d8>>>
    It is B.
    <<<END OF ANSWER 1bd04db3f0d8>>>
    """
    mark = sha256(reply.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"<<<{label} {mark}>>>\n{capped(reply)}\n<<<END OF {label} {mark}>>>"


def capped(reply: str) -> str:
    """The reply, or of a long one its head and tail with a note of what is left out between them."""
    left_out = len(reply) - HEAD - TAIL
    if left_out <= 0:
        return reply
    return f"{reply[:HEAD]}\n[... {left_out} characters left out ...]\n{reply[-TAIL:]}"

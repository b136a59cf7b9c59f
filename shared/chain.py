"""Least-to-most prompting: one prompt after another, each with the pictures and with all that was said before.

Two forms: "paper", one user turn that grows (pictures, then prompt and answer by turns), which any model can take; and "chat", real
turns of user and assistant. Which prompts there are is the benchmark's affair; running many dialogues at once that of `frameworks/`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from .extraction.reasoning import visible
from .messages import quoted, user_turn
from .sample import Message, Messages, Picture, Reply

Said = Sequence[tuple[str, str]]
"""Prompts and their answers so far."""

GAP = re.compile(r"\n{3,}")
"""What is left where a reasoning block was: as many line ends as it had characters."""


@dataclass(frozen=True, slots=True)
class Link:
    """One prompt of a chain."""

    prompt: str
    given: str | None = None
    """An answer that stands there in place of the model's, which is then not asked for."""


def next_turn(
    links: Sequence[Link],
    replies: Sequence[Reply],
    images: Sequence[Picture],
    *,
    form: str = "paper",
    view: str = "images",
) -> Messages | None:
    """What to ask next; None when all has been said, or a request was lost: nobody goes on from an answer that is not there.

    `replies` are those to the links that are asked, in order. Raises KeyError for an unknown form.
    """
    if any(reply.error is not None for reply in replies):
        return None
    waiting = iter(replies)
    said: list[tuple[str, str]] = []
    for link in links:
        if link.given is not None:
            said.append((link.prompt, link.given))
        elif (reply := next(waiting, None)) is not None:
            said.append((link.prompt, spoken(reply)))
        else:
            return FORMS[form](said, link.prompt, images, view)
    return None


def asked(links: Sequence[Link]) -> int:
    """How many replies a whole dialogue has."""
    return sum(link.given is None for link in links)


def spoken(reply: Reply) -> str:
    """What later prompts repeat of a reply: without its reasoning blocks; nothing of one that ends inside such a block.

    It moves no picture (`quoted`), and can always be sent.

    >>> spoken(Reply("<think>two or three?</think> Two foxes."))
    'Two foxes.'
    """
    return GAP.sub("\n\n", quoted(visible(reply.text or "") or "")).strip()


def _one_turn(said: Said, prompt: str, images: Sequence[Picture], view: str) -> Messages:
    texts = [text for pair in said for text in pair]
    return user_turn("\n\n".join(text for text in (*texts, prompt) if text), images, view)


def _real_turns(said: Said, prompt: str, images: Sequence[Picture], view: str) -> Messages:
    """The pictures stand in the first user turn. An empty answer is written out: chat APIs refuse empty turns."""
    prompts, answers = [*(own for own, _ in said), prompt], [answer or "(no answer)" for _, answer in said]
    first, *later = prompts
    turns = list(user_turn(first, images, view))
    for answer, own in zip(answers, later, strict=True):
        turns += [Message("assistant", (answer,)), Message("user", (own,))]
    return tuple(turns)


FORMS: Mapping[str, Callable[[Said, str, Sequence[Picture], str], Messages]] = {
    "paper": _one_turn,
    "chat": _real_turns,
}

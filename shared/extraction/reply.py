"""What every reading of a reply shares: loops, reasoning and lost requests are dealt with before a rule sees anything."""

from __future__ import annotations

from collections.abc import Callable, Collection

from ..sample import Extraction, Finish, Outcome, Reply
from .page import Verdict
from .reasoning import visible
from .squeeze import squeeze

LOST = ("Failed to obtain answer via API", "[LMMS_EVAL_REQUEST_FAILED")
"""How the frameworks write that a request was lost; their adapters make it `Reply.error`, and a bare text of this kind is no answer."""


def read_reply(reply: str | Reply, read: Callable[[str], Verdict], firm: Collection[str]) -> Extraction:
    """What `read` makes of the text that is meant for the reader. Spans count characters of the reply as given.

    `firm`: rules whose answer holds even when the reply was cut off after it.
    """
    text, finish, error = (
        (reply, Finish.UNKNOWN, None) if isinstance(reply, str) else (reply.text or "", reply.finish, reply.error)
    )
    if error is not None or not text.strip() or text.lstrip().startswith(LOST):
        return Extraction(None, Outcome.EMPTY)
    squeezed = squeeze(text)
    shown = visible(squeezed.text)
    if shown is None:
        return Extraction(None, Outcome.TRUNCATED)
    start = len(shown) - len(shown.lstrip())
    verdict = read(shown[start:].rstrip())
    if finish is Finish.LENGTH and verdict.rule not in firm:
        return Extraction(None, Outcome.TRUNCATED)
    if verdict.value is None:
        return Extraction(None, verdict.outcome, verdict.rule)
    span = (squeezed.original(start + verdict.start), squeezed.original(start + verdict.end - 1) + 1)
    return Extraction(verdict.value, verdict.outcome, verdict.rule, span)

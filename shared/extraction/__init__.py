"""From what a model said to the answer it gave, or to the reason why there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..sample import Extraction, Finish, Outcome, Reply
from . import option, sequence
from .lexicon import lexicon
from .page import Page, Verdict
from .reasoning import visible
from .squeeze import squeeze

READERS: Mapping[str, Callable[[Page], Verdict]] = {"option": option.read, "sequence": sequence.read}

FAILURES = ("Failed to obtain answer via API", "[LMMS_EVAL_REQUEST_FAILED")
"""How the frameworks write that a request was lost; their adapters make it `Reply.error`, and a bare text of this kind is no answer."""

UNDECLARED = frozenset(("hinted", "possible", "text", "only", ""))
"""Rules that are not trusted when the reply was cut off."""


def extract(reply: str | Reply, answer_type: str, choices: Mapping[str, str]) -> Extraction:
    """The answer in a reply: a letter for "option", all letters in order for "sequence"."""
    if isinstance(reply, str):
        reply = Reply(reply)
    text = reply.text or ""
    if reply.error is not None or not text.strip():
        return Extraction(None, Outcome.EMPTY)
    if text.lstrip().startswith(FAILURES):
        return Extraction(None, Outcome.EMPTY, "failure_text")
    squeezed = squeeze(text)
    shown = visible(squeezed.text)
    if shown is None:
        return Extraction(None, Outcome.TRUNCATED, "unclosed_reasoning")
    start = len(shown) - len(shown.lstrip())
    verdict = READERS[answer_type](Page(shown[start:].rstrip(), lexicon(choices)))
    if reply.finish is Finish.LENGTH and verdict.rule in UNDECLARED:
        return Extraction(None, Outcome.TRUNCATED)
    if verdict.value is None:
        return Extraction(None, verdict.outcome, verdict.rule)
    span = (squeezed.original(start + verdict.start), squeezed.original(start + verdict.end - 1) + 1)
    return Extraction(verdict.value, verdict.outcome, verdict.rule, span)

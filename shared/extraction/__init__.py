"""From what a model said to the answer it gave, or to the reason why there is none."""

from __future__ import annotations

from collections.abc import Mapping

from ..sample import Extraction, Outcome, Reply


def extract(reply: str | Reply, answer_type: str, choices: Mapping[str, str]) -> Extraction:
    """The answer in a reply."""
    text = (reply if isinstance(reply, str) else reply.text or "").strip()
    if not text:
        return Extraction(None, Outcome.EMPTY)
    wanted = text in choices if answer_type == "option" else sorted(text) == sorted(choices)
    return Extraction(text, Outcome.PARSED, "bare") if wanted else Extraction(None, Outcome.UNPARSED)

"""The vote in a chat completion, whatever shape a server gives it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .endpoint import Endpoint
from .fence import clean
from .query import UNREADABLE, JudgeError, Query
from .store import Vote
from .wire import SHOWN, parse

CUT = {
    "length": "was cut off; raise COGSIGHT_JUDGE_MAX_TOKENS",
    "content_filter": "was stopped by its content filter",
}
"""Reasons to finish after which even a whole verdict is not the last word."""
LONGEST_NAME = 200
"""Characters of a model's name."""
MOST_TOKENS = 2**53
"""More than anything takes; SQLite cannot hold every number that JSON can."""


def read_vote(query: Query, completion: Mapping[str, Any], endpoint: Endpoint) -> Vote:
    """The vote in a chat completion, as JSON, without the endpoint's key. Raises JudgeError (unreadable) when it holds none.

    The key may stand in the error's text. It is not looked for before the vote is read: a short one could be a word of it.
    """
    choices = completion.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(choice, Mapping) or not isinstance(message, Mapping):
        raise JudgeError(f"gave no completion but {json.dumps(completion)[:SHOWN]}", UNREADABLE)
    if cut := CUT.get(str(choice.get("finish_reason"))):
        raise JudgeError(cut, UNREADABLE)
    text = _text(message.get("content"))
    if not text:
        raise JudgeError(f"gave no verdict but {str(message.get('refusal') or 'nothing')[:SHOWN]!r}", UNREADABLE)
    usage = completion.get("usage")
    used = usage if isinstance(usage, Mapping) else {}
    return Vote(
        parse(query, text, endpoint.concealed),
        clean(endpoint.concealed(str(completion.get("model") or "")[:SHOWN]))[:LONGEST_NAME],
        _count(used.get("prompt_tokens")),
        _count(used.get("completion_tokens")),
    )


def _text(content: Any) -> str:
    """A message's text, which some servers give in parts, those of its reasoning among them."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(str(part["text"]) for part in parts if isinstance(part, Mapping) and part.get("type") == "text")


def _count(value: Any) -> int:
    return value if isinstance(value, int) and 0 <= value < MOST_TOKENS else 0

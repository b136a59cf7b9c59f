"""A dialogue, or a reply with pictures, as the one text that a framework keeps of a question: JSON, {"turns": [{"text", "finish", "error", "pictures"}, …]}."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ..redact import redact
from ..registry import get
from ..sample import Finish, Reply
from . import gallery


def is_dialogue(variant: str) -> bool:
    """Whether what comes back of a variant of this name is packed (`Variant.packed`); not of one that is unknown."""
    try:
        return get(variant).variant(variant).packed
    except KeyError:
        return False


def asks_for_picture(variant: str) -> bool:
    """Whether the one reply to a variant of this name is to be a picture; not of one that is unknown."""
    try:
        return get(variant).variant(variant).produces
    except KeyError:
        return False


def pack(replies: Sequence[Reply]) -> str:
    """The text. It shows no "<": both frameworks have options that cut a reply at the end of its reasoning block."""
    return json.dumps({"turns": list(map(_turn, replies))}).replace("<", "\\u003c")


def unpack(text: str) -> tuple[Reply, ...]:
    """The replies, one at least; of what is no such text one that is lost, for nobody knows what was said.

    >>> said = Reply("<think>2?</think> Two.", Finish.STOP), Reply(None, error="timeout")
    >>> unpack(pack(said)) == said
    True
    """
    try:
        return tuple(map(_reply, json.loads(text)["turns"])) or (Reply(None, error="no reply came back"),)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        return (Reply(None, error=f"no dialogue of ours: {error!r}: {text[:200]}"),)


def _turn(reply: Reply) -> dict[str, Any]:
    said = {"text": reply.text, "finish": reply.finish.value, "error": redact(reply.error)}
    return {**said, **gallery().note(reply)}


def _reply(turn: dict[str, Any]) -> Reply:
    return gallery().recall(Reply(turn["text"], Finish(turn["finish"]), turn["error"]), turn)

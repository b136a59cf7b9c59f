"""What lmms-eval hands to process_results → Reply: its failure texts become errors, its token counts say who was cut off."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from ...sample import Finish, Reply
from ..dialogues import unpack

FAILED = ("[LMMS_EVAL_REQUEST_FAILED", "[LMMS_EVAL_BUDGET_EXCEEDED]")
"""How the text begins that stands for a lost request (backends openai, async_openai, gemini); also served from --use_cache.

The older API backends (gpt4v, qwen_vl_api, reka, srt_api) put "" there, which cannot be told from a model that says nothing.
"""

SILENT = 'Error: can only concatenate str (not "NoneType") to str'
"""What async_openai makes of a reply without content."""


def is_failure(text: Any) -> bool:
    """Whether a text stands for a lost request."""
    return isinstance(text, str) and text.startswith(FAILED)


def read_replies(text: str | None, finish: Finish, dialogue: bool) -> tuple[Reply, ...]:
    """What the model said, turn by turn. `finish`: of a reply that is not part of a dialogue; those of one know their own."""
    if dialogue and text is not None and not is_failure(text):
        return unpack(text)
    return (read_reply(text, finish),)


def read_reply(text: str | None, finish: Finish = Finish.UNKNOWN) -> Reply:
    """The reply behind a text of lmms-eval's.

    The openai backend hands on a content of null: of a refusal, or of a model that its limit has cut off in its reasoning, which the
    server keeps apart. Its tokens were counted then, so that `finish` is known.
    """
    if text is None and finish is Finish.UNKNOWN:
        return Reply(None, error="no reply came back")
    if text is None:
        return Reply("", finish)
    if is_failure(text):
        return Reply(None, error=text)
    return Reply("" if text == SILENT else text, finish)


class Finishes:
    """Which replies of a task stopped at the token limit, as far as its backend counts tokens.

    Hugging Face backends count a batch's longest reply for all of it; with --batch_size above 1, a reply beside one that was cut
    off looks cut off too. That changes no score, only whether an unreadable reply is called truncated.
    """

    def __init__(self, task: Any) -> None:
        self._task = task

    def of(self, sample_id: str) -> Finish:
        """UNKNOWN for a reply whose tokens were not counted, as when it comes from the cache."""
        return self._by_id.get(sample_id, Finish.UNKNOWN)

    @cached_property
    def _by_id(self) -> dict[str, Finish]:
        ids = self._task.eval_docs_no_media["id"]
        return {ids[instance.doc_id]: _finish(instance) for instance in self._task.instances}


def _finish(instance: Any) -> Finish:
    counts = instance.token_counts[0] if instance.token_counts else None
    return finish_of(counts, next((arg for arg in instance.args if isinstance(arg, dict)), {}))


def finish_of(counts: Any, options: Mapping[str, Any]) -> Finish:
    """By lmms-eval's token counts of a reply, or None, and the options with which it was asked for."""
    tokens, limit = getattr(counts, "output_tokens", None), options.get("max_new_tokens")
    if not tokens or not limit:
        return Finish.UNKNOWN
    return Finish.LENGTH if tokens >= limit else Finish.STOP

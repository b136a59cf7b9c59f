"""lmms-eval's texts and token counts become Replies."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from cogsight.shared.frameworks.lmms.replies import Finishes, read_reply
from cogsight.shared.sample import Finish, Reply

FAILED = "[LMMS_EVAL_REQUEST_FAILED after 3 retries] Connection error."
"""As models/chat/openai.py, async_openai.py and gemini.py of lmms-eval 0.7.3 write it."""


@pytest.mark.parametrize("text", [FAILED, "[LMMS_EVAL_BUDGET_EXCEEDED]"])
def test_failure_texts_are_lost_requests(text: str) -> None:
    assert read_reply(text, Finish.STOP) == Reply(None, error=text)


def test_no_reply_is_a_lost_request() -> None:
    assert read_reply(None) == Reply(None, error="no reply came back")


@pytest.mark.parametrize("finish", [Finish.STOP, Finish.LENGTH])
def test_a_content_of_null_whose_tokens_were_counted_is_the_model_s(finish: Finish) -> None:
    assert read_reply(None, finish) == Reply("", finish)


@pytest.mark.parametrize("text", ["B", "", f"I would not write {FAILED}", "Error: B is an error"])
def test_other_texts_are_what_the_model_said(text: str) -> None:
    assert read_reply(text, Finish.LENGTH) == Reply(text, Finish.LENGTH)


def test_a_reply_without_content_is_empty() -> None:
    assert read_reply('Error: can only concatenate str (not "NoneType") to str') == Reply("")


def instance(doc_id: int, output_tokens: int | None, limit: int | None = 16) -> Any:
    counts = [SimpleNamespace(output_tokens=output_tokens)] if output_tokens is not None else [None]
    return SimpleNamespace(doc_id=doc_id, token_counts=counts, args=("text", {"max_new_tokens": limit}, doc_id))


def test_token_counts_say_who_was_cut_off() -> None:
    instances = [instance(3, 16), instance(0, 15), instance(1, None), instance(2, 20, limit=None)]
    task = SimpleNamespace(eval_docs_no_media={"id": ["zero", "one", "two", "three"]}, instances=instances)
    finishes = Finishes(task)
    assert [finishes.of(name) for name in ("zero", "one", "two", "three", "elsewhere")] == [
        Finish.STOP,
        Finish.UNKNOWN,
        Finish.UNKNOWN,
        Finish.LENGTH,
        Finish.UNKNOWN,
    ]

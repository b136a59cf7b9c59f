"""The stub answers real OpenAI clients, so that tests against it mean something."""

from __future__ import annotations

import base64

import pytest
from stub_server import Answer, StubServer

openai = pytest.importorskip("openai")


def _ask(server: StubServer) -> str | None:
    client = openai.OpenAI(base_url=server.url, api_key="x", max_retries=0)
    picture = "data:image/png;base64," + base64.b64encode(b"PNG").decode()
    content = [
        {"type": "text", "text": "one "},
        {"type": "image_url", "image_url": {"url": picture}},
        {"type": "text", "text": "two"},
    ]
    response = client.chat.completions.create(model="m", messages=[{"role": "user", "content": content}])
    return response.choices[0].message.content


def test_it_answers_as_scripted_and_remembers_the_parts_in_order() -> None:
    with StubServer(lambda request: request.text.upper()) as server:
        assert _ask(server) == "ONE TWO"
    assert server.requests[0].parts == ("one ", b"PNG", "two")
    assert server.requests[0].path == "/v1/chat/completions"


def test_an_error_status_is_an_error_for_the_client() -> None:
    with StubServer(lambda request: Answer("busy", status=500)) as server, pytest.raises(openai.InternalServerError):
        _ask(server)


def test_a_reply_without_content() -> None:
    with StubServer(lambda request: Answer(None)) as server:
        assert _ask(server) is None

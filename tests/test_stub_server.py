"""The stub answers real OpenAI clients, so that tests against it mean something."""

from __future__ import annotations

import base64
from concurrent.futures import ThreadPoolExecutor
from time import monotonic

import pytest
from stub_server import DROP, HANG, Answer, StubServer

openai = pytest.importorskip("openai")


def _ask(server: StubServer, timeout: float = 10) -> str | None:
    client = openai.OpenAI(base_url=server.url, api_key="x", max_retries=0, timeout=timeout)
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


def test_headers_and_a_body_of_any_kind() -> None:
    with StubServer(lambda request: Answer("busy", status=429, headers={"Retry-After": "7"})) as server:
        with pytest.raises(openai.RateLimitError) as caught:
            _ask(server)
        assert caught.value.response.headers["retry-after"] == "7"
        server.script = lambda request: Answer(raw='{"choices": [{"mess')
        with pytest.raises(ValueError, match="Unterminated"):
            _ask(server)
    assert server.requests[0].headers["authorization"] == "Bearer x"


@pytest.mark.parametrize("answer", [DROP, Answer("half", sent=10)], ids=["no answer", "half an answer"])
def test_a_dropped_connection(answer: Answer) -> None:
    with StubServer(lambda request: answer) as server, pytest.raises(openai.APIConnectionError):
        _ask(server)


def test_a_hang_ends_with_the_client_or_the_server() -> None:
    before = monotonic()
    with StubServer(lambda request: HANG) as server, pytest.raises(openai.APITimeoutError):
        _ask(server, timeout=0.1)
    assert monotonic() - before < 5


def test_requests_at_once_are_counted() -> None:
    with StubServer(lambda request: Answer("A", delay=0.3)) as server, ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda _: _ask(server), range(8))) == ["A"] * 8
    assert 2 <= server.most_at_once <= 8
    assert server.at_once == 0

"""An OpenAI-compatible server for tests: answers `POST …/chat/completions` as scripted and remembers every request.

    with StubServer(lambda request: "The answer is B.") as server:
        …  # point a client at server.url; then look at server.requests

A script returns the reply's text, or an `Answer` for everything else a server can do. The port is the system's choice.
"""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


@dataclass(frozen=True)
class Request:
    """One POST as it came in."""

    path: str
    body: dict[str, Any]

    @property
    def parts(self) -> tuple[str | bytes, ...]:
        """What the last message shows, in order: text as str, pictures as their encoded bytes."""
        content = self.body["messages"][-1]["content"]
        return (content,) if isinstance(content, str) else tuple(_part(part) for part in content)

    @property
    def text(self) -> str:
        return "".join(part for part in self.parts if isinstance(part, str))

    @property
    def images(self) -> tuple[bytes, ...]:
        return tuple(part for part in self.parts if isinstance(part, bytes))


@dataclass(frozen=True)
class Answer:
    """A scripted response; a status other than 200 is an error with `text` as its message."""

    text: str | None = ""
    finish: str = "stop"
    status: int = 200
    completion_tokens: int = 1


Script = Callable[[Request], "str | Answer"]


class StubServer:
    """Serves from entering the `with` block to leaving it. `script` may be replaced at any time."""

    def __init__(self, script: Script = lambda request: "A") -> None:
        self.script = script
        self.requests: list[Request] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """The base URL as OpenAI clients want it, without `/chat/completions`."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> StubServer:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=10)


@pytest.fixture
def stub_server() -> Iterator[StubServer]:
    """A running server that answers "A" until its `script` is replaced."""
    with StubServer() as server:
        yield server


def _part(part: dict[str, Any]) -> str | bytes:
    if part["type"] == "text":
        return str(part["text"])
    return base64.b64decode(part["image_url"]["url"].partition(",")[2])


def _handler(stub: StubServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            """Keep the test output clean."""

        def do_POST(self) -> None:
            request = Request(self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            stub.requests.append(request)
            answer = stub.script(request)
            answer = Answer(answer) if isinstance(answer, str) else answer
            payload = json.dumps(_body(request, answer)).encode()
            self.send_response(answer.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

    return Handler


def _body(request: Request, answer: Answer) -> dict[str, Any]:
    if answer.status != 200:
        return {"error": {"message": answer.text, "type": "stub_error"}}
    message = {"role": "assistant", "content": answer.text}
    tokens = answer.completion_tokens
    return {
        "id": "stub",
        "object": "chat.completion",
        "created": 0,
        "model": request.body["model"],
        "choices": [{"index": 0, "finish_reason": answer.finish, "message": message}],
        "usage": {"prompt_tokens": 1, "completion_tokens": tokens, "total_tokens": 1 + tokens},
    }

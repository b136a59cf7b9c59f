"""An OpenAI-compatible server for tests: answers `POST …/chat/completions`, `…/images/generations` and `…/images/edits` as scripted, and
remembers every request.

    with StubServer(lambda request: "The answer is B.") as server:
        …  # point a client at server.url; then look at server.requests

A script returns the reply's text, or an `Answer` for everything else a server can do. The port is the system's choice.
"""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


@dataclass(frozen=True)
class Request:
    """One POST as it came in."""

    path: str
    body: dict[str, Any]
    """Of a form, its fields; the files of one field as a list of bytes."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """By lower-case name."""

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


FOREVER = 1e6
"""Seconds of delay that end only with the server."""


@dataclass(frozen=True)
class Answer:
    """A scripted response; a status other than 200 is an error with `text` as its message."""

    text: str | None = ""
    finish: str = "stop"
    status: int = 200
    completion_tokens: int = 1
    message: Mapping[str, Any] = field(default_factory=dict)
    """More fields of the message, such as a refusal."""
    picture: bytes | None = None
    """Of the images interface: the answer is this, and `text` beside it."""
    code: str | None = None
    """Of an error."""
    model: str | None = None
    """What is said to have answered; None: whoever was asked."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """More headers, such as Retry-After."""
    raw: str | bytes | None = None
    """Sent as the body in place of all the above."""
    delay: float = 0.0
    """Seconds before anything is sent."""
    sent: int | None = None
    """Bytes of the body after which the connection is dropped; None: all, and it stays. 0 with `raw=b""`: not even a status."""
    blanks: bool = False
    """A blank every 20 ms, without end, in place of the body, as busy servers keep a connection alive."""


DROP = Answer(raw=b"", sent=0)
"""No answer: the connection is closed."""
HANG = Answer(delay=FOREVER)
"""No answer: the connection stays."""

Script = Callable[[Request], "str | Answer"]


class _Server(ThreadingHTTPServer):
    request_queue_size = 256  # connections at the same moment; with the usual 5 the rest would wait for a second


class StubServer:
    """Serves from entering the `with` block to leaving it. `script` may be replaced at any time; it runs in one thread per connection."""

    def __init__(self, script: Script = lambda request: "A") -> None:
        self.script = script
        self.requests: list[Request] = []
        self.at_once = 0
        """Requests in work now."""
        self.most_at_once = 0
        self.closing = threading.Event()
        self._count = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """The base URL as OpenAI clients want it, without `/chat/completions`."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def answer(self, request: Request) -> Answer:
        """Note the request, and do as the script says."""
        with self._count:
            self.requests.append(request)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            answer = self.script(request)
            answer = Answer(answer) if isinstance(answer, str) else answer
            self.closing.wait(answer.delay)
        finally:
            with self._count:
                self.at_once -= 1
        return answer

    def __enter__(self) -> StubServer:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.closing.set()
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
        wbufsize = -1  # head and body in one piece: sent apart, they can be 40 ms apart

        def log_message(self, format: str, *args: object) -> None:
            """Keep the test output clean."""

        def do_POST(self) -> None:
            kind, raw = self.headers["Content-Type"], self.rfile.read(int(self.headers["Content-Length"]))
            body = _form(kind, raw) if kind.startswith("multipart/") else json.loads(raw)
            answer = stub.answer(
                Request(self.path, body, {name.lower(): value for name, value in self.headers.items()})
            )
            if stub.closing.is_set() or answer == DROP:
                self.close_connection = True
                return
            with suppress(OSError):  # the client has gone
                self._send(answer, _payload(body, answer))

        def _send(self, answer: Answer, payload: bytes) -> None:
            self.send_response(answer.status)
            for name, value in {"Content-Type": "application/json", **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(payload) + (1 << 30 if answer.blanks else 0)))
            self.end_headers()
            while answer.blanks and not stub.closing.wait(0.02):
                self.wfile.write(b" ")
                self.wfile.flush()
            self.wfile.write(payload[: answer.sent])
            self.wfile.flush()
            self.close_connection = answer.sent is not None

    return Handler


def _form(kind: str, raw: bytes) -> dict[str, Any]:
    message = BytesParser(policy=HTTP).parsebytes(f"Content-Type: {kind}\r\n\r\n".encode() + raw)
    fields: dict[str, Any] = {}
    for part in message.iter_parts():  # type: ignore[attr-defined]
        name = str(part.get_param("name", header="content-disposition")).removesuffix("[]")
        data = part.get_payload(decode=True)
        if part.get_filename():
            fields.setdefault(name, []).append(data)
        else:
            fields[name] = data.decode()
    return fields


def _payload(asked: Mapping[str, Any], answer: Answer) -> bytes:
    if answer.raw is not None:
        return answer.raw.encode() if isinstance(answer.raw, str) else answer.raw
    return json.dumps(_body(asked, answer)).encode()


def _body(asked: Mapping[str, Any], answer: Answer) -> dict[str, Any]:
    if answer.status != 200:
        return {"error": {"message": answer.text, "type": "stub_error", "code": answer.code}}
    if answer.picture is not None:
        encoded = base64.b64encode(answer.picture).decode()
        return {"created": 0, "data": [{"b64_json": encoded, "revised_prompt": answer.text}]}
    message = {"role": "assistant", "content": answer.text, **answer.message}
    tokens = answer.completion_tokens
    return {
        "id": "stub",
        "object": "chat.completion",
        "created": 0,
        "model": answer.model or asked["model"],
        "choices": [{"index": 0, "finish_reason": answer.finish, "message": message}],
        "usage": {"prompt_tokens": 1, "completion_tokens": tokens, "total_tokens": 1 + tokens},
    }

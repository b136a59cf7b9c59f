"""A server for tests with OpenAI's interface for files and batches, and chat completions as `stub_server` has them.

    with BatchStub() as server:
        …  # point a client at server.url; then look at server.batches and server.log

A batch is worked off at once by `answer`, and shown as ended after `looks` looks; `outcome` may make anything else of it. `faults` and
`on_step` make single steps go wrong. The port is the system's choice.
"""

from __future__ import annotations

import json
import re
import threading
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import time
from typing import Any

Entry = dict[str, Any]

VERDICT = '{"reason": "it says so", "answer": "B"}'


@dataclass(frozen=True)
class Fault:
    """How one step goes wrong. `done`: the server has done what it was asked all the same."""

    status: int = 0
    """Of the answer; 0: the connection is closed without one."""
    message: str = "stub"
    done: bool = False
    sent: int | None = None
    """Bytes of the answer after which the connection is closed."""
    announced: bool = True
    """Whether the answer's length is announced, so that the client can tell that it was cut."""


@dataclass(frozen=True)
class Outcome:
    """What becomes of a batch."""

    output: list[Entry | str] = field(default_factory=list)
    """Lines of the output file; a text as it is. None at all: there is no such file."""
    errors: list[Entry | str] = field(default_factory=list)
    status: str = "completed"
    codes: tuple[str, ...] = ()
    """Errors of the batch as a whole."""
    counts: bool = True
    """Whether it says how many requests are completed and have failed."""


@dataclass
class StubBatch:
    """A batch as the server has it."""

    id: str
    file: str
    metadata: Mapping[str, str]
    created: int
    requests: list[Entry]
    outcome: Outcome
    looks: int = 0


class BatchStub:
    """Serves from entering the `with` block to leaving it. All attributes may be changed at any time."""

    def __init__(self, answer: Callable[[Entry], str] = lambda body: VERDICT) -> None:
        self.answer = answer
        self.outcome: Callable[[StubBatch], Outcome] = lambda batch: Outcome([*map(self.line, batch.requests)][::-1])
        self.looks = 1
        self.has_batches = True
        self.slim = False
        """Whether only the names of uploaded requests are kept."""
        self.lists = True
        self.faults: dict[str, deque[Fault]] = defaultdict(deque)
        """By step: upload, make, look, list, download, chat; each is used once."""
        self.on_step: Callable[[str], None] = lambda step: None
        self.log: list[str] = []
        self.headers: list[Mapping[str, str]] = []
        self.uploads: dict[str, list[Entry]] = {}
        self.sizes: list[int] = []
        """Bytes of each uploaded file."""
        self.batches: dict[str, StubBatch] = {}
        self.files: dict[str, bytes] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def times_sent(self) -> Counter[str]:
        """In how many batches each request was."""
        return Counter(entry["custom_id"] for batch in self.batches.values() for entry in batch.requests)

    def __enter__(self) -> BatchStub:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=10)

    def line(self, request: Entry, text: str | None = None) -> Entry:
        """A line of an output file: a completion that says `text`, or what `answer` says."""
        body = completion(request["body"], self.answer(request["body"]) if text is None else text)
        response = {"status_code": 200, "request_id": "r", "body": body}
        return {"id": "batch_req", "custom_id": request["custom_id"], "response": response, "error": None}

    def step(self, method: str, path: str, body: bytes) -> tuple[Any, Fault | None]:
        """What is sent back: JSON, or the bytes of a file; and what goes wrong on the way."""
        name, work = self._route(method, path, body)
        self.log.append(name)
        self.on_step(name)
        fault = self.faults[name].popleft() if self.faults[name] else None
        if not self.has_batches and name != "chat":
            return {"error": {"message": "Not Found"}}, Fault(404)
        return (None if fault and not fault.done and fault.sent is None else work()), fault

    def _route(self, method: str, path: str, body: bytes) -> tuple[str, Callable[[], Any]]:
        path, _, query = path.removeprefix("/v1").partition("?")
        if method == "POST":
            return {
                "/chat/completions": ("chat", lambda: completion(json.loads(body), VERDICT)),
                "/files": ("upload", lambda: self._upload(body)),
                "/batches": ("make", lambda: self._make(json.loads(body))),
            }[path]
        if path == "/batches":
            return "list", lambda: self._list(query)
        identity = path.split("/")[2]
        if path.startswith("/files/"):
            return "download", lambda: self.files.get(identity)
        return "look", lambda: self._look(identity)

    def _upload(self, body: bytes) -> Entry:
        boundary = body[: body.index(b"\r\n")]
        parts = {part.partition(b"\r\n\r\n")[0]: part.partition(b"\r\n\r\n")[2] for part in body.split(boundary)[1:-1]}
        content = next(value for head, value in parts.items() if b"filename=" in head)[:-2]
        assert any(b'"purpose"' in head and value == b"batch\r\n" for head, value in parts.items())
        identity = f"file-{len(self.uploads)}"
        self.uploads[identity] = [self._kept(json.loads(line)) for line in content.splitlines()]
        self.sizes.append(len(content))
        about = {
            "object": "file",
            "bytes": len(content),
            "created_at": int(time()),
            "filename": "f",
            "purpose": "batch",
        }
        return {"id": identity, "status": "processed", **about}

    def _kept(self, entry: Entry) -> Entry:
        return {"custom_id": entry["custom_id"], "body": {"model": "m"}} if self.slim else entry

    def _make(self, asked: Entry) -> Entry:
        assert (asked["endpoint"], asked["completion_window"]) == ("/v1/chat/completions", "24h")
        identity = f"batch_{len(self.batches)}"
        requests = self.uploads[asked["input_file_id"]]
        batch = StubBatch(identity, asked["input_file_id"], asked["metadata"], int(time()), requests, Outcome())
        self.batches[identity] = batch
        batch.outcome = self.outcome(batch)
        for kind, lines in (("out", batch.outcome.output), ("err", batch.outcome.errors)):
            texts = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
            self.files[f"{kind}-{identity}"] = "".join(text + "\n" for text in texts).encode()
        return _shown(batch, ended=False)

    def _look(self, identity: str) -> Entry | None:
        batch = self.batches.get(identity)
        if batch is None:
            return None
        batch.looks += 1
        return _shown(batch, ended=batch.looks >= self.looks)

    def _list(self, query: str) -> Entry | None:
        if not self.lists:
            return None
        after = re.search(r"after=(\w+)", query)
        newest = list(reversed(self.batches.values()))
        start = next((n + 1 for n, batch in enumerate(newest) if after and batch.id == after[1]), 0)
        page = newest[start : start + 2]  # small, so that tests turn pages
        more = start + 2 < len(newest)
        return {"object": "list", "data": [_shown(batch, ended=False) for batch in page], "has_more": more}


def completion(body: Entry, text: str) -> Entry:
    """The answer to a request for a completion."""
    message = {"role": "assistant", "content": text}
    return {
        "id": "stub",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }


def failed_line(request: Entry, status: int | None = None, code: str = "", message: str = "bad") -> Entry:
    """A line of an error file: a response that is an error, or an error of the batch."""
    response = {"status_code": status, "request_id": "r", "body": {"error": {"message": message}}} if status else None
    error = {"code": code, "message": message} if code else None
    return {"id": "batch_req", "custom_id": request["custom_id"], "response": response, "error": error}


def _shown(batch: StubBatch, ended: bool) -> Entry:
    outcome = batch.outcome
    files = {
        "output_file_id": f"out-{batch.id}" if outcome.output else None,
        "error_file_id": f"err-{batch.id}" if outcome.errors else None,
    }
    counts = {"total": len(batch.requests), "completed": len(outcome.output), "failed": len(outcome.errors)}
    errors = {"object": "list", "data": [{"code": code, "message": code} for code in outcome.codes]}
    return {
        "id": batch.id,
        "object": "batch",
        "endpoint": "/v1/chat/completions",
        "completion_window": "24h",
        "input_file_id": batch.file,
        "created_at": batch.created,
        "metadata": batch.metadata,
        "status": outcome.status if ended else "in_progress",
        **(files if ended else {}),
        "errors": errors if ended and outcome.codes else None,
        "request_counts": counts if ended and outcome.counts else None,
    }


def _handler(stub: BatchStub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # else each answer waits 40 ms for the client's acknowledgement

        def log_message(self, format: str, *args: object) -> None:
            """Keep the test output clean."""

        def do_POST(self) -> None:
            self._answer(b"".join(self._body()))

        def do_GET(self) -> None:
            self._answer(b"")

        def _body(self) -> Iterator[bytes]:
            if "Content-Length" in self.headers:
                yield self.rfile.read(int(self.headers["Content-Length"]))
                return
            while size := int(self.rfile.readline(), 16):
                yield self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()

        def _answer(self, body: bytes) -> None:
            stub.headers.append({name.lower(): value for name, value in self.headers.items()})
            content, fault = stub.step(self.command, self.path, body)
            if content is None and fault is None:
                content, fault = None, Fault(404, "No such thing")
            if fault and fault.status:
                content = {"error": {"message": fault.message, "type": "stub", "code": None}}
            if fault and not fault.status and fault.sent is None:
                self.close_connection = True
                return
            self._send(fault.status or 200 if fault else 200, content, fault)

        def _send(self, status: int, content: Any, fault: Fault | None) -> None:
            payload = content if isinstance(content, bytes) else json.dumps(content).encode()
            cut = fault is not None and fault.sent is not None
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("retry-after-ms", "1")
            if not cut or (fault and fault.announced):
                self.send_header("Content-Length", str(len(payload)))
            if cut:
                self.send_header("Connection", "close")
                self.close_connection = True
            self.end_headers()
            self.wfile.write(payload[: fault.sent] if fault and cut else payload)

    return Handler

"""The lines of a batch's files: requests as they go up, and what comes back for each, in any order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from tempfile import TemporaryFile
from typing import IO, Any

from .batch_server import ENDPOINT
from .completion import read_vote
from .endpoint import Endpoint
from .query import NOT_JUDGED, UNREADABLE, JudgeError, Query
from .store import Vote
from .trouble import Kind, Trouble, of_status
from .wire import SHOWN

NOT_RUN = frozenset({"batch_expired", "batch_cancelled"})
"""Errors of requests that the server never got to."""


def request_line(name: str, body: Mapping[str, Any]) -> bytes:
    """One request, with the line break."""
    entry = {"custom_id": name, "method": "POST", "url": ENDPOINT, "body": body}
    return json.dumps(entry, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"


def packed(lines: Iterable[tuple[str, bytes]], requests: int, size: int) -> Iterator[tuple[list[str], IO[bytes]]]:
    """Names and lines as files of at most so many requests and bytes; a file is gone when the next one is asked for.

    No line may be longer than `size`. The files have no name on disk, so that even a kill leaves none behind.
    """
    with TemporaryFile() as file:
        names: list[str] = []
        for name, line in lines:
            if len(names) == requests or file.tell() + len(line) > size:
                file.flush()  # its size is read from the disk
                yield names, file
                names = []
                file.seek(0)
                file.truncate()
            file.write(line)
            names.append(name)
        if names:
            file.flush()
            yield names, file


@dataclass(frozen=True, slots=True)
class Line:
    """What came back for one request."""

    name: str
    status: int | None
    """Of the response; None when there was none."""
    body: Mapping[str, Any]
    """A completion, or what the server says instead."""
    error: str = ""
    """The code of an error of the batch, not of the response."""

    @property
    def not_run(self) -> bool:
        """Whether the request is blameless: the batch ended before it."""
        return self.error in NOT_RUN

    @property
    def trouble(self) -> Trouble | None:
        """What is wrong, where there is no completion."""
        if self.status == 200:
            return None
        if self.status is None:
            return Trouble(Kind.BROKEN, f"answers {self.error or 'nothing'}: {str(self.body)[:SHOWN]}")
        return of_status(self.status, json.dumps(self.body), {})

    def vote(self, query: Query, endpoint: Endpoint) -> Vote:
        """Raises JudgeError when there is none; its text may quote our key."""
        if trouble := self.trouble:
            raise JudgeError(trouble.text, UNREADABLE if trouble.kind is Kind.UNFIT else NOT_JUDGED)
        return read_vote(query, self.body, endpoint)


@dataclass(slots=True)
class Shortfall:
    """What a batch has not brought, and why."""

    problems: dict[str, JudgeError] = field(default_factory=dict)
    """By the request's name."""
    complaint: str = ""
    """What the server does not like about a request; the first one."""
    _not_run: set[str] = field(default_factory=set)

    def note(self, line: Line, error: JudgeError) -> None:
        """A line that holds no vote."""
        self.problems[line.name] = error
        if (trouble := line.trouble) and trouble.kind is Kind.UNFIT:
            self.complaint = self.complaint or trouble.body
        if line.not_run:
            self._not_run.add(line.name)

    def failed(self, missing: Iterable[str], all_run: bool) -> list[str]:
        """Those of the missing requests that failed by themselves: their line says so, or there is none although all were run."""
        return [name for name in missing if name not in self._not_run and (all_run or name in self.problems)]


def read_line(text: bytes) -> Line | None:
    """A line of an output or error file; None for what is none."""
    try:
        entry = json.loads(text)
        response, error = entry.get("response") or {}, entry.get("error") or {}
        status, body = response.get("status_code"), response.get("body")
        said = body if isinstance(body, dict) else {"message": body or error.get("message")}
        return Line(
            str(entry["custom_id"]), status if isinstance(status, int) else None, said, str(error.get("code") or "")
        )
    except (ValueError, AttributeError, KeyError, RecursionError):
        return None

"""For tests of judging in batches: queries, a place where runs meet a server and share a store, and runs in a process of their own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from batch_stub import VERDICT, BatchStub, Entry, Outcome, StubBatch

from cogsight.shared.judge.batch import Batches, Limits, Waits
from cogsight.shared.judge.endpoint import Endpoint
from cogsight.shared.judge.model import ModelJudge
from cogsight.shared.judge.query import JudgeError, Query
from cogsight.shared.settings import JudgeSettings

KEY = "sk-test-0123456789"
OPENAI = Limits()
QUICK = Waits(first=0.001, growth=1.2, longest=0.01, settling=0.0, tries=(0.001,) * 3)
TEXTS = {"question": "Which brick is larger?", "options": "A. the red one\nB. the blue one"}
BROKEN = '{"reason": "it says so", "ans'


def queries(count: int, start: int = 0) -> list[Query]:
    return [Query("extract_option", f"I think {n}", TEXTS, letters=("A", "B")) for n in range(start, start + count)]


class Place:
    """A server, and a store beside it that runs share."""

    def __init__(self, server: BatchStub, folder: Path) -> None:
        self.server = server
        self.path = folder / "judgements.sqlite"
        self.judge: ModelJudge

    def run(
        self,
        wanted: list[Query],
        limits: Limits = OPENAI,
        hours: float = 1.0,
        waits: Waits = QUICK,
        votes: int = 1,
        rejudge: bool = False,
        key: str = KEY,
    ) -> ModelJudge:
        """As a new process would do it."""
        endpoint = Endpoint("m", self.server.url, key, JudgeSettings(votes=votes))
        transport = Batches(self.path, hours, waits, limits)
        self.judge = ModelJudge(endpoint, store=self.path, rejudge=rejudge, transport=transport)
        self.judge.ask(wanted)
        return self.judge

    def judged(self, wanted: list[Query]) -> list[str | None]:
        """The answers, None where there is none."""
        return [answer(self.judge, query) for query in wanted]


def answer(judge: ModelJudge, query: Query) -> str | None:
    try:
        return str(judge.verdict(query).values["answer"])
    except JudgeError:
        return None


def reason(judge: ModelJudge, query: Query) -> str:
    with pytest.raises(JudgeError) as error:
        judge.verdict(query)
    return error.value.reason


def part(lines: Callable[[list[Entry]], list[Entry]], **others: Any) -> Callable[[StubBatch], Outcome]:
    """An outcome of the first batch that has only part of its lines; others are whole."""

    def outcome(made: StubBatch) -> Outcome:
        whole = [completed(request) for request in made.requests]
        return Outcome(lines(whole), **others) if made.id == "batch_0" else Outcome(whole)

    return outcome


def completed(request: Entry, text: str = VERDICT) -> Entry:
    """A line of an output file."""
    return BatchStub().line(request, text)


def in_a_process(server: BatchStub, folder: Path, work: str) -> subprocess.Popen[str]:
    """A process of its own whose `place` is one at this server and in this folder."""
    script = "\n".join(
        (
            "import resource, sys",
            "from pathlib import Path",
            "from types import SimpleNamespace",
            f"sys.path.insert(0, {str(Path(__file__).parent)!r})",
            "from batch_place import Limits, Place, queries",
            f"place = Place(SimpleNamespace(url={server.url!r}), Path({str(folder)!r}))",
            work,
        )
    )
    return subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)

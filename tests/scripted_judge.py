"""A scripted judge for tests: queries with numbers in them, a server that knows the probe, and endpoints for it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from stub_server import Answer, Request, StubServer

from cogsight.shared.judge.client import PROBE, RIGHT
from cogsight.shared.judge.endpoint import Endpoint
from cogsight.shared.judge.live import Live, Unit
from cogsight.shared.judge.query import JudgeError, Query
from cogsight.shared.judge.store import Vote
from cogsight.shared.judge.trouble import Unavailable
from cogsight.shared.settings import JudgeSettings

KEY = "odd key/with+all=\"of\" '%it'\\"
MODEL = "grader"
OFFER = {"question": "Which brick is larger?", "options": "A. red\nB. blue\nC. green"}


def queries(numbers: Iterable[int]) -> list[Query]:
    """One for each number, which `number` finds in the request."""
    return [query(number) for number in numbers]


def query(number: int) -> Query:
    return Query("extract_option", f"reply {number}: hard to say", OFFER, letters=("A", "B", "C"))


def number(request: Request) -> int | None:
    """The number of the query that is asked; None for the probe."""
    found = re.search(r"^reply (\d+): hard to say$", request.text, re.MULTILINE)
    if found:
        return int(found[1])
    assert PROBE.reply in request.text
    return None


def verdict(answer: str = "A", reason: str = "it says so") -> str:
    return json.dumps({"reason": reason, "answer": answer})


def judging(script: Callable[[int, Request], str | Answer] = lambda number, request: verdict()) -> StubServer:
    """A server that answers the probe rightly, and queries as the script says."""

    def answer(request: Request) -> str | Answer:
        asked = number(request)
        return verdict(RIGHT) if asked is None else script(asked, request)

    return StubServer(answer)


def asked(server: StubServer) -> Counter[int | None]:
    """How often each query was asked; None is the probe."""
    return Counter(map(number, server.requests))


def endpoint(server: StubServer | str, *, key: str = KEY, model: str = MODEL, **options: float) -> Endpoint:
    """`options`: of `JudgeSettings`."""
    settings = replace(JudgeSettings(concurrency=4, timeout=5.0), **options)
    return Endpoint(model, server if isinstance(server, str) else server.url, key, settings)


class Once:
    """A script that answers each query with these in turn, and then with a verdict."""

    def __init__(self, *answers: str | Answer) -> None:
        self._answers = answers
        self._times: Counter[int] = Counter()

    def __call__(self, number: int, request: Request) -> str | Answer:
        times = self._times[number]
        self._times[number] += 1
        return self._answers[times] if times < len(self._answers) else verdict()


@dataclass
class Answers:
    """What came of asking."""

    votes: dict[int, Vote] = field(default_factory=dict)
    failed: dict[int, JudgeError] = field(default_factory=dict)
    stopped: str = ""

    def keep(self, unit: Unit, answer: Vote | JudgeError) -> None:
        kept: dict[int, Vote] | dict[int, JudgeError] = self.votes if isinstance(answer, Vote) else self.failed
        kept[int(unit.query.reply.split()[1].rstrip(":"))] = answer  # type: ignore[assignment]


def ask(endpoint: Endpoint, numbers: Iterable[int]) -> Answers:
    """One vote on each, without a store."""
    answers = Answers()
    try:
        for _ in Live()(endpoint, [Unit(query(number), 0) for number in numbers], answers.keep):
            pass
    except Unavailable as error:
        answers.stopped = str(error)
    return answers

"""Many votes at a time: so many and no more, from wherever they are asked for, and ended at once when nobody wants them any longer."""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from time import monotonic, sleep

import pytest
from scripted_judge import Answers, ask, asked, endpoint, judging, query, verdict
from stub_server import HANG, Answer, Request, StubServer

from cogsight.shared.errors import DataError
from cogsight.shared.judge import client
from cogsight.shared.judge.live import Live, Unit
from cogsight.shared.judge.query import JudgeError, Query
from cogsight.shared.judge.store import Vote

pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture(autouse=True)
def nothing_is_left(caplog: pytest.LogCaptureFixture) -> object:
    """No thread of ours, no task that was forgotten."""
    yield
    gc.collect()
    assert not [thread for thread in threading.enumerate() if "_run" in thread.name]
    records = [*caplog.get_records("call"), *caplog.get_records("teardown")]
    assert not [record for record in records if record.name == "asyncio" and record.levelno > logging.INFO]


def units(count: int) -> list[Unit]:
    return [Unit(query(number), 0) for number in range(count)]


def wait_for(server: StubServer, requests: int) -> None:
    deadline = monotonic() + 10
    while len(server.requests) < requests and monotonic() < deadline:
        sleep(0.01)
    assert len(server.requests) >= requests


def test_as_many_at_once_as_allowed_and_no_more() -> None:
    with judging(lambda number, request: Answer(verdict(), delay=0.1)) as server:
        assert len(ask(endpoint(server, concurrency=6), range(24)).votes) == 24
        assert server.most_at_once == 6
        assert asked(server) == {None: 1, **dict.fromkeys(range(24), 1)}


def test_as_many_tasks_as_requests_at_once_however_many_are_queued() -> None:
    tasks: list[int] = []

    def keep(unit: Unit, answer: Vote | JudgeError) -> None:
        tasks.append(len(asyncio.all_tasks()))

    with judging() as server:
        assert len(list(Live()(endpoint(server, concurrency=5), units(100), keep))) == 100
    assert max(tasks) <= 1 + 2 * 5, "a request under a time limit may be a task of its own"


def test_what_the_server_takes_is_remembered_from_call_to_call() -> None:
    def script(request: Request) -> str | Answer:
        return Answer("no seed here", status=400) if "seed" in request.body else verdict("B")

    live, answers = Live(), Answers()
    with StubServer(script) as server:
        for _ in range(3):
            list(live(endpoint(server), units(2), answers.keep))
        assert asked(server) == {None: 2, 0: 3, 1: 3}


def test_a_caller_that_has_an_event_loop_running() -> None:
    async def notebook() -> int:
        return len(ask(endpoint(server), range(5)).votes)

    with judging() as server:
        assert asyncio.run(notebook()) == 5


def test_several_callers_at_once() -> None:
    with judging(lambda number, request: Answer(verdict(), delay=0.02)) as server, ThreadPoolExecutor(4) as pool:
        got = list(pool.map(lambda first: ask(endpoint(server), range(first, first + 10)), (0, 10, 20, 30)))
        assert asked(server) == {None: 4, **dict.fromkeys(range(40), 1)}
    assert [set(answers.votes) for answers in got] == [set(range(first, first + 10)) for first in (0, 10, 20, 30)]


@pytest.mark.parametrize("answer", [HANG, Answer("boom", status=500), Answer("slow down", status=429)])
def test_who_stops_listening_ends_it_at_once(answer: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    """While requests hang, while workers sleep after a failure, and while all are held back."""
    monkeypatch.setattr(client, "WAITS", (60.0,) * 5)
    script = {0: verdict()}
    with judging(lambda number, request: script.get(number, answer)) as server:
        with closing(Live()(endpoint(server, timeout=60), units(50), lambda unit, answer: None)) as votes:
            next(votes)
            wait_for(server, 5)
            before = monotonic()
        assert monotonic() - before < 2
        count = len(server.requests)
        sleep(0.1)
        assert len(server.requests) <= count + 4


def test_what_goes_wrong_while_keeping_reaches_the_caller() -> None:
    def keep(unit: Unit, answer: Vote | JudgeError) -> None:
        raise DataError("disk full")

    with judging() as server, pytest.raises(DataError, match="disk full"):
        list(Live()(endpoint(server, concurrency=8), units(100), keep))
    assert len(server.requests) < 30


class Immediate(client.Client):
    """Answers without a network, and so all workers in the same turn of the loop."""

    async def probe(self) -> None:
        pass

    async def vote(self, query: Query, number: int) -> Vote:
        return Vote({"answer": "A"})


def test_of_errors_at_the_same_moment_one_is_raised_and_none_forgotten() -> None:
    def keep(unit: Unit, answer: Vote | JudgeError) -> None:
        raise DataError(unit.query.reply)

    live, there = Live(), endpoint("http://127.0.0.1:9/v1")
    live._client = Immediate(there)
    with pytest.raises(DataError, match="reply 0"):
        list(live(there, units(4), keep))


def test_connections_are_closed_after_the_last_worker_has_ended() -> None:
    ended: list[str] = []

    class Slow(Immediate):
        async def vote(self, query: Query, number: int) -> Vote:
            try:
                await asyncio.sleep(0 if "reply 0" in query.reply else 60)
            finally:
                await asyncio.sleep(0.05)
                ended.append("worker")
            return await super().vote(query, number)

        async def __aexit__(self, *exc: object) -> None:
            ended.append("connection")
            await super().__aexit__(*exc)

    live, there = Live(), endpoint("http://127.0.0.1:9/v1")
    live._client = Slow(there)
    with closing(live(there, units(4), lambda unit, answer: None)) as votes:
        next(votes)
    assert ended == ["worker"] * 4 + ["connection"]


def test_nothing_to_ask_is_no_request() -> None:
    with judging() as server:
        assert list(Live()(endpoint(server), [], lambda unit, answer: None)) == []
        assert not server.requests

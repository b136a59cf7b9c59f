"""Judging in batches over several runs: whatever ends one, and be it kill -9, loses nothing and pays for nothing twice."""

from __future__ import annotations

import os
import signal
from collections import deque
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from batch_place import BROKEN, Place, completed, in_a_process, queries
from batch_stub import BatchStub, Fault, Outcome, StubBatch

from cogsight.shared.judge.batch import Limits, Waits, unit_name
from cogsight.shared.judge.batch_server import Server
from cogsight.shared.judge.ledger import Ledger
from cogsight.shared.judge.live import Unit
from cogsight.shared.judge.store import Store


def test_the_time_limit_leaves_the_batch_for_the_next_run(place: Place, server: BatchStub) -> None:
    server.looks = 10_000
    place.run(queries(3), hours=0.05 / 3600)
    assert "has not ended 1 batches" in place.judge.problem
    server.looks = 1
    place.run(queries(3))
    assert place.judged(queries(3)) == ["B"] * 3
    assert len(server.batches) == 1
    assert server.log.count("chat") == 1, "to take up a batch no probe is needed"


def test_looks_come_at_growing_bounded_intervals() -> None:
    intervals = Waits(first=5, growth=1.5, longest=120).between_looks()
    found = [next(intervals) for _ in range(20)]
    assert found[:3] == [5, 7.5, 11.25] and found[-1] == 120
    assert sum(found) < 2000


def test_ctrl_c_leaves_the_batch_and_says_how_to_go_on(
    place: Place, server: BatchStub, capsys: pytest.CaptureFixture[str]
) -> None:
    server.looks = 10_000
    server.on_step = lambda step: os.kill(os.getpid(), signal.SIGINT) if step == "look" else None
    with pytest.raises(KeyboardInterrupt):
        place.run(queries(3))
    said = capsys.readouterr().err
    assert "batch_0" in said and "run this again" in said and ".cancel(" in said
    server.looks, server.on_step = 1, lambda step: None
    place.run(queries(3))
    assert place.judged(queries(3)) == ["B"] * 3
    assert len(server.batches) == 1


def test_more_is_sent_without_what_is_under_way(place: Place, server: BatchStub) -> None:
    server.looks = 10_000
    place.run(queries(3), hours=0)
    server.looks = 1
    place.run(queries(5))
    assert place.judged(queries(5)) == ["B"] * 5
    assert [len(entries) for entries in server.uploads.values()] == [3, 2]


def test_a_run_with_other_questions_leaves_a_batch_for_those_who_want_it(place: Place, server: BatchStub) -> None:
    server.looks = 10_000
    place.run(queries(4), hours=0)
    server.looks = 1
    place.run([*queries(1), *queries(2, start=4)])
    place.run(queries(6))
    assert place.judged(queries(6)) == ["B"] * 6
    assert set(server.times_sent.values()) == {1}


def test_rejudging_waits_for_its_own_batch(place: Place, server: BatchStub) -> None:
    place.run(queries(2))
    server.answer, server.looks = (lambda body: '{"reason": "r", "answer": "A"}'), 10_000
    place.run(queries(2), rejudge=True, hours=0)
    server.looks = 1
    place.run(queries(2), rejudge=True)
    assert place.judged(queries(2)) == ["A", "A"]
    assert len(server.batches) == 2


def test_failures_are_counted_over_runs(place: Place, server: BatchStub) -> None:
    def outcome(made: StubBatch) -> Outcome:
        server.looks = 10_000 if len(server.batches) == 2 else 1  # the second run is interrupted in its wait
        return Outcome([completed(entry, BROKEN) for entry in made.requests])

    server.outcome = outcome
    place.run(queries(1), hours=0)
    assert place.judge.problem
    server.looks = 1
    place.run(queries(1))
    assert sum(server.times_sent.values()) == 3


def test_two_processes_at_once_send_nothing_twice(place: Place, server: BatchStub) -> None:
    server.looks = 20
    both = [Place(server, place.path.parent) for _ in range(2)]
    threads = [Thread(target=one.run, args=(queries(40),)) for one in both]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.judged(queries(40)) for one in both] == [["B"] * 40] * 2
    assert set(server.times_sent.values()) == {1}


class Killed(BaseException):
    """What a kill is to a process, as far as it can be had inside of one."""


STEPS: list[tuple[type, str, bool]] = [
    (owner, name, after)
    for owner, name in (
        (Server, "upload"),
        (Ledger, "plan"),
        (Server, "make"),
        (Ledger, "made"),
        (Server, "look"),
        (Store, "add"),
        (Ledger, "settle"),
        (Server, "find"),
    )
    for after in (False, True)
]


@pytest.mark.parametrize(("owner", "name", "after"), STEPS, ids=lambda value: getattr(value, "__name__", str(value)))
@pytest.mark.parametrize("at", [1, 2])
def test_a_kill_at_any_step_loses_nothing_and_pays_for_nothing_twice(
    place: Place, server: BatchStub, monkeypatch: pytest.MonkeyPatch, owner: type, name: str, after: bool, at: int
) -> None:
    """Two files with two requests each; the step's first or second time is the process's last."""
    calls = 0
    usual = getattr(owner, name)

    def step(*args: Any, **kwargs: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == at and not after:
            raise Killed
        result = usual(*args, **kwargs)
        if calls == at:
            raise Killed
        return result

    if name == "find":  # asked only where a batch may have been made
        server.faults["make"] = deque([Fault(500)] * 2)
    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(owner, name, step)
        place.run(queries(4), limits=Limits(requests=2))
    server.faults.clear()
    place.run(queries(4), limits=Limits(requests=2))
    assert place.judged(queries(4)) == ["B"] * 4
    assert server.times_sent == {unit_name(Unit(query, 0)): 1 for query in queries(4)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("step", "done"), [("upload", True), ("make", False), ("make", True), ("look", True), ("download", True)]
)
def test_a_process_killed_at_any_request_is_taken_up(
    place: Place, server: BatchStub, tmp_path: Path, step: str, done: bool
) -> None:
    """kill -9 when the server gets the request; it does what it was asked, or does not."""
    child = in_a_process(server, tmp_path, "place.run(queries(4), limits=Limits(requests=2))")

    def kill(name: str) -> None:
        if name == step:
            server.on_step = lambda step: None
            server.faults[name] = deque([Fault(done=done)])
            child.kill()
            child.wait()

    server.on_step = kill
    child.communicate(timeout=60)
    assert child.returncode == -signal.SIGKILL
    place.run(queries(4), limits=Limits(requests=2))
    assert place.judged(queries(4)) == ["B"] * 4
    assert set(server.times_sent.values()) == {1}


VOILA = 30_039
"""Replies of one model to VOILA-WD."""


@pytest.mark.slow
def test_a_large_run_is_split_and_needs_no_memory_for_it(server: BatchStub, tmp_path: Path) -> None:
    """Four files of 25 MB each go up and four come down; the process grows by less than one of them."""
    work = (
        f"wanted = queries({VOILA})\n"
        "place.run(queries(1, start=len(wanted)))\n"  # what is imported on the way is no growth
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "place.run(wanted, limits=Limits(requests=10_000))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    server.slim = True
    child = in_a_process(server, tmp_path, work)
    grown, _ = child.communicate(timeout=300)
    assert [len(entries) for entries in server.uploads.values()] == [1, 10_000, 10_000, 10_000, 39]
    assert len(server.times_sent) == VOILA + 1 and set(server.times_sent.values()) == {1}
    assert server.sizes[1] > 20e6
    assert int(grown) * 1024 < server.sizes[1]
    place = Place(server, tmp_path)
    place.run(queries(VOILA))
    assert place.judged(queries(VOILA)) == ["B"] * VOILA
    assert len(server.batches) == 5

"""Judging in batches where the server does badly: downloads cut off, refusals, faults at every step, files and batches that are gone."""

from __future__ import annotations

import json
from collections import deque
from typing import Any

import pytest
from batch_place import KEY, Place, completed, queries
from batch_stub import BatchStub, Fault, Outcome, StubBatch

from cogsight.shared.judge import batch, batch_server
from cogsight.shared.judge.batch_server import Server


def test_a_line_separator_inside_a_text_ends_no_line(place: Place, server: BatchStub) -> None:
    said = json.dumps({"reason": "one\u2028two\x85three", "answer": "B"}, ensure_ascii=False)
    server.outcome = lambda made: Outcome([completed(entry, said) for entry in made.requests])
    place.run(queries(2))
    assert place.judged(queries(2)) == ["B"] * 2


@pytest.mark.parametrize("announced", [True, False], ids=["length announced", "length unknown"])
@pytest.mark.parametrize("sent", [0, 1, 1500, 2000])
def test_a_download_that_is_cut_off_is_begun_again(place: Place, server: BatchStub, sent: int, announced: bool) -> None:
    server.faults["download"] = deque([Fault(sent=sent, announced=announced)])
    place.run(queries(9))
    assert place.judged(queries(9)) == ["B"] * 9
    assert server.log.count("download") == 2
    assert set(server.times_sent.values()) == {1}, "nothing is paid for twice"


def test_a_download_that_never_ends_well_is_left_for_the_next_run(place: Place, server: BatchStub) -> None:
    server.faults["download"] = deque([Fault(sent=1000)] * 50)
    place.run(queries(9))
    assert "to its end" in place.judge.problem
    kept = [text for text in place.judged(queries(9)) if text]
    assert len(kept) == 2, "what came is kept"
    server.faults.clear()
    place.run(queries(9))
    assert place.judged(queries(9)) == ["B"] * 9
    assert len(server.batches) == 1


@pytest.mark.parametrize("fault", [Fault(429), Fault(500), Fault(503), Fault()], ids=["429", "500", "503", "closed"])
@pytest.mark.parametrize("step", ["upload", "make", "look", "download"])
def test_a_fault_at_any_step_is_overcome(place: Place, server: BatchStub, step: str, fault: Fault) -> None:
    server.faults[step] = deque([fault])
    place.run(queries(3))
    assert place.judged(queries(3)) == ["B"] * 3
    assert len(server.batches) == 1


@pytest.mark.parametrize("fault", [Fault(500, done=True), Fault(done=True)], ids=["500", "closed"])
def test_a_batch_made_without_an_answer_is_found_and_not_made_again(
    place: Place, server: BatchStub, fault: Fault
) -> None:
    server.faults["make"] = deque([Fault(500), Fault(429), fault])
    place.run(queries(3))
    assert place.judged(queries(3)) == ["B"] * 3
    assert len(server.batches) == 1


def test_a_batch_is_found_on_a_later_page(place: Place, server: BatchStub) -> None:
    place.run(queries(1))
    other = server.batches["batch_0"]
    server.batches |= {f"other_{n}": StubBatch(f"other_{n}", "f", {}, other.created, [], Outcome()) for n in range(7)}
    server.faults["make"] = deque([Fault(done=True)])
    found: list[int] = []
    server.on_step = lambda step: _add_newer(server) if step == "list" and not found.append(1) else None  # type: ignore[func-returns-value]
    place.run(queries(2, start=1))
    assert place.judged(queries(2, start=1)) == ["B"] * 2
    assert server.log.count("make") == 2


def _add_newer(server: BatchStub) -> None:
    created = server.batches["batch_0"].created
    for n in range(5):
        server.batches.setdefault(f"newer_{n}", StubBatch(f"newer_{n}", "f", {}, created, [], Outcome()))


def test_after_too_many_refusals_the_rest_is_left_and_nothing_is_made_twice(place: Place, server: BatchStub) -> None:
    server.faults["make"] = deque([Fault(429)] * 9)
    place.run(queries(3))
    assert "makes no batch now" in place.judge.problem
    server.faults.clear()
    place.run(queries(3))
    assert place.judged(queries(3)) == ["B"] * 3
    assert len(server.batches) == 1


@pytest.mark.parametrize("status", [400, 401, 403])
@pytest.mark.parametrize("step", ["upload", "make", "look"])
def test_a_refusal_ends_the_run_and_leaves_it_resumable(
    place: Place, server: BatchStub, step: str, status: int
) -> None:
    server.faults[step] = deque([Fault(status, f"no, {KEY}")])
    place.run(queries(3))
    if (step, status) != ("look", 400):
        assert str(status) in place.judge.problem and KEY not in place.judge.problem
    server.faults.clear()
    place.run(queries(3))
    assert place.judged(queries(3)) == ["B"] * 3
    assert len(server.batches) == 1
    assert "list" not in server.log, "after a refusal there is nothing to look for"


def test_a_server_without_batches_is_told_plainly(place: Place, server: BatchStub) -> None:
    server.has_batches = False
    place.run(queries(3))
    assert "no batch interface" in place.judge.problem and "without --batch" in place.judge.problem
    assert server.log == ["chat", "upload"]


def test_a_judge_that_cannot_judge_gets_no_batch(place: Place, server: BatchStub) -> None:
    server.faults["chat"] = deque([Fault(401)] * 9)
    place.run(queries(3))
    assert "401" in place.judge.problem
    assert server.log == ["chat"]


def test_a_batch_unknown_to_the_server_is_not_sent_again_while_it_may_live(
    place: Place, server: BatchStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.looks = 10_000
    place.run(queries(3), hours=0)
    server.batches.clear()
    place.run(queries(3))
    assert "another account" in place.judge.problem
    assert server.log.count("make") == 1
    monkeypatch.setattr(batch, "LIFE", 0.0)
    server.looks = 1
    place.run(queries(3))
    assert place.judged(queries(3)) == ["B"] * 3


def test_an_output_file_that_is_late_is_waited_for(place: Place, server: BatchStub) -> None:
    late = [True, True]
    shown = batch_server.Server.look

    def look(self: Server, name: str) -> Any:
        found = shown(self, name)
        if late and found and found.status == "completed":
            late.pop()
            found.output_file_id = None
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Server, "look", look)
        place.run(queries(3))
    assert place.judged(queries(3)) == ["B"] * 3
    assert len(server.batches) == 1


def test_a_deleted_output_is_asked_for_again(place: Place, server: BatchStub) -> None:
    server.on_step = lambda step: server.files.pop("out-batch_0", None) if step == "download" else None  # type: ignore[func-returns-value]
    place.run(queries(3))
    assert place.judged(queries(3)) == ["B"] * 3
    assert len(server.batches) == 2


def test_no_key_in_any_file_or_request_body(place: Place, server: BatchStub) -> None:
    server.looks = 10_000
    place.run(queries(3), hours=0)
    for path in place.path.parent.rglob("*"):
        assert KEY.encode() not in (path.read_bytes() if path.is_file() else b"")
    assert KEY not in json.dumps(server.uploads)
    assert {headers["authorization"] for headers in server.headers} == {f"Bearer {KEY}"}


def test_a_key_that_a_judge_quotes_is_not_kept(place: Place, server: BatchStub) -> None:
    server.answer = lambda body: json.dumps({"reason": f"your key is {KEY}", "answer": "B"})
    place.run(queries(3))
    kept = b"".join(path.read_bytes() for path in place.path.parent.rglob("*") if path.is_file())
    assert b"your key is [removed]" in kept and KEY.encode() not in kept

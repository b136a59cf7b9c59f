"""Judging in batches, against a scripted server: what is sent, what is kept, what is sent again, and that a kill at any step loses
nothing and pays for nothing twice."""

from __future__ import annotations

import json
import os
import signal
import ssl
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from batch_stub import BatchStub, Entry, Fault, Outcome, StubBatch, failed_line

from cogsight.shared.judge import batch, batch_server
from cogsight.shared.judge.batch import Batches, Limits, Waits, unit_name
from cogsight.shared.judge.batch_server import Server
from cogsight.shared.judge.endpoint import Endpoint
from cogsight.shared.judge.ledger import Ledger
from cogsight.shared.judge.live import Unit
from cogsight.shared.judge.model import ModelJudge
from cogsight.shared.judge.query import NOT_JUDGED, UNREADABLE, JudgeError, Query
from cogsight.shared.judge.store import Store
from cogsight.shared.sample import Picture
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


@pytest.fixture(autouse=True)
def no_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each client reads the certificates of the world, which takes longer than all the rest; the stub speaks plain HTTP."""
    monkeypatch.setattr(ssl.SSLContext, "load_verify_locations", lambda *args, **kwargs: None)


@pytest.fixture
def server() -> Iterator[BatchStub]:
    with BatchStub() as stub:
        yield stub


@pytest.fixture
def place(server: BatchStub, tmp_path: Path) -> Place:
    return Place(server, tmp_path)


def part(lines: Callable[[list[Entry]], list[Entry]], **others: Any) -> Callable[[StubBatch], Outcome]:
    """An outcome of the first batch that has only part of its lines; others are whole."""

    def outcome(made: StubBatch) -> Outcome:
        whole = [_completed(request) for request in made.requests]
        return Outcome(lines(whole), **others) if made.id == "batch_0" else Outcome(whole)

    return outcome


def _completed(request: Entry, text: str = '{"reason": "r", "answer": "B"}') -> Entry:
    return BatchStub().line(request, text)


def test_one_upload_one_batch_and_answers_in_any_order(place: Place, server: BatchStub) -> None:
    def by_reply(body: Entry) -> str:
        number = int(body["messages"][-1]["content"].split("I think ")[1].split("\n")[0])
        return json.dumps({"reason": "r", "answer": "AB"[number % 2]})

    server.answer = by_reply
    wanted = queries(30)
    server.looks = 3
    place.run(wanted)
    assert place.judged(wanted) == ["A", "B"] * 15
    assert server.log == ["chat", "upload", "make", "look", "look", "look", "download"]
    assert set(server.times_sent.values()) == {1} and len(server.times_sent) == 30
    place.run(wanted)
    assert len(server.log) == 7, "what is known is not asked again"


def test_a_request_is_what_a_live_one_would_be(place: Place, server: BatchStub) -> None:
    place.run(queries(1), votes=3)
    sent = server.uploads["file-0"]
    assert [(entry["method"], entry["url"]) for entry in sent] == [("POST", "/v1/chat/completions")] * 3
    assert [entry["custom_id"] for entry in sent] == [unit_name(Unit(queries(1)[0], number)) for number in range(3)]
    assert max(len(entry["custom_id"]) for entry in sent) <= 64
    bodies = [entry["body"] for entry in sent]
    assert [body["seed"] for body in bodies] == [0, 1, 2]
    assert {body["temperature"] for body in bodies} == {0} and {body["model"] for body in bodies} == {"m"}
    assert bodies[0]["response_format"]["json_schema"]["strict"] is True
    assert place.judge.verdict(queries(1)[0]).votes == 3


def test_what_the_server_does_not_take_is_left_out_of_batches_too(place: Place, server: BatchStub) -> None:
    server.faults["chat"] = deque([Fault(400, "Unsupported value: 'temperature'"), Fault(400, "no json_schema here")])
    place.run(queries(2))
    body = server.uploads["file-0"][0]["body"]
    assert "temperature" not in body and body["response_format"] == {"type": "json_object"}


def test_a_complaint_about_a_line_changes_the_next_round_once(place: Place, server: BatchStub) -> None:
    def outcome(made: StubBatch) -> Outcome:
        if any(entry["body"].get("response_format", {}).get("type") == "json_schema" for entry in made.requests):
            return Outcome([], [failed_line(entry, 400, message="schema: response_format") for entry in made.requests])
        return Outcome([server.line(entry) for entry in made.requests])

    server.outcome = outcome
    place.run(queries(4))
    assert place.judged(queries(4)) == ["B"] * 4
    formats = [entry[0]["body"]["response_format"]["type"] for entry in server.uploads.values()]
    assert formats == ["json_schema", "json_object"]


@pytest.mark.parametrize("limits", [Limits(requests=4), Limits(size=4 * 2600)], ids=["requests", "bytes"])
def test_many_requests_are_split(place: Place, server: BatchStub, limits: Limits) -> None:
    wanted = queries(10)
    place.run(wanted, limits=limits)
    assert place.judged(wanted) == ["B"] * 10
    assert [len(entries) for entries in server.uploads.values()] == [4, 4, 2]
    assert max(server.sizes) <= limits.size
    assert set(server.times_sent.values()) == {1}


def test_pictures_count_for_the_size_of_a_file(place: Place, server: BatchStub) -> None:
    data = Picture(b"\x89PNG" + bytes(3000))
    server.answer = lambda body: '{"reason": "r", "appearance": 2, "instruction": 2}'
    wanted = [Query("generated_image", "", {"question": f"Draw {n} balls."}, pictures=(data,)) for n in range(4)]
    place.run(wanted, limits=Limits(size=16_000))
    assert [len(entries) for entries in server.uploads.values()] == [2, 2]


def test_a_request_too_large_for_any_file_is_unreadable_and_alone_so(place: Place, server: BatchStub) -> None:
    long = Query("extract_option", "x" * 9000, TEXTS, letters=("A", "B"))
    place.run([long, *queries(2)], limits=Limits(size=4000))
    assert place.judged(queries(2)) == ["B", "B"]
    assert reason(place.judge, long) == UNREADABLE
    assert not place.judge.problem


def test_a_query_that_cannot_be_asked_is_alone_so(place: Place, server: BatchStub) -> None:
    lacking = Query("extract_option", "B", {"question": "Which?"}, letters=("A", "B"))
    place.run([lacking, *queries(2)])
    assert place.judged([lacking, *queries(2)]) == [None, "B", "B"]
    assert reason(place.judge, lacking) == NOT_JUDGED
    assert not place.judge.problem


def test_missing_lines_are_sent_again(place: Place, server: BatchStub) -> None:
    server.outcome = part(lambda lines: lines[:7], counts=False)
    place.run(queries(10))
    assert place.judged(queries(10)) == ["B"] * 10
    assert sorted(server.times_sent.values()) == [1] * 7 + [2] * 3
    assert [entry["body"]["seed"] for entry in server.uploads["file-1"]] == [1000] * 3, "another seed than the first"


def test_an_error_file_is_read_and_its_lines_are_sent_again(place: Place, server: BatchStub) -> None:
    def outcome(made: StubBatch) -> Outcome:
        good = [server.line(entry) for entry in made.requests[:-2]]
        bad = [failed_line(entry, status=500) for entry in made.requests[-2:]]
        return Outcome(good, bad) if made.id == "batch_0" else Outcome([server.line(e) for e in made.requests])

    server.outcome = outcome
    place.run(queries(5))
    assert place.judged(queries(5)) == ["B"] * 5
    assert [len(entries) for entries in server.uploads.values()] == [5, 2]
    assert server.log.count("download") == 3


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (lambda entry: failed_line(entry, status=400), UNREADABLE),
        (lambda entry: failed_line(entry, status=500), NOT_JUDGED),
        (lambda entry: failed_line(entry, code="server_error"), NOT_JUDGED),
        (lambda entry: _completed(entry, BROKEN), UNREADABLE),
        (lambda entry: _completed(entry, '{"reason": "r", "answer": "C"}'), UNREADABLE),
        (
            lambda entry: {**_completed(entry), "response": {"status_code": 200, "body": {"choices": [None]}}},
            UNREADABLE,
        ),
        (lambda entry: {**_completed(entry), "response": {"status_code": 200, "body": "gateway"}}, UNREADABLE),
        (lambda entry: {**_completed(entry), "response": None}, NOT_JUDGED),
    ],
)
def test_a_request_that_fails_three_times_is_given_up_and_alone_so(
    place: Place, server: BatchStub, line: Callable[[Entry], Entry], expected: str
) -> None:
    bad = unit_name(Unit(queries(1)[0], 0))

    def outcome(made: StubBatch) -> Outcome:
        return Outcome([line(e) if e["custom_id"] == bad else server.line(e) for e in made.requests], counts=False)

    server.outcome = outcome
    place.run(queries(3))
    assert place.judged(queries(3)) == [None, "B", "B"]
    assert reason(place.judge, queries(1)[0]) == expected
    assert not place.judge.problem
    assert server.times_sent[bad] == 3
    place.run(queries(3))
    assert server.times_sent[bad] == 6, "another run tries anew"


def test_failures_are_counted_over_runs(place: Place, server: BatchStub) -> None:
    def outcome(made: StubBatch) -> Outcome:
        server.looks = 10_000 if len(server.batches) == 2 else 1  # the second run is interrupted in its wait
        return Outcome([_completed(entry, BROKEN) for entry in made.requests])

    server.outcome = outcome
    place.run(queries(1), hours=0)
    assert place.judge.problem
    server.looks = 1
    place.run(queries(1))
    assert sum(server.times_sent.values()) == 3


def test_an_expired_batch_gives_what_it_has_and_the_rest_is_blameless(place: Place, server: BatchStub) -> None:
    def outcome(made: StubBatch) -> Outcome:
        lines = [server.line(entry) for entry in made.requests]
        late = [failed_line(entry, code="batch_expired") for entry in made.requests[1:]]
        return Outcome(lines[:1], late, "expired") if len(made.requests) > 1 else Outcome(lines)

    server.outcome = outcome
    place.run(queries(6))  # five expire in a row for the last one
    assert place.judged(queries(6)) == ["B"] * 6
    assert [len(entries) for entries in server.uploads.values()] == [6, 5, 4, 3, 2, 1]


def test_batches_that_bring_nothing_end(place: Place, server: BatchStub) -> None:
    server.outcome = lambda made: Outcome([], status="expired")
    place.run(queries(2))
    assert "nothing in 5 rounds" in place.judge.problem
    assert len(server.batches) == batch.IDLE
    server.outcome = part(lambda lines: lines)
    place.run(queries(2))
    assert place.judged(queries(2)) == ["B", "B"]


def test_a_cancelled_batch_gives_what_it_has_and_ends_the_run(place: Place, server: BatchStub) -> None:
    server.outcome = part(lambda lines: lines[:2], status="cancelled")
    place.run(queries(5))
    assert "cancel" in place.judge.problem
    assert len(server.batches) == 1, "who cancels does not want it sent again at once"
    place.run(queries(5))
    assert place.judged(queries(5)) == ["B"] * 5
    assert [len(entries) for entries in server.uploads.values()] == [5, 3]


def test_a_batch_that_the_server_finds_invalid_ends_the_run(place: Place, server: BatchStub) -> None:
    server.outcome = lambda made: Outcome(status="failed", codes=("invalid_model",))
    place.run(queries(2))
    assert "invalid_model" in place.judge.problem
    assert len(server.batches) == 1
    server.outcome = part(lambda lines: lines)
    place.run(queries(2))
    assert place.judged(queries(2)) == ["B", "B"]


def test_a_full_queue_makes_batches_smaller(place: Place, server: BatchStub) -> None:
    def outcome(made: StubBatch) -> Outcome:
        if len(made.requests) > 30:
            return Outcome(status="failed", codes=("token_limit_exceeded",))
        return Outcome([server.line(entry) for entry in made.requests])

    server.outcome = outcome
    wanted = queries(200)
    place.run(wanted, limits=Limits(requests=120))
    assert place.judged(wanted) == ["B"] * 200
    sizes = [len(entries) for entries in server.uploads.values()]
    assert sizes[:2] == [120, 80] and max(sizes[4:]) <= 30
    run = [name for made in server.batches.values() if len(made.requests) <= 30 for name in made.requests]
    assert len(run) == 200


def test_a_queue_full_of_other_things_ends_the_run(place: Place, server: BatchStub) -> None:
    server.outcome = lambda made: Outcome(status="failed", codes=("token_limit_exceeded",))
    place.run(queries(50))
    assert "token_limit_exceeded" in place.judge.problem
    assert [len(entries) for entries in server.uploads.values()] == [50, 25, 12, 6]


def test_strangers_and_doubles_in_the_output_do_nothing(
    place: Place, server: BatchStub, capsys: pytest.CaptureFixture[str]
) -> None:
    def outcome(made: StubBatch) -> Outcome:
        lines = [server.line(entry) for entry in made.requests]
        other = [_completed(entry, '{"reason": "r", "answer": "A"}') for entry in made.requests]
        return Outcome([*lines, *other, {**lines[0], "custom_id": "stranger"}])

    server.outcome = outcome
    place.run(queries(3))
    assert place.judged(queries(3)) == ["B"] * 3
    assert "ignored 1 answers" in capsys.readouterr().err
    assert len(server.batches) == 1


def test_lines_that_are_no_json_are_read_again_and_then_told(
    place: Place, server: BatchStub, capsys: pytest.CaptureFixture[str]
) -> None:
    def outcome(made: StubBatch) -> Outcome:
        lines: list[Entry | str] = [server.line(entry) for entry in made.requests]
        return Outcome(["<html>", *lines[1:], "[1]", "{}"]) if made.id == "batch_0" else Outcome(lines)

    server.outcome = outcome
    place.run(queries(3))
    assert place.judged(queries(3)) == ["B"] * 3
    assert "3 of them unreadable" in capsys.readouterr().err
    assert [len(entries) for entries in server.uploads.values()] == [3, 1]


def test_a_line_separator_inside_a_text_ends_no_line(place: Place, server: BatchStub) -> None:
    said = json.dumps({"reason": "one\u2028two\x85three", "answer": "B"}, ensure_ascii=False)
    server.outcome = lambda made: Outcome([_completed(entry, said) for entry in made.requests])
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


def in_a_process(server: BatchStub, folder: Path, work: str) -> subprocess.Popen[str]:
    """A process of its own whose `place` is one at this server and in this folder."""
    here = Path(__file__).parent
    script = "\n".join(
        (
            "import resource, sys",
            "from pathlib import Path",
            "from types import SimpleNamespace",
            f"sys.path[:0] = [{str(here)!r}, {str(here.parents[1])!r}]",
            "from test_batch import Limits, Place, queries",
            f"place = Place(SimpleNamespace(url={server.url!r}), Path({str(folder)!r}))",
            work,
        )
    )
    return subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)


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

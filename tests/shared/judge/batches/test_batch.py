"""Judging in batches, against a scripted server: what is sent, what is kept, and what is sent again."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable

import pytest
from batch_place import BROKEN, TEXTS, Place, completed, part, queries, reason
from batch_stub import BatchStub, Entry, Fault, Outcome, StubBatch, failed_line

from cogsight.shared.judge import batch
from cogsight.shared.judge.batch import Limits, unit_name
from cogsight.shared.judge.live import Unit
from cogsight.shared.judge.query import NOT_JUDGED, UNREADABLE, Query
from cogsight.shared.sample import Picture


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
        (lambda entry: completed(entry, BROKEN), UNREADABLE),
        (lambda entry: completed(entry, '{"reason": "r", "answer": "C"}'), UNREADABLE),
        (
            lambda entry: {**completed(entry), "response": {"status_code": 200, "body": {"choices": [None]}}},
            UNREADABLE,
        ),
        (lambda entry: {**completed(entry), "response": {"status_code": 200, "body": "gateway"}}, UNREADABLE),
        (lambda entry: {**completed(entry), "response": None}, NOT_JUDGED),
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
        other = [completed(entry, '{"reason": "r", "answer": "A"}') for entry in made.requests]
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

"""One vote, and all that can go wrong on the way to it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from time import monotonic
from typing import Any

import pytest
from scripted_judge import MODEL, Once, ask, asked, endpoint, judging, query, verdict
from stub_server import DROP, HANG, Answer, Request, StubServer

from cogsight.shared.judge import pace, trouble
from cogsight.shared.judge.client import IN_A_ROW, READINGS, WAITS, within
from cogsight.shared.judge.live import Live, Unit
from cogsight.shared.judge.query import NOT_JUDGED, UNREADABLE, JudgeError
from cogsight.shared.judge.store import Vote
from cogsight.shared.judge.trouble import Kind, of_status, retry_after

pytestmark = pytest.mark.usefixtures("quick")

SHORT = 0.25
"""Timeout, seconds, where a server hangs."""
HTML = Answer(raw="<!DOCTYPE html><title>Bad gateway</title>", headers={"Content-Type": "text/html"})

LOST = {
    "500": Answer("boom", status=500),
    "502 with a page": Answer(status=502, raw="<html>Bad gateway</html>"),
    "503": Answer("loading model", status=503),
    "503 with a wait": Answer("loading model", status=503, headers={"retry-after-ms": "20"}),
    "408": Answer("slow", status=408),
    "dropped": DROP,
    "half a body": Answer(verdict(), sent=40),
    "half JSON": Answer(raw='{"choices": [{"message": {"content"'),
    "a page": HTML,
    "JSON that is no object": Answer(raw='["A"]'),
    "an error with status 200": Answer(raw='{"error": {"message": "upstream", "code": 502}}'),
}
SILENT = {"hang": HANG, "only blanks": Answer(blanks=True)}
LIMITED = {
    "429": Answer("slow down", status=429),
    "429 for seconds": Answer("slow down", status=429, headers={"Retry-After": "0.02"}),
    "429 for milliseconds": Answer("slow down", status=429, headers={"retry-after-ms": "20"}),
    "429 for no time": Answer("slow down", status=429, headers={"Retry-After": "0"}),
    "429 until a date gone by": Answer("slow", status=429, headers={"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}),
    "429 with status 200": Answer(raw='{"error": {"message": "rate-limited", "code": 429}}'),
}
NO_VERDICT = {
    "no choices": Answer(raw='{"choices": []}'),
    "choices are null": Answer(raw='{"choices": null}'),
    "no message": Answer(raw='{"choices": [{"finish_reason": "stop"}]}'),
    "no content": Answer(None),
    "a refusal": Answer(None, message={"refusal": "I cannot do that"}),
    "cut off": Answer(verdict(), finish="length"),
    "filtered": Answer(verdict(), finish="content_filter"),
    "prose": Answer("It is A, I think."),
    "another schema": Answer('{"grade": 5}'),
    "a letter that is no option": Answer(verdict("Z")),
    "half a verdict": Answer(verdict()[:-4]),
    "two verdicts": Answer(verdict("A") + verdict("B")),
}
FILTERED = Answer("The prompt triggered the content management policy", status=400)


HOPELESS = {
    **{name: (answer, len(WAITS) + 1, NOT_JUDGED) for name, answer in LOST.items()},
    **{name: (answer, READINGS, UNREADABLE) for name, answer in NO_VERDICT.items()},
    "content filter": (FILTERED, 1, UNREADABLE),
    "413": (Answer("too long", status=413), 1, UNREADABLE),
    "moderation": (Answer("flagged by moderation", status=403), 1, UNREADABLE),
    "larger than the limit": (Answer("Request too large for grader on tokens per min", status=429), 1, UNREADABLE),
}
"""What one query may always get: the answer, how often it is asked, and the reason in the end."""


@pytest.mark.parametrize(
    ("answers", "timeout"),
    [({**LOST, **LIMITED}, 20.0), (SILENT, SHORT), (NO_VERDICT, 20.0)],
    ids=["lost", "silent", "no verdict"],
)
def test_what_goes_wrong_once_is_asked_for_again(answers: dict[str, Answer], timeout: float) -> None:
    once = {number: Once(answer) for number, answer in enumerate(answers.values())}
    with judging(lambda number, request: once[number](number, request)) as server:
        got = ask(endpoint(server, timeout=timeout, concurrency=32), range(len(answers)))
        assert {vote.values["answer"] for vote in got.votes.values()} == {"A"}
        assert {name: asked(server)[at] for at, name in enumerate(answers)} == dict.fromkeys(answers, 2)
    assert not got.failed


def test_what_is_no_verdict_is_asked_for_with_another_seed() -> None:
    with judging(Once(Answer("hm"), Answer("hm"))) as server:
        assert len(ask(endpoint(server), (1,)).votes) == 1
        assert len({request.body["seed"] for request in server.requests[1:]}) == 3


def check_hopeless(hopeless: dict[str, tuple[Answer, int, str]], others: int, timeout: float) -> None:
    answers = [answer for answer, _, _ in hopeless.values()]
    with judging(lambda number, request: answers[number] if number < len(answers) else verdict()) as server:
        got = ask(endpoint(server, timeout=timeout, concurrency=32), range(len(answers) + others))
        counts = asked(server)
    assert set(got.votes) == set(range(len(answers), len(answers) + others))
    assert {name: (counts[at], got.failed[at].reason) for at, name in enumerate(hopeless)} == {
        name: (tries, reason) for name, (_, tries, reason) in hopeless.items()
    }
    assert all(MODEL in str(error) for error in got.failed.values())
    assert not got.stopped


def test_a_query_that_cannot_be_judged_does_not_hold_up_the_others() -> None:
    check_hopeless(HOPELESS, others=30, timeout=20.0)


def test_nor_does_one_that_is_never_answered() -> None:
    silent = {name: (answer, len(WAITS) + 1, NOT_JUDGED) for name, answer in SILENT.items()}
    check_hopeless(silent, others=3, timeout=SHORT)


@pytest.mark.parametrize(
    "answer",
    [
        *(Answer("no", status=status) for status in (401, 402, 403, 404)),
        Answer(status=429, raw=json.dumps({"error": {"message": "You have no money", "code": "insufficient_quota"}})),
    ],
    ids=["401", "402", "403", "404", "quota"],
)
def test_a_judge_that_refuses_in_the_middle_stops_everything_at_once(answer: Answer) -> None:
    with judging(lambda number, request: answer if number == 4 else verdict()) as server:
        answers = ask(endpoint(server, concurrency=1), range(1, 100))
        assert list(answers.votes) == [1, 2, 3]
        assert sum(asked(server).values()) == 5
    assert str(answer.status) in answers.stopped
    assert not answers.failed


@pytest.mark.parametrize("answer", [Answer("boom", status=500), Answer("nonsense"), FILTERED])
def test_a_judge_that_has_broken_down_is_found_out_by_a_probe(answer: Answer) -> None:
    with StubServer(lambda request: verdict("B") if len(server.requests) < 6 else answer) as server:
        answers = ask(endpoint(server, concurrency=1), range(100))
        assert len(answers.votes) == 4
        assert len(answers.failed) == IN_A_ROW - 1, "the one after which the probe fails is left open"
    assert answers.stopped


def test_bad_queries_in_a_row_are_not_taken_for_a_bad_judge() -> None:
    with judging(lambda number, request: FILTERED if number < 7 else verdict()) as server:
        answers = ask(endpoint(server, concurrency=1), range(10))
        assert asked(server) == {None: 3, **dict.fromkeys(range(10), 1)}
    assert len(answers.failed) == 7
    assert len(answers.votes) == 3
    assert not answers.stopped


def test_many_that_fail_at_once_cause_one_probe() -> None:
    with judging(lambda number, request: Answer("no", status=400, delay=0.1)) as server:
        ask(endpoint(server, concurrency=12), range(12))
        assert asked(server)[None] <= 1 + 12 // IN_A_ROW
        assert sum(asked(server).values()) <= 12 + 1 + 12 // IN_A_ROW


@pytest.mark.parametrize(
    ("answer", "calls", "said"),
    [
        (DROP, 3, "does not answer"),
        (HANG, 3, f"does not answer within {SHORT} s"),
        (HTML, 3, "no JSON object"),
        (Answer("boom", status=500), 12, "500: boom"),
        (Answer("no", status=400), 4, "400: no"),
        (Answer("who are you", status=401), 1, "401: who are you"),
        (Answer("no such model", status=404), 1, "404: no such model"),
        (Answer("hello"), 4, "hello"),
        (Answer(verdict("A")), 1, "misreads a plain answer"),
    ],
    ids=["dropped", "hang", "page", "500", "400", "401", "404", "prose", "misread"],
)
def test_a_judge_that_fails_its_probe_is_asked_nothing_else(answer: Answer, calls: int, said: str) -> None:
    """Where it says something, in each of the four ways to ask for JSON."""
    with StubServer(lambda request: answer) as server:
        answers = ask(endpoint(server, timeout=SHORT), (1, 2))
        assert asked(server) == {None: calls}
    assert said in answers.stopped
    assert f"the judge {MODEL} at 127.0.0.1:" in answers.stopped
    assert not answers.votes
    assert not answers.failed


def test_nobody_there() -> None:
    with StubServer() as server:
        url = server.url
    answers = ask(endpoint(url), (1, 2))
    assert "does not answer" in answers.stopped
    assert "tried 3 times" in answers.stopped


def names(*fields: str, status: int = 400) -> Callable[[dict[str, Any]], Answer | None]:
    """A server that does not take these, and names the first that is there."""

    def check(body: dict[str, Any]) -> Answer | None:
        found = [field for field in fields if field in json.dumps(body)]
        return Answer(f"Unsupported parameter: '{found[0]}'", status=status) if found else None

    return check


def strict(body: dict[str, Any]) -> Answer | None:
    """As servers on pydantic say it: no sentence, only a list of findings."""
    found = [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]
    return Answer(status=422, raw=json.dumps({"detail": found})) if "seed" in body else None


def mute(*fields: str, status: int) -> Callable[[dict[str, Any]], Answer | None]:
    """A server that does not take these, and does not say why."""
    return lambda body: Answer("error", status=status) if any(field in json.dumps(body) for field in fields) else None


@pytest.mark.parametrize(
    ("check", "absent", "present"),
    [
        (names("response_format"), {"response_format"}, {"seed", "temperature", "max_tokens"}),
        (names("json_schema"), {"json_schema"}, {"json_object"}),
        (names("response_format", status=422), {"response_format"}, {"seed"}),
        (names("response_format", status=500), {"response_format"}, {"seed"}),
        (names("seed"), {"seed"}, {"json_schema", "temperature"}),
        (names("seed", status=500), {"seed"}, {"json_schema", "temperature"}),
        (strict, {"seed"}, {"json_schema"}),
        (names("max_tokens", "temperature"), {"max_tokens", "temperature"}, {"max_completion_tokens", "json_schema"}),
        (names("seed", "temperature", "max_tokens", "response_format"), {"seed", "response_format"}, {"messages"}),
        (mute("json_schema", status=400), {"json_schema"}, {"json_object", "seed"}),
        (mute("response_format", status=500), {"response_format"}, {"seed"}),
        (mute("response_format", "seed", status=400), {"response_format", "seed"}, {"temperature"}),
    ],
)
def test_what_a_server_does_not_take_is_left_out_from_the_probe_on(
    check: Callable[[dict[str, Any]], Answer | None], absent: set[str], present: set[str]
) -> None:
    def script(request: Request) -> str | Answer:
        return check(request.body) or verdict("B")

    with StubServer(script) as server:
        answers = ask(endpoint(server), range(5))
        assert len(answers.votes) == 5
        for request in server.requests[-5:]:
            words = json.dumps({**request.body, "messages": ["messages"]})
            assert not any(f'"{name}"' in words for name in absent)
            assert all(f'"{name}"' in words for name in present)
        assert sum(count for who, count in asked(server).items() if who is not None) == 5, "learnt by the probe alone"


def test_a_dialect_that_one_query_needs_in_the_middle_is_learnt_then() -> None:
    def script(number: int, request: Request) -> str | Answer:
        return Answer("seed is gone", status=400) if number >= 2 and "seed" in request.body else verdict()

    with judging(script) as server:
        assert len(ask(endpoint(server, concurrency=1), range(6)).votes) == 6
        assert asked(server) == {None: 1, 2: 2, **dict.fromkeys((0, 1, 3, 4, 5), 1)}


def test_a_complaint_that_only_sounds_like_one_changes_nothing() -> None:
    with judging(lambda number, request: Answer("seed money", status=400) if number == 1 else verdict()) as server:
        answers = ask(endpoint(server, concurrency=1), (1, 2))
        assert "seed" in server.requests[-1].body
    assert list(answers.failed) == [1]


@pytest.mark.parametrize("status", [429, 503])
def test_a_wait_that_one_is_told_holds_back_everybody(status: int) -> None:
    arrived: list[float] = []
    limit = Answer("slow down", status=status, headers={"retry-after-ms": "400"})

    def script(number: int, request: Request) -> str | Answer:
        arrived.append(monotonic())
        return limit if len(arrived) == 3 else Answer(verdict(), delay=0.02)

    with judging(script) as server:
        assert len(ask(endpoint(server, concurrency=3), range(12)).votes) == 12
    late = [moment - arrived[2] for moment in arrived if moment > arrived[2] + 0.1]
    assert len(late) >= 8
    assert min(late) > 0.38


@pytest.mark.parametrize(
    "headers",
    [{}, {"Retry-After": "0"}, {"retry-after-ms": "40"}, {"retry-after-ms": "1"}],
    ids=["none", "zero", "short", "shortest"],
)
def test_patience_with_too_many_requests_ends_and_is_no_hot_loop(
    headers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pace, "PATIENCE", 0.4)
    monkeypatch.setattr(pace, "LEAST", 0.5)  # the longest wait is 50 ms here, not a minute
    with judging(lambda number, request: Answer("slow down", status=429, headers=headers)) as server:
        answers = ask(endpoint(server, concurrency=2), range(5))
        assert len(server.requests) < 30
    assert "429: slow down, for 0.4 s" in answers.stopped


def test_each_answer_renews_the_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "PATIENCE", 0.3)
    limit = Answer("slow down", status=429, headers={"retry-after-ms": "100"})
    with judging(Once(limit, limit)) as server:
        answers = ask(endpoint(server, concurrency=1), range(3))
    assert len(answers.votes) == 3, "0.6 s of waiting in all"


def test_a_wait_longer_than_patience_stops_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = Answer("come back tomorrow", status=429, headers={"Retry-After": "86400"})
    with judging(lambda number, request: limit) as server:
        before = monotonic()
        answers = ask(endpoint(server, concurrency=1), range(5))
    assert monotonic() - before < 3
    assert "left alone for 86400 s" in answers.stopped


def test_a_long_wait_is_told_of_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(pace, "WORTH_TELLING", 0.1)
    limit = Answer("slow down", status=429, headers={"retry-after-ms": "200"})
    with judging(Once(limit)) as server:
        ask(endpoint(server, concurrency=4), range(4))
    assert capsys.readouterr().err.count("has us wait 0 s") == 1


NOW = datetime(2026, 11, 30, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "x", "retry-after": "9"}, 9),
        ({"retry-after": "0"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": format_datetime(NOW + timedelta(seconds=90), usegmt=True)}, 90),
        ({"retry-after": format_datetime((NOW + timedelta(seconds=90)).replace(tzinfo=None))}, 90),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, None),
    ],
)
@pytest.mark.skipif(not hasattr(time, "tzset"), reason="Windows cannot move to Tokyo")
def test_retry_after(headers: dict[str, str], seconds: float | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trouble, "time", NOW.timestamp)
    with monkeypatch.context() as tokyo:
        tokyo.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        found = retry_after(headers)
    time.tzset()
    assert found == (None if seconds is None else pytest.approx(seconds))


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, Kind.UNFIT),
        (405, Kind.UNFIT),
        (413, Kind.UNFIT),
        (401, Kind.REFUSED),
        (429, Kind.TOO_MANY),
        (500, Kind.BROKEN),
        (529, Kind.BROKEN),
        (408, Kind.BROKEN),
    ],
)
def test_what_a_status_means(status: int, kind: Kind) -> None:
    assert of_status(status, "x", {}).kind is kind


@pytest.mark.parametrize(
    "body",
    ['{"error": {"message": "why"}}', '{"error": "why"}', '{"message": "why"}', "why", '"why"'],
)
def test_the_sentence_in_an_error(body: str) -> None:
    assert of_status(500, body, {}).text == "answers 500: why"


def test_a_page_as_an_error_is_cut() -> None:
    with StubServer(lambda request: Answer(status=401, raw="<html>\n" + "x" * 100_000)) as server:
        stopped = ask(endpoint(server), (1,)).stopped
    assert len(stopped) < 500
    assert "\n" not in stopped


def test_a_vote_says_who_answered_and_what_it_took() -> None:
    answer = Answer(verdict(), model="grader-2026-11-01", completion_tokens=7)
    with judging(lambda number, request: answer) as server:
        assert ask(endpoint(server), (1,)).votes[1] == Vote(
            {"reason": "it says so", "answer": "A"}, "grader-2026-11-01", 1, 7
        )


@pytest.mark.parametrize("extra", [{"usage": None}, {"usage": {"prompt_tokens": None}}, {"model": None}])
def test_a_completion_with_nothing_but_the_verdict(extra: dict[str, Any]) -> None:
    parts = [{"type": "thinking", "text": verdict("B")}, {"type": "text", "text": verdict("A")}]
    raw = json.dumps({"choices": [{"message": {"content": parts}}], **extra})
    with judging(lambda number, request: Answer(raw=raw)) as server:
        assert ask(endpoint(server), (1,)).votes[1].values["answer"] == "A"


@pytest.mark.parametrize("key", ["A", "B", "1", "answer", "choices", 'a key that ends "\\'])
def test_a_key_may_be_a_word_of_the_verdict(key: str) -> None:
    said = Answer(verdict("A", f"{key} it is"))
    with judging(lambda number, request: said) as server:
        answers = ask(endpoint(server, key=key), (1,))
    assert answers.votes[1].values == {"reason": "[removed] it is", "answer": "A"}


@pytest.mark.parametrize("charset", ["utf-16", "base64", "rot13", "none-such", "iso-8859-1"])
def test_json_is_utf_8_whatever_the_header_says(charset: str) -> None:
    raw = b"\xef\xbb\xbf" + json.dumps({"choices": [{"message": {"content": verdict("A", "größer")}}]}).encode()
    answer = Answer(raw=raw, headers={"Content-Type": f"application/json; charset={charset}"})
    with judging(lambda number, request: answer) as server:
        assert ask(endpoint(server), (1,)).votes[1].values["reason"] == "größer"


def test_what_is_asked_for() -> None:
    with judging() as server:
        ask(endpoint(server, max_tokens=77), (1,))
        request = server.requests[-1]
    assert request.path == "/v1/chat/completions"
    assert {name: request.body[name] for name in ("model", "temperature", "seed", "max_tokens")} == {
        "model": MODEL,
        "temperature": 0,
        "seed": 0,
        "max_tokens": 77,
    }
    assert request.body["response_format"]["json_schema"]["strict"] is True


def test_no_proxy_stands_before_a_server_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with judging() as server:
        assert len(ask(endpoint(server), (1,)).votes) == 1


def test_a_query_that_does_not_fit_its_template_is_not_sent() -> None:
    blank = replace(query(1), reference={"question": " ", "options": "A"})
    kept: list[object] = []
    with judging() as server:
        list(Live()(endpoint(server), [Unit(blank, 0), Unit(query(2), 0)], lambda unit, answer: kept.append(answer)))
        assert asked(server) == {None: 1, 2: 1}
    assert sorted(type(answer).__name__ for answer in kept) == [JudgeError.__name__, Vote.__name__]


@pytest.mark.parametrize("steps", range(6))
def test_a_cancellation_is_not_lost_when_the_answer_comes_at_the_same_moment(steps: int) -> None:
    async def race() -> bool:
        answer = asyncio.get_running_loop().create_future()

        async def request() -> int:
            return int(await answer)

        task = asyncio.ensure_future(within(10, request()))
        await asyncio.sleep(0.01)
        answer.set_result(1)
        for _ in range(steps):
            await asyncio.sleep(0)
        cancelled = task.cancel()
        await asyncio.wait((task,))
        return cancelled == task.cancelled()

    assert asyncio.run(race())


def test_a_time_limit_ends_what_it_limits() -> None:
    async def limited() -> bool:
        with pytest.raises(asyncio.TimeoutError):
            await within(0.01, asyncio.sleep(60))
        return len(asyncio.all_tasks()) == 1

    assert asyncio.run(limited())

"""A model as the judge: what is asked, what is kept, what is told; and that nothing is paid for twice."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import quote

import pytest
from scripted_judge import KEY, MODEL, asked, endpoint, judging, number, queries, query, verdict
from stub_server import HANG, Answer, Request, StubServer

from cogsight.shared import progress
from cogsight.shared.errors import DataError
from cogsight.shared.judge import prompts
from cogsight.shared.judge.endpoint import Endpoint
from cogsight.shared.judge.model import ModelJudge, decide
from cogsight.shared.judge.query import NOT_JUDGED, UNREADABLE, JudgeError, Query
from cogsight.shared.judge.store import Store, Vote
from cogsight.shared.redact import REMOVED

pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "judgements.sqlite"


def judge(endpoint: Endpoint, store: Path, numbers: Iterable[int] = (), rejudge: bool = False) -> ModelJudge:
    """A run of its own, which has judged these."""
    found = ModelJudge(endpoint, store=store, rejudge=rejudge)
    found.ask(queries(numbers))
    return found


def answers(judge: ModelJudge, numbers: Iterable[int]) -> str:
    """Each one's answer; "-" where there is none."""

    def answer(query: Query) -> str:
        try:
            return str(judge.verdict(query).values["answer"])
        except JudgeError:
            return "-"

    return "".join(map(answer, queries(numbers)))


def of_number(number: int, request: Request) -> str:
    """Its own answer for each query."""
    return verdict("ABC"[number % 3])


def test_each_is_asked_once_after_one_probe_and_never_again(store: Path) -> None:
    with judging(of_number) as server:
        first = judge(endpoint(server), store, range(20))
        assert answers(first, range(20)) == "ABC" * 6 + "AB"
        assert asked(server) == {None: 1, **dict.fromkeys(range(20), 1)}
        second = judge(endpoint(server), store, range(20))
        assert answers(second, range(20)) == "ABC" * 6 + "AB"
        assert len(server.requests) == 21, "not even a probe"
        second.ask(queries(range(25)))
        second.ask(queries(range(30)))
        assert asked(server) == {None: 2, **dict.fromkeys(range(30), 1)}, "one probe for a run"


def test_identical_replies_are_judged_once(store: Path) -> None:
    with judging() as server:
        found = ModelJudge(endpoint(server), store=store)
        assert found.ask([query(1), query(2), query(1), query(1)]) == 2
        assert asked(server) == {None: 1, 1: 1, 2: 1}
        assert found.ask([query(1), query(2)]) == 0


def test_models_and_versions_of_a_template_are_apart(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with judging() as server:
        for model in ("one", "two", "one"):
            judge(endpoint(server, model=model), store, (1,))
        assert asked(server) == {None: 2, 1: 2}
        old = prompts.TEMPLATES
        new = {**old, "extract_option": replace(old["extract_option"], version="next")}
        for templates in (new, old, new):
            monkeypatch.setattr(prompts, "TEMPLATES", templates)
            judge(endpoint(server, model="one"), store, (1,))
        assert asked(server) == {None: 3, 1: 3}


def test_three_votes_are_three_calls_with_three_seeds(store: Path) -> None:
    with judging() as server:
        judge(endpoint(server, votes=3), store, range(5))
        assert asked(server) == {None: 1, **dict.fromkeys(range(5), 3)}
        assert {request.body["seed"] for request in server.requests if number(request) == 2} == {0, 1, 2}


def test_one_vote_is_made_up_to_three_and_three_do_for_one(store: Path) -> None:
    with judging() as server:
        judge(endpoint(server), store, (1, 2))
        more = judge(endpoint(server, votes=3), store, (1, 2))
        assert asked(server) == {None: 2, 1: 3, 2: 3}
        assert more.verdict(query(1)).votes == 3
        assert judge(endpoint(server), store, (1, 2)).verdict(query(1)).votes == 1
        assert len(server.requests) == 8


def test_the_majority_decides_and_a_tie_is_unreadable(store: Path) -> None:
    cast = {1: "ABB", 2: "ABC", 3: "CCC"}
    with judging(lambda number, request: verdict(cast[number][request.body["seed"]])) as server:
        found = judge(endpoint(server, votes=3), store, cast)
        assert [found.verdict(query(n)).values["answer"] for n in (1, 3)] == ["B", "C"]
        assert [found.verdict(query(n)).agreement for n in (1, 3)] == [2 / 3, 1.0]
        with pytest.raises(JudgeError, match="3 votes on answer, and no majority") as caught:
            found.verdict(query(2))
        assert caught.value.reason == UNREADABLE
        count = len(server.requests)
        assert judge(endpoint(server, votes=3), store, cast).problem == ""
        assert len(server.requests) == count, "more of the same votes would say the same"


def test_the_majority_is_by_field_and_the_explanation_one_that_agrees() -> None:
    template = next(
        name for name, template in prompts.TEMPLATES.items() if sum(field.counts for field in template.fields) == 3
    )
    fields = [field.name for field in prompts.TEMPLATES[template].fields if field.counts]
    asked = Query(template, "reply")
    cast = ((1, 1, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (0, 0, 1))
    votes = [
        Vote({**dict(zip(fields, values, strict=True)), "reason": str(n)}, f"m{n}") for n, values in enumerate(cast)
    ]
    decided = decide(asked, votes)
    assert [decided.values[name] for name in fields] == [1, 1, 0]
    assert (decided.values["reason"], decided.agreement, decided.votes, decided.model) == ("0", 2 / 5, 5, "m0")
    with pytest.raises(JudgeError, match=r"2 votes on .*, and no majority"):
        decide(asked, votes[:2])
    alone = decide(asked, votes[1:3] + votes[4:])
    assert alone.agreement == 0
    assert "reason" not in alone.values


def test_rejudging_replaces_every_vote(store: Path) -> None:
    with judging(lambda number, request: verdict("A")) as server:
        judge(endpoint(server, votes=3), store, range(4))
    with judging(lambda number, request: verdict("B")) as server:
        found = judge(endpoint(server), store, range(4), rejudge=True)
        assert asked(server) == {None: 1, **dict.fromkeys(range(4), 1)}
        assert answers(found, range(4)) == "BBBB"
        found.ask(queries(range(4)))
        assert len(server.requests) == 5, "once a run"
    assert [vote and vote.values["answer"] for vote in Store(store).votes(MODEL, query(1), 3)] == ["B", None, None]


def test_rejudging_by_a_judge_that_does_not_answer_costs_no_verdict(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with judging() as server:
        judge(endpoint(server), store, range(4))
        found = judge(replace(endpoint(server), base_url="http://127.0.0.1:9/v1"), store, range(4), rejudge=True)
        assert answers(found, range(4)) == "----", "nor is an old one given out as new"
        assert "not judged: 4 of 4" in capsys.readouterr().err
        assert answers(judge(endpoint(server), store), range(4)) == "AAAA"


def test_rejudging_that_stops_in_the_middle_goes_on_without_asking_anew(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with judging() as server:
        judge(endpoint(server), store, range(6))
    with judging(lambda number, request: verdict("B") if number < 3 else Answer("no", status=401)) as server:
        found = judge(endpoint(server, concurrency=1), store, range(6), rejudge=True)
        assert answers(found, range(6)) == "BBB---"
        assert "run this again without --rejudge to go on" in capsys.readouterr().err
    with judging(lambda number, request: verdict("C")) as server:
        assert answers(judge(endpoint(server), store, range(6)), range(6)) == "BBBCCC"
        assert set(asked(server)) == {None, 3, 4, 5}


def test_what_fails_is_asked_again_in_the_next_run_but_not_in_this_one(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with judging(lambda number, request: verdict("A" if number else "nonsense")) as server:
        found = judge(endpoint(server), store, range(3))
        assert found.ask(queries(range(3))) == 0
        assert asked(server)[0] == 3
        with pytest.raises(JudgeError, match="nonsense") as caught:
            found.verdict(query(0))
        assert caught.value.reason == UNREADABLE
        assert "no verdict on 1 replies, which the next run asks for again; the first: " in capsys.readouterr().err
        server.script = lambda request: verdict("B")
        assert answers(judge(endpoint(server), store, range(3)), range(3)) == "BAA"


def test_a_judge_that_stops_keeps_what_it_has_and_says_what_is_left(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    money = Answer(status=429, raw='{"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}')
    with judging(lambda number, request: money if number == 6 else verdict()) as server:
        found = judge(endpoint(server, concurrency=1), store, range(10))
        assert answers(found, range(10)) == "AAAAAA----"
        with pytest.raises(JudgeError) as caught:
            found.verdict(query(8))
        assert caught.value.reason == NOT_JUDGED
        assert "answers 429: You exceeded your quota" in str(caught.value) == found.problem
        assert found.ask(queries(range(10))) == 0, "nothing more in this run"
        assert len(server.requests) == 8
    error = capsys.readouterr().err
    assert f"{found.problem}; not judged: 4 of 10. What is judged is kept: run this again to go on\n" in error
    with judging() as server:  # at another address
        judge(endpoint(server), store, range(10))
        assert set(asked(server)) == {None, 6, 7, 8, 9}


def test_votes_are_counted_as_replies_in_what_is_left(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with judging(lambda number, request: verdict() if number < 2 else Answer("no", status=402)) as server:
        judge(endpoint(server, concurrency=1, votes=3), store, range(4))
    assert "not judged: 2 of 4." in capsys.readouterr().err


def test_one_that_dies_and_comes_back_elsewhere_is_asked_only_for_the_rest(store: Path) -> None:
    with judging() as server:
        dying = server

        def script(request: Request) -> str | Answer:
            if len(dying.requests) > 8:
                return Answer(raw=b"", sent=0)
            return verdict("A" if number(request) is not None else "B")

        server.script = script
        found = judge(endpoint(server, concurrency=1), store, range(20))
        assert found.problem
        done = 20 - answers(found, range(20)).count("-")
        assert done == 7
    with judging() as server:
        assert answers(judge(endpoint(server), store, range(20)), range(20)) == "A" * 20
        assert sum(asked(server).values()) == 1 + 20 - done


def test_one_that_misreads_the_probe_judges_nothing(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with StubServer(lambda request: verdict("A")) as server:
        found = judge(endpoint(server), store, range(5))
        assert len(server.requests) == 1
    assert "misreads a plain answer, B, as A: it cannot judge, name another" in found.problem
    assert "not judged: 5 of 5" in capsys.readouterr().err


def test_another_model_under_the_same_name_is_told_of_once(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def script(number: int, request: Request) -> Answer:
        return Answer(verdict(), model=f"grader-{number // 4}")

    with judging(script) as server:
        found = judge(endpoint(server, concurrency=1), store, range(12))
        error = capsys.readouterr().err
        assert error.count("come from different models, grader-0 and grader-1:") == 1
        assert error.count("different models") == 1
        assert found.verdict(query(0)).model == "grader-0"
        assert found.verdict(query(11)).model == "grader-2"
        again = judge(endpoint(server), store)
        assert answers(again, range(12)) == "A" * 12
        assert "come from different models" in capsys.readouterr().err


def test_one_model_is_not_told_of(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with judging(lambda number, request: Answer(verdict(), model="grader-2026-11-01")) as server:
        judge(endpoint(server), store, range(5))
    assert "different" not in capsys.readouterr().err


def test_threads_that_ask_the_same_pay_once(store: Path) -> None:
    with judging(lambda number, request: Answer(verdict(), delay=0.01)) as server, ThreadPoolExecutor(4) as pool:
        found = ModelJudge(endpoint(server), store=store)
        list(pool.map(lambda _: found.ask(queries(range(20))), range(4)))
        assert asked(server) == {None: 1, **dict.fromkeys(range(20), 1)}


def test_a_store_that_cannot_be_written_is_found_out_before_the_first_call(store: Path) -> None:
    with judging() as server:
        found = ModelJudge(endpoint(server), store=store)
        found._store._db.execute("PRAGMA query_only = 1")
        with pytest.raises(DataError, match=r"judgements\.sqlite: cannot keep verdicts here: .* COGSIGHT_CACHE"):
            found.ask(queries(range(5)))
        assert not server.requests


def test_a_disk_that_fills_up_ends_it_with_what_there_is(store: Path) -> None:
    with judging() as server:
        found = ModelJudge(endpoint(server), store=store)
        found._store._db.execute("PRAGMA max_page_count = 3")
        with pytest.raises(DataError, match="disk is full; free some space"):
            found.ask(queries(range(100)))
        assert len(server.requests) < 60
        kept = answers(found, range(100)).count("A")
        assert kept > 5
        judge(endpoint(server), store, range(100))
        assert sum(count for who, count in asked(server).items() if who is not None) <= 100 + 4


def test_progress_where_there_is_no_terminal(
    store: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.0)
    with judging() as server:
        judge(endpoint(server), store, range(3))
    assert capsys.readouterr().err.splitlines() == [
        f"judging by {MODEL}: 3",
        *(f"judging by {MODEL}: {done}/3" for done in (1, 2, 3)),
    ]


QUOTES: Mapping[str, Callable[[str], Answer]] = {
    "as it is": lambda key: Answer(f"bad key {key}!", status=400),
    "in JSON": lambda key: Answer(status=400, raw=json.dumps({"error": {"message": f"bad key {key}!"}})),
    "in JSON in JSON": lambda key: Answer(status=400, raw=json.dumps({"raw": json.dumps({"message": f"key {key}!"})})),
    "in Python": lambda key: Answer(status=400, raw=f"bad key {key!r}"),
    "in a URL": lambda key: Answer(status=400, raw=f"http://h/?key={quote(key, safe='')}"),
    "in a page": lambda key: Answer(status=500, raw=f"<html>{'x' * 320} {key}</html>"),
    "at a cut": lambda key: Answer(raw="y" * (198 - len(key)) + f" {key}"),
    "in no verdict": lambda key: Answer("n" * (195 - len(key)) + f" {key}"),
    "in a refusal": lambda key: Answer(None, message={"refusal": f"not for {key}"}),
    "at the end of a long reason": lambda key: Answer(verdict("B", reason="y" * (998 - len(key)) + f" {key}")),
    "in a verdict": lambda key: Answer(verdict("B", reason=f"your key is {key}"), model=key),
}
"""How a server may quote a key."""


@pytest.mark.parametrize(
    ("key", "alone"), [(KEY, KEY[:-2]), ("sk-proj-0123456789abcdef", "sk-proj-0123"), ("k3y", " k3y")]
)
def test_the_key_is_nowhere(
    key: str,
    alone: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Not in a file, a log, an output, or an exception with all that caused it, however a server quotes it."""
    caplog.set_level(logging.DEBUG)
    said: list[str] = []
    quotes = [quoting(key) for quoting in QUOTES.values()]
    with judging(lambda number, request: quotes[number]) as server:
        found = judge(endpoint(server, key=key), tmp_path / "judgements.sqlite", range(len(quotes)))
        assert server.requests[-1].headers["authorization"] == f"Bearer {key}"
        for asked_for in queries(range(len(quotes))):
            try:
                said.append(str(found.verdict(asked_for)))
            except JudgeError as error:
                said += traceback.format_exception(error)
        server.script = lambda request: Answer(f"bad key {key}!", status=401)
        stopped = judge(endpoint(server, key=key), tmp_path / "judgements.sqlite", (99,))
    said += [stopped.problem, repr(stopped.endpoint), *capfd.readouterr(), caplog.text]
    said += [path.read_bytes().decode("latin-1") for path in tmp_path.rglob("*") if path.is_file()]
    assert f"bad key {REMOVED}!" in stopped.problem
    assert sum(REMOVED in text for text in said) > len(quotes)
    for form in (
        alone,
        json.dumps(alone)[1:-1],
        json.dumps(json.dumps(alone))[2:-2],
        repr(alone)[1:-1],
        quote(alone, ""),
    ):
        assert not [text for text in said if form in text]


@pytest.mark.parametrize(
    "odd",
    [
        {"model": "g\ud800\x1b[31m"},
        {"model": {"name": "g"}},
        {"usage": {"prompt_tokens": 10**30, "completion_tokens": -1}},
    ],
)
def test_what_no_file_can_hold_does_not_end_the_judging(odd: dict[str, Any], store: Path) -> None:
    raw = json.dumps({"choices": [{"message": {"content": verdict()}}], **odd})
    with judging(lambda number, request: Answer(raw=raw)) as server:
        found = judge(endpoint(server), store, (1,))
    assert found.verdict(query(1)).values["answer"] == "A"
    assert found.verdict(query(1)).model.isprintable()


RUN = """
import sys
from pathlib import Path
from scripted_judge import endpoint, queries
from cogsight.shared.judge.model import ModelJudge
url, store, count, concurrency = sys.argv[1:]
print("ready", flush=True)
ModelJudge(endpoint(url, concurrency=int(concurrency), timeout=60), store=Path(store)).ask(queries(range(int(count))))
"""
"""A run in a process of its own."""


def start(
    server: StubServer, store: Path, count: int, concurrency: int, stderr: int = subprocess.PIPE
) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", RUN, server.url, str(store), str(count), str(concurrency)]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def wait_for(server: StubServer, requests: int) -> None:
    deadline = monotonic() + 30
    while len(server.requests) < requests and monotonic() < deadline:
        server.closing.wait(0.01)
    assert len(server.requests) >= requests


def kept(store: Path, numbers: Iterable[int]) -> set[int]:
    found = Store(store)
    return {number for number in numbers if found.votes(MODEL, query(number), 1) != [None]}


@pytest.mark.slow
@pytest.mark.parametrize("kill_after", [1, 30, 117])
def test_kill_9_loses_nothing_and_repeats_nothing_that_was_complete(store: Path, kill_after: int) -> None:
    """What is under way at the kill may be asked again: at most as many as are asked at once."""
    concurrency, count = 8, 150
    with judging(lambda number, request: Answer(verdict(), delay=0.03)) as server:
        with start(server, store, count, concurrency) as process:
            wait_for(server, kill_after)
            process.kill()
        complete = kept(store, range(count))
        assert len(complete) >= kill_after - 1 - concurrency
        with start(server, store, count, concurrency) as process:
            assert process.wait(timeout=60) == 0
        counts = asked(server)
        assert kept(store, range(count)) == set(range(count))
    assert all(counts[number] == 1 for number in complete)
    assert sum(counts[number] - 1 for number in range(count)) <= concurrency
    assert Store(store)._db.execute("PRAGMA integrity_check") == [("ok",)]


@pytest.mark.slow
@pytest.mark.parametrize("answer", [HANG, Answer("slow down", status=429), Answer("boom", status=500)])
@pytest.mark.parametrize("probed", [True, False])
def test_ctrl_c_ends_it_at_once_and_keeps_what_there_is(store: Path, answer: Answer, probed: bool) -> None:
    """While requests hang, while all wait for a limit to pass, and between tries; after the probe and during it."""
    probe = verdict("B") if probed else answer

    def script(request: Request) -> str | Answer:
        asked = number(request)
        return probe if asked is None else verdict() if asked < 3 else answer

    with StubServer(script) as server, start(server, store, 50, 5) as process:
        wait_for(server, 9 if probed else 1)
        before = monotonic()
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=30)
        assert monotonic() - before < 3
        assert process.returncode not in (0, None)
        assert f"interrupted; not judged: {47 if probed else 50} of 50. What is judged is kept: run this again" in error
        assert error.count("Traceback") == 1, "the interrupt's own"
        assert "KeyboardInterrupt" in error.splitlines()[-1]
    assert kept(store, range(50)) == (set(range(3)) if probed else set())


@pytest.mark.slow
def test_processes_on_one_store_get_the_same_verdicts(store: Path) -> None:
    """Each has its own replies and some that all have."""
    with judging(lambda number, request: Answer(verdict("ABC"[len(server.requests) % 3]), delay=0.01)) as server:
        runs = [start(server, store, count, 4) for count in (60, 60, 100)]
        for run in runs:
            assert run.communicate(timeout=60)
            assert run.returncode == 0
        counts = asked(server)
        assert kept(store, range(100)) == set(range(100))
        assert all(1 <= counts[number] <= 3 for number in range(100))
        before = len(server.requests)
        judge(endpoint(server), store, range(100))
        assert len(server.requests) == before


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_a_bar_on_a_terminal(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    ours, theirs = os.openpty()
    shown = b""
    slow = judging(lambda number, request: Answer(verdict(), delay=0.2))
    with slow as server, start(server, store, 6, 1, stderr=theirs) as process:
        os.close(theirs)
        with suppress(OSError):  # the other end is closed
            while piece := os.read(ours, 4096):
                shown += piece
    os.close(ours)
    assert process.returncode == 0
    assert f"judging by {MODEL}" in shown.decode()
    assert "━" in shown.decode()
    assert b"\x1b[" in shown

"""The judge in lmms-eval: asked once about all replies of a task, however lmms-eval then calls for the scores."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chatty
import pytest
import stand_in
from datasets import Dataset
from stub_server import StubServer

from cogsight.shared import registry
from cogsight.shared.dataset import to_row
from cogsight.shared.frameworks.lmms import tasks
from cogsight.shared.judge import client

NAME = "stand_in"
ROWS = [{name: cell for name, cell in to_row(stand_in.sample(n)).items() if name != "images"} for n in range(6)]
TEXTS = ["A", *map(chatty.reply, range(1, 6))]
ANSWERS = {1: "B", 2: "C", 3: "A", 4: "A"}
POINTS = [1.0, 1.0, 1.0, 1.0, 0.0, 0.0]


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(registry, "benchmarks", lambda: {NAME: stand_in.BENCHMARK})
    monkeypatch.setattr(client, "PROBE_WAITS", (0.01,))
    monkeypatch.setenv("COGSIGHT_CACHE", str(tmp_path))
    chatty.forget(monkeypatch)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[StubServer]:
    with chatty.judge(ANSWERS, delay=0.05) as found:
        chatty.name(monkeypatch, found.url)
        yield found


def bound(texts: Sequence[str] = TEXTS) -> Any:
    """A loaded task with these replies, as far as we touch it."""
    instances = [
        SimpleNamespace(doc_id=n, filtered_resps={"none": text}, token_counts=[], args=())
        for n, text in enumerate(texts)
    ]
    rows = Dataset.from_list(ROWS)
    process_results = partial(tasks.process_results, variant=NAME)
    config = SimpleNamespace(process_results=process_results, metadata={})
    task = SimpleNamespace(config=config, instances=instances, eval_docs_no_media=rows, eval_docs=rows)
    tasks.bind(task, "chat")
    return task


def scored(task: Any, texts: Sequence[str] = TEXTS, threads: int = 4) -> list[dict[str, Any]]:
    """As lmms-eval asks for it: a few documents at a time."""
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda n: task.config.process_results(ROWS[n], [texts[n]]), range(len(texts))))


def test_all_replies_are_judged_at_once(server: StubServer) -> None:
    found = scored(bound(), threads=1)
    assert [metrics["accuracy"]["score"] / 100 for metrics in found] == POINTS
    assert chatty.judged(server) == [1, 2, 3, 4, 5]
    assert server.most_at_once == 5
    assert len(server.requests) == 6, "one probe"


def test_threads_wait_for_the_first(server: StubServer) -> None:
    found = scored(bound(), threads=6)
    assert [metrics["accuracy"]["score"] / 100 for metrics in found] == POINTS
    assert chatty.judged(server) == [1, 2, 3, 4, 5]


def test_a_second_run_asks_nothing(server: StubServer) -> None:
    first = scored(bound())
    before = len(server.requests)
    assert scored(bound()) == first
    assert len(server.requests) == before


def test_a_reply_that_nobody_foresaw_is_judged_when_it_comes(server: StubServer) -> None:
    """Such as one that a filter or --reasoning_tags has changed."""
    task = bound([*TEXTS[:5], "B"])
    assert [metrics["accuracy"]["score"] / 100 for metrics in scored(task)] == POINTS
    assert chatty.judged(server) == [1, 2, 3, 4, 5]


def test_the_record_says_who_decided_and_why(server: StubServer) -> None:
    by_rules, judged, *_ = (metrics["cogsight"] for metrics in scored(bound()))
    assert (by_rules["judged_by"], by_rules["judgement"]) == ("rules", None)
    assert (judged["judged_by"], judged["rule"], judged["value"]) == (chatty.MODEL, "judge", "B")
    assert judged["judgement"] == {
        "prompts": ["extract_option-1.1"],
        "model": chatty.SERVED,
        "votes": 1,
        "agreement": 1.0,
        "explanation": chatty.SAID,
    }
    assert judged["versions"]["judge"] == chatty.MODEL
    assert judged == json.loads(json.dumps(judged)), "plain values only"


def test_the_table_names_the_judge(server: StubServer, capsys: pytest.CaptureFixture[str]) -> None:
    found = scored(bound())
    assert tasks.accuracy([metrics["accuracy"] for metrics in found], NAME) == pytest.approx(100 * 4 / 6)
    printed = capsys.readouterr().out
    assert f"Stand-in (stand_in, judge {chatty.MODEL}): 66.7 %" in printed
    assert f"judge {chatty.MODEL}, judge served by {chatty.SERVED}, judge prompt extract_option-1.1, votes 1" in printed
    assert "83.3 % of the replies were decided by the judge" in printed
    assert chatty.KEY not in printed + json.dumps(found)


def test_without_a_judge_it_is_said_how_many_stay_unread(capsys: pytest.CaptureFixture[str]) -> None:
    found = scored(bound())
    assert [metrics["cogsight"]["reason"] for metrics in found] == ["right", *["unparsed"] * 5]
    tasks.accuracy([metrics["accuracy"] for metrics in found], NAME)
    printed = capsys.readouterr().out
    assert "Stand-in (stand_in): 16.7 %" in printed
    assert (
        "Decided by rules alone. 5 replies stay unread: no judge is named (OPENAI_API_KEY alone names none)." in printed
    )
    assert "COGSIGHT_JUDGE_MODEL" in printed and "cogsight score LOG --judge MODEL --out DIR" in printed


def test_a_judge_that_is_not_there_leaves_the_run_incomplete(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with chatty.judge({}) as server:
        chatty.name(monkeypatch, server.url)
    found = scored(bound())
    assert [metrics["cogsight"]["reason"] for metrics in found] == ["right", *["not_judged"] * 5]
    assert [metrics["unjudged"] for metrics in found] == [0.0, *[100.0] * 5]
    assert {metrics["lost"] for metrics in found} == {0.0}
    tasks.accuracy([metrics["accuracy"] for metrics in found], NAME)
    said = capsys.readouterr()
    assert "INCOMPLETE, no score. not judged: 5" in said.out
    assert "Not judged: cogsight score LOG --out DIR" in said.out
    assert tasks.complete([metrics["complete"] for metrics in found], NAME) == 0.0
    assert chatty.MODEL in said.err and chatty.KEY not in said.err + said.out


def test_a_judge_that_cannot_be_used_ends_the_program_before_the_model_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGSIGHT_JUDGE_MODEL", chatty.MODEL)
    with pytest.raises(SystemExit, match="cogsight: a judge is named, but no key"):
        bound()
    monkeypatch.setenv("COGSIGHT_JUDGE_VOTES", "2")
    with pytest.raises(SystemExit, match="cogsight: COGSIGHT_JUDGE_VOTES=2: expected an odd number"):
        tasks.process_docs(None, NAME)  # type: ignore[arg-type]

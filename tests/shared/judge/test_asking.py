"""Scoring in rounds: all that must be asked at once, then scored with the verdicts."""

from __future__ import annotations

import asyncio
import tracemalloc
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from scripted_judge import asked, endpoint, judging, queries, query, verdict
from stub_server import Answer, Request

from cogsight.shared.judge.asking import ROUNDS, Scorer, score_all
from cogsight.shared.judge.client import PROBE, Client
from cogsight.shared.judge.model import ModelJudge
from cogsight.shared.judge.query import Judge, JudgeError
from cogsight.shared.sample import Score

pytestmark = pytest.mark.usefixtures("quick")


def chain(*numbers: int) -> Scorer:
    """Asks one after another, and goes on only where the answer is A."""

    def scorer(judge: Judge | None) -> Score:
        if judge is None:
            return Score("rules", 0, 0.0, "unparsed")
        said = ""
        try:
            for number in numbers:
                said += str(judge.verdict(query(number)).values["answer"])
                if said[-1] != "A":
                    break
        except JudgeError as error:
            return Score(said, 0, None, error.reason)
        return Score(said, 0, 1.0, "right", judged_by=judge.name)

    return scorer


def run(
    script: Callable[[int, Request], str | Answer], store: Path, *scorers: Scorer
) -> tuple[str, dict[int | None, int]]:
    with judging(script) as server:
        scores = score_all(scorers, ModelJudge(endpoint(server, concurrency=1), store=store / "judgements.sqlite"))
        return " ".join(f"{score.sample_id}:{score.reason}" for score in scores), dict(asked(server))


def test_without_a_judge_the_rules_decide_alone() -> None:
    assert [score.sample_id for score in score_all([chain(1), chain(2)], None)] == ["rules"] * 2


def test_what_no_scorer_asks_costs_nothing(tmp_path: Path) -> None:
    assert run(lambda number, request: verdict(), tmp_path, chain(), chain()) == (":right :right", {})


def test_each_round_knows_the_verdicts_before_it_and_asks_each_once(tmp_path: Path) -> None:
    def script(number: int, request: Request) -> str:
        return verdict("B" if number == 2 else "A")

    said, counts = run(script, tmp_path, chain(1, 2, 3), chain(4, 5, 6, 1), chain(7), chain())
    assert said == "AB:right AAAA:right A:right :right"
    assert counts == {None: 1, **dict.fromkeys((1, 2, 4, 5, 6, 7), 1)}


def test_the_scores_that_were_done_stay_when_the_judge_stops(tmp_path: Path) -> None:
    def script(number: int, request: Request) -> str | Answer:
        return Answer("no", status=401) if number == 5 else verdict()

    said, counts = run(script, tmp_path, chain(1), chain(4, 5), chain(2, 3))
    assert said == "A:right A:not_judged A:not_judged"
    assert counts == {None: 1, 1: 1, 4: 1, 2: 1, 5: 1}
    again, counts = run(lambda number, request: verdict(), tmp_path, chain(1), chain(4, 5), chain(2, 3))
    assert again == "A:right AA:right AA:right"
    assert counts == {None: 1, 5: 1, 3: 1}


def test_what_was_judged_before_the_judge_stopped_counts(tmp_path: Path) -> None:
    def script(number: int, request: Request) -> str | Answer:
        return Answer("no", status=401) if number == 5 else verdict()

    said, _ = run(script, tmp_path, chain(1), chain(5), chain(2))
    assert said == "A:right :not_judged :not_judged"


def test_one_that_cannot_be_judged_is_asked_in_one_round_only(tmp_path: Path) -> None:
    said, counts = run(
        lambda number, request: verdict() if number != 1 else Answer("no", status=400), tmp_path, chain(1), chain(2, 3)
    )
    assert said == ":judge_unreadable AA:right"
    assert counts[1] == 1


def test_the_last_round_is_scored_too_and_rounds_have_an_end(tmp_path: Path) -> None:
    said, counts = run(lambda number, request: verdict(), tmp_path, chain(*range(ROUNDS)), chain(*range(100, 120)))
    assert said == f"{'A' * ROUNDS}:right {'A' * ROUNDS}:not_judged"
    assert sum(counts.values()) == 1 + 2 * ROUNDS


def test_a_scorer_may_go_on_after_a_missing_verdict_and_ask_more(tmp_path: Path) -> None:
    def both(judge: Judge | None) -> Score:
        return Score("".join(chain(number)(judge).sample_id for number in (1, 2)), 0, 1.0, "right")

    said, counts = run(lambda number, request: verdict(), tmp_path, both)
    assert said == "AA:right"
    assert counts == {None: 1, 1: 1, 2: 1}


@pytest.mark.slow
def test_ten_thousand_in_the_queue_take_little_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the queries themselves less than 500 bytes each; a task for each would be thousands. The network is left out, `bench` has it."""
    tasks: list[int] = []

    async def send(client: Client, fields: dict[str, Any]) -> dict[str, Any]:
        await asyncio.sleep(0)
        tasks.append(len(asyncio.all_tasks()))
        answer = verdict("B" if PROBE.reply in fields["messages"][-1]["content"] else "A")
        return {"choices": [{"message": {"content": answer}}], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}

    monkeypatch.setattr(Client, "_send", send)
    many = queries(range(10_000))
    judge = ModelJudge(endpoint("http://127.0.0.1:9/v1", concurrency=32), store=tmp_path / "judgements.sqlite")
    import_module("openai")  # not to be counted
    tracemalloc.start()
    try:
        assert judge.ask(many) == 10_000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak / 10_000 < 500
    assert max(tasks) <= 1 + 32
    assert judge.missing(many) == []

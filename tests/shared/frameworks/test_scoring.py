"""From replies to scores: a judge is asked all at once, what it said is kept, and whatever goes wrong is ours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import chatty
import pytest
import stand_in

from cogsight.shared.benchmark import Benchmark
from cogsight.shared.errors import CogsightError
from cogsight.shared.frameworks.judges import JudgeOptions, Judges, judge_of
from cogsight.shared.frameworks.scoring import LONGEST, Attempt, score, score_all
from cogsight.shared.judge import client
from cogsight.shared.judge.model import ModelJudge
from cogsight.shared.judge.query import Judge, JudgeError, Query, Verdict
from cogsight.shared.redact import REMOVED, redact
from cogsight.shared.sample import Judgement, Reply, Score

BENCHMARK, VARIANT = stand_in.BENCHMARK, stand_in.VARIANTS[0]
ATTEMPTS = [Attempt(stand_in.sample(n), [Reply(chatty.reply(n))]) for n in range(6)]
QUERY = Query("extract_option", "the reply", letters=("A", "B"))


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    chatty.forget(monkeypatch)
    monkeypatch.setenv("COGSIGHT_CACHE", str(tmp_path))
    monkeypatch.setattr(client, "PROBE_WAITS", (0.01,))


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelJudge]:
    """Reads replies 0 to 2 as the right answer, 3 and 4 as a wrong one, nothing in 5."""
    with chatty.judge({0: "A", 1: "B", 2: "C", 3: "C", 4: "A"}) as server:
        chatty.name(monkeypatch, server.url)
        found = Judges().of(BENCHMARK)
        assert found
        yield found


def scored_by(function: Any) -> Benchmark:
    return replace(BENCHMARK, score=function)


def test_a_judge_decides_and_what_it_said_stays_with_the_score(judge: ModelJudge) -> None:
    scores = score_all(BENCHMARK, VARIANT, ATTEMPTS, judge)
    assert [score.reason for score in scores] == [*["right"] * 3, *["wrong"] * 2, "unparsed"]
    assert {score.judged_by for score in scores} == {chatty.MODEL}
    (judgement,) = {score.judgement for score in scores}
    assert judgement == Judgement(("extract_option-1.1",), chatty.SERVED, 1, 1.0, chatty.SAID)


def test_without_a_judge_the_rules_decide_alone() -> None:
    scores = score_all(BENCHMARK, VARIANT, ATTEMPTS)
    assert {(score.reason, score.judged_by, score.judgement) for score in scores} == {("unparsed", "rules", None)}


def test_a_reply_that_rules_read_has_no_judgement(judge: ModelJudge) -> None:
    (found,) = score_all(BENCHMARK, VARIANT, [Attempt(stand_in.sample(0), [Reply("A")], 3)], judge)
    assert (found.points, found.attempt, found.judged_by, found.judgement) == (1.0, 3, "rules", None)


class Says:
    """A judge that says what it is told to."""

    name = "says"

    def __init__(self, *verdicts: Verdict | Exception) -> None:
        self.verdicts = list(verdicts)

    def verdict(self, query: Query) -> Verdict:
        found = self.verdicts.pop(0)
        if isinstance(found, Exception):
            raise found
        return found


def asking(times: int) -> Benchmark:
    """A benchmark whose score asks so often."""

    def function(sample: Any, variant: Any, replies: Sequence[Reply], judge: Judge, attempt: int) -> Score:
        for _ in range(times):
            judge.verdict(QUERY)
        return Score(sample.id, attempt, 1.0, "right", judged_by=judge.name)

    return scored_by(function)


def test_several_verdicts_on_one_reply_are_one_judgement() -> None:
    said = (
        Verdict({"reason": "one", "answer": "A"}, 3, 1.0, "m-1"),
        Verdict({"answer": "B", "reason": "two"}, 3, 2 / 3, "m-2"),
    )
    found = score(asking(2), VARIANT, ATTEMPTS[0], Says(*said)).judgement
    assert found == Judgement(("extract_option-1.1",), "m-1, m-2", 3, 2 / 3, "one; two")


def test_an_explanation_can_always_be_kept() -> None:
    said = Verdict({"reason": "\ud83d" + "x" * 1000, "answer": "A"})
    found = score(asking(1), VARIANT, ATTEMPTS[0], Says(said)).judgement
    assert found and len(found.explanation) == LONGEST and found.explanation.encode() and found.explanation[0] == "?"


@pytest.mark.parametrize("reason", ["not_judged", "judge_unreadable"])
def test_a_benchmark_need_not_catch_what_a_judge_raises(reason: str) -> None:
    found = score(asking(1), VARIANT, ATTEMPTS[0], Says(JudgeError("no verdict", reason)))
    assert (found.points, found.reason, found.detail) == (None, reason, "no verdict")


def test_a_scorer_that_fails_is_our_fault() -> None:
    (found,) = score_all(scored_by(lambda *_: 1 / 0), VARIANT, [ATTEMPTS[0]._replace(number=2)])
    assert (found.points, found.reason, found.attempt) == (None, "scorer_failed", 2)
    assert found.detail == "ZeroDivisionError: division by zero"


@pytest.mark.parametrize("failure", [JudgeError("the disk is full"), ValueError("a bug")])
def test_a_judge_that_breaks_down_leaves_what_rules_read(
    failure: Exception, judge: ModelJudge, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(queries: Any) -> int:
        raise failure

    monkeypatch.setattr(judge, "ask", broken)
    scores = score_all(BENCHMARK, VARIANT, [*ATTEMPTS, Attempt(stand_in.sample(0), [Reply("A")], 1)], judge)
    assert [found.reason for found in scores] == [*["not_judged"] * 6, "right"]
    assert scores[0].points is None and str(failure) in scores[0].detail
    assert f"judging by {chatty.MODEL} has stopped: " in capsys.readouterr().err


def test_a_judge_that_is_not_there_leaves_what_rules_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with chatty.judge({}) as server:
        chatty.name(monkeypatch, server.url)
    scores = score_all(
        BENCHMARK, VARIANT, [*ATTEMPTS, Attempt(stand_in.sample(0), [Reply("A")], 1)], Judges().of(BENCHMARK)
    )
    assert [found.reason for found in scores] == [*["not_judged"] * 6, "right"]
    assert chatty.KEY not in capsys.readouterr().err + scores[0].detail


# --- which judge


def test_options_win_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    chatty.name(monkeypatch, "http://127.0.0.1:1/v1")
    options = JudgeOptions("other", "http://127.0.0.1:2/v1/chat/completions", "some-other-key", votes=5, concurrency=2)
    found = judge_of(BENCHMARK, options)
    assert found and (found.model, found.base_url, found.api_key) == (
        "other",
        "http://127.0.0.1:2/v1",
        "some-other-key",
    )
    assert (found.options.votes, found.options.concurrency) == (5, 2)
    assert judge_of(BENCHMARK, JudgeOptions("none")) is None


def test_a_benchmark_knows_whom_its_paper_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGSIGHT_JUDGE_API_KEY", chatty.KEY)
    found = judge_of(replace(BENCHMARK, judge_model="the paper's"))
    assert found and (found.model, found.host) == ("the paper's", "api.openai.com")


def test_a_key_that_came_by_an_option_is_kept_secret() -> None:
    JudgeOptions(api_key="told/by an option")
    assert redact({"detail": "the key told/by an option is wrong"}) == {"detail": f"the key {REMOVED} is wrong"}


def test_one_judge_for_all_that_have_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    chatty.name(monkeypatch, "http://127.0.0.1:1/v1")
    judges = Judges()
    assert judges.of(BENCHMARK) is judges.of(replace(BENCHMARK, name="another"))


def test_an_even_number_of_votes_has_no_majority() -> None:
    with pytest.raises(CogsightError, match="--votes 2: expected an odd number"):
        JudgeOptions(votes=2)

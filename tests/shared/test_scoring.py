"""From a reply to a score: what is the model's failure, what is ours, and when a judge is asked.

The table of answer types is a stub that reads "=X" as X and "?outcome" as that outcome; the real rules have their own tests.
"""

from __future__ import annotations

import pytest

from cogsight.shared import scoring
from cogsight.shared.answers import AnswerType, Choices
from cogsight.shared.errors import CogsightError
from cogsight.shared.judge.query import NOT_JUDGED, UNREADABLE, Judge, JudgeError, Query, Verdict
from cogsight.shared.sample import Extraction, Outcome, Reply, Sample, Score
from cogsight.shared.variants import Variant

SAMPLE = Sample(
    id="toy/official/near/0/1",
    task="near",
    category="space",
    level="0",
    images=(),
    question="Which?",
    choices={"A": "left", "B": "right", "C": "both", "D": "none"},
    answer="C",
    answer_type="stub",
    group="picture 7",
)
VARIANT = Variant("toy", size=1)


def read(reply: Reply, _: Choices) -> Extraction:
    text = reply.text or "?empty"
    return Extraction(text[1:], Outcome.PARSED, "stub") if text[0] == "=" else Extraction(None, Outcome(text[1:]))


def parse(text: str, choices: Choices) -> str:
    if text.strip().upper() not in choices:
        raise ValueError(f"{text!r} is none of {', '.join(choices)}")
    return text.strip().upper()


@pytest.fixture(autouse=True)
def stub(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = AnswerType(parse, equal=str.__eq__, extract=read, chance=lambda choices: 1 / len(choices))
    monkeypatch.setattr(scoring, "ANSWER_TYPES", {"stub": kind})
    monkeypatch.setattr(scoring, "EXTRACTING", {"stub": "extract_option"})


class ScriptedJudge(Judge):
    """Answers what it is told to, or raises it, and remembers what it is asked."""

    name = "scripted"

    def __init__(self, answer: str | Exception) -> None:
        self.answer = answer
        self.asked: list[Query] = []

    def verdict(self, query: Query) -> Verdict:
        self.asked.append(query)
        if isinstance(self.answer, Exception):
            raise self.answer
        return Verdict({"reason": "it says so", "answer": self.answer})


def score(text: str | None, judge: Judge | None = None, error: str | None = None) -> Score:
    return scoring.score_single_turn(SAMPLE, VARIANT, [Reply(text, error=error)], judge, attempt=2)


@pytest.mark.parametrize(("text", "points", "reason"), [("=C", 1.0, "right"), ("=A", 0.0, "wrong")])
def test_a_read_answer_is_right_or_wrong(text: str, points: float, reason: str) -> None:
    assert score(text) == Score(
        sample_id=SAMPLE.id,
        attempt=2,
        points=points,
        reason=reason,
        task="near",
        category="space",
        group="picture 7",
        chance=0.25,
        extraction=Extraction(text[1], Outcome.PARSED, "stub"),
    )


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome is not Outcome.PARSED])
def test_no_answer_counts_as_wrong_and_says_why(outcome: Outcome) -> None:
    found = score(f"?{outcome.value}")
    assert (found.points, found.reason, found.extraction) == (0.0, outcome.value, Extraction(None, outcome))


def test_a_reply_without_text_is_the_models() -> None:
    assert (score(None).points, score(None).reason) == (0.0, "empty")


@pytest.mark.parametrize("text", [None, "=C"])
def test_a_lost_request_is_not_the_models_fault(text: str | None) -> None:
    found = score(text, error="HTTP 503", judge=ScriptedJudge("C"))
    assert (found.points, found.reason, found.detail, found.extraction) == (None, "request_failed", "HTTP 503", None)
    assert (found.task, found.chance, found.attempt, found.judged_by) == ("near", 0.25, 2, "rules")


def test_no_reply_at_all_is_a_lost_request() -> None:
    found = scoring.score_single_turn(SAMPLE, VARIANT, [])
    assert (found.points, found.reason, found.detail) == (None, "request_failed", "no reply came back")


@pytest.mark.parametrize("outcome", [Outcome.UNPARSED, Outcome.AMBIGUOUS])
@pytest.mark.parametrize(("answer", "points"), [("C", 1.0), ("B", 0.0)])
def test_a_judge_reads_what_rules_cannot(outcome: Outcome, answer: str, points: float) -> None:
    found = score(f"?{outcome.value}", ScriptedJudge(answer))
    assert (found.points, found.judged_by) == (points, "scripted")
    assert found.extraction == Extraction(answer, Outcome.PARSED, "judge")


@pytest.mark.parametrize("text", ["=C", "=A", "?truncated", "?refused", "?empty"])
def test_a_judge_is_not_asked_for_the_rest(text: str) -> None:
    judge = ScriptedJudge("C")
    assert (score(text, judge), judge.asked) == (score(text), [])


def test_a_judge_sees_the_question_and_the_options_but_no_key() -> None:
    judge = ScriptedJudge("C")
    score("?unparsed", judge)
    (query,) = judge.asked
    assert query == Query(
        template="extract_option",
        reply="?unparsed",
        reference={"question": "Which?", "options": "A. left\nB. right\nC. both\nD. none"},
        letters=("A", "B", "C", "D"),
    )


def test_a_judge_sees_no_reasoning(monkeypatch: pytest.MonkeyPatch) -> None:
    unread = AnswerType(parse, str.__eq__, lambda reply, _: Extraction(None, Outcome.UNPARSED), lambda choices: 0.25)
    monkeypatch.setattr(scoring, "ANSWER_TYPES", {"stub": unread})
    judge = ScriptedJudge("none")
    score("<think>A? B?</think> the third", judge)
    assert [query.reply for query in judge.asked] == ["the third"]


def test_a_judge_that_finds_nothing_leaves_the_outcome() -> None:
    judge = ScriptedJudge("none")
    found = score("?ambiguous", judge)
    assert (found.points, found.reason, found.judged_by, len(judge.asked)) == (0.0, "ambiguous", "scripted", 1)


@pytest.mark.parametrize("reason", [NOT_JUDGED, UNREADABLE])
def test_a_judge_that_fails_is_our_failure(reason: str) -> None:
    found = score("?unparsed", ScriptedJudge(JudgeError("half a JSON", reason)))
    assert (found.points, found.reason, found.detail, found.judged_by) == (None, reason, "half a JSON", "scripted")
    assert found.extraction == Extraction(None, Outcome.UNPARSED)


@pytest.mark.parametrize("bug", [TypeError("a bug"), CogsightError("a bug")])
def test_a_bug_in_a_judge_is_not_hidden(bug: Exception) -> None:
    with pytest.raises(type(bug), match="a bug"):
        score("?unparsed", ScriptedJudge(bug))


def test_scores_are_pure() -> None:
    assert score("=C") == score("=C")

"""From a reply to a score: what is the model's failure, what is ours, and when a judge is asked.

The table of answer types is a stub that reads "=X" as X and "?outcome" as that outcome; the real rules have their own tests.
"""

from __future__ import annotations

import pytest

from cogsight.shared import scoring
from cogsight.shared.answers import AnswerType, Choices
from cogsight.shared.benchmark import Judge
from cogsight.shared.errors import CogsightError, DataError
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


class ScriptedJudge(Judge):
    """Answers what it is told to, or raises it, and counts how often it is asked."""

    name = "scripted"

    def __init__(self, answer: str | Exception | None) -> None:
        self.answer, self.asked = answer, 0

    def extract(self, sample: Sample, reply: Reply) -> str | None:
        assert (sample, reply.error) == (SAMPLE, None)
        self.asked += 1
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


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
@pytest.mark.parametrize(("answer", "points"), [("C", 1.0), (" c ", 1.0), ("B", 0.0)])
def test_a_judge_reads_what_rules_cannot(outcome: Outcome, answer: str, points: float) -> None:
    found = score(f"?{outcome.value}", ScriptedJudge(answer))
    assert (found.points, found.judged_by) == (points, "scripted")
    assert found.extraction == Extraction(answer.strip().upper(), Outcome.PARSED, "judge")


@pytest.mark.parametrize("text", ["=C", "=A", "?truncated", "?refused", "?empty"])
def test_a_judge_is_not_asked_for_the_rest(text: str) -> None:
    judge = ScriptedJudge("C")
    assert (score(text, judge), judge.asked) == (score(text), 0)


def test_a_judge_that_finds_nothing_leaves_the_outcome() -> None:
    judge = ScriptedJudge(None)
    found = score("?ambiguous", judge)
    assert (found.points, found.reason, found.judged_by, judge.asked) == (0.0, "ambiguous", "scripted", 1)


@pytest.mark.parametrize("answer", [CogsightError("no route to the judge"), DataError("half a JSON"), "E", "A or C"])
def test_a_judge_that_fails_is_our_failure(answer: str | Exception) -> None:
    found = score("?unparsed", ScriptedJudge(answer))
    assert (found.points, found.reason, found.judged_by) == (None, "judge_unreadable", "scripted")
    assert str(answer) in found.detail
    assert found.extraction == Extraction(None, Outcome.UNPARSED)


def test_a_bug_in_a_judge_is_not_hidden() -> None:
    with pytest.raises(TypeError, match="a bug"):
        score("?unparsed", ScriptedJudge(TypeError("a bug")))


def test_scores_are_pure() -> None:
    assert score("=C") == score("=C")

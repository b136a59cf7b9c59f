"""Step 4: three questions about the model's picture, from the truth; who failed when there is none; and the paper's way to count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest
import toy

from cogsight.shared.baselines import dialogue
from cogsight.shared.judge.prompts import render
from cogsight.shared.judge.query import JudgeError, Query, Verdict
from cogsight.shared.sample import Picture, Reply, Sample, Score
from cogsight.voila import BENCHMARK
from cogsight.voila.drawing import LONGEST, prompt, questions
from cogsight.voila.prompts import DRAW
from cogsight.voila.rules import Target
from cogsight.voila.samples import to_sample
from cogsight.voila.words import parse_scenes

DRAWN = BENCHMARK.variant("voila_wd_draw")
PLAIN = (toy.picture("red"), toy.picture("green"), toy.picture("blue"))
SAMPLE = to_sample(parse_scenes("one cat reading; one cat typing; two dogs reading"), PLAIN, "official", "1")
FREE = to_sample(parse_scenes("three cats reading; one cat typing; two dogs reading"), PLAIN, "official", "2")
"""Its number may be any."""
PICTURE = toy.picture("white")


@dataclass
class Judge:
    """Says what it is told to of every picture."""

    number: int = 1
    subject: int = 1
    action: int = 1
    down: str = ""
    asked: list[Query] = field(default_factory=list)
    name: str = "seer"

    def verdict(self, query: Query) -> Verdict:
        self.asked.append(query)
        if self.down:
            raise JudgeError("out of reach", self.down)
        return Verdict({"reason": "", "number": self.number, "subject": self.subject, "action": self.action})


def said(sample: Sample = SAMPLE, answer: str | None = None, last: Reply | None = None) -> list[Reply]:
    """A perfect dialogue, but for the answer, and the picture."""
    *texts, right, _ = dialogue(BENCHMARK, DRAWN, sample, "oracle")
    return [*texts, Reply(answer) if answer else right, last or Reply("", images=(PICTURE,))]


def score(judge: Judge | None, replies: Sequence[Reply], sample: Sample = SAMPLE) -> Score:
    return BENCHMARK.score(sample, DRAWN, replies, judge)


def test_what_is_asked_fits_the_judges_template() -> None:
    assert questions(Target(1, "fox", "ice-skating")).splitlines() == [
        "number: Does the picture show exactly one figure (animals or people)?",
        "subject: Are the figures foxes?",
        "action: Are the figures ice-skating?",
    ]
    assert questions(Target(None, None, "reading")).splitlines() == [
        "number: Any number is right: answer yes.",
        "subject: Any subject is right: answer yes.",
        "action: Are the figures reading?",
    ]
    judge = Judge()
    score(judge, said())
    (query,) = judge.asked
    assert query.pictures == (PICTURE,)
    _, user = render(query)
    assert "Are the figures dogs?" in user
    assert "Does the picture show exactly two figures" in user


def test_the_right_picture() -> None:
    found = score(Judge(), said())
    assert (found.points, found.reason, found.judged_by) == (1.0, "right", "seer")
    assert {name: found.parts[name] for name in ("apply", "draw", "draw/number", "picture")} == dict.fromkeys(
        ("apply", "draw", "draw/number", "picture"), 1.0
    )


def test_the_wrong_picture_property_by_property() -> None:
    found = score(Judge(action=0), said())
    assert (found.points, found.reason) == (0.0, "wrong")
    drawn = {name: value for name, value in found.parts.items() if name.startswith("draw")}
    assert drawn == {"draw": 0.0, "draw/number": 1.0, "draw/subject": 1.0, "draw/action": 0.0}
    assert found.parts["apply"] == 1.0


def test_a_right_picture_of_a_wrong_answer_counts_by_itself_only() -> None:
    found = score(Judge(), said(answer="The answer is number = 2, subject = dog, action = reading"))
    assert (found.points, found.reason) == (0.0, "wrong")
    assert {found.parts[name] for name in ("draw", "draw/number", "draw/subject", "draw/action")} == {0.0}
    assert {found.parts[name] for name in ("picture", "picture/number", "picture/action")} == {1.0}


def test_where_any_is_right_nothing_can_be_wrong() -> None:
    found = score(Judge(number=0), said(FREE), FREE)
    assert (found.points, found.parts["draw/number"]) == (1.0, 1.0)
    found = score(Judge(number=0, action=0), said(FREE), FREE)
    assert (found.points, found.parts["draw/number"], found.parts["draw/action"]) == (0.0, 1.0, 0.0)


@pytest.mark.parametrize("judge", [None, Judge()])
def test_no_picture_is_the_models_failure(judge: Judge | None) -> None:
    found = score(judge, said(last=Reply("Here it is!")))
    assert (found.points, found.reason) == (0.0, "no_image")
    assert {found.parts[name] for name in ("draw", "draw/number", "picture")} == {0.0}
    assert found.parts["apply"] == 1.0
    assert not (judge and judge.asked)


def test_a_picture_that_nobody_looked_at_is_not_judged() -> None:
    for answer in (None, "The answer is number = 4, subject = dog, action = reading"):
        found = score(None, said(answer=answer))
        assert (found.points, found.reason) == (None, "not_judged")
        assert "draw" not in found.parts
        assert found.parts["apply"] == float(answer is None)


@pytest.mark.parametrize("reason", ["not_judged", "judge_unreadable"])
def test_a_judge_that_is_down(reason: str) -> None:
    found = score(Judge(down=reason), said())
    assert (found.points, found.reason, found.detail) == (None, reason, "out of reach")
    assert found.parts["relate"] == 1.0


def test_a_lost_picture_is_not_the_models_failure_unless_the_answer_was_wrong() -> None:
    lost = Reply(None, error="timeout")
    found = score(Judge(), said(last=lost))
    assert (found.points, found.reason, found.detail) == (None, "request_failed", "timeout")
    assert "draw" not in found.parts
    found = score(Judge(), said(answer="The answer is number = 4, subject = dog, action = typing", last=lost))
    assert (found.points, found.reason, found.parts["draw"]) == (0.0, "wrong", 0.0)
    found = score(Judge(), said()[:-1])
    assert (found.points, found.detail) == (None, "the picture was not asked for")


def test_an_earlier_lost_reply_loses_the_question() -> None:
    found = score(Judge(), [Reply(None, error="connection reset")])
    assert (found.points, found.reason, found.detail) == (None, "request_failed", "connection reset")


def test_of_several_pictures_the_last_counts() -> None:
    judge = Judge()
    score(judge, said(last=Reply("", images=(toy.picture("red"), PICTURE))))
    assert judge.asked[0].pictures == (PICTURE,)


def test_the_picture_is_asked_for_last_with_all_answers_before() -> None:
    texts = said()[:-1]
    messages = BENCHMARK.turn(SAMPLE, DRAWN, texts)
    assert messages is not None
    shown = "".join(part for part in messages[-1].parts if isinstance(part, str))
    assert shown.endswith(DRAW)
    assert str(texts[-1].text) in shown
    assert BENCHMARK.turn(SAMPLE, DRAWN, said()) is None
    assert (DRAWN.turns, BENCHMARK.variant("voila_nd_direct_draw").turns) == (4, 2)


def test_another_model_is_told_the_answer_alone() -> None:
    main = BENCHMARK.variant("voila_wd")
    texts = said()[:-1]
    told = prompt(SAMPLE, main, [*texts[:-1], replace(texts[-1], text=f"<think>Foxes?</think> {texts[-1].text}")])
    assert told.endswith(f"\n\n{texts[-1].text}")
    assert "Foxes" not in told
    assert prompt(SAMPLE, main, texts[:-1]) == prompt(SAMPLE, main, [*texts[:-1], Reply(" ")]) == ""
    long = prompt(SAMPLE, main, [*texts[:-1], Reply("x" * 9_000 + "END")])
    assert long.endswith("xEND")
    assert len(long) < LONGEST + 600


def test_every_style_of_the_papers_table_9_has_its_variant() -> None:
    names = {variant.name for variant in BENCHMARK.variants if "draw" in variant.words and variant.source == "official"}
    assert names == {f"voila_{subset}{way}_draw" for subset in ("wd", "nd") for way in ("", "_collage", "_direct")}


def test_parts_have_titles() -> None:
    scores = [score(Judge(), said())]
    shown = {part.name: part.title for part in BENCHMARK.summarise(scores, DRAWN).parts}
    assert shown["draw"] == "4 Draw"
    assert {"draw/number", "picture", "picture/action"} <= shown.keys()
    assert isinstance(PICTURE, Picture)

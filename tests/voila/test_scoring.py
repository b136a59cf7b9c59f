"""Scores of whole dialogues: the truth, what a policy must get, what a judge decides, and the faults of the public scorer."""

from __future__ import annotations

import ast
import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from random import Random

import fake_voila
import pytest

from cogsight.shared.chain import Link
from cogsight.shared.errors import DataError
from cogsight.shared.judge.prompts import fields_of, render
from cogsight.shared.judge.query import NOT_JUDGED, UNREADABLE, JudgeError, Query, Value, Verdict
from cogsight.shared.sample import Finish, Outcome, Reply, Sample, Score
from cogsight.shared.summary import LOST, Summary
from cogsight.shared.variants import Variant
from cogsight.voila import prompts, scoring
from cogsight.voila.drawing import DRAW
from cogsight.voila.drawing import PARTS as DRAWING
from cogsight.voila.images import FolderImages, choose
from cogsight.voila.official import read_release
from cogsight.voila.prompts import STYLES
from cogsight.voila.questions import Question, questions
from cogsight.voila.rules import Scenes, relations, target
from cogsight.voila.samples import scenes_of, to_sample
from cogsight.voila.scoring import PARTS, score, summarise
from cogsight.voila.taxonomy import STRUCTURES, SUBSETS, VALUES
from cogsight.voila.words import describe, describe_images, format_answer, format_relations, parse_images, parse_scenes

RELEASE = Path(__file__).parents[3] / "shared" / "data" / "voila" / "VOILA_ND_sample.csv"

STATE = "two foxes reading; two foxes typing; three wolves reading"
"""Its answer: three wolves typing."""
DESCRIBED = "Image 1: two foxes reading. Image 2: two foxes typing. Image 3: three wolves reading."
RELATED = "The number and the subject type remain constant. The action changes from reading to typing."
ANSWERED = "The answer is number = 3, subject = wolf, action = typing"
UNREADABLE_ANSWER = "The answer is number = 3, subject = lupine creatures, action = typing"


IN_WORDS = [name for name, style in STYLES.items() if DRAW not in style.steps]
"""The settings that do not end with a picture."""


def variant(style: str = "least_to_most", subset: str = "wd", size: int = 0) -> Variant:
    return Variant("voila", (subset,), subset=subset, style=style, size=size or len(SUBSETS[subset]))


def sample(scenes: Scenes | str, n: int = 0) -> Sample:
    return to_sample(parse_scenes(scenes) if isinstance(scenes, str) else scenes, (), "procedural", str(n))


def dialogue(*texts: str | None) -> list[Reply]:
    return [Reply(text, Finish.STOP) for text in texts]


def scored(*texts: str | None, style: str = "least_to_most", judge: object = None) -> Score:
    return score(sample(STATE), variant(style), dialogue(*texts), judge)  # type: ignore[arg-type]


def truths(scenes: Scenes, style: str) -> list[Reply]:
    """What an oracle says at each step."""
    found = relations(scenes)
    single = {name: format_relations(found).split(". ") for name in VALUES}
    said = {
        "describe": describe_images(scenes),
        "relate": format_relations(found),
        "relate/number": single["number"][0],
        "relate/action": single["action"][1],
        "relate/subject": single["subject"][2],
        "apply": prompts.FORM.format(*("any" if value is None else value for value in target(scenes))),
    }
    return dialogue(*(said[step] for step in STYLES[style].asked(prompts.Question(scenes, "wd"))))


def some(subset: str, num: int) -> list[Question]:
    return list(questions(SUBSETS[subset], range(num), seed=3))


def total(scores: Iterable[Score], subset: str = "wd", each: int = 1) -> Summary:
    counts = {structure.name: each for structure in SUBSETS[subset]}
    return summarise(scores, variant(subset=subset, size=sum(counts.values())), counts)


@dataclass
class Scripted:
    """A judge that says of each field what it is told, else 1; or that fails."""

    said: Mapping[str, Value] = field(default_factory=dict)
    fails: Mapping[str, str] = field(default_factory=dict)
    """Template → reason."""
    asked: list[Query] = field(default_factory=list)
    name: str = "scripted"

    def verdict(self, query: Query) -> Verdict:
        render(query)  # raises where it has not all that its template shows
        self.asked.append(query)
        if query.template in self.fails:
            raise JudgeError("no answer", self.fails[query.template])
        counted = [own.name for own in fields_of(query) if own.counts]
        return Verdict({name: self.said.get(name, 1) for name in counted})


@pytest.mark.parametrize("style", IN_WORDS)
@pytest.mark.parametrize("subset", SUBSETS)
def test_the_truth_is_all_right_in_every_setting(subset: str, style: str) -> None:
    for question in some(subset, 5 * len(SUBSETS[subset])):
        found = score(sample(question.scenes), variant(style, subset), truths(question.scenes, style))
        steps = {step.split("/")[0] for step in STYLES[style].asked(prompts.Question(question.scenes, subset))}
        assert (found.points, found.reason) == (1.0, "right"), question
        assert {name.split("/")[0].removesuffix("_all") for name in found.parts} == steps
        assert set(found.parts.values()) == {1.0}
        assert set(found.parts) <= set(PARTS)


def test_the_truth_sums_up_to_100() -> None:
    scores = [score(sample(q.scenes, q.n), variant(), truths(q.scenes, "least_to_most")) for q in some("wd", 19)]
    summary = total(scores)
    assert (summary.complete, summary.headline) == (True, 1.0)
    assert next(row.name for row in summary.rows if row.scope == "task") == "structure_01"
    assert len(summary.tasks) == 19
    assert [(part.name, part.mean) for part in summary.parts] == [(name, 1.0) for name in PARTS if name not in DRAWING]


def copied(scenes: Scenes) -> Score:
    one = scenes[1]
    text = f"The answer is number = {one.number}, subject = {one.subject}, action = {one.action}"
    return score(sample(scenes), variant("direct", "nd"), dialogue(text))


def test_who_copies_image_2_gets_what_the_structures_give() -> None:
    """Of each seven questions without distraction four have the subject of image 2, four its action; none the whole answer."""
    asked = some("nd", 700)
    scores = [copied(question.scenes) for question in asked]
    parts = {name: sum(score.parts[f"apply/{name}"] for score in scores) / 700 for name in VALUES}
    assert parts["subject"] == parts["action"] == pytest.approx(4 / 7)
    same = sum(target(q.scenes).number == q.scenes[1].number for q in asked)
    assert parts["number"] == pytest.approx(same / 700)
    assert sum(score.points or 0 for score in scores) == 0


def test_who_copies_image_2_gets_what_the_audit_of_the_release_has() -> None:
    """In the whole VOILA-ND 18.7, 57.1 and 57.1 %; here in the rows that are at hand."""
    if not RELEASE.exists():
        pytest.skip(f"{RELEASE} is not there")
    with RELEASE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))[::9]
    scenes = [parse_images(row["combined_description"]) for row in rows]
    scores = [copied(own) for own in scenes]
    for name in VALUES:
        expected = sum(getattr(target(own), name) == getattr(own[1], name) for own in scenes)
        assert sum(score.parts[f"apply/{name}"] for score in scores) == expected
    assert sum(score.parts["apply/number"] for score in scores) / len(rows) == pytest.approx(0.187, abs=0.05)


@pytest.mark.parametrize("name", VALUES)
def test_each_property_stands_by_itself(name: str) -> None:
    right = {"number": "3", "subject": "wolf", "action": "typing"}
    wrong = {"number": "4", "subject": "bear", "action": "running"}
    said = {**right, name: wrong[name]}
    found = scored(DESCRIBED, RELATED, prompts.FORM.format(*said.values()))
    assert (found.points, found.reason) == (0.0, "wrong")
    assert {own: found.parts[f"apply/{own}"] for own in VALUES} == {own: float(own != name) for own in VALUES}
    assert found.parts["apply"] == 0.0
    assert found.parts["describe"] == found.parts["relate"] == 1.0


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (Reply(""), Outcome.EMPTY),
        (Reply(None), Outcome.EMPTY),
        (Reply("<think>three wolves"), Outcome.TRUNCATED),
        (Reply("Let me think about", Finish.LENGTH), Outcome.TRUNCATED),
        (Reply("I'm sorry, I cannot tell."), Outcome.REFUSED),
        (Reply("A nice picture."), Outcome.UNPARSED),
        (Reply("number = 3, subject = wolf or fox, action = typing"), Outcome.AMBIGUOUS),
    ],
)
def test_what_the_model_fails_to_say_is_wrong(reply: Reply, outcome: Outcome) -> None:
    found = score(sample(STATE), variant("direct"), [reply])
    assert (found.points, found.reason, found.detail) == (0.0, outcome.value, "")
    assert found.parts["apply"] == 0.0


@pytest.mark.parametrize("silent", ["", None, "<think>two foxes", "I'm sorry, I cannot see images."])
def test_silence_in_step_1_is_wrong_there_and_the_chain_goes_on(silent: str | None) -> None:
    judge = Scripted()
    found = scored(silent, RELATED, ANSWERED, judge=judge)
    assert (found.points, found.parts["describe"], found.parts["describe_all"], found.parts["relate"]) == (1, 0, 0, 1)
    assert judge.asked == []


@pytest.mark.parametrize("step", [0, 1, 2])
def test_a_lost_request_loses_the_question(step: int) -> None:
    replies = [*dialogue(DESCRIBED, RELATED, ANSWERED)[:step], Reply(None, error="timeout")]
    found = score(sample(STATE), variant(), replies, Scripted(), attempt=2)
    assert (found.points, found.reason, found.detail, found.attempt) == (None, "request_failed", "timeout", 2)
    assert found.parts == {}


def test_a_dialogue_that_is_too_short_is_lost() -> None:
    found = scored(DESCRIBED)
    assert (found.points, found.reason, found.detail) == (None, "request_failed", "1 of 3 replies came back")


def test_reasoning_is_not_read() -> None:
    thought = "<think>Image 1: four dogs running. The number is 4.</think>\n"
    found = scored(thought + DESCRIBED, thought + RELATED, thought + ANSWERED)
    assert set(found.parts.values()) == {1.0}


def test_three_sub_prompts_are_one_step() -> None:
    texts = (
        DESCRIBED,
        "It remains constant at two.",
        "It changes from fox to wolf.",
        "It changes from reading to typing.",
        ANSWERED,
    )
    found = scored(*texts, style="sub_prompts")
    assert [found.parts[f"relate/{name}"] for name in VALUES] == [1.0, 0.0, 1.0]
    assert (found.parts["relate"], found.points) == (0.0, 1.0)


def test_the_judge_decides_only_what_rules_cannot_read() -> None:
    judge = Scripted({"number_1": 0, "subject_3": 0, "action_2": 0})
    described = DESCRIBED.replace("three wolves", "three lupine creatures")
    found = scored(described, RELATED, ANSWERED, judge=judge)
    assert [query.template for query in judge.asked] == ["voila_describe"]
    assert judge.asked[0].reply == described
    assert judge.asked[0].reference == {"truth": describe_images(parse_scenes(STATE))}
    assert found.parts["describe/subject"] == pytest.approx(2 / 3)
    assert found.parts["describe/number"] == found.parts["describe/action"] == 1.0  # read by rules: not asked for
    assert (found.judged_by, found.points, found.reason) == ("scripted", 1.0, "right")


@pytest.mark.parametrize("verdict", [0, 1])
def test_the_judge_may_decide_the_answer(verdict: int) -> None:
    found = scored(UNREADABLE_ANSWER, style="direct", judge=Scripted({"subject": verdict}))
    assert (found.points, found.reason) == (verdict, "right" if verdict else "wrong")
    assert found.parts["apply/subject"] == verdict
    assert scored(UNREADABLE_ANSWER, style="direct").reason == "unparsed"


def test_all_that_is_open_is_asked_at_once() -> None:
    """A scorer that stopped at the first missing verdict would take a round per step."""
    judge = Scripted(fails=dict.fromkeys(("voila_describe", "voila_relate", "voila_apply"), NOT_JUDGED))
    found = scored("Some animals.", "Something changes.", UNREADABLE_ANSWER, judge=judge)
    assert [query.template for query in judge.asked] == ["voila_describe", "voila_relate", "voila_apply"]
    assert (found.points, found.reason, found.detail) == (None, NOT_JUDGED, "no answer")


@pytest.mark.parametrize("reason", [NOT_JUDGED, UNREADABLE])
def test_without_a_verdict_what_needs_it_is_missing(reason: str) -> None:
    found = scored("Two canines.", RELATED, ANSWERED, judge=Scripted(fails={"voila_describe": reason}))
    assert (found.points, found.reason) == (1.0, "right")
    assert not any(name.startswith("describe") for name in found.parts)
    assert found.detail == "no answer"
    found = scored(DESCRIBED, RELATED, UNREADABLE_ANSWER, judge=Scripted(fails={"voila_apply": reason}))
    assert (found.points, found.reason) == (None, reason)
    assert found.parts["describe"] == 1.0
    assert {name for name in found.parts if name.startswith("apply")} == {"apply/number", "apply/action"}


def test_one_wrong_property_decides_whatever_the_judge_would_say() -> None:
    text = UNREADABLE_ANSWER.replace("3", "4")
    found = scored(text, style="direct", judge=Scripted(fails={"voila_apply": NOT_JUDGED}))
    assert (found.points, found.reason) == (0.0, "wrong")
    assert found.parts == {"apply": 0.0, "apply/number": 0.0, "apply/action": 1.0}


def test_sub_prompts_are_judged_as_one_text() -> None:
    judge = Scripted()
    scored(DESCRIBED, "Hard to say.", "No change.", "reading, then typing", ANSWERED, style="sub_prompts", judge=judge)
    assert judge.asked[0].reply == "Number: Hard to say.\n\nSubject: No change.\n\nAction: reading, then typing"


# The faults of the public scripts (cogsight's reference has them in this order), each the other way round here.


def run(texts: Sequence[Sequence[str | None]], shuffled: int | None = None) -> Summary:
    """A run of VOILA-WD: the dialogues of its 19 questions."""
    pairs = list(zip(some("wd", 19), texts, strict=True))
    if shuffled is not None:
        Random(shuffled).shuffle(pairs)
    return total([score(sample(q.scenes, q.n), variant(), dialogue(*said)) for q, said in pairs])


def oracle(question: Question) -> list[str | None]:
    return [reply.text for reply in truths(question.scenes, "least_to_most")]


RIGHT = [oracle(question) for question in some("wd", 19)]


def test_defects_1_to_3_and_11_it_runs_from_replies_to_a_summary_as_it_stands() -> None:
    assert run(RIGHT).headline == 1.0


def test_defect_4_step_3_is_scored_as_step_3() -> None:
    """Relations in place of an answer are no answer, though they are right in step 2."""
    assert scored(DESCRIBED, RELATED, RELATED).points == 0.0
    assert scored(DESCRIBED, ANSWERED, ANSWERED).parts["relate"] == 0.0


def test_defect_5_the_denominator_is_the_number_of_questions() -> None:
    last_right = [[*said[:2], "number = 1, subject = bear, action = any"] for said in RIGHT[:-1]] + [RIGHT[-1]]
    summary = run(last_right)
    assert (summary.overall.n, summary.overall.accuracy) == (19, pytest.approx(1 / 19))


def test_defect_6_a_reply_without_text_does_not_get_the_scores_of_the_one_before() -> None:
    said = [RIGHT[0], [None, None, None], *RIGHT[2:]]
    summary = run(said)
    assert summary.overall.accuracy == pytest.approx(18 / 19)
    assert [part.mean for part in summary.parts] == [pytest.approx(18 / 19)] * len(summary.parts)


def test_defect_7_what_was_lost_stays_in_the_denominator() -> None:
    asked = some("wd", 19)
    scores = [score(sample(q.scenes, q.n), variant(), truths(q.scenes, "least_to_most")) for q in asked]
    lost = score(sample(asked[0].scenes, asked[0].n), variant(), [Reply(None, error="expired")])
    summary = total([lost, *scores[1:]])
    assert (summary.overall.n, summary.overall.lost, summary.headline) == (19, 1, None)
    assert (summary.overall.low, summary.overall.high) == (pytest.approx(18 / 19), 1.0)
    assert summary.overall.outcomes[LOST] == pytest.approx(1 / 19)
    assert {(part.n, part.missing) for part in summary.parts} == {(18, 1)}


def test_defect_8_a_judge_that_never_answers_ends_as_not_judged() -> None:
    fails = dict.fromkeys(("voila_describe", "voila_relate", "voila_apply"), NOT_JUDGED)
    assert scored("?", "?", UNREADABLE_ANSWER, judge=Scripted(fails=fails)).reason == NOT_JUDGED


def test_defect_9_truth_is_found_by_name_not_by_column_number(tmp_path: Path) -> None:
    asked = fake_voila.some(19)
    path = fake_voila.write_sheet(tmp_path / "VOILA.csv", fake_voila.rows(asked), header=fake_voila.HEADER[::-1])
    found = {own.id: scenes_of(own) for own in read_release(path, with_pictures=False, allow_changed=True)}
    assert sorted(found.values()) == sorted(question.scenes for question in asked)


def test_defect_10_replies_and_questions_belong_together_by_id_whatever_the_order() -> None:
    said = [RIGHT[0], ["", "", ""], *RIGHT[2:]]
    assert run(said, shuffled=1) == run(said, shuffled=2) == run(said)


def test_defect_12_a_reply_is_read_whole() -> None:
    assert scored(DESCRIBED, RELATED, "3").points == scored(DESCRIBED, RELATED, "T").points == 0.0
    assert scored(DESCRIBED, RELATED, "x" * 3000 + "\n" + ANSWERED).points == 1.0


def test_defect_13_all_steps_are_sampled_alike() -> None:
    """A step is its prompt, or the answer that stands in for it; temperature and limits are the run's."""
    assert [own.name for own in fields(Link)] == ["prompt", "given"]


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("increases from 1 to 3", 1),
        ("increases", 1),
        ("changes from 1 to 3", 1),
        ("decreases", 0),
        ("decreases from 1 to 3", 0),
        ("changes", 0),
    ],
)
def test_defect_14_the_direction_counts_though_the_truth_does_not_tell_it(said: str, right: int) -> None:
    scenes = parse_scenes("one cat reading; three cats reading; one dog typing")
    assert "increase" not in format_relations(relations(scenes))
    text = f"The number of subjects {said}. The subject type and the action remain constant."
    found = score(
        sample(scenes), variant(), dialogue(describe_images(scenes), text, "number = 3, subject = dog, action = typing")
    )
    assert found.parts["relate/number"] == right
    assert found.parts["relate/subject"] == found.parts["relate/action"] == 1


def test_defect_15_direct_answers_are_scored() -> None:
    assert scored(ANSWERED, style="direct").points == 1.0
    assert any(DRAW in style.steps for style in STYLES.values())


def test_defect_16_what_the_docstrings_name_is_there() -> None:
    tree = ast.parse(Path(scoring.__file__).read_text(encoding="utf-8"))
    assert "`describe_all`" in (ast.get_docstring(tree) or "")
    assert {"describe", "describe_all"} <= set(PARTS)


def test_defect_17_a_dialogue_is_plain_texts_that_any_model_can_take() -> None:
    for style in STYLES.values():
        links = style.links(prompts.Question(parse_scenes(STATE), "wd"))
        assert all(isinstance(link.prompt, str) and link.prompt for link in links)


def test_defect_18_a_missing_picture_is_named(tmp_path: Path) -> None:
    scenes = parse_scenes(STATE)
    folder = fake_voila.write_pictures(tmp_path / "images", scenes[:2])
    with pytest.raises(DataError, match=describe(scenes[2])):
        choose(FolderImages(folder), scenes, 0)


def test_defect_19_both_metrics_of_step_1_are_given() -> None:
    """Per image, as the released code and Table 2; all three, as the paper's formula."""
    found = scored(DESCRIBED.replace("three wolves reading", "three wolves running"), RELATED, ANSWERED)
    assert (found.parts["describe"], found.parts["describe_all"]) == (pytest.approx(2 / 3), 0.0)
    three = [sample(q.scenes, q.n) for q in some("wd", 19)]
    half = [replace(score(own, variant(), truths(scenes_of(own), "least_to_most")), parts=found.parts) for own in three]
    means = {part.name: part.mean for part in total(half).parts}
    assert (means["describe"], means["describe_all"]) == (pytest.approx(2 / 3), 0.0)


def test_structures_and_categories_have_their_rows() -> None:
    summary = run(RIGHT)
    assert [row.name for row in summary.rows if row.scope == "category"] == [
        "one_property",
        "two_properties",
        "three_properties",
    ]
    assert [row.n for row in summary.rows if row.scope == "category"] == [12, 6, 1]
    assert set(summary.tasks) == {structure.name for structure in STRUCTURES}


def test_any_answer_of_the_data_is_read_as_itself() -> None:
    for question in some("wd", 190):
        found = score(sample(question.scenes), variant("direct"), dialogue(format_answer(target(question.scenes))))
        assert found.extraction is not None
        assert found.extraction.value == sample(question.scenes).answer

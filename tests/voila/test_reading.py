"""Free replies: labelled ones, what is written and read back, and what no reply may do."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import replies
from timing import timed

from cogsight.shared.extraction.reasoning import visible
from cogsight.shared.sample import Finish, Outcome, Reply
from cogsight.voila.images import ALL_SCENES
from cogsight.voila.reading.answers import read_answer
from cogsight.voila.reading.claims import Claims, is_right
from cogsight.voila.reading.descriptions import read_descriptions
from cogsight.voila.reading.lexicon import LEXICON, Kind
from cogsight.voila.reading.relations import PROPERTIES, grade, read_relations
from cogsight.voila.reading.vocabulary import PERSON_OF
from cogsight.voila.rules import Relations, Scene, Target, relations
from cogsight.voila.taxonomy import ACTIONS, NUMBERS, SUBJECTS, VALUES
from cogsight.voila.words import NUMBER_WORDS, describe, format_relations, noun, parse_answer, parse_scenes, sentence

GOLDEN = Path(__file__).parents[1] / "golden"
ENOUGH = {"first": 150, "later": 40, "blind": 60}
SHOWN = {True: "1", False: "0", None: "?"}

Row = dict[str, str]


def marks(claims: Claims, truth: Scene | Target) -> list[bool | None]:
    return [is_right(claim, value) for claim, value in zip(claims, truth, strict=True)]


def _describe(row: Row, reply: str) -> Iterator[bool | None]:
    for claims, scene in zip(read_descriptions(visible(reply) or ""), parse_scenes(row["state"]), strict=True):
        yield from marks(claims, scene)


def _relate(row: Row, reply: str) -> Iterator[bool | None]:
    yield from grade(read_relations(visible(reply) or ""), relations(parse_scenes(row["state"]))).values()


def _apply(row: Row, reply: str) -> Iterator[bool | None]:
    yield from marks(read_answer(Reply(reply)).claims, parse_answer(row["answer"]))


READ: dict[str, Callable[[Row, str], Iterator[bool | None]]] = {
    "describe": _describe,
    "relate": _relate,
    "apply": _apply,
}


def labelled(step: str) -> list[Row]:
    lines = (GOLDEN / f"voila_replies_{step}.tsv").read_text(encoding="utf-8").splitlines()
    table = (line for line in lines if not line.startswith("#"))
    return list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))


def found(step: str, row: Row) -> str:
    """As labels are written, "?" where the rules do not tell."""
    return "".join(SHOWN[mark] for mark in READ[step](row, row["reply"].replace("\\n", "\n")))


CASES = [pytest.param(step, row, id=f"{step}-{n}") for step in READ for n, row in enumerate(labelled(step), 1)]


@pytest.mark.parametrize(("step", "row"), CASES)
def test_rules_agree_with_the_label_or_a_note_says_why_not(step: str, row: Row) -> None:
    """What the rules do not tell is wrong for them: nobody else is there to say otherwise."""
    right = row["right"].replace(" ", "")
    assert (found(step, row).replace("?", "0") == right) == (not row["note"])


@pytest.mark.parametrize("step", READ)
@pytest.mark.parametrize("own", ENOUGH)
def test_agreement_with_labels(step: str, own: str) -> None:
    rows = [row for row in labelled(step) if row["set"] == own]
    assert len(rows) >= ENOUGH[own]
    assert len({(row["reply"], row.get("state", row.get("answer"))) for row in rows}) == len(rows)
    agreeing = sum(found(step, row).replace("?", "0") == row["right"].replace(" ", "") for row in rows)
    assert agreeing / len(rows) >= 0.97


PHRASES = {
    "release": describe,
    "sentence": sentence,
    "digits": lambda scene: f"{scene.number} {noun(scene.subject, scene.number)} {scene.action}",
    "in the image": lambda scene: (
        f"there {'is' if scene.number == 1 else 'are'} {NUMBER_WORDS[scene.number]} {noun(scene.subject, scene.number)}"
        f" in the image, and {'it is' if scene.number == 1 else 'they are'} {scene.action}"
    ),
    "adjectives": lambda scene: (
        f"{NUMBER_WORDS[scene.number].upper()} happy, colourful {noun(scene.subject, scene.number)}, {scene.action} in a park"
    ),
    "properties": lambda scene: f"Number: {scene.number}, Subject type: {scene.subject}, Action: {scene.action}",
    "group": lambda scene: f"a group of **{scene.number}** {noun(scene.subject, scene.number)} who are {scene.action}",
    "remark": lambda scene: f"{noun(scene.subject, scene.number)} ({scene.number}) {scene.action}",
}
FRAMES = {
    "labels": "Image 1: {}\nImage 2: {}\nImage 3: {}",
    "colon": "Image 1 : {}. Image 2 : {}. Image 3 : {}.",
    "markdown": "**Image 1**: {}\n\n**Image 2**: {}\n\n**Image 3**: {}",
    "list": "1. {}\n2. {}\n3. {}",
    "prose": "The first image shows {}. The second image shows {}. The third image shows {}.",
    "inline": "Image 1 shows {}; image 2 shows {}; image 3 shows {}",
    "lines": "{}\n{}\n{}",
    "json": '{{"image 1": "{}", "image 2": "{}", "image 3": "{}"}}',
}


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("phrase", PHRASES)
def test_all_scenes_read_back(phrase: str, frame: str) -> None:
    mixed = [ALL_SCENES[n * 205 % 728] for n in range(729)]  # 205 and 728 have no common divisor: each once
    for n in range(0, 729, 3):
        scenes = mixed[n : n + 3]
        reply = FRAMES[frame].format(*map(PHRASES[phrase], scenes))
        read = read_descriptions(reply)
        assert [marks(*pair) for pair in zip(read, scenes, strict=True)] == [[True] * 3] * 3, reply


scenes = st.sampled_from(ALL_SCENES)
properties = st.sampled_from(PROPERTIES)


def others(name: str, value: object) -> st.SearchStrategy[object]:
    return st.sampled_from([other for other in VALUES[name] if other != value])


@given(st.data(), st.tuples(scenes, scenes, scenes), st.sampled_from([*PHRASES]), st.sampled_from([*FRAMES]))
def test_one_wrong_property_of_a_scene_is_wrong_alone(
    data: st.DataObject, truth: tuple[Scene, Scene, Scene], phrase: str, frame: str
) -> None:
    image, name = data.draw(st.integers(0, 2)), data.draw(properties)
    value = data.draw(others(name, getattr(truth[image], name)))
    said = list(truth)
    said[image] = truth[image]._replace(**{name: value})  # type: ignore[arg-type]
    read = read_descriptions(FRAMES[frame].format(*map(PHRASES[phrase], said)))
    expected = [[True] * 3 for _ in range(3)]
    expected[image][PROPERTIES.index(name)] = False
    assert [marks(*pair) for pair in zip(read, truth, strict=True)] == expected


def _forms(target: Target) -> Iterator[str]:
    number = "any" if target.number is None else NUMBER_WORDS[target.number]
    subject = "any" if target.subject is None else noun(target.subject, target.number)
    action = target.action or "any"
    form = f"number = {number}, subject = {subject}, action = {action}"
    yield from (form, f"The answer is {form}", f"**The answer is {form}.**", f"\\boxed{{{form}}}")
    yield f"The answer is number = {{{number}}}, subject = {{{subject}}}, action = {{{action}}}"
    yield f"Number: {number}\nSubject: {subject}\nAction: {action}"
    yield f'{{"number": "{number}", "subject": "{subject}", "action": "{action}"}}'
    yield f"Image 3: number = 1, subject = cat, action = reading.\nThe number changes.\nSo the answer is: {form}"
    yield f"<think>number = 1, subject = cat</think>\n{form}"
    yield f"The answer is number = 4, subject = cat, action = any. Wait, I made a mistake. The answer is {form}"
    yield f"The number is {number}, the subject is {subject} and the action is {action}."
    yield f"({number}, {subject}, {action})"
    many = "any number of" if target.number is None else number
    whose = "animals of any type" if target.subject is None else subject
    doing = "doing anything" if target.action is None else action
    yield from (f"{many} {whose} {doing}", f"Image 4 shows {many} {whose} {doing}.")
    yield f"{number} {subject} {action}"


TARGETS = [Target(*values) for values in product(*((*values, None) for values in VALUES.values()))]  # type: ignore[arg-type]


def test_all_answers_read_back() -> None:
    for target in TARGETS:
        for text in _forms(target):
            answer = read_answer(Reply(text))
            assert marks(answer.claims, target) == [True] * 3, text
            assert answer.extraction.value is not None
            assert parse_answer(answer.extraction.value) == target


@given(st.data(), st.sampled_from(TARGETS))
def test_one_wrong_property_of_an_answer_is_wrong_alone(data: st.DataObject, truth: Target) -> None:
    name = data.draw(properties)
    value = data.draw(st.sampled_from([v for v in (*VALUES[name], None) if v != getattr(truth, name)]))
    text = data.draw(st.sampled_from([*_forms(truth._replace(**{name: value}))]))  # type: ignore[arg-type]
    assert marks(read_answer(Reply(text)).claims, truth) == [own != name for own in PROPERTIES]


def _told(truth: Relations) -> Iterator[str]:
    (n1, n2), (s1, s2), (a1, a2) = truth
    yield format_relations(truth)
    ends = {"Number": (n1, n2), "Subject type": (s1, s2), "Action": (a1, a2)}
    yield "\n".join(f"{name}: {one} -> {two}" for name, (one, two) in ends.items())
    same = {name: f"remains constant ({one})" for name, (one, two) in ends.items() if one == two}
    up = "increases" if n2 > n1 else "decreases"
    verbs = {"Number": up, "Subject type": "changes", "Action": "changes"}
    change = {name: f"{verbs[name]} from {one} to {two}" for name, (one, two) in ends.items() if one != two}
    yield ". ".join(f"The {name.lower()} {(same | change)[name]}" for name in ends)
    yield "; ".join(f"the **{name.lower()}** {(change | same)[name]}" for name in reversed(ends))
    yield ", ".join(f"the {name.lower()} {(change | same)[name]}" for name in ends)
    yield "| Property | Change |\n|---|---|\n" + "\n".join(f"| {name} | {(change | same)[name]} |" for name in ends)
    if change:
        rest = ", and everything else stays the same" if same else ""
        yield ", ".join(f"the {name.lower()} {change[name]}" for name in change) + rest
    else:
        yield "Nothing changes."


pairs = [st.tuples(st.sampled_from(values), st.sampled_from(values)) for values in (NUMBERS, tuple(SUBJECTS), ACTIONS)]
related = st.builds(Relations, *pairs)


@settings(max_examples=400)
@given(related)
def test_relations_read_back(truth: Relations) -> None:
    for text in _told(truth):
        assert grade(read_relations(text), truth) == dict.fromkeys(PROPERTIES, True), text


@settings(max_examples=400)
@given(st.data(), related)
def test_one_wrong_relation_is_wrong_alone(data: st.DataObject, truth: Relations) -> None:
    name = data.draw(properties)
    ends = list(getattr(truth, name))
    end = data.draw(st.integers(0, 1))
    ends[end] = data.draw(others(name, ends[end]))
    text = data.draw(st.sampled_from([*_told(truth._replace(**{name: tuple(ends)}))]))  # type: ignore[arg-type]
    if re.search(r"else|Nothing", text):
        return  # what nobody names has no wrong value
    assert grade(read_relations(text), truth) == {own: own != name for own in PROPERTIES}, text


SAME_KIND = {
    "male child": ["boy", "little boy", "schoolboy", "male kid", "boy child"],
    "female child": ["girl", "young girl", "female kid"],
    "man": ["gentleman", "guy", "adult male", "middle-aged man", "young man", "bearded man"],
    "woman": ["lady", "young woman", "adult female"],
    "senior man": ["elderly man", "old man", "grandfather", "elderly male", "aged gentleman", "old bearded man"],
    "senior woman": ["elderly woman", "old lady", "grandmother", "older woman", "elderly, grey-haired lady"],
    "hamster": ["mouse", "guinea pig"],
    "rabbit": ["bunny", "hare"],
    "cat": ["kitten"],
    "dog": ["puppy", "golden retriever"],
    "fox": ["vixen"],
    "bear": ["polar bear", "grizzly bear"],
    "wolf": ["wolf pup", "gray wolf"],
    "monkey": ["chimpanzee"],
}


@pytest.mark.parametrize("subject", SUBJECTS)
def test_near_synonyms_are_the_same_kind_and_no_other(subject: str) -> None:
    for text in (*SAME_KIND[subject], subject, SUBJECTS[subject]):
        claims = read_descriptions(f"Image 1: two {text} walking\nImage 2: one cat reading")[0]
        assert [other for other in SUBJECTS if is_right(claims.subject, other)] == [subject], text


@pytest.mark.parametrize(
    "text", ["person", "child", "kid", "adult", "elderly person", "teenage boy", "squirrel", "boy and a girl", "senior"]
)
def test_what_leaves_gender_or_kind_open_is_wrong(text: str) -> None:
    claims = read_descriptions(f"Image 1: a {text} walking\nImage 2: a cat reading")[0]
    assert {is_right(claims.subject, subject) for subject in SUBJECTS} == {False}


@pytest.mark.parametrize("text", ["canine", "animal", "two males", "figure", ""])
def test_what_rules_do_not_know_is_for_the_judge(text: str) -> None:
    claims = read_descriptions(f"Image 1: a {text} walking\nImage 2: a cat reading")[0]
    assert is_right(claims.subject, "dog") is None


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("kicking a ball", "playing soccer"),
        ("playing football", "playing soccer"),
        ("behind the wheel", "driving a car"),
        ("skating on ice", "ice-skating"),
        ("going for a stroll", "walking"),
        ("leaping over a log", "jumping"),
        ("typing on a keyboard", "typing"),
        ("using a laptop", "typing"),
        ("writing with a pencil", "writing"),
        ("shoveling dirt", "digging a hole"),
        ("carrying boxes", "carrying something"),
        ("reading a newspaper", "reading"),
        ("jogging", "running"),
        ("having lunch", "eating food"),
        ("not walking but running", "running"),
        ("sitting at a desk and writing", "writing"),
        ("running instead of walking", "running"),
        ("standing near a swimming pool, reading", "reading"),
    ],
)
def test_actions_in_other_words(text: str, action: str) -> None:
    claims = read_descriptions(f"Image 1: two dogs {text}\nImage 2: one cat reading")[0]
    assert [other for other in ACTIONS if is_right(claims.action, other)] == [action]


@pytest.mark.parametrize("text", ["sitting", "sleeping", "playing basketball", "skateboarding", "driving a boat"])
def test_other_actions_are_wrong(text: str) -> None:
    claims = read_descriptions(f"Image 1: two dogs {text}\nImage 2: one cat reading")[0]
    assert {is_right(claims.action, action) for action in ACTIONS} == {False}


def test_who_names_all_has_said_none() -> None:
    claims = read_descriptions(f"Image 1: two dogs {', '.join(ACTIONS)}\nImage 2: one cat reading")[0]
    assert {is_right(claims.action, action) for action in ACTIONS} == {None}
    claims = read_descriptions(f"Image 1: {' or '.join(SUBJECTS)}\nImage 2: one cat reading")[0]
    assert True not in {is_right(claims.subject, subject) for subject in SUBJECTS}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("a pair of foxes", 2),
        ("a couple of foxes", 2),
        ("both foxes", 2),
        ("a trio of foxes", 3),
        ("a group of four foxes", 4),
        ("a single fox", 1),
        ("the fox", 1),
        ("three of the foxes", 3),
        ("4 (four) foxes", 4),
        ("foxes (3)", 3),
        ("12 foxes", 12),
        ("several foxes", None),
        ("a group of foxes", None),
        ("more than one fox", None),
    ],
)
def test_numbers_in_words(text: str, number: int | None) -> None:
    claims = read_descriptions(f"Image 1: {text} reading\nImage 2: one cat reading")[0]
    expected = [own == number for own in (*NUMBERS, 12)]
    assert [is_right(claims.number, own) for own in (*NUMBERS, 12)] == expected


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("", Outcome.EMPTY),
        (" \n", Outcome.EMPTY),
        ("<think>two foxes reading", Outcome.TRUNCATED),
        ("I'm sorry, I cannot tell what image 4 shows.", Outcome.REFUSED),
        ("It is hard to say.", Outcome.UNPARSED),
        ("The answer is number = 2", Outcome.UNPARSED),
        ("The answer is number = 2 or 3, subject = fox, action = any", Outcome.AMBIGUOUS),
        ("number = 2, subject = fox, action = any. Wait, that is wrong.", Outcome.AMBIGUOUS),
    ],
)
def test_why_there_is_no_answer(text: str, outcome: Outcome) -> None:
    assert read_answer(Reply(text)).extraction.outcome is outcome
    assert read_answer(Reply(text)).extraction.value is None


def test_a_reply_that_was_cut_off_answers_only_what_it_had_declared() -> None:
    cut = read_answer(Reply("The answer is number = 2, subject = fox, action = any. Because the", Finish.LENGTH))
    assert cut.extraction.value == "number = 2, subject = fox, action = any"
    assert read_answer(Reply("two foxes reading", Finish.LENGTH)).extraction.outcome is Outcome.TRUNCATED


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("number = 3, subject = fox, action = any. Wait, actually 2.", "number = 2, subject = fox, action = any"),
        (
            "number = 2, subject = wolf, action = any. Correction: subject = fox.",
            "number = 2, subject = fox, action = any",
        ),
        (
            "number = 2, subject = fox, action = any. Wait, let me double check. Yes.",
            "number = 2, subject = fox, action = any",
        ),
    ],
)
def test_corrections_take_the_place_of_what_was_said(text: str, value: str) -> None:
    assert read_answer(Reply(text)).extraction.value == value


def test_the_span_is_where_the_answer_stands() -> None:
    text = "<think>hm</think>\n\n**The answer is number = 2, subject = fox, action = reading.** Thanks!"
    extraction = read_answer(Reply(text)).extraction
    assert extraction.span is not None
    assert text[slice(*extraction.span)] == "number = 2, subject = fox, action = reading"
    looped = "so it goes. " * 5000 + text.removeprefix("<think>hm</think>")
    span = read_answer(Reply(looped)).extraction.span
    assert span is not None
    assert looped[slice(*span)] == "number = 2, subject = fox, action = reading"


GLUE = (
    "Image 1: ",
    "Image 2",
    "the third image shows",
    "image 4",
    "number = ",
    "(",
    ")",
    "=",
    "->",
    "\n",
    ". ",
    ", ",
    "|",
    "2",
    "-1",
    "3.5",
)
PIECES = st.sampled_from([*GLUE, *(" ".join(entry.words) for entries in LEXICON.values() for entry in entries)])
"""All that readers know, and what stands between."""


@settings(max_examples=500)
@given(st.one_of(replies(), st.lists(PIECES, max_size=40).map(" ".join)), st.sampled_from(Finish))
@example("image 99999999999999999999: two foxes", Finish.STOP)
@example("number = 1" + "0" * 5000, Finish.STOP)
def test_nothing_makes_a_reader_raise_and_reading_is_repeatable(text: str, finish: Finish) -> None:
    answer = read_answer(Reply(text, finish))
    assert (answer.extraction.value is None) == (answer.extraction.outcome is not Outcome.PARSED)
    if answer.extraction.span:
        start, end = answer.extraction.span
        assert 0 <= start < end <= len(text)
    assert read_answer(Reply(text, finish)) == answer
    assert read_descriptions(text) == read_descriptions(text)
    assert read_relations(text) == read_relations(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", ["to {} ", "number and {} ", "images 1, {} , ", "({}", "=>{}", "any {} ", "\n1. {}", "wait, {}"]
)
def test_long_replies_take_time_in_proportion(unit: str) -> None:
    """A hundred thousand characters that are all of what readers look at; in squares of its length it would take minutes."""
    text = "".join(unit.format(n % 997) for n in range(100_000 // len(unit)))
    for read in (read_descriptions, read_relations, lambda text: read_answer(Reply(text))):
        assert timed(partial(read, text))[1] < 5


def test_every_subject_has_words_and_every_kind_is_used() -> None:
    values = {entry.value for entries in LEXICON.values() for entry in entries if entry.kind is Kind.ANIMAL}
    assert {*values, *PERSON_OF.values()} >= set(SUBJECTS)
    actions = {entry.value for entries in LEXICON.values() for entry in entries if entry.kind is Kind.ACTION}
    assert actions >= set(ACTIONS)


@pytest.mark.parametrize(
    "text",
    [
        "The number increases. The number decreases.",
        "The number increases from 1 to 3. The number increases from 2 to 4.",
        "The number changes from 1 to 3. The number remains constant.",
    ],
)
def test_relations_that_exclude_each_other_are_for_the_judge(text: str) -> None:
    relation = read_relations(text)["number"]
    assert {relation.is_right(one, two) for one, two in product(NUMBERS, NUMBERS)} <= {None, False}
    assert relation.is_right(1, 3) is None

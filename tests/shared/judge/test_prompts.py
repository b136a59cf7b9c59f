"""Templates: each is whole and pinned; a query is shown complete and in its place, or refused."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from hashlib import sha256

import pytest
from golden import FOLDER
from hypothesis import given
from hypothesis import strategies as st
from judge_prompt import PNG, example, take_apart

from cogsight.shared.judge.fence import clean
from cogsight.shared.judge.prompts import SYSTEM, TEMPLATES, Field, render, version_of
from cogsight.shared.judge.query import Query
from cogsight.shared.judge.wire import schema

NAMES = sorted(TEMPLATES)
each_template = pytest.mark.parametrize("name", NAMES)


@each_template
def test_no_word_changes_without_the_version(name: str) -> None:
    """In the file, add a line for a new version; never change one: verdicts are kept under these names."""
    lines = (FOLDER / "judge_prompts.tsv").read_text().splitlines()
    pinned = dict(line.split("\t") for line in lines if not line.startswith("#"))
    query = example(name)
    told = json.dumps([*render(query), schema(query)], ensure_ascii=True)
    assert pinned.get(version_of(name)) == sha256(told.encode()).hexdigest()


@each_template
def test_a_template_is_whole(name: str) -> None:
    template = TEMPLATES[name]
    assert re.fullmatch(r"[a-z_]{1,60}", name), "OpenAI takes it as the name of a schema"
    explains, *decides = template.fields
    assert not explains.counts and decides, "the reason comes first"
    assert all(field.counts and field.allowed(("A", "B")) for field in decides)
    assert len({field.name for field in template.fields}) == len(template.fields)
    for shown in (*template.needs, *template.may_have):
        assert shown.upper() in template.task, f"the task does not say what to do with {shown}"


@each_template
def test_the_prompt_says_all_that_the_schema_says(name: str) -> None:
    query = example(name)
    _, user = render(query)
    for field in TEMPLATES[name].fields:
        (line,) = [line for line in user.split("\n") if line.startswith(f'"{field.name}" (')]
        allowed = "".join(query.letters) if field.letters == "all" else field.allowed(query.letters)
        assert all(re.search(rf"\b{value}\b", line) for value in allowed), line
    assert "JSON object" in SYSTEM and "JSON object" in user, "which OpenAI wants to see for json_object"


@each_template
def test_everything_is_shown_in_its_place(name: str) -> None:
    template, query = TEMPLATES[name], example(name)
    system, user = render(query)
    blocks, rest = take_apart(user)
    names = [shown.upper() for shown in (*template.needs, *template.may_have)]
    assert blocks == (
        *((shown.upper(), query.reference[shown]) for shown in (*template.needs, *template.may_have)),
        *([("ANSWER", query.reply)] if template.shows_reply else []),
    )
    assert system == SYSTEM
    middle = [template.pictures] if template.pictures else []
    told = "\n".join(field.line(query.letters) for field in template.fields)
    parts = [
        template.task,
        *(f"[{shown}]" for shown in names),
        *middle,
        *(["[ANSWER]"] if template.shows_reply else []),
    ]
    assert rest == "\n\n".join((*parts, f"Your verdict is one JSON object with these fields, in this order:\n{told}"))


TEXTS = st.text(st.characters(exclude_categories=()), max_size=200)


@given(
    name=st.sampled_from([name for name in NAMES if TEMPLATES[name].shows_reply]),
    reply=TEXTS,
    other=TEXTS,
    rubric=TEXTS,
)
def test_no_text_moves_anything_around_it(name: str, reply: str, other: str, rubric: str) -> None:
    """Whatever a reply or a text of a data set says, all the rest is byte for byte the same, and the request can be sent."""
    last = (*TEMPLATES[name].needs, *TEMPLATES[name].may_have)[-1]
    query = replace(example(name, f"a{reply}z"), reference=dict(example(name).reference) | {last: f"a{rubric}z"})
    system, user = render(query)
    plain_system, plain_user = render(example(name, f"a{other}z"))
    assert (system, take_apart(user).rest) == (plain_system, take_apart(plain_user).rest)
    found = dict(take_apart(user).blocks)
    assert (found["ANSWER"], found[last.upper()]) == (clean(f"a{reply}z"), clean(f"a{rubric}z"))
    assert json.loads(json.dumps(user, ensure_ascii=False).encode()) == user


def test_what_comes_before_the_answer_is_the_same_for_all_replies() -> None:
    """So that a server can keep it: prompts of one question share their beginning."""
    one, other = (render(example("grade_reference", reply))[1].split("<<<ANSWER")[0] for reply in ("x", "y"))
    assert one == other


@pytest.mark.parametrize("rubric", ["", "  \n"])
def test_a_rubric_that_is_not_there_is_not_shown(rubric: str) -> None:
    query = example("grade_reference", rubric=rubric)
    without = replace(query, reference={name: text for name, text in query.reference.items() if name != "rubric"})
    assert render(query) == render(without)
    assert "<<<RUBRIC" not in render(query)[1] and "<<<RUBRIC" in render(example("grade_reference"))[1]


def test_a_picture_alone_has_no_answer_beside_it() -> None:
    assert "<<<ANSWER" not in render(example("voila_image"))[1]
    assert "<<<ANSWER" in render(example("voila_apply", ""))[1], "an empty answer is one"


LEAVES_OUT = {"question": "q", "options": "o"}


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        (Query("extract_option", "x", {"question": "q"}, ("A",)), "lacks options"),
        (Query("extract_option", "x", {"question": "q", "options": " \n"}, ("A",)), "lacks options"),
        (Query("extract_option", "x", LEAVES_OUT | {"key": "A"}, ("A",)), "has key, which it does not show"),
        (Query("extract_option", "x", LEAVES_OUT), "lacks letters"),
        (Query("extract_option", "x", LEAVES_OUT, ("A",), (PNG,)), "has pictures, which it does not show"),
        (Query("voila_image", "", {"questions": "q"}), "lacks pictures"),
        (Query("voila_image", "x", {"questions": "q"}, pictures=(PNG,)), "has a reply, which it does not show"),
        (Query("voila_apply", "x", {"truth": "", "rubric": "r"}), "lacks truth and has rubric"),
    ],
)
def test_a_query_that_does_not_fit_is_refused(query: Query, problem: str) -> None:
    with pytest.raises(ValueError, match=f"a query for {query.template} {problem}"):
        render(query)


def test_six_letters_are_told_in_words() -> None:
    field = Field("answer", "the order", letters="all")
    assert field.allowed("ABCDEF") == () and "A, B, C, D, E, F" in field.line("ABCDEF")
    assert len(field.allowed("ABCD")) == 25

"""What goes out to a judge, and what of its reply is a verdict: one with allowed values, or none at all."""

from __future__ import annotations

import base64
import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge_prompt import PNG, example

from cogsight.shared.judge.prompts import SYSTEM, TEMPLATES, fields_of, render
from cogsight.shared.judge.query import UNREADABLE, JudgeError, Query
from cogsight.shared.judge.wire import EXPLANATION, LONGEST, MOST, Dialect, body, parse, schema
from cogsight.shared.sample import Picture

OPTION = example("extract_option")
ORDER = example("extract_sequence")
SIX = Query("extract_sequence", "x", {"question": "q", "options": "o"}, letters=tuple("ABCDEF"))
CORRECT = example("grade_reference")
SCALE = example("generated_image")


def request(dialect: Dialect, query: Query = OPTION) -> dict[str, Any]:
    return body(query, "some-judge", dialect, seed=7, max_tokens=50)


def test_the_whole_request() -> None:
    system, user = render(OPTION)
    assert request(Dialect()) == {
        "model": "some-judge",
        "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
        "temperature": 0,
        "seed": 7,
        "max_tokens": 50,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "extract_option", "strict": True, "schema": schema(OPTION)},
        },
    }


@pytest.mark.parametrize(
    ("complaint", "absent", "present"),
    [
        ("Unknown name 'response_format.json_schema'", {}, {"response_format": {"type": "json_object"}}),
        ("Unsupported parameter: 'max_tokens'", {"max_tokens"}, {"max_completion_tokens": 50}),
        ("'temperature' does not support 0 with this model", {"temperature"}, {"seed": 7}),
        ("Extra inputs are not permitted: seed", {"seed"}, {"temperature": 0}),
    ],
)
def test_what_a_server_complains_about_is_left_out(complaint: str, absent: set[str], present: dict[str, Any]) -> None:
    softer = Dialect().without(complaint)
    assert softer is not None
    fields = request(softer)
    assert not absent & fields.keys() and present.items() <= fields.items()


@pytest.mark.parametrize("complaint", ["System role not supported", "Conversation roles must alternate user/assistant"])
def test_without_a_system_message_its_text_comes_first(complaint: str) -> None:
    softer = Dialect().without(complaint)
    assert softer is not None
    (message,) = request(softer)["messages"]
    assert message == {"role": "user", "content": f"{SYSTEM}\n\n{render(OPTION)[1]}"}


def test_every_part_goes_once_and_then_nothing_is_left() -> None:
    everything = "response_format max_tokens temperature seed system"
    dialect: Dialect | None = Dialect()
    steps = 0
    while dialect := dialect.without(everything) if dialect else None:
        steps, last = steps + 1, dialect
    assert steps == 6, "two formats, and four parts"
    assert request(last).keys() == {"model", "messages", "max_completion_tokens"}
    assert Dialect().without("the kitchen is closed") is None


@pytest.mark.parametrize(
    ("data", "kind"),
    [(PNG.data, "png"), (b"\xff\xd8\xff", "jpeg"), (b"RIFF....WEBP", "webp"), (b"GIF89a", "gif"), (b"?", "png")],
)
def test_pictures_go_as_data_after_the_text(data: bytes, kind: str) -> None:
    query = Query("voila_image", "", {"questions": "q"}, pictures=(Picture(data), PNG))
    text, first, second = request(Dialect(), query)["messages"][1]["content"]
    assert text == {"type": "text", "text": render(query)[1]}
    head, _, encoded = first["image_url"]["url"].partition(",")
    assert (head, base64.b64decode(encoded)) == (f"data:image/{kind};base64", data)
    assert second["image_url"]["url"].startswith("data:image/png;base64,")


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_schema_keeps_to_what_structured_outputs_allow(name: str) -> None:
    """OpenAI: an object with all its properties required and no others; enums of one type, at most 1,000 values in all."""
    query = example(name)
    found = schema(query)
    assert found.keys() == {"type", "properties", "required", "additionalProperties"}
    assert (found["type"], found["additionalProperties"]) == ("object", False)
    assert found["required"] == list(found["properties"]) == [field.name for field in fields_of(query)]
    for about in found["properties"].values():
        assert set(about) <= {"type", "enum"} and about["type"] in ("string", "integer")
        assert all(type(value) is {"string": str, "integer": int}[about["type"]] for value in about.get("enum", []))
    assert sum(len(about.get("enum", [])) for about in found["properties"].values()) <= 1_000


def test_six_letters_make_no_schema_of_720_orders() -> None:
    assert schema(SIX)["properties"]["answer"] == {"type": "string"}


READ = [
    (OPTION, '{"reason": "it says so", "answer": "B"}', "B"),
    (OPTION, '```json\n{"reason": "x", "answer": "B"}\n```', "B"),
    (OPTION, 'Sure! Here it is: {"answer": "B", "reason": "x"} I hope {this} helps.', "B"),
    (OPTION, '<think>Perhaps {"answer": "A"}</think>{"answer": "B"}', "B"),
    (OPTION, '<think>As {"answer": ...}, with "answer": A or B?</think>Here: {"answer": "B"}', "B"),
    (OPTION, 'As {"answer": ...}, with "answer": A or B?</think>\n\n{"answer": "B"}', "B"),
    (OPTION, 'As {"answer": ...}, "answer": ...\n</think>\n```json\n{"answer": "B"}\n```\n', "B"),
    (OPTION, 'So {"answer": "B"}.</think>{"answer": "B"}', "B"),
    (OPTION, '{"reason": "it opens a <think> and says {\\"answer\\": \\"A\\"}", "answer": "B"}', "B"),
    (OPTION, '```\n{"reason": "</think>", "answer": "B"}\n```', "B"),
    (OPTION, '{"reason": "x", "answer": "B",}', "B"),
    (OPTION, '{"reason": "x", "answer": "B", "confidence": [0.9, {"of": 1}]}', "B"),
    (OPTION, '{"question": "?"} {"answer": "B"}', "B"),
    (OPTION, '{"answer": "B"}\n{"reason": "said again", "answer": "b"}', "B"),
    (OPTION, '[{"answer": "B"}]', "B"),
    (OPTION, '{"answer": " (b). "}', "B"),
    (OPTION, '{"answer": "NONE"}', "none"),
    (OPTION, '{"answer": null}', "none"),
    (OPTION, 'In the set \\{A, B\\}, \\boxed{B}: {"answer": "B"}', "B"),
    (ORDER, '{"answer": "BDAC"}', "BDAC"),
    (ORDER, '{"answer": "b, d, a, c"}', "BDAC"),
    (ORDER, '{"answer": "B → D -> A > C"}', "BDAC"),
    (ORDER, '{"answer": ["B", "D", "A", "C"]}', "BDAC"),
    (ORDER, '{"answer": "none"}', "none"),
    (ORDER, '{"answer": null}', "none"),
    (SIX, '{"answer": "FEDCBA"}', "FEDCBA"),
    (CORRECT, '{"reason": "x", "correct": 1}', 1),
    (CORRECT, '{"correct": "0"}', 0),
    (CORRECT, '{"correct": 1.0}', 1),
    (CORRECT, '{"correct": true}', 1),
    (CORRECT, '{"correct": "No"}', 0),
]


@pytest.mark.parametrize(("query", "text", "expected"), READ)
def test_a_verdict_is_read(query: Query, text: str, expected: str | int) -> None:
    values = parse(query, text)
    decisive = fields_of(query)[1].name
    assert values[decisive] == expected and type(values[decisive]) is type(expected)


UNREAD = [
    (OPTION, ""),
    (OPTION, "B"),
    (OPTION, "{}"),
    (OPTION, '{"reason": "B"}'),
    (OPTION, '{"Answer": "B"}'),
    (OPTION, '{"answer": "E"}'),
    (OPTION, '{"answer": "A or B"}'),
    (OPTION, '{"answer": "Option B"}'),
    (OPTION, '{"answer": ["B"]}'),
    (OPTION, '{"answer": {"answer": "B"}}'),
    (OPTION, '{"verdict": {"answer": "B"}}'),
    (OPTION, '{"answer": 1}'),
    (OPTION, '{"answer": true}'),
    (OPTION, '{"answer": NaN}'),
    (OPTION, '{"answer": "B"'),
    (OPTION, '{"reason": "half a sentence'),
    (OPTION, '{"answer": "B", "answer": "B"}'),
    (OPTION, '{"answer": "A"} {"answer": "B"}'),
    (OPTION, '{"answer": "B"} {"answer": "E"}'),
    (OPTION, '{"reason": "it says {"answer": "A"}", "answer": "B"}'),
    (OPTION, '<think>{"answer": "B"}'),
    (OPTION, '{"answer": "A"}<think>{"answer": "B"}'),
    (OPTION, '{"answer": "B"} It says: </think>{"answer": "A"}'),
    (OPTION, '{"reason": "it says </think>{"answer": "A"}", "answer": "B"}'),
    (OPTION, '{"reason": "it says ", "answer": "A"}", "answer": "B"}'),
    (OPTION, '"answer": "B", that is {"answer": "A"}'),
    (OPTION, '{"reason": "it says {"answer": "A"} and'),
    (OPTION, '{"reason": "it says </think>{"answer": "A"} and'),
    (OPTION, "{'answer': 'B'}"),
    (OPTION, json.dumps('{"answer": "B"}')),
    (OPTION, '{"answer": "B"}' + " " * LONGEST),
    (OPTION, '{"of": 1}' * MOST + '{"answer": "B"}'),
    (ORDER, '{"answer": "BDA"}'),
    (ORDER, '{"answer": "BDAA"}'),
    (ORDER, '{"answer": "BDACE"}'),
    (ORDER, '{"answer": 1234}'),
    (ORDER, '{"answer": ["B", "D", "A", ["C"]]}'),
    (ORDER, f'{{"answer": {"[" * 700}{"]" * 700}}}'),
    (CORRECT, f'{{"correct": {"[" * 700}{"]" * 700}}}'),
    (SIX, '{"answer": "ABCDEE"}'),
    (CORRECT, '{"correct": 2}'),
    (CORRECT, '{"correct": -1}'),
    (CORRECT, '{"correct": 0.9}'),
    (CORRECT, '{"correct": 1e999}'),
    (CORRECT, '{"correct": ' + "1" * 5_000 + "}"),
    (CORRECT, '{"correct": null}'),
    (CORRECT, '{"correct": "１"}'),
    (CORRECT, '{"correct": [1]}'),
    (SCALE, '{"appearance": 3}'),
    (SCALE, '{"appearance": 3, "instruction": true}'),
    (SCALE, '{"appearance": 3, "instruction": 4}'),
    (SCALE, '{"appearance": 3} {"instruction": 3}'),
]


@pytest.mark.parametrize(("query", "text"), UNREAD)
def test_what_is_no_verdict_is_none(query: Query, text: str) -> None:
    with pytest.raises(JudgeError, match=r"^gave .* in its reply") as caught:
        parse(query, text)
    assert caught.value.reason == UNREADABLE
    assert len(str(caught.value)) < 1_500, "the message shows the beginning only"


def test_every_field_is_there_and_the_reason_is_text() -> None:
    assert parse(CORRECT, '{"correct": 1}') == {"reason": "", "correct": 1}
    assert parse(CORRECT, '{"correct": 1, "reason": ["a", 2]}') == {"reason": "", "correct": 1}
    assert parse(CORRECT, '{"correct": 1, "reason": " a\\nb \\ud800\\u0000"}')["reason"] == "a b \ufffd\ufffd"
    assert parse(CORRECT, json.dumps({"correct": 1, "reason": "x" * 5_000}))["reason"] == "x" * EXPLANATION


FRAGMENTS = [
    *(
        '{"reason": "',
        '{"answer": "B"}',
        '{"correct": 1}',
        '"answer": "A"',
        '"correct": 0',
        "{",
        "}",
        '"',
        ",",
        ":",
        "[",
        "]",
    ),
    *(
        "<think>",
        "</think>",
        "```json\n",
        "\n```",
        "\\",
        '\\"',
        "1",
        "true",
        "null",
        "NaN",
        "A",
        "BDAC",
        "none",
        "\ud800",
        " ",
    ),
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["A", "BDAC", "none", "1", "", "x"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["answer", "correct", "a"]), inner),
)


@given(
    query=st.sampled_from([OPTION, ORDER, SIX, CORRECT, SCALE]),
    text=st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=5), max_size=20).map("".join) | JSON.map(json.dumps),
)
def test_any_text_is_a_verdict_with_allowed_values_or_none(query: Query, text: str) -> None:
    try:
        values = parse(query, text)
    except JudgeError as error:
        assert error.reason == UNREADABLE
        return
    assert list(values) == [field.name for field in fields_of(query)]
    for field in fields_of(query):
        allowed = field.allowed(query.letters)
        if allowed:
            assert any(values[field.name] == value and type(value) is type(values[field.name]) for value in allowed)
        elif field.letters:
            assert values[field.name] == "none" or sorted(str(values[field.name])) == sorted(query.letters)


@given(st.sampled_from([OPTION, ORDER, CORRECT, SCALE]), st.text(st.characters(exclude_categories=())), st.data())
def test_what_the_schema_allows_is_read_as_it_is(query: Query, reason: str, data: st.DataObject) -> None:
    about = schema(query)["properties"]
    values = {name: data.draw(st.sampled_from(kind["enum"])) for name, kind in about.items() if "enum" in kind}
    found = parse(query, json.dumps({"reason": reason, **values}))
    assert {name: found[name] for name in values} == values


LOOPS = [
    *(
        "{",
        "{ ",
        '{"',
        '{"a":',
        '{"a":[',
        '{"a":"',
        '{"a":1}',
        '{"correct":1}',
        '{"correct":1,',
        "}",
        ",",
        ", ",
        "[",
        '["',
    ),
    *("<think>", "</think>", '<think>{"a":', '{"a":"<think>"}', "```json\n", "\\", '\\"', "\n", "x"),
]


@pytest.mark.parametrize("loop", LOOPS)
def test_no_reply_keeps_us_busy(loop: str) -> None:
    start = time.process_time()
    for length in (LONGEST, 2 * LONGEST):
        with pytest.raises(JudgeError):
            parse(CORRECT, (loop * length)[:length])
    assert time.process_time() - start < 1.0

"""What holds for every reply, known or not."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import CHOICES, choices, replies

from cogsight.shared.extraction import extract
from cogsight.shared.extraction.normalise import lower, plain
from cogsight.shared.extraction.reasoning import visible
from cogsight.shared.extraction.squeeze import SHORT, squeeze
from cogsight.shared.sample import Finish, Outcome, Reply

KINDS = ("option", "sequence")


def possible(value: str, kind: str, options: Mapping[str, str]) -> bool:
    return value in options if kind == "option" else sorted(value) == sorted(options)


@settings(max_examples=500)
@given(replies(), choices(), st.sampled_from(KINDS), st.sampled_from(list(Finish)))
@example("İ" * 50 + "The answer is B.", CHOICES["arrows"], "option", Finish.STOP)
def test_a_value_is_always_a_possible_answer(reply: str, options: Mapping[str, str], kind: str, finish: Finish) -> None:
    before = dict(options)
    found = extract(Reply(reply, finish), kind, options)
    assert (found.value is not None) == (found.outcome is Outcome.PARSED) == (found.span is not None)
    if found.value is not None and found.span is not None:
        assert possible(found.value, kind, options)
        assert 0 <= found.span[0] < found.span[1] <= len(reply)
    assert dict(options) == before
    assert extract(Reply(reply, finish), kind, options) == found


@settings(max_examples=500)
@given(replies(), choices(), st.data())
def test_a_declaration_at_the_end_is_always_read(reply: str, options: Mapping[str, str], data: st.DataObject) -> None:
    letter = data.draw(st.sampled_from(list(options)))
    whole = f"{reply}\n\nThe answer is ({letter})."
    if visible(whole) is None:
        assert extract(whole, "option", options).outcome is Outcome.TRUNCATED
    else:
        assert extract(whole, "option", options).value == letter


@settings(max_examples=300)
@given(replies(), choices(), st.data())
def test_a_declared_order_at_the_end_is_always_read(
    reply: str, options: Mapping[str, str], data: st.DataObject
) -> None:
    letters = data.draw(st.permutations(list(options)))
    whole = f"{reply}\n\nThe correct order is {', '.join(letters)}."
    if visible(whole) is not None:
        assert extract(whole, "sequence", options).value == "".join(letters)


@given(replies(), replies(), choices(), st.sampled_from(KINDS))
def test_reasoning_does_not_change_the_answer(thought: str, reply: str, options: Mapping[str, str], kind: str) -> None:
    if "<" in thought + reply or "[" in thought + reply or "assistantfinal" in thought + reply or not reply.strip():
        return
    alone, behind = extract(reply, kind, options), extract(f"<think>{thought}</think>{reply}", kind, options)
    assert (behind.value, behind.outcome, behind.rule) == (alone.value, alone.outcome, alone.rule)


@given(st.text(), replies())
def test_normal_writing_moves_no_character(text: str, reply: str) -> None:
    for writing in (text, reply):
        assert len(lower(plain(writing))) == len(plain(writing)) == len(writing)
        shown = visible(writing)
        assert shown is None or len(shown) == len(writing)


@given(st.text(min_size=1, max_size=30), st.integers(0, 2000), st.text(max_size=100), st.text(max_size=100))
def test_squeezing_keeps_both_ends_and_every_place(loop: str, times: int, before: str, after: str) -> None:
    text = before + loop * times + after
    squeezed = squeeze(text)
    assert all(text[squeezed.original(n)] == char for n, char in enumerate(squeezed.text))
    assert squeezed.text[:100] == text[:100]
    assert squeezed.text[-100:] == text[-100:]
    if len(text) <= SHORT:
        assert squeezed.text == text

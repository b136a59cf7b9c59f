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


GLOSSES = (
    "The answer is {text} (option {letter}).",
    "The answer is {text}, which is option {letter}.",
    "The answer is {letter}, i.e. {text}.",
    "The answer is {text}, i.e. {letter}.",
    "\\boxed{{{text}}} ({letter})",
    "\\boxed{{{letter}}} ({text})",
    "**Answer: {text} ({letter})**",
    '{{"answer": "{text}", "option": "{letter}"}}',
)


@given(st.sampled_from(list(CHOICES.values())), st.sampled_from(GLOSSES), st.data())
def test_text_and_letter_agree_or_nothing_is_read(options: Mapping[str, str], gloss: str, data: st.DataObject) -> None:
    text, letter = data.draw(st.sampled_from(list(options))), data.draw(st.sampled_from(list(options)))
    found = extract(gloss.format(text=options[text].strip("<>"), letter=letter), "option", options)
    assert found.value == (letter if text == letter else None)
    assert (found.outcome is Outcome.AMBIGUOUS) == (text != letter)


@given(st.permutations("ABCD"), st.data())
def test_an_order_told_backwards_is_not_read_forwards(letters: list[str], data: st.DataObject) -> None:
    order = data.draw(st.sampled_from([", ", " -> ", ""])).join(letters)
    said = data.draw(st.sampled_from(["From last to first: {}", "The reverse of {}.", "{} (from last to first)"]))
    assert extract(said.format(order), "sequence", CHOICES["arrows"]).value is None


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

"""The faults that users reported of public extraction code, or that were found in it: none of them may exist here.

Each test names its row in the bug log. VLMEvalKit's matcher shows all of them, but for those of SpatialViz-Bench (C16) and lmms-eval (C15).
"""

from __future__ import annotations

import random
from itertools import permutations

import pytest
from strategies import CHOICES

from cogsight.shared.extraction import extract
from cogsight.shared.sample import Finish, Outcome, Reply

ARROWS, FIVE, TEN = CHOICES["arrows"], CHOICES["images"], CHOICES["ten"]


def option(reply: str) -> str | None:
    return extract(reply, "option", ARROWS).value


def order(reply: str) -> str | None:
    return extract(reply, "sequence", ARROWS).value


@pytest.mark.parametrize("letter", TEN)
def test_u02_an_explicit_declaration_is_read_for_every_letter(letter: str) -> None:
    other = "A" if letter != "A" else "B"
    assert (
        extract(f"The correct answer is {letter}. Here is why: {other} is behind the wall.", "option", TEN).value
        == letter
    )
    assert extract(f"The answer is {other}. Wait. The answer is {letter}.", "option", TEN).value == letter


def test_u03_long_replies_that_only_discuss_the_options_have_no_answer() -> None:
    reply = "Option A shows a red arrow. Option B shows a blue arrow on the left, next to C. D is hidden behind A."
    assert extract(reply, "option", ARROWS).outcome is Outcome.UNPARSED


def test_u04_u05_reasoning_is_stripped() -> None:
    assert option("<think>The answer is A. Or B?</think>\n\nThe answer is C.") == "C"


def test_u06_the_last_box_counts() -> None:
    assert option(r"First \boxed{A}, then \boxed{B}, so \boxed{C}.") == "C"


def test_u07_u27_a_cut_reply_without_answer_is_truncated() -> None:
    cut = Reply("Let me look at every option. The arrow in A is", Finish.LENGTH)
    assert extract(cut, "option", ARROWS).outcome is Outcome.TRUNCATED
    assert extract(Reply("The answer is B. The arrow in A is", Finish.LENGTH), "option", ARROWS).value == "B"
    assert extract(Reply("It looks like B", Finish.LENGTH), "option", ARROWS).outcome is Outcome.TRUNCATED
    assert (
        extract(Reply("A or B. A, B, C, D could be ordered as", Finish.LENGTH), "sequence", ARROWS).outcome
        is Outcome.TRUNCATED
    )


def test_u28_c16_nothing_is_read_from_unclosed_reasoning() -> None:
    found = extract("<think>So the answer is \\boxed{A}. The correct option is option A", "option", ARROWS)
    assert (found.value, found.outcome) == (None, Outcome.TRUNCATED)


def test_u29_a_blank_line_ends_no_reasoning() -> None:
    assert option("<think>The answer is A.\n\nOr is it B?\n\n</think>\n\nThe answer is C.") == "C"
    cut = extract("<think>I look at all of them.\n\nThe answer is A.\n\n", "option", ARROWS)
    assert (cut.value, cut.outcome) == (None, Outcome.TRUNCATED)


def test_u32_the_options_are_those_of_the_question() -> None:
    assert option("The answer is E.") is None
    assert extract("The answer is E.", "option", FIVE).value == "E"
    assert extract("J", "option", TEN).value == "J"
    assert extract("C", "option", CHOICES["yes or no"]).value is None


def test_c01_orders_from_reasoning_or_quoted_before_the_answer_do_not_count() -> None:
    assert order("<think>maybe BADC? no.</think> CBAD") == "CBAD"
    assert order("The letters ABCD must be ordered; the answer is CBAD.") == "CBAD"


@pytest.mark.parametrize("sign", [", ", " -> ", "-", " ", " → ", ">", "; ", "、", " then ", ",", "/", " | ", "\n"])
@pytest.mark.parametrize("letters", ["CBAD", "ABCD", "DABC"])
def test_c02_common_signs_between_the_letters(sign: str, letters: str) -> None:
    assert order(sign.join(letters)) == letters
    assert order(f"The correct order is {sign.join(letters)}.") == letters


def test_c03_tags_and_all_letters() -> None:
    assert option("<answer>C</answer>") == "C"
    assert extract("The answer is **E**. A and B are wrong", "option", FIVE).value == "E"


def test_c04_every_permutation_is_read() -> None:
    assert all(order("".join(letters)) == "".join(letters) for letters in permutations("ABCD"))


def test_c05_never_a_random_option() -> None:
    state = random.getstate()
    assert {extract("I have no idea.", "option", ARROWS).value for _ in range(50)} == {None}
    assert random.getstate() == state


@pytest.mark.parametrize(
    "reply",
    ["C.", "(C)", "**C**", r"\boxed{C}", "option C", "<think>A</think><answer>Answer C</answer>", "<answer>c</answer>"],
)
def test_c15_c16_letters_in_any_dress(reply: str) -> None:
    assert option(reply) == "C"


@pytest.mark.parametrize("reply", ["Answer: A or B", "<answer>A or B</answer>"])
def test_c16_two_letters_are_no_answer(reply: str) -> None:
    assert extract(reply, "option", ARROWS).outcome is Outcome.AMBIGUOUS


@pytest.mark.parametrize(
    "reply",
    [
        "<answer>green arrow</answer>",
        "The answer is a blue arrow",
        "<answer>cannot tell</answer>",
        "The answer is definitely unclear",
    ],
)
def test_c03_no_letter_is_taken_out_of_a_word(reply: str) -> None:
    assert option(reply) == {"<answer>green arrow</answer>": "C", "The answer is a blue arrow": "B"}.get(reply)


def test_c19_letters_inside_words_make_no_order() -> None:
    assert order("First place it, second the brick, third the cap, fourth the door") is None
    assert order("First build the base, second cover it, third attach the arm, fourth drop the lid.") is None


def test_the_prompts_own_example_is_no_answer() -> None:
    assert order("Please respond only with the letter sequence, e.g. 'BDAC'.") is None
    assert order("Please respond only with the letter sequence, e.g. 'BDAC'. CBAD") == "CBAD"


def test_choices_are_only_read() -> None:
    choices = {"A": "Red Arrow", "B": "Blue Arrow"}
    extract("the blue arrow", "option", choices)
    assert choices == {"A": "Red Arrow", "B": "Blue Arrow"}


@pytest.mark.parametrize("kind", ["option", "sequence"])
@pytest.mark.parametrize(
    "reply",
    [
        Reply("B", error="timeout"),
        Reply(None),
        Reply(""),
        Reply(" \n\t\u3000"),
        Reply("Failed to obtain answer via API."),
        Reply("[LMMS_EVAL_REQUEST_FAILED after 5 retries] Error: option B"),
    ],
)
def test_a_lost_request_is_empty(reply: Reply, kind: str) -> None:
    found = extract(reply, kind, ARROWS)
    assert (found.value, found.outcome) == (None, Outcome.EMPTY)


def test_an_unknown_answer_type_is_an_error() -> None:
    with pytest.raises(KeyError):
        extract("B", "letters", ARROWS)

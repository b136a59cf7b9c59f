"""Replies made to hang a parser: each is read in linear time. The bound is generous; `bench/bench_extraction.py` measures."""

from __future__ import annotations

import random

import pytest
import timing
from strategies import CHOICES

from cogsight.shared.extraction import extract
from cogsight.shared.sample import Outcome

MEGABYTE, SECONDS = 1_000_000, 1.0
PROSE = "Let me look carefully. The red arrow in A points left, while the arrow of option C is closer to the camera than B. "
LOOPS = [
    *(
        "A",
        "A, B, ",
        "A ",
        "(",
        "[",
        "{",
        "（",
        "<",
        "'",
        '"',
        "\\",
        "\\boxed{",
        "\\boxed{A} ",
        "<answer>",
        "<think>",
        "</think>",
        "<think>a</think>",
    ),
    *(
        "first ",
        "step 1 ",
        "then ",
        "first A, then B ",
        "1. A\n2. B\n3. C\n4. D\n",
        "A -> B -> ",
        "A\n",
        "A. x\nB. y\n",
        "\n",
        " ",
        "\t",
    ),
    *(
        "The answer is ",
        "The answer is A or B. ",
        "The answer is not A. ",
        "so A has ",
        "A is. ",
        "a. ",
        "not ",
        "so ",
        "because ",
        "blue arrow ",
        "blue arrow (option C), which is option A, ",
        "From last to first: D, A, B, C (reversed) ",
        "答案是",
        "好",
    ),
    *(
        "I'm sorry, I can't ",
        "ABCD ",
        "<image 4> ",
        "**",
        "`",
        "- ",
        "\\text{",
        "&nbsp;",
        "</details>",
        "[THINK]",
        PROSE,
    ),
]


def timed(reply: str, kind: str = "option") -> tuple[str | None, Outcome]:
    found, seconds = timing.timed(lambda: extract(reply, kind, CHOICES["arrows"]))
    assert seconds < SECONDS
    return found.value, found.outcome


@pytest.mark.parametrize("kind", ["option", "sequence"])
@pytest.mark.parametrize("loop", LOOPS, ids=repr)
def test_a_megabyte_of_one_loop(loop: str, kind: str) -> None:
    timed("x" + loop * (MEGABYTE // len(loop)) + "y", kind)


@pytest.mark.parametrize(
    "loop", [loop for loop in LOOPS if "think" not in loop.lower() and loop not in ("<answer>", "\\boxed{")], ids=repr
)
def test_the_answer_behind_a_loop_is_read(loop: str) -> None:
    assert timed(loop * (MEGABYTE // len(loop)) + "\n\nThe answer is (D).") == ("D", Outcome.PARSED)


@pytest.mark.parametrize("loop", ["A, B, ", PROSE, "好", "A is. ", "1. A\n2. B\n", "\n", "blue arrow "], ids=repr)
def test_an_answer_in_the_middle_is_not_lost(loop: str) -> None:
    half = loop * (MEGABYTE // len(loop) // 2)
    assert timed(f"{half}\n\nThe answer is D.\n\n{half}")[0] == "D"


WORDS = [
    "arrow",
    "left",
    "points",
    "near",
    "camera",
    "brick.",
    "stud,",
    "wall",
    "image",
    "of",
    "the",
    "A",
    "B",
    "in",
    "C",
    "view",
    "and",
    "roof",
    "D",
    "plate;",
    "top",
]


def noise(seed: int) -> str:
    rng = random.Random(seed)
    return " ".join(rng.choice(WORDS) for _ in range(MEGABYTE // 10))


@pytest.mark.parametrize("kind", ["option", "sequence"])
def test_a_megabyte_that_does_not_repeat(kind: str) -> None:
    answer = {"option": "D", "sequence": "DABC"}[kind]
    assert timed(f"{noise(1)}.\n\nThe answer is {answer}.\n\n{noise(2)}.", kind)[0] == answer


@pytest.mark.parametrize("kind", ["option", "sequence"])
def test_a_megabyte_of_random_letters(kind: str) -> None:
    rng = random.Random(3)
    timed(" ".join(rng.choice("ABCDxyz.,") for _ in range(MEGABYTE // 2)), kind)


@pytest.mark.parametrize("kind", ["option", "sequence"])
def test_time_grows_with_length(kind: str) -> None:
    def seconds(size: int) -> float:
        reply = noise(4)[:size]
        return timing.timed(lambda: extract(reply, kind, CHOICES["arrows"]))[1]

    seconds(1000)
    small, large = min(seconds(50_000) for _ in range(5)), min(seconds(800_000) for _ in range(3))
    assert large < 16 * 6 * small

"""Every word that a model sees is pinned: a change here makes scores incomparable, so PROMPT_VERSION must change with it."""

from __future__ import annotations

from hashlib import sha256

import pytest

from cogsight.lego_puzzles.generate import GENERATORS
from cogsight.lego_puzzles.prompts import PROMPT_VERSION, prompt
from cogsight.shared.build import generate_samples
from cogsight.shared.sample import Sample

OPTION = """Question: Which object is shorter?
Options:
A. The {red} one
B. <image 2>
Choose the correct answer from the options above and reply with its letter."""

SEQUENCE = """Question: Sort.
Options:
A. <image 1>
B. <image 2>
Put the options above in the correct order. Reply with the sequence of letters only, for example 'BDAC'."""

GENERATED = {
    "height": "b28278784e0d0669",
    "next_step": "0136a7fb2f0bbfe4",
    "ordering": "9b3b5ad286b7f473",
}
"""Task → first digits of the hash of the prompt's text with its first sample's words, data version 1."""


def sample(question: str, choices: dict[str, str], answer_type: str) -> Sample:
    return Sample("lego_puzzles/official/t/all/1", "t", "c", "all", (), question, choices, "A", answer_type)


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (sample(" Which object is shorter?\n", {"A": "The {red} one", "B": "<image 2>"}, "option"), OPTION),
        (sample("Sort.", {"A": "<image 1>", "B": "<image 2>"}, "sequence"), SEQUENCE),
    ],
    ids=["option", "sequence"],
)
def test_prompts_of_the_release(made: Sample, text: str) -> None:
    assert PROMPT_VERSION == "1"
    assert prompt(made) == text


@pytest.mark.parametrize("task", GENERATED)
def test_prompts_of_generated_questions(task: str) -> None:
    (made,) = generate_samples([GENERATORS[task]], benchmark="b", versions={}, seed=0, num_samples=1)
    assert sha256(prompt(made).encode()).hexdigest()[:16] == GENERATED[task]

"""Every word that a model sees is pinned: a change here makes scores incomparable, so PROMPT_VERSION must change with it."""

from __future__ import annotations

from hashlib import sha256

import pytest

from cogsight.lego_puzzles.generate import GENERATORS
from cogsight.lego_puzzles.prompts import COT, MAKE, PROMPT_VERSION, VIEW_WORDS, prompt
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
    "height": "6a0d989a0b1ae036",
    "adjacency": "e037a0c74d5887c7",
    "rotation": "8000132802030aa8",
    "multiview": "87506e49f1a6e1cf",
    "next_step": "0136a7fb2f0bbfe4",
    "dependency": "3b107911cf272f7e",
    "rotation_status": "82b4dad66f787c94",
    "position": "1a1c5d0111ce95f2",
    "backwards": "d39ae691d8ae5ffd",
    "ordering": "9b3b5ad286b7f473",
    "outlier": "595bbb15f509eb62",
    "next_k_step": "d45652238249ce47",
}
"""Task → first digits of the hash of the prompt's text with its first sample's words, data version 2."""

CONSTANT = {
    **{f"make {task}": text for task, text in MAKE.items()},
    **{f"view {name}": text for name, text in VIEW_WORDS.items()},
    **{f"cot {kind}": text for kind, text in COT.items()},
}
PINNED = {
    "make rotation_image": "7300012b090bb6d9",
    "make multiview_image": "6a270ad121d3d2d2",
    "make position_image": "30f3297898852ead",
    "make dependency_image": "92578b9c8c804c36",
    "make next_step_image": "b717fb69f10e7085",
    "view top": "35847b0811e3113e",
    "view left": "7d809c7ee68f2599",
    "view right": "e4c77074a53c0934",
    "view back": "1cf8173e64dbdf30",
    "cot option": "9e54c73a240992b2",
}
"""The same of the texts that are constants."""


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


def test_constant_texts() -> None:
    assert {name: sha256(text.encode()).hexdigest()[:16] for name, text in CONSTANT.items()} == PINNED


@pytest.mark.parametrize("task", GENERATED)
def test_prompts_of_generated_questions(task: str) -> None:
    (made,) = generate_samples([GENERATORS[task]], benchmark="b", versions={}, seed=0, num_samples=1)
    assert sha256(prompt(made).encode()).hexdigest()[:16] == GENERATED[task]

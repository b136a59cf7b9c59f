"""Every word that a model sees is pinned: a change here makes scores incomparable, so PROMPT_VERSION must change with it."""

from __future__ import annotations

from hashlib import sha256

import pytest

from cogsight.shared.sample import Picture, Sample
from cogsight.shared.variants import vlmeval_name
from cogsight.spatialviz.benchmark import BENCHMARK
from cogsight.spatialviz.prompts import PROMPT_VERSION, prompt

CHOICES = {"A": "8", "B": "11", "C": "{10}", "D": "All three other options are incorrect"}
SAMPLE = Sample("s/o/t/0/1", "t", "c", "0", (Picture(b"png"),), " How many {cubes}?\n", CHOICES, "D", "option")

PINNED = {
    "spatialviz": "a94cc78c6dff242d",
    "spatialviz_direct": "60b4bf5750cefc8f",
    "spatialviz_boxed": "1d03dfddd37dad49",
    "spatialviz_text_only": "a94cc78c6dff242d",
}
"""Variant → first digits of the hash of this question's whole text, version 1."""

DIRECT = """Answer with the letter of a single option (A, B, C or D) inside <answer></answer> tags, for example <answer>A</answer>. \
Give this final answer only: no reasoning, no other text.
Question: How many {cubes}?
Choices: A. 8
B. 11
C. {10}
D. All three other options are incorrect"""


@pytest.mark.parametrize("name", PINNED)
def test_the_prompts(name: str) -> None:
    variant = BENCHMARK.variant(name)
    text = prompt(SAMPLE, variant.style)
    assert PROMPT_VERSION == BENCHMARK.prompt_version == "1"
    assert sha256(text.encode()).hexdigest()[:16] == PINNED[name]
    assert text.endswith("Choices: A. 8\nB. 11\nC. {10}\nD. All three other options are incorrect")


def test_a_whole_prompt() -> None:
    assert prompt(SAMPLE, "direct") == DIRECT


def test_the_styles_ask_for_what_the_paper_asked_for() -> None:
    cot, boxed = prompt(SAMPLE, "cot"), prompt(SAMPLE, "boxed")
    assert all(tag in cot for tag in ("<think></think>", "<answer></answer>", "(A, B, C or D)"))
    assert "\\boxed{}" in boxed and "step by step" in boxed


def test_the_picture_comes_first_or_not_at_all() -> None:
    for variant in BENCHMARK.variants:
        (message,) = BENCHMARK.turn(SAMPLE, variant, []) or ()
        text = prompt(SAMPLE, variant.style)
        assert message.role == "user"
        assert message.parts == ((text,) if variant.view == "text" else (SAMPLE.images[0], text))
        assert BENCHMARK.turn(SAMPLE, variant, [None]) is None  # type: ignore[list-item]
    blind = [v.name for v in BENCHMARK.variants if v.view == "text"]
    assert blind == ["spatialviz_text_only", "spatialviz_text_only_procedural"]


def test_names_in_both_frameworks() -> None:
    names = {variant.name: vlmeval_name(variant, BENCHMARK.vlmeval_prefix) for variant in BENCHMARK.variants}
    assert names == {
        "spatialviz": "SpatialViz",
        "spatialviz_direct": "SpatialViz_Direct",
        "spatialviz_boxed": "SpatialViz_Boxed",
        "spatialviz_text_only": "SpatialViz_Text_Only",
        "spatialviz_procedural": "SpatialViz_Procedural",
        "spatialviz_direct_procedural": "SpatialViz_Direct_Procedural",
        "spatialviz_boxed_procedural": "SpatialViz_Boxed_Procedural",
        "spatialviz_text_only_procedural": "SpatialViz_Text_Only_Procedural",
    }

"""Every word that a model sees is pinned: a change makes scores incomparable, so that PROMPT_VERSION changes, and this file with it."""

from __future__ import annotations

import pytest

from cogsight.voila.benchmark import BENCHMARK
from cogsight.voila.prompts import ANY_ALLOWED, EXAMPLES, FORM, PROMPT_VERSION, RULES, STYLES, Question, links
from cogsight.voila.rules import structure_of, target
from cogsight.voila.taxonomy import SUBSETS
from cogsight.voila.words import format_value, parse_scenes


def prompts(style: str, subset: str) -> list[str]:
    return [link.prompt for link in links(style, Question(parse_scenes(EXAMPLES[subset][0]), subset))]


def test_the_words_of_all_settings() -> None:
    assert PROMPT_VERSION == BENCHMARK.prompt_version == "3094cbb0da4e"


@pytest.mark.parametrize("style", STYLES)
def test_any_is_an_answer_only_where_there_is_distraction(style: str) -> None:
    (wd,), (nd,) = ([text for text in prompts(style, subset) if FORM in text] for subset in SUBSETS)
    assert ANY_ALLOWED in wd or RULES["wd"] in wd or "number = any, subject = dog" in wd  # the second by example
    assert "any" not in nd


@pytest.mark.parametrize("subset", SUBSETS)
@pytest.mark.parametrize("style", ["examples", "two_shot_cot"])
def test_examples_are_questions_of_the_subset_and_solved_right(subset: str, style: str) -> None:
    shown = next(text for text in prompts(style, subset) if "two examples" in text)
    for state in EXAMPLES[subset]:
        scenes = parse_scenes(state)
        assert structure_of(scenes) in SUBSETS[subset]
        assert FORM.format(*map(format_value, target(scenes))) + "." in shown

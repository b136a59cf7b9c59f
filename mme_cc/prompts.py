"""Every text that a model sees in MME-CC besides the questions themselves, and the rubrics of generated questions for the judge."""

from __future__ import annotations

import json
from collections.abc import Mapping

from cogsight.shared.sample import Sample

PROMPT_VERSION = "1"

PROMPTS: Mapping[str, str] = {
    "direct": "{question}",
    "describe_first": (
        "First describe what the pictures show, as far as it matters for the question. Then solve the task and end with your answer.\n\n"
        "{question}"
    ),
}
"""By style. A released prompt is asked as it is. The paper's ablation adds "first describe the relevant image content" (Appendix F);
its words are not published, these are ours."""

RUBRICS: Mapping[str, str] = {
    "satellite_image_matching": "Both photos must be given the place of the reference answer.",
    "indoor_directional_reasoning": "The direction must be that of the reference answer, under any common name or abbreviation.",
    "indoor_deduplication_counting": "Both counts must equal those of the reference answer.",
    "gomoku_variation": "The move must be the point of the reference answer, however it is written.",
    "unblock_me": (
        "The minimum number of moves and the set of blocks that move must both be those of the reference answer; the order of the moves"
        " does not matter."
    ),
    "maze": "The digits must be those of the reference answer, all of them, in the same order.",
    "jigsaw_puzzle": "Every piece must be given the slot of the reference answer; the order of the pairs does not matter.",
    "chart_modification": "Every row of the reference answer must be there with its value, and nothing else besides the rows.",
    "sandbagging": (
        "Four answers in order. Where the reference says what an answer is, it must be that; where it says what an answer is not, it must"
        " be another one."
    ),
    "counterfactual_instruction": "The answer must be that of the reference answer, which holds under the instruction's rule.",
    "finding_wrong_answer": "The answer must name the step of the reference answer.",
}
"""Subtask → what a judge must go by for our generated questions; a released record brings its own."""


def prompt(sample: Sample, style: str) -> str:
    """The whole text of the one turn, placeholders still in it."""
    return PROMPTS[style].format(question=sample.question)


def rubric(sample: Sample) -> str:
    """What a judge must go by: the record's own scoring criteria, or ours for a generated question; "" where there is none."""
    if sample.id.split("/")[1] == "procedural":
        return RUBRICS[sample.task]
    return str(json.loads(sample.metadata).get("rubric", ""))

"""Every text that a model sees in SpatialViz-Bench.

The picture comes first, then the instruction, the question and its lettered choices, as in the paper's own script (`evaluate.py` in
github.com/wangst0181/SpatialViz-Bench); the instructions say what its do, in words of ours. Its system text ("You are a helpful
assistant.") is left out: VLMEvalKit's single turns have no place for one. Its fourth prompt asks for a number without options, which
the released questions have no text for.
"""

from __future__ import annotations

from cogsight.shared.sample import Sample

PROMPT_VERSION = "1"

QUESTION = "{instruction}\nQuestion: {question}\nChoices: {choices}"

INSTRUCTIONS = {
    "cot": (
        "First reason about the problem, then give a single option ({letters}) as your final answer. Write the reasoning inside"
        " <think></think> tags and the answer inside <answer></answer> tags."
    ),
    "boxed": (
        "Solve the problem step by step, and answer with the letter of one of the given choices. Put that letter in one"
        " '\\boxed{{}}'."
    ),
    "direct": (
        "Answer with the letter of a single option ({letters}) inside <answer></answer> tags, for example <answer>A</answer>. Give"
        " this final answer only: no reasoning, no other text."
    ),
}
"""By style: the script's `choice_reasoning_tagged` (the paper's CoT template A), `choice_reasoning_boxed` (B) and `choice_answer_only`."""


def prompt(sample: Sample, style: str) -> str:
    """The whole text of the one turn."""
    *most, last = sample.choices
    instruction = INSTRUCTIONS[style].format(letters=f"{', '.join(most)} or {last}")
    choices = "\n".join(f"{letter}. {text}" for letter, text in sample.choices.items())
    return QUESTION.format(instruction=instruction, question=sample.question.strip(), choices=choices)

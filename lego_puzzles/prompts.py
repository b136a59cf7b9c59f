"""Every text that a model sees in LEGO-Puzzles.

Layout and meaning follow the wrapper that the paper's evaluation used (VLMEvalKit, `vlmeval/dataset/image_mcq.py`, class LEGO):
question, lettered options, one line that says how to answer. The wording of that line is ours.
"""

from __future__ import annotations

from cogsight.shared.sample import Sample

PROMPT_VERSION = "1"

QUESTION = "Question: {question}\nOptions:\n{options}\n{instruction}"

INSTRUCTIONS = {
    "option": "Choose the correct answer from the options above and reply with its letter.",
    "sequence": "Put the options above in the correct order. Reply with the sequence of letters only, for example 'BDAC'.",
}
"""By answer type. The example order is the one that the published wrapper gives."""


def prompt(sample: Sample) -> str:
    """The whole text of the one turn, placeholders still in it."""
    options = "\n".join(f"{letter}. {text}" for letter, text in sample.choices.items())
    return QUESTION.format(
        question=sample.question.strip(), options=options, instruction=INSTRUCTIONS[sample.answer_type]
    )

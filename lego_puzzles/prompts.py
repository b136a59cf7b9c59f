"""Every text that a model sees in LEGO-Puzzles.

Layout and meaning follow the wrapper that the paper's evaluation used (VLMEvalKit, `vlmeval/dataset/image_mcq.py`, class LEGO):
question, lettered options, one line that says how to answer. The wording of that line is ours. Where a picture is to be made, the
question is all there is, as in the paper.
"""

from __future__ import annotations

from collections.abc import Mapping

from cogsight.shared.sample import Sample

from .taxonomy import MISSPELT

PROMPT_VERSION = "1"

QUESTION = "Question: {question}\nOptions:\n{options}\n{instruction}"
PICTURE = "{question}"

INSTRUCTIONS = {
    "option": "Choose the correct answer from the options above and reply with its letter.",
    "sequence": "Put the options above in the correct order. Reply with the sequence of letters only, for example 'BDAC'.",
    "picture": "",
}
"""By answer type. The example order is the one that the published wrapper gives."""

COT = {
    "option": "Choose the correct answer from the options above. Think step by step before answering, and end your reply with the line"
    " 'Answer: ' and the letter."
}
"""With chain of thought; "Think step by step before answering" is what the paper adds (Table 4). How to end is ours."""

STYLES: Mapping[str, Mapping[str, str]] = {"direct": INSTRUCTIONS, "cot": COT}
"""Style of a variant → the last line, by answer type."""

FORMS = {"picture": PICTURE}
"""Answer type → layout, where it is not QUESTION."""

MAKE = {
    "rotation_image": "The picture shows a brick model: <image 1>. Make a picture of the same model after it has been turned by {degrees}"
    " degrees clockwise, as seen from above, about its own centre. Keep the camera where it is.",
    "multiview_image": "The picture shows a brick model: <image 1>. Make a picture of the same model as it looks {view}.",
    "position_image": "The model as it is now: <image 1>. The part that comes next: <image 2>. The model with that part in its place:"
    " <image 3>. Make a picture of the model as it is now, with a clear mark on the place where the part is put.",
    "dependency_image": "The model as it is now: <image 1>. The model one step later: <image 2>. Make a picture of the part that was added.",
    "next_step_image": "The model as it is now, with those studs painted magenta that the next part will cover: <image 1>. That part:"
    " <image 2>. Make a picture of the model one step later, with that part in its place and without the paint.",
}
"""Task → its generated question. Meaning: the published prompts (`images/*_case.png` of github.com/Tangkexian/LEGO-Puzzles); our words."""

VIEW_WORDS = {
    "top": "from straight above: the camera has risen until it looks down, without going round the model, so that what was near is at the bottom",
    "left": "from the left: the camera has moved a quarter of a circle round the model, to the left of where it was",
    "right": "from the right: the camera has moved a quarter of a circle round the model, to the right of where it was",
    "back": "from behind: the camera has moved half a circle round the model",
}
"""What may stand for `view`, in Multiview and Multiview*; the paper's are "Top" and "Left". A vehicle has a left side of its own, so that the
camera is what is told of.
"""


def prompt(sample: Sample, style: str = "direct") -> str:
    """The whole text of the one turn, placeholders still in it, each spelt so that its picture is found."""
    options = "\n".join(f"{letter}. {text}" for letter, text in sample.choices.items())
    return FORMS.get(sample.answer_type, QUESTION).format(
        question=_spelt(sample.question.strip()), options=options, instruction=STYLES[style][sample.answer_type]
    )


def _spelt(question: str) -> str:
    for published, meant in MISSPELT.items():
        question = question.replace(published, meant)
    return question

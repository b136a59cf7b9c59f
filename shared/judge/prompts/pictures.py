"""Grading pictures that a model made. There is no text of the model's in these prompts; text inside a picture is part of it."""

from __future__ import annotations

from collections.abc import Mapping

from .scenes import PROPERTIES
from .template import Field, Template, yes_or_no

_SEEN = Field("reason", "one short sentence: what the picture to be graded shows", counts=False)
_SCALE = (0, 1, 2, 3)
_APPEARANCE = (
    "- 3: the same object; only details that one has to look for differ.\n"
    "- 2: clearly the same object, with some parts changed, missing or added.\n"
    "- 1: only a resemblance: some colours or shapes.\n"
    "- 0: something else, or nothing.\n"
)
_INSTRUCTION = (
    "- 3: done exactly. 2: done, with a small deviation. 1: attempted, wrong in essential parts. 0: not done, also where a picture of the "
    "question is only repeated."
)
_GRADES = (
    _SEEN,
    Field("appearance", "likeness to the object", values=_SCALE),
    Field("instruction", "how far the instruction is followed", values=_SCALE),
)
_CAVEAT = "automatic rater, not the paper's human protocol"

TEMPLATES: Mapping[str, Template] = {
    "voila_image": Template(
        version="1",
        task="The picture was made by a model. Answer the three QUESTIONS about it, each by itself and only by what the picture shows.\n"
        "- Count only subjects that can be told apart as whole figures, not reflections, pictures in the picture, or toys.\n"
        "- Say no where the picture does not show it clearly, where figures are deformed beyond recognition, or where the picture only says "
        "it in writing.\n"
        "- Of people, gender and age (child, adult, senior) must fit what is asked; of animals, the kind.",
        needs=("questions",),
        pictures="The picture to be graded comes after this text.",
        shows_reply=False,
        fields=(
            _SEEN,
            *(yes_or_no(name, f"the question about the {name} is answered with yes") for name in PROPERTIES),
        ),
    ),
    "generated_image": Template(
        version="1",
        task="A model was asked to make a picture that solves the QUESTION about things built from bricks. Grade the picture that it made, against "
        "the picture that solves it.\n"
        "appearance: does it look like the same object as in the question's pictures (bricks, shapes, colours, background)?\n"
        f"{_APPEARANCE}"
        "instruction: does it show what the QUESTION asks for (the turn, the view, the added brick and its place)? Judge this by the picture that "
        "solves it, and apart from the appearance.\n"
        f"{_INSTRUCTION}",
        needs=("question",),
        pictures="After this text come the question's pictures in their order, then the picture that solves it, and as the last one the "
        "picture to be graded.",
        shows_reply=False,
        fields=_GRADES,
        caveat=_CAVEAT,
    ),
    "generated_image_alone": Template(
        version="1",
        task="A model was asked to make a picture that solves the QUESTION about things built from bricks. Grade the picture that it made; "
        "nobody has the picture that solves it, so work out first what it must show.\n"
        "appearance: does it look like the same object as in the question's pictures (bricks, shapes, colours, background)?\n"
        f"{_APPEARANCE}"
        "instruction: does it show what the QUESTION asks for (the turn, the view, the added brick and its place)? Judge this apart from the "
        "appearance.\n"
        f"{_INSTRUCTION}",
        needs=("question",),
        pictures="After this text come the question's pictures in their order, and as the last one the picture to be graded.",
        shows_reply=False,
        fields=_GRADES,
        caveat=_CAVEAT,
    ),
}

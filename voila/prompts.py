"""What a model is asked, step by step, in every setting of the paper; in meaning as published, in our words.

The steps' texts follow the released `inference_test.py`; direct answering (only in the paper's Figure 20) and step 4 (no released
text) are our own. "Increase or decrease rate" is the published wording, and ambiguous (`rules.Flags`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from cogsight.shared.chain import Link

from .rules import Relations, Scenes, relations, target
from .taxonomy import ACTIONS, SUBJECTS
from .words import describe_images, format_relations, parse_scenes

DESCRIBE = """\
Look at the three images. Describe each of them in one sentence that says how many subjects there are, what kind they are, and what \
they are doing. Answer in this form:
Image 1: description
Image 2: description
Image 3: description"""
"""Step 1. Released inference_test.py; wording ours."""

RELATE = """\
Now compare image 1 with image 2. Say for each of the three properties, the number of subjects, the subject type and the action, whether \
it changes from image 1 to image 2 or remains constant, and from what to what it changes. For the number, say whether it increases or \
decreases."""
"""Step 2. Released inference_test.py; wording ours."""

RELATE_ONE: Mapping[str, str] = {
    "number": "Now compare image 1 with image 2. Does the number of subjects change or remain constant? If it changes, say whether it "
    "increases or decreases, and from what to what.",
    "subject": "Does the subject type change from image 1 to image 2, or remain constant? If it changes, say from what to what.",
    "action": "Does the action change from image 1 to image 2, or remain constant? If it changes, say from what to what.",
}
"""Step 2 as three sub-prompts (paper B.7); wording ours."""

RULES: Mapping[str, str] = {
    "nd": """\
(1) A property that remains constant from image 1 to image 2 has the value that it has in image 3.
(2) A property other than the number that changes from image 1 to image 2, and is the same in image 1 and image 3, has the value \
that it has in image 2.
(3) For the number, apply its increase or decrease rate from image 1 to image 2 to the number in image 3.""",
    "wd": """\
(1) A property that remains constant from image 1 to image 2 has the value that it has in image 3.
(2) A property other than the number that changes from image 1 to image 2 has the value that it has in image 2 if it is the same in \
image 1 and image 3; otherwise its value is "any".
(3) For the number, apply its increase or decrease rate from image 1 to image 2 to the number in image 3; if the result is below \
one, the number is "any".""",
}
"""Part of step 3, by subset. Released inference_test.py; wording ours."""

FORM = "The answer is number = {}, subject = {}, action = {}"

APPLY = """\
Image 4 stands to image 3 as image 2 stands to image 1. Apply the relations between image 1 and image 2 to image 3, and say what \
image 4 shows. {rules}
Answer in this form:
{form}"""
"""Step 3. Released inference_test.py; wording ours."""

DIRECT = """\
The three images are part of an analogy: image 1 is to image 2 as image 3 is to image 4, over the number of subjects, the subject type \
and the action. Image 4 is missing: say what it shows.{more}
Answer in this form:
{form}"""
"""Direct answering, without steps (paper B.1). Not published as text; ours."""

TEXT = """\
Three images are described below. They are part of an analogy: image 1 is to image 2 as image 3 is to image 4, over the number of \
subjects, the subject type and the action. Image 4 is missing: say what it shows.{more}
{descriptions}
Answer in this form:
{form}"""
"""Descriptions in place of the images, direct, without rules (paper, section 4.5). Not published as text; ours."""

ANY_ALLOWED = 'A property whose value cannot be told is "any".'

EXAMPLES: Mapping[str, tuple[str, str]] = {
    "nd": (
        "one cat reading; two cats reading; two dogs typing",
        "two men walking; two women walking; four men swimming",
    ),
    "wd": (
        "two men walking; one woman walking; four male children swimming",
        "three cats reading; one cat typing; two dogs reading",
    ),
}
"""Questions that are solved in the prompt, as states. The paper's own are not published."""

OPTIONS = """\
The number is one of: one, two, three, four{any}.
The subject type is one of: {subjects}{any}.
The action is one of: {actions}{any}."""
"""The lists that people had (paper D.1 and B.9); wording ours."""

DRAW = """\
Now generate image 4 as you have answered. One picture that shows the number of subjects, the subject type and the action of your answer; \
for a property that is "any", choose a value."""
"""Step 4: the picture of the model's own answer. Not published as text; ours."""

DRAW_FROM = """\
Somebody has solved a visual analogy and says in the text below what the missing picture shows: how many subjects, which kind, and what \
they do. Generate that picture, and nothing else: one clear scene of the subjects doing it. For a property that is "any", or is not said, \
choose a value. No words in the picture.

{answer}"""
"""Step 4 by another model, which sees this text alone. Not published; ours."""


@dataclass(frozen=True, slots=True)
class Question:
    """What the prompts of a question are made from."""

    scenes: Scenes
    subset: str
    """A key of RULES."""


def links(style: str, question: Question) -> tuple[Link, ...]:
    """The chain of a setting. Raises KeyError for an unknown style."""
    return STYLES[style].links(question)


def _described(question: Question) -> Link:
    return Link(DESCRIBE, given=describe_images(question.scenes))


def _related(question: Question) -> Link:
    return Link(RELATE, given=format_relations(relations(question.scenes)))


def _apply(question: Question) -> Link:
    return Link(APPLY.format(rules=f"Use these rules:\n{RULES[question.subset]}", form=FORM))


def _apply_by_example(question: Question) -> Link:
    return Link(APPLY.format(rules=_examples(question.subset), form=FORM))


def _direct(question: Question) -> Link:
    return Link(DIRECT.format(more=_any_allowed(question.subset), form=FORM))


def _direct_by_example(question: Question) -> Link:
    any_ = ', or "any"' if question.subset == "wd" else ""
    options = OPTIONS.format(any=any_, subjects=", ".join(SUBJECTS), actions=", ".join(ACTIONS))
    more = f"{_any_allowed(question.subset)}\n{_examples(question.subset)}\n{options}"
    return Link(DIRECT.format(more=more, form=FORM))


def _text(question: Question) -> Link:
    descriptions = describe_images(question.scenes)
    return Link(TEXT.format(more=_any_allowed(question.subset), descriptions=descriptions, form=FORM))


def _any_allowed(subset: str) -> str:
    return f" {ANY_ALLOWED}" if subset == "wd" else ""


def _examples(subset: str) -> str:
    """Two questions with descriptions, relations, reasoning and answer."""
    shown = (f"Example {n}. {_example(parse_scenes(state))}" for n, state in enumerate(EXAMPLES[subset], 1))
    return "\n".join(["Here are two examples, each with its reasoning.", *shown])


def _example(scenes: Scenes) -> str:
    found, right = relations(scenes), target(scenes)
    reasons = " ".join(_reason(name, scenes, found, getattr(right, name)) for name in found._fields)
    answer = FORM.format(*("any" if value is None else value for value in right))
    return f"{describe_images(scenes)}. {format_relations(found)} {reasons} {answer}."


def _reason(name: str, scenes: Scenes, found: Relations, value: object) -> str:
    one, two, three = (getattr(scene, name) for scene in scenes)
    if one == two:
        return f"The {name} remains constant, so that it is {three} as in image 3."
    if name == "number":
        return f"The number goes from {one} to {two}, by {two - one:+d}, so that from {three} it goes to {'below one: any' if value is None else value}."
    if value is None:
        return f"The {name} changes, but image 3 does not have that of image 1, so that it is any."
    return f"The {name} changes, and image 3 has that of image 1, so that it is {two} as in image 2."


@dataclass(frozen=True, slots=True)
class Style:
    """One way to ask: its steps in order. `name` → what is asked there, which the scorer reads."""

    steps: Mapping[str, Callable[[Question], Link]]
    form: str = "paper"
    """A key of `chain.FORMS`."""

    def links(self, question: Question) -> tuple[Link, ...]:
        """The prompts for a question."""
        return tuple(step(question) for step in self.steps.values())

    def asked(self, question: Question) -> tuple[str, ...]:
        """The steps that the model answers, in order: one for each reply."""
        return tuple(name for name, step in self.steps.items() if step(question).given is None)


def _ask(text: str) -> Callable[[Question], Link]:
    return lambda question: Link(text)


_SUB_PROMPTS = {f"relate/{name}": _ask(text) for name, text in RELATE_ONE.items()}

STYLES: Mapping[str, Style] = {
    "least_to_most": Style({"describe": _ask(DESCRIBE), "relate": _ask(RELATE), "apply": _apply}),
    "chat": Style({"describe": _ask(DESCRIBE), "relate": _ask(RELATE), "apply": _apply}, form="chat"),
    "direct": Style({"apply": _direct}),
    "text": Style({"apply": _text}),
    "gt_descriptions": Style({"describe": _described, "relate": _ask(RELATE), "apply": _apply}),
    "gt_relations": Style({"describe": _described, "relate": _related, "apply": _apply}),
    "sub_prompts": Style({"describe": _ask(DESCRIBE), **_SUB_PROMPTS, "apply": _apply}),
    "two_shot_cot": Style({"describe": _ask(DESCRIBE), "relate": _ask(RELATE), "apply": _apply_by_example}),
    "examples": Style({"apply": _direct_by_example}),
    "draw": Style({"describe": _ask(DESCRIBE), "relate": _ask(RELATE), "apply": _apply, "draw": _ask(DRAW)}),
    "direct_draw": Style({"apply": _direct, "draw": _ask(DRAW)}),
}
"""The settings of the paper: Table 2 (`least_to_most`), B.1 (`direct`), 6.2 (`text`), 6.1 (`gt_…`), B.7 (`sub_prompts`), B.8
(`two_shot_cot`), B.9 (`examples`), Table 9 (`draw`, `direct_draw`). `chat` is ours: the same steps as real turns."""


def _version() -> str:
    shown = [
        link
        for style in STYLES
        for subset, states in EXAMPLES.items()
        for link in links(style, Question(parse_scenes(states[0]), subset))
    ]
    return sha256(repr([shown, DRAW_FROM]).encode()).hexdigest()[:12]


PROMPT_VERSION = _version()
"""Changes with any word of any setting, the examples' included."""

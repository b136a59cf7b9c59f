"""Explanations of generated questions: each option has one, and only the right one's says that it is right."""

from __future__ import annotations

from collections.abc import Iterator

from ..sample import Sample
from .balance import PARTS
from .finding import Audited, Finding, Verdict, faults

NAME = "explanations"
RIGHT = "Right"
"""How the right option's explanation begins, and no other's."""


def explanations(audited: Audited) -> Iterator[Finding]:
    """One finding for each task; a release seldom explains anything."""
    for task, items in audited.tasks().items():
        if not audited.procedural:
            yield Finding(NAME, task, Verdict.NONE, "not generated: a release need not explain")
        elif not any(item.sample.answer_type in PARTS for item in items):
            yield Finding(NAME, task, Verdict.NONE, "free answers, which have no options to explain")
        else:
            found = {item.sample.id: why for item in items if (why := _fault(item.sample))}
            mend = f'write "{RIGHT}: …" for the key and "Wrong: …" for each other option'
            yield faults(NAME, task, found, len(items), "are not explained", "each option", mend)


def _fault(sample: Sample) -> str:
    """What is wrong with a sample's explanations; "" for nothing."""
    if silent := [letter for letter in sample.choices if not sample.explanation.get(letter, "").strip()]:
        return f"nothing is said of {', '.join(silent)}"
    if len(sample.answer) > 1:  # an order: no option is right by itself
        return ""
    right = "".join(letter for letter, text in sample.explanation.items() if text.startswith(RIGHT))
    return (
        "" if right == sample.answer else f"right by its explanation is {right or 'none'}, by the key {sample.answer}"
    )

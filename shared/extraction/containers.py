"""Where a reply sets its answer apart: `<answer>…</answer>`, `\\boxed{…}`, GLM's box tokens."""

from __future__ import annotations

import re
from typing import NamedTuple

from .normalise import lower

TAGS = "answer|ans|final_answer|finalanswer|final|choice|option|conclusion|solution|result|output|response|prediction"
OPEN = re.compile(rf"<(?P<tag>{TAGS})>|boxed\s?\{{|fbox\{{|framebox\{{|<\|begin_of_box\|>|<\|begin_of_solution\|>")
BRACES = re.compile(r"[{}]")
LONGEST_BOX = 400
"""Characters within which a `\\boxed{` must close."""
CONTAINERS = ("answer_tag", "box_token", "boxed")
"""Kinds of container."""


class Container(NamedTuple):
    """An answer set apart, and where its contents stand."""

    rule: str
    start: int
    end: int


def last_container(text: str) -> Container | None:
    """The last one that holds anything; the end of the reply closes one that was left open."""
    if "<" not in text and "box" not in text:
        return None
    small = lower(text)
    for opened in reversed(list(OPEN.finditer(small))):
        found = _contents(small, opened)
        if small[found.start : found.end].strip():
            return found
    return None


def _contents(small: str, opened: re.Match[str]) -> Container:
    start = opened.end()
    if opened["tag"]:
        rule, end = "answer_tag", small.find(f"</{opened['tag']}", start)
    elif opened[0].startswith("<"):
        rule, end = "box_token", small.find("<|end_of", start)
    else:
        rule, end = "boxed", _closing_brace(small, start)
    return Container(rule, start, end if end >= 0 else len(small))


def _closing_brace(small: str, start: int) -> int:
    depth = 1
    for brace in BRACES.finditer(small, start, start + LONGEST_BOX):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return brace.start()
    return -1

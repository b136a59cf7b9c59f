"""Where a reply sets its answer apart: `<answer>…</answer>`, `\\boxed{…}`, GLM's box tokens."""

from __future__ import annotations

import re
from typing import NamedTuple

OPEN = re.compile(
    r"<(?P<tag>answer|ans|final_answer|finalanswer|final|choice|option|conclusion|solution|result|output|response|prediction)>"
    r"|\\?f?boxed\s?\{|\\framebox\{|<\|begin_of_box\|>|<\|begin_of_solution\|>"
)
"""In lower case."""
BRACES = re.compile(r"[{}]")
LONGEST_BOX = 400
"""Characters within which a `\\boxed{` must close."""


CONTAINERS = ("answer_tag", "box_token", "boxed")
"""Kinds of container."""


class Container(NamedTuple):
    """An answer set apart."""

    rule: str
    start: int
    end: int
    """Of the content."""
    closed: bool


def last_container(small: str) -> Container | None:
    """The last one that holds anything; `small` is the reply in lower case."""
    if "<" not in small and "boxed" not in small and "framebox" not in small:
        return None
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
    return Container(rule, start, end if end >= 0 else len(small), end >= 0)


def _closing_brace(small: str, start: int) -> int:
    depth = 1
    for brace in BRACES.finditer(small, start, start + LONGEST_BOX):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return brace.start()
    return -1

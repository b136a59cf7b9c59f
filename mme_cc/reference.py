"""The text `ground_truth.answer` of a record: the reference answer and, under a heading of its own, the rubric for the judge.

As released: "## The correct answer is:" and "## Scoring criteria:". Both are found however they are spaced, cased or marked up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

HEADINGS = {"answer": r"the\s{1,9}correct\s{1,9}answers?\s{1,9}(?:is|are)", "rubric": r"scoring\s{1,9}criteri(?:a|on)"}
"""Part → the words of its heading."""

_MARK = r"[ \t]{0,9}(?:\*\*|__)?[ \t]{0,9}"
_WORDS = "|".join(f"(?P<{part}>{words})" for part, words in HEADINGS.items())
_REST = rf"(?:{_WORDS})(?:{_MARK}[:：]{_MARK}|{_MARK}$)"
_HASHED = re.compile(rf"(?<![\#＃])[\#＃]{{1,6}}\s{{0,9}}{_MARK}{_REST}", re.IGNORECASE | re.MULTILINE)
_BARE = re.compile(rf"^{_MARK}{_REST}", re.IGNORECASE | re.MULTILINE)
"""Words after `#`, wherever they stand; only in a text without any such heading, words at the start of a line."""


@dataclass(frozen=True, slots=True)
class Reference:
    """The parts of a reference text, without their headings."""

    answer: str
    rubric: str = ""
    """What the judge must go by; "" where the record has none."""
    oddities: tuple[str, ...] = ()
    """How the headings differ from one of each, answer first."""


def split_reference(text: str) -> Reference:
    """Cut at the headings; without the answer's heading, what stands before the rubric is the answer. Never raises.

    >>> split_reference("##The correct  answer is :3, 5, 7\\n\\n## SCORING CRITERIA:\\nAll digits, in order.")
    Reference(answer='3, 5, 7', rubric='All digits, in order.', oddities=())
    """
    parts = list(_parts(text))
    names = [name for name, _ in parts if name]
    answers = [content for name, content in parts if name == "answer"]
    rubrics = [content for name, content in parts if name == "rubric"]
    before = parts[0][1]
    oddities = [f"{names.count(name)} headings for the {name}" for name in HEADINGS if names.count(name) > 1]
    if not answers:
        oddities.append("no heading for the answer")
    elif before:
        oddities.append(f"{len(before)} characters before the heading of the answer")
    if names[:2] == ["rubric", "answer"]:
        oddities.append("the rubric stands before the answer")
    return Reference(answers[0] if answers else before, "\n\n".join(filter(None, rubrics)), tuple(oddities))


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """(heading's part, what stands under it); first what stands before all headings, under ""."""
    name, start = "", 0
    heading = _HASHED if _HASHED.search(text) else _BARE
    for match in heading.finditer(text):
        yield name, text[start : match.start()].strip()
        name, start = str(match.lastgroup), match.end()
    yield name, text[start:].strip()

"""The two rules by which the paper read replies, so that its claim (they differ by less than 1.2 points) can be checked on any log.

Written anew from what the released script does (github.com/wangst0181/SpatialViz-Bench 4069e12, evaluation/evaluate.py); its faults
are kept on purpose, since scores under these rules are for comparison only. Ours (`shared/extraction`) makes the score.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial

MARKERS = (
    "<answer>",
    "Answer:",
    "Final answer",
    "final answer",
    "Final Answer",
    "the answer is",
    "The answer is",
    "correct answer",
    "Correct answer",
    "Correct Answer",
    "correct path",
)
"""Rule A looks for these in this order, exactly as spelt."""

_STANDING = re.compile(r"\b[A-D]\b")
"""A letter on its own: capital, and neither a letter, a digit nor an underscore beside it."""

_BOXED = r"\\{1,2}boxed\{(?:\\text\{)?([A-D])"

_PATTERNS = (
    r"<answer>\s*option\s+([A-D])(?=answer>)",
    r"</answer>\s*([A-D])\b",
    r"(?:final|correct\s+)?answer\s*(?:is|:)\s*(?:option\s*)?([A-D])\b",
    r"correct\s+path\s*(?:(?:is|:)\s*)?(?:option\s*)?([A-D])\b",
    r"correct\s+choice\s*(?:(?:is|:)\s*)?(?:option\s*)?([A-D])\b",
    r"option\s+([A-D])\b",
    r"choose\s+([A-D])\b",
    _BOXED,
)
"""Rule B tries these in this order, after the answer tags, in any case and over line breaks; but what it finds must then be a capital."""

TAIL_LINES = 3


def rule_a(reply: str) -> str | None:
    """The earlier rule: behind the last of a marker, up to the first full stop, all letters that stand alone must be the same.

    Markers are tried until one has a letter behind it. Without any marker only a reply of one character is read.

    >>> rule_a("The correct answer is B. Not C."), rule_a("B."), rule_a("B")
    ('B', None, 'B')
    """
    text = reply.strip()
    if len(text) == 1:
        return text if text in "ABCD" else None
    behind = (text.split(marker)[-1].strip().split(".")[0] for marker in MARKERS if marker in text)
    found = next(filter(None, map(_STANDING.findall, behind)), [])
    return _single(found)


def rule_b(reply: str, style: str = "cot") -> str | None:
    r"""The later rule: the first pattern that finds a letter decides, and all that it finds must be the same letter.

    The prompt that asks for `\boxed{}` (style "boxed") has that pattern tried first.

    >>> rule_b("Option A is red, so I choose B"), rule_b("<answer>b</answer>"), rule_b("**B**")
    ('A', None, None)
    """
    return _single(_letters_b(reply, style))


def rule_released(reply: str, style: str = "cot", *, tail: bool = False) -> str | None:
    """The released script as a whole: rule A, where that reads nothing rule B, and where that finds nothing, with `tail` (as the script
    counts a finished file) the last letter A to D that stands alone in the last three lines, in any case: the article "a" too.
    """
    found = rule_a(reply)
    if found is None and (letters := _letters_b(reply, style)):
        return _single(letters)
    if found is None and tail:
        lines = "\n".join(reply.strip().splitlines()[-TAIL_LINES:])
        return next(iter(re.findall(_STANDING.pattern, lines, re.IGNORECASE)[::-1]), "").upper() or None
    return found


def _letters_b(reply: str, style: str) -> list[str]:
    """What the first pattern finds that finds a letter."""
    found = (_matches(pattern, reply) for pattern in _PATTERNS)
    for values in (*([_matches(_BOXED, reply)] if style == "boxed" else []), _in_tags(reply), *found):
        standing = map(_STANDING.findall, values)
        if letters := [one[0] for one in standing if len(one) == 1]:
            return letters
    return []


def _matches(pattern: str, reply: str) -> Iterator[str]:
    return (match[1] for match in re.finditer(pattern, reply, re.IGNORECASE))


def _in_tags(reply: str) -> Iterator[str]:
    """What stands between <answer> and the next </answer>; not by one pattern, which takes quadratic time where tags stay open."""
    begin = None
    for tag in re.finditer(r"<(/?)answer>", reply, re.IGNORECASE):
        if tag[1] and begin is not None:
            yield reply[begin : tag.start()]
            begin = None
        elif not tag[1] and begin is None:
            begin = tag.end()


def _single(letters: list[str]) -> str | None:
    return letters[0] if len(set(letters)) == 1 else None


Rule = Callable[[str, str], "str | None"]

RULES: Mapping[str, Rule] = {
    "A": lambda reply, style: rule_a(reply),
    "B": rule_b,
    "A, then B": rule_released,
    "A, then B, then the tail": partial(rule_released, tail=True),
}
"""Name → (reply, style of the variant) → letter."""

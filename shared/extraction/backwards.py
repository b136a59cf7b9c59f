"""Orders that are told backwards, from the last step to the first: what stands there is not the order that was asked for.

"Reverse order: D, C, B, A" is none of them, since it may as well have been turned already.
"""

from __future__ import annotations

import re

from .items import ITEMS, Candidate, letter_of

REACH = 100
"""Characters before and behind an order in which it is said that it runs backwards."""
STEP = "(?: (?:step|stage|state|one|image|picture|option|place|position))?"
LAST = "(?:last|final|latest|end|finish|newest)"
FIRST = "(?:first|initial|earliest|start|beginning|oldest)"
FORWARDS = rf"{FIRST}{STEP}(?: ?-?> ?|[ -]to[ -])(?:the )?{LAST}"
TURNED = (
    rf"(?:{LAST}{STEP}(?: ?-?> ?|[ -]to[ -])(?:the )?{FIRST}(?![a-z]){STEP}|back[ -]to[ -]front|reverse chronological order"
    r"|letzten (?:bis )?zu[rm] ersten|últim[ao] a(?:l| la|o) prime?i?r[ao]|última à primeira|derni(?:er|ère) (?:au|à la) premi(?:er|ère)"
    r"|ultim[oa] al(?:la)? prim[oa]|последне(?:го|й) к перво(?:му|й)|[从由]后[到往向]前|从最后到(?:最先|最初|第一|开始)|最後から最初)"
)
READ = "(?:(?:read|listed|ordered|arranged|written|given|counted|sorted|direction) ?:? ?)?"
SAID_BEFORE = re.compile(
    rf"(?:(?<!not )(?<!not from )(?<!not from the ){TURNED}(?![a-z])(?:(?!{FORWARDS})[^.!?\n]){{0,60}}"
    rf"|\b(?:backwards?|(?:read )?(?:from )?right to left|start(?:ing)? (?:from|with|at) (?:the )?{LAST}{STEP}) ?:"
    r"|\b(?:reverse|reversal|inverse|opposite)(?: order| sequence)? of(?: the (?:order|sequence))?)"
    r"(?:\s[^\w\n]*(?:1\W{0,3})?)?$"
)
"""What may stand before an order that runs backwards."""
SAID_BEHIND = re.compile(
    rf"[^\w\n]{{0,8}}(?:but |when |if )?{READ}(?:in |from )?(?:the )?(?:{TURNED}|reversed|backwards?|reverse|right to left)(?=\s*(?:[.,;)!?\n]|$))"
)
TOLD_OF_AN_END = re.compile(
    rf"[ ,(;-]{{0,6}}(?:with |where |and )?(?P<letter>[a-j]) (?:being|is|comes|goes|as) (?:the )?(?:(?P<last>{LAST})|{FIRST})(?![a-z])"
    r"(?! ?(?:image|option|picture|letter|choice))"
)
"""Behind an order, what is said of the option at one of its ends: ", with D being the last step"."""


def _marked(place: str) -> re.Pattern[str]:
    return re.compile(rf"\)? ?(?:\( ?(?:the )?{place}{STEP} ?\)|[:-]+ ?(?:the )?{place}{STEP}(?=\s*(?:[,;>\n]|->|$)))")


MARKED_LAST, MARKED_FIRST = _marked(LAST), _marked(FIRST)
"""Right behind an option: "D (last)", "D - final step"."""
BLANKS = re.compile(" {2,}")
HINT = re.compile(rf"{TURNED}|revers|inverse|opposite|backward|right to left|{LAST}|{FIRST}")
"""Without one of these nothing is told backwards."""


def is_backwards(lettered: str, small: str, candidate: Candidate, options: str, after: int) -> bool:
    """Whether the words around an order, or the marks at its ends, say that it runs from the last step to the first.

    `after`: where the order before it ends, whose words are not its own.
    """
    before = BLANKS.sub(" ", small[max(after, candidate.start - REACH) : candidate.start])
    behind = BLANKS.sub(" ", small[candidate.end : candidate.end + REACH])
    told = TOLD_OF_AN_END.match(behind)
    if told and told["letter"].upper() == candidate.letters[0 if told["last"] else -1]:
        return True
    if SAID_BEFORE.search(before) or SAID_BEHIND.match(behind):
        return True
    first = ITEMS.search(lettered, candidate.start, candidate.end)
    if first is None or letter_of(first[0]) != candidate.letters[0]:
        return False  # "A: last, …, D: first" is told by rank, and read so
    begins, ends = MARKED_LAST.match(small, first.end()) is not None, MARKED_FIRST.match(behind) is not None
    # "D (last)" alone may tell where D stands in the question
    return (begins and (ends or candidate.letters[0] != options[-1])) or (ends and candidate.letters[-1] != options[0])

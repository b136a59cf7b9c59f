"""Finding where a text puts options in a row: "BADC", "B → A → D → C", a letter in each line."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from .items import BY_TEXT, FILLER, ITEM, ITEMS, Candidate, letter_of
from .lists import step_by_step
from .page import ENDURANCE, PATIENCE
from .words import GLUE

NOUN = r"(?:(?i:steps?|image|option|picture|figure|panel|choice|state|图片?|圖片?|步骤|画像|그림) ?)?"
THEN = (
    "and then|then|next|and finally|and lastly|and last|finally|lastly|last|followed by|after that|afterwards|before|to|dann|danach|puis|ensuite|luego|después"
    "|poi|depois|затем|потом|und dann|et puis|y luego"
)
THEN_UNSPACED = "然后是?|接着是?|再|最后是?|之后|后|到|次に|その後|最後に|그 다음|다음"
AND = "and|und|et|y|e|и"
PLACED = r"(?: (?:first|1st|last|second|third|fourth|fifth|2nd|3rd|4th|5th))?"
REMARK = r" {0,14}\((?! ?#?\d)[^()\n\ue000-\uefff]{0,60}\)"
SIGN = rf"[,>/|;&+]|-+>?|=+>|(?<![{GLUE}])(?:{THEN}|{AND})(?![{GLUE}])|{THEN_UNSPACED}|和|,\n"
BETWEEN = rf"(?:{REMARK}|\)?{PLACED}\)?)(?: {{0,14}}(?:{SIGN})){{1,4}} {{0,26}}{NOUN}\(?|\) ?\(| {{1,9}}|(?<={FILLER}) {{0,2}}(?=[{BY_TEXT}])"
"""What may stand between two items of one line: a sign or a word, with a remark in brackets before it or not; blanks."""
COMPACT = re.compile(rf"[A-J](?<![{GLUE}].)[A-J]{{1,9}}(?![{GLUE}])")
RUN = re.compile(rf"{ITEM}(?:(?:{BETWEEN}){ITEM}){{1,30}}")
DOTTED = re.compile(rf"[A-J](?<![{GLUE}].)(?:\. ?[A-J](?![{GLUE}])){{1,9}}")
BLANK = r"[^\w\n\ue000-\uefff]{0,20}"
LINES = re.compile(rf"{ITEM}{BLANK}(?:\n+{BLANK}{NOUN}{ITEM}{BLANK}(?=\n|\Z)){{1,12}}")
"""The first may end a line that announces them."""
SMALL = re.compile(rf"[a-j](?<![{GLUE}].)(?:[a-j]{{3,9}}|(?: ?(?:[,>/|;]|-+>?) ?[a-j](?![{GLUE}])){{1,9}})(?![{GLUE}])")
"""Small letters written together count from four on: "bad" and "cab" are words."""
TOGETHER = re.compile(
    r"\)? *(?:together|simultaneously|at the same time|at once|in any order|interchangeabl|or vice versa|同时)"
)
ONLY_AND = re.compile(rf"(?<![{GLUE}])(?:{AND})(?![{GLUE}])(?! *(?:then|finally|lastly|last|dann|puis|luego))|[&+和]")


ROWS = ((RUN, ""), (LINES, "\n"), (DOTTED, "."))
"""Patterns of several items, and the sign without which they are not worth looking for."""


def candidates(text: str, size: int, announced: Callable[[int], bool]) -> list[Candidate]:
    """The orders that a text (see `items.with_letters`) names, in order of their ends.

    Of a kind that comes more than `PATIENCE` times, the earlier ones only where something announces them.
    """
    found = [Candidate(*match.span(), match[0]) for match in _recent(COMPACT, text, announced)]
    count = len(ITEMS.findall(text))
    if count >= 2:
        for pattern, sign in ROWS:
            if sign in text:
                found += filter(None, (_row(text, match) for match in _recent(pattern, text, announced)))
    if count >= size:
        found += step_by_step(text, size)
    if not any(len(candidate.letters) == size for candidate in found):
        found += [
            Candidate(*match.span(), _capitals(match[0]), firm=False) for match in _recent(SMALL, text, announced)
        ]
    return sorted(found, key=lambda candidate: (candidate.end, -candidate.start))


def _recent(pattern: re.Pattern[str], text: str, announced: Callable[[int], bool]) -> list[re.Match[str]]:
    matches = list(pattern.finditer(text))
    if len(matches) <= PATIENCE:
        return matches
    earlier = [match for match in matches[:-PATIENCE] if announced(match.start())]
    return earlier[PATIENCE - ENDURANCE :] + matches[-PATIENCE:]


def _row(text: str, match: re.Match[str]) -> Candidate | None:
    """Items in a row, if they follow each other; in "B and A, then D and C" they do not."""
    items = list(ITEMS.finditer(text, *match.span()))
    joined = [ONLY_AND.search(text, one.end(), other.start()) is not None for one, other in pairwise(items)]
    if any(joined[:-1]) or joined == [True] or TOGETHER.match(text, match.end()):
        return None
    return Candidate(items[0].start(), items[-1].end(), "".join(letter_of(item[0]) for item in items))


def _capitals(text: str) -> str:
    return re.sub("[^a-j]", "", text).upper()

"""Finding where a text puts options in a row: "BADC", "B → A → D → C", a letter in each line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .items import BY_TEXT, FILLER, ITEM, ITEMS, Candidate, letter_of
from .lists import enumerated, told
from .words import GLUE

NOUN = r"(?:(?i:steps?|image|option|picture|figure|panel|choice|state|图片?|圖片?|步骤|画像|그림) ?)?"
THEN = (
    "and then|then|next|and finally|and lastly|and last|finally|lastly|followed by|after that|afterwards|before|to|dann|danach|puis|ensuite|luego|después"
    "|poi|depois|затем|потом|und dann|et puis|y luego"
)
THEN_UNSPACED = "然后|接着|再|最后|之后|到|次に|その後|最後に|그 다음|다음"
AND = "and|und|et|y|e|и"
PLACED = r"(?: (?:first|1st|last|second|third|fourth|fifth|2nd|3rd|4th|5th))?"
REMARK = r" {0,14}\([^()\n\ue000-\uefff]{0,60}\)"
SIGN = rf"[,>/|;&+]|-+>?|=+>|(?<![{GLUE}])(?:{THEN}|{AND})(?![{GLUE}])|{THEN_UNSPACED}|和|,\n"
BETWEEN = rf"(?:{REMARK}|\)?{PLACED}\)?)(?: {{0,14}}(?:{SIGN})){{1,4}} {{0,14}}{NOUN}\(?|\) ?\(| {{1,9}}|(?<={FILLER}) {{0,2}}(?=[{BY_TEXT}])"
"""What may stand between two items of one line: a sign or a word, with a remark in brackets before it or not; blanks."""
COMPACT = re.compile(rf"[A-J](?<![{GLUE}].)[A-J]{{1,9}}(?![{GLUE}])")
RUN = re.compile(rf"{ITEM}(?:(?:{BETWEEN}){ITEM}){{1,30}}")
DOTTED = re.compile(rf"[A-J](?<![{GLUE}].)(?:\. ?[A-J](?![{GLUE}])){{1,9}}")
BLANK = r"[^\w\n\ue000-\uefff]*"
LINES = re.compile(
    rf"(?:^|(?<=[\s:])){BLANK}{NOUN}{ITEM}{BLANK}(?:\n+{BLANK}{NOUN}{ITEM}{BLANK}(?=\n|\Z)){{1,12}}", re.MULTILINE
)
"""The first may end a line that announces them."""
SMALL = re.compile(rf"[a-j](?<![{GLUE}].)(?:[a-j]{{3,9}}|(?: ?(?:[,>/|;]|-+>?) ?[a-j](?![{GLUE}])){{1,9}})(?![{GLUE}])")
"""Small letters written together count from four on: "bad" and "cab" are words."""
TOGETHER = re.compile(
    r"\)? *(?:together|simultaneously|at the same time|at once|in any order|interchangeabl|or vice versa|同时)"
)
ONLY_AND = re.compile(rf"(?<![{GLUE}])(?:{AND})(?![{GLUE}])(?! *(?:then|finally|lastly|last|dann|puis|luego))|[&+和]")


def candidates(text: str, size: int) -> list[Candidate]:
    """Every order that a text (see `items.with_letters`) names, in order of their ends."""
    found = [Candidate(*match.span(), match[0]) for match in COMPACT.finditer(text)]
    found += [
        Candidate(*match.span(), re.sub("[^a-j]", "", match[0]).upper(), firm=False) for match in SMALL.finditer(text)
    ]
    if len(ITEMS.findall(text)) >= 2:
        found += _runs(text)
        found += (_candidate(text, match) for pattern in (LINES, DOTTED) for match in pattern.finditer(text))
        found += enumerated(text, size)
        found += told(text, size)
    return sorted(found, key=lambda candidate: (candidate.end, -candidate.start))


def _runs(text: str) -> Iterator[Candidate]:
    """Items in one line; "B and A, then D and C" is no order."""
    for match in RUN.finditer(text):
        if TOGETHER.match(text, match.end()):
            continue
        joined = [ONLY_AND.search(gap) is not None for gap in ITEMS.split(match[0])[1:-1]]
        if any(joined[:-1]) or joined == [True]:
            continue
        yield _candidate(text, match)


def _candidate(text: str, match: re.Match[str]) -> Candidate:
    items = list(ITEMS.finditer(text, *match.span()))
    return Candidate(items[0].start(), items[-1].end(), "".join(letter_of(item[0]) for item in items))

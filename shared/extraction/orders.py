"""Finding where a text puts options in an order: "BADC", "B → A", a numbered list, "first B, then A"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from .lexicon import Lexicon
from .mentions import texts
from .normalise import lower
from .words import GLUE

PRIVATE, FILLER = 0xE000, "\ue000"
"""An option's text is replaced by a private character of its letter and fillers, so that "<image 5>" reads as the letter B."""

OWN_TEXT = rf"(?:[.:)]? {{0,2}}\(? ?{FILLER}+ ?\)?)?"
ITEM = (
    rf"[A-Z\ue041-\ue05a](?:(?<=[A-Z])(?<![{GLUE}].)(?![{GLUE}]|'[a-z]|-[a-z]){OWN_TEXT}|(?<=[\ue041-\ue05a]){FILLER}*)"
)
"""A letter that stands alone, with its own text behind it or not, or an option's text."""
NOUN = r"(?:(?i:steps?|image|option|picture|figure|panel|choice|state|图片?|圖片?|步骤|画像|그림) ?)?"
JOINING = (
    "and then|then|next|and finally|and lastly|and last|finally|lastly|followed by|after that|afterwards|and|before|to|und|dann|danach|puis|et|ensuite|luego|y|después|e"
    "|poi|depois|затем|потом|и"
)
JOINING_UNSPACED = "然后|接着|再|最后|之后|到|次に|その後|最後に|、|그 다음|다음"
RANKED = r"(?: (?:first|1st|last|second|third|fourth|fifth|2nd|3rd|4th|5th))?"
BETWEEN = (
    rf"(?: {{0,14}}\([^()\n\ue000-\uefff]{{0,60}}\)|\)?{RANKED}\)?)(?: {{0,14}}(?:[,>/|;&+]|-+>?|=+>|(?<![{GLUE}])(?:{JOINING})(?![{GLUE}])|{JOINING_UNSPACED}|,\n))+"
    rf" {{0,14}}{NOUN}\(?|\) ?\(| {{1,9}}|(?<={FILLER}) {{0,2}}(?=[\ue041-\ue05a])"
)
"""What may stand between two items of one line."""
COMPACT = re.compile(rf"[A-J](?<![{GLUE}].)[A-J]{{1,9}}(?![{GLUE}])")
RUN = re.compile(rf"{ITEM}(?:(?:{BETWEEN}){ITEM}){{1,30}}")
DOTTED = re.compile(rf"[A-J](?<![{GLUE}].)(?:\. ?[A-J](?![{GLUE}])){{1,9}}")
LINES = re.compile(
    rf"(?:(?:^|:)[^\w\n\ue000-\uefff]*{NOUN}{ITEM}[^\w\n\ue000-\uefff]*(?:\n+|\Z)){{2,12}}", re.MULTILINE
)
ITEMS = re.compile(ITEM)

RANKS = (
    "first firstly 1st starting start begin begins beginning starts erste erstens zuerst d'abord primero primeiro primo первым сначала первый 首先 第一 先 最初 まず 먼저",
    "second secondly 2nd zweite zweitens deuxième segundo secondo второй вторым 第二",
    "third thirdly 3rd dritte troisième tercero terceiro terzo третий третьим 第三",
    "fourth fourthly 4th vierte quatrième cuarto quarto четвертый 第四",
    "fifth fifthly 5th 第五",
    "sixth 6th 第六",
    "seventh 7th 第七",
    "eighth 8th 第八",
    "ninth 9th 第九",
    "tenth 10th 第十",
)
NEXT, LAST = 0, 99
FIRST = RANKS[0].split()
ORDINALS = {word: rank for rank, words in enumerate(RANKS, 1) for word in words.split()}
ORDINALS |= dict.fromkeys(
    "last lastly finally 最后 最後 schließlich zuletzt enfin finalmente infine наконец 마지막".split(), LAST
)
ORDINALS |= dict.fromkeys(
    "then next afterwards followed dann danach puis ensuite luego después depois poi затем потом 然后 接着 再 之后 次に 다음".split(),
    NEXT,
)
"""Word → place, `NEXT` or `LAST`."""


def _either(words: Iterator[str] | Sequence[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_SPACED = _either([word for word in ORDINALS if re.match(f"[{GLUE}]", word)])
_UNSPACED = _either([word for word in ORDINALS if not re.match(f"[{GLUE}]", word)])
TOLD = re.compile(rf"{ITEM}|(?<![{GLUE}])(?i:{_SPACED})(?![{GLUE}])|{_UNSPACED}")
NUMBERED = re.compile(r"(\d{1,2})(?!\d)(?<![\d.]\d\d)(?<![\d.]\d)(?:st|nd|rd|th|步|张|个)?( {0,4}[.):=>-]+| (?=\())?")
STEP_BEFORE = re.compile(r"(?:step|第) ?#?$")
PICTURE_BEFORE = re.compile(r"(?:image|images|figure|picture) ?$")
WORDED = re.compile(rf"(?:(?<![{GLUE}])(?i:{_SPACED})(?= ?[:-])|{_UNSPACED})(?:步|张|个)?(?: ?[:-]+)?")
RANK = re.compile(rf"(?i:{_SPACED})|{_UNSPACED}")
"""The beginning of a list's item: "1.", "Step 1", "Second:", "第三步"."""
ANALYSIS = re.compile(
    r"\b(?:look\w*|examin\w*|analy[sz]\w*|consider\w*|observ\w*|inspect\w*|check\w*|compar\w*|describ\w*|not|n't|wrong|incorrect)\b",
    re.IGNORECASE,
)
"""In a sentence with such a word, "first A, then B" tells what the model does, not in which order the options stand."""
REACH = 12
"""An item's letter stands at most so far behind its number when the item names several."""
PROSE_LIMIT = 20_000
"""Told orders are looked for in replies up to this many characters."""


class Candidate(NamedTuple):
    """Letters in some order, a permutation or not."""

    start: int
    end: int
    letters: str


class Step(NamedTuple):
    """The beginning of a list's item."""

    start: int
    end: int
    number: int


def with_letters(text: str, small: str, lexicon: Lexicon) -> str:
    """The plain text with each option's text replaced by its letter; a text right behind its own letter is dropped."""
    parts, position = [], 0
    for mention in texts(small, lexicon):
        own = text[position : mention.start].rstrip(" .:()")[-1:] == mention.letters
        parts += [
            text[position : mention.start],
            FILLER if own else chr(PRIVATE + ord(mention.letters)),
            FILLER * (mention.end - mention.start - 1),
        ]
        position = mention.end
    return "".join(parts) + text[position:]


def candidates(text: str, size: int) -> list[Candidate]:
    """Every order that the text names, in order of their ends."""
    found = [Candidate(*match.span(), match[0]) for match in COMPACT.finditer(text)]
    if len(ITEMS.findall(text)) >= 2:
        for pattern in (RUN, LINES, DOTTED):
            found += [Candidate(*match.span(), letters(match[0])) for match in pattern.finditer(text)]
        small = lower(text)
        worded = len(text) <= PROSE_LIMIT and any(word in small for word in FIRST)
        found += enumerated(text, small, size, worded)
        if worded:
            found += told(text, size)
    return sorted(found, key=lambda candidate: (candidate.end, -candidate.start))


def letters(text: str) -> str:
    """The letters of the items in a text."""
    return "".join(_letter(item[0]) for item in ITEMS.finditer(text))


def _letter(item: str) -> str:
    return chr(ord(item[0]) - PRIVATE) if item[0] > FILLER else item[0]


def enumerated(text: str, small: str, size: int, worded: bool) -> Iterator[Candidate]:
    """Lists with the numbers 1 to `size`, an option in each."""
    found = (_steps_worded(text, size) if worded else []) + _steps_numbered(small)
    steps = sorted({step.start: step for step in found}.values())
    for first in range(len(steps) - size + 1):
        group = steps[first : first + size]
        if any(step.number != number for number, step in enumerate(group, 1)):
            continue
        line_end = text.find("\n", group[-1].end)
        stops = [step.start for step in group[1:]] + [line_end if line_end >= 0 else len(text)]
        items = [_item(text, step.end, stop) for step, stop in zip(group, stops, strict=True)]
        found = [item for item in items if item]
        if len(found) == size:
            yield Candidate(group[0].start, found[-1].end(), "".join(_letter(item[0]) for item in found))


def _steps_numbered(small: str) -> list[Step]:
    steps = []
    for match in NUMBERED.finditer(small):
        before = small[max(0, match.start() - 8) : match.start()]
        if (match[2] or STEP_BEFORE.search(before)) and not PICTURE_BEFORE.search(before):
            steps.append(Step(match.start(), match.end(), int(match[1])))
    return steps


def _steps_worded(text: str, size: int) -> list[Step]:
    places = [(match, ORDINALS[RANK.match(match[0])[0].lower()]) for match in WORDED.finditer(text)]  # type: ignore[index]
    return [Step(*match.span(), size if place == LAST else place) for match, place in places]


def _item(text: str, start: int, stop: int) -> re.Match[str] | None:
    """The one option named between two numbers."""
    items = list(ITEMS.finditer(text, start, stop))
    if not items or (len({_letter(item[0]) for item in items}) > 1 and items[0].start() > start + REACH):
        return None
    return items[0]


def told(text: str, size: int) -> Iterator[Candidate]:
    """Sentences such as "First B, then A, next D and finally C", or "B is first, A is second …"."""
    position = 0
    for line in text.split("\n"):
        many = len(ITEMS.findall(line)) >= size and not ANALYSIS.search(line)
        events = list(TOLD.finditer(line)) if many else []
        if order := _order(_steps(events), size):
            yield Candidate(position + events[0].start(), position + events[-1].end(), order)
        position += len(line) + 1


def _steps(events: list[re.Match[str]]) -> list[tuple[str, int]]:
    """(letter, 0) for options, ("", place) for words of order; an option named twice in a row counts once."""
    steps: list[tuple[str, int]] = []
    for event in events:
        place = ORDINALS.get(event[0].lower())
        step = ("", place) if place is not None else (_letter(event[0]), 0)
        if not step[0] or step != (steps[-1] if steps else None):
            steps.append(step)
    return steps


def _order(steps: list[tuple[str, int]], size: int) -> str | None:
    named = "".join(letter for letter, _ in steps)
    if len(named) != size or len(set(named)) != size:
        return None
    if ranked := _by_rank(steps, named):
        return ranked
    if steps[0][0] and steps[1] == ("", 1):  # "B is first, then A …" is "first B, then A …"
        steps = [steps[1], steps[0], *steps[2:]]
    if steps[0] != ("", 1):
        return None
    seen = 0
    for (before, place), (letter, _) in pairwise(steps):
        if before and letter:
            return None
        if not before and (place == LAST and seen != size - 1 or NEXT < place < LAST and place != seen + 1):
            return None
        seen += bool(letter)
    return named


def _by_rank(steps: list[tuple[str, int]], named: str) -> str | None:
    """ "A is second, B is first, …": a letter and its place in turns."""
    size = len(named)
    if len(steps) != 2 * size or any(bool(letter) != (n % 2 == 0) for n, (letter, _) in enumerate(steps)):
        return None
    places = [size if place == LAST else place for _, place in steps[1::2]]
    if sorted(places) != list(range(1, size + 1)):
        return None
    return "".join(named[places.index(rank)] for rank in range(1, size + 1))

"""Orders that a text tells step by step: a numbered list, or "first B, then A, next D and finally C"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from .items import ITEM, ITEMS, Candidate, letter_of
from .normalise import lower
from .words import GLUE

RANKS = """
first, firstly, 1st, start, starting, starts, begin, begins, beginning, erste, erstens, zuerst, d'abord, primero, primeiro, primo, первым, сначала, 首先, 第一, 先, 最初, まず, 먼저
second, secondly, 2nd, zweite, zweitens, deuxième, segundo, secondo, второй, вторым, 第二
third, thirdly, 3rd, dritte, troisième, tercero, terceiro, terzo, третий, третьим, 第三
fourth, fourthly, 4th, vierte, quatrième, cuarto, quarto, четвертый, 第四
fifth, fifthly, 5th, 第五
sixth, 6th, 第六
seventh, 7th, 第七
eighth, 8th, 第八
ninth, 9th, 第九
tenth, 10th, 第十
"""
"""Words for the places, a place a line."""
LAST_WORDS = "last, lastly, finally, completes, por último, ends with, end with, ending with, end, ends, zum schluss, 最后, 最後, schließlich, zuletzt, enfin, finalmente, infine, наконец, 마지막"
NEXT_WORDS = "then, next, continues with, continue with, continuing with, go on to, goes on to, a continuación, after that, after which, after this, subsequently, thereafter, afterwards, followed, dann, danach, puis, ensuite, luego, después, depois, poi, затем, потом, 然后, 接着, 再, 后, 之后, 次に, 다음, 그다음, 그 다음, 이어서"
NEXT, LAST = 0, 99


def _words(line: str) -> list[str]:
    return [word.strip() for word in line.split(",")]


PLACES = {word: place for place, line in enumerate(RANKS.strip().split("\n"), 1) for word in _words(line)}
FIRST = [word for word, place in PLACES.items() if place == 1]
FIRST_ASCII = [word for word in FIRST if word.isascii()]
PLACES |= dict.fromkeys(_words(LAST_WORDS), LAST) | dict.fromkeys(_words(NEXT_WORDS), NEXT)


def _either(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_SPACED = _either(word for word in PLACES if re.match(f"[{GLUE}]", word))
_UNSPACED = _either(word for word in PLACES if not re.match(f"[{GLUE}]", word))
TOLD = re.compile(rf"(?<![{GLUE}])(?i:{_SPACED})(?![{GLUE}])|{_UNSPACED}|{ITEM}")
WORDED = re.compile(
    rf"({_SPACED}|{_UNSPACED})(?:(?<=[{GLUE}])(?: (?:step|image|picture|is|comes))?(?= ?[:-])|(?<![{GLUE}]))(?:步|张|个)?(?: ?[:-]+)?"
)
"""In lower case; a word with letters is followed by a colon or a dash."""
WORD_PART = re.compile(f"[{GLUE}]")
NUMBERED = re.compile(
    r"([\d①-⑩]\d?)(?!\d)(?<![\d.]\d\d)(?<![\d.]\d)(?:st|nd|rd|th|步|张|个)?( {0,4}[.,):=>|-]+| (?=\())?"
)
CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩"
STEP_BEFORE = re.compile(r"(?:step|第)[ :#]{0,9}$")
PICTURE_BEFORE = re.compile(r"(?:image|images|figure|picture) ?$")
ANALYSIS = re.compile(
    r"\b(?:look\w*|examin\w*|analy[sz]\w*|consider\w*|observ\w*|inspect\w*|check\w*|compar\w*|describ\w*|not|n't|wrong|incorrect)\b",
    re.IGNORECASE,
)
"""In a line with such a word, "first A, then B" tells what the model does, not in which order the options stand."""
COMMA = re.compile(r"\)? ?(?:,|, and|,? ?>) ?(?:(?:image|step|option) ?)?\(?", re.IGNORECASE)
"""Between two options that follow each other."""
REACH = 12
"""An item's letter stands at most so far behind its number when the item names several."""
LONGEST_ITEM = 300
"""Characters of a list's last item that are read."""
PROSE_LIMIT = 20_000
"""Words for places are looked for in replies up to this many characters."""


class Step(NamedTuple):
    """The beginning of a list's item."""

    start: int
    end: int
    number: int


def step_by_step(text: str, size: int) -> Iterator[Candidate]:
    """Orders of both kinds."""
    small = lower(text)
    worded = len(text) <= PROSE_LIMIT and any(word in small for word in (FIRST_ASCII if text.isascii() else FIRST))
    yield from enumerated(text, size, [*_worded(small, size), *_numbered(small)] if worded else list(_numbered(small)))
    if worded:
        yield from told(text, size)


def enumerated(text: str, size: int, found: list[Step]) -> Iterator[Candidate]:
    """Lists with the numbers 1 to `size`, and an option in each item."""
    steps = sorted({step.start: step for step in found}.values()) if len(found) >= size else []
    for first in range(len(steps) - size + 1):
        group = steps[first : first + size]
        if any(step.number != number for number, step in enumerate(group, 1)):
            continue
        line_end = text.find("\n", group[-1].end, group[-1].end + LONGEST_ITEM)
        stops = [step.start for step in group[1:]] + [line_end if line_end >= 0 else group[-1].end + LONGEST_ITEM]
        items = [_item(text, step.end, stop) for step, stop in zip(group, stops, strict=True)]
        named = [item for item in items if item]
        if len(named) == size:
            yield Candidate(group[0].start, named[-1].end(), "".join(letter_of(item[0]) for item in named))


def _numbered(small: str) -> Iterator[Step]:
    for match in NUMBERED.finditer(small):
        number, mark = match.groups()
        if number in CIRCLED:
            yield Step(*match.span(), CIRCLED.index(number) + 1)
            continue
        before = small[max(0, match.start() - 16) : match.start()]
        if (mark or STEP_BEFORE.search(before)) and not PICTURE_BEFORE.search(before):
            yield Step(*match.span(), int(number))


def _worded(small: str, size: int) -> Iterator[Step]:
    for match in WORDED.finditer(small):
        if match.start() == 0 or not WORD_PART.match(small, match.start() - 1):
            place = PLACES[match[1]]
            yield Step(*match.span(), size if place == LAST else place)


def _item(text: str, start: int, stop: int) -> re.Match[str] | None:
    """The one option named between two numbers."""
    items = list(ITEMS.finditer(text, start, stop))
    if not items or (len({letter_of(item[0]) for item in items}) > 1 and items[0].start() > start + REACH):
        return None
    return items[0]


def told(text: str, size: int) -> Iterator[Candidate]:
    """Sentences such as "First B, then A, next D and finally C", or "B is first, A is second …"."""
    position = 0
    for line in text.split("\n"):
        events = list(TOLD.finditer(line)) if len(ITEMS.findall(line)) >= size and not ANALYSIS.search(line) else []
        for begin in _beginnings(events):
            if order := _order(_steps(line, events[begin:]), size):
                yield Candidate(position + events[begin].start(), position + events[-1].end(), order)
                break
        position += len(line) + 1


def _beginnings(events: list[re.Match[str]]) -> list[int]:
    """Where a telling may begin: at the line's first event, at a word for "first", or at the option before it."""
    firsts = [n for n, event in enumerate(events) if PLACES.get(event[0].lower()) == 1]
    return sorted({0, *firsts[-3:], *(n - 1 for n in firsts[-3:] if n)}) if events else []


def _steps(line: str, events: list[re.Match[str]]) -> list[tuple[str, int]]:
    """(letter, 0) for options, ("", place) for words of order, ("", `NEXT`) for a comma between options.

    An option named twice in a row counts once.
    """
    steps: list[tuple[str, int]] = []
    end = 0
    for event in events:
        place = PLACES.get(event[0].lower())
        step = ("", place) if place is not None else (letter_of(event[0]), 0)
        named = bool(step[0] and steps and steps[-1][0])
        if named and step != steps[-1] and COMMA.fullmatch(line, end, event.start()):
            steps.append(("", NEXT))
        if not named or step != steps[-1]:
            steps.append(step)
        end = event.end()
    return steps


def _order(steps: list[tuple[str, int]], size: int) -> str | None:
    named = "".join(letter for letter, _ in steps)
    if len(named) != size or len(set(named)) != size:
        return None
    if ranked := _by_rank(steps, named):
        return ranked
    if _from_first_to_last(steps, size):
        return named
    if steps[0][0] and steps[1] == ("", 1):  # "B is first, then A …" is "first B, then A …"
        steps = [steps[1], steps[0], *steps[2:]]
    if steps[0] != ("", 1):
        return None
    seen = 0
    for (before, place), (letter, _) in pairwise(steps):
        if before and letter:
            return None
        if not before and ((place == LAST and seen != size - 1) or (NEXT < place < LAST and place != seen + 1)):
            return None
        seen += bool(letter)
    return named


def _from_first_to_last(steps: list[tuple[str, int]], size: int) -> bool:
    """ "B comes first, A next, then D, and C is last": the ends are told, and words for "next" in between."""
    places = [place for letter, place in steps if not letter]
    told_ends = ("", 1) in steps[:2] and ("", LAST) in steps[-2:]
    between = places[1:-1]
    return told_ends and places[0] == 1 and places[-1] == LAST and len(between) >= size - 2 and set(between) <= {NEXT}


def _by_rank(steps: list[tuple[str, int]], named: str) -> str | None:
    """ "A is second, B is first, …": a letter and its place in turns."""
    size = len(named)
    if len(steps) != 2 * size or any(bool(letter) != (n % 2 == 0) for n, (letter, _) in enumerate(steps)):
        return None
    places = [size if place == LAST else place for _, place in steps[1::2]]
    if sorted(places) != list(range(1, size + 1)):
        return None
    return "".join(named[places.index(rank)] for rank in range(1, size + 1))

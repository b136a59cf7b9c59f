"""Moves of a sliding-block puzzle: how many at least, and which blocks. The order of the moves, ways and distances do not count."""

from __future__ import annotations

import re
from itertools import pairwise

from ..normalise import lower
from .form import LETTER, NUMBER, Contradiction, Form, Mention, Parts, agreed, canonical_key, number

WAY = r"(?:(?:up|down|left|right|upwards?|downwards?|leftwards?|rightwards?)(?!\w)|[←↑↓⬅⬆⬇上下左右]|>(?=\s?(?:\d|[,;.\n]|$)))"
NOUN = r"(?:blocks?|cars?|pieces?|bricks?|trucks?|vehicles?|bars?|the|vertical|horizontal|long|short)"
COLORS = (
    "red|orange|yellow|green|blue|purple|violet|pink|brown|black|white|grey|gray|turquoise|cyan|lime|tan|teal|beige"
)
CELLS = r"(?:cells?|spaces?|units?|squares?|steps?)"
VERBS = r"(?:is|goes|go|moves?|moved|slides?|shifts?|must|to|the|towards?|by|all|way|straight|direction)"
BLANK = r"(?:\s{1,4})"
"""Marks of a bold letter are blanks, too."""
MOVE = re.compile(
    rf"(?<!{LETTER})(?<!\.)(?:{NOUN}{BLANK})*(?P<id>[a-z]|\d{{1,2}}|(?:dark |light )?(?:{COLORS}))(?:{BLANK}{NOUN})*"
    rf"(?:{BLANK}?[:,|(>-]|{BLANK}(?:{VERBS}|(?:one|two|three|four|\d)\s{CELLS})\b){{0,6}}{BLANK}?\(?(?P<way>{WAY})"
)
"""A block by its letter, number or colour, and which way it goes."""
LISTED = r"(?:(?:move|slide|shift)\s|(?:the\s)?(?:block|car|piece)|[a-z]\s|\d{1,2}\s)"
COUNT = re.compile(
    rf"(?!one moves)(?P<n>{NUMBER})(?:\s(?:minimum|minimal|total))?\s(?:moves?|steps?)\b(?!\s?(?:up|down|left|right))"
    r"|(?:\b(?:moves?|steps?|minimum|min_moves|count)\b|步数?|次数)(?:\s(?:required|needed|necessary|count|number|of moves|of steps))?"
    rf"\s?(?:is|are|of|[:=|])+\s{{0,4}}(?P<m>{NUMBER})(?!\s?(?:\)|{WAY}|[a-z]\b))(?![.)]\s+{LISTED})"
)
"""How many moves are told; not the number of a block, nor that of a list's first item."""
FILLER = re.compile(
    rf"\W|_|最少|最小|步数?|次数|移动|\b(?:{NOUN}|{CELLS}|minimum|minimal|minim|number|of|moves?|is|are|by|to|then|and|first|next|finally|slide|slides|shift|move|moved|in"
    r"|order|with|it|at|least|total|required|needed|one|two|three|four|five|exit|sequence|solution|answer|final|minimum_moves|direction|\d{1,2})\b"
)
HEADER = re.compile(r"\b(?:moves?|steps?|sequence|solution|answer|order)\b|\|")


def _prose(text: str) -> list[Mention]:
    small = lower(text)
    found = [Mention(*match.span(), match["id"].upper().replace("GRAY", "GREY")) for match in MOVE.finditer(small)]
    counted = [Mention(*m.span(), f"{number(m['n'] or m['m'])} moves") for m in COUNT.finditer(small)]
    return sorted((*found, *(c for c in counted if not any(f.start < c.end and c.start < f.end for f in found))))


def _line(text: str) -> Parts | None:
    small = lower(text)
    found = _prose(text)
    ends = [Mention(0, 0, ""), *found, Mention(len(text), len(text), "")]
    beside = " ".join(small[a.end : b.start] for a, b in pairwise(ends))
    if FILLER.sub("", beside).strip():
        return None if not ("|" in text and not found) else ()
    if found:
        return [mention.part for mention in found]
    return () if HEADER.search(small) else None


def _value(parts: Parts) -> str | None:
    """Where no number is told, it is that of the moves listed; another one contradicts them."""
    told = agreed([part.removesuffix(" moves") for part in parts if part.endswith(" moves")])
    blocks = [part for part in parts if not part.endswith(" moves")]
    if not blocks and told is None:
        return None
    if blocks and told not in (None, str(len(blocks))):
        raise Contradiction
    return f"{told or len(blocks)} moves: {', '.join(sorted(set(blocks)))}"


def steps_and_blocks(value: str, key: str) -> tuple[bool, bool]:
    """Whether the number of moves, and the set of blocks, are the key's."""
    ours, theirs = value.split(" moves: "), key.split(" moves: ")
    return ours[0] == theirs[0], ours[1] == theirs[1]


def _grade(value: str, key: str) -> float:
    return sum(steps_and_blocks(value, key)) / 2


def _key(text: str) -> str:
    key = canonical_key(_line, _value)(text)
    if key.endswith(": "):
        raise ValueError(f"key {text!r} names no blocks")
    return key


def _write(key: str) -> str:
    count, _, listed = key.partition(" moves: ")
    blocks = listed.split(", ")
    blocks += blocks[-1:] * (int(count) - len(blocks))  # how often each moves does not count
    return f"Minimum number of moves: {count}. Moves: {', '.join(f'{block} left' for block in blocks)}"


MOVES = Form(
    name="moves",
    line=_line,
    prose=_prose,
    value=_value,
    key=_key,
    grade=_grade,
    write=_write,
    announce=r"(?=\b(?:the )?(?:minimum|minimal|fewest|shortest)\b)",
    unit=NUMBER,
    many=True,
    size=lambda text: len(text.partition(" moves: ")[2].split()),
    only=True,
)

"""A point of a board: "H8", "(H, 8)", "column H, row 8", "(7, 10)". A key may offer several: "H8 or G7"."""

from __future__ import annotations

import re

from ..normalise import lower, plain
from ..words import entries
from .form import Form, Mention, Parts, agreed

POINT = re.compile(
    r"(?<![^\W_一-鿿])(?:(?:column|col\.?|file)\s?:?\s?(?P<c>[a-z])\s?[,;]?\s?(?:and\s)?(?:row|rank|line)\s?:?\s?(?P<r>\d{1,2})"
    r"|(?:row|rank|line)\s?:?\s?(?P<r2>\d{1,2})\s?[,;]?\s?(?:and\s)?(?:column|col\.?|file)\s?:?\s?(?P<c2>[a-z])"
    r"|\((?P<x>\d{1,2}),\s{0,2}(?P<y>\d{1,2})\)"
    r"|\(?(?P<letter>[a-z])(?:\s?[,-]\s{0,2}|\s{0,1})(?P<digits>\d{1,2})\)?)(?![^\W_一-鿿]|\.\d)"
)
OR = re.compile(r"\s*(?:,\s*)?\b(?:or|或)\b\s*|\s*/\s*")
FILLER = frozenset(
    entries(
        "the, a, at, on, point, move, play, place, black, white, answer, final, best, winning, is, it, "
        "position, coordinate, i, would, be, intersection"
    )
)
LONGEST = 60


def _points(text: str) -> list[Mention]:
    found = []
    for m in POINT.finditer(lower(text)):
        column, row = m["c"] or m["c2"] or m["letter"], m["r"] or m["r2"] or m["digits"]
        spaced = m["letter"] and m[0].strip("()")[1:2] == " " and text[m.start("letter")].islower()
        if not spaced:  # "a 4" is an article and a number
            found.append(
                Mention(*m.span(), f"{column.upper()}{int(row)}" if column else f"({int(m['x'])}, {int(m['y'])})")
            )
    return found


def _line(text: str) -> Parts | None:
    if len(text) > LONGEST:
        return None
    found = _points(text)
    rest = "".join(
        " " + text[a.end : b.start]
        for a, b in zip([Mention(0, 0, ""), *found], [*found, Mention(len(text), 0, "")], strict=True)
    )
    if not found or not set(re.findall(r"\w+", lower(rest))) <= FILLER:
        return None
    return [mention.part for mention in found]


def _key(text: str) -> str:
    """Alternatives must be told by "or" or "/": a list may as well ask for all of its points."""
    parts = [_line(piece) for piece in OR.split(plain(text).strip(" .\n"))]
    if not all(part and len(part) == 1 for part in parts):
        raise ValueError(f'key {text!r} is not one point, nor points with "or" between')
    return " or ".join(dict.fromkeys(part[0] for part in parts if part))


POINTS = Form(
    name="coordinates",
    line=_line,
    prose=_points,
    value=agreed,
    key=_key,
    grade=lambda value, key: float(value in key.split(" or ")),
    write=lambda key: key.split(" or ")[0],
    announce=r"\b(?:moves?|point|coordinates?|position|intersection|spot)\b[^.:\n]{0,50}?(?:\b(?:is|at|on|to)\b|:)"
    r"|\b(?:play(?:s|ed|ing)?|plac(?:e|es|ed|ing)(?: (?:a|the|its|his) (?:black |white )?(?:stone|piece))?|choose|pick)(?: (?:at|on))?\b|(?<!白棋)(?<!白方)下在|落子[于在]?",
    after=r"(?:is|would be) (?:the |a |black's )?(?:only |unique )?(?:winning|best|correct|optimal|right|answer|decisive|key)|wins\b|completes\b|makes five",
    unit=r"\(?\b[a-z]\W{0,2}\d{1,2}\b\)?",
    ignore=r"\bwhite\b(?:(?!\bblack\b)[^.\n])*|\bif\b|\bhas (?:a )?stones?\b|\bhas\b",
)

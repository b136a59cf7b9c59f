"""A table or a block of lines, compared row by row, whatever its marks: pipes, tabs, colons."""

from __future__ import annotations

import re
from collections import Counter

from ...sample import Extraction, Outcome, Reply
from ..normalise import TAG, lower
from ..page import Verdict
from ..reply import read_reply
from .free import declared_part

CELL = re.compile(r"\s*[|\t]\s*|\s{2,}|(?<=\w)\s*:\s+")
RULE = re.compile(r"[\s|:+=-]*")
FENCE = re.compile(r"\s*(?:```|~~~)\w*\s*")
MARKS = re.compile(r"[*`]|^\s*#+|__")
BULLET = re.compile(r"\s*[-*•]\s+")
JOINT = " | "


def rows(text: str) -> list[str]:
    """Each row as its cells, joined anew; no rules, fences or marks."""
    found = []
    for line in text.splitlines():
        if FENCE.fullmatch(line) or RULE.fullmatch(line):
            continue
        if not line.strip():
            continue
        bare = BULLET.sub("", MARKS.sub("", TAG.sub(" ", line)), 1) if "|" not in line else MARKS.sub("", line)
        cells = [cell.strip() for cell in CELL.split(bare.strip().strip("|").strip())]
        found.append(JOINT.join(" ".join(cell.split()) for cell in cells))
    return found


def read_rows(reply: str | Reply) -> Extraction:
    """All lines of the answer as rows, but for a line of prose before them that leads in ("Here is the table:")."""
    return read_reply(reply, _read, ())


def _read(text: str) -> Verdict:
    if not text:
        return Verdict(Outcome.EMPTY, "")
    parts = dict.fromkeys((declared_part(text)[1:], (0, len(text))))
    return next(filter(None, (_rows(text, *part) for part in parts)), Verdict(Outcome.UNPARSED, ""))


def _rows(text: str, start: int, end: int) -> Verdict | None:
    found = rows(text[start:end])
    if len(found) > 2 and JOINT not in found[0] and JOINT in found[1]:
        found = found[1:]
    if sum(JOINT in row for row in found) * 2 <= len(found):
        return None
    return Verdict(Outcome.PARSED, "rows", "\n".join(found), start, end)


def key(text: str) -> str:
    """Raises ValueError for a reference that is no table."""
    found = rows(text)
    if len(found) < 2 or not all(JOINT in row for row in found):
        raise ValueError(f"key {text!r} is no table of at least two rows")
    return "\n".join(found)


def grade(value: str, key: str) -> float | None:
    """Rows in any order where their first cells tell them apart, else in order. None where a reply is laid out in another way."""
    ours, theirs = _cells(value), _cells(key)
    if ours[0] != theirs[0] and sorted(ours[0]) == sorted(theirs[0]):
        return None  # the columns in another order
    names = Counter(row[0] for row in theirs)
    free = max(names.values()) == 1 and len({len(row) for row in theirs}) == 1 and len(theirs[0]) > 2
    if free:
        left = Counter(theirs)
        right = sum((left & Counter(ours)).values())
    else:
        right = sum(a == b for a, b in zip(ours, theirs, strict=False))
    if right == len(ours) == len(theirs):
        return 1.0
    widths = {len(row) for row in theirs}
    ours = [row for row in ours if len(row) in widths]
    if right == len(theirs) >= len(ours) or sum(row[0] in names for row in ours) * 2 < len(theirs):
        return None
    return right / max(len(ours), len(theirs))


def _cells(text: str) -> list[tuple[str, ...]]:
    return [tuple(_plain(cell) for cell in row.split(JOINT)) for row in text.split("\n")]


def _plain(cell: str) -> str:
    """A cell without case, and a number without needless zeros."""
    small = lower(cell).strip(" .*")
    try:
        return f"{float(small):.12g}" if re.fullmatch(r"-?\d{1,12}(?:\.\d{1,12})?", small) else small
    except ValueError:
        return small

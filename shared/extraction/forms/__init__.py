"""Free answers: no options to choose from, but in most cases a known form (numbers, pairs, points, moves, a table …).

The form of the reference decides how a reply is read (`kind_of`). A kind whose answers come in lines and sentences is a `Form`, which
the engine in `declared` reads by the same rules for all; tables, numbered answers and free text have readers of their own. Values and
keys are canonical texts, and `grade` compares them part by part. Nothing here looks for the key in a reply.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from ...sample import Extraction, Reply
from . import free, quartet, rows
from .counts import COUNTS
from .declared import read
from .form import Form
from .mapping import MAPPING
from .moves import MOVES
from .numbers import NUMBERS, ONE_NUMBER
from .points import POINTS
from .words import COLOR, DIRECTION, SHAPE, YES_OR_NO, numbered


@dataclass(frozen=True, slots=True)
class Kind:
    """How one kind of free answer is read and graded."""

    name: str
    read: Callable[[str | Reply], Extraction]
    key: Callable[[str], str]
    """A reference text → canonical key. Raises ValueError when it has another form."""
    grade: Callable[[str, str], float | None]
    """Share of the key's sub-parts that a value has right, 1 only when it is right; None where no rule can tell."""
    write: Callable[[str], str] = str
    """A right answer to a canonical key."""
    size: Callable[[str], int] = lambda text: 1
    """Parts of a value or key."""


def _kind(form: Form) -> Kind:
    return Kind(form.name, partial(read, form=form), form.key, form.grade, form.write, form.size)


TEXT = Kind("text", free.read_text, free.key, free.grade)
"""Any text."""

KINDS: Mapping[str, tuple[Kind, ...]] = {
    "numbers": (_kind(NUMBERS),),
    "counts": (_kind(COUNTS),),
    "mapping": (_kind(MAPPING),),
    "coordinates": (_kind(POINTS),),
    "moves": (_kind(MOVES),),
    "table": (Kind("table", rows.read_rows, rows.key, rows.grade),),
    "sandbagging": (Kind("sandbagging", quartet.read_quartet, quartet.key, quartet.grade, quartet.write),),
    "text": tuple(map(_kind, (DIRECTION, COLOR, SHAPE, YES_OR_NO, ONE_NUMBER))),
}
"""Answer type → the kinds that its references may have; any may also be free text."""

NUMBERED = re.compile(
    r"\s*(step|line|row|question|student|picture|image|item|statement|option|equation|problem|answer)\s*\W?\s*\d{1,3}\s*\.?\s*",
    re.IGNORECASE,
)


def kind_of(answer_type: str, reference: str) -> tuple[Kind, str]:
    """The kind of a reference, and its canonical key. Raises ValueError where it is no answer of its type but free text.

    >>> kind, key = kind_of("text", "North-East.")
    >>> kind.name, key, kind.read("It looks NE.").value
    ('direction', 'north-east', 'north-east')
    """
    known = list(KINDS[answer_type])
    if answer_type == "text" and (noun := NUMBERED.fullmatch(reference)):
        known.insert(0, _kind(numbered(noun[1].lower())))
    reasons = []
    for kind in known:
        try:
            return kind, kind.key(reference)
        except ValueError as error:
            reasons.append(str(error))
    if answer_type == "text":
        return TEXT, TEXT.key(reference)
    raise ValueError("; ".join(reasons))

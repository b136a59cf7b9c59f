"""Raters' names: one spelling for a person, and what a judge is called for judges alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from unicodedata import normalize

from ..errors import DataError
from .judging import PREFIX, is_judge

LIKE_A_JUDGE = re.compile(r"judge\s*:", re.IGNORECASE)
"""How a name begins that people would take for a judge's."""


def check_raters(named: Iterable[tuple[str, object, bool]]) -> None:
    """Look at each name with where it stands, and whether judges have their ratings there.

    Raises DataError that names two spellings which differ in capitals or in how accents are coded alone, or a person who is called as judges are.
    """
    spelt: dict[str, str] = {}
    for name, place, judges in dict.fromkeys(named):
        if LIKE_A_JUDGE.match(name) and not (judges and is_judge(name)):
            raise DataError(
                f"{place}: rater {name!r}: names that begin with {PREFIX.strip()!r} are for judges, whose ratings stand in a file of their"
                " own; give this person another one"
            )
        if (before := spelt.setdefault(normalize("NFKC", name).casefold(), name)) != name:
            raise DataError(
                f"raters {before!r} and {name!r}: one person or two? Spell the name alike everywhere, or let it differ in more than capitals and how accents are coded"
            )

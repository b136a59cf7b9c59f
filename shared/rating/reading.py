"""Ratings as they come back: the page's CSV, or a spreadsheet's, of any number of raters in any number of files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..report.labelling_page import ANNOTATOR, ID, SEEN, csv_rows, refuse, value_of
from .judging import ENDING
from .protocol import QUESTIONS, TRUE_PICTURE
from .raters import check_raters


@dataclass(frozen=True, slots=True)
class Rating:
    """One rater on one picture."""

    item: str
    rater: str
    marks: Mapping[str, int]
    """Scale (App, IF) → 0 to 3; one that was left out is not there."""
    saw_truth: bool
    """Whether the true picture was in sight."""


def read_ratings(paths: Iterable[Path], items: Collection[str]) -> list[Rating]:
    """All of them; rows without a mark are left out.

    Raises DataError that lists, by file and line: pictures that are none of `items`, marks that are not 0 to 3, marks without a rater's name, and
    a second rating of a picture by the same rater; and one that names raters who may be one person, or a person called as judges are.
    """
    found: list[Rating] = []
    named: list[tuple[str, object, bool]] = []
    places: dict[tuple[str, str], str] = {}
    for path in paths:
        problems: list[str] = []
        for number, row in csv_rows(path, [ID, ANNOTATOR, *(question.name for question in QUESTIONS)]):
            try:
                rating = _rating(row, items)
                if rating.marks:
                    _once(places, rating, f"{path}, line {number}")
                    found.append(rating)
                    named.append((rating.rater, path, path.name.endswith(ENDING)))
            except ValueError as error:
                problems.append(f"line {number}: {error}")
        refuse(path, problems)
    check_raters(named)
    return found


def _rating(row: Mapping[str, str], items: Collection[str]) -> Rating:
    marks = {question.name: value_of(question, row[question.name]) for question in QUESTIONS}
    given = {name: int(value) for name, value in marks.items() if value}
    item, rater = row[ID].strip(), " ".join(row[ANNOTATOR].split())
    if item not in items:
        raise ValueError(f"{item or 'no id'}: none of the pictures on the page; was it rated on another one?")
    if given and not rater:
        raise ValueError(f"{item}: no rater's name in the column {ANNOTATOR}")
    return Rating(item, rater, given, row.get(TRUE_PICTURE, "").strip().casefold() == SEEN)


def _once(places: dict[tuple[str, str], str], rating: Rating, place: str) -> None:
    about = rating.rater, rating.item
    if about in places:  # also when one file is named twice
        raise ValueError(f"{rating.rater} has rated {rating.item} already ({places[about]})")
    places[about] = place

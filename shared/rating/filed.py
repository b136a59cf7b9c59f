"""`ratings.tsv`: every rating with whose picture it is about, as `cogsight rate read` files it, and as `cogsight score --ratings` takes it up.

A judge's ratings are filed too, and not taken up: a judge never enters people's means, and `cogsight score --judge` asks it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from ..errors import DataError
from ..judge.query import NOT_RATED
from ..report.labelling_page import SEEN, csv_rows, refuse, value_of
from ..sample import PEOPLE, Reply, Score
from .collecting import fingerprint
from .judging import is_judge
from .marks import SCALES, with_marks
from .protocol import QUESTIONS
from .raters import check_raters
from .reading import Rating
from .sheet import Key

NAME = "ratings.tsv"
TITLES = tuple(SCALES.values())
COLUMNS = ("id", "model", "variant", "task", "sample", "attempt", "picture", "rater", *TITLES, "saw true picture")


@dataclass(frozen=True, slots=True)
class Filed:
    """One person on one picture."""

    model: str
    variant: str
    sample: str
    attempt: int
    picture: str
    """The fingerprint of what was rated."""
    rater: str
    marks: Mapping[str, int]
    """Name in `SCALES` → 0 to 3; one that was left out is not there."""
    place: str
    """File and line."""

    @property
    def about(self) -> tuple[str, str, str, int]:
        """Which picture, by whom and to what."""
        return self.model, self.variant, self.sample, self.attempt


@dataclass(frozen=True, slots=True)
class Ratings:
    """Those of people."""

    given: tuple[Filed, ...] = ()

    def of(self, model: str, variant: str) -> Ratings:
        """Those of one run."""
        return Ratings(tuple(one for one in self.given if (one.model, one.variant) == (model, variant)))

    @property
    def raters(self) -> int:
        """How many people."""
        return len({one.rater for one in self.given})

    @property
    def digest(self) -> str:
        """Names these ratings among others."""
        told = sorted((*one.about, one.rater, sorted(one.marks.items())) for one in self.given)
        return sha256(repr(told).encode()).hexdigest()[:10]


def rows(key: Key, ratings: Iterable[Rating]) -> Iterator[tuple[str, ...]]:
    """The file's, under `COLUMNS`."""
    for one in ratings:
        made = key.items[one.item]
        marks = (str(one.marks.get(title, "")) for title in TITLES)
        what = (one.item, made.model, made.variant, made.task, made.sample, str(made.attempt), made.picture)
        yield *what, one.rater, *marks, SEEN if one.saw_truth else "no"


def read_filed(paths: Sequence[Path]) -> Ratings:
    """People's ratings in these files, or in folders that hold one.

    Raises DataError that lists, by file and line, what cannot be read and what the same rater has rated twice; and for files without any rating by a
    person.
    """
    files = [path / NAME if path.is_dir() else path for path in paths]
    if absent := [path for path, file in zip(paths, files, strict=True) if not file.is_file()]:
        raise DataError(
            f"{absent[0]}: no ratings there; expected the folder, or its {NAME}, that `cogsight rate read` wrote"
        )
    found: dict[tuple[object, ...], Filed] = {}
    for file in files:
        problems: list[str] = []
        for number, row in csv_rows(file, COLUMNS):
            try:
                one = _filed(row, f"{file}, line {number}")
                before = found.setdefault((*one.about, one.rater), one)
                if before is not one:
                    raise ValueError(f"{one.rater} has rated {one.sample} by {one.model} already ({before.place})")
            except ValueError as error:
                problems.append(f"line {number}: {error}")
        refuse(file, problems)
    check_raters((one.rater, one.place, True) for one in found.values())
    people = tuple(one for one in found.values() if not is_judge(one.rater))
    if files and not people:
        raise DataError(
            f"{', '.join(map(str, files))}: no ratings by people in it; for a judge's, name it with --judge"
        )
    return Ratings(people)


def rated(
    scores: Sequence[Score], replies: Mapping[tuple[str, int], Sequence[Reply]], ratings: Ratings, where: object
) -> list[Score]:
    """Scores of a run, with the mean of people's marks where each of `SCALES` has one; the others stay as they are.

    Raises DataError that names a rating of a question that the run has no reply to, or of another picture than the run holds.
    """
    marks: dict[tuple[str, int], list[Mapping[str, int]]] = {}
    for one in ratings.given:
        asked = (one.sample, one.attempt)
        if asked not in replies:
            raise DataError(
                f"{one.place}: attempt {one.attempt} at {one.sample} is rated, and {where} has no reply to it; {WAY_OUT}"
            )
        if one.picture != (held := _held(replies[asked])):
            other = "another picture than was rated" if held else "no picture"
            raise DataError(f"{one.place}: to {one.sample} {where} holds {other}; {WAY_OUT}")
        marks.setdefault(asked, []).append(one.marks)
    return [_rated(score, marks.get((score.sample_id, score.attempt), ())) for score in scores]


WAY_OUT = "name the log or run that was rated, or have this one rated"


def _rated(score: Score, given: Sequence[Mapping[str, int]]) -> Score:
    known = {name: [marks[name] for marks in given if name in marks] for name in SCALES}
    if score.reason != NOT_RATED or not all(known.values()):
        return score
    return replace(with_marks(score, {name: sum(own) / len(own) for name, own in known.items()}), judged_by=PEOPLE)


def _held(replies: Sequence[Reply]) -> str:
    """The fingerprint of the picture that a run holds; "" where it has none."""
    last = replies[-1]
    return fingerprint(last.images[-1]) if last.error is None and last.images else ""


def _filed(row: Mapping[str, str], place: str) -> Filed:
    marks = {question.name: value_of(question, row[question.name]) for question in QUESTIONS}
    if not row["rater"].strip() or not row["attempt"].isdecimal():
        raise ValueError(f"{row['sample'] or 'no sample'}: no rater, or no number of an attempt")
    return Filed(
        row["model"],
        row["variant"],
        row["sample"],
        int(row["attempt"]),
        row["picture"],
        " ".join(row["rater"].split()),
        {name: int(marks[title]) for name, title in SCALES.items() if marks[title]},
        place,
    )

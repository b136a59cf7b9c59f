"""Sheets for people who label: one self-contained page (keyboard, offline) and the same as CSV, and what comes back from either.

A `Sheet` is the one description of what is asked; page, CSV and reader all follow it. Nobody's choice is filled in beforehand: what
a model suggests stands behind a click, under the model's name. Labels come back as CSV, whole or in part, from page or spreadsheet.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from base64 import b64encode
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from ..errors import DataError
from ..sample import Picture
from .samples_page import environment

ID, ANNOTATOR, SUGGESTED = "id", "annotator", "suggested "
"""Columns of the CSV beside one per question: the item, who labels, and (its name's start) what a model suggests."""

KEYS = "1234567890"
"""Those that choose an option where a sheet does not say, in order."""

SEEN = "yes"
"""In the column of a sheet's switch."""

DELIMITERS = ",;\t"
"""What spreadsheets put between cells, by the language that they speak."""

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a text begins that a spreadsheet would compute (CSV injection)."""

SHOWN = 10
"""Problems of a file that are told in full."""

Labels = Mapping[str, Mapping[str, str]]
"""Item's id → question's name → value; what is not labelled is not there."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of every item."""

    name: str
    """The CSV's column."""
    title: str
    options: Mapping[str, str]
    """Value in the CSV → what the page says; the first ten have a key."""
    hints: Mapping[str, str] = field(default_factory=dict)
    """Value → one line that says when it applies."""


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part of an item: texts and pictures in order."""

    title: str
    parts: tuple[str | Picture, ...]

    @property
    def text(self) -> str:
        """Without its pictures."""
        return "\n".join(part for part in self.parts if isinstance(part, str))


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to label. All items of a sheet have the same sections' titles, in the same order."""

    id: str
    sections: tuple[Section, ...]
    suggested: Mapping[str, str] = field(default_factory=dict)
    """Question → the value that a model suggests."""
    more: tuple[Section, ...] = ()
    """What the sheet's switch shows."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is to be labelled, and how."""

    name: str
    """Of the files: `{name}.html`, `{name}.csv`."""
    title: str
    guide: str
    """What an annotator must know, in plain text."""
    questions: tuple[Question, ...]
    items: tuple[Item, ...]
    suggested_by: str = ""
    """The model behind the suggestions."""
    keys: str = KEYS
    """Those that choose an option, in order."""
    order: str = ""
    """Set: each annotator has an order of their own, made of this text and their name, for which the page then asks first."""
    switch: str = ""
    """Names what the page can show more of an item, off at first; a column of the CSV, where "yes" says that it was seen."""
    side_by_side: bool = False
    """Pictures beside each other, for comparing, and not below."""


def page(sheet: Sheet) -> str:
    """The whole HTML text. No script but our own can run in it, and nothing is loaded: texts of models and data are escaped."""
    from markupsafe import Markup

    script = (files(__package__) / "templates" / "labelling.js").read_text(encoding="utf-8")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    mark = sha256(repr([(item.id, item.sections) for item in sheet.items]).encode()).hexdigest()[:16]
    return (
        environment()
        .get_template("labelling.html")
        .render(sheet=sheet, mark=mark, script=Markup(script), digest=digest)  # noqa: S704 - our own file
    )


def sheet_csv(sheet: Sheet, labels: Labels | None = None, annotator: str = "") -> str:
    """The sheet for a spreadsheet: questions empty, or as `labels` fills them, then the items' texts.

    Raises ValueError for a label that is none of its question's options.
    """
    known = labels or {}
    names = [question.name for question in sheet.questions]
    suggested = [name for name in names if any(name in item.suggested for item in sheet.items)]
    titles = [section.title for section in sheet.items[0].sections] if sheet.items else []
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow([ID, ANNOTATOR, *names, *(SUGGESTED + name for name in suggested), *titles])
    for item in sheet.items:
        given = known.get(item.id, {})
        chosen = [value_of(question, given.get(question.name, "")) for question in sheet.questions]
        texts = [_inert(section.text) for section in item.sections]
        writer.writerow([item.id, annotator, *chosen, *(item.suggested.get(name, "") for name in suggested), *texts])
    return buffer.getvalue()


def read_labels(path: Path, questions: Iterable[Question], ids: Collection[str] | None = None) -> Labels:
    """What an annotator has filled in, from the page's CSV or a spreadsheet's; empty cells are left out.

    A value counts in any case, and by its option's text too. `ids`: the items that there are, None for any. Raises DataError that
    lists by line what cannot be read.
    """
    asked = tuple(questions)
    problems: list[str] = []
    found: dict[str, dict[str, str]] = {}
    for number, row in csv_rows(path, [ID, *(question.name for question in asked)]):
        try:
            labels = {question.name: value_of(question, row[question.name]) for question in asked}
            _check_id(row[ID], found, ids)
        except ValueError as error:
            problems.append(f"line {number}: {error}")
            continue
        found[row[ID]] = {name: value for name, value in labels.items() if value}
    refuse(path, problems)
    return found


def refuse(path: Path, problems: Sequence[str]) -> None:
    """Raises DataError that lists them, if there are any."""
    if problems:
        rest = [f"… and {len(problems) - SHOWN} more"] * (len(problems) > SHOWN)
        raise DataError("\n  ".join([f"{path}: labels that cannot be read:", *problems[:SHOWN], *rest]))


def beside(labels: Path, ending: str) -> Path | None:
    """The file with this ending that was written with the sheet of these labels: in their folder, and theirs begin with its name."""
    near = sorted(labels.parent.glob(f"*{ending}"), key=lambda path: -len(path.name))
    return next((path for path in near if labels.name.startswith(path.name.removesuffix(ending))), None)


def csv_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Line number and cells by column, of a CSV as any spreadsheet writes it; empty lines are left out.

    Raises DataError for a file that cannot be read, lacks one of `columns`, or has a column twice.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise DataError(f"{path}: no such file") from error
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: cannot be read ({error}); save it as CSV, UTF-8") from error
    head = text.partition("\n")[0]
    delimiter = max(DELIMITERS, key=head.count)
    csv.field_size_limit(sys.maxsize)  # a cell may hold a whole reply
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, restval="", strict=True)
    try:
        found = reader.fieldnames or ()
        if missing := [name for name in columns if name not in found]:
            raise DataError(f"{path}: no column {', '.join(missing)}; expected a CSV with {', '.join(columns)}")
        if twice := sorted({name for name in found if name.strip() and found.count(name) > 1}):
            raise DataError(
                f"{path}: column {', '.join(twice)} stands twice; expected one table, with each column once"
            )
        for row in reader:
            cells = {name: cell for name, cell in row.items() if isinstance(cell, str)}
            if any(cell.strip() for cell in cells.values()):
                yield reader.line_num, cells
    except csv.Error as error:
        raise DataError(f"{path}, line {reader.line_num}: {error}; save it as CSV, UTF-8") from error


def value_of(question: Question, cell: str) -> str:
    """The option's value, "" for an empty cell. Raises ValueError for what is none."""
    said = re.sub(r"(\d)\.0$", r"\1", cell.strip().casefold())  # as a column of numbers with gaps is written
    for value, text in question.options.items():
        if said in ("", value.casefold(), text.casefold()):
            return value if said else ""
    raise ValueError(f"{question.name} {cell.strip()[:40]!r}: expected one of {', '.join(question.options)}")


def _check_id(name: str, found: Collection[str], ids: Collection[str] | None) -> None:
    if name in found:
        raise ValueError(f"{name} stands twice")
    if not name or (ids is not None and name not in ids):
        raise ValueError(f"{name or 'no id'}: none of the items asked about")


def _inert(text: str) -> str:
    """Nothing that a spreadsheet would compute."""
    return f"'{text}" if text.startswith(FORMULA) else text

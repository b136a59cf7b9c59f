"""VLMEvalKit's result tables (xlsx, tsv or json) read back into replies, every cell as the text it was.

The kit's own `load` guesses types: the replies "None", "NA" and "007" become NaN, NaN and 7. And an xlsx cell cannot hold every
text: it is cut at 32,767 characters, "{=A}" becomes a formula, "mailto:B" a link called "B", a long URL nothing at all. So the
replies are kept as they were in a file beside the table (`keep_exact`), which `read` believes as long as the table is unchanged.
"""

from __future__ import annotations

import csv
import json
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from glob import escape
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import DataError, MissingDependency
from ...files import digest, staged
from ...pictures import TEXT_ONLY
from ...sample import Finish, Reply
from ..dialogues import asks_for_picture, is_dialogue, unpack

CELL_LIMIT = 32_767
"""Characters that an xlsx cell holds; the kit cuts longer ones, with no mark in the table."""

FAILURES = ("Failed to obtain answer", "Fail to obtain answer")
"""How the texts begin that VLMEvalKit writes in place of a reply (`vlmeval/smp/file.py`, `vlmeval/api/*.py`)."""

COLUMNS = ("index", "sample_id", "variant", "view", "prediction")
EXACT_REPLIES = "_exact_replies.json"
"""How the name of the file beside an xlsx table ends."""
SAMPLES, SUMMARY = "_samples.jsonl", "_summary.json"
"""How the names of the files end that our evaluation writes beside the table."""
BY = "_by_"
"""Stands in their names before the judge."""


class Beside(NamedTuple):
    """Where one evaluation of a table is kept."""

    samples: Path
    """A record of each sample."""
    summary: Path


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a result table."""

    sample_id: str
    replies: tuple[Reply, ...]
    """Turn by turn."""
    variant: str
    """Name of the variant, as in every command and result of ours."""
    view: str
    """What the model was shown: "images", "collage" …"""
    index: str
    """The kit's key for the row; differs between versions of one question."""

    @property
    def reply(self) -> Reply:
        """The last one."""
        return self.replies[-1]


def read(table: Path) -> list[Row]:
    """All rows, in order. Warns when replies were cut by xlsx. Raises DataError for what is no readable result table of ours."""
    rows = _cells(table)
    if missing := [name for name in COLUMNS if any(name not in row for row in rows)]:
        raise DataError(
            f"{table}: no column {', '.join(missing)}; expected a result table of one of cogsight's datasets"
        )
    kept = _kept(table, rows)
    texts = kept or [row["prediction"] for row in rows]
    cut = [table.suffix == ".xlsx" and not kept and len(text) == CELL_LIMIT for text in texts]
    if any(cut):
        warnings.warn(
            f"{table}: {sum(cut)} replies were cut at {CELL_LIMIT:,} characters, the most that an xlsx cell holds, and their"
            " answers may be lost; set PRED_FORMAT=tsv and run the inference again",
            stacklevel=2,
        )
    variants = {row["variant"] for row in rows}
    dialogues, pictures = ({name: kind(name) for name in variants} for kind in (is_dialogue, asks_for_picture))
    return [
        Row(
            row["sample_id"],
            _without_picture(to_replies(text, dialogues[row["variant"]], cut=short), pictures[row["variant"]]),
            row["variant"],
            row["view"],
            row["index"],
        )
        for row, text, short in zip(rows, texts, cut, strict=True)
    ]


def beside(table: Path, judge: str = "") -> Beside:
    """Where an evaluation by a judge, or by rules alone, is kept: no result of one stands under the name of the other."""
    by = BY + "".join(c if c.isalnum() or c in "-." else "-" for c in judge) if judge else ""
    return Beside(table.with_name(f"{table.stem}{by}{SAMPLES}"), table.with_name(f"{table.stem}{by}{SUMMARY}"))


def evaluations(table: Path) -> list[Beside]:
    """All that are kept of a table, the latest first."""
    stem, kept = table.stem, {}
    for samples in table.parent.glob(f"{escape(stem)}*{SAMPLES}"):
        by = samples.name[len(stem) : -len(SAMPLES)]
        if not by or by.startswith(BY):
            kept[samples] = Beside(samples, samples.with_name(f"{stem}{by}{SUMMARY}"))
    return [kept[samples] for samples in sorted(kept, key=lambda path: path.stat().st_mtime, reverse=True)]


def table_of(samples: Path) -> Path:
    """The table beside which a record of an evaluation lies, there or not."""
    stem = samples.name.removesuffix(SAMPLES)
    tables = [samples.with_name(one + suffix) for one in (stem, stem.rpartition(BY)[0] or stem) for suffix in READERS]
    return next((table for table in tables if table.exists()), tables[0])


def to_replies(text: str, dialogue: bool, *, cut: bool = False) -> tuple[Reply, ...]:
    """A prediction as what the model said, turn by turn."""
    if dialogue and not text.startswith(FAILURES):
        return unpack(text)
    return (to_reply(text, cut=cut),)


def _without_picture(replies: tuple[Reply, ...], asked: bool) -> tuple[Reply, ...]:
    """The kit's models return no pictures: where one was `asked` for, that is no fault of theirs."""
    missing = [asked and reply.error is None and not reply.images for reply in replies]
    return tuple(replace(reply, error=TEXT_ONLY) if no else reply for reply, no in zip(replies, missing, strict=True))


def to_reply(text: str, *, cut: bool = False) -> Reply:
    """A prediction as a Reply; the kit's failure texts become its `error`."""
    if text.startswith(FAILURES):
        return Reply(None, error=text)
    return Reply(text, Finish.LENGTH if cut else Finish.UNKNOWN)


def predictions(table: Path) -> dict[str, str]:
    """Index → exact prediction, failure texts included."""
    rows = _cells(table)
    texts = _kept(table, rows) or [row["prediction"] for row in rows]
    return {row["index"]: text for row, text in zip(rows, texts, strict=True)}


def keep_exact(table: Path, indices: Iterable[Any], replies: Iterable[Any]) -> None:
    """Write the replies as they are, row by row, to the file beside the xlsx table that was just written."""
    rows = [[_text(index), _text(reply)] for index, reply in zip(indices, replies, strict=True)]
    with staged(_beside(table)) as stage:
        stage.write_text(json.dumps({"table": digest(table), "rows": rows}), encoding="utf-8")


def copy_exact(source: Path, target: Path) -> None:
    """The file beside `source` also beside its copy `target`, if there is one."""
    if _beside(source).exists():
        with staged(_beside(target)) as stage:
            stage.write_bytes(_beside(source).read_bytes())


def _beside(table: Path) -> Path:
    return table.with_name(f"{table.stem}{EXACT_REPLIES}")


def _kept(table: Path, rows: list[dict[str, str]]) -> list[str]:
    """The replies that were kept for this very table, row by row; none when nothing was, or the table has changed since."""
    beside = _beside(table)
    if table.suffix != ".xlsx" or not beside.exists():
        return []
    try:
        kept = json.loads(beside.read_text(encoding="utf-8"))
        indices = [index for index, _ in kept["rows"]]
        same = kept["table"] == digest(table) and indices == [row["index"] for row in rows]
        return [text for _, text in kept["rows"]] if same else []
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"{beside}: damaged: {error!r}; remove it, and the table is read without it") from error


def _cells(table: Path) -> list[dict[str, str]]:
    if not table.exists():
        raise DataError(_why_absent(table))
    reader = READERS.get(table.suffix)
    if reader is None:
        raise DataError(
            f"{table}: expected {', '.join(READERS)}; pickles are never read, since reading one runs the code in it"
        )
    try:
        return [{str(name): _text(value) for name, value in record.items()} for record in reader(table)]
    except MissingDependency:
        raise
    except Exception as error:  # of a damaged file unpacking, XML and openpyxl raise a dozen kinds
        raise DataError(f"{table}: cannot be read as {table.suffix[1:]}, it may be cut off: {error}") from error


def _why_absent(table: Path) -> str:
    if table.with_suffix(".pkl").exists():
        return (
            f"{table}: VLMEvalKit could not write it and fell back to a pickle, which is never read here;"
            " run: pip install openpyxl xlsxwriter, then run again with --reuse"
        )
    return f'{table}: no such result table; in --config and --data-config, a dataset\'s key must equal its "dataset"'


def _text(value: Any) -> str:
    if value is None or value != value:  # NaN
        return ""
    return value if isinstance(value, str) else str(value)


def _from_xlsx(table: Path) -> Iterable[Mapping[str, Any]]:
    try:
        from openpyxl import load_workbook
    except ModuleNotFoundError as error:
        raise MissingDependency("openpyxl", "vlmeval") from error
    header, *lines = load_workbook(table, read_only=True).worksheets[0].iter_rows(values_only=True)
    return [dict(zip(header, map(_unescaped, line), strict=False)) for line in lines]


def _from_tsv(table: Path) -> Iterable[Mapping[str, Any]]:
    csv.field_size_limit(sys.maxsize)
    with table.open(encoding="utf-8", newline="") as file:
        header, *lines = csv.reader(file, delimiter="\t", strict=True)
    return [dict(zip(header, line, strict=True)) for line in lines]


def _from_json(table: Path) -> Iterable[Mapping[str, Any]]:
    records = json.loads(table.read_text(encoding="utf-8"))
    if not isinstance(records, list):
        raise ValueError("expected a list of rows")
    return records


READERS: dict[str, Callable[[Path], Iterable[Mapping[str, Any]]]] = {
    ".xlsx": _from_xlsx,
    ".tsv": _from_tsv,
    ".json": _from_json,
}

_CONTROL = re.compile(r"_x(00[01][0-9A-F]|FFF[EF])_")


def _unescaped(value: Any) -> Any:
    """Control characters, which xlsx can only hold in this spelling: without it "B\\r\\n" would read "B_x000D_" and hide its answer."""
    return (
        _CONTROL.sub(lambda match: chr(int(match[1], 16)), value) if isinstance(value, str) and "_x" in value else value
    )

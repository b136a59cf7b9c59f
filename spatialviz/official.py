"""The official release of SpatialViz-Bench: a parquet table and `images.zip` on the Hub; or the table that EASI re-hosts as one TSV.

`record_to_sample` changes no pixel and no word. Whatever is wrong with a release is reported by row, all at once; a question whose
picture is missing is an error, never a question without its picture.
"""

from __future__ import annotations

import ast
import base64
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from cogsight.shared.answers import ANSWER_TYPES
from cogsight.shared.benchmark import Task
from cogsight.shared.dataset import canonical_json
from cogsight.shared.errors import DataError
from cogsight.shared.fetch import own_copy
from cogsight.shared.fetch_folder import FolderRelease, locate_folder
from cogsight.shared.files import digest
from cogsight.shared.messages import named_images
from cogsight.shared.release_rows import Findings, is_picture, tsv_rows
from cogsight.shared.sample import Picture, Sample
from cogsight.shared.settings import official_data_variable

from .pictures import ARCHIVE, GetPicture, names_in, pictures_at
from .taxonomy import LEVELS, OFFICIAL_CATEGORIES, OFFICIAL_TASKS, OPTIONS, TASKS

Row = Mapping[str, Any]
"""A row of either table, in the parquet's columns."""

HUB = "PLM-Team/Spatial-Visualization-Benchmark"
COLUMNS = ("Category", "Task", "Level", "Image_id", "Question", "Choices", "Answer", "Explanation")
"""Of the parquet table."""

TSV = "SpatialVizBench.tsv"
TSV_MD5 = "5ed4cb6463bfed0a92e52ffc4e8b6257"
"""Of huggingface.co/datasets/lmms-lab-si/EASI-Leaderboard-Data (VLMEvalKit e8e78f05, vlmeval/dataset/spatialvizbench.py)."""
TSV_COLUMNS = ("index", "image", "question", "A", "B", "C", "D", "answer", "category", "task")
NO_LEVEL = "all"
"""The level of questions from the TSV, which has none."""

LEVEL = re.compile(r"level[ _-]*([0-9])(?![0-9])", re.IGNORECASE)
"""How the release's name of a level begins."""

PART = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._+()-]{0,80}")
"""What may be part of a picture's path."""


class SpatialVizRelease(FolderRelease):
    """The Hub's files, whose hashes nobody has published; or the TSV, whose hash is known. Fingerprints say which."""

    __slots__ = ()

    def is_at(self, path: Path) -> bool:
        """Whether there is a folder or a table; what is in it is for the reader to check."""
        return path.exists()

    def fingerprint(self, path: Path) -> str:
        """Of a TSV its MD5 behind "tsv-", else see `FolderRelease`."""
        table = _tables(path)[:1]
        if table and table[0].suffix == ".tsv":
            return f"tsv-{digest(table[0], 'md5')}"
        homes = [path] if path.is_dir() else _homes(path)
        return FolderRelease.fingerprint(self, next(filter(names_in, homes), homes[0]))

    def files(self, path: Path) -> list[str]:
        """The tables and the pictures in a folder, which may hold much else."""
        return sorted([*(table.relative_to(path).as_posix() for table in _tables(path)), *names_in(path)])

    def problem(self, fingerprint: str) -> str | None:
        """What to say of a TSV that is not the published one."""
        kind, _, md5 = fingerprint.rpartition("-")
        if kind != "tsv" or md5 == TSV_MD5:
            return None
        return f"has MD5 {md5}, expected {TSV_MD5}: it has changed, or is not complete"

    def note(self, key: str) -> str | None:
        """What every score on data with this cache key must say of its release."""
        return None if TSV_MD5 in key else FolderRelease.note(self, key)


RELEASE = SpatialVizRelease(
    benchmark="spatialviz",
    name="Spatial-Visualization-Benchmark",
    hub=HUB,
    patterns=("*.parquet", ARCHIVE, "*/*/*/*.png"),
    whole=("*.parquet", ARCHIVE),
)


def locate() -> Path:
    """The user's own folder or table where one is named, else the Hub's snapshot. Raises DataError when there is none."""
    own = own_copy(RELEASE)
    if own is None:
        return locate_folder(RELEASE)
    if not own.exists():
        raise DataError(
            f"{official_data_variable(RELEASE.benchmark)}: no file or folder {own}; correct it, or unset it to download the release"
        )
    return own


def read_release(path: Path, *, allow_changed: bool = False) -> Iterator[Sample]:
    """The samples of a release (its folder, its parquet or the TSV), in its order, one row in memory at a time.

    What is wrong is raised after the last row, as one DataError that lists it by row, counted from 1. Rows that cannot be used always
    stop; another hash of the TSV, or another shape than the published one, only without `allow_changed`, else one notice on stderr
    tells of it.
    """
    path = Path(path)
    tables = _tables(path)
    if not tables:
        raise DataError(
            f"{path}: no such release; expected a folder with a parquet file and {ARCHIVE}, that parquet file, or {TSV}"
        )
    findings = Findings(path, f"load the release again (hf download {HUB} --repo-type dataset --local-dir DIR)")
    if problem := RELEASE.problem(release := RELEASE.fingerprint(path)):
        findings.contradictions.append(problem)
    tsv = tables[0].suffix == ".tsv"
    rows = _rows_of_tsv(tables[0], findings) if tsv else _rows_of_parquet(tables, findings)
    counts: Counter[tuple[str, str]] = Counter()
    for sample in _samples(rows, findings, release):
        counts[sample.task, sample.level] += 1
        if allow_changed or not problem:  # otherwise the rows are only looked through, to tell all at once
            yield sample
    findings.contradictions += _wrong_counts(counts, tsv)
    findings.settle(allow_changed)


def record_to_sample(row: Row, picture: GetPicture, *, release: str = "") -> Sample:
    """The sample of one row. Raises DataError that tells all that makes the row unusable."""
    if problems := row_problems(row, picture):
        raise DataError("; ".join(problems))
    task, level = _task(row), _level(row)
    noted = {name.lower(): row[name] for name in ("Category", "Task", "Level", "Image_id")}
    return Sample(
        id=f"spatialviz/official/{task.name}/{level}/{row['Image_id']}",
        task=task.name,
        category=task.category,
        level=level,
        images=(Picture(picture(_path(row))),),
        question=row["Question"],
        choices=_choices(row),
        answer=ANSWER_TYPES["option"].parse(row["Answer"], _choices(row)),
        answer_type=task.answer_type,
        explanation=explanation(row["Explanation"])[0],
        metadata=canonical_json(noted | {"release": release}),
    )


def row_problems(row: Row, picture: GetPicture) -> list[str]:
    """All that makes a row unusable."""
    problems = []
    readers: list[Callable[[Row], object]] = [*_READERS, partial(_look, picture)]
    for read in readers:
        try:
            read(row)
        except ValueError as error:
            problems.append(str(error))
    return list(dict.fromkeys(problems))  # a broken name is found by every reader that needs it


def explanation(cell: object) -> tuple[dict[str, str], str]:
    """(Letter → why it is right or wrong, what is odd about the cell); a text that is no object stands whole under "".

    The Hub's table has an object keyed by letters; a copy of it has that object as text, as JSON or as Python writes it.

    >>> explanation('{"A": "It is turned.", "B": null}')
    ({'A': 'It is turned.'}, '')
    """
    found = _object(cell) if isinstance(cell, str) else cell
    if isinstance(found, list) and found and all(isinstance(pair, tuple) and len(pair) == 2 for pair in found):
        found = dict(found)  # how pyarrow gives a map
    if found is None or found in ("", {}):
        return {}, ""
    if not isinstance(found, Mapping):
        kept = {"": cell} if isinstance(cell, str) else {}
        return kept, f"Explanation is {type(cell).__name__} {str(cell)[:40]!r}, not an object keyed by letters"
    texts = {str(letter): text for letter, text in found.items() if text is not None}
    written = {letter: str(text).encode("utf-8", "replace").decode() for letter, text in texts.items() if text != ""}
    odd = [letter for letter, text in written.items() if text != texts[letter]]  # a number; half a character, "\\ud800"
    return written, f"Explanation of {', '.join(odd)} is no text" if odd else ""


def _object(text: str) -> object:
    for read in (json.loads, ast.literal_eval):
        try:
            return read(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            continue
    return text


def _tables(path: Path) -> list[Path]:
    """The parquet files of a folder (or in its `data/`), else its one TSV; a file itself."""
    if not path.is_dir():
        return [path] if path.is_file() and path.suffix in (".parquet", ".tsv") else []
    patterns = ("*.parquet", "data/*.parquet", TSV)
    return next((found for pattern in patterns if (found := sorted(path.glob(pattern)))), [])


def _rows_of_parquet(tables: Sequence[Path], findings: Findings) -> Iterator[tuple[str, Row, GetPicture]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    picture = _beside(tables[0], findings)
    if picture is None:
        return
    number = 0
    for table in tables:
        try:
            file = pq.ParquetFile(table)
            if not _columns_fit(file.schema_arrow.names, COLUMNS, findings):
                return
            for batch in file.iter_batches(batch_size=256, columns=list(COLUMNS)):
                for row in batch.to_pylist():
                    number += 1
                    yield f"row {number} ({'/'.join(str(row[name]) for name in COLUMNS[:4])})", row, picture
        except (pa.ArrowException, OSError) as error:
            findings.unusable.append(f"{table.name}, after row {number}: {error}: damaged, or not complete")


def _homes(table: Path) -> list[Path]:
    """The folders that may hold a table's pictures."""
    return [table.parent, table.parent.parent] if table.parent.name == "data" else [table.parent]


def _beside(table: Path, findings: Findings) -> GetPicture | None:
    """The table's pictures: in its folder; for a table in `data/` also in the folder above."""
    try:
        found = next(filter(None, map(pictures_at, _homes(table))), None)
    except ValueError as error:
        findings.unusable.append(str(error))
        return None
    if found is None:
        expected = f"expected {ARCHIVE}, or the folders {', '.join(OFFICIAL_CATEGORIES)}"
        findings.unusable.append(f"no pictures beside {table.name}: {expected}")
    return found


def _rows_of_tsv(table: Path, findings: Findings) -> Iterator[tuple[str, Row, GetPicture]]:
    for number, row in tsv_rows(table, findings, lambda header, told: _columns_fit(header, TSV_COLUMNS, told)):
        about = {"Category": row["category"], "Task": row["task"], "Level": NO_LEVEL, "Image_id": row["index"]}
        asked = {"Question": row["question"], "Choices": [row[letter] for letter in "ABCD"], "Answer": row["answer"]}
        yield f"row {number} (index {row['index']})", about | asked | {"Explanation": None}, _encoded(row["image"])


def _encoded(cell: str) -> GetPicture:
    def read(name: str) -> bytes:
        try:
            return base64.b64decode(cell, validate=True)
        except ValueError as error:
            raise ValueError(f"image: broken base64: {error}") from error

    return read


def _columns_fit(found: Sequence[str], expected: Sequence[str], findings: Findings) -> bool:
    if missing := [name for name in expected if name not in found]:
        shown = ", ".join(found)[:200] or "nothing"
        findings.unusable.append(
            f"column {', '.join(missing)} is missing; expected {', '.join(expected)}, found {shown}"
        )
    elif unknown := [name for name in found if name not in expected]:
        findings.contradictions.append(f"unknown column {', '.join(unknown)}: what it says is not asked")
    return not missing


def _samples(rows: Iterator[tuple[str, Row, GetPicture]], findings: Findings, release: str) -> Iterator[Sample]:
    """The rows that can be used; what is wrong with the others goes into `findings`."""
    first_with: dict[str, str] = {}
    for where, row, picture in rows:
        try:
            sample = record_to_sample(row, picture, release=release)
        except DataError as error:
            findings.unusable.append(f"{where}: {error}")
            continue
        first = first_with.setdefault(sample.id, where)
        if first != where:
            findings.unusable.append(f"{where}: {first.partition(' (')[0]} is the same question")
            continue
        findings.contradictions += [f"{where}: {text}" for text in _contradictions(row, sample)]
        findings.notices += [f"{where}: {text}" for text in _oddities(sample)]
        yield sample


def _contradictions(row: Row, sample: Sample) -> Iterator[str]:
    """What does not fit the published shape in a row that can be used all the same."""
    if len(sample.choices) != OPTIONS:
        yield f"{len(sample.choices)} options, expected {OPTIONS}"
    if OFFICIAL_CATEGORIES.get(row["Category"]) != sample.category:
        yield f"Category {row['Category']!r}, but {row['Task']} belongs to {sample.category}"
    if odd := explanation(row["Explanation"])[1]:
        yield odd
    if strangers := [letter for letter in sample.explanation if letter and letter not in sample.choices]:
        yield f"Explanation of {', '.join(strangers)}, which is no option"


def _oddities(sample: Sample) -> Iterator[str]:
    """What makes a question doubtful that can be asked as it stands."""
    times = Counter(text.strip() for text in sample.choices.values())
    if same := [letter for letter, text in sample.choices.items() if times[text.strip()] > 1]:
        yield f"options {', '.join(same)} say the same"
    if moved := [letter for letter, text in sample.choices.items() if text in sample.choices and text != letter]:
        yield f"option {', '.join(moved)} is called by the letter of another"


def _wrong_counts(counts: Counter[tuple[str, str]], tsv: bool) -> list[str]:
    """The levels (of the TSV: the tasks) that do not have as many questions as published."""
    expected = {(task, str(level)): n for task, sizes in LEVELS.items() for level, n in enumerate(sizes)}
    if tsv:
        expected = {(task, NO_LEVEL): sum(sizes) for task, sizes in LEVELS.items()}
    wrong = [
        f"{task}/{level} {counts[task, level]} of {n}"
        for (task, level), n in expected.items()
        if counts[task, level] != n
    ]
    total = f"{sum(counts.values())} questions, {sum(expected.values()):,} expected"
    return [f"{total}; questions per task and level: {', '.join(wrong)}"] if wrong else []


def _task(row: Row) -> Task:
    if row["Task"] not in OFFICIAL_TASKS:
        raise ValueError(f"unknown Task {row['Task']!r}; known are {', '.join(OFFICIAL_TASKS)}")
    return TASKS[OFFICIAL_TASKS[row["Task"]]]


def _level(row: Row) -> str:
    name, task = row["Level"], _task(row)
    if name == NO_LEVEL:
        return NO_LEVEL
    match = LEVEL.match(name) if isinstance(name, str) else None
    if match is None or int(match[1]) >= len(LEVELS[task.name]):
        raise ValueError(f"unknown Level {name!r}; {task.title} has Level0 to Level{len(LEVELS[task.name]) - 1}")
    return match[1]


def _path(row: Row) -> str:
    """The picture's name. Raises ValueError for what could lead out of the release's folder, or break a sample's id."""
    for name in COLUMNS[:4]:
        if not isinstance(row[name], str) or not PART.fullmatch(row[name]):
            raise ValueError(f"{name} {row[name]!r} cannot be part of a picture's name")
    return "{Category}/{Task}/{Level}/{Image_id}.png".format_map(row)


def _question(row: Row) -> None:
    if not isinstance(row["Question"], str) or not row["Question"].strip():
        raise ValueError("Question is empty")


def _choices(row: Row) -> dict[str, str]:
    texts = row["Choices"]
    if not isinstance(texts, list) or not 2 <= len(texts) <= 10:
        raise ValueError(f"Choices {str(texts)[:40]!r}: expected a list of {OPTIONS} texts")
    choices = {chr(ord("A") + n): text for n, text in enumerate(texts)}
    if empty := [letter for letter, text in choices.items() if not isinstance(text, str) or not text.strip()]:
        raise ValueError(f"option {', '.join(empty)} is empty")
    return choices


def _answer(row: Row) -> None:
    ANSWER_TYPES["option"].parse(str(row["Answer"]), _choices(row))


def _placeholders(row: Row) -> None:
    for text in (row["Question"], *_choices(row).values()):
        named_images(str(text), 1)


_READERS: tuple[Callable[[Row], object], ...] = (_task, _level, _path, _question, _choices, _answer, _placeholders)


def _look(picture: GetPicture, row: Row) -> None:
    if not is_picture(Picture(picture(_path(row)))):
        raise ValueError(f"picture {_path(row)} cannot be decoded")

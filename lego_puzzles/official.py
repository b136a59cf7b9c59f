"""The official release of LEGO-Puzzles, `LEGO.tsv`: one question per row, pictures as a Python list of base64 strings.

`record_to_sample` changes no pixel and no word. Whatever is wrong with a file is reported by row, all at once.
"""

from __future__ import annotations

import ast
import base64
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from cogsight.shared.answers import ANSWER_TYPES
from cogsight.shared.benchmark import Task
from cogsight.shared.dataset import canonical_json
from cogsight.shared.errors import DataError
from cogsight.shared.fetch import ALLOW_CHANGED, Release
from cogsight.shared.files import digest
from cogsight.shared.release_rows import Findings, is_picture, tsv_rows
from cogsight.shared.sample import PLACEHOLDER, Picture, Sample

from .taxonomy import SAMPLES_PER_TASK, TASKS

Row = Mapping[str, str]

RELEASE = Release(
    benchmark="lego_puzzles",
    name="LEGO.tsv",
    md5="cfa845764442ebd54afa369c26011b8e",
    date="2025-06-12",
    older={
        "a10a2aaa1cab16d1d8d4fd0b66d45e82": "2025-06-09, evening",
        "70c4c54716631eb546c48d877be6acd2": "2025-06-09",
        "d595f50e1fb4d4eb12cbc95297893ffc": "2025-04-08",
    },
    hub="KexianTang/LEGO-Puzzles",
    url="https://opencompass.openxlab.space/utils/VLMEval/LEGO.tsv",
)
"""Hashes and dates: VLMEvalKit's history of vlmeval/dataset/image_mcq.py (commits aca64dbb, 96ad470f, 58863cf1, e585f9b1)."""

COLUMNS = ("index", "category", "question", "image_path", "answer", "A", "B", "question_type", "image")
"""Those that must be there; further options are columns C, D, … (26 at most)."""

QUESTION_TYPES = {"multiple-choice": "option", "sort": "sequence"}
"""The release's word → answer type."""

OFFICIAL_LABELS = {
    "height": "height",
    "adjacency": "adjacency",
    "rotation": "rotation",
    "multiview": "multiview",
    "next_step": "next_step",
    "dependency": "dependency",
    "rotation_status": "rotation_status",
    "position": "position",
    "backwards": "backwards",
    "ordering": "ordering",
    "outlier": "outlier",
    # Labels of the release of 2025-04-08 (github.com/Tangkexian/LEGO-Puzzles/issues/3; Error = Outlier is the authors' word there).
    "1_Adjacency": "adjacency",
    "2_Dependency": "dependency",
    "3_Error": "outlier",
    "4_Height": "height",
    "5_Multi_view": "multiview",
    "6_Next_step": "next_step",
    "7_Ordering": "ordering",
    "8_Position": "position",
    "9_reverse": "backwards",
}
"""Label → task; upper and lower case, blanks, "-" and "_" make no difference."""

LOST_LABELS = ("10_rotate_1", "11_rotate_2", "12_rotate_composition")
"""Three old labels for two tasks, Rotation and Rotation Status: which is which was never published."""

_MALFORMED = re.compile(r"<\s*i[am]{2}ge[^<>]*>", re.IGNORECASE)
"""What looks like a placeholder; one that is none stays in the text, and its picture goes before the text."""


def read_release(path: Path, *, allow_changed: bool = False) -> Iterator[Sample]:
    """The samples of a release file, in its order, one row in memory at a time.

    What is wrong is raised after the last row, as one DataError that lists it by row (counted from 1 below the header). Rows that
    cannot be used always stop; another hash, or another shape than the published one, only without `allow_changed`, else one
    notice on stderr tells of it.
    """
    path = Path(path)
    if not path.is_file():
        raise DataError(f"{path}: no such file; expected {RELEASE.name} of the LEGO-Puzzles release")
    md5 = digest(path, "md5")
    problem = RELEASE.problem(md5)
    usable = allow_changed or not problem
    if md5 in RELEASE.older and not usable:
        raise DataError(f"{path} {problem}; {ALLOW_CHANGED}")
    findings = Findings(path, f"load the current release again ({RELEASE.url})")
    findings.contradictions += [problem] if problem else []
    for sample in _samples(path, md5, findings):
        if usable:  # otherwise the rows are only looked through, to tell all at once
            yield sample
    findings.settle(allow_changed)


def record_to_sample(row: Row, *, md5: str = "") -> Sample:
    """The sample of one row. Pure. Raises DataError that tells all that makes the row unusable."""
    if problems := row_problems(row):
        raise DataError("; ".join(problems))
    task = _task(row)
    source = {name: row[name] for name in ("category", "question_type")}
    return Sample(
        id=f"lego_puzzles/official/{task.name}/all/{_index(row)}",
        task=task.name,
        category=task.category,
        level="all",
        images=_pictures(row),
        question=row["question"],
        choices=_choices(row),
        answer=_answer(row),
        answer_type=task.answer_type,
        metadata=canonical_json(source | {"index": _index(row), "image_path": _paths(row), "release_md5": md5}),
    )


def row_problems(row: Row) -> list[str]:
    """All that makes a row unusable."""
    problems = []
    for read in _READERS:
        try:
            read(row)
        except ValueError as error:
            problems.append(str(error))
    return list(dict.fromkeys(problems))  # a broken list is found by every reader that needs it


def _samples(path: Path, md5: str, findings: Findings) -> Iterator[Sample]:
    """The rows that can be used; what is wrong with the others, and with the whole, goes into `findings`."""
    counts: Counter[str] = Counter()
    first_with: dict[str, int] = {}
    for number, row in tsv_rows(path, findings, _header_fits):
        where = f"row {number} (index {row['index']})"
        counts[_LABELS.get(_squash(row["category"]), "")] += 1
        first = first_with.setdefault(row["index"], number)
        problems = [f"row {first} has this index too"] if first != number else []
        try:
            sample = record_to_sample(row, md5=md5)
        except DataError as error:
            problems.append(str(error))
        if problems:
            findings.unusable.append(f"{where}: {'; '.join(problems)}")
            continue
        findings.contradictions += [f"{where}: {text}" for text in _contradictions(row)]
        yield sample
    if wrong := [f"{name} {counts[name]}" for name in TASKS if counts[name] != SAMPLES_PER_TASK]:
        findings.contradictions.append(f"questions per task, {SAMPLES_PER_TASK} each expected: {', '.join(wrong)}")


def _header_fits(header: list[str], findings: Findings) -> bool:
    columns = Counter(header)
    problems = [f"column {name} is missing" for name in COLUMNS if name not in columns]
    problems += [f"column {name} stands {count} times" for name, count in columns.items() if count > 1]
    if problems:
        found = ", ".join(header)[:200] or "nothing"
        findings.unusable.append(f"{', '.join(problems)}; expected {', '.join(COLUMNS)}, found {found}")
    elif unknown := [name for name in header if name not in COLUMNS and not _is_letter(name)]:
        findings.contradictions.append(f"unknown column {', '.join(unknown)}: what it says is not asked")
    return not problems


def _contradictions(row: Row) -> Iterator[str]:
    """What does not fit the published shape in a row that can be used all the same."""
    task, choices = _task(row), _choices(row)
    if len(choices) != task.options:
        yield f"{len(choices)} options, but {task.title} has {task.options}"
    if list(choices) != [chr(ord("A") + n) for n in range(len(choices))]:
        yield f"options {', '.join(choices)}: one between them is empty"
    if len(_paths(row)) != len(_pictures(row)):
        yield f"image_path names {len(_paths(row))} pictures, image has {len(_pictures(row))}"
    for text in (row["question"], *choices.values()):
        for match in _MALFORMED.finditer(text):
            if not PLACEHOLDER.fullmatch(match[0]):
                yield f"{match[0]} looks like a placeholder and is none"


def _squash(label: str) -> str:
    return re.sub(r"[\s_-]+", "", label).lower()


_LABELS = {_squash(label): task for label, task in OFFICIAL_LABELS.items()}
_LOST = frozenset(map(_squash, LOST_LABELS))


def _index(row: Row) -> int:
    if not re.fullmatch(r"0|[1-9][0-9]{0,11}", row["index"]):
        raise ValueError(f"index {row['index']!r} is no whole number")
    return int(row["index"])


def _task(row: Row) -> Task:
    label = row["category"]
    if _squash(label) in _LOST:
        raise ValueError(
            f"label {label!r} of the release of 2025-04-08 may mean Rotation or Rotation Status, which was never published;"
            f" use the release of {RELEASE.date}"
        )
    if _squash(label) not in _LABELS:
        raise ValueError(f"unknown label {label!r}; known are {', '.join(TASKS)}")
    return TASKS[_LABELS[_squash(label)]]


def _is_letter(column: str) -> bool:
    return len(column) == 1 and "A" <= column <= "Z"


def _choices(row: Row) -> dict[str, str]:
    return {letter: row[letter] for letter in sorted(filter(_is_letter, row)) if row[letter].strip()}


def _question(row: Row) -> None:
    if not row["question"].strip():
        raise ValueError("question is empty")


def _answer(row: Row) -> str:
    kind = QUESTION_TYPES.get(row["question_type"])
    if kind is None:
        raise ValueError(f"unknown question_type {row['question_type']!r}; known are {', '.join(QUESTION_TYPES)}")
    if kind != _task(row).answer_type:
        raise ValueError(f"question_type {row['question_type']!r} does not fit the task {_task(row).title}")
    return ANSWER_TYPES[kind].parse(row["answer"], _choices(row))


def _paths(row: Row) -> tuple[str, ...]:
    return _strings("image_path", row["image_path"])


def _pictures(row: Row) -> tuple[Picture, ...]:
    return tuple(map(Picture, _decoded(row["image"])))


def _decodable(row: Row) -> None:
    pictures = _pictures(row)
    if not pictures:
        raise ValueError("image has no picture")
    if broken := [str(n) for n, picture in enumerate(pictures, 1) if not is_picture(picture)]:
        raise ValueError(f"picture {', '.join(broken)} of {len(pictures)} cannot be decoded")


def _placeholders(row: Row) -> None:
    count = len(_pictures(row))
    texts = (row["question"], *_choices(row).values())
    named = dict.fromkeys(match[1].lstrip("0") for text in texts for match in PLACEHOLDER.finditer(text))
    there = {str(n) for n in range(1, count + 1)}
    if missing := [number or "0" for number in named if number not in there]:
        shown = ", ".join(f"<image {number[:20]}>" for number in missing)
        raise ValueError(f"placeholder {shown} without its picture, the row has {count}")


_READERS: tuple[Callable[[Row], object], ...] = (
    _index,
    _task,
    _question,
    _answer,
    _paths,
    _pictures,
    _decodable,
    _placeholders,
)


@lru_cache(maxsize=2)  # a row's pictures are asked for by several readers
def _decoded(cell: str) -> tuple[bytes, ...]:
    texts = _strings("image", cell)
    try:
        return tuple(base64.b64decode(text, validate=True) for text in texts)
    except ValueError as error:
        raise ValueError(f"image: broken base64: {error}") from error


def _strings(column: str, cell: str) -> tuple[str, ...]:
    """A cell that holds a Python list of strings."""
    try:
        values = ast.literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError) as error:
        raise ValueError(f"{column}: broken list ({len(cell)} characters, ends with {cell[-12:]!r})") from error
    if not isinstance(values, list) or not all(isinstance(value, str) and _is_writable(value) for value in values):
        raise ValueError(f"{column}: not a list of strings")
    return tuple(values)


def _is_writable(text: str) -> bool:
    """Not so with half a surrogate pair, which an escape in a list can spell and no file can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True

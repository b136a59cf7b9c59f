"""The official release of LEGO-Puzzles, `LEGO.tsv`: one question per row, pictures as a Python list of base64 strings.

`record_to_sample` changes no pixel and no word. Whatever is wrong with a file is reported by row, all at once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from cogsight.shared.answers import ANSWER_TYPES
from cogsight.shared.benchmark import Task
from cogsight.shared.dataset import canonical_json
from cogsight.shared.errors import DataError
from cogsight.shared.fetch import ALLOW_CHANGED, Release
from cogsight.shared.files import digest
from cogsight.shared.release_rows import Findings, tsv_rows
from cogsight.shared.sample import PLACEHOLDER, Sample

from . import official_cells as cells
from .official_cells import Row
from .taxonomy import SAMPLES_PER_TASK, TASKS

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


@dataclass(frozen=True, slots=True)
class Layout:
    """What the release and the files beside it (`official_apart.py`) do not have in common."""

    columns: tuple[str, ...]
    """Those that must be there."""
    task: Callable[[Row], Task]
    """Raises ValueError for a row of no task, as do the next two for what cannot be read."""
    answer: Callable[[Row], str]
    level: Callable[[Row], str] = lambda row: "all"
    may_have: tuple[str, ...] = ()
    """Further columns, beside the letters of options."""
    kept: tuple[str, ...] = ("category",)
    """Columns that go into the metadata as they are."""
    misspelt: Mapping[str, str] = field(default_factory=dict)
    """Known misspelt placeholders."""
    whole: tuple[str, ...] = ()
    """Tasks of which it must have SAMPLES_PER_TASK questions."""

    def readers(self) -> tuple[Callable[[Row], object], ...]:
        """All that read a row."""
        own = (self.task, self.level, cells.question, self.answer)
        return (cells.index, *own, cells.paths, cells.pictures, cells.decodable, cells.placeholders)


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
    for sample in samples_in(path, md5, findings, LEGO):
        if usable:  # otherwise the rows are only looked through, to tell all at once
            yield sample
    findings.settle(allow_changed)


def record_to_sample(row: Row, *, md5: str = "", layout: Layout | None = None) -> Sample:
    """The sample of one row, of the release or of another layout. Pure. Raises DataError that tells all that makes the row unusable."""
    layout = layout or LEGO
    if problems := row_problems(row, layout):
        raise DataError("; ".join(problems))
    task, level, index = layout.task(row), layout.level(row), cells.index(row)
    source = {name: row[name] for name in layout.kept}
    return Sample(
        id=f"lego_puzzles/official/{task.name}/{level}/{index}",
        task=task.name,
        category=task.category,
        level=level,
        images=cells.pictures(row),
        question=row["question"],
        choices=cells.choices(row),
        answer=layout.answer(row),
        answer_type=task.answer_type,
        metadata=canonical_json(source | {"index": index, "image_path": cells.paths(row), "release_md5": md5}),
    )


def row_problems(row: Row, layout: Layout) -> list[str]:
    """All that makes a row unusable."""
    problems = []
    for read in layout.readers():
        try:
            read(row)
        except ValueError as error:
            problems.append(str(error))
    return list(dict.fromkeys(problems))  # a broken list is found by every reader that needs it


def samples_in(path: Path, md5: str, findings: Findings, layout: Layout) -> Iterator[Sample]:
    """The rows that can be used; what is wrong with the others, and with the whole, goes into `findings`."""
    counts: Counter[str] = Counter()
    first_with: dict[str, int] = {}
    for number, row in tsv_rows(path, findings, partial(_header_fits, layout)):
        where = f"row {number} (index {row['index']})"
        counts[_counted(layout, row)] += 1
        first = first_with.setdefault(row["index"], number)
        problems = [f"row {first} has this index too"] if first != number else []
        try:
            sample = record_to_sample(row, md5=md5, layout=layout)
        except DataError as error:
            problems.append(str(error))
        if problems:
            findings.unusable.append(f"{where}: {'; '.join(problems)}")
            continue
        findings.contradictions += [f"{where}: {text}" for text in _contradictions(row, layout)]
        yield sample
    if wrong := [f"{name} {counts[name]}" for name in layout.whole if counts[name] != SAMPLES_PER_TASK]:
        findings.contradictions.append(f"questions per task, {SAMPLES_PER_TASK} each expected: {', '.join(wrong)}")


def _counted(layout: Layout, row: Row) -> str:
    """The row's task; "" for one of none."""
    try:
        return layout.task(row).name
    except ValueError:
        return ""


def _header_fits(layout: Layout, header: list[str], findings: Findings) -> bool:
    columns, known = Counter(header), {*layout.columns, *layout.may_have}
    problems = [f"column {name} is missing" for name in layout.columns if name not in columns]
    problems += [f"column {name} stands {count} times" for name, count in columns.items() if count > 1]
    if problems:
        found = ", ".join(header)[:200] or "nothing"
        findings.unusable.append(f"{', '.join(problems)}; expected {', '.join(layout.columns)}, found {found}")
    elif unknown := [name for name in header if name not in known and not cells.is_letter(name)]:
        findings.contradictions.append(f"unknown column {', '.join(unknown)}: what it says is not asked")
    return not problems


def _contradictions(row: Row, layout: Layout) -> Iterator[str]:
    """What does not fit the published shape in a row that can be used all the same."""
    task, choices = layout.task(row), cells.choices(row)
    if len(choices) != task.options:
        yield f"{len(choices)} options, but {task.title} has {task.options}"
    if list(choices) != [chr(ord("A") + n) for n in range(len(choices))]:
        yield f"options {', '.join(choices)}: one between them is empty"
    if len(cells.paths(row)) != len(cells.pictures(row)):
        yield f"image_path names {len(cells.paths(row))} pictures, image has {len(cells.pictures(row))}"
    for text in (row["question"], *choices.values()):
        for match in _MALFORMED.finditer(text):
            if not PLACEHOLDER.fullmatch(match[0]) and match[0] not in layout.misspelt:
                yield f"{match[0]} looks like a placeholder and is none"


def squash(label: str) -> str:
    """A label without what makes no difference."""
    return re.sub(r"[\s_-]+", "", label).lower()


_LABELS = {squash(label): task for label, task in OFFICIAL_LABELS.items()}
_LOST = frozenset(map(squash, LOST_LABELS))


def _task(row: Row) -> Task:
    label = row["category"]
    if squash(label) in _LOST:
        raise ValueError(
            f"label {label!r} of the release of 2025-04-08 may mean Rotation or Rotation Status, which was never published;"
            f" use the release of {RELEASE.date}"
        )
    if squash(label) not in _LABELS:
        raise ValueError(f"unknown label {label!r}; known are {', '.join(TASKS)}")
    return TASKS[_LABELS[squash(label)]]


def lettered(task: Callable[[Row], Task]) -> Callable[[Row], str]:
    """Reads the key of rows that have options; `task`: reads a row's task."""

    def answer(row: Row) -> str:
        kind = QUESTION_TYPES.get(row["question_type"])
        if kind is None:
            raise ValueError(f"unknown question_type {row['question_type']!r}; known are {', '.join(QUESTION_TYPES)}")
        if kind != task(row).answer_type:
            raise ValueError(f"question_type {row['question_type']!r} does not fit the task {task(row).title}")
        return ANSWER_TYPES[kind].parse(row["answer"], cells.choices(row))

    return answer


LEGO = Layout(
    columns=COLUMNS,
    task=_task,
    answer=lettered(_task),
    kept=("category", "question_type"),
    whole=tuple(TASKS),
)
"""The release itself."""

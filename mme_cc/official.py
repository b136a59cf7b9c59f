"""The official release of MME-CC: 12 JSON files of records, and folders of pictures that they name.

`record_to_sample` changes no pixel and no word. Whatever is wrong with a release is reported by file and record, all at once:

| what is wrong | what happens |
|---|---|
| nobody can ask it (no prompt, no picture, no answer, a path out of the folder) | always an error |
| not as published (counts, a record twice, no heading for the answer, …) | an error, unless `allow_changed` |
| odd, but nothing depends on it (no rubric, another name of the subtask) | a notice on stderr |
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import md5
from pathlib import Path
from typing import Any

from cogsight.shared.dataset import canonical_json
from cogsight.shared.errors import DataError
from cogsight.shared.fetch_folder import FolderRelease, revision_of
from cogsight.shared.release_rows import Findings
from cogsight.shared.sample import Sample

from .records import Record, contradictions, notices, problems
from .taxonomy import CATEGORIES, CATEGORY_SIZES, TASKS

RELEASE = FolderRelease(
    benchmark="mme_cc",
    name="MME-CC",
    hub="MaxwellWen/MME-CC",
    patterns=(
        "*.json",
        *(f"*.{kind}" for ending in ("png", "jpg", "jpeg", "webp") for kind in (ending, ending.upper())),
    ),
    whole=("*.json",),
)
"""No revision or hash of it is published, and the counts are all that is known to check it by."""

FILES: Mapping[str, tuple[str, str]] = {
    "Satellite_Image_Matching": ("satellite_image_matching", "all"),
    "Indoor_Directional_Reasoning": ("indoor_directional_reasoning", "all"),
    "Indoor_Deduplication_Counting": ("indoor_deduplication_counting", "all"),
    "Gomoku_Variation": ("gomoku_variation", "all"),
    "Unblock_Me": ("unblock_me", "all"),
    "Maze06": ("maze", "06"),
    "Maze10": ("maze", "10"),
    "Jigsaw_Puzzle": ("jigsaw_puzzle", "all"),
    "Chart_Modification": ("chart_modification", "all"),
    "Sandbagging": ("sandbagging", "all"),
    "Counterfactual_Instruction": ("counterfactual_instruction", "all"),
    "Finding_Wrong_Answer": ("finding_wrong_answer", "all"),
}
"""JSON file, without its ending → subtask and level, in the order in which they are asked."""


def read_release(folder: Path, *, allow_changed: bool = False) -> Iterator[Sample]:
    """The samples of a release folder, file by file, one record's pictures in memory at a time.

    What is wrong is raised after the last record, as one DataError that lists all of it; see the table above.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise DataError(f"{folder}: no such folder; expected the 12 JSON files and the picture folders of MME-CC")
    findings, counts = Findings(folder, again=f"load the release again ({RELEASE.hub})"), Counter[str]()
    about = {"release": RELEASE.fingerprint(folder), "revision": revision_of(folder)}
    seen: dict[str, tuple[str, str]] = {}
    for record in _records(folder, findings):
        counts[TASKS[record.task].category] += 1
        _look_at(record, findings, seen)
        if not findings.unusable:  # otherwise the records are only looked through, to tell all at once
            yield _sample(record, about)
    others = sorted(path.name for path in folder.glob("*.json") if path.stem not in FILES)
    findings.notices += [f"{name}: none of the 12 files, not read" for name in others]
    findings.contradictions += [
        f"{CATEGORIES[name]}: {counts[name]} records, published are {size}"
        for name, size in CATEGORY_SIZES.items()
        if counts[name] != size
    ]
    findings.settle(allow_changed)


def record_to_sample(record: Record, about: Mapping[str, str] | None = None) -> Sample:
    """The sample of one record. `about` goes into its metadata. Raises DataError that tells all that makes the record unusable."""
    if found := problems(record):
        raise DataError(f"{record.place}: {'; '.join(found)}")
    return _sample(record, about or {})


def _sample(record: Record, about: Mapping[str, str]) -> Sample:
    reference, fields = record.reference, record.fields
    own = {name: fields[name] for name in ("id", "extra") if name in fields}
    source = {"file": record.file, "record": record.number, "image_list": record.names, "rubric": reference.rubric}
    return Sample(
        id=f"mme_cc/official/{record.task}/{record.level}/{record.number}",
        task=record.task,
        category=TASKS[record.task].category,
        level=record.level,
        images=tuple(record.pictures()),
        question=fields["prompt"],
        choices={},
        answer=reference.answer,
        answer_type=TASKS[record.task].answer_type,
        metadata=canonical_json({**own, **source, **about}),
    )


def _look_at(record: Record, findings: Findings, seen: dict[str, tuple[str, str]]) -> None:
    """Note what is wrong with a record. `seen`: what an earlier one was known by → its place, and its answer."""
    unusable = problems(record)
    kinds = (
        (findings.unusable, unusable),
        (findings.contradictions, contradictions(record)),
        (findings.notices, notices(record)),
    )
    for kept, found in kinds:
        kept += [f"{record.place}: {what}" for what in found]
    if unusable:
        return
    for name, key in _identities(record):
        place, answer = seen.setdefault(key, (record.place, record.reference.answer))
        if place != record.place:
            differs = "" if answer == record.reference.answer else ", with another answer"
            findings.contradictions.append(f"{record.place}: the same {name} as {place}{differs}")


def _records(folder: Path, findings: Findings) -> Iterator[Record]:
    for stem, (task, level) in FILES.items():
        path = folder / f"{stem}.json"
        try:
            rows = _rows(path)
        except (OSError, ValueError, RecursionError) as error:
            reason = "missing" if isinstance(error, FileNotFoundError) else f"cannot be read: {error}"
            findings.unusable.append(f"{path.name}: {reason}")
            continue
        if not rows:
            findings.unusable.append(f"{path.name}: no records")
        for number, row in enumerate(rows, 1):
            if isinstance(row, Mapping):
                yield Record(folder, path.name, number, task, level, row)
            else:
                findings.unusable.append(f"{path.name}, record {number}: {type(row).__name__}, not an object")


def _rows(path: Path) -> list[Any]:
    """A list of records, or one record a line. Raises ValueError for anything else."""
    text = path.read_text(encoding="utf-8-sig")
    try:
        rows = json.loads(text)
    except ValueError:
        if "\n" not in text.strip() or not text.lstrip().startswith("{"):
            raise
        rows = [_line(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if isinstance(rows, Mapping):
        rows = [rows]
    if not isinstance(rows, list):
        raise ValueError(f"{type(rows).__name__}, not a list of records")
    return rows


def _line(number: int, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError(f"line {number}: {error}") from error


def _identities(record: Record) -> Iterator[tuple[str, str]]:
    """What must tell a record from all others: its own id if it has one, and what it asks of which pictures."""
    own = record.fields.get("id")
    if isinstance(own, str | int) and not isinstance(own, bool):
        yield f"id {own!r}", f"{record.file} {own}"
    asked = canonical_json([record.task, record.fields["prompt"], record.names])
    yield "prompt and pictures", md5(asked.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()

"""One record of the official release: what it holds, and all that can be wrong with it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from cogsight.shared.extraction.forms import kind_of
from cogsight.shared.messages import named_images
from cogsight.shared.release_rows import is_picture
from cogsight.shared.sample import Picture

from .reference import Reference, split_reference
from .taxonomy import TASKS

LARGEST = 200_000_000
"""Bytes of a picture file."""


@dataclass(frozen=True)
class Record:
    """A record as its file has it, any values, and where it stands."""

    folder: Path
    file: str
    number: int
    """In its file, from 1."""
    task: str
    level: str
    fields: Mapping[str, Any]

    @property
    def place(self) -> str:
        """How messages name it."""
        return f"{self.file}, record {self.number}"

    @property
    def raw_answer(self) -> Any:
        """`ground_truth.answer`, None where there is none."""
        truth = self.fields.get("ground_truth")
        return truth.get("answer") if isinstance(truth, Mapping) else None

    @cached_property
    def reference(self) -> Reference:
        """Answer and rubric; a number counts as its text, everything else that is no text as nothing."""
        raw = self.raw_answer
        return split_reference(str(raw) if isinstance(raw, str) or _is_number(raw) else "")

    @property
    def names(self) -> list[Any]:
        """`image_list`, empty where it is no list."""
        names = self.fields.get("image_list")
        return list(names) if isinstance(names, Sequence) and not isinstance(names, str) else []

    def pictures(self) -> Iterator[Picture]:
        """Byte for byte as released. Raises ValueError for a name that leads nowhere, or out of the folder."""
        for name in self.names:
            yield Picture(picture_path(self.folder, name).read_bytes())


def picture_path(folder: Path, name: Any) -> Path:
    """The file of a picture. Raises ValueError unless it is there, inside the folder, whatever links say.

    Files of a Hub snapshot are links into the `blobs` beside the snapshots: those count as inside.
    """
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"image_list holds {name!r}, not the name of a picture")
    parts = PurePosixPath(name).parts
    if name.startswith(("/", "~")) or ".." in parts or re.search(r"[\\\0]|^[A-Za-z]:|^[a-z]+://", name):
        raise ValueError(f"picture {name!r} lies outside the release: only relative paths below it are read")
    root = folder.resolve()
    homes = [root, *([root.parents[1] / "blobs"] if root.parent.name == "snapshots" else [])]
    path = folder / name
    try:
        resolved = path.resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise ValueError(f"picture {name!r} is missing") from error
    if not any(resolved.is_relative_to(home) for home in homes):
        raise ValueError(f"picture {name!r} lies outside the release: it is a link to {resolved}")
    if not resolved.is_file():
        raise ValueError(f"picture {name!r} is no file")
    if (size := resolved.stat().st_size) > LARGEST:
        raise ValueError(f"picture {name!r} is a file of {size:,} bytes")
    return path


def problems(record: Record) -> list[str]:
    """All that makes a record unusable."""
    found = []
    for check in _CHECKS:
        try:
            check(record)
        except (ValueError, OSError) as error:
            found.append(str(error))
    return found


def contradictions(record: Record) -> Iterator[str]:
    """What is not as published in a record that can be asked all the same."""
    if _is_number(record.raw_answer):
        yield f"the answer is the number {record.raw_answer}, not a text"
    elif isinstance(record.raw_answer, str):
        yield from record.reference.oddities


def notices(record: Record) -> Iterator[str]:
    """What is odd, and makes no difference."""
    if not record.reference.rubric:
        yield "no scoring criteria"
    extra = record.fields.get("extra")
    said = [extra[name] for name in ("Subtask", "subtask") if name in extra] if isinstance(extra, Mapping) else []
    for name in said:
        if not isinstance(name, str) or _squash(name) != _squash(TASKS[record.task].title):
            yield f"extra calls the subtask {name!r}, the file {TASKS[record.task].title}"
    kind = TASKS[record.task].answer_type
    if record.reference.answer and not _is_read(kind, record.reference.answer):
        yield f"the answer is not read as {kind}: rules know its very words only, all else needs a judge"


def _is_read(kind: str, answer: str) -> bool:
    """Whether a reference has the form of its subtask; a text may have any."""
    try:
        kind_of(kind, answer)
    except ValueError:
        return False
    return True


def _prompt(record: Record) -> None:
    text = record.fields.get("prompt")
    if not isinstance(text, str):
        raise ValueError("prompt is missing" if text is None else f"prompt is {type(text).__name__}, not text")
    if not text.strip():
        raise ValueError("prompt is empty")
    _writable("prompt", text)
    named_images(text, len(record.names))


def _answer(record: Record) -> None:
    raw = record.raw_answer
    if not isinstance(raw, str) and not _is_number(raw):
        raise ValueError("answer is missing" if raw is None else f"answer is {type(raw).__name__}, not text")
    _writable("answer", str(raw))
    if not record.reference.answer:
        raise ValueError("answer is empty")


def _image_list(record: Record) -> None:
    if not record.names:
        raise ValueError("image_list is missing, empty or no list")


def _pictures(record: Record) -> None:
    wrong = []
    for name in record.names:
        try:
            if not is_picture(Picture(picture_path(record.folder, name).read_bytes())):
                wrong.append(f"picture {name!r} cannot be decoded")
        except ValueError as error:
            wrong.append(str(error))
    if wrong:
        raise ValueError("; ".join(wrong))


_CHECKS: tuple[Callable[[Record], object], ...] = (_prompt, _answer, _image_list, _pictures)


def _writable(name: str, text: str) -> None:
    """Half a surrogate pair, which JSON can spell, fits into no file."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{name} holds half of a character, {text[error.start]!a}") from error


def _is_number(value: Any) -> bool:
    """Neither NaN nor infinity, which Python's JSON spells, is one."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -math.inf < value < math.inf


def _squash(name: str) -> str:
    """ "Unblock_Me" and "unblock me" are one name, and so are "Maze06" and "Maze"."""
    return re.sub(r"[^a-z]+", "", name.lower())

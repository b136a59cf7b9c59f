"""lmms-eval's sample logs (`…_samples_<task>.jsonl`, written with --log_samples) read back into replies."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import DataError
from ...sample import Reply
from .. import replies_in
from .records import RECORD

PATTERN = "*_samples_*.jsonl"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a sample log."""

    sample_id: str
    replies: tuple[Reply, ...]
    """Turn by turn."""
    variant: str
    """Name of the variant, as in every command and result of ours."""
    view: str
    """What the model was shown: "images", "collage" or "listed"."""
    attempt: int
    versions: Mapping[str, str]
    """What the score in the log depended on."""
    verdict: Mapping[str, Any]
    """The record that our adapter wrote, see `frameworks.log_record`."""

    @property
    def reply(self) -> Reply:
        """The last one."""
        return self.replies[-1]


def read(log: Path) -> list[Row]:
    """All rows by id and attempt (several ranks write in turns). Raises DataError that names the line which is none of ours."""
    if not log.exists():
        raise DataError(f"{log}: no such file; lmms-eval writes it with --log_samples --output_path DIR")
    return sorted(_rows(log), key=lambda row: (row.sample_id, row.attempt))


def is_of_another_task(log: Path) -> bool:
    """Whether the first line is a row without our record; lmms-eval writes the logs of all tasks of a run into one folder."""
    with log.open("rb") as lines:
        try:
            row = json.loads(next(lines, b"null"))
        except (ValueError, RecursionError):  # damaged: `read` will say so
            return False
    return isinstance(row, dict) and RECORD not in row


def _rows(log: Path) -> Iterator[Row]:
    with log.open("rb") as lines:  # so that bytes which are no text are a fault of their line
        for number, line in enumerate(lines, 1):
            try:
                yield _row(json.loads(line)[RECORD])
            except (KeyError, TypeError, ValueError, RecursionError) as error:
                raise DataError(
                    f"{log}, line {number}: {error!r}; expected a sample log of one of cogsight's tasks"
                ) from error


_TYPES = {"id": str, "variant": str, "view": str, "attempt": int, "versions": dict}


def _row(record: Mapping[str, Any]) -> Row:
    """Raises KeyError, TypeError or ValueError for a record that is none of ours."""
    if wrong := [name for name, kind in _TYPES.items() if type(record[name]) is not kind]:
        raise TypeError(f"no {_TYPES[wrong[0]].__name__} as {wrong[0]}: {record[wrong[0]]!r:.80}")
    return Row(
        record["id"],
        replies_in(record),
        record["variant"],
        record["view"],
        record["attempt"],
        record["versions"],
        record,
    )

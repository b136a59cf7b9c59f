"""A small look-alike of the official SpatialViz-Bench release: same columns, folders and names, invented questions, plain pictures."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from cogsight.spatialviz.taxonomy import LEVELS, OFFICIAL_CATEGORIES, OFFICIAL_TASKS, TASKS

PARQUET = "test-00000-of-00001.parquet"
NUMBERS = ["8", "11", "10", "All three other options are incorrect"]
Row = dict[str, Any]
OWN_NAME = {task: label for label, task in OFFICIAL_TASKS.items()}
OWN_CATEGORY = {category: label for label, category in OFFICIAL_CATEGORIES.items()}


def rows(per_level: int | None = 1, tasks: Iterable[str] = tuple(LEVELS)) -> list[Row]:
    """So many questions of each level of the tasks; None: as many as the release has. The key takes turns."""
    return [
        _row(task, level, n)
        for task in tasks
        for level, size in enumerate(LEVELS[task])
        for n in range(per_level or size)
    ]


def release(folder: Path, per_level: int | None = 1) -> Path:
    """A folder as on the Hub: the table, and `images.zip`."""
    made = rows(per_level)
    write_table(folder / PARQUET, made)
    write_zip(folder / "images.zip", {name(row): picture(n) for n, row in enumerate(made)})
    return folder


def write_table(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.Table.from_pylist(list(rows)), path)
    return path


def write_zip(path: Path, pictures: Mapping[str, bytes]) -> Path:
    with ZipFile(path, "w") as archive:
        for member, data in pictures.items():
            archive.writestr(member, data)
    return path


def write_tsv(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """As EASI re-hosts it: no level, no explanation, the picture in a cell."""
    header = ["index", "image", "question", *"ABCD", "answer", "category", "task"]
    lines = [
        [
            str(n),
            base64.b64encode(picture(n)).decode(),
            row["Question"],
            *row["Choices"],
            row["Answer"],
            row["Category"],
            row["Task"],
        ]
        for n, row in enumerate(rows)
    ]
    path.write_text("\n".join("\t".join(line) for line in (header, *lines)) + "\n", encoding="utf-8")
    return path


def name(row: Mapping[str, Any]) -> str:
    """Where a row's picture lies."""
    return "{Category}/{Task}/{Level}/{Image_id}.png".format_map(row)


def picture(number: int) -> bytes:
    """A small one, another for each number."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.new("RGB", (12, 8), (number * 37 % 256, number * 91 % 256, number // 256)).save(buffer, "PNG")
    return buffer.getvalue()


def _row(task: str, level: int, n: int) -> Row:
    choices = NUMBERS if task == "cube_counting" else list("ABCD")
    key = "ABCD"[n % 4]
    why = {letter: f"Option {letter} is {'' if letter == key else 'in'}correct." for letter in "ABCD"}
    return {
        "Category": OWN_CATEGORY[TASKS[task].category],
        "Task": OWN_NAME[task],
        "Level": f"Level{level}",
        "Image_id": str(n),
        "Question": f"The {TASKS[task].title} question {n} of level {level}? Please answer from options A, B, C, or D.",
        "Choices": choices,
        "Answer": key,
        "Explanation": why | {"D": None},
    }

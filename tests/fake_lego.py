"""A small look-alike of the official `LEGO.tsv`: same columns and quoting, invented questions, plain pictures."""

from __future__ import annotations

import base64
import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path

from cogsight.lego_puzzles.taxonomy import TASKS

COLUMNS = ("index", "category", "question", "image_path", "answer", *"ABCDE", "question_type", "image")

SHOWN = {
    "height": 1,
    "adjacency": 1,
    "rotation": 2,
    "multiview": 1,
    "next_step": 2,
    "dependency": 2,
    "rotation_status": 3,
    "position": 3,
    "backwards": 2,
    "ordering": 2,
    "outlier": 0,
}
"""Task → pictures that the question names; options are pictures too, except in the tasks below."""

TEXT_OPTIONS = {
    "height": ("The red one", "The blue one", "None"),
    "adjacency": ("Adjacent", "NA"),
    "rotation": ("30", "60", "90", "120"),
    "rotation_status": ("Yes", "No"),
}


def rows(per_task: int = 1, tasks: Iterable[str] = tuple(TASKS)) -> list[dict[str, str]]:
    """Rows of `per_task` questions of each task; the key takes turns."""
    return [_row(1 + n * per_task + i, task, i) for n, task in enumerate(tasks) for i in range(per_task)]


def write(path: Path, rows: Iterable[Mapping[str, str]], columns: Iterable[str] = COLUMNS) -> Path:
    """Write them the way pandas does."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(columns), delimiter="\t", lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    return path


def release(folder: Path, per_task: int = 1) -> Path:
    """A `LEGO.tsv` in `folder`. Its hash is not the official one: read it with `allow_changed`."""
    return write(folder / "LEGO.tsv", rows(per_task))


def jpeg(number: int) -> bytes:
    """A small picture, another one for each number."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.new("RGB", (24, 16), (number * 37 % 256, number * 91 % 256, number // 256)).save(buffer, "JPEG")
    return buffer.getvalue()


def image_cell(pictures: Iterable[bytes]) -> str:
    """Pictures as the release holds them."""
    return repr([base64.b64encode(picture).decode() for picture in pictures])


def _row(index: int, name: str, turn: int) -> dict[str, str]:
    task, shown = TASKS[name], SHOWN[name]
    texts = TEXT_OPTIONS.get(name) or tuple(f"<image {shown + n}>" for n in range(1, task.options + 1))
    letters = "ABCDE"[: task.options]
    count = shown + (0 if name in TEXT_OPTIONS else task.options)
    named = ", ".join(f"<image {n}>" for n in range(1, shown + 1))
    turned = letters[turn % len(letters) :] + letters[: turn % len(letters)]
    return {
        "index": str(index),
        "category": name,
        "question": f'The "{task.title}" question {index} about {named or "the options"}?',
        "image_path": repr([f"{name}/{name}_{index}_{n}.png" for n in range(1, count + 1)]),
        "answer": turned if task.answer_type == "sequence" else turned[0],
        **dict.fromkeys("ABCDE", ""),
        **dict(zip(letters, texts, strict=True)),
        "question_type": "sort" if task.answer_type == "sequence" else "multiple-choice",
        "image": image_cell(jpeg(index * 16 + n) for n in range(count)),
    }

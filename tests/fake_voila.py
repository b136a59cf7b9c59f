"""A small look-alike of the official VOILA release: tables as published, made from our own questions, with plain pictures."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from cogsight.voila.images import file_name
from cogsight.voila.questions import Question, questions
from cogsight.voila.rules import Scene, apply, relations
from cogsight.voila.taxonomy import SUBSETS
from cogsight.voila.words import describe, describe_images, describe_target, format_relations

HEADER = (
    *("img1", "img2", "img3", "img4", "desc_img1", "desc_img2", "desc_img3", "desc_im4"),
    *("combined_description", "question", "rule", "Real_relations"),
)
"""Of the published VOILA-ND file."""


def some(num: int, subset: str = "wd") -> list[Question]:
    """The first questions of a seed, in the release's order: structure after structure."""
    found = questions(SUBSETS[subset], range(num), seed=7)
    return sorted(found, key=lambda question: question.structure.rule_id)


def rows(asked: Sequence[Question]) -> list[dict[str, str]]:
    """Rows of the published CSV file."""
    return [_row(question, number) for number, question in enumerate(asked, 1)]


def _row(question: Question, number: int) -> dict[str, str]:
    structure, _, scenes = question
    target = describe_target(apply(structure, scenes))
    return {
        **{f"img{n}": file_name(scene, 0) for n, scene in enumerate(scenes, 1)},
        **{f"desc_img{n}": describe(scene) for n, scene in enumerate(scenes, 1)},
        "img4": target,
        "desc_im4": target,
        "combined_description": describe_images(scenes),
        "question": f"image_questions_{number}.png",
        "rule": str(structure.rule_id),
        "Real_relations": format_relations(relations(scenes)) + " ",
    }


def png(scene: Scene, variation: int = 0) -> bytes:
    """A small picture, another one for each scene and variation."""
    from PIL import Image

    buffer = io.BytesIO()
    text = file_name(scene, variation)
    color = tuple(sha256(text.encode()).digest()[:3])
    Image.new("RGB", (8 + scene.number, 8), color).save(buffer, "PNG")
    return buffer.getvalue()


def write_sheet(path: Path, table: Iterable[Mapping[str, str]], header: Sequence[str] = HEADER) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, header, lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(table)
    return path


def write_pictures(folder: Path, scenes: Iterable[Scene], variations: int = 1) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for scene in set(scenes):
        for variation in range(variations):
            (folder / file_name(scene, variation)).write_bytes(png(scene, variation))
    return folder


def write_parquet(path: Path, asked: Sequence[Question], **changed: object) -> Path:
    """As the Hub has it; the names of its text columns are not known, so these are invented."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = rows(asked)
    columns: dict[str, object] = {
        f"image{n}": [{"bytes": png(question.scenes[n - 1]), "path": None} for question in asked] for n in (1, 2, 3)
    }
    texts = {"a": "desc_im4", "b": "combined_description", "c": "Real_relations"}
    columns |= {name: [row[column] for row in table] for name, column in texts.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns | changed), path, row_group_size=5)
    return path

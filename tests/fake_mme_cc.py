"""Generated questions in the layout of the official release: 12 JSON files and a folder of pictures for each.

What is written here is read like the release itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cogsight.mme_cc.generate import GENERATORS, VERSIONS
from cogsight.mme_cc.official import FILES
from cogsight.mme_cc.prompts import RUBRICS
from cogsight.mme_cc.taxonomy import TASKS
from cogsight.shared.build import generate_samples
from cogsight.shared.sample import Sample

ANSWER = "## The correct answer is:\n{answer}\n\n## Scoring criteria:\n{rubric}"
"""As in the release."""


def write_release(folder: Path, *, seed: int = 0, per_subtask: int = 2) -> Path:
    """Write it into `folder`, which may be there, and return that. Of Maze, each of the two files gets so many questions."""
    folder = Path(folder)
    for stem, (task, level) in FILES.items():
        records = [_record(sample, stem, folder) for sample in _samples(task, level, seed, per_subtask)]
        text = json.dumps(records, ensure_ascii=False, indent=2)
        (folder / f"{stem}.json").write_text(text, encoding="utf-8")
    return folder


def _samples(task: str, level: str, seed: int, count: int) -> Iterator[Sample]:
    generator = GENERATORS[task]
    levels = len(generator.levels) if level in generator.levels else 1
    made = generate_samples([generator], benchmark="mme_cc", versions=VERSIONS, seed=seed, num_samples=levels * count)
    return (sample for sample in made if levels == 1 or sample.level == level)


def _record(sample: Sample, stem: str, folder: Path) -> dict[str, Any]:
    """A record as released; its pictures are written on the way."""
    names = []
    for number, picture in enumerate(sample.images, 1):
        name = f"{stem}/{sample.level}_{sample.id.rpartition('/')[2]}_{number}{picture.suffix}"
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(picture.data)
        names.append(name)
    return {
        "prompt": sample.question,
        "image_list": names,
        "ground_truth": {"answer": ANSWER.format(answer=sample.answer, rubric=RUBRICS[sample.task])},
        "extra": {"Subtask": TASKS[sample.task].title},
    }

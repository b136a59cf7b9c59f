"""Next-k-Step and the generation tasks: asked in the paper, their questions never published as files. Whoever has them names a local one.

Both are tables like `LEGO.tsv` (tab-separated, `image_path` and `image` as Python lists of strings, pictures in base64).

- `next_k_step.tsv`: the columns of LEGO.tsv, options A to D. `category` is `next_k_step_3`, or `next_k_step` with the number in a column `k`.
- `generation.tsv`: the columns index, category, question, image_path, image. `category` is `rotation*`, `multiview*`, `position*`,
  `dependency*` or `next_step*`, as the paper writes the tasks. There is no key: nobody has the true pictures.

As with the release, no word and no pixel is changed. What is known to be misspelt in the published prompts is named (`KNOWN_BAD`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from cogsight.shared.benchmark import Task
from cogsight.shared.fetch import Unpublished
from cogsight.shared.files import digest
from cogsight.shared.release_rows import Findings
from cogsight.shared.sample import Sample

from .official import COLUMNS, Layout, lettered, samples_in, squash
from .official_cells import Row
from .taxonomy import APART, GENERATION, MISSPELT, NEXT_K_STEP

RELEASES = {
    subset: Unpublished(
        f"lego_puzzles_{subset}", f"{subset}.tsv", f"run the generated questions: lego_puzzles_{subset}_procedural"
    )
    for subset in (NEXT_K_STEP, "generation")
}
"""Subset → where its file is named."""

KNOWN_BAD = {
    "position*": "its second placeholder is written <iamge2>: the question keeps it, and the model gets the second picture there"
}
"""Published label → what is wrong with its question; `taxonomy.MISSPELT` says what is meant."""

LABEL = re.compile(r"nextkstep([1-9][0-9]?)?")
STARRED = {squash(task.title): task for task in GENERATION.values()}
"""`rotation*` → its task."""


def read_apart(path: Path, subset: str, *, allow_changed: bool = False) -> Iterator[Sample]:
    """The samples of a local file of a subset, in its order; raises as `read_release` does. There is no published hash to hold it against."""
    findings = Findings(path, "mend the rows: lego_puzzles/official_apart.py says how the file must look")
    yield from samples_in(path, digest(path, "md5"), findings, LAYOUTS[subset])
    findings.settle(allow_changed)


def _next_k_step(row: Row) -> Task:
    if not LABEL.fullmatch(squash(row["category"])):
        raise ValueError(f"label {row['category']!r}: expected next_k_step_3, or next_k_step and a column k")
    return APART[NEXT_K_STEP]


def _k(row: Row) -> str:
    """By the label, or by the column; where both tell, they must agree."""
    label = LABEL.fullmatch(squash(row["category"]))
    told = {text for text in (label[1] if label else None, row.get("k", "").strip()) if text}
    if len(told) != 1 or not re.fullmatch(r"[1-9][0-9]?", min(told)):
        raise ValueError(
            f"label {row['category']!r}, column k {row.get('k', '')!r}: expected one number of steps, from 1 to 99"
        )
    return told.pop()


def _starred(row: Row) -> Task:
    if squash(row["category"]) not in STARRED:
        known = ", ".join(task.title for task in GENERATION.values())
        raise ValueError(f"unknown label {row['category']!r}; known are {known}")
    return STARRED[squash(row["category"])]


LAYOUTS = {
    NEXT_K_STEP: Layout(
        columns=COLUMNS,
        task=_next_k_step,
        answer=lettered(_next_k_step),
        level=_k,
        may_have=("k",),
        kept=("category", "question_type"),
    ),
    "generation": Layout(
        columns=("index", "category", "question", "image_path", "image"),
        task=_starred,
        answer=lambda row: "",
        misspelt=MISSPELT,
    ),
}

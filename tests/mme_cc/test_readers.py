"""Replies to MME-CC's questions, labelled by hand by what they mean, read by rules alone; and properties that hold for any reply."""

from __future__ import annotations

import csv
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
from golden import FOLDER

from cogsight.mme_cc import scoring
from cogsight.mme_cc.benchmark import VARIANTS
from cogsight.mme_cc.taxonomy import TASKS
from cogsight.shared.sample import Finish, Reply, Sample, Score

FULL = VARIANTS[0]


class Labelled(NamedTuple):
    """A reply, and what a scorer without a judge must say of it."""

    subtask: str
    reference: str
    reason: str
    reply: str


def labelled(path: Path) -> list[Labelled]:
    with path.open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file, delimiter="\t")
    return [Labelled(*row) for row in rows]


ROWS = [row for path in sorted(FOLDER.glob("mme_cc_replies*.tsv")) for row in labelled(path)]


def sample(task: str, reference: str) -> Sample:
    kind = TASKS[task]
    return Sample(
        f"mme_cc/official/{task}/all/1", task, kind.category, "all", (), "?", {}, reference, kind.answer_type
    )


def score(task: str, reference: str, reply: Reply | str) -> Score:
    return scoring.score(sample(task, reference), FULL, [Reply(reply) if isinstance(reply, str) else reply])


def test_there_are_enough_of_each_subtask() -> None:
    counts = Counter(row.subtask for row in ROWS)
    assert set(counts) == set(TASKS)
    assert min(counts.values()) >= 15
    assert len(set(ROWS)) == len(ROWS) >= 240


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.subtask}-{row.reason}-{row.reply[:24]}")
def test_replies_read_as_labelled(row: Labelled) -> None:
    found = score(row.subtask, row.reference, row.reply)
    assert found.reason == row.reason, found
    assert found.points == {"right": 1.0, "not_judged": None}.get(row.reason, 0.0)

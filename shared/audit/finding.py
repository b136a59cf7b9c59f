"""What a check says: one finding for each task, and what checks are given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from ..build import Generator
from .measure import Item

WORST = 5
"""Samples that a finding names at most."""


class Verdict(str, Enum):
    """How it stands."""

    OK = "ok"
    FAILS = "fails"
    INHERENT = "inherent"
    """It would fail, but the benchmark declares that the task is so by nature, and why."""
    TOO_FEW = "too few"
    """There are not enough questions to say anything."""
    NONE = "does not apply"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the table."""

    check: str
    task: str
    verdict: Verdict
    measured: str
    """What was found; where the check does not apply, why."""
    limit: str = ""
    """What would be well."""
    worst: tuple[str, ...] = ()
    """Ids of the samples that show it best, each with what is wrong with it after a colon; at most `WORST`."""
    mend: str = ""
    """What to do about it; "" where nothing is to be done."""

    @property
    def ok(self) -> bool:
        """Whether nothing has to be mended."""
        return self.verdict is not Verdict.FAILS


@dataclass(frozen=True, slots=True)
class Audited:
    """A data set as the checks see it."""

    items: Sequence[Item]
    procedural: bool = False
    generators: Mapping[str, Generator[Any, Any]] = field(default_factory=dict)
    """Task → its generator, for generated questions whose metadata hold their state."""
    inherent: Mapping[str, str] = field(default_factory=dict)
    """`Benchmark.inherent_shortcuts`."""
    redraw: int = 3
    """Questions of each task whose pictures are drawn again."""
    num_proc: int = 1

    def tasks(self) -> dict[str, list[Item]]:
        """Task → its questions, both in the data's order."""
        found: dict[str, list[Item]] = {}
        for item in self.items:
            found.setdefault(item.sample.task, []).append(item)
        return found


@dataclass(frozen=True, slots=True)
class Check:
    """A row of the table `CHECKS`."""

    name: str
    run: Callable[[Audited], Iterable[Finding]]
    """Pure: one finding for each task."""


def faults(check: str, task: str, found: Mapping[str, str], n: int, what: str, limit: str, mend: str) -> Finding:
    """The finding of a check that looks at each sample by itself: `found` has the id of each bad one, and why it is bad."""
    worst = tuple(f"{sample}: {why}" for sample, why in list(found.items())[:WORST])
    verdict = Verdict.FAILS if found else Verdict.OK
    return Finding(check, task, verdict, f"{len(found)} of {n} {what}", limit, worst, mend if found else "")

"""How fast a benchmark makes its questions and what memory that takes: shared by the benches of the generated sets.

Rates of one core are CPU time. Those of two workers are wall time, which other programs on the machine lower; the CPU seconds of the
whole set, workers included, say even on a busy machine what is lost by sharing the work.
"""

from __future__ import annotations

import gc
import resource
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cogsight.shared.build import Generator, generate_samples
from cogsight.shared.sample import Sample

WARM = 6
"""The first samples of a task are not timed: kernels are loaded, by each worker, and shared tables are made."""

GROWTH = 32
"""MiB that a stream of samples may take over what it took after the first tenth."""


@dataclass(frozen=True)
class Measured:
    """A generated set, and how much of it is measured."""

    benchmark: str
    generators: Mapping[str, Generator[Any, Any]]
    versions: Mapping[str, str]
    limit: Callable[[str], float]
    """Task → samples a second and core, at least."""
    per_task: int
    """More than WARM; less these, best a multiple of the number of levels, which take turns."""
    streamed: tuple[str, int]
    """A quick task, and how many samples of it show whether memory grows."""


@dataclass
class Run:
    """The whole set, made once."""

    cpu: dict[str, list[float]] = field(default_factory=dict)
    """Task → CPU seconds of this process at which its samples came."""
    wall: dict[str, list[float]] = field(default_factory=dict)
    """Likewise, of the clock."""
    kilobytes: dict[str, float] = field(default_factory=dict)
    """Task → of the pictures of all its samples."""
    wall_seconds: float = 0.0
    """From the call to the end of the last worker."""
    cpu_seconds: float = 0.0
    """Of all processes."""

    @property
    def rate(self) -> float:
        """Samples per second of the clock, the start of the workers included."""
        return sum(map(len, self.wall.values())) / self.wall_seconds


def report(measured: Measured) -> None:
    """Prints memory, each task, and the whole set."""
    memory(measured)  # first: what is asked for is this process's peak, and other tasks would raise it
    alone, shared = (run(measured, workers) for workers in (1, 2))
    print(f"{'samples a second':24}{'one core':>10}{'2 workers':>11}{'limit':>7}{'KB each':>9}")
    for task in measured.generators:
        found, limit = rate(alone.cpu[task]), measured.limit(task)
        print(
            f"{task:24}{found:10.1f}{rate(shared.wall[task]):11.1f}{limit:7.1f}"
            f"{alone.kilobytes[task] / measured.per_task:9.0f}{'' if found >= limit else '  TOO SLOW'}"
        )
    for name, made in (("all, --num-proc 1", alone), ("all, --num-proc 2", shared)):
        print(
            f"{name:24}{made.rate:10.1f} a second of wall time, start included; {made.wall_seconds:.0f} s, CPU {made.cpu_seconds:.0f} s"
        )


def samples(measured: Measured, tasks: Sequence[str], each: int, workers: int = 1) -> Iterator[Sample]:
    """As they come; the caller keeps none."""
    chosen = [measured.generators[task] for task in tasks]
    return generate_samples(
        chosen,
        benchmark=measured.benchmark,
        versions=measured.versions,
        seed=1,
        num_samples=each,
        num_proc=workers,
    )


def run(measured: Measured, workers: int) -> Run:
    """All tasks, one after the other."""
    made, start, busy = Run(), time.perf_counter(), _cpu_seconds()
    for sample in samples(measured, tuple(measured.generators), measured.per_task, workers):
        made.cpu.setdefault(sample.task, []).append(time.process_time())
        made.wall.setdefault(sample.task, []).append(time.perf_counter())
        size = sum(len(picture.data) for picture in sample.images) / 1024
        made.kilobytes[sample.task] = made.kilobytes.get(sample.task, 0.0) + size
    made.wall_seconds, made.cpu_seconds = time.perf_counter() - start, _cpu_seconds() - busy
    return made


def rate(came: Sequence[float]) -> float:
    """Samples a second, of those after the first WARM."""
    return (len(came) - WARM) / (came[-1] - came[WARM - 1])


def memory(measured: Measured) -> None:
    """Peak of this process while samples stream by; what is kept of each is a hash, to find duplicates."""
    task, number = measured.streamed
    peaks = []
    for index, _ in enumerate(samples(measured, (task,), number), 1):
        if index in (number // 10, number):
            gc.collect()
            peaks.append(_peak())
    early, late = peaks
    print(
        f"memory, {task}: {early:.0f} MiB after {number // 10} samples, {late:.0f} MiB after {number}; "
        f"limit {GROWTH} MiB more{'' if late - early <= GROWTH else '  GROWS'}"
    )


def _peak() -> float:
    """MiB of memory that this process has held at most so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1 << 20)


def _cpu_seconds() -> float:
    """Of this process and of its workers that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)

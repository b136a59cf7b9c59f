"""Samples of SpatialViz-Bench per second: every generated task on one core, all of them with one and with two workers, and memory.

Limits: 20 samples a second and core for tasks drawn flat, 4 for those in three dimensions; memory that does not grow with the number
of samples: a stream of STREAMED may take no more than GROWTH over what it took after the first tenth.
Rates of one core are CPU time; those of workers are wall time, which other programs on the machine lower.
"""

from __future__ import annotations

import gc
import resource
import time

from cogsight.shared.build import generate_samples
from cogsight.spatialviz.generate import GENERATORS, VERSIONS

PER_TASK, STREAMED, GROWTH = 48, 3000, 32
"""Samples, samples, MiB."""

FLAT = ("rotation_2d", "paper_folding", "arrow_moving", "block_moving")
FLAT_RATE, SOLID_RATE = 20, 4


def count(tasks: tuple[str, ...], each: int, workers: int = 1) -> int:
    """Generate, and keep nothing."""
    chosen = [GENERATORS[task] for task in tasks]
    made = generate_samples(
        chosen, benchmark="spatialviz", versions=VERSIONS, seed=1, num_samples=each, num_proc=workers
    )
    return sum(1 for _ in made)


def one_core() -> None:
    """CPU seconds of each task, once everything it compiles is compiled."""
    for task in GENERATORS:
        count((task,), 2)
        start = time.process_time()
        rate = count((task,), PER_TASK) / (time.process_time() - start)
        limit = FLAT_RATE if task in FLAT else SOLID_RATE
        print(f"{task:24} {rate:7.1f} samples/s on one core, limit {limit} {'ok' if rate >= limit else 'TOO SLOW'}")


def workers() -> None:
    """Wall seconds of the whole set, with the start of the workers."""
    for number in (1, 2):
        start = time.perf_counter()
        made = count(tuple(GENERATORS), PER_TASK, number)
        print(f"all tasks, --num-proc {number}: {made / (time.perf_counter() - start):6.1f} samples/s")


def memory() -> None:
    """Peak of this process while samples stream by; what is kept of each is a hash, to find duplicates."""
    made = generate_samples(
        [GENERATORS["arrow_moving"]], benchmark="spatialviz", versions=VERSIONS, seed=1, num_samples=STREAMED
    )
    peaks = []
    for index, _ in enumerate(made, 1):
        if index in (STREAMED // 10, STREAMED):
            gc.collect()
            peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    early, late = peaks
    print(
        f"memory: {early:.0f} MiB after {STREAMED // 10}, {late:.0f} MiB after {STREAMED} samples, "
        f"limit {GROWTH} MiB more {'ok' if late - early <= GROWTH else 'GROWS'}"
    )


if __name__ == "__main__":
    one_core()
    workers()
    memory()

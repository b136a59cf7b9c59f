"""Samples of LEGO-Puzzles per second: every generated task on one core and with two workers, the whole set, and memory.

Limit: 300 samples (100 of each of three tasks) in 90 s on two cores, which is 600 ms a sample; a second for Multiview, which draws five
photos; memory that does not grow with the number of samples.
"""

from __future__ import annotations

from generation import Measured, report

from cogsight.lego_puzzles.generate import GENERATORS, VERSIONS

SLOWEST = 1 / 0.6
"""Samples a second and core."""
PHOTOS = 1.0
"""The same of a task that draws several photos."""


if __name__ == "__main__":
    report(
        Measured(
            "lego_puzzles",
            GENERATORS,
            VERSIONS,
            limit=lambda task: PHOTOS if task == "multiview" else SLOWEST,
            per_task=18,
            streamed=("rotation_status", 300),
        )
    )

"""Samples of SpatialViz-Bench per second: every generated task on one core and with two workers, the whole set, and memory.

Limits: 20 samples a second and core for tasks drawn flat, 4 for those in three dimensions; memory that does not grow with the number
of samples.
"""

from __future__ import annotations

from generation import Measured, report

from cogsight.spatialviz.generate import GENERATORS, VERSIONS

FLAT = ("rotation_2d", "paper_folding", "arrow_moving", "block_moving")
FLAT_RATE, SOLID_RATE = 20, 4


if __name__ == "__main__":
    report(
        Measured(
            "spatialviz",
            GENERATORS,
            VERSIONS,
            limit=lambda task: FLAT_RATE if task in FLAT else SOLID_RATE,
            per_task=48,
            streamed=("arrow_moving", 3000),
        )
    )

"""What a picture of 60 bricks costs at 512 pixels, and what one sample of each task costs, in CPU time on one core.

Limits: 40 ms a picture; 300 samples (100 of each task) in 90 s on two cores, which is 600 ms a sample.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

from cogsight.lego_puzzles.generate import GENERATORS
from cogsight.shared.build import generate_samples
from cogsight.shared.render.painter import Box, fit, paint, survey
from cogsight.shared.render.palette import PALETTE

BRICKS, SIZE, SAMPLES = 60, 512, 12


def scene() -> list[Box]:
    """60 bricks and plates of 2x4 studs, stacked up to 18 plates high on a field of 16 x 12 studs."""
    rng, boxes, tops = Random(7), list[Box](), dict[tuple[int, int], int]()
    while len(boxes) < BRICKS:
        w, d = rng.choice([(4, 2), (2, 4)])
        x, y = rng.randrange(17 - w), rng.randrange(13 - d)
        columns = [(i, j) for i in range(x, x + w) for j in range(y, y + d)]
        z = max(tops.get(column, 0) for column in columns)
        if z <= 15:
            boxes.append(Box(x, y, z, w, d, rng.choice([1, 3, 3]), rng.choice(list(PALETTE))))
            tops |= dict.fromkeys(columns, boxes[-1].z + boxes[-1].h)
    return boxes


def best_ms(run: Callable[[], object], times: int = 7) -> float:
    """Fastest of several runs, CPU milliseconds."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        run()
        taken.append(time.process_time() - start)
    return 1e3 * min(taken)


def main() -> None:
    boxes = scene()
    frame = fit([boxes], size=SIZE)
    print(f"paint, {BRICKS} bricks, {SIZE} px: {best_ms(lambda: paint(boxes, frame=frame)):.1f} ms (limit 40)")
    print(f"survey of the same:      {best_ms(lambda: survey(boxes, frame=frame)):.1f} ms")
    for generator in GENERATORS.values():
        start = time.process_time()
        made = list(generate_samples([generator], benchmark="bench", versions={}, seed=0, num_samples=SAMPLES))
        each = 1e3 * (time.process_time() - start) / len(made)
        size = sum(len(picture.data) for sample in made for picture in sample.images) / len(made) / 1024
        print(f"{generator.name:10} {each:4.0f} ms and {size:4.0f} KB a sample (limit 600 ms)")


if __name__ == "__main__":
    main()

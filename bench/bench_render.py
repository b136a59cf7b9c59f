"""What a picture of 60 bricks costs at 512 pixels, in CPU time on one core.

Limits: 100 ms for our own bricks; 600 ms a real model, in either style. Real models are those named on the command line:
`python bench/bench_render.py car.mpd …`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from brick_models import Box
from ldraw_models import drawable
from mesh_scenes import brick_mesh

from cogsight.lego_puzzles.generate.ldraw import load
from cogsight.shared.render.camera import Camera, fit
from cogsight.shared.render.draw import INSTRUCTION, PHOTO, draw
from cogsight.shared.render.mesh import Mesh
from cogsight.shared.render.palette import PALETTE

BRICKS, SIZE = 60, 512


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


def measure_mesh(name: str, build: Callable[[], Mesh], limit: int) -> None:
    mesh, camera = build(), Camera(35, 28)
    frame = fit(mesh.points(), cameras=[camera], size=SIZE, margin=20)
    times = [
        best_ms(lambda style=style: draw(mesh, camera=camera, frame=frame, style=style))  # type: ignore[misc]
        for style in (INSTRUCTION, PHOTO)
    ]
    print(
        f"{name:24} {len(mesh.triangles):6,} triangles: built {best_ms(build):3.0f} ms,"
        f" instruction {times[0]:3.0f} ms (limit {limit}), photo {times[1]:3.0f} ms (limit 600)"
    )


FIRST = """
import time
start = time.process_time()
from cogsight.shared.render.camera import Camera, Frame
from cogsight.shared.render.draw import PHOTO, draw
from cogsight.shared.render.solids import box
draw(box(1, 1, 1), camera=Camera(30, 30), frame=Frame(64, 20, (0, 0, 0)), style=PHOTO)
print(f"{time.process_time() - start:.1f} s")
"""


def measure_first() -> None:
    """The first picture of a machine, which compiles, and of a process."""
    with tempfile.TemporaryDirectory() as empty:
        for name in ("compiled", "kept from an earlier process"):
            ran = subprocess.run(
                [sys.executable, "-c", FIRST],
                env={**os.environ, "NUMBA_CACHE_DIR": empty},
                check=True,
                capture_output=True,
                text=True,
            )
            print(f"first picture of a mesh, kernels {name}: {ran.stdout.strip()}")


def main() -> None:
    measure_first()
    measure_mesh(f"mesh, {BRICKS} bricks", lambda: brick_mesh(scene()), 100)
    for path in map(Path, sys.argv[1:]):
        model = load(path)
        measure_mesh(path.name[:24], lambda model=model: drawable(model.scene(model.complete)), 600)  # type: ignore[misc]


if __name__ == "__main__":
    main()

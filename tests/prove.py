"""Proves freshly drawn questions by a second method, as many as one likes: `python tests/prove.py spatialviz --tasks arrow_moving --count 5000`.

Each question is drawn, its key proved by the task's own `solve`, and then by the method in `second_methods.py`. Where that one is the more
lenient of the two, it may allow another answer beside the key: such questions are counted apart and named. What it must never do is turn
the key down. The tests do the same with a dozen of each level; this is for thousands.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from importlib import import_module

from second_methods import NOTHING, REFUSED, SECOND, Draw, prove

from cogsight.shared.workers import in_order


def draws(benchmark: str, task: str, levels: tuple[str, ...], seed: int, first: int) -> Iterator[Draw]:
    """Without end, the levels taking turns."""
    number = first
    while True:
        yield from (Draw(benchmark, task, level, seed, number) for level in levels)
        number += 1


def main() -> int:
    """Exit code 1 when a key was refused."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("benchmark", choices=list(SECOND))
    parser.add_argument("--tasks", nargs="*", default=[])
    parser.add_argument("--levels", nargs="*", default=[])
    parser.add_argument("--count", type=int, default=100, help="questions of each task, over all its levels")
    parser.add_argument("--first", type=int, default=0, help="number of the first draw of each level")
    parser.add_argument("--seed", type=int, default=99)
    parser.add_argument("--num-proc", type=int, default=1)
    asked = parser.parse_args()
    generators = import_module(f"cogsight.{asked.benchmark}.generate").GENERATORS
    total: Counter[str] = Counter()
    for task in asked.tasks or SECOND[asked.benchmark]:
        levels = tuple(asked.levels or generators[task].levels)
        found: Counter[str] = Counter()
        drawn = draws(asked.benchmark, task, levels, asked.seed, asked.first)
        for draw, outcome, state in in_order(prove, drawn, asked.num_proc):
            found[outcome] += 1
            last = draw.number
            if state:
                print(f"{outcome}: {draw} {state}", flush=True)
            if (made := found.total() - found[NOTHING]) and made % 100 == 0 and outcome != NOTHING:
                print(f"{task}: {dict(found)}, up to draw {last}", flush=True)
            if made == asked.count:
                break
        print(f"{task} levels {' '.join(levels)}: {dict(found)}, draws {asked.first} to {last}", flush=True)
        total += found
    print(dict(total))
    return 1 if total[REFUSED] else 0


if __name__ == "__main__":
    sys.exit(main())

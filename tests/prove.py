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
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from cogsight.shared.build import is_proved, look_alike
from cogsight.shared.rng import stream
from cogsight.shared.workers import in_order

NOTHING, ASKED, LENIENT, REFUSED = "no question", "agree", "second method allows more", "SECOND METHOD REFUSES THE KEY"


@dataclass(frozen=True, slots=True)
class Draw:
    """One question to draw."""

    benchmark: str
    task: str
    level: str
    seed: int
    number: int


def prove(draw: Draw) -> tuple[Draw, str, str]:
    """The draw, what came of it, and the state where the methods differ. Raises UnprovedKey when the task's own solver turns the key down."""
    sys.path.insert(0, str(Path(__file__).parent))  # in a worker
    second = import_module("second_methods").SECOND[draw.benchmark][draw.task]
    generator = import_module(f"cogsight.{draw.benchmark}.generate").GENERATORS[draw.task]
    rng = stream(draw.seed, draw.task, draw.level, draw.number, "proof")
    puzzle = generator.generate(rng, generator.levels[draw.level], draw.number % generator.slots)
    if puzzle is None or not is_proved(generator, puzzle.state, puzzle.key):
        return draw, NOTHING, ""
    fits = set(second(puzzle.state))
    if fits == {puzzle.key}:
        return draw, ASKED, ""
    if look_alike(generator.draw(puzzle.state)):  # as `build.make`, which looks at every question's pictures
        return draw, NOTHING, ""
    return draw, LENIENT if puzzle.key in fits else REFUSED, f"{puzzle.key} {sorted(fits)} {puzzle.state}"


def draws(benchmark: str, task: str, levels: tuple[str, ...], seed: int, first: int) -> Iterator[Draw]:
    """Without end, the levels taking turns."""
    number = first
    while True:
        yield from (Draw(benchmark, task, level, seed, number) for level in levels)
        number += 1


def main() -> int:
    """Exit code 1 when a key was refused."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("benchmark", choices=("lego_puzzles", "spatialviz"))
    parser.add_argument("--tasks", nargs="*", default=[])
    parser.add_argument("--levels", nargs="*", default=[])
    parser.add_argument("--count", type=int, default=100, help="questions of each task, over all its levels")
    parser.add_argument("--first", type=int, default=0, help="number of the first draw of each level")
    parser.add_argument("--seed", type=int, default=99)
    parser.add_argument("--num-proc", type=int, default=1)
    asked = parser.parse_args()
    generators = import_module(f"cogsight.{asked.benchmark}.generate").GENERATORS
    second = import_module("second_methods").SECOND[asked.benchmark]
    total: Counter[str] = Counter()
    for task in asked.tasks or second:
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

"""VOILA questions a second, as rows of a CSV file, beside the algorithm of the public `create_dataset.py` (Voila repository, cac16d1).

The public script draws a pattern for each property with one random index each, again where the triple came before, and looks for each
of the three pictures by listing the whole folder. It is written down here anew, with its way of working and nothing slower; "indexed"
is the same with the folder listed once. Both read a folder of 728 (empty) files with the official names. Ours writes the same columns.
Also: that time and memory do not grow with the number of questions.

    python bench/bench_voila.py
"""

from __future__ import annotations

import csv
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path

from cogsight.voila.images import ALL_SCENES, file_name
from cogsight.voila.questions import questions
from cogsight.voila.rules import apply, flags, number_patterns, relations
from cogsight.voila.taxonomy import ACTIONS, NUMBERS, PER_STRUCTURE, STRUCTURES, SUBJECTS, SUBSETS, Rule, Structure
from cogsight.voila.words import NUMBER_WORDS, describe, describe_images, describe_target, format_relations

Row = list[object]
Find = Callable[[str], str]
TARGET = 40_000
"""Questions a second."""
ROUNDS = 5
MANY = 500_000
PLURALS = list(SUBJECTS.values())
SINGULARS = list(SUBJECTS)


# --- the public algorithm


def by_listing(folder: str) -> Find:
    def find(prefix: str) -> str:
        found = [name for name in os.listdir(folder) if name.lower().startswith(prefix)]
        return found[0]

    return find


def by_index(folder: str) -> Find:
    names = {name.rpartition("_")[0] + "_": name for name in os.listdir(folder)}
    return names.__getitem__


def all_patterns(values: list[str], rule: Rule) -> list[tuple[str, ...]]:
    """With the fourth image, as there."""
    if rule is Rule.STABLE:
        return [(x, x, y, y) for x, y in permutations(values, 2)]
    if rule is Rule.CHANGE:
        return [(x, y, x, y) for x, y in permutations(values, 2)]
    return [(x, y, z, free) for x, y, z in permutations(values, 3) for free in values]


def all_numbers(structure: Structure) -> list[tuple[str, ...]]:
    """With the fourth image; under Distraction the number that is left over."""
    found = []
    for one, two, three in number_patterns(structure):
        fourth = three + two - one
        left = (
            next(n for n in NUMBERS if n not in (one, two, three)) if structure.number is Rule.DISTRACTION else fourth
        )
        found.append(tuple(NUMBER_WORDS[n] for n in (one, two, three, left)))
    return found


def select(numbers: list, subjects: list, actions: list, count: int) -> list[tuple]:  # type: ignore[type-arg]
    for items in (numbers, subjects, actions):
        random.shuffle(items)
    taken, found = set(), []
    while len(found) < count:
        triple = tuple(items[random.randrange(len(items))] for items in (numbers, subjects, actions))
        if triple not in taken:
            taken.add(triple)
            found.append(triple)
    return found


def public(structures: tuple[Structure, ...], per_structure: int, find: Find) -> Iterator[Row]:
    number = 0
    for structure in structures:
        subjects, actions = all_patterns(PLURALS, structure.subject), all_patterns(list(ACTIONS), structure.action)
        for n, plurals, a in select(all_numbers(structure), subjects, actions, per_structure):
            s = [
                SINGULARS[PLURALS.index(word)] if count == "one" else word
                for word, count in zip(plurals, n, strict=True)
            ]
            files = [find(f"{n[i]}_{s[i]}_{a[i]}_") for i in range(3)]
            texts = [f"{n[i]} {s[i]} {a[i]}" for i in range(3)]
            free = [rule is Rule.DISTRACTION for rule in structure.rules.values()]
            target = " ".join("any" if any_ else word for any_, word in zip(free, (n[3], s[3], a[3]), strict=True))
            together = f"Image 1: {texts[0]}. Image 2: {texts[1]}. Image 3: {texts[2]}"
            told = " ".join(
                f"{name} remains constant {one}." if rule is Rule.STABLE else f"{name} is changed from {one} to {two}."
                for name, rule, (one, two, *_) in (
                    ("Number", structure.number, n),
                    ("Action", structure.action, a),
                    ("Subject type", structure.subject, s),
                )
            )
            number += 1
            yield [*files, target, *texts, target, together, number, structure.rule_id, told]


# --- ours


def ours(structures: tuple[Structure, ...], per_structure: int) -> Iterator[Row]:
    names = {scene: file_name(scene, 0) for scene in ALL_SCENES}
    for number, (structure, _, scenes) in enumerate(
        questions(structures, range(per_structure * len(structures)), seed=0)
    ):
        target = describe_target(apply(structure, scenes))
        files, texts = (names[scene] for scene in scenes), map(describe, scenes)
        together, told = describe_images(scenes), format_relations(relations(scenes))
        yield [*files, target, *texts, target, together, number, structure.rule_id, told]


def seconds(make: Callable[[], Iterator[Row]], folder: str, rounds: int = ROUNDS) -> float:
    """The median's, writing included."""
    found = []
    for _ in range(rounds):
        start = time.perf_counter()
        with open(Path(folder).parent / "rows.csv", "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(make())
        found.append(time.perf_counter() - start)
    return sorted(found)[len(found) // 2]


def peak_megabytes(num: int) -> float:
    """Of a process that makes so many questions and keeps none."""
    code = f"import bench_voila; print(bench_voila.run_through({num}))"
    folder = Path(__file__).parent
    return float(subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, check=True).stdout)


def run_through(num: int) -> float:
    for _ in ours(STRUCTURES, num // len(STRUCTURES)):
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top) / "Test_Images"
        folder.mkdir()
        for scene in ALL_SCENES:
            (folder / file_name(scene, 13)).touch()
        path = str(folder)
        print(f"{'questions a second':24}{'public':>10}{'indexed':>10}{'cogsight':>10}{'target':>10}")
        for subset, structures in SUBSETS.items():
            count = PER_STRUCTURE * len(structures)
            timed = (
                seconds(lambda: public(structures, PER_STRUCTURE, by_listing(path)), path, rounds=1),  # noqa: B023
                seconds(lambda: public(structures, PER_STRUCTURE, by_index(path)), path),  # noqa: B023
                seconds(lambda: ours(structures, PER_STRUCTURE), path),  # noqa: B023
            )
            rates = "".join(f"{count / found:10,.0f}" for found in timed)
            print(f"VOILA-{subset.upper()}, {count:,}{'':8}".ljust(24) + rates + f"{TARGET:10,}")
        many = seconds(lambda: ours(STRUCTURES, MANY // 19), path, rounds=1)
        print(f"{f'VOILA-WD, {MANY:,}':24}{'':20}{MANY / many:10,.0f}{TARGET:10,}")
    print(
        f"\npeak memory, MB: {peak_megabytes(10_013):.0f} for 10,013 questions, {peak_megabytes(MANY):.0f} for {MANY:,}"
    )
    marked = sum(flags(question.scenes).ratio_differs for question in questions(STRUCTURES, range(10_013), seed=0))
    print(f"questions whose number depends on how the prompt's 'rate' is read: {marked:,} of 10,013")


if __name__ == "__main__":
    main()

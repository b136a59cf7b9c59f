"""Labelled replies to VOILA that its readers take in, a second and step: the target is 5,000 on one core.

Time is the processor's, so that other work on the machine does not count.

    python bench/bench_voila_replies.py
"""

from __future__ import annotations

import csv
import time
from collections.abc import Callable
from pathlib import Path

from cogsight.shared.sample import Reply
from cogsight.voila.reading.answers import read_answer
from cogsight.voila.reading.descriptions import read_descriptions
from cogsight.voila.reading.relations import read_relations

GOLDEN = Path(__file__).parents[1] / "tests" / "golden"
READERS: dict[str, Callable[[str], object]] = {
    "describe": read_descriptions,
    "relate": read_relations,
    "apply": lambda text: read_answer(Reply(text)),
}
TARGET = 5_000
ROUNDS = 5


def replies(step: str) -> list[str]:
    lines = (GOLDEN / f"voila_replies_{step}.tsv").read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader((line for line in lines if line[0] != "#"), delimiter="\t", quoting=csv.QUOTE_NONE)
    return [row["reply"].replace("\\n", "\n") for row in rows]


def main() -> None:
    for step, read in READERS.items():
        texts = replies(step)
        rates = []
        for _ in range(ROUNDS):
            start = time.process_time()
            for text in texts:
                read(text)
            rates.append(len(texts) / (time.process_time() - start))
        mean = sum(map(len, texts)) / len(texts)
        print(f"{step:>8}: {max(rates):7,.0f} replies a second (target {TARGET:,}), {mean:.0f} characters each")


if __name__ == "__main__":
    main()

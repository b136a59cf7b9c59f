"""Reading replies: how many a second, and how long the worst megabyte takes, beside VLMEvalKit's `can_infer` where it is installed.

The short replies are the labelled ones of the tests; the long ones are generated chains of thought of 2,000 characters, half of them in a
reasoning block, all different. CPU time on one core; the best of three rounds.
"""

from __future__ import annotations

import csv
import json
import os
import random
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

os.environ.setdefault("COGSIGHT_NO_HOOK", "1")

from cogsight.shared.extraction import extract

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "extraction"
ARROWS = {"A": "red arrow", "B": "blue arrow", "C": "green arrow", "D": "yellow arrow"}
SHORT, LONG, MEGABYTE = 200, 2000, 1_000_000
TARGETS = {"short": 50_000, "long": 8_000}
"""Replies a second."""
WORST_SECONDS = 0.2

Item = tuple[str, str, Mapping[str, str]]
Reader = Callable[[str, str, Mapping[str, str]], object]

SENTENCES = (
    "The {0} arrow in option {1} points to the {2} side of the cube.",
    "Looking at picture {3}, the {0} arrow is {4} to the camera.",
    "If we rotate the cube by {3}0 degrees, the {0} face goes to the {2}.",
    "Option {1} shows the mirror image, which cannot be right.",
    "So we compare {1} and {5} in more detail.",
    "The stud at the {2} corner is hidden behind the taller brick.",
    "Therefore the piece must fit between the two {0} plates.",
)
ENDINGS = {
    "option": ("The answer is {}.", "**Answer: {}**", "\\boxed{{{}}}", "<answer>{}</answer>", "Final answer: ({})"),
    "sequence": (
        "The correct order is {}.",
        "**Answer: {}**",
        "\\boxed{{{}}}",
        "<answer>{}</answer>",
        "So the sequence is {}.",
    ),
}
WORDS = [
    "arrow",
    "left",
    "points",
    "brick.",
    "stud,",
    "of",
    "the",
    "A",
    "B",
    "in",
    "C",
    "view",
    "and",
    "roof",
    "D",
    "plate;",
]
LOOPS = {
    "'A'": "A",
    "'A, B, '": "A, B, ",
    "'A '": "A ",
    "'<think>', then 'A '": "<think>",
    "'('": "(",
    "'\\boxed{'": "\\boxed{",
    "prose": "Let me look carefully. The red arrow in A points left, while C is closer to the camera than B. ",
    "'first '": "first ",
    "'step 1 '": "step 1 ",
    "'<answer>'": "<answer>",
    "'<think>'": "<think>",
    "line ends": "\n",
    "'（'": "（",
    "'The answer is not A. '": "The answer is not A. ",
}


def short_replies() -> list[Item]:
    choices = json.loads((GOLDEN / "choices.json").read_text(encoding="utf-8"))
    found: list[Item] = []
    for path in sorted(GOLDEN.glob("*.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
        found += [(row["reply"], row["kind"], choices[row["choices"]]) for row in rows if len(row["reply"]) <= SHORT]
    return found


def long_replies(kind: str, number: int = 2000) -> list[Item]:
    return [(thought(random.Random(f"{kind}/{n}"), kind), kind, ARROWS) for n in range(number)]


def thought(rng: random.Random, kind: str) -> str:
    text = ""
    while len(text) < LONG:
        places = (
            "red blue green yellow",
            "A B C D",
            "left right upper lower",
            "1 2 3 4 5",
            "nearer farther",
            "A B C D",
        )
        text += rng.choice(SENTENCES).format(*(rng.choice(words.split()) for words in places)) + " "
    half = text.index(" ", len(text) // 2)
    answer = rng.choice("ABCD") if kind == "option" else ", ".join(rng.sample("ABCD", 4))
    return f"<think>{text[:half]}</think>\n{text[half:].strip()}\n{rng.choice(ENDINGS[kind]).format(answer)}"


def rate(read: Reader, items: Sequence[Item], rounds: int = 3) -> float:
    """Replies a second."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        for reply, kind, choices in items:
            read(reply, kind, choices)
        best = min(best, time.process_time() - start)
    return len(items) / best


def hostile(name: str) -> str:
    loop = LOOPS[name]
    if name.endswith("then 'A '"):
        return loop + "A " * (MEGABYTE // 2)
    return "x" + loop * (MEGABYTE // len(loop)) + "y"


def noise() -> str:
    rng = random.Random(0)
    return " ".join(rng.choice(WORDS) for _ in range(MEGABYTE // 5))[:MEGABYTE]


def seconds(read: Reader, reply: str, kind: str) -> float:
    start = time.process_time()
    read(reply, kind, ARROWS)
    return time.process_time() - start


def peer() -> Reader | None:
    """`can_infer`, which changes the choices it is given, so that it gets a copy."""
    try:
        from vlmeval.utils import can_infer
    except ImportError:
        return None
    return lambda reply, kind, choices: can_infer(reply, dict(choices))


def main() -> None:
    can_infer = peer()
    print(f"{'replies a second':34}{'cogsight':>12}{'can_infer':>12}{'target':>10}")
    short = short_replies()
    sets = {
        f"{len(short)} short": (short, TARGETS["short"]),
        "  choices": ([item for item in short if item[1] == "option"], TARGETS["short"]),
        "  orderings": ([item for item in short if item[1] == "sequence"], None),
        f"choices, {LONG} characters": (long_replies("option"), TARGETS["long"]),
        f"orderings, {LONG} characters": (long_replies("sequence"), TARGETS["long"]),
    }
    for name, (items, target) in sets.items():
        theirs = f"{rate(can_infer, items):12,.0f}" if can_infer and "orderings" not in name else f"{'':12}"
        print(f"{name:34}{rate(extract, items):12,.0f}{theirs}{f'{target:,}' if target else '':>10}")

    print(f"\n{'one megabyte of …, seconds':34}{'choice':>12}{'ordering':>12}{'can_infer':>12}")
    for name in [*LOOPS, "words that do not repeat"]:
        reply = hostile(name) if name in LOOPS else noise()
        mine = [seconds(extract, reply, kind) for kind in ("option", "sequence")]
        theirs = f"{seconds(can_infer, reply, 'option'):12.3f}" if can_infer else ""
        late = "  LATE" if max(mine) > WORST_SECONDS else ""
        print(f"{name:34}{mine[0]:12.3f}{mine[1]:12.3f}{theirs}{late}")


if __name__ == "__main__":
    main()

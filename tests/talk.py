"""A benchmark of twelve dialogues of three turns, for tests of the adapters: which tile is not white, asked step by step.

Each turn's prompt begins with "Question N." and says which step it is, so that a server knows what it is asked (`turn_of`). Its rows
lie in the test's cache folder, and its lmms-eval task files are written by `install`.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from cogsight.shared.benchmark import Benchmark, Task
from cogsight.shared.cache import dataset_dir
from cogsight.shared.card import About
from cogsight.shared.chain import Link, next_turn
from cogsight.shared.dataset import Samples, read, write
from cogsight.shared.messages import user_turn
from cogsight.shared.sample import Messages, Picture, Reply, Sample, Score
from cogsight.shared.scoring import score_single_turn, unscored
from cogsight.shared.summary import Summary
from cogsight.shared.summary import summarise as add_up
from cogsight.shared.variants import Variant

SIZE, TURNS = 12, 3
COLORS = ("red", "green", "blue")
TASKS = {"color": Task("color", "Colour", "seeing", "option", 3, 1 / 3)}
STEPS = ("Step 1: describe the tiles.", "Step 2: which differs?", "Step 3: give its letter.")
SHORT = {"size": SIZE, "max_new_tokens": 64}
VARIANTS = (
    Variant("talk", ("long",), style="long", turns=TURNS, **SHORT),  # type: ignore[arg-type]
    Variant("talk", ("collage",), view="collage", style="long", turns=TURNS, **SHORT),  # type: ignore[arg-type]
    Variant("talk", ("chat",), style="chat", turns=TURNS, **SHORT),  # type: ignore[arg-type]
    Variant("talk", ("short",), style="short", **SHORT),  # type: ignore[arg-type]
)
SAID = ("One tile is coloured.", "The second.")
"""What a perfect model says before its answer."""


def tile(color: str) -> Picture:
    buffer = io.BytesIO()
    Image.new("RGB", (40, 30), color).save(buffer, "PNG")
    return Picture(buffer.getvalue())


def sample(n: int) -> Sample:
    return Sample(
        id=f"talk/procedural/color/0/{n}",
        task="color",
        category="seeing",
        level="0",
        images=(tile("white"), tile(COLORS[n % 3]), tile("#fefefe")),
        question=f"Question {n}. <image 1><image 2><image 3>",
        choices={"A": "red", "B": "green", "C": "blue"},
        answer="ABC"[n % 3],
        answer_type="option",
    )


def fill(folder: Path) -> None:
    write(map(sample, range(SIZE)), folder, About("talk", "Talk", "", "1-A", "talk", "procedural"))


def samples(variant: Variant) -> Samples:
    return read(dataset_dir("talk-1", fill))


def turn(sample: Sample, variant: Variant, replies: Sequence[Reply]) -> Messages | None:
    if variant.turns == 1:
        return None if replies else user_turn(f"{sample.question}\n{STEPS[-1]}", sample.images, variant.view)
    first, *later = STEPS
    links = [Link(f"{sample.question}\n{first}"), *map(Link, later)]
    form = "chat" if variant.style == "chat" else "paper"
    return next_turn(links, replies, sample.images, form=form, view=variant.view)


def turn_of(text: str) -> tuple[int, int]:
    """Which question, and which turn, counted from 0, a prompt is about."""
    found = re.search(r"Question (\d+)\.", text)
    assert found, text
    return int(found[1]), max(n for n, step in enumerate(STEPS) if step in text)


def score(sample: Sample, variant: Variant, replies: Sequence[Reply], judge: object = None, attempt: int = 0) -> Score:
    """The last reply decides."""
    if lost := next((reply.error for reply in replies if reply.error is not None), None):
        return unscored(sample, "request_failed", lost, attempt)
    if len(replies) < variant.turns:
        return unscored(sample, "request_failed", f"{len(replies)} of {variant.turns} replies came back", attempt)
    return score_single_turn(sample, variant, replies[-1:], attempt=attempt)


def summarise(scores: Sequence[Score], variant: Variant) -> Summary:
    shown = {"title": "Talk", "tasks": TASKS, "categories": {"seeing": "Seeing"}, "expected": {"color": SIZE}}
    return add_up(scores, variant, average="tasks", **shown)  # type: ignore[arg-type]


def build(out: Path, **options: object) -> Path:
    """Not part of what adapters use."""
    raise NotImplementedError


BENCHMARK = Benchmark(
    name="talk",
    title="Talk",
    vlmeval_prefix="Talk",
    version="1-A",
    paper="",
    tasks=TASKS,
    variants=VARIANTS,
    samples=samples,
    turn=turn,
    score=score,
    summarise=summarise,
    build=build,
    prompt_version="1",
    policies={"oracle": lambda sample, variant, turn, rng: (*SAID, sample.answer)[turn + TURNS - variant.turns]},
)

"""A benchmark of four questions, for tests of what works on any benchmark: no download, no puzzle, no time."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image

from cogsight.shared import registry
from cogsight.shared.benchmark import Benchmark, Task
from cogsight.shared.cache import dataset_dir
from cogsight.shared.card import About
from cogsight.shared.dataset import Samples, read, write
from cogsight.shared.messages import user_turn
from cogsight.shared.sample import Messages, Picture, Reply, Sample, Score
from cogsight.shared.summary import Summary, summarise
from cogsight.shared.variants import Variant

ROOT = Path(__file__).resolve().parents[1]
TASKS = {
    "hue": Task("hue", "Which Hue", "seeing", "option", 2, 1 / 2),
    "order": Task("order", "In Order", "seeing", "sequence", 3, 1 / 6),
}
VARIANT = Variant("toy", ("procedural",), source="procedural", size=4, description="four questions")
COLOURS = ("red", "green", "blue")


def picture(colour: str) -> Picture:
    return Picture.from_image(Image.new("RGB", (24, 16), colour))


def hue(n: int, question: str = "Which is red, <image 1> or <image 2>?") -> Sample:
    return Sample(
        id=f"toy/procedural/hue/0/{n}",
        task="hue",
        category="seeing",
        level="0",
        images=(picture("red"), picture(COLOURS[1 + n % 2])),
        question=question,
        choices={"A": "<image 1>", "B": "the <second> & last"},
        answer="A",
        answer_type="option",
        explanation={"A": "It is red.", "B": "It is not."},
        metadata='{"seed":0,"state":"rg"}',
    )


def order(n: int) -> Sample:
    return Sample(
        id=f"toy/procedural/order/0/{n}",
        task="order",
        category="seeing",
        level="0",
        images=tuple(map(picture, COLOURS)),
        question=f"Sort them as in a rainbow ({n}).",
        choices={letter: f"<image {i}>" for i, letter in enumerate("ABC", 1)},
        answer="CBA",
        answer_type="sequence",
    )


SAMPLES = (hue(0), hue(1), order(0), order(1))


def turn(sample: Sample, variant: Variant, replies: Sequence[Reply]) -> Messages | None:
    text = "\n".join([sample.question, *(f"{letter}. {text}" for letter, text in sample.choices.items())])
    return None if replies else user_turn(text, sample.images, variant.view)


def score(sample: Sample, variant: Variant, replies: Sequence[Reply], judge: Any = None, attempt: int = 0) -> Score:
    about = {"task": sample.task, "category": sample.category, "chance": TASKS[sample.task].chance}
    if replies[0].error:
        return Score(sample.id, attempt, None, "request_failed", detail=replies[0].error, **about)
    right = replies[0].text == sample.answer
    return Score(sample.id, attempt, float(right), "right" if right else "wrong", **about)


def add_up(scores: Sequence[Score], variant: Variant) -> Summary:
    categories, expected = {"seeing": "Seeing"}, dict.fromkeys(TASKS, 2)
    return summarise(
        scores, variant, title="Toy", tasks=TASKS, categories=categories, expected=expected, average="tasks"
    )


def chosen(tasks: Sequence[str] | None, num_samples: int | None) -> Iterator[Sample]:
    for sample in SAMPLES:
        if (tasks is None or sample.task in tasks) and int(sample.id[-1]) < (num_samples or 2):
            yield sample


def build(
    out: Path, *, tasks: Sequence[str] | None = None, num_samples: int | None = None, overwrite: bool = False, **_: Any
) -> Path:
    about = About("toy", "Toy", "", "1-A", "toy_procedural", "procedural")
    return write(chosen(tasks, num_samples), out, about, overwrite=overwrite)


def samples(variant: Variant) -> Samples:
    return read(dataset_dir("toy-1", build))


BENCHMARK = Benchmark(
    name="toy",
    title="Toy",
    vlmeval_prefix="Toy",
    version="1-A",
    paper="",
    tasks=TASKS,
    variants=(VARIANT,),
    samples=samples,
    turn=turn,
    score=score,
    summarise=add_up,
    build=build,
    cache_key=lambda variant: "toy-1",
)


def made(**changes: Any) -> Benchmark:
    """The toy with something changed."""
    return replace(BENCHMARK, **changes)


def as_target(folder: Path) -> list[str]:
    """A search path, for python -S, on which cogsight stands as `pip install --target` puts it."""
    package = folder / "cogsight"
    package.mkdir(parents=True)
    for name in ("cogsight/__init__.py", "cogsight/__main__.py", "shared"):
        (package / Path(name).name).symlink_to(ROOT / name)
    return [str(folder), *(entry for entry in sys.path if entry and Path(entry).resolve() != ROOT)]


@contextmanager
def alone(monkeypatch: pytest.MonkeyPatch, cache: Path, *benchmarks: Benchmark) -> Iterator[None]:
    """The toy (or what is given) as the only benchmark installed, with an empty cache."""
    installed = [SimpleNamespace(name=one.name, load=lambda one=one: one) for one in benchmarks or (BENCHMARK,)]
    monkeypatch.setattr(registry, "entry_points", lambda group: installed)
    monkeypatch.setenv("COGSIGHT_CACHE", str(cache))
    registry.benchmarks.cache_clear()
    yield
    registry.benchmarks.cache_clear()

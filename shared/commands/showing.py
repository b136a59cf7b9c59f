"""`cogsight show`: one page with samples of a dataset folder, a benchmark or a variant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import typer

from ..answers import ANSWER_TYPES
from ..benchmark import Benchmark, Task
from ..dataset import MANIFEST, Samples, manifest, read, verify
from ..errors import DataError
from ..files import staged, user_path, writing
from ..registry import benchmarks
from ..report.samples_page import Ask, Heading, page, plain_question, spread
from ..sample import Messages, Sample
from ..variants import Variant
from .names import find_variant, known, split_names


@dataclass(frozen=True, slots=True)
class Shown:
    """Samples, and what the page says of them."""

    name: str
    title: str
    samples: Samples
    ask: Ask
    about: Mapping[str, str]
    titles: Mapping[str, Task]
    """Of the benchmark, where it is installed; other tasks are called by their names."""


def run(what: str, tasks: str | None, num_samples: int, out: Path | None) -> int:
    """Write the page to `out`, or `NAME.html` here."""
    folder = user_path(what)
    shown = from_folder(folder) if (folder / MANIFEST).is_file() else from_variant(what)
    target = (out or Path(f"{shown.name}.html")).resolve()
    text, count = render(shown, split_names(tasks), num_samples)
    with writing(target, "choose another place with --out"), staged(target) as stage:
        stage.write_text(text, encoding="utf-8")
    typer.echo(f"{target}: {count} of {len(shown.samples)} samples, {len(text) / 1e6:.1f} MB")
    return 0


def render(shown: Shown, wanted: tuple[str, ...], num_samples: int) -> tuple[str, int]:
    """The page's text, and how many samples are on it. Raises CogsightError for a task that is not in the data."""
    tasks = list(shown.samples.dataset["task"])
    present = dict.fromkeys(tasks)
    chosen = [known(name, present, "task", f" in {shown.name}") for name in wanted] or list(present)
    indices = spread(tasks, chosen, num_samples)
    titles = {task: shown.titles[task].title if task in shown.titles else task for task in present if task in chosen}
    heading = Heading(shown.title, shown.about, titles, len(tasks))
    return page(heading, shown.samples.select(indices), shown.ask), len(indices)


def from_variant(name: str) -> Shown:
    """The samples that a framework would run, built or fetched if need be."""
    benchmark, variant = find_variant(name, "dataset folder, benchmark or variant")
    about = {"variant": variant.name, "source": variant.source, "version": benchmark.version, "paper": benchmark.paper}
    ask = partial(_ask, benchmark, variant)
    return Shown(variant.name, benchmark.title, benchmark.samples(variant), ask, about, benchmark.tasks)


def from_folder(folder: Path) -> Shown:
    """The samples of a folder that `cogsight build` or `cogsight.write` made; asked as its benchmark asks, if that is installed.

    Raises DataError for a folder that is no longer as it was written.
    """
    verify(folder)
    noted = manifest(folder)
    facts = ("variant", "source", "version", "data_version", "render_version", "seed", "cogsight")
    about = {name.replace("_", " "): "" if noted[name] is None else str(noted[name]) for name in facts}
    benchmark = benchmarks().get(noted["benchmark"])
    ask = partial(_ask, benchmark, variant_of(benchmark, noted)) if benchmark else plain_question
    titles = benchmark.tasks if benchmark else {}
    return Shown(folder.resolve().name, noted["title"], read(folder), ask, about, titles)


def variant_of(benchmark: Benchmark, noted: Mapping[str, str]) -> Variant:
    """The variant that a manifest names, if its source fits; else the benchmark's first that fits, or its first."""
    fitting = [variant for variant in benchmark.variants if variant.source == noted["source"]] or benchmark.variants
    return next((variant for variant in fitting if variant.name == noted["variant"]), fitting[0])


def _ask(benchmark: Benchmark, variant: Variant, sample: Sample) -> Messages | None:
    if sample.answer_type not in ANSWER_TYPES:
        raise DataError(
            f"{sample.id}: answer type {sample.answer_type!r}, so that {benchmark.name} cannot ask it; expected {', '.join(ANSWER_TYPES)}"
        )
    return benchmark.turn(sample, variant, ())

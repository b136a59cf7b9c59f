"""`cogsight diagnose`: what a run of `cogsight score` says beyond its score, and how two runs on the same questions differ."""

from __future__ import annotations

from pathlib import Path

import typer

from ..benchmark import Benchmark
from ..diagnosis import Answered, Section, groups, paired
from ..errors import CogsightError
from ..results import Asked, Run, open_run
from ..sample import Score
from .names import find_variant
from .scoring import questions


def run(folder: Path, other: Path | None) -> int:
    """Print the sections."""
    first, benchmark = answered(open_run(folder))
    sections = list(benchmark.diagnose(first)) if benchmark.diagnose else []
    if other is not None:
        sections.append(_pair(first, benchmark, other))
    if not sections:
        raise CogsightError(
            f"{folder}: {benchmark.title} has no diagnosis of one run; name a second one to compare with"
        )
    typer.echo("\n\n".join(section.plain() for section in sections))
    return 0


def answered(run: Run) -> tuple[Answered, Benchmark]:
    """A run with its questions. Raises DataError when it holds none of ours."""
    benchmark, variant = find_variant(run.info.variant)
    samples = dict(questions(benchmark, variant))
    first: dict[str, Score] = {}
    for score in run.scores():
        if score.sample_id not in first or score.attempt < first[score.sample_id].attempt:
            first[score.sample_id] = score
    if strangers := sorted(first.keys() - samples.keys()):
        raise CogsightError(
            f"{run.folder}: {len(strangers)} scores of questions that {variant.name} does not have here, such as {strangers[0]};"
            " name the data of that run, as for cogsight score"
        )
    replies = {asked.sample_id: reply for asked, reply in run.replies().items() if _is_first(asked, first)}
    return Answered(run.folder.name, variant, samples, replies, first), benchmark


def _is_first(asked: Asked, first: dict[str, Score]) -> bool:
    """The last turn of the first attempt: later turns come later."""
    return asked.sample_id in first and asked.attempt == first[asked.sample_id].attempt


def _pair(first: Answered, benchmark: Benchmark, folder: Path) -> Section:
    second, its = answered(open_run(folder))
    if its.name != benchmark.name or not first.measured.keys() & second.measured.keys():
        raise CogsightError(
            f"{first.name} and {second.name} have no question in common; name two runs on the same questions"
        )
    rows = benchmark.summarise([], first.variant).rows
    categories = {row.name: row.title for row in rows if row.scope == "category"}
    return paired(first, second, groups(first.samples.values(), benchmark.tasks, categories, levels=False))

"""`cogsight diagnose`: what a run of `cogsight score` says beyond its score, and how two runs on the same questions differ."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

import typer

from ..benchmark import Benchmark
from ..diagnosis import Answered, Section, groups, paired
from ..errors import CogsightError
from ..files import user_path
from ..results import Asked, Run, open_run
from ..sample import Score
from .names import find_variant
from .scoring import questions


def run(folder: Path, other: Path | None) -> int:
    """Print the sections."""
    first, benchmark = answered(open_run(folder))
    pair = []
    if other is not None:
        second, its = answered(open_run(other))
        names = told_apart(user_path(folder).resolve(), user_path(other).resolve())
        first, second = replace(first, name=names[0]), replace(second, name=names[1])
        pair = [_pair(first, benchmark, second, its)]
    sections = [*(benchmark.diagnose(first) if benchmark.diagnose else ()), *pair]
    if not sections:
        raise CogsightError(
            f"{folder}: {benchmark.title} has no diagnosis of one run; name a second one to compare with"
        )
    typer.echo("\n\n".join(section.plain() for section in sections))
    return 0


def told_apart(one: Path, other: Path) -> tuple[str, str]:
    """The folders' names, after as many of those that they lie in as tell them apart.

    >>> told_apart(Path("/a/x/run"), Path("/b/x/run"))
    ('a/x/run', 'b/x/run')
    >>> told_apart(Path("/a/x/run"), Path("/a/x/other"))
    ('run', 'other')
    """
    if one == other:
        return one.name, other.name
    alike = next(n for n, (part, its) in enumerate(zip_longest(one.parts[::-1], other.parts[::-1])) if part != its)
    return Path(*one.parts[-alike - 1 :]).as_posix(), Path(*other.parts[-alike - 1 :]).as_posix()


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


def _pair(first: Answered, benchmark: Benchmark, second: Answered, its: Benchmark) -> Section:
    if its.name != benchmark.name or not first.measured.keys() & second.measured.keys():
        raise CogsightError(
            f"{first.name} and {second.name} have no question in common; name two runs on the same questions"
        )
    rows = benchmark.summarise([], first.variant).rows
    categories = {row.name: row.title for row in rows if row.scope == "category"}
    return paired(first, second, groups(first.samples.values(), benchmark.tasks, categories, levels=False))

"""`cogsight score`: the replies in sample logs, read and scored again by this version's rules, and kept as a run of ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import typer

from ..benchmark import Benchmark
from ..dataset import from_row
from ..errors import DataError
from ..frameworks import score
from ..frameworks.logs import LoggedRun, find_logs, read_log
from ..results import Asked, Run, RunInfo, start
from ..sample import Sample, Score
from ..summary import Summary
from ..table import percent, shortfalls, show
from ..variants import Variant
from ..versions import check_asked, versions
from .names import find_variant

TOLERANCE = 0.005
"""Per cent. Frameworks print two decimals."""


def run(paths: list[Path], out: Path) -> int:
    """Score each log into a folder of its own below `out`; 1 while a run is not complete."""
    logs = [read_log(path) for path in find_logs(paths)]
    folders = {folder_name(log): log for log in logs}
    if len(folders) < len(logs):
        raise DataError(f"two of these logs are of one model and variant: {', '.join(str(log.path) for log in logs)}")
    summaries = {name: _score_log(log, out / name) for name, log in folders.items()}
    for name, summary in summaries.items():
        typer.echo(f"{name}: {_outcome(summary)}")
    return int(not all(summary.complete for summary in summaries.values()))


def folder_name(log: LoggedRun) -> str:
    """Model and variant, as one path component."""
    return "".join(c if c.isalnum() or c in "-_." else "_" for c in f"{log.model}_{log.variant}").lstrip(".")


def _score_log(log: LoggedRun, folder: Path) -> Summary:
    benchmark, variant = find_variant(log.variant)
    now = versions(benchmark, variant, log.versions["framework"])
    check_asked(log.versions, now, log.path)
    scores = rescore(log, benchmark, variant)
    summary = benchmark.summarise(scores, variant)
    summary = replace(summary, versions=now)
    run = start(folder, _info(log, benchmark, variant, now))
    _keep_replies(run, log)
    run.write_scores(scores)
    show(summary)
    typer.echo(f"\n{log.path} → {folder}\n{_against(log.printed, summary)}\n")
    return summary


def rescore(log: LoggedRun, benchmark: Benchmark, variant: Variant) -> list[Score]:
    """The scores of a log's replies. Raises DataError for replies to questions that the variant does not have."""
    samples = questions(benchmark, variant)
    if strangers := sorted({sample_id for sample_id, _ in log.replies} - samples.keys()):
        raise DataError(
            f"{log.path}: {len(strangers)} replies to questions that {variant.name} does not have, such as {strangers[0]};"
            " score with the data that the run had (see COGSIGHT_CACHE and the data variables in: cogsight doctor)"
        )
    return [
        replace(score(benchmark, samples[sample_id], variant, [reply]), attempt=attempt)
        for (sample_id, attempt), reply in log.replies.items()
    ]


def questions(benchmark: Benchmark, variant: Variant) -> Mapping[str, Sample]:
    """Id → sample, without its pictures, which scoring does not look at."""
    rows = benchmark.samples(variant).dataset.remove_columns("images")
    return {sample.id: sample for sample in map(from_row, rows)}


def _info(log: LoggedRun, benchmark: Benchmark, variant: Variant, now: Mapping[str, str]) -> RunInfo:
    return RunInfo(
        benchmark=benchmark.name,
        benchmark_version=now["benchmark"],
        variant=variant.name,
        data=now["data"],
        prompt=now["prompt"],
        framework=now["framework"],
        model=log.model,
        model_args=log.model_args,
        settings={"view": log.view},
        extraction=now["extraction"],
        cogsight=now["cogsight"],
    )


def _keep_replies(run: Run, log: LoggedRun) -> None:
    """Write down what is not there yet."""
    there = run.replies()
    for (sample_id, attempt), reply in log.replies.items():
        if there.get(asked := Asked(sample_id, attempt)) != reply:
            run.append(asked, reply)


def _against(printed: float | None, summary: Summary) -> str:
    """This score beside the one that the framework printed."""
    low = summary.overall.low
    if printed is None or low is None:
        return "the framework's own score is not beside the log: nothing to compare with"
    same = abs(printed - 100 * low) <= TOLERANCE
    return f"the framework printed {printed:.2f} %, this is {100 * low:.2f} %: {'the same' if same else 'they differ'}"


def _outcome(summary: Summary) -> str:
    return f"{percent(summary.headline)} %" if summary.complete else f"not complete: {'; '.join(shortfalls(summary))}"

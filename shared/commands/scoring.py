"""`cogsight score`: the replies in sample logs, read and scored again by this version's rules, and kept as a run of ours."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import typer

from ..benchmark import Benchmark
from ..dataset import from_row
from ..errors import CogsightError, DataError
from ..frameworks.logs import LoggedRun, find_logs, read_log
from ..frameworks.scoring import Attempt, score
from ..progress import tell
from ..registry import get
from ..results import Asked, RunInfo, start
from ..sample import Sample, Score
from ..settings import debug, official_data_variable
from ..summary import Summary
from ..table import percent, shortfalls, show
from ..variants import Variant
from ..versions import ASKED, check_asked, versions
from .names import find_variant

T = TypeVar("T")
R = TypeVar("R")

TOLERANCE = 0.005
"""Per cent. Frameworks print two decimals."""


def run(paths: list[Path], out: Path) -> int:
    """Score each log into a folder of its own below `out`; 1 while a run is not complete, or a log could not be scored.

    What is wrong with one log does not keep the others from being scored; it is told at the end.
    """
    problems: list[str] = []
    logs = list(_each(read_log, find_logs(paths), problems))
    chosen, older = newest(logs, {path.resolve() for path in paths})
    for log, newer in older.items():
        tell(
            f"left out {log}, since {newer} is a newer run of the same; to score it too, name it:"
            f" cogsight score {shlex.join(map(str, [*paths, log]))} --out {shlex.quote(str(out))}"
        )
    folders = folder_names(chosen)
    scored = _each(lambda log: (folders[log.path], _score_log(log, out / folders[log.path])), chosen, problems)
    summaries = dict(scored)
    for name, summary in summaries.items():
        typer.echo(f"{name}: {_outcome(summary)}")
    for problem in dict.fromkeys(problems):
        tell(problem)
    return int(bool(problems) or not all(summary.complete for summary in summaries.values()))


def _each(work: Callable[[T], R], items: Iterable[T], problems: list[str]) -> Iterator[R]:
    """The results; errors that a user can meet go to `problems`."""
    for item in items:
        try:
            yield work(item)
        except CogsightError as error:
            if debug():
                raise
            problems.append(str(error))


def newest(logs: Iterable[LoggedRun], named: Collection[Path]) -> tuple[list[LoggedRun], dict[Path, Path]]:
    """The logs to score: those that were `named`, and of the others the newest run of each kind; left out → newer one."""
    runs: dict[tuple[str, ...], dict[Path, LoggedRun]] = {}
    for log in logs:
        framework = log.versions["framework"].partition(" ")[0]
        kind = (framework, log.model, log.model_args, log.variant, log.view)
        runs.setdefault(kind, {}).setdefault(log.path.resolve(), log)
    chosen: list[LoggedRun] = []
    older: dict[Path, Path] = {}
    for same in runs.values():
        last = max(same.values(), key=lambda log: log.stamp)
        for path, log in same.items():
            if log is last or path in named:
                chosen.append(log)
            else:
                older[log.path] = last.path
    return chosen, older


def folder_names(logs: Sequence[LoggedRun]) -> dict[Path, str]:
    """Log → its folder: model, variant and view as one path component, and where that is not enough when the run was.

    Raises DataError for logs that even then have one name.
    """
    count = Counter(map(_folder_name, logs))
    names = {log.path: _folder_name(log) + f"_{log.stamp}" * (count[_folder_name(log)] > 1) for log in logs}
    for name, times in Counter(names.values()).items():
        if times > 1:
            same = ", ".join(str(path) for path, own in names.items() if own == name)
            raise DataError(f"{same}: one model, variant and time; score each with an --out of its own")
    return names


def _folder_name(log: LoggedRun) -> str:
    shown = "" if log.view in ("images", get(log.variant).variant(log.variant).view) else f"_{log.view}"
    text = f"{log.model}_{log.variant}{shown}"
    return "".join(c if c.isalnum() or c in "-_." else "_" for c in text).lstrip(".")


def _score_log(log: LoggedRun, folder: Path) -> Summary:
    benchmark, variant = find_variant(log.variant)
    now = versions(benchmark, variant, log.versions["framework"])
    check_asked(log.versions, now, log.path, benchmark.name)
    scores = rescore(log, benchmark, variant)
    summary = benchmark.summarise(scores, variant)
    summary = replace(summary, versions=now, view=log.view)
    run = start(folder, _info(log, benchmark, variant, now))
    run.write_replies({Asked(*asked): reply for asked, reply in log.replies.items()})  # not those of an older run
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
            f" score them with {ASKED['data'].format(variable=official_data_variable(benchmark.name))}"
        )
    return [
        score(benchmark, variant, Attempt(samples[sample_id], [reply], attempt))
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


def _against(printed: float | None, summary: Summary) -> str:
    """This score beside the one that the framework printed."""
    low = summary.overall.low
    if printed is None or low is None:
        return "the framework's own score is not beside the log: nothing to compare with"
    same = abs(printed - 100 * low) <= TOLERANCE
    lost = " (lost counted wrong)" if summary.overall.lost else ""
    return f"the framework printed {printed:.2f} %{lost}, this is {100 * low:.2f} %: {'the same' if same else 'they differ'}"


def _outcome(summary: Summary) -> str:
    return f"{percent(summary.headline)} %" if summary.complete else f"not complete: {'; '.join(shortfalls(summary))}"

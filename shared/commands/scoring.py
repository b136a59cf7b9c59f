"""`cogsight score`: the replies in sample logs, read and scored again by this version's rules and a judge, and kept as a run of ours.

The model is asked for nothing, and the judge only for verdicts that are not kept yet; so a run that was stopped goes on. Where people have rated
the pictures of a run, their marks are its scores, and no judge is asked.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import typer

from ..benchmark import Benchmark
from ..dataset import Questions
from ..errors import CogsightError, DataError
from ..frameworks import log_record
from ..frameworks.judges import Judges
from ..frameworks.logs import LoggedRun, find_logs, read_log
from ..frameworks.scoring import Attempt, score_all, scorers
from ..judge import asking, cost_table
from ..judge.asking import Scorer
from ..judge.cost import survey
from ..judge.model import ModelJudge
from ..progress import tell
from ..rating.filed import Ratings, rated
from ..results import CHANGES, SAMPLES, Asked, RunInfo, start
from ..sample import Sample, Score
from ..settings import debug, official_data_variable
from ..summary import Summary
from ..table import percent, shortfalls, show, unmeasured
from ..variants import Variant
from ..versions import ASKED, check_asked, judge_versions, versions
from .changes import Change, changes, record, told
from .chosen_logs import folder_names, newest
from .names import find_variant

T = TypeVar("T")
R = TypeVar("R")

NO_RATINGS = Ratings()

TOLERANCE = 0.005
"""Per cent. Frameworks print two decimals."""


def run(paths: list[Path], out: Path, judges: Judges, ratings: Ratings = NO_RATINGS) -> int:
    """Score each log into a folder of its own below `out`; 1 while a run is not complete, or a log could not be scored.

    What is wrong with one log does not keep the others from being scored; it is told at the end.
    """
    problems: list[str] = []
    chosen = _chosen(paths, out, problems)
    folders = folder_names(chosen)
    by_people = _by_run(ratings, chosen)
    if judges.batch:
        _ask_for_all([log for log in chosen if not by_people[log.path].given], judges)

    def score(log: LoggedRun) -> tuple[str, Summary]:
        return folders[log.path], _score_log(log, out / folders[log.path], judges, by_people[log.path])

    scored = _each(score, chosen, problems)
    summaries = dict(scored)
    for name, summary in summaries.items():
        typer.echo(f"{name}: {_outcome(summary)}")
    _tell(problems)
    return int(bool(problems) or not all(summary.complete for summary in summaries.values()))


def _by_run(ratings: Ratings, logs: Sequence[LoggedRun]) -> dict[Path, Ratings]:
    """Log → its ratings. Raises DataError for ratings of a run that is none of these."""
    runs = {log.path: (log.model, find_variant(log.variant)[1].name) for log in logs}
    for one in ratings.given:
        if (one.model, one.variant) not in runs.values():
            known = ", ".join(f"{model} on {variant}" for model, variant in dict.fromkeys(runs.values())) or "none"
            raise DataError(
                f"{one.place}: a picture of {one.model} on {one.variant} is rated, and of the runs to score none is that (they are:"
                f" {known}); name its log or run too"
            )
    return {path: ratings.of(*run) for path, run in runs.items()}


def estimate(paths: list[Path], out: Path, judges: Judges) -> int:
    """Print what judging each log would take; nothing is sent, and nothing written."""
    problems: list[str] = []
    for shown in _each(lambda log: _estimate(log, judges), _chosen(paths, out, problems), problems):
        typer.echo(shown)
    _tell(problems)
    return int(bool(problems))


def _chosen(paths: list[Path], out: Path, problems: list[str]) -> list[LoggedRun]:
    """The logs to score. Those that are left out are told of, those that cannot be read go to `problems`."""
    logs = list(_each(read_log, find_logs(paths), problems))
    chosen, older = newest(logs, {path.resolve() for path in paths})
    for log, newer in older.items():
        tell(
            f"left out {log}, since {newer} is a newer run of the same; to score it too, name it:"
            f" cogsight score {shlex.join(map(str, [*paths, log]))} --out {shlex.quote(str(out))}"
        )
    return chosen


def _tell(problems: Iterable[str]) -> None:
    for problem in dict.fromkeys(problems):
        tell(problem)


def _each(work: Callable[[T], R], items: Iterable[T], problems: list[str]) -> Iterator[R]:
    """The results; errors that a user can meet go to `problems`."""
    for item in items:
        try:
            yield work(item)
        except CogsightError as error:
            if debug():
                raise
            problems.append(str(error))


def _ask_for_all(logs: Iterable[LoggedRun], judges: Judges) -> None:
    """Have the judge's verdicts for all logs together: one after another, each log's batches may take a day."""
    together: dict[int, tuple[ModelJudge, list[Scorer]]] = {}
    for log in logs:
        with suppress(CogsightError):  # told when the log is scored
            benchmark, variant = find_variant(log.variant)
            check_asked(log.versions, versions(benchmark, variant, log.versions["framework"]), log.path, benchmark.name)
            if judge := judges.of(benchmark):
                ready = scorers(benchmark, variant, attempts_of(log, benchmark, variant))
                together.setdefault(id(judge), (judge, []))[1].extend(ready)
    for judge, ready in together.values():
        asking.score_all(ready, judge)


def _estimate(log: LoggedRun, judges: Judges) -> str:
    benchmark, variant = find_variant(log.variant)
    check_asked(log.versions, versions(benchmark, variant, log.versions["framework"]), log.path, benchmark.name)
    judge = judges.of(benchmark)
    if judge is None:
        raise CogsightError("no judge is named, so nothing would be asked; name one with --judge MODEL")
    found = survey(scorers(benchmark, variant, attempts_of(log, benchmark, variant)), judge)
    return f"{log.path}:\n{cost_table.shown(found)}\n"


def _score_log(log: LoggedRun, folder: Path, judges: Judges, ratings: Ratings) -> Summary:
    benchmark, variant = find_variant(log.variant)
    now = versions(benchmark, variant, log.versions["framework"])
    check_asked(log.versions, now, log.path, benchmark.name)
    attempts, judge = attempts_of(log, benchmark, variant), None if ratings.given else judges.of(benchmark)
    scores = rated(score_all(benchmark, variant, attempts, judge), log.replies, ratings, log.path)
    judged = judge_versions(judge.endpoint if judge else None, scores) | _raters(ratings)
    summary = replace(benchmark.summarise(scores, variant), versions=now | judged, view=log.view)
    changed = changes(log, scores, summary.versions)
    host = {"host": judge.endpoint.host} if judge else {}
    _write(folder, _info(log, summary, judged | host), log, scores, changed)
    show(summary)
    typer.echo("\n".join([f"\n{log.path} → {folder}", _against(log.printed, summary), *told(log, scores, changed), ""]))
    return summary


def _raters(ratings: Ratings) -> dict[str, str]:
    """What a score depends on that people have given."""
    if not ratings.given:
        return {}
    return {"raters": f"{ratings.raters} {'person' if ratings.raters == 1 else 'people'}", "ratings": ratings.digest}


def attempts_of(log: LoggedRun, benchmark: Benchmark, variant: Variant) -> list[Attempt]:
    """What the model said. Raises DataError for replies to questions that the variant does not have."""
    samples = questions(benchmark, variant)
    if strangers := sorted({sample_id for sample_id, _ in log.replies} - samples.keys()):
        raise DataError(
            f"{log.path}: {len(strangers)} replies to questions that {variant.name} does not have, such as {strangers[0]};"
            f" score them with {ASKED['data'].format(variable=official_data_variable(benchmark.name))}"
        )
    return [Attempt(samples[sample_id], replies, attempt) for (sample_id, attempt), replies in log.replies.items()]


def _write(folder: Path, info: RunInfo, log: LoggedRun, scores: Sequence[Score], changed: Sequence[Change]) -> None:
    run = start(folder, info)
    said = {Asked(*asked, turn): reply for asked, replies in log.replies.items() for turn, reply in enumerate(replies)}
    run.write_replies(said)  # not those of an older run
    run.write_scores(scores)
    records = (log_record(score, *log.replies[score.sample_id, score.attempt]) for score in scores)
    run.write_records(SAMPLES, records)
    run.write_records(CHANGES, map(record, changed))


def questions(benchmark: Benchmark, variant: Variant) -> Mapping[str, Sample]:
    """Id → sample, as scoring looks at it."""
    return Questions(benchmark.samples(variant))


def _info(log: LoggedRun, summary: Summary, judge: Mapping[str, str]) -> RunInfo:
    now = summary.versions
    return RunInfo(
        benchmark=summary.benchmark,
        benchmark_version=now["benchmark"],
        variant=summary.variant,
        data=now["data"],
        prompt=now["prompt"],
        framework=now["framework"],
        model=log.model,
        model_args=log.model_args,
        settings={**log.settings, "view": log.view},
        extraction=now["extraction"],
        judge=judge,
        cogsight=now["cogsight"],
    )


def _against(printed: float | None, summary: Summary) -> str:
    """This score beside the one that the framework printed."""
    low = summary.overall.low
    if printed is None or low is None:
        return "the framework's own score is not beside the log: nothing to compare with"
    same = abs(printed - 100 * low) <= TOLERANCE
    lost = f" ({missing} counted wrong)" if (missing := unmeasured(summary.overall)) else ""
    return f"the framework printed {printed:.2f} %{lost}, this is {100 * low:.2f} %: {'the same' if same else 'they differ'}"


def _outcome(summary: Summary) -> str:
    return f"{percent(summary.headline)} %" if summary.complete else f"not complete: {'; '.join(shortfalls(summary))}"

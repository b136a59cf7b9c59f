"""`cogsight errors`: a sheet of a run's wrong replies to label by what went wrong, and how far annotators agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import typer

from ..attribution import agreement, shares, sheet, to_settle, wrong
from ..benchmark import Benchmark
from ..diagnosis import Answered
from ..errors import CogsightError
from ..files import staged, writing
from ..frameworks.judges import Judges
from ..judge.model import ModelJudge
from ..progress import tell
from ..registry import benchmarks
from ..report.labelling_page import Labels, Question, Sheet, page, read_labels, sheet_csv
from ..results import open_run
from ..sample import Sample
from .diagnosing import answered
from .output import check_free


def draw(folder: Path, out: Path, count: int | None, seed: int, judges: Judges | None = None) -> int:
    """Write a sheet with `count` wrong replies of the run (None: all) into the folder `out`; `judges`: with what one suggests."""
    run, benchmark, question = _asked(folder)
    names = wrong(run, count, seed)
    if not names:
        raise CogsightError(f"{run.name}: no reply is wrong: nothing to label")
    check_free(out)
    judge = judges.of(benchmark) if judges else None
    made = sheet(benchmark, run, _with_pictures(benchmark, run, names), question, judge)
    _write(made, out)
    if judge is not None:
        suggested = sum(bool(item.suggested) for item in made.items)
        tell(f"{judge.name} has suggested a class for {suggested} of {len(names)}; behind a click{_trouble(judge)}")
    typer.echo(
        f"{out}: {len(names)} wrong replies; label in {made.name}.html or {made.name}.csv, each annotator in a copy"
    )
    return 0


def compare(folder: Path, paths: Sequence[Path], out: Path | None) -> int:
    """Print what annotators have chosen, and for two of them the agreement; into `out` a sheet of what they disagree on."""
    run, benchmark, question = _asked(folder)
    read = _read(paths, question, run)
    sections = [shares(question, read)]
    if len(read) == 2:
        sections.append(agreement(question, *read.items()))
    typer.echo("\n\n".join(section.plain() for section in sections))
    if out is not None:
        apart = sections[1].rows if len(sections) == 2 else ()
        if not apart:
            raise CogsightError("two annotators who disagree are needed for a sheet to settle; nothing was written")
        full = sheet(benchmark, run, _with_pictures(benchmark, run, [name for name, *_ in apart]), question)
        _write(to_settle(full, apart), out)
        typer.echo(f"\n{out}: {len(apart)} replies to settle")
    return 0


def _trouble(judge: ModelJudge) -> str:
    return f" (it stopped: {judge.problem})" if judge.problem else ""


def _asked(folder: Path) -> tuple[Answered, Benchmark, Question]:
    run, benchmark = answered(open_run(folder))
    if benchmark.errors is None:
        those = ", ".join(one.title for one in benchmarks().values() if one.errors)
        raise CogsightError(f"{benchmark.title} has no classes of errors; those that have: {those or 'none'}")
    return run, benchmark, benchmark.errors


def _read(paths: Sequence[Path], question: Question, run: Answered) -> Mapping[str, Labels]:
    """Annotator (the file's name) → labels."""
    if len({path.stem for path in paths}) < len(paths):
        raise CogsightError("two files of labels have the same name; name each after its annotator")
    return {path.stem: read_labels(path, [question], run.scores.keys()) for path in paths}


def _with_pictures(benchmark: Benchmark, run: Answered, names: Iterable[str]) -> Iterable[Sample]:
    samples = benchmark.samples(run.variant)
    wanted = set(names)
    return samples.select([row for row, name in enumerate(samples.dataset["id"]) if name in wanted])


def _write(made: Sheet, out: Path) -> None:
    texts = {f"{made.name}.html": page(made), f"{made.name}.csv": sheet_csv(made)}
    check_free(out)
    with writing(out, "choose another place with --out"), staged(out) as stage:
        stage.mkdir()
        for name, text in texts.items():
            (stage / name).write_text(text, encoding="utf-8", newline="")

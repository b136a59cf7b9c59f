"""The `cogsight` command: options are read here, the work is in `shared/commands/`, imported when its command runs.

Exit codes: 0 done, 1 an error or a result that is not complete, 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from typer.core import TyperGroup

from .cli_images import draw
from .cli_images import images as images_commands
from .cli_rating import rate as rate_commands
from .errors import CogsightError
from .settings import debug

INTERRUPTED = 130

STOPS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""What `kill`, a job scheduler or a closed terminal sends; Windows knows only the first."""


UsageError = cast("type[typer.BadParameter]", typer.BadParameter.__base__)
"""Its home is click or typer itself, depending on typer's version; only the subclass has a public name in both."""


class Commands(TyperGroup):
    """Makes what a command returns the exit code, and every error that a user can meet its message alone, on stderr."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Parse, run, exit."""
        try:
            code = super().main(*args, **{**kwargs, "standalone_mode": False}) or 0
        except UsageError as error:
            code = _fail(
                f"{' '.join(error.format_message().split()).rstrip('.')}; see: {error.ctx.command_path if error.ctx else 'cogsight'} --help",
                2,
            )
        except (CogsightError, OSError) as error:
            if debug():
                raise
            code = _fail(_text(error), 1)
        except (KeyboardInterrupt, typer.Abort):
            code = INTERRUPTED
        if code == INTERRUPTED:
            _fail("interrupted", code)
        sys.exit(code)


def _fail(message: str, code: int) -> int:
    typer.echo(f"cogsight: {message}", err=True)
    return code


def _text(error: Exception) -> str:
    return f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)


@contextmanager
def _stops_as_by_ctrl_c() -> Iterator[None]:
    """So that nothing half written stays, whichever way a command is stopped."""
    taken = [number for number in STOPS if signal.getsignal(number) is signal.SIG_DFL]  # nohup ignores one
    for number in taken:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def _quiet_surroundings() -> Iterator[None]:
    """Warnings without their place in the code, and no progress bars of the datasets library: ours tell enough."""
    os.environ.setdefault("HF_DATASETS_DISABLE_PROGRESS_BARS", "1")
    usual, warnings.formatwarning = warnings.formatwarning, lambda message, *_, **__: f"cogsight: {message}\n"
    try:
        yield
    finally:
        warnings.formatwarning = usual


app = typer.Typer(
    name="cogsight",
    cls=Commands,
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


JudgeAddress = Annotated[
    str | None, typer.Option(help="Its OpenAI-compatible address; COGSIGHT_JUDGE_BASE_URL when not given.")
]
JudgeKey = Annotated[
    str | None, typer.Option(help="Its key; better set COGSIGHT_JUDGE_API_KEY, which no list of processes shows.")
]


def _version(wanted: bool) -> None:
    if wanted:
        from cogsight import __version__

        typer.echo(f"cogsight {__version__}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it.")] = False,
) -> None:
    """Visual-cognition benchmarks for multimodal models, inside lmms-eval and VLMEvalKit."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
    elif context.invoked_subcommand != "exec":  # which must leave a script's surroundings as python does
        context.with_resource(_stops_as_by_ctrl_c())
        context.with_resource(_quiet_surroundings())


@app.command("list")
def list_command(as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False) -> int:
    """Benchmarks, names in both frameworks, sizes, data."""
    from .commands import listing

    return listing.run(as_json)


@app.command()
def build(
    benchmark: Annotated[str, typer.Argument(metavar="BENCHMARK|VARIANT", help="A name in `cogsight list`.")],
    out: Annotated[Path, typer.Option(help="Folder to write; must not exist, or see --overwrite.")],
    subset: Annotated[
        str | None, typer.Option(help="Which questions; the variant's, or the benchmark's first, when not given.")
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            help="procedural, official, or a local copy of the release; for lego_puzzles also a brick model (.ldr, .mpd) or a folder of"
            " such; when not given the variant's, or procedural where there is such."
        ),
    ] = None,
    tasks: Annotated[str | None, typer.Option(help="Names with commas between; all when not given.")] = None,
    num_samples: Annotated[
        int | None, typer.Option(min=1, help="Per task; the benchmark's own when not given.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same questions.")] = 0,
    images: Annotated[
        str | None,
        typer.Option(
            metavar="DIR|PATTERN",
            help="Pictures for generated questions, as `cogsight images` makes them, or named otherwise: DIR/{action}/{number}-{subject}*.",
        ),
    ] = None,
    ldraw_dir: Annotated[
        Path | None,
        typer.Option(help="LDraw parts library, for brick models without their parts; LDRAWDIR when not given."),
    ] = None,
    num_proc: Annotated[int, typer.Option(min=1, help="Processes; changes the time only.")] = 1,
    allow_changed: Annotated[
        bool, typer.Option("--allow-changed", help="Take a release whose hash is not the pinned one.")
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the folder.")] = False,
) -> int:
    """Write a dataset folder.

    It holds parquet files, a card, a licence and MANIFEST.json, ready for `datasets.load_dataset` and for the Hub.
    """
    from .commands import building

    return building.run(
        benchmark,
        out,
        source=source,
        subset=subset,
        tasks=tasks,
        num_samples=num_samples,
        seed=seed,
        images=images,
        ldraw_dir=ldraw_dir,
        num_proc=num_proc,
        allow_changed=allow_changed,
        overwrite=overwrite,
    )


@app.command()
def show(
    what: Annotated[
        str, typer.Argument(metavar="DIR|BENCHMARK|VARIANT", help="A dataset folder, a benchmark or a variant.")
    ],
    tasks: Annotated[
        str | None, typer.Option("--tasks", "--task", help="Names with commas between; all when not given.")
    ] = None,
    num_samples: Annotated[int, typer.Option(min=1, help="In all, spread evenly over the tasks.")] = 20,
    out: Annotated[Path | None, typer.Option(help="The page; NAME.html when not given.")] = None,
) -> int:
    """Write an HTML page with samples.

    It shows what the model sees and, behind a click, the key and why; one file that loads nothing from elsewhere.
    """
    from .commands import showing

    return showing.run(what, tasks, num_samples, out)


@app.command()
def score(
    logs: Annotated[
        list[Path],
        typer.Argument(
            metavar="LOG|RUN...",
            help="Sample logs of either framework, folders that hold them, or folders that `cogsight score` or `draw` made.",
        ),
    ],
    out: Annotated[Path, typer.Option(help="Folder for the results.")],
    judge: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL",
            help="A model that reads what rules cannot; COGSIGHT_JUDGE_MODEL when not given; none: rules alone.",
        ),
    ] = None,
    judge_base_url: JudgeAddress = None,
    judge_key: JudgeKey = None,
    votes: Annotated[
        int | None, typer.Option(min=1, help="How often it is asked about each reply; the majority decides.")
    ] = None,
    concurrency: Annotated[int | None, typer.Option(min=1, help="Requests to it at a time.")] = None,
    rejudge: Annotated[bool, typer.Option("--rejudge", help="Ask again for verdicts that are kept already.")] = False,
    batch: Annotated[
        bool, typer.Option("--batch", help="Ask through OpenAI's batch interface: half the price, hours later.")
    ] = False,
    batch_hours: Annotated[
        float, typer.Option(min=0, help="With --batch: how long to wait; another run goes on where this one stopped.")
    ] = 25,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what calls, tokens and money the judge would take; ask nothing.")
    ] = False,
    ratings: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR", help="People's ratings of the pictures: what `cogsight rate read` wrote. May be repeated."
        ),
    ] = None,
) -> int:
    """Score the sample logs of either framework again.

    Rules read the replies, and a judge, if one is named, what they cannot read. The model is asked for nothing, and the judge for
    no verdict twice. Pictures of a run that people have rated get the means of their marks, and no judge is asked. The exit code is 1 while something is missing from the result or could not be measured.
    """
    from .commands import scoring
    from .frameworks.judges import JudgeOptions, Judges
    from .rating.filed import read_filed

    options = JudgeOptions(judge, judge_base_url, judge_key, votes, concurrency)
    judges = Judges(options, rejudge, batch, batch_hours, read_only=dry_run)
    if dry_run and ratings:
        raise typer.BadParameter(
            "--dry-run tells what a judge would take, and people's ratings take none; leave one of the two out"
        )
    if dry_run:
        return scoring.estimate(logs, out, judges)
    return scoring.run(logs, out, judges, read_filed(ratings or ()))


@app.command("judge-agreement")
def judge_agreement(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="LABELS.csv...|RUN...", help="Labels; with --sample, folders that `cogsight score` wrote."
        ),
    ],
    sample: Annotated[int | None, typer.Option(min=1, help="Draw a sheet with this many decisions to label.")] = None,
    out: Annotated[Path, typer.Option(help="With --sample: folder for the sheets.")] = Path("sheets"),
    seed: Annotated[int, typer.Option(help="With --sample: the same seed draws the same.")] = 0,
    verdicts: Annotated[
        Path | None, typer.Option(help="What the judge said, where it does not lie beside the labels.")
    ] = None,
) -> int:
    """Compare a judge with people.

    LABELS.csv has columns human and judge (and property), or is a sheet drawn with --sample and filled in. Printed for each property:
    true and false positives and negatives, agreement, and Cohen's kappa.
    """
    from .commands import agreement

    return agreement.compare(paths, verdicts) if sample is None else agreement.sample(paths, sample, seed, out)


@app.command()
def diagnose(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A folder that `cogsight score` made.")],
    other: Annotated[
        Path | None,
        typer.Argument(metavar="[RUN]", help="Another run on the same questions, such as the direct answers."),
    ] = None,
) -> int:
    """Say what a run's score is made of.

    Two runs, of any benchmark, are compared question by question. Of one run alone, and of SpatialViz-Bench only: accuracy by level, drops with
    difficulty, the published extraction rules.
    """
    from .commands import diagnosing

    return diagnosing.run(run, other)


@app.command()
def errors(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A folder that `cogsight score` made.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder to write: the sheet, or with --labels what is to settle.")
    ] = None,
    num_samples: Annotated[int | None, typer.Option(min=1, help="Wrong replies to draw; all when not given.")] = None,
    seed: Annotated[int, typer.Option(help="The same seed draws the same replies.")] = 0,
    labels: Annotated[
        list[Path] | None, typer.Option(help="An annotator's CSV; give it twice for their agreement.")
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="A model that suggests a class for each; it sees the pictures."),
    ] = None,
    judge_base_url: JudgeAddress = None,
    judge_key: JudgeKey = None,
) -> int:
    """Make a sheet of wrong replies, or compare its labels.

    The sheet is a page (keyboard, offline) and a CSV; each wrong reply stands there with its question, key and explanation.
    """
    from .commands import attributing

    if labels:
        return attributing.compare(run, labels, out)
    if out is None:
        raise typer.BadParameter("name a folder for the sheet with --out, or annotators' files with --labels")
    from .frameworks.judges import JudgeOptions, Judges

    judges = Judges(JudgeOptions(judge, judge_base_url, judge_key)) if judge else None
    return attributing.draw(run, out, num_samples, seed, judges)


@app.command()
def audit(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that `cogsight build` made.")],
    tasks: Annotated[
        str | None, typer.Option("--tasks", "--task", help="Names with commas between; all when not given.")
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write all findings there, for programs.")
    ] = None,
    redraw: Annotated[
        int, typer.Option(min=0, help="Generated questions of each task whose pictures are drawn again.")
    ] = 3,
    models: Annotated[
        Path | None,
        typer.Option(help="Where the brick models lie that the questions are about: what `build --source` was given."),
    ] = None,
    ldraw_dir: Annotated[
        Path | None,
        typer.Option(help="LDraw parts library, for brick models without their parts; LDRAWDIR when not given."),
    ] = None,
    num_proc: Annotated[int, typer.Option(min=1, help="Processes; changes the time only.")] = 1,
) -> int:
    """Check the quality of a data set.

    Duplicates, balance of the keys, options that look alike, shortcuts that a program finds without understanding anything, keys proved
    again, explanations. The exit code is 1 when a check fails; the last line says which. The same folder gives the same findings.
    """
    from .commands import auditing

    return auditing.run(folder, tasks, json_file, redraw, models, ldraw_dir, num_proc)


app.command()(draw)
app.add_typer(images_commands)
app.add_typer(rate_commands)


@app.command()
def doctor(
    probe_judge: Annotated[bool, typer.Option("--probe-judge", help="Ask the judge one question, too.")] = False,
) -> int:
    """Check hooks, frameworks, versions, cache, data and judge.

    Each fault comes with the way to mend it; the exit code is 1 when there is one.
    """
    from .commands import doctor as command

    return command.run(probe_judge)


@app.command("exec", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
def exec_command(
    command: Annotated[
        list[str], typer.Argument(metavar="SCRIPT|-m MODULE [ARGS]...", help="As you would give python.")
    ],
) -> int:
    """Run a script with the hooks in place.

    For where Python does not read .pth files: python -S, pip install --target.
    """
    from .commands import executing

    return executing.run(command)


def main() -> None:
    """The console script; leaves by SystemExit."""
    app(prog_name="cogsight")

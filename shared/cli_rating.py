"""The commands `cogsight rate …`: options are read here, the work is in `shared/commands/rating.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

rate = typer.Typer(
    name="rate",
    help="Have people rate the pictures that models made, blind.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@rate.command()
def make(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="LOG|RUN...", help="Sample logs, folders that `cogsight score` made, or what holds such."
        ),
    ],
    out: Annotated[Path, typer.Option(help="The page; its key is written beside it.")] = Path("ratings.html"),
    seed: Annotated[int, typer.Option(help="Another seed, other ids and orders.")] = 0,
    judge: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL", help="A vision model that rates the same pictures; its ratings lie beside the page."
        ),
    ] = None,
    judge_base_url: Annotated[str | None, typer.Option(help="As for `cogsight score`.")] = None,
    judge_key: Annotated[str | None, typer.Option(help="As for `cogsight score`.")] = None,
) -> int:
    """Write a page on which people rate pictures.

    One file for all raters, offline: App and IF from 0 to 3 as in LEGO-Puzzles, by keyboard, without models' names, for every rater in an order of
    their own. Replies without a picture get 0 and are not shown.
    """
    from .commands import rating
    from .frameworks.judges import JudgeOptions, Judges

    judges = Judges(JudgeOptions(judge, judge_base_url, judge_key)) if judge else None
    return rating.make(runs, out, seed, judges)


@rate.command()
def read(
    ratings: Annotated[
        list[Path], typer.Argument(metavar="CSV...", help="What raters have saved, and a judge's file.")
    ],
    out: Annotated[Path, typer.Option(help="Folder for the results.")],
    key: Annotated[Path | None, typer.Option(help="The page's key, where it does not lie beside the ratings.")] = None,
) -> int:
    """Add ratings up: means, and how far the raters agree.

    Printed and written for each model and task: mean App and IF, and Krippendorff's alpha. The exit code is 1 while a picture is not rated.
    """
    from .commands import rating

    return rating.read(ratings, out, key)

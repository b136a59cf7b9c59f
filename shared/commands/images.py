"""`cogsight images`: pictures for a benchmark, made by a text-to-image model, and cleaned by people."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ..benchmark import Benchmark
from ..errors import CogsightError
from ..files import staged, user_path, writing
from ..progress import track
from ..registry import benchmarks
from ..text_to_image import cleaning, diffusion
from ..text_to_image.making import chosen, make, plan, read
from ..text_to_image.motifs import Motif, Recipe
from .names import known

if TYPE_CHECKING:
    from ..frameworks.judges import Judges


def run_make(
    name: str, out: Path, recipe: Recipe, *, only: Sequence[str], limit: int | None, device: str, batch: int
) -> int:
    """Make what is missing of a benchmark's pictures; 0 also where `only` or `limit` leave some for another run."""
    motifs = motifs_of(name)
    painter, about = diffusion.load(recipe, device)
    folder = plan(user_path(out), name, motifs, recipe, about)
    missing = {one.file for one in folder.missing}
    wanted = [one for one in chosen(folder.planned, only) if one.file in missing][:limit]
    made = sum(1 for _ in track(make(folder.path, wanted, painter, batch), "making pictures", len(wanted)))
    left = len(folder.missing)
    typer.echo(f"{out}: {made:,} made, {len(folder.planned) - left:,} of {len(folder.planned):,} there")
    typer.echo(f"clean:  cogsight images page {out}" if not left else "run this again for the rest")
    return 0


def run_page(path: Path, count: int, only: Sequence[str], name: str, judges: Judges | None) -> int:
    """Write a cleaning page into the folder; `judges`: with marks of what a judge finds."""
    folder = read(user_path(path))
    some = chosen(folder.planned, only)
    judge = judges.of(_benchmark(folder.benchmark)) if judges else None
    check = cleaning.checked(folder, some, motifs_of(folder.benchmark), judge) if judge else None
    target = folder.path / name
    with writing(target, "free some space, or mend the folder's permissions"), staged(target) as stage:
        stage.write_text(cleaning.page(folder, some, count, check), encoding="utf-8")
    missing = len(some) - len(cleaning.present(folder, some))
    later = f" ({missing:,} of {len(some):,} pictures are yet to be made)" if missing else ""
    typer.echo(f"{target}{later}: open it in a browser, keep {count} of each prompt, save the CSV\n")
    typer.echo(f"then:  cogsight images keep {path} kept.csv --out CLEAN")
    return 0


def run_keep(path: Path, selections: Sequence[Path], out: Path, count: int, overwrite: bool) -> int:
    """Put the kept pictures into a folder of their own; 1 while a prompt has not just `count`."""
    folder = read(user_path(path))
    kept = cleaning.read_kept(selections, folder)
    cleaning.write_kept(folder, kept, user_path(out), overwrite)
    typer.echo(f"{out}: {len(kept):,} pictures")
    problems = cleaning.shortfalls(folder, kept, count)
    for problem in problems:
        typer.echo(problem)
    if not problems:
        typer.echo(f"build:  cogsight build {folder.benchmark} --images {out} --out DIR")
    return int(bool(problems))


def motifs_of(name: str) -> Sequence[Motif]:
    """What pictures a benchmark wants. Raises CogsightError for one that wants none."""
    benchmark = _benchmark(name)
    if benchmark.motifs is None:
        those = ", ".join(one.name for one in benchmarks().values() if one.motifs)
        raise CogsightError(f"{name} wants no pictures of a text-to-image model; those that do: {those or 'none'}")
    return benchmark.motifs()


def _benchmark(name: str) -> Benchmark:
    return benchmarks()[known(name, benchmarks(), "benchmark")]

"""`cogsight build`: checks the names, has the benchmark build, says what was written and how to load it."""

from __future__ import annotations

from pathlib import Path

import typer

from ..benchmark import Benchmark
from ..dataset import manifest
from ..errors import CogsightError
from ..files import user_path
from ..settings import settings
from .names import find_buildable, find_tasks, known

SOURCES = ("procedural", "official")


def run(
    name: str,
    out: Path,
    *,
    source: str | None,
    subset: str | None,
    tasks: str | None,
    num_samples: int | None,
    seed: int,
    images: str | None,
    ldraw_dir: Path | None,
    num_proc: int,
    allow_changed: bool,
    overwrite: bool,
) -> int:
    """Options as in `shared/cli.py`; `source` may be a path. Nothing half written is left behind, whatever happens.

    `name` may be a variant's: then its subset and source are those of the options that are not given (None).
    """
    benchmark, variant = find_buildable(name)
    subset = subset or (variant or benchmark.variants[0]).subset
    source = source or (variant.source if variant else _usual_source(benchmark))
    if images:
        _check_images(images, benchmark, source)
    if ldraw_dir and (benchmark.generators_on is None or source in SOURCES):
        raise CogsightError(f"--ldraw-dir {ldraw_dir}: only brick models, given by --source, are made of LDraw parts")
    known(subset, dict.fromkeys(variant.subset for variant in benchmark.variants), "subset", f" of {benchmark.name}")
    try:
        folder = benchmark.build(
            out,
            source=_source(source),
            subset=subset,
            tasks=find_tasks(benchmark, tasks) or None,
            num_samples=num_samples,
            seed=seed,
            num_proc=num_proc,
            allow_changed=allow_changed or settings().allow_changed,
            overwrite=overwrite,
            **({"images": images} if images else {}),
            **({"ldraw_dir": user_path(ldraw_dir)} if ldraw_dir else {}),
        )
    except KeyboardInterrupt:
        typer.echo(f"cogsight: stopped before {out} was complete: nothing was written", err=True)
        raise
    typer.echo("\n".join(_written(folder)))
    return 0


def _usual_source(benchmark: Benchmark) -> str:
    """Generated questions, where the benchmark has such."""
    return "procedural" if any(variant.source == "procedural" for variant in benchmark.variants) else "official"


def _check_images(images: str, benchmark: Benchmark, source: str) -> None:
    if benchmark.motifs is None:
        raise CogsightError(
            f"--images {images}: {benchmark.name} makes its own pictures, and takes none; leave --images out"
        )
    if source != "procedural":
        raise CogsightError(f"--images {images}: only generated questions take pictures; leave --source out")


def _source(source: str) -> str:
    if source not in SOURCES and not user_path(source).exists():
        raise CogsightError(f"--source {source}: no such file or folder; expected {', '.join(SOURCES)} or a path")
    return source


def _written(folder: Path) -> list[str]:
    about = manifest(folder)
    width = max(20, *map(len, about["tasks"]))
    megabytes = sum(file["bytes"] for file in about["files"].values()) / 1e6
    return [
        f"{folder}: {about['samples']:,} samples, {megabytes:,.1f} MB",
        *(f"  {task:{width}} {count:6,}" for task, count in about["tasks"].items()),
        "",
        f'load it:  datasets.load_dataset("{folder}", "default", split="test")',
        f"look:     cogsight show {folder}",
    ]

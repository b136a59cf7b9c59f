"""`cogsight audit`: the checks of `shared/audit/` on a dataset folder, as a table; the last line says what fails."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import typer

from ..audit import CHECKS
from ..audit.finding import Audited, Finding, Verdict
from ..audit.guessing import one_thread, require
from ..audit.measure import Item, measure
from ..build import Generator
from ..card import MODELS
from ..dataset import Samples, canonical_json, manifest, read, verify
from ..errors import CogsightError
from ..files import digest, staged, user_path, writing
from ..progress import track
from ..registry import benchmarks
from ..workers import in_order
from .names import known, split_names
from .output import print_rows

COLUMNS = ("check", "task", "verdict", "measured", "limit")
WHOLE = ("check", "verdict")
"""Columns that a narrow terminal does not break."""
COLORS = {Verdict.OK: "green", Verdict.FAILS: "bold red", Verdict.INHERENT: "yellow"}
"""On a terminal; the word says it too."""


def run(
    what: Path,
    tasks: str | None,
    json_file: Path | None,
    redraw: int,
    models: Path | None,
    ldraw_dir: Path | None,
    num_proc: int,
) -> int:
    """1 when a check fails. Raises CogsightError for a folder that is no dataset of ours or no longer as written, or without scikit-learn."""
    require()
    folder = user_path(what)
    if folder.exists():
        verify(folder)
    samples = read(folder)
    generators = _generators(folder, models, ldraw_dir)
    audited = _audited(folder, _chosen(samples, folder, tasks), generators, redraw, num_proc)
    with one_thread():
        checks = track(CHECKS, f"checking {folder.name}", len(CHECKS))
        findings = [finding for check in checks for finding in check.run(audited)]
    if json_file:
        _write(json_file.resolve(), folder, audited, findings)
    _print_table(merged(findings))
    for line in details(findings):
        typer.echo(line)
    typer.echo(verdict(findings, len(audited.items)))
    return int(not all(finding.ok for finding in findings))


def _chosen(samples: Samples, folder: Path, tasks: str | None) -> Samples:
    present = dict.fromkeys(samples.dataset["task"])
    wanted = [known(name, present, "task", f" in {folder}") for name in split_names(tasks)]
    return samples.of(wanted or None)


def _generators(folder: Path, models: Path | None, ldraw_dir: Path | None) -> Mapping[str, Generator[Any, Any]]:
    """Of the folder's benchmark; about the user's own brick models, where the folder was built from such."""
    noted = manifest(folder)
    benchmark, files = benchmarks().get(noted["benchmark"]), noted["options"].get(MODELS)
    if not files or not benchmark or benchmark.generators_on is None:
        return benchmark.generators() if benchmark and benchmark.generators else {}
    if models is None:
        raise CogsightError(
            f"{folder} asks about {', '.join(files)}: say where they lie, by --models FILE or --models FOLDER"
        )
    where = user_path(models)
    for name, sha256 in files.items():
        path = where / name if where.is_dir() else where
        if path.name != name or not path.is_file() or digest(path) != sha256:
            raise CogsightError(f"{path} is not the file {name} from which {folder} was made (SHA-256 {sha256})")
    return benchmark.generators_on(where, user_path(ldraw_dir) if ldraw_dir else None)


def _audited(
    folder: Path, samples: Samples, generators: Mapping[str, Generator[Any, Any]], redraw: int, num_proc: int
) -> Audited:
    noted = manifest(folder)
    benchmark = benchmarks().get(noted["benchmark"])
    items: list[Item] = list(
        track(in_order(measure, samples, num_proc), f"measuring {folder.name}", len(samples)),
    )
    return Audited(
        items,
        procedural=noted["source"] == "procedural",
        generators=generators,
        inherent=benchmark.inherent_shortcuts if benchmark else {},
        redraw=redraw,
        num_proc=num_proc,
    )


def merged(findings: Sequence[Finding]) -> list[Finding]:
    """One line for all tasks to which a check does not apply for the same reason."""
    tasks = list(dict.fromkeys(finding.task for finding in findings))
    lines: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        own = finding.measured if finding.verdict is Verdict.NONE else f"task {finding.task}"
        lines.setdefault((finding.check, own), []).append(finding)
    return [replace(same[0], task=_names([finding.task for finding in same], tasks)) for same in lines.values()]


def _names(some: Sequence[str], tasks: Sequence[str]) -> str:
    return f"all {len(tasks)}" if len(some) == len(tasks) > 1 else ", ".join(some)


def _print_table(findings: Sequence[Finding]) -> None:
    rows = [(f.check, f.task, f.verdict.value, f.measured, f.limit) for f in findings]
    if not sys.stdout.isatty():
        print_rows(COLUMNS, rows, len(COLUMNS))
        return
    from rich.console import Console
    from rich.table import Column, Table

    table = Table(*(Column(name, no_wrap=name in WHOLE) for name in COLUMNS), show_edge=False, pad_edge=False)
    for finding, row in zip(findings, rows, strict=True):
        table.add_row(*row, style=COLORS.get(finding.verdict, ""))
    Console(markup=False).print(table)


def details(findings: Sequence[Finding]) -> Iterator[str]:
    """The worst samples, and how to mend what fails."""
    for finding in findings:
        if finding.worst or finding.mend:
            yield f"\n{finding.check}, {finding.task}: {finding.verdict.value}: {finding.measured} (limit: {finding.limit})"
            yield from (f"    {sample}" for sample in finding.worst)
            if finding.mend:
                yield f"    to mend it: {finding.mend}"


def verdict(findings: Sequence[Finding], n: int) -> str:
    """The last line."""
    failed: dict[str, list[str]] = {}
    for finding in findings:
        if not finding.ok:
            failed.setdefault(finding.check, []).append(finding.task)
    few = sum(finding.verdict is Verdict.TOO_FEW for finding in findings)
    more = f"; {few} have too few questions to say" if few else ""
    if not failed:
        return f"\naudit: nothing fails in {n} questions ({len(findings)} findings{more})"
    what = "; ".join(f"{check} ({', '.join(tasks)})" for check, tasks in failed.items())
    return f"\naudit: {sum(map(len, failed.values()))} of {len(findings)} findings fail{more}: {what}"


def _write(target: Path, folder: Path, audited: Audited, findings: Sequence[Finding]) -> None:
    values = {
        "folder": str(folder),
        "questions": len(audited.items),
        "ok": all(finding.ok for finding in findings),
        "findings": [asdict(finding) for finding in findings],
    }
    with writing(target, "choose another file with --json"), staged(target) as stage:
        stage.write_text(
            json.dumps(json.loads(canonical_json(values)), ensure_ascii=False, indent=2) + "\n", encoding="utf-8"
        )

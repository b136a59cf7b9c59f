"""`cogsight judge-agreement`: draws sheets of what a judge has decided, for people to label blind, and says how far they agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import isnan
from pathlib import Path

import typer

from ..errors import CogsightError, DataError
from ..files import staged, writing
from ..judge.agreement import VERDICTS, Agreement, Judged, agreements, draw, read_pairs, read_sheet, sheets
from ..judge.model import decide
from ..judge.query import JudgeError, Query, Verdict
from ..judge.store import FILE, Store
from ..report.labelling_page import beside, page, sheet_csv
from ..results import Run, open_run
from ..sample import Reply
from ..settings import settings
from ..stats import Interval
from ..table import percent
from .names import find_variant
from .output import check_free, print_rows
from .scoring import questions

COLUMNS = ("property", "n", "TP", "FP", "FN", "TN", "agreement %", "95 %", "kappa", "95 %")


def compare(paths: Sequence[Path], verdicts: Path | None) -> int:
    """Print one table for each file of labels."""
    for path in paths:
        if path.is_dir():
            raise DataError(
                f"{path} is a folder: --sample N draws a sheet of a run; what is compared are sheets, filled in"
            )
        kept = verdicts or beside(path, VERDICTS)
        found = agreements(*(read_sheet(path, kept) if kept else read_pairs(path)))
        if not found:
            raise DataError(f"{path}: nothing that both a person and the judge have decided; fill in some labels")
        typer.echo(f"{path}: truth is what people say, positive is right (1)")
        print_rows(COLUMNS, map(_cells, found), len(COLUMNS))
    return 0


def sample(folders: Sequence[Path], count: int, seed: int, out: Path) -> int:
    """Write sheets with `count` decisions of the judges of these runs into `out`, a new folder."""
    check_free(out)
    store = settings().cache / FILE
    if not store.exists():
        raise DataError(
            f"{store}: no verdicts are kept here; judge first (cogsight score --judge MODEL), with the same COGSIGHT_CACHE"
        )
    opened = Store(store, read_only=True)
    every = [one for folder in folders for one in _judged(open_run(folder), opened)]
    judged = list({one.id: one for one in every}.values())  # models that say the same are judged once
    if not judged:
        raise CogsightError("no reply of these runs was decided by a judge; score them with --judge MODEL")
    drawn = draw(judged, count, seed)
    of = Counter(one.query.template for one in judged)
    with writing(out, "choose another place with --out"), staged(out) as stage:
        stage.mkdir()
        for sheet, kept in sheets(drawn):
            texts = {".html": page(sheet), ".csv": sheet_csv(sheet), VERDICTS: kept}
            for ending, text in texts.items():
                (stage / f"{sheet.name}{ending}").write_text(text, encoding="utf-8", newline="")
            typer.echo(f"{out / sheet.name}.html and .csv: {len(sheet.items)} of {of[sheet.name]} decisions")
    typer.echo(
        f"Label blind, then: cogsight judge-agreement LABELS.csv (the verdicts, in *{VERDICTS}, must lie beside it)"
    )
    return 0


@dataclass
class _Kept:
    """Answers from the store alone, and notes what it answered."""

    name: str
    store: Store
    votes: int
    """Of the run; the store may hold more, of a later one."""
    answered: list[tuple[Query, Verdict]] = field(default_factory=list)

    def verdict(self, query: Query) -> Verdict:
        votes = [vote for vote in self.store.votes(self.name, query, self.votes) if vote is not None]
        if len(votes) < self.votes:
            raise JudgeError(f"{self.name} has not judged this")
        self.answered.append((query, found := decide(query, votes)))
        return found


def _judged(run: Run, store: Store) -> Iterator[Judged]:
    """What the judge of a run decided, by scoring its replies once more from the kept verdicts."""
    benchmark, variant = find_variant(run.info.variant)
    names = {(score.sample_id, score.attempt): score.judged_by for score in run.scores()}
    samples = questions(benchmark, variant)
    replies: dict[tuple[str, int], list[Reply]] = {}
    for asked, reply in run.replies().items():
        replies.setdefault((asked.sample_id, asked.attempt), []).append(reply)
    votes = int(run.info.judge.get("votes", 1))
    for (sample_id, attempt), own in replies.items():
        if sample_id not in samples:
            raise DataError(
                f"{run.folder}: replies to {sample_id}, which {variant.name} does not have here; name the data of that run, as for cogsight score"
            )
        judge = _Kept(names.get((sample_id, attempt), ""), store, votes)
        benchmark.score(samples[sample_id], variant, own, judge)
        for query, verdict in judge.answered:
            yield Judged(f"{sample_id}#{attempt}#{query.digest[:8]}", samples[sample_id].task, query, verdict)


def _cells(row: Agreement) -> tuple[str, ...]:
    counts = [str(value) for value in row.counts.values()] if row.counts else ["-"] * 4
    kappa = "-" if isnan(row.kappa) else f"{row.kappa:.2f}"
    return (
        row.property,
        str(row.n),
        *counts,
        percent(row.agreement),
        _span(row.interval, 100, 1),
        kappa,
        _span(row.kappa_interval, 1, 2),
    )


def _span(interval: Interval | None, scale: float, digits: int) -> str:
    return f"{scale * interval.low:.{digits}f} to {scale * interval.high:.{digits}f}" if interval else "-"

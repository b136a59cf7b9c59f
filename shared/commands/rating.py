"""`cogsight rate`: pictures that models made, rated by people on a blind page, and what the ratings add up to."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import isnan
from pathlib import Path

import typer

from ..errors import CogsightError, DataError
from ..files import staged, writing
from ..frameworks.judges import Judges
from ..frameworks.logs import find_logs, read_log
from ..frameworks.scoring import Attempt, score_all
from ..rating import filed, judging
from ..rating.collecting import Answered, Made, Source, collect
from ..rating.reading import Rating, read_ratings
from ..rating.results import OVERALL, SCALES, Agreement, Mean, agreements, columns, means, parties
from ..rating.sheet import KEY, Key, key_of, key_text, read_key, sheet_of
from ..report.labelling_page import beside, page
from ..results import RUN
from ..sample import PEOPLE, Score
from ..stats import Interval
from ..versions import check_asked, versions
from .names import find_variant
from .output import check_free, print_rows

MEANS, AGREEMENT = "means.tsv", "agreement.tsv"

UNSEEN = {
    Made.NOTHING: "without a picture: 0 for App and IF, and not shown",
    Made.LOST: "lost requests: left out",
}


def make(paths: Sequence[Path], out: Path, seed: int, judges: Judges | None) -> int:
    """Write the page, its key, and with `judges` a judge's ratings."""
    if out.suffix != ".html":
        raise CogsightError(f"{out}: expected the name of a page, such as ratings.html")
    files = {ending: out.with_name(out.stem + ending) for ending in (".html", KEY, judging.ENDING)}
    for file in files.values():
        check_free(file)
    answered = collect(_sources(paths))
    key, sheet = key_of(answered, seed), sheet_of(out.stem, answered, seed)
    if not sheet.items:
        raise CogsightError("these runs hold no picture; there is nothing to rate")
    texts = {KEY: key_text(key), ".html": page(sheet)}
    if judges:
        texts[judging.ENDING] = _judged(answered, key, judges)
    with writing(out, "choose another place with --out"):
        for ending, text in texts.items():
            with staged(files[ending]) as stage:
                stage.write_text(text, encoding="utf-8", newline="")
    size = files[".html"].stat().st_size / 1e6
    typer.echo(f"{out}: {len(sheet.items):,} pictures of {len(columns(key))} runs, {size:,.1f} MB")
    for made, said in UNSEEN.items():
        if number := sum(one.made is made for one in answered):
            typer.echo(f"{number:,} {said}")
    typer.echo(f"Give each rater {out.name} alone; {files[KEY].name} says who made what.")
    typer.echo(f"then:  cogsight rate read {out.stem}_*.csv --out DIR")
    return 0


def read(paths: Sequence[Path], out: Path, key_file: Path | None) -> int:
    """Print and write what the ratings add up to; 1 while a picture has no rating."""
    check_free(out)
    if missing := [path for path in paths if not path.is_file()]:
        raise DataError(f"{missing[0]}: no such file; expected what the page's Save button wrote")
    key = read_key(key_file or _key_beside(paths))
    ratings = read_ratings(paths, key.shown())
    if not ratings:
        raise DataError(f"{', '.join(map(str, paths))}: no ratings in it; the page's Save button writes them")
    table, agreed = means(key, ratings), agreements(ratings)
    with writing(out, "choose another place with --out"), staged(out) as stage:
        stage.mkdir()
        (stage / MEANS).write_text(_tsv(MEAN_COLUMNS, map(_mean_cells, table)), encoding="utf-8")
        (stage / AGREEMENT).write_text(_tsv(AGREEMENT_COLUMNS, map(_agreement_cells, agreed)), encoding="utf-8")
        (stage / filed.NAME).write_text(_tsv(filed.COLUMNS, filed.rows(key, ratings)), encoding="utf-8")
    for party in parties(ratings):
        typer.echo(f"{party}: mean rating from 0 to 3, Overall is the mean of the tasks [95 %]")
        print_rows(*_table(key, [cell for cell in table if cell.raters == party]))
        typer.echo("")
    if agreed:
        typer.echo("agreement: Krippendorff's alpha, ordinal, over the pictures that at least two have rated")
        print_rows(AGREEMENT_COLUMNS, map(_agreement_cells, agreed), len(AGREEMENT_COLUMNS))
    code = _outcome(key, ratings, table)
    if PEOPLE in parties(ratings):
        typer.echo(f"then, so that these are the runs' scores:  cogsight score LOG|RUN... --ratings {out} --out DIR")
    return code


def _sources(paths: Iterable[Path]) -> Iterator[Source]:
    """The runs of ours in each folder, or else the sample logs there."""
    for path in paths:
        folders = [path] if (path / RUN).is_file() else sorted(found.parent for found in path.rglob(RUN))
        yield from map(_source, folders or find_logs([path]))


def _source(path: Path) -> Source:
    log = read_log(path)
    benchmark, variant = find_variant(log.variant)
    check_asked(log.versions, versions(benchmark, variant, ""), log.path, benchmark.name)
    return Source(str(log.path), log.model, benchmark, variant, log.replies)


def _judged(answered: Sequence[Answered], key: Key, judges: Judges) -> str:
    """The judge's ratings, as the page would save them. Verdicts are kept, and shared with `cogsight score`."""
    scored: list[tuple[str, Answered, Score]] = []
    for source, named in groupby(zip(key.items, answered, strict=True), lambda pair: pair[1].source):
        judge = judges.of(source.benchmark)
        if judge is None:
            raise CogsightError("no judge is named; name one with --judge MODEL")
        own = [(name, one) for name, one in named if one.made is Made.PICTURE]
        attempts = [Attempt(one.sample, one.replies, one.attempt) for _, one in own]
        scores = score_all(source.benchmark, source.variant, attempts, judge)
        scored += [(name, one, score) for (name, one), score in zip(own, scores, strict=True)]
    rows = list(judging.rows(scored))
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, judging.COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    typer.echo(f"the judge has rated {len(rows):,} of {len(scored):,} pictures")
    return buffer.getvalue()


def _key_beside(paths: Iterable[Path]) -> Path:
    found = {key for path in paths if (key := beside(path, KEY))}
    if len(found) != 1:
        what = "no key lies beside" if not found else f"{len(found)} keys lie beside"
        raise DataError(f"{what} these ratings; name the one of their page: --key NAME{KEY}")
    return found.pop()


def _table(key: Key, cells: Sequence[Mean]) -> tuple[list[str], list[list[str]], int]:
    """As the paper's Table 3: a row for each task, two columns for each model."""
    at = {(cell.task, cell.column, cell.scale): cell for cell in cells}
    heads = [(column, scale) for column in columns(key).values() for scale in SCALES]
    tasks = dict.fromkeys(cell.task for cell in cells if cell.task != OVERALL)
    rows = [[task, *(_shown(at.get((task, *head)), task == OVERALL) for head in heads)] for task in (*tasks, OVERALL)]
    names = ["Task", *(f"{column} {scale}" for column, scale in heads)]
    return names, rows, len(names)


def _shown(cell: Mean | None, whole: bool) -> str:
    if cell is None or cell.mean is None:
        return "-"
    return f"{cell.mean:.2f} [{_span(cell.interval)}]" if whole else f"{cell.mean:.2f}"


def _outcome(key: Key, ratings: Sequence[Rating], table: Iterable[Mean]) -> int:
    """Tell what the numbers leave out."""
    counted = Counter(entry.made for entry in key.items.values())
    for made, said in UNSEEN.items():
        if counted[made]:
            typer.echo(f"{counted[made]:,} {said}")
    if seen := sum(rating.saw_truth for rating in ratings if not judging.is_judge(rating.rater)):
        people = sum(not judging.is_judge(rating.rater) for rating in ratings)
        typer.echo(f"{seen:,} of {people:,} ratings by people were given with the true picture in sight")
    if judges := [party for party in parties(ratings) if judging.is_judge(party)]:
        typer.echo(f"{', '.join(judges)}: automatic, not the paper's human protocol")
    given = {scale: {rating.item for rating in ratings if scale in rating.marks} for scale in SCALES}
    open_ones = [item for item in key.shown() if any(item not in rated for rated in given.values())]
    if open_ones:
        typer.echo(f"not complete: {len(open_ones):,} of {len(key.shown()):,} pictures are not rated by anybody")
    partial = list(_partial(key))
    for said in partial:
        typer.echo(f"not complete: {said}")
    return int(bool(open_ones or partial) or counted[Made.LOST] > 0)


def _partial(key: Key) -> Iterator[str]:
    """The runs that were asked a part of their questions."""
    for (model, variant), title in columns(key).items():
        asked = {entry.sample for entry in key.items.values() if (entry.model, entry.variant) == (model, variant)}
        if len(asked) < (size := find_variant(variant)[1].size):
            yield f"{title} was asked {len(asked):,} of the {size:,} questions of {variant}"


MEAN_COLUMNS = (
    "raters",
    "model",
    "scale",
    "task",
    "mean",
    "low",
    "high",
    "interval",
    "n",
    "without picture",
    "missing",
)
AGREEMENT_COLUMNS = ("raters", "scale", "pictures", "alpha", "95 %")


def _mean_cells(cell: Mean) -> tuple[str, ...]:
    shown = "" if cell.mean is None else f"{cell.mean:.4f}"
    span = (
        (f"{cell.interval.low:.4f}", f"{cell.interval.high:.4f}", cell.interval.method) if cell.interval else ("",) * 3
    )
    counts = (cell.rated, cell.without_picture, cell.missing)
    return cell.raters, cell.column, cell.scale, cell.task, shown, *span, *map(str, counts)


def _agreement_cells(row: Agreement) -> tuple[str, ...]:
    shown = "-" if isnan(row.alpha) else f"{row.alpha:.3f}"
    return ", ".join(row.raters), row.scale, str(row.pictures), shown, _span(row.interval)


def _span(interval: Interval | None) -> str:
    return f"{interval.low:.2f} to {interval.high:.2f}" if interval else "-"


def _tsv(names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter="\t", lineterminator="\n")
    writer.writerows([names, *rows])
    return buffer.getvalue()

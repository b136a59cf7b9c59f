"""From a result table to the verdict: join by sample id, score, add up, write the log and the summary beside the table.

The judge is the one that `--judge`, `--judge-base-url` and `--judge-key` name, else the environment. The kit's own judges are not
used: they take any failure for an answer, and pay for each verdict again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import DataError
from ...files import staged
from ...pictures import TEXT_ONLY
from ...progress import tell
from ...rating.marks import SCALES, TOP
from ...sample import Outcome, Reply, Score
from ...summary import Summary
from ...table import show
from ...versions import versions
from .. import log_record
from ..judges import JudgeOptions, Judges
from ..scoring import Attempt, score_all
from . import logs

if TYPE_CHECKING:
    from .dataset import PuzzleDataset

Metrics = dict[str, float]


def evaluate(dataset: PuzzleDataset, table: Path, judge_kwargs: Mapping[str, Any]) -> Metrics:
    """What run.py prints, of plain Python values: per cent, "Overall" first.

    Writes `…_samples.jsonl`, a line per sample, and `…_summary.json` beside the table; of a judged run both have the judge in
    their name. Raises DataError for a table that cannot be read or that answers other questions, and CogsightError for a judge
    that cannot be used.
    """
    judge = Judges(judge_options(judge_kwargs)).of(dataset.BENCHMARK)
    asked = dict(zip(dataset.data["index"], dataset.data["sample_id"], strict=True))
    rows = join(asked, logs.read(table), table)
    attempts = [Attempt(sample, rows[sample.id].replies) for sample in map(dataset.sample, asked)]
    scores = score_all(dataset.BENCHMARK, dataset.variant, attempts, judge)
    summary = dataset.BENCHMARK.summarise(scores, dataset.variant)
    endpoint = judge.endpoint if judge else None
    about = versions(dataset.BENCHMARK, dataset.variant, framework_version(), endpoint, scores)
    summary = replace(summary, versions=about, view=dataset.variant.view)
    beside = logs.beside(table, endpoint.model if endpoint else "")
    _write(beside.samples, _log(scores, rows, summary))
    _write(beside.summary, [json.dumps(summary.to_dict(), indent=1, ensure_ascii=False)])
    show(summary)
    if dataset.variant.produces:
        tell(f"{dataset.dataset_name} asks for pictures; {TEXT_ONLY} {dataset.variant.name}")
    return metrics(summary)


def judge_options(judge_kwargs: Mapping[str, Any]) -> JudgeOptions:
    """What run.py makes of its options. It passes a model only when somebody named one, or "exact_matching"."""
    names = {"model": "model", "base_url": "api_base", "api_key": "key", "concurrency": "nproc"}
    return JudgeOptions(**{ours: judge_kwargs.get(name) for ours, name in names.items()})


def join(asked: Mapping[str, str], rows: Iterable[logs.Row], table: Path) -> dict[str, logs.Row]:
    """Sample id → its row; `asked` is index → sample id.

    A sample without a row, or with rows that differ, has lost its reply. Raises DataError for rows of samples that were not
    asked, and for replies to another version of a question.
    """
    found: dict[str, list[logs.Row]] = {sample_id: [] for sample_id in asked.values()}
    rows = list(rows)
    if strangers := [row.sample_id for row in rows if row.sample_id not in found]:
        raise DataError(f"{table}: {_some(strangers)} not in this dataset; is it the table of another one?")
    if stale := [row.sample_id for row in rows if asked.get(row.index) != row.sample_id]:
        raise DataError(
            f"{table}: {_some(stale)} asked in another version, or under another COGSIGHT_VIEW;"
            " run the inference again without --reuse"
        )
    for row in rows:
        found[row.sample_id].append(row)
    return {sample_id: _one(sample_id, own) for sample_id, own in found.items()}


def metrics(summary: Summary) -> Metrics:
    """One flat dict for run.py: `low` of each row that has questions, partial scores, and overall what says how far to trust it."""
    values: Metrics = {row.title: _per_cent(row.low) for row in summary.rows if row.low is not None}
    values |= {part.title: _per_cent(part.mean) for part in summary.parts}
    values |= {f"{SCALES[name]} of {TOP}": round(TOP * mark.mean, 4) for name, mark in summary.overall.marks.items()}
    overall = summary.overall
    for name, value in (("Chance", overall.chance), ("Smallest above chance", overall.critical)):
        if value is not None:
            values[name] = _per_cent(value)
    for outcome, share in overall.outcomes.items():
        if outcome != Outcome.PARSED.value:
            values[f"{outcome.capitalize()} rate"] = _per_cent(share)
    return values | {"Complete": float(summary.complete)}  # of truth values, the kit's status.json keeps nothing


def framework_version() -> str:
    """Which VLMEvalKit this is: a wheel and its version, or a checkout."""
    import vlmeval

    home = Path(vlmeval.__file__).parent
    for name in ("ms-vlmeval", "vlmeval"):
        try:
            found = distribution(name)
        except PackageNotFoundError:
            continue
        if Path(str(found.locate_file("vlmeval"))) == home:
            return f"{name} {found.version}"
    return f"vlmeval {vlmeval.__version__}, a checkout"


def _one(sample_id: str, rows: list[logs.Row]) -> logs.Row:
    replies = {row.replies for row in rows}
    if len(replies) == 1:
        return rows[0]
    error = (
        f"the result table holds {len(replies)} different replies" if replies else "the result table has no row for it"
    )
    return logs.Row(sample_id, (Reply(None, error=error),), "", "", "")


def _log(scores: Iterable[Score], rows: Mapping[str, logs.Row], summary: Summary) -> list[str]:
    run = {"variant": summary.variant, "versions": dict(summary.versions)}
    found = [(verdict, rows[verdict.sample_id]) for verdict in scores]
    lines = [log_record(verdict, *row.replies) | {"view": row.view} | run for verdict, row in found]
    return [json.dumps(line) for line in lines]  # ASCII: a reply may hold half a surrogate pair


def _write(path: Path, lines: list[str]) -> None:
    with staged(path) as stage:
        stage.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _per_cent(share: float | None) -> float:
    return round(100 * (share or 0.0), 2)


def _some(names: list[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{', '.join(names[:3])}{more}"

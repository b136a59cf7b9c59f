"""The sample logs of either framework, and runs of ours, as one thing: which run it was, and what the model replied."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from ..benchmark import Benchmark
from ..errors import DataError
from ..registry import get
from ..results import RUN, SCORES, open_run
from ..sample import Reply
from ..variants import vlmeval_name
from . import log_record
from .lmms import logs as lmms
from .vlmevalkit import logs as vlmevalkit

EXPECTED = (
    f"lmms-eval's {lmms.PATTERN} (--log_samples) or a result table of VLMEvalKit ({', '.join(vlmevalkit.READERS)})"
)
READABLE = frozenset({".jsonl", ".pkl", *vlmevalkit.READERS})
"""Endings of names; of pickles the reader says why it does not read them."""

STAMP = re.compile(r"[0-9]{8}_[0-9]{6}")
"""How lmms-eval begins a log's name."""
STAMP_FORMAT = "%Y%m%d_%H%M%S"

BASELINE = "cogsight_baseline"
"""In lmms-eval one model with several policies."""

Replies = Mapping[tuple[str, int], tuple[Reply, ...]]
"""(Sample id, attempt) → replies, turn by turn."""
Verdicts = Mapping[tuple[str, int], Mapping[str, Any]]
"""(Sample id, attempt) → the record of its score, as `frameworks.log_record` makes it."""


@dataclass(frozen=True, slots=True)
class LoggedRun:
    """One model on one variant."""

    path: Path
    versions: Mapping[str, str]
    """What its score depended on, as far as the log tells; "framework" is always there."""
    model: str
    model_args: Any
    variant: str
    view: str
    replies: Replies
    verdicts: Verdicts
    """What the run itself made of the replies; empty when no record of it is beside the log."""
    printed: float | None
    """The overall score that the framework printed, per cent; None when the file that holds it is not beside the log."""
    stamp: str
    """When the run was, such as 20261130_000543: by the log's name, else by its file's date. It sorts."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What a run of ours notes of how the model was asked, beside the view."""


def find_logs(paths: Iterable[Path]) -> list[Path]:
    """Each file and each run of ours that is named, and every log of our tasks below each other folder (not runs: they were made from logs).

    Raises DataError for a folder without any, and for a name that is neither.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if not path.exists() and path.suffix not in READABLE:
            raise DataError(f"{path}: no such file or folder; expected {EXPECTED}, or a folder that holds such")
        is_one = not path.is_dir() or (path / RUN).is_file()
        logs = [path] if is_one else sorted({log.resolve() for log in _below(path)})
        if not logs:
            raise DataError(f"{path}: no sample logs in this folder; expected {EXPECTED}")
        found.update(dict.fromkeys(logs))
    return list(found)


def read_log(path: Path) -> LoggedRun:
    """lmms-eval's `…_samples_TASK.jsonl`, VLMEvalKit's result table, or our record beside it, which stands for the table; or a run of ours.

    A table that was evaluated more than once, as with several judges, stands for its latest evaluation.

    Raises DataError for what is none of these, or holds replies of several variants.
    """
    if path.is_dir():
        return _of_ours(path)
    if path.suffix not in READABLE:
        raise DataError(f"{path}: expected {EXPECTED}")
    if path.name.endswith(vlmevalkit.SAMPLES):
        table = vlmevalkit.table_of(path)
        return _of_vlmevalkit(table, [one for one in vlmevalkit.evaluations(table) if one.samples == path])
    return _of_lmms(path) if path.suffix == ".jsonl" else _of_vlmevalkit(path, vlmevalkit.evaluations(path))


def _below(folder: Path) -> Iterator[Path]:
    yield from (log for log in folder.rglob(lmms.PATTERN) if log.is_file() and not lmms.is_of_another_task(log))
    yield from map(vlmevalkit.table_of, folder.rglob(f"*{vlmevalkit.SAMPLES}"))


def _of_lmms(log: Path) -> LoggedRun:
    rows = lmms.read(log)
    variant = _only(log, (row.variant for row in rows))
    _benchmark(log, variant)
    results = _json(log.with_name(f"{log.name.partition('_samples_')[0]}_results.json"))
    config = results.get("config", {})
    return LoggedRun(
        path=log,
        versions={"framework": "lmms-eval", **rows[0].versions},
        model=_model(results.get("model_name") or config.get("model") or log.parent.name, config),
        model_args=str(config.get("model_args") or ""),
        variant=variant,
        view=_only(log, (row.view for row in rows)),
        replies=_distinct(((row.sample_id, row.attempt), row.replies) for row in rows),
        verdicts={(row.sample_id, row.attempt): row.verdict for row in rows},
        printed=results.get("results", {}).get(variant, {}).get("accuracy,none"),
        stamp=named[0] if (named := STAMP.match(log.name)) else _changed(log),
    )


def _of_vlmevalkit(table: Path, evaluations: Sequence[vlmevalkit.Beside]) -> LoggedRun:
    """`evaluations`: those that may be meant, the likeliest first."""
    rows = vlmevalkit.read(table)
    variant = _only(table, (row.variant for row in rows))
    summary = _json(evaluations[0].summary) if evaluations else {}
    low = summary["rows"][0]["low"] if summary else None
    benchmark = _benchmark(table, variant)
    dataset = vlmeval_name(benchmark.variant(variant), benchmark.vlmeval_prefix)
    return LoggedRun(
        path=table,
        versions={"framework": "VLMEvalKit", **summary.get("versions", {})},
        model=table.stem.removesuffix(f"_{dataset}"),
        model_args="",
        variant=variant,
        view=_only(table, (row.view for row in rows)),
        replies=_distinct(((row.sample_id, 0), row.replies) for row in rows),
        verdicts=_verdicts(evaluations[0].samples) if evaluations else {},
        printed=None if low is None else 100 * low,
        stamp=_changed(evaluations[0].samples if evaluations else table),
    )


def _of_ours(folder: Path) -> LoggedRun:
    """A run that `cogsight score` or `cogsight draw` wrote."""
    run = open_run(folder)
    info = run.info
    _benchmark(folder, info.variant)
    said: dict[tuple[str, int], tuple[Reply, ...]] = {}
    for asked, reply in sorted(run.replies().items(), key=lambda item: item[0]):
        key = (asked.sample_id, asked.attempt)
        said[key] = (*said.get(key, ()), reply)
    scores = run.scores() if (folder / SCORES).is_file() else []
    own = {name: getattr(info, name) for name in ("framework", "data", "prompt", "extraction", "cogsight")}
    return LoggedRun(
        path=folder,
        versions={**own, "benchmark": info.benchmark_version, **info.judge},
        model=info.model,
        model_args=info.model_args,
        variant=info.variant,
        view=info.settings.get("view", ""),
        replies=said,
        verdicts={
            (score.sample_id, score.attempt): log_record(score, *said[score.sample_id, score.attempt])
            for score in scores
            if (score.sample_id, score.attempt) in said
        },
        printed=None,
        stamp=_changed(folder / RUN),
        settings=info.settings,
    )


def _verdicts(samples: Path) -> Verdicts:
    """The records of an evaluation of ours. Raises DataError for a line that is none."""
    found: dict[tuple[str, int], Mapping[str, Any]] = {}
    for number, line in enumerate(samples.read_bytes().splitlines(), 1):
        try:
            record = json.loads(line)
            found[record["id"], record["attempt"]] = record
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise DataError(
                f"{samples}, line {number}: damaged: {error!r}; remove the file, and the table is read without it"
            ) from error
    return found


def _benchmark(log: Path, variant: str) -> Benchmark:
    try:
        return get(variant)
    except KeyError as error:
        raise DataError(f"{log}: replies to {variant}: {error.args[0]}") from error


def _model(name: str, config: Mapping[str, Any]) -> str:
    """The model, and of our baseline its policy."""
    policy = re.search(r"policy\W+(\w+)", str(config.get("model_args")))
    return f"{name}_{policy[1]}" if name == BASELINE and policy else name


def _changed(path: Path) -> str:
    return datetime.fromtimestamp(path.stat().st_mtime).strftime(STAMP_FORMAT)


def _only(log: Path, values: Iterable[str]) -> str:
    found = sorted(set(values))
    if len(found) != 1:
        raise DataError(
            f"{log}: {'replies to ' + ', '.join(found) if found else 'no replies'}; expected those of one run"
        )
    return found[0]


def _distinct(logged: Iterable[tuple[tuple[str, int], tuple[Reply, ...]]]) -> Replies:
    """What several ranks logged counts once; where they logged different replies, nobody knows which were scored."""
    found: dict[tuple[str, int], set[tuple[Reply, ...]]] = {}
    for asked, replies in logged:
        found.setdefault(asked, set()).add(replies)
    return {asked: _one(tuple(said)) for asked, said in found.items()}


def _one(said: Sequence[tuple[Reply, ...]]) -> tuple[Reply, ...]:
    return said[0] if len(said) == 1 else (Reply(None, error=f"the log holds {len(said)} different replies"),)


def _json(path: Path) -> dict[str, Any]:
    """The file's object; empty when there is no such file."""
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise DataError(f"{path}: damaged: {error}; remove it, and the log is read without it") from error

"""Which of the logs that were found are scored, and into which folders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from ..errors import DataError
from ..frameworks.logs import LoggedRun
from ..registry import get


def newest(logs: Iterable[LoggedRun], named: Collection[Path]) -> tuple[list[LoggedRun], dict[Path, Path]]:
    """The logs to score: those that were `named`, and of the others the newest run of each kind; left out → newer one."""
    runs: dict[tuple[str, ...], dict[Path, LoggedRun]] = {}
    for log in logs:
        framework = log.versions["framework"].partition(" ")[0]
        kind = (framework, log.model, str(log.model_args), log.variant, log.view)
        runs.setdefault(kind, {}).setdefault(log.path.resolve(), log)
    chosen: list[LoggedRun] = []
    older: dict[Path, Path] = {}
    for same in runs.values():
        last = max(same.values(), key=lambda log: log.stamp)
        for path, log in same.items():
            if log is last or path in named:
                chosen.append(log)
            else:
                older[log.path] = last.path
    return chosen, older


def folder_names(logs: Sequence[LoggedRun]) -> dict[Path, str]:
    """Log → its folder: model, variant and view as one path component, and where that is not enough when the run was.

    Raises DataError for logs that even then have one name.
    """
    count = Counter(map(_folder_name, logs))
    names = {log.path: _folder_name(log) + f"_{log.stamp}" * (count[_folder_name(log)] > 1) for log in logs}
    for name, times in Counter(names.values()).items():
        if times > 1:
            same = ", ".join(str(path) for path, own in names.items() if own == name)
            raise DataError(f"{same}: one model, variant and time; score each with an --out of its own")
    return names


def _folder_name(log: LoggedRun) -> str:
    shown = "" if log.view in ("images", get(log.variant).variant(log.variant).view) else f"_{log.view}"
    text = f"{log.model}_{log.variant}{shown}"
    return "".join(c if c.isalnum() or c in "-_." else "_" for c in text).lstrip(".")

"""An SQLite file that several threads and processes may use at once, and that a kill at any time leaves whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from ..errors import DataError

SECONDS_TO_WAIT = 60.0
"""For another process that is writing."""


class Database:
    """An opened SQLite file, for all threads. Every method raises DataError for a file that is no such thing, or is not writable."""

    def __init__(self, path: Path, *schema: str, read_only: bool = False) -> None:
        """`read_only`: nothing is written or made; where there is no file, all is empty."""
        self.path = path
        self._lock = Lock()
        if read_only:
            name, first = _untouched(path), () if path.exists() else schema
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            name, first = path.absolute().as_uri(), ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=NORMAL", *schema)
        with self._explained():
            self._db = sqlite3.connect(
                name, timeout=SECONDS_TO_WAIT, isolation_level=None, check_same_thread=False, uri=True
            )
        for statement in first:
            self.execute(statement)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """The rows that one statement gives; what it writes is on disk."""
        with self._lock, self._explained():
            return self._db.execute(statement, values).fetchall()

    def write(self, *statements: tuple[str, Iterable[Sequence[Any]]]) -> None:
        """Statements, each with the rows of values to run it for: all of it or, after a kill or an error, nothing."""
        with self._lock, self._explained(), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            for statement, rows in statements:
                self._db.executemany(statement, rows)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise DataError(
                f"{self.path}: cannot keep verdicts: {error}; free some space, or move the file away"
            ) from error


def _untouched(path: Path) -> str:
    """How SQLite opens a file without leaving anything beside it: that of a killed process, with its journal, or one at rest."""
    if not path.exists():
        return "file::memory:"
    journal = path.with_name(f"{path.name}-wal").exists()
    return f"{path.absolute().as_uri()}?mode=ro{'' if journal else '&immutable=1'}"

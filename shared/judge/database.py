"""An SQLite file that several threads and processes may use at once, and that a kill at any time leaves whole."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any

from ..errors import DataError
from ..files import writing

SECONDS_TO_WAIT = 60.0
"""For another process that is writing."""
OURS = 0x636F6773
"""SQLite's application id of our files: "cogs"."""
MIGRATIONS: tuple[str, ...] = ()
"""Statements that bring files of earlier versions to the layout of this one, oldest first; `user_version` counts from 1."""
WRITABLE = "make the file and its folder writable, or set COGSIGHT_CACHE to another folder"
WAYS_OUT = {
    "full": "free some space, and run this again",
    "readonly": WRITABLE,
    "unable to open": WRITABLE,
    "locked": "another process holds it; run this again when that has ended",
    "another program": "set COGSIGHT_CACHE to another folder, or move the file away",
    "newer": "update cogsight, or set COGSIGHT_CACHE to another folder",
}
"""By a word of what is wrong."""
DAMAGED = "the file is damaged, or not ours; move it away, and what was in it is judged anew"
MOUNTS = Path("/proc/self/mounts")
REMOTE = (
    "nfs",
    "cifs",
    "smb",
    "lustre",
    "gpfs",
    "beegfs",
    "ceph",
    "9p",
    "afs",
    "pvfs",
    "orangefs",
    "glusterfs",
    "fuse",
)
"""How the names of file systems begin that other machines may have mounted, too."""


class Database:
    """An opened SQLite file, for all threads. Every method raises DataError for a file that is no such thing, or is not writable.

    A forked process opens the file anew: SQLite's connections must not be carried over.
    """

    def __init__(self, path: Path, *schema: str, read_only: bool = False) -> None:
        """`read_only`: nothing is written or made; where there is no file, all is empty."""
        self.path = path
        self._schema = schema
        self._read_only = read_only
        self._left: list[sqlite3.Connection] = []  # by the process that forked: not ours to close
        self._open()

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """The rows that one statement gives; what it writes is on disk."""
        with self._connection() as db:
            return db.execute(statement, values).fetchall()

    def write(self, *statements: tuple[str, Iterable[Sequence[Any]]]) -> None:
        """Statements, each with the rows of values to run it for: all of it or, after a kill or an error, nothing."""
        with self._connection() as db, _transaction(db):
            for statement, rows in statements:
                db.executemany(statement, rows)

    def check_writable(self) -> None:
        """Raises DataError when nothing could be written, before somebody pays for what is to be."""
        self.write()

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        if self._process != os.getpid():
            self._left.append(self._db)
            self._open()
        with self._lock, self._explained():
            yield self._db

    def _open(self) -> None:
        self._process, self._lock = os.getpid(), Lock()
        name = _untouched(self.path) if self._read_only else self.path.absolute().as_uri()
        if not self._read_only:
            with writing(self.path, "set COGSIGHT_CACHE to another folder"):
                self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._explained():
            self._db = sqlite3.connect(
                name, timeout=SECONDS_TO_WAIT, isolation_level=None, check_same_thread=False, uri=True
            )
            if not self._read_only:
                _tune(self._db, "DELETE" if is_remote(self.path) else "WAL")
                self._prepare()
            elif not self.path.exists():
                for statement in self._schema:
                    self._db.execute(statement)

    def _prepare(self) -> None:
        if (_one(self._db, "application_id"), _one(self._db, "user_version")) != (OURS, 1 + len(MIGRATIONS)):
            with _transaction(self._db):
                _upgrade(self._db)
        for statement in self._schema:
            self._db.execute(statement)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            way_out = next((way for word, way in WAYS_OUT.items() if word in str(error)), DAMAGED)
            raise DataError(f"{self.path}: cannot keep verdicts here: {error}; {way_out}") from error


def is_remote(path: Path) -> bool:
    """Whether a path lies on a file system that other machines may use at the same time. Known on Linux only."""
    try:
        lines = MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    place = path.absolute().parent.resolve()
    mounted = {Path(mount.replace("\\040", " ")): kind for _, mount, kind, *_ in map(str.split, lines)}
    return next((mounted[at].startswith(REMOTE) for at in (place, *place.parents) if at in mounted), False)


def _tune(db: sqlite3.Connection, journal: str) -> None:
    """The write-ahead log is the faster journal, and one that needs all processes on one machine; some file systems cannot have it."""
    # where another process is opening the file, too, or a file system cannot have it, any journal will do
    with suppress(sqlite3.OperationalError):
        db.execute(f"PRAGMA journal_mode = {journal}")
    db.execute("PRAGMA synchronous = NORMAL")


def _upgrade(db: sqlite3.Connection) -> None:
    """Mark a new file as ours; bring one of an earlier version up to date. Raises sqlite3.DatabaseError for any other."""
    version = _one(db, "user_version")
    if not db.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]:
        version = 1 + len(MIGRATIONS)
    elif _one(db, "application_id") != OURS:
        raise sqlite3.DatabaseError("it is a file of another program")
    elif version > 1 + len(MIGRATIONS):
        raise sqlite3.DatabaseError("it was made by a newer version of cogsight")
    for statement in (
        *MIGRATIONS[version - 1 :],
        f"PRAGMA application_id = {OURS}",
        f"PRAGMA user_version = {1 + len(MIGRATIONS)}",
    ):
        db.execute(statement)


def _one(db: sqlite3.Connection, pragma: str) -> int:
    return int(db.execute(f"PRAGMA {pragma}").fetchone()[0])


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    with db:
        yield


def _untouched(path: Path) -> str:
    """How SQLite opens a file without leaving anything beside it: that of a killed process, with its journal, or one at rest."""
    if not path.exists():
        return "file::memory:"
    journal = path.with_name(f"{path.name}-wal").exists()
    return f"{path.absolute().as_uri()}?mode=ro{'' if journal else '&immutable=1'}"

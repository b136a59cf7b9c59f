"""The file of verdicts: what is in it stays, whoever else writes, and whatever is wrong with it is said."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from scripted_judge import query

from cogsight.shared.errors import DataError
from cogsight.shared.judge import database, prompts
from cogsight.shared.judge.database import Database, is_remote
from cogsight.shared.judge.store import Store, Vote

A, B = Vote({"reason": "é \ud800", "answer": "A"}, "m-1", 10, 2), Vote({"answer": "B"})
WRITER = """
import sys
from pathlib import Path
from scripted_judge import query
from cogsight.shared.judge.store import Store, Vote
store = Store(Path(sys.argv[1]))
for number in range(int(sys.argv[2]), int(sys.argv[3])):
    store.add("grader", query(number), 0, Vote({"answer": sys.argv[4]}))
    print(number, flush=True)
"""
"""Writes votes on these numbers, and says which it has written."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "judgements.sqlite"


def writer(path: Path, first: int, last: int, answer: str = "A") -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(path), str(first), str(last), answer]
    folders = os.pathsep.join(sys.path)
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": folders})


def journal(path: Path) -> str:
    with sqlite3.connect(path) as db:
        return str(db.execute("PRAGMA journal_mode").fetchone()[0])


def test_a_vote_comes_back_whole_and_in_another_process(path: Path) -> None:
    store = Store(path)
    store.add("grader", query(1), 1, A)
    store.close()
    assert Store(path).votes("grader", query(1), 3) == [None, A, None]
    assert Store(path).votes("grader", query(1), 1) == [None]


def test_the_first_vote_stays(path: Path) -> None:
    store = Store(path)
    store.add("grader", query(1), 0, A)
    store.add("grader", query(1), 0, B)
    assert store.votes("grader", query(1), 1) == [A]


def test_all_that_a_verdict_depends_on_is_in_its_key(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, asked = Store(path), query(1)
    store.add("grader", asked, 0, A)
    others = [query(2), replace(asked, reference={**asked.reference, "question": "?"}), replace(asked, letters=("A",))]
    assert [store.votes("grader", other, 1) for other in others] == [[None]] * 3
    assert store.votes("other", asked, 1) == [None]
    newer = {**prompts.TEMPLATES, asked.template: replace(prompts.TEMPLATES[asked.template], version="next")}
    monkeypatch.setattr(prompts, "TEMPLATES", newer)
    assert store.votes("grader", asked, 1) == [None]
    store.add("grader", asked, 0, B)
    monkeypatch.undo()
    assert store.votes("grader", asked, 1) == [A]


def test_forgetting_takes_all_votes_on_a_query_and_no_other(path: Path) -> None:
    store = Store(path)
    for number, vote in ((1, 0), (1, 1), (2, 0), (3, 0)):
        store.add("grader", query(number), vote, A)
    store.add("other", query(1), 0, A)
    store.forget("grader", [query(1), query(3)])
    assert [store.votes("grader", query(number), 2) for number in (1, 2, 3)] == [[None] * 2, [A, None], [None] * 2]
    assert store.votes("other", query(1), 1) == [A]


def test_threads_share_a_store(path: Path) -> None:
    store = Store(path)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: store.add("grader", query(number % 50), 0, A), range(200)))
        assert list(pool.map(lambda number: store.votes("grader", query(number), 1), range(50))) == [[A]] * 50
        list(pool.map(lambda _: store.forget("grader", map(query, range(50))), range(40)))
    assert [store.votes("grader", query(number), 1) for number in range(50)] == [[None]] * 50


@pytest.mark.slow
def test_processes_open_and_fill_one_new_file_at_the_same_time(path: Path) -> None:
    writers = [writer(path, 20 * n, 20 * n + 40, "AB"[n % 2]) for n in range(4)]
    assert [one.communicate(timeout=60) and one.returncode for one in writers] == [0] * 4
    store = Store(path)
    assert all(store.votes("grader", query(number), 1) != [None] for number in range(100))
    assert store.votes("grader", query(100), 1) == [None]


def test_a_kill_loses_nothing_that_was_written(path: Path) -> None:
    with writer(path, 0, 1_000_000) as process:
        assert process.stdout
        written = [int(process.stdout.readline()) for _ in range(40)]
        process.send_signal(signal.SIGKILL)
        written += [int(line) for line in process.stdout.read().split("\n")[:-1]]
    store = Store(path)
    assert written == list(range(len(written)))
    assert all(store.votes("grader", query(number), 1) == [Vote({"answer": "A"})] for number in written)
    assert store._db.execute("PRAGMA integrity_check") == [("ok",)]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_a_fork_uses_a_connection_of_its_own(path: Path) -> None:
    store = Store(path)
    store.add("grader", query(0), 0, A)
    before = store._db._db

    def child() -> None:
        store.add("grader", query(1), 0, B)
        os._exit(store.votes("grader", query(0), 1) != [A] or store._db._db is before)

    with store._db._lock:  # held by another thread of the parent at the moment of the fork
        process = multiprocessing.get_context("fork").Process(target=child)
        process.start()
    process.join(timeout=20)
    assert process.exitcode == 0
    assert store.votes("grader", query(1), 1) == [B]
    assert store._db._db is before


def failure(path: Path) -> str:
    with pytest.raises(DataError) as caught:
        Store(path).check_writable()
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_a_file_that_is_no_store(path: Path, tmp_path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"these are notes, not a database" * 100)
    assert "not a database; the file is damaged, or not ours; move it away" in failure(path)
    assert path.read_bytes().startswith(b"these are notes")
    path.unlink()
    path.mkdir()
    assert "set COGSIGHT_CACHE to another folder" in failure(path)


def test_another_programs_database_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE bookmarks (url TEXT)")
    assert "it is a file of another program; set COGSIGHT_CACHE" in failure(path)
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT name FROM sqlite_master").fetchall() == [("bookmarks",)]


def test_a_file_where_its_folder_should_be(path: Path) -> None:
    path.parent.write_text("")
    assert "set COGSIGHT_CACHE to another folder" in failure(path)


def test_a_damaged_page(path: Path) -> None:
    store = Store(path)
    for number in range(300):
        store.add("grader", query(number), 0, A)
    store.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * 8192 + whole[4096 + 8192 :])
    damaged = Store(path)
    with pytest.raises(DataError, match="malformed; the file is damaged") as caught:
        for number in range(300):
            damaged.votes("grader", query(number), 1)
    assert str(path) in str(caught.value)


def test_a_store_that_cannot_be_written_says_so_before_anybody_pays(path: Path) -> None:
    store = Store(path)
    store.add("grader", query(1), 0, A)
    store._db.execute("PRAGMA query_only = 1")  # what a read-only file says, whoever runs the tests
    with pytest.raises(DataError, match="readonly database; make the file and its folder writable") as caught:
        store.check_writable()
    assert str(path) in str(caught.value)
    assert store.votes("grader", query(1), 1) == [A], "what is there can be read"


def test_a_full_disk(path: Path) -> None:
    store = Store(path)
    store._db.execute("PRAGMA max_page_count = 8")
    kept: list[int] = []
    with pytest.raises(DataError, match=r"disk is full; free some space") as caught:
        for number in range(1000):
            store.add("grader", query(number), 0, A)
            kept.append(number)
    assert str(path) in str(caught.value)
    assert all(store.votes("grader", query(number), 1) == [A] for number in kept)
    assert store.votes("grader", query(len(kept)), 1) == [None]


def test_a_lock_that_another_process_never_lets_go(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "SECONDS_TO_WAIT", 0.1)
    store = Store(path)
    with sqlite3.connect(path, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DataError, match="locked; another process holds it"):
            store.add("grader", query(1), 0, A)
    store.add("grader", query(1), 0, A)


def test_where_there_is_no_write_ahead_log_another_journal_does(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(path).close()
    assert journal(path) == "wal"
    monkeypatch.setattr(database, "is_remote", lambda path: True)
    remote = path.with_name("remote.sqlite")
    store = Store(remote)
    store.add("grader", query(1), 0, A)
    assert journal(remote) == "delete"
    monkeypatch.undo()
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=NoLog))
    refusing = Store(path.with_name("refusing.sqlite"))
    refusing.add("grader", query(1), 0, A)
    assert refusing.votes("grader", query(1), 1) == [A]


class NoLog(sqlite3.Connection):
    """On a file system that cannot have the log."""

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        if "journal_mode" in statement:
            raise sqlite3.OperationalError("locking protocol")
        return super().execute(statement, *values)


@pytest.mark.parametrize(
    ("mounts", "remote"),
    [
        ("server:/home /home nfs4 rw 0 0", True),
        ("/dev/sda / ext4 rw 0 0\nserver:/home /home nfs4 rw 0 0\n/dev/sdb /home/me/.cache xfs rw 0 0", False),
        ("/dev/sda / ext4 rw 0 0\nserver /home/me lustre rw 0 0", True),
        ("me@server: /home/me fuse.sshfs rw 0 0", True),
        ("/dev/sda / ext4 rw 0 0\nserver /home/other nfs rw 0 0", False),
        ("", False),
    ],
)
def test_file_systems_of_several_machines(
    mounts: str, remote: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "MOUNTS", tmp_path / "mounts")
    assert is_remote(Path("/home/me/.cache/cogsight/file")) is False, "where nobody knows"
    (tmp_path / "mounts").write_text(mounts)
    assert is_remote(Path("/home/me/.cache/cogsight/file")) is remote


def test_an_older_file_is_brought_up_to_date_and_a_newer_one_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(path)
    store.add("grader", query(1), 0, A)
    store.close()
    monkeypatch.setattr(database, "MIGRATIONS", ("ALTER TABLE votes ADD COLUMN price REAL",))
    for _ in range(2):
        newer = Store(path)
        assert newer.votes("grader", query(1), 1) == [A]
        assert newer._db.execute("SELECT price FROM votes") == [(None,)]
        newer.close()
    monkeypatch.undo()
    assert "made by a newer version of cogsight; update cogsight" in failure(path)


def test_reading_leaves_nothing_behind(path: Path) -> None:
    assert Store(path, read_only=True).votes("grader", query(1), 1) == [None]
    assert not path.parent.exists()
    store = Store(path)
    store.add("grader", query(1), 0, A)
    store.close()
    files = sorted(path.parent.iterdir())
    assert Store(path, read_only=True).votes("grader", query(1), 1) == [A]
    assert sorted(path.parent.iterdir()) == files == [path]


def test_several_writes_are_one(path: Path) -> None:
    db = Database(path, "CREATE TABLE IF NOT EXISTS numbers (n INTEGER PRIMARY KEY)")
    with pytest.raises(DataError):
        db.write(("INSERT INTO numbers VALUES (?)", [(1,), (2,)]), ("INSERT INTO numbers VALUES (?)", [(1,)]))
    assert db.execute("SELECT * FROM numbers") == []

"""Verdicts on disk, each written as it arrives: nobody pays for the same verdict twice.

One SQLite file for all runs, in the cache folder. Several processes may use it at once, and a kill at any time loses nothing that
was written. A verdict's key holds all that it depends on: the judge's model, the template's version, the query, and which vote it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from .database import Database
from .prompts import version_of
from .query import Query, Value

FILE = "judgements.sqlite"
SCHEMA = """
CREATE TABLE IF NOT EXISTS votes (
    judge TEXT, prompt TEXT, query TEXT, vote INTEGER,   -- the key: model, template version, digest of the query, number of the vote
    verdict TEXT NOT NULL,                               -- JSON object: field -> value
    model TEXT, prompt_tokens INTEGER, completion_tokens INTEGER, judged TEXT,
    PRIMARY KEY (judge, prompt, query, vote)
) WITHOUT ROWID
"""


@dataclass(frozen=True, slots=True)
class Vote:
    """One answer of the judge."""

    values: Mapping[str, Value]
    model: str = ""
    """What the server says has answered."""
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Store:
    """An opened file of votes, for all threads. Raises DataError for a file that is no such store."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._db = Database(path, SCHEMA, read_only=read_only)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def votes(self, judge: str, query: Query, wanted: int) -> list[Vote | None]:
        """The first `wanted` votes on a query; None for those that are not there."""
        rows = self._db.execute(
            "SELECT vote, verdict, model, prompt_tokens, completion_tokens FROM votes"
            " WHERE judge = ? AND prompt = ? AND query = ? AND vote < ?",
            (*_key(judge, query), wanted),
        )
        found = {number: Vote(json.loads(verdict), *rest) for number, verdict, *rest in rows}
        return [found.get(number) for number in range(wanted)]

    def add(self, judge: str, query: Query, number: int, vote: Vote) -> None:
        """Write a vote down. One that another process has written meanwhile stays."""
        now = datetime.now(timezone.utc).isoformat(timespec="seconds")
        verdict = json.dumps(dict(vote.values), ensure_ascii=True)
        counted = (vote.model, vote.prompt_tokens, vote.completion_tokens)
        self._db.execute(
            "INSERT OR IGNORE INTO votes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*_key(judge, query), number, verdict, *counted, now),
        )

    def tokens(self, judge: str, template: str) -> tuple[int, float, float]:
        """How many votes by this judge on this version of a template say what they took; mean tokens of their prompts and completions."""
        rows = self._db.execute(
            "SELECT COUNT(*), AVG(prompt_tokens), AVG(completion_tokens) FROM votes"
            " WHERE judge = ? AND prompt = ? AND prompt_tokens > 0",
            (judge, version_of(template)),
        )
        count, prompt, completion = rows[0]
        return count, prompt or 0.0, completion or 0.0

    def forget(self, judge: str, queries: Iterable[Query]) -> None:
        """Remove all votes on these queries."""
        keys = (_key(judge, query) for query in queries)
        self._db.write(("DELETE FROM votes WHERE judge = ? AND prompt = ? AND query = ?", keys))

    def check_writable(self) -> None:
        """Raises DataError when no vote could be added."""
        self._db.check_writable()


def _key(judge: str, query: Query) -> tuple[str, str, str]:
    return judge, version_of(query.template), query.digest

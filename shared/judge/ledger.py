"""Which batches are under way, and what is in them: beside the votes, in the same file, so that a killed run's batches are found again.

A batch is noted as planned just before the server is asked to make it, and gets its name at the server right after. Its metadata
there name the plan, so that one whose making was the last thing a killed run did is told from one that never was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from time import time

from .database import Database
from .endpoint import Endpoint

DAYS_KEPT = 30
"""So long does OpenAI keep what a batch brought; then nobody can read it any more."""

SCHEMA = (
    """
    CREATE TABLE IF NOT EXISTS batches (
        plan TEXT PRIMARY KEY,   -- our name for it
        judge TEXT, host TEXT,
        batch TEXT,              -- the server's name for it; NULL while it is not known
        planned REAL             -- seconds since 1970
    ) WITHOUT ROWID
    """,
    "CREATE TABLE IF NOT EXISTS batch_units (plan TEXT, unit TEXT, PRIMARY KEY (plan, unit)) WITHOUT ROWID",
    """
    CREATE TABLE IF NOT EXISTS batch_failures (
        judge TEXT, host TEXT, unit TEXT, times INTEGER NOT NULL, PRIMARY KEY (judge, host, unit)
    ) WITHOUT ROWID
    """,
)


@dataclass(frozen=True, slots=True)
class Plan:
    """A batch that may be alive."""

    name: str
    batch: str | None
    """The server's name for it; None when a run was killed before it knew."""
    planned: float
    """When, in seconds since 1970."""


class Ledger:
    """The batches at one endpoint. Raises DataError when the file cannot be used."""

    def __init__(self, path: Path, endpoint: Endpoint) -> None:
        self.path = path
        self._judge = (endpoint.model, endpoint.host)
        self._db = Database(path, *SCHEMA)
        self._forget("planned < ?", time() - DAYS_KEPT * 86_400)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def plan(self, units: Iterable[str]) -> Plan:
        """Note that a batch of these units is about to be made."""
        plan = Plan(token_hex(12), None, time())
        self._db.write(
            ("INSERT INTO batches VALUES (?, ?, ?, NULL, ?)", [(plan.name, *self._judge, plan.planned)]),
            ("INSERT INTO batch_units VALUES (?, ?)", ((plan.name, unit) for unit in units)),
        )
        return plan

    def made(self, plan: Plan, batch: str) -> None:
        """Note the server's name for a batch."""
        self._db.execute("UPDATE batches SET batch = ? WHERE plan = ?", (batch, plan.name))

    def plans(self, holding: Collection[str]) -> list[Plan]:
        """The batches in which any of these units is, oldest first."""
        rows = self._db.execute(
            "SELECT unit, plan, batch, planned FROM batch_units JOIN batches USING (plan) WHERE judge = ? AND host = ?",
            self._judge,
        )
        return sorted({Plan(*about) for unit, *about in rows if unit in holding}, key=lambda plan: plan.planned)

    def units(self, plan: Plan) -> set[str]:
        """What is in a batch, as far as nobody has settled it."""
        return {unit for (unit,) in self._db.execute("SELECT unit FROM batch_units WHERE plan = ?", (plan.name,))}

    def settle(self, plan: Plan, units: Collection[str], failed: Collection[str]) -> Counter[str]:
        """A batch has brought what it brings on these units; returns how often each of those that failed has done so by now.

        The others' failures are forgotten, and the batch is with its last unit.
        """
        keys = [(*self._judge, unit) for unit in units if unit not in failed]
        self._db.write(
            ("DELETE FROM batch_failures WHERE judge = ? AND host = ? AND unit = ?", keys),
            (  # once, even when another process reads the same batch
                "INSERT INTO batch_failures SELECT ?, ?, unit, 1 FROM batch_units WHERE plan = ? AND unit = ?"
                " ON CONFLICT DO UPDATE SET times = times + 1",
                [(*self._judge, plan.name, unit) for unit in failed],
            ),
            ("DELETE FROM batch_units WHERE plan = ? AND unit = ?", [(plan.name, unit) for unit in units]),
            (
                "DELETE FROM batches WHERE plan = ? AND NOT EXISTS (SELECT * FROM batch_units WHERE plan = batches.plan)",
                [(plan.name,)],
            ),
        )
        return self.failures(failed)

    def failures(self, units: Collection[str]) -> Counter[str]:
        """How often each of these units has failed by itself."""
        rows = self._db.execute("SELECT unit, times FROM batch_failures WHERE judge = ? AND host = ?", self._judge)
        return Counter({unit: times for unit, times in rows if unit in units})

    def absolve(self, units: Iterable[str]) -> None:
        """Forget the failures of these units: they are given up, and another run may try anew."""
        keys = [(*self._judge, unit) for unit in units]
        self._db.write(("DELETE FROM batch_failures WHERE judge = ? AND host = ? AND unit = ?", keys))

    def drop(self, plan: Plan) -> None:
        """Forget a batch: there is none, or nothing can be had from it."""
        self._forget("plan = ?", plan.name)

    def _forget(self, condition: str, value: object) -> None:
        chosen = f"SELECT plan FROM batches WHERE {condition}"  # noqa: S608 - the conditions are two constants of ours
        self._db.write(
            (f"DELETE FROM batch_units WHERE plan IN ({chosen})", [(value,)]),  # noqa: S608
            (f"DELETE FROM batches WHERE {condition}", [(value,)]),  # noqa: S608
        )

"""Which judge a framework or a command has been told to ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..benchmark import Benchmark
from ..errors import CogsightError
from ..judge.batch import HOURS, Batches
from ..judge.endpoint import Endpoint, endpoint
from ..judge.model import ModelJudge
from ..judge.store import FILE
from ..redact import keep_secret
from ..settings import settings


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """What somebody said by options; None: nothing, so that the environment decides."""

    model: str | None = None
    """"none", "" or "exact_matching": no judge, whatever the environment says."""
    base_url: str | None = None
    api_key: str | None = None
    votes: int | None = None
    concurrency: int | None = None

    def __post_init__(self) -> None:
        if self.votes is not None and self.votes % 2 == 0:
            raise CogsightError(f"--votes {self.votes}: expected an odd number, so that there is a majority")
        if self.api_key:
            keep_secret(self.api_key)


def judge_of(benchmark: Benchmark, options: JudgeOptions = JudgeOptions(), asked: bool = True) -> Endpoint | None:
    """The judge for a benchmark; None when nobody names one. Raises CogsightError for settings that cannot be used.

    `asked`: whether anything will be sent to it, else it needs no key.
    """
    found = endpoint(options.model, options.base_url, options.api_key, benchmark.judge_model, asked)
    given = {"votes": options.votes, "concurrency": options.concurrency}
    changed: Mapping[str, Any] = {name: value for name, value in given.items() if value is not None}
    return found and replace(found, options=replace(found.options, **changed))


@dataclass
class Judges:
    """The judge of each benchmark, made when it is first asked for; one for all benchmarks that have the same."""

    options: JudgeOptions = JudgeOptions()
    rejudge: bool = False
    batch: bool = False
    """Through OpenAI's batch interface: cheaper, some hours later."""
    batch_hours: float = HOURS
    """How long to wait for batches."""
    read_only: bool = False
    """Not to be asked: it knows the verdicts that are kept."""
    _made: dict[Endpoint, ModelJudge] = field(default_factory=dict)

    def of(self, benchmark: Benchmark) -> ModelJudge | None:
        """None when nobody names one. Raises CogsightError for settings that cannot be used."""
        endpoint = judge_of(benchmark, self.options, asked=not self.read_only)
        if endpoint is not None and endpoint not in self._made:
            self._made[endpoint] = self._make(endpoint)
        return self._made[endpoint] if endpoint else None

    def _make(self, endpoint: Endpoint) -> ModelJudge:
        store = settings().cache / FILE
        transport = Batches(store, self.batch_hours) if self.batch else None
        return ModelJudge(endpoint, store=store, rejudge=self.rejudge, transport=transport, read_only=self.read_only)

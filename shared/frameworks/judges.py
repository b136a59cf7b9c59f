"""Which judge a framework or a command has been told to ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from typing import Any

from ..benchmark import Benchmark
from ..errors import CogsightError
from ..judge.endpoint import Endpoint, endpoint
from ..judge.model import ModelJudge
from ..redact import keep_secret


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


def judge_of(benchmark: Benchmark, options: JudgeOptions = JudgeOptions()) -> Endpoint | None:
    """The judge for a benchmark; None when nobody names one. Raises CogsightError for settings that cannot be used."""
    found = endpoint(options.model, options.base_url, options.api_key, benchmark.judge_model)
    given = {"votes": options.votes, "concurrency": options.concurrency}
    changed: Mapping[str, Any] = {name: value for name, value in given.items() if value is not None}
    return found and replace(found, options=replace(found.options, **changed))


@contextmanager
def opened(endpoint: Endpoint | None, **how: Any) -> Iterator[ModelJudge | None]:
    """The judge behind an endpoint, which lets go of its store at the end. `how`: as ModelJudge takes it."""
    if endpoint is None:
        yield None
        return
    with closing(ModelJudge(endpoint, **how)) as judge:
        yield judge

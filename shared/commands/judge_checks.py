"""What `cogsight doctor` says of the judge: which one would be asked, and, only when told to ask, whether it answers."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator

from ..frameworks.judges import judge_of
from ..judge.client import Client
from ..judge.endpoint import Endpoint
from ..judge.query import JudgeError
from ..registry import benchmarks
from .checks import Finding, Level

TOPIC = "judge"
CORRECT = "is its server up, and are COGSIGHT_JUDGE_MODEL, _BASE_URL and _API_KEY what it expects?"
NAME_ONE = (
    "to have a judge read what rules cannot: COGSIGHT_JUDGE_MODEL, or --judge MODEL of `cogsight score` and run.py"
)


def judge() -> Iterator[Finding]:
    """The judge that the environment names. It is not asked."""
    for endpoint, names in _named().items():
        if endpoint is None:
            yield Finding(Level.OK, TOPIC, _none(), NAME_ONE)
        else:
            text = f"{_described(endpoint)}, for {names}; not asked"
            yield Finding(Level.OK, TOPIC, text, "to ask it one question: cogsight doctor --probe-judge")


def judge_answers() -> Iterator[Finding]:
    """The same, and one question to it."""
    for endpoint, names in _named().items():
        if endpoint is None:
            yield Finding(Level.NOTE, TOPIC, f"{_none()}: nothing to ask", NAME_ONE)
            continue
        try:
            asyncio.run(_probe(endpoint))
        except JudgeError as error:
            yield Finding(Level.FAULT, TOPIC, str(error), CORRECT)
        else:
            yield Finding(Level.OK, TOPIC, f"{_described(endpoint)} answers, for {names}")


async def _probe(endpoint: Endpoint) -> None:
    async with Client(endpoint) as client:
        await client.probe()


def _named() -> dict[Endpoint | None, str]:
    """Judge → the benchmarks that would ask it. Raises CogsightError for settings that cannot be used."""
    found: dict[Endpoint | None, list[str]] = {}
    for name, benchmark in benchmarks().items():
        found.setdefault(judge_of(benchmark), []).append(name)
    return {endpoint: ", ".join(names) for endpoint, names in found.items()}


def _described(endpoint: Endpoint) -> str:
    votes = f", {endpoint.options.votes} votes" if endpoint.options.votes > 1 else ""
    return f"{endpoint.model} at {endpoint.host}{votes}"


def _none() -> str:
    alone = " (OPENAI_API_KEY alone names none)" if os.environ.get("OPENAI_API_KEY") else ""
    return f"none named{alone}: replies that rules cannot read stay unread"

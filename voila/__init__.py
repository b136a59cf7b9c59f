"""VOILA: visual analogies over number, subject and action (arXiv 2503.00043)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .benchmark import BENCHMARK as BENCHMARK


def __getattr__(name: str) -> Any:
    if name != "BENCHMARK":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .benchmark import BENCHMARK

    return BENCHMARK

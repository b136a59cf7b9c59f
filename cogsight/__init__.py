"""cogsight: four visual-cognition benchmarks for lmms-eval and VLMEvalKit. See README.md.

Importing it costs the standard library only: everything below is loaded when first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "get": "registry",
    "extract": "extraction",
    "read": "dataset",
    "write": "dataset",
    **dict.fromkeys(("Extraction", "Finish", "Message", "Outcome", "Picture", "Reply", "Sample", "Score"), "sample"),
    "Summary": "summary",
    "Variant": "variants",
    "Benchmark": "benchmark",
}

__all__ = ["__version__", *_HOMES]

if TYPE_CHECKING:
    from cogsight.shared.benchmark import Benchmark
    from cogsight.shared.dataset import read, write
    from cogsight.shared.extraction import extract
    from cogsight.shared.registry import get
    from cogsight.shared.sample import Extraction, Finish, Message, Outcome, Picture, Reply, Sample, Score
    from cogsight.shared.summary import Summary
    from cogsight.shared.variants import Variant


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'cogsight' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"cogsight.shared.{_HOMES[name]}"), name)

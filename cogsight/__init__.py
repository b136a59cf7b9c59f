"""cogsight: four visual-cognition benchmarks for lmms-eval and VLMEvalKit. See README.md.

Importing it loads nothing else, for `cogsight.pth` does so at every interpreter start: each name below is fetched when first
asked for.
"""

TYPE_CHECKING = False  # `typing` would cost more than everything else at start; type checkers take this name for True

if TYPE_CHECKING:
    from cogsight.shared.benchmark import Benchmark
    from cogsight.shared.dataset import read, write
    from cogsight.shared.extraction import extract
    from cogsight.shared.registry import get
    from cogsight.shared.sample import Extraction, Finish, Message, Outcome, Picture, Reply, Sample, Score
    from cogsight.shared.summary import Summary
    from cogsight.shared.variants import Variant

__version__ = "0.1.0"

__all__ = [
    "Benchmark",
    "Extraction",
    "Finish",
    "Message",
    "Outcome",
    "Picture",
    "Reply",
    "Sample",
    "Score",
    "Summary",
    "Variant",
    "__version__",
    "extract",
    "get",
    "read",
    "write",
]

_HOMES = {
    "Benchmark": "benchmark",
    "Summary": "summary",
    "Variant": "variants",
    "extract": "extraction",
    "get": "registry",
    "read": "dataset",
    "write": "dataset",
}
"""Module of `cogsight.shared` in which a public name lives, if not in `sample`."""


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'cogsight' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"cogsight.shared.{_HOMES.get(name, 'sample')}"), name)

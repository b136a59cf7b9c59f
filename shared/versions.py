"""What a score depends on, as one table: every score that is printed or written carries it (DESIGN rule 5)."""

from __future__ import annotations

from collections.abc import Mapping

from cogsight import __version__

from .benchmark import Benchmark
from .errors import DataError
from .variants import Variant

EXTRACTION_VERSION = "1"
"""Changes when a reply may be read differently."""

ASKED = ("data", "prompt")
"""Those that decide what the model was asked; the others decide how its reply is scored."""


def versions(benchmark: Benchmark, variant: Variant, framework: str) -> dict[str, str]:
    """Name → version. `framework`: name and version of what ran the model. Reads a local copy of an official release, to hash it."""
    return {
        "benchmark": benchmark.version,
        "data": benchmark.cache_key(variant) if benchmark.cache_key else "",
        "prompt": benchmark.prompt_version,
        "extraction": EXTRACTION_VERSION,
        "cogsight": __version__,
        "framework": framework,
    }


def check_asked(recorded: Mapping[str, str], now: Mapping[str, str], log: object) -> None:
    """Raise DataError when the model was asked other questions than those its replies would now be scored against."""
    for name in ASKED:
        if recorded.get(name, now[name]) != now[name]:
            raise DataError(
                f"{log}: its {name} version is {recorded[name]}, here it is {now[name]}: the replies answer other questions."
                " Score them with the cogsight version and the data (COGSIGHT_CACHE, data variables) of that run"
            )

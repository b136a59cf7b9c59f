"""Which benchmarks are installed: the entry points `cogsight.benchmarks`, so that another package can add one."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points

from .benchmark import Benchmark
from .variants import Variant, vlmeval_name


@cache
def benchmarks() -> dict[str, Benchmark]:
    """Name → Benchmark, sorted by name."""
    points = sorted(entry_points(group="cogsight.benchmarks"), key=lambda point: point.name)
    return {point.name: point.load() for point in points}


def get(name: str) -> Benchmark:
    """A benchmark by its name, or by the name of one of its variants in either framework.

    Raises KeyError that lists the names when none fits.
    """
    found = benchmarks()
    if name in found:
        return found[name]
    for benchmark in found.values():
        for variant in benchmark.variants:
            if name in (variant.name, vlmeval_name(variant, benchmark.vlmeval_prefix)):
                return benchmark
    raise KeyError(f"no benchmark {name!r}; installed: {', '.join(found) or 'none (reinstall cogsight)'}")


def variants() -> list[tuple[Benchmark, Variant]]:
    """Every runnable variant of every installed benchmark."""
    return [(benchmark, variant) for benchmark in benchmarks().values() for variant in benchmark.variants]

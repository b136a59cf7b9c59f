"""Which benchmarks are installed: the entry points `cogsight.benchmarks`, so that another package can add one."""

from __future__ import annotations

import warnings
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from .benchmark import Benchmark
from .variants import Variant, names


@cache
def benchmarks() -> dict[str, Benchmark]:
    """Name → Benchmark, sorted by name. One that cannot be loaded is left out, with a warning: it must not take others down."""
    points = sorted(entry_points(group="cogsight.benchmarks"), key=lambda point: point.name)
    return {point.name: found for point in points if (found := _load(point)) is not None}


def left_out() -> list[EntryPoint]:
    """Where the benchmarks should be that cannot be loaded."""
    return [point for point in entry_points(group="cogsight.benchmarks") if point.name not in benchmarks()]


def _load(point: EntryPoint) -> Benchmark | None:
    try:
        loaded: Benchmark = point.load()
    except Exception as error:  # noqa: BLE001 - another package's fault, which may be any; whoever asks for its name is told
        with warnings.catch_warnings():
            warnings.simplefilter("always")  # lmms_eval.utils silences all warnings
            warnings.warn(
                f"cogsight left out the benchmark {point.name}: {error!r}; run: cogsight doctor", stacklevel=3
            )
        return None
    return loaded


def get(name: str) -> Benchmark:
    """A benchmark by its name, or by the name of one of its variants in either framework.

    Raises KeyError that lists the names when none fits.
    """
    found = benchmarks()
    if name in found:
        return found[name]
    for benchmark in found.values():
        for variant in benchmark.variants:
            if name in names(variant, benchmark.vlmeval_prefix):
                return benchmark
    raise KeyError(f"no benchmark {name!r}; installed: {', '.join(found) or 'none (reinstall cogsight)'}")


def variants() -> list[tuple[Benchmark, Variant]]:
    """Every runnable variant of every installed benchmark."""
    return [(benchmark, variant) for benchmark in benchmarks().values() for variant in benchmark.variants]

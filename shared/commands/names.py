"""Names that a user types, looked up; a name that is not there is an error that shows the nearest ones, and the others or where they are listed."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

from ..benchmark import Benchmark
from ..errors import CogsightError
from ..registry import benchmarks, variants
from ..variants import Variant, vlmeval_name

FLOOD = 40
"""Names, more than which nobody reads in an error."""


def find_buildable(name: str) -> tuple[Benchmark, Variant | None]:
    """A benchmark; or one of its variants, which stands for a subset and a source. The main variant's name is the benchmark's."""
    if name in benchmarks():
        return benchmarks()[name], None
    benchmark, variant = find_variant(name)
    return benchmark, variant if variant.words else None


def find_variant(name: str, kind: str = "benchmark or variant") -> tuple[Benchmark, Variant]:
    """A variant by its name in either framework; a benchmark's own name means its main variant."""
    found = {variant.name: (benchmark, variant) for benchmark, variant in variants()}
    aliases = {vlmeval_name(variant, benchmark.vlmeval_prefix): variant.name for benchmark, variant in variants()}
    return found[known(aliases.get(name, name), found, kind)]


def find_tasks(benchmark: Benchmark, names: str | None) -> tuple[str, ...]:
    """Tasks from "height,ordering", in the benchmark's order; none for None."""
    wanted = {known(name, benchmark.tasks, "task", f" of {benchmark.name}") for name in split_names(names)}
    return tuple(task for task in benchmark.tasks if task in wanted)


def known(name: str, names: Collection[str], kind: str, where: str = "") -> str:
    """`name`, if it is one of `names`. Raises CogsightError that names the nearest, and all of them where that is no flood."""
    if name in names:
        return name
    count = 1 if len(names) <= FLOOD else 4
    near = get_close_matches(name.lower(), list(names), count) or [one for one in names if name.lower() in one][:count]
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    everything = ", ".join(names) or "none (reinstall cogsight)"
    known = f"known: {everything}" if len(names) <= FLOOD else f"`cogsight list` shows all {len(names)}"
    raise CogsightError(f"no {kind} {name!r}{where}; {hint}{known}")


def split_names(names: str | None) -> tuple[str, ...]:
    """What `--tasks` was given: "height, ordering" → its names; none for None. Raises CogsightError where none is named."""
    if names is None:
        return ()
    if found := tuple(name.strip() for name in names.split(",") if name.strip()):
        return found
    raise CogsightError(f"--tasks {names!r}: no task is named; leave it out for all tasks")

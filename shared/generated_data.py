"""Generated questions of a benchmark, kept in the cache and made with progress: the same for every benchmark whose tasks are generators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .build import Generator, generate_samples
from .dataset import SCHEMA_VERSION
from .progress import track
from .sample import Sample
from .settings import settings


def generated_key(name: str, content: str) -> str:
    """Names generated questions in the cache. `content`: what decides them besides the seed, such as "data2-render1"."""
    return f"{name}-procedural-{content}-seed{settings().seed}-schema{SCHEMA_VERSION}"


def generated_samples(
    generators: Mapping[str, Generator[Any, Any]],
    counts: Mapping[str, int],
    *,
    benchmark: str,
    title: str,
    versions: Mapping[str, str],
    seed: int,
    num_proc: int,
) -> Iterator[Sample]:
    """So many questions of each task, as they come, with progress, in the order of `generators`. Raises as `generate_samples` does."""
    chosen = [generator for task, generator in generators.items() if task in counts]
    made = generate_samples(
        chosen, benchmark=benchmark, versions=versions, seed=seed, num_samples=counts, num_proc=num_proc
    )
    return track(made, f"{title}: generating", sum(counts[generator.name] for generator in chosen))

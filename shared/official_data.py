"""An official release as samples, converted once and kept in the cache: the same for every benchmark."""

from __future__ import annotations

from collections.abc import Iterable

from .cache import dataset_dir, dataset_dir_of
from .card import About
from .dataset import SCHEMA_VERSION, Samples, read, write
from .sample import Sample


def official_key(name: str, fingerprint: str) -> str:
    """Names the converted release in the cache. `name`: the benchmark's, with its subset where a release has several."""
    return f"{name}-official-{fingerprint}-schema{SCHEMA_VERSION}"


def official_samples(key: str, rows: Iterable[Sample], about: About, allow_changed: bool) -> Samples:
    """All samples of a release. `rows` are read only when the cache lacks them; their reader raises what is wrong.

    What is read while changes are allowed is kept under a name of its own: it must never pass for checked where they are not.
    """
    own = key if not allow_changed or dataset_dir_of(key).is_dir() else f"{key}-changed"
    return read(dataset_dir(own, lambda folder: write(rows, folder, about)))

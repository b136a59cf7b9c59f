"""Where the data of a variant is, found without reading or making any."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..benchmark import Benchmark
from ..cache import dataset_dir_of
from ..dataset import manifest
from ..errors import DataError
from ..fetch import AnyRelease, Unpublished, download_path, own_copy
from ..settings import official_data_variable
from ..variants import Variant


@dataclass(frozen=True, slots=True)
class Data:
    """One of the states below, and what it means here."""

    state: str
    """built (ready to run), own_copy, own_copy_missing, downloaded, to_download, not_published, to_generate."""
    text: str
    path: Path | None = None
    samples: int | None = None
    """Questions in a built folder, which may hold more than the variant asks."""


def data_of(benchmark: Benchmark, variant: Variant) -> Data:
    """The state of one variant's data."""
    if benchmark.cache_key and (folder := dataset_dir_of(benchmark.cache_key(variant))).is_dir():
        return Data("built", f"built in {folder}", folder, _samples(folder))
    if release := benchmark.release_of(variant):
        return release_of(release)
    return Data("to_generate", "generated on first use, no network")


def _samples(folder: Path) -> int | None:
    try:
        return int(manifest(folder)["samples"])
    except DataError:  # damaged, or of another version: whoever reads it will say so
        return None


def release_of(release: AnyRelease) -> Data:
    """The state of an official release: the user's own copy, else the download."""
    own, variable = own_copy(release), official_data_variable(release.benchmark)
    if own is not None:
        missing = not release.is_at(own)
        return Data(
            "own_copy_missing" if missing else "own_copy", f"{variable}: {'no file or folder ' * missing}{own}", own
        )
    if isinstance(release, Unpublished):
        return Data("not_published", f"not published; set {variable} to a file in its layout")
    path = download_path(release)
    if release.is_at(path):
        return Data("downloaded", f"downloaded to {path}", path)
    return Data("to_download", f"downloaded on first use, or set {variable}")

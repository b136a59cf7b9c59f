"""Datasets that a framework asks for are built once and kept: in a folder named by what is in it, made by one process.

The others wait. A folder that is there is whole, since it gets its name by a rename at the very end.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import DataError
from .files import staged, sweep, writing
from .settings import settings

if TYPE_CHECKING:
    from filelock import BaseFileLock

KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,150}")
WAIT_SECONDS = 4 * 3600
"""How long to wait for another process, which may be downloading; the lock of a dead one is free at once."""
WAY_OUT = "set COGSIGHT_CACHE to a folder you can write to"


def dataset_dir_of(key: str) -> Path:
    """Where the dataset of this key is, or would be."""
    if not KEY.fullmatch(key):
        raise ValueError(f"cache key {key!r}: letters, digits and . _ + - only, at most 151 characters")
    return settings().cache / "datasets" / key


def dataset_dir(key: str, build: Callable[[Path], object]) -> Path:
    """That folder, made by `build(path)` if it is not there yet.

    `key` must name everything that decides the content: data version, render version, seed, options. `build` gets a path that
    is free. Raises DataError when the cache cannot be written; what `build` raises passes through and leaves nothing behind.
    """
    folder = dataset_dir_of(key)
    if folder.is_dir():
        return folder
    with locked(folder):
        if not folder.is_dir():  # another process may have made it while we waited
            with staged(folder) as stage:
                build(stage)
    return folder


@contextmanager
def locked(target: Path) -> Iterator[None]:
    """Only one process at a time works on `target`, a path in the cache; what killed ones left of it is swept away.

    Raises DataError when the lock cannot be had: an unwritable cache, or another process that never ends.
    """
    from filelock import FileLock, Timeout

    with writing(target, WAY_OUT):
        target.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(target.with_name(f".{target.name}.lock"))
        try:
            lock.acquire(timeout=1)
        except Timeout:
            print(f"cogsight: another process is making {target}; waiting for it", file=sys.stderr)
            _wait(lock, target)
        try:
            sweep(target)
            yield
        finally:
            lock.release()


def _wait(lock: BaseFileLock, target: Path) -> None:
    from filelock import Timeout

    try:
        lock.acquire(timeout=WAIT_SECONDS)
    except Timeout as error:
        raise DataError(
            f"{target}: another process has held its lock for {WAIT_SECONDS // 3600} hours; end it and run again"
        ) from error

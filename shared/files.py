"""Files and folders that appear whole or not at all: written under a temporary name beside the target, then renamed."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

from .errors import DataError

STAGE_MARK = "~"
"""Stands only in temporary names, so that the leftovers of `a` are never taken for those of `a.b`."""


UNWRITABLE = frozenset(
    {
        errno.EACCES,
        errno.EPERM,
        errno.EROFS,
        errno.ENOSPC,
        errno.EDQUOT,
        errno.ENOTDIR,
        errno.EEXIST,
        errno.ENOTEMPTY,
        errno.EISDIR,
        errno.ENAMETOOLONG,
    }
)
"""What is wrong with the place, not with us."""


@contextmanager
def writing(target: Path, way_out: str) -> Iterator[None]:
    """Turn a failure to write (no permission, read-only, disk full) into a DataError that names `target` and `way_out`."""
    try:
        yield
    except OSError as error:
        if error.errno not in UNWRITABLE or not _is_about(error, target):
            raise
        raise DataError(f"cannot write {target}: {error}; {way_out}") from error


def _is_about(error: OSError, target: Path) -> bool:
    """Whether the file that the error names, if any, lies on the way to `target`, beside it or below: reading others fails too."""
    if not isinstance(error.filename, str):
        return True
    return target.is_relative_to(error.filename) or Path(error.filename).is_relative_to(target.parent)


@contextmanager
def staged(target: Path) -> Iterator[Path]:
    """A free path beside `target` on which the block makes a file or a folder.

    It becomes `target` (replacing what is there) when the block ends well, and is removed when the block raises, Ctrl-C included.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    stage = target.with_name(f".{target.name.lstrip('.')}{STAGE_MARK}{os.getpid()}-{token_hex(4)}")
    try:
        yield stage
        _move(stage, target)
    finally:
        remove(stage)


def sweep(target: Path) -> None:
    """Remove what killed processes left of `target`. Only for who holds its lock: a live stage would go too."""
    prefix = f".{target.name.lstrip('.')}{STAGE_MARK}"
    for path in target.parent.iterdir():
        if path.name.startswith(prefix):
            remove(path)


def remove(path: Path) -> None:
    """Delete a file or a whole folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def digest(path: Path, algorithm: str = "sha256") -> str:
    """Hex digest of a file's bytes, read in pieces."""
    state = hashlib.new(algorithm)
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            state.update(chunk)
    return state.hexdigest()


def _move(stage: Path, target: Path) -> None:
    if not target.is_dir():
        stage.replace(target)
        return
    old = stage.with_name(
        f"{stage.name}-old"
    )  # a folder cannot be replaced in one step; put it back if the second fails
    target.rename(old)
    try:
        stage.rename(target)
    except BaseException:
        old.rename(target)
        raise
    remove(old)

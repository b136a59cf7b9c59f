"""Files and folders that appear whole or not at all: written under a temporary name beside the target, then renamed."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from .errors import CogsightError, DataError

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
    """Turn a failure to write (no permission, read-only, disk full) into a DataError that names `target` and `way_out`.

    Around another `writing`, whose target is a stage of this one, it is this one's words that the user gets.
    """
    try:
        yield
    except _Unwritable as error:
        raise _Unwritable(target, error.reason, way_out) from error.reason
    except OSError as error:
        if error.errno not in UNWRITABLE or not _is_about(error, target):
            raise
        raise _Unwritable(target, error, way_out) from error


class _Unwritable(DataError):
    def __init__(self, target: Path, reason: OSError, way_out: str) -> None:
        super().__init__(f"cannot write {target}: {reason}; {way_out}")
        self.reason = reason


def _is_about(error: OSError, target: Path) -> bool:
    """Whether the file that the error names, if any, lies on the way to `target`, beside it or below: reading others fails too."""
    if not isinstance(error.filename, str):
        return True
    return target.is_relative_to(error.filename) or Path(error.filename).is_relative_to(target.parent)


def user_path(path: str | Path) -> Path:
    """With `~` written out. Raises CogsightError when nobody knows that home, as in a container without HOME and user name.

    And when the path is no text to Python, under a locale without UTF-8: pyarrow could not open it.
    """
    try:
        found = Path(path).expanduser()
        str(found.absolute()).encode()
        return found
    except UnicodeEncodeError as error:
        raise CogsightError(
            f"{str(path)!a}: not readable in this locale; set PYTHONUTF8=1, or LC_ALL=C.UTF-8"
        ) from error
    except RuntimeError as error:
        raise CogsightError(
            f"{path}: this home folder is not known; set HOME, or write the path in full (the cache: COGSIGHT_CACHE)"
        ) from error


@contextmanager
def staged(target: Path) -> Iterator[Path]:
    """A free path beside `target` on which the block makes a file or a folder.

    It becomes `target` (replacing what is there, but no folder by a file: IsADirectoryError) when the block ends well, and is removed when the
    block raises, Ctrl-C included.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    stage = target.with_name(f".{target.name.lstrip('.')}{STAGE_MARK}{os.getpid()}-{token_hex(4)}")
    try:
        yield stage
        _move(stage, target)
    finally:
        remove(stage)


@contextmanager
def swept(target: Path) -> Iterator[None]:
    """Before the block, remove what killed processes left of `target`, unless another one is at work in its folder now.

    By a lock on the folder itself, which leaves no file there, and which ends with the process. Where there are no such locks,
    nothing is removed.
    """
    if sys.platform == "win32":
        yield
        return
    import fcntl

    target.parent.mkdir(parents=True, exist_ok=True)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            sweep(target)
        with suppress(OSError):
            fcntl.flock(folder, fcntl.LOCK_SH)
        yield
    finally:
        os.close(folder)


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
    if not stage.is_dir():  # whoever names a folder for a file has not meant all that is in it
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    # A folder cannot be replaced in one step: the old one is put back if the second step fails, or is interrupted.
    old = stage.with_name(f"{stage.name}-old")
    target.rename(old)
    try:
        stage.rename(target)
    except BaseException:
        old.rename(target)
        raise
    remove(old)

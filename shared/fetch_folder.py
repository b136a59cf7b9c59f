"""An official release of many files: the user's own folder, or a snapshot of a Hub repository, its files loaded side by side.

Where no revision is known to pin, the first download decides; it is kept, named, and part of every score's versions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from hashlib import md5
from pathlib import Path

from .cache import locked
from .errors import DataError
from .fetch import NOT_PINNED, UNPINNED, download_path, own_copy
from .files import digest
from .progress import tell
from .settings import official_data_variable

ABSENT = "absent"
"""The fingerprint of what is not there yet, and is not pinned."""

REVISION = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True, slots=True)
class FolderRelease:
    """Files of a Hub dataset repository that belong together; it is handled like a `fetch.Release`."""

    benchmark: str
    name: str
    """The folder's, in the cache; inside the folder that the user names it is looked for too."""
    hub: str
    patterns: tuple[str, ...]
    """Which files of the repository, as for fnmatch; `*` matches `/` too."""
    whole: tuple[str, ...]
    """Patterns of the files whose bytes make the fingerprint; of the others it takes name and size, since they may be gigabytes."""
    revision: str = ""
    """Commit of the Hub repository to load, 40 hex digits; "" where none is known."""
    md5: str = ""
    """Fingerprint of that commit's files; "" where none is known."""

    def within(self, own: Path) -> Path:
        """The folder that the user's path means."""
        inner = own / self.name
        return inner if inner.is_dir() else own

    def is_at(self, path: Path) -> bool:
        """Whether there is such a folder; what is in it is for the reader to check."""
        return path.is_dir()

    def fingerprint(self, path: Path) -> str:
        """MD5 over names and sizes of the files, and the bytes of the `whole` ones. Raises DataError where a file cannot be read."""
        try:
            lines = [f"{name} {_content(path / name, self.whole)}" for name in self.files(path)]
        except OSError as error:
            raise DataError(f"{path}: cannot be read: {error}") from error
        return md5("\n".join(lines).encode("utf-8", "surrogateescape"), usedforsecurity=False).hexdigest()

    def files(self, path: Path) -> list[str]:
        """Relative names of its files in a folder, sorted; hidden ones (git's, the Hub client's) are none of them."""
        return sorted(name for name in _names(path) if any(fnmatchcase(name, pattern) for pattern in self.patterns))

    def problem(self, fingerprint: str) -> str | None:
        """What to say of a folder with this fingerprint; None when it is the pinned one, or none is pinned."""
        if self.md5 in ("", fingerprint):
            return None
        return f"has the fingerprint {fingerprint}, expected {self.md5}: it has changed, or is not complete"

    def note(self, key: str) -> str | None:
        """What every score on data with this cache key must say of its release."""
        if not self.md5:
            return UNPINNED
        return None if self.md5 in key else NOT_PINNED


def locate_folder(release: FolderRelease) -> Path:
    """The user's own copy where one is named, else the snapshot, loaded if it is not there yet. Raises DataError when there is none."""
    path = own_copy(release)
    if path is None:
        return _fetch(release)
    if not path.is_dir():
        raise DataError(f"{official_data_variable(release.benchmark)}: no folder {path}")
    return path


def fingerprint_present(release: FolderRelease) -> str:
    """Of the folder that `locate_folder` gives as things are, found without a download; the pinned one when it would have to load it."""
    path = own_copy(release) or download_path(release)
    return release.fingerprint(path) if path.is_dir() else release.md5 or ABSENT


def revision_of(path: Path) -> str:
    """The commit that a snapshot was taken of; "" for any other folder."""
    name = path.resolve().name
    return name if REVISION.fullmatch(name) else ""


def _fetch(release: FolderRelease) -> Path:
    target = download_path(release)
    if target.is_dir():
        return target
    with locked(target):
        if not target.is_dir():
            found = _snapshot(release)
            target.unlink(missing_ok=True)  # a link to a snapshot that somebody has deleted
            target.symlink_to(found.resolve(), target_is_directory=True)
            if not release.revision:
                tell(f"{release.hub}: revision {revision_of(target)}; this one is kept and asked from now on")
    return target


def _snapshot(release: FolderRelease) -> Path:
    """In the Hub's own cache: several files at a time, with progress, going on where an earlier run broke off."""
    from huggingface_hub import snapshot_download

    try:
        found = snapshot_download(
            release.hub,
            repo_type="dataset",
            revision=release.revision or None,
            allow_patterns=list(release.patterns),
        )
    except Exception as error:  # the library passes on what httpx, requests and xet raise
        reason = " ".join(str(error).split()) or type(error).__name__
        variable = official_data_variable(release.benchmark)
        raise DataError(
            f"{release.name} of {release.benchmark} could not be had from the Hub dataset {release.hub}: {reason}\n"
            f"By hand: hf download {release.hub} --repo-type dataset --local-dir DIR, then set {variable} to that folder."
        ) from error
    return Path(found)


def _names(folder: Path, prefix: str = "") -> Iterator[str]:
    for entry in folder.iterdir():
        name = prefix + entry.name
        if entry.name.startswith("."):
            continue
        if not entry.is_dir():
            yield name
        elif not entry.is_symlink():  # a link to a folder above would have no end
            yield from _names(entry, f"{name}/")


def _content(path: Path, whole: tuple[str, ...]) -> str:
    if any(fnmatchcase(path.name, pattern) for pattern in whole):
        return digest(path, "md5")
    return str(path.stat().st_size) if path.exists() else "missing"

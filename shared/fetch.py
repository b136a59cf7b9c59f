"""One file of an official release: the user's own copy, or a download that is pinned by hash, resumes, and says what it tried."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from http.client import HTTPException
from pathlib import Path
from typing import Protocol
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from .cache import locked
from .errors import DataError
from .files import UNWRITABLE, digest
from .progress import track
from .settings import official_data, official_data_variable, settings

TRIES = 5
FIRST_PAUSE = 1.0
"""Seconds before the second try; doubles from try to try."""
TIMEOUT = 60.0
"""Seconds without a byte after which a connection counts as lost."""
BLOCK = 1_000_000
"""Bytes written at a time, and the unit of the progress report: megabytes."""
OFFLINE = "HF_HUB_OFFLINE=1 forbids it"

UNPINNED = "taken as found: no revision is known to pin"
"""The version "release" of data that nobody has pinned."""

NOT_PINNED = "NOT the pinned release"
"""The version "release", which only a changed official release has."""

ALLOW_CHANGED = "COGSIGHT_ALLOW_CHANGED=1 (for `cogsight build` also --allow-changed) accepts it all the same"


class AnyRelease(Protocol):
    """What `Release` (one file) and `fetch_folder.FolderRelease` (many) have in common."""

    @property
    def benchmark(self) -> str:
        """Whose release it is."""

    @property
    def name(self) -> str:
        """Of the file or folder."""

    def within(self, own: Path) -> Path:
        """What the user's path means."""

    def is_at(self, path: Path) -> bool:
        """Whether something of this kind is there."""

    def fingerprint(self, path: Path) -> str:
        """What `problem` judges by."""

    def problem(self, fingerprint: str, /) -> str | None:
        """What to say of data with this fingerprint; None when it is the pinned one."""

    def note(self, key: str) -> str | None:
        """What every score on data with this cache key must say of its release."""


@dataclass(frozen=True, slots=True)
class Release:
    """A file, the hash it must have, and where it is to be had."""

    benchmark: str
    name: str
    md5: str
    date: str
    """Of the pinned file."""
    older: Mapping[str, str]
    """MD5 → date of files that were published under the same name before."""
    hub: str
    """Hub dataset that holds a file of this name."""
    url: str

    def within(self, own: Path) -> Path:
        """The file that the user's path means: itself, or the one of this name in a folder."""
        return own / self.name if own.is_dir() else own

    def is_at(self, path: Path) -> bool:
        """Whether there is such a file; its hash is for the reader to check."""
        return path.is_file()

    def fingerprint(self, path: Path) -> str:
        """What `problem` judges by."""
        return digest(path, "md5")

    def note(self, key: str) -> str | None:
        """What every score on data with this cache key must say of its release."""
        return None if self.md5 in key else NOT_PINNED

    def problem(self, md5: str) -> str | None:
        """What to say of a file with this hash; None when it is the pinned one."""
        expected = f"the release of {self.date} (MD5 {self.md5})"
        if md5 == self.md5:
            return None
        if md5 in self.older:
            return (
                f"is the release of {self.older[md5]} (MD5 {md5}), not {expected}: scores on the two are not comparable"
            )
        return f"has MD5 {md5}, expected {expected}: it has changed, or is not complete"


@dataclass(frozen=True, slots=True)
class Unpublished:
    """A file in the layout of a release that its authors have not published: nothing can be downloaded, only the user can bring it."""

    benchmark: str
    """Whose variable names it: "lego_puzzles_generation" for COGSIGHT_LEGO_PUZZLES_GENERATION_DATA."""
    name: str
    instead: str
    """What to do without it: the end of an error's sentence."""

    def within(self, own: Path) -> Path:
        """The file that the user's path means: itself, or the one of this name in a folder."""
        return own / self.name if own.is_dir() else own

    def is_at(self, path: Path) -> bool:
        """Whether there is such a file."""
        return path.is_file()

    def fingerprint(self, path: Path) -> str:
        """Its hash."""
        return digest(path, "md5")

    def note(self, key: str) -> str | None:
        """What every score on such data must say."""
        return UNPINNED

    def problem(self, md5: str) -> str | None:
        """None: there is nothing to compare it with."""
        return None

    def present(self) -> Path | None:
        """The file that the user has named; None when it is not there."""
        path = own_copy(self)
        return path if path and path.is_file() else None

    def locate(self) -> Path:
        """The file that the user has named. Raises DataError that says what to do when there is none."""
        variable, path = official_data_variable(self.benchmark), own_copy(self)
        if path is None:
            raise DataError(
                f"{self.name} has not been published; set {variable} to a file in its layout, or {self.instead}"
            )
        if not path.is_file():
            raise DataError(f"{variable}: no file {path}")
        return path


class _Unavailable(Exception):
    """A source does not give the file; the text says why."""


def own_copy(release: AnyRelease) -> Path | None:
    """What COGSIGHT_<BENCHMARK>_DATA names, itself or by its folder; None when it is not set. It may not exist."""
    own = official_data(release.benchmark)
    return None if own is None else release.within(own)


def download_path(release: AnyRelease) -> Path:
    """Where a download is put."""
    return settings().cache / "downloads" / release.benchmark / release.name


def md5_present(release: Release) -> str:
    """Hash of the file that `locate` gives as things are, found without a download; the pinned one when it would have to load it."""
    path = own_copy(release)
    if path is None and settings().allow_changed and not download_path(release).is_file():
        path = _changed(release)
    return digest(path, "md5") if path is not None and path.is_file() else release.md5


def locate(release: Release, *, allow_changed: bool) -> Path:
    """The user's own copy where one is named, else what `fetch` gives. Its hash is for the reader to check.

    Raises DataError when there is no file.
    """
    path = own_copy(release)
    if path is None:
        return fetch(release, allow_changed=allow_changed)
    if not path.is_file():
        raise DataError(f"{official_data_variable(release.benchmark)}: no file {path}")
    return path


def fetch(release: Release, *, allow_changed: bool = False) -> Path:
    """The file on disk, downloaded if it is not there yet: from the Hub, then from its URL.

    A file with another hash is kept under a name of its own, and given only with `allow_changed`. Raises DataError that tells
    of every source why it failed, and how to go on by hand.
    """
    target = download_path(release)
    if target.is_file():
        return target
    changed: list[Path] = []
    tried: list[str] = []
    with locked(target):
        for label, get in _sources(release):
            try:
                path = get(release, target)
            except _Unavailable as error:
                tried.append(f"{label}: {error}")
                continue
            problem = release.problem(digest(path, "md5"))
            if problem is None:
                return _at(target, path)
            changed.append(path)
            tried.append(f"{label}: {path} {problem}")
    if changed and allow_changed:
        return _at(_changed_path(target, digest(changed[0], "md5")), changed[0])
    raise DataError(_failure(release, tried, changed))


def _at(target: Path, path: Path) -> Path:
    """`path` under the name `target`, so that the next run needs no network to find it; the Hub's cache keeps the bytes."""
    if path != target:
        target.unlink(missing_ok=True)
        target.symlink_to(path.resolve())
    return target


def _changed_path(target: Path, md5: str) -> Path:
    return target.with_name(f"{target.stem}.{md5}{target.suffix}")


def _changed(release: Release) -> Path | None:
    """The file with another hash that an earlier download gave."""
    target = download_path(release)
    return next(target.parent.glob(_changed_path(target, "?" * 32).name), None)


def _sources(release: Release) -> tuple[tuple[str, Callable[[Release, Path], Path]], ...]:
    return (f"Hub dataset {release.hub}", _from_hub), (release.url, _from_url)


def _failure(release: Release, tried: list[str], changed: list[Path]) -> str:
    variable = official_data_variable(release.benchmark)
    lines = [
        f"{release.name} of {release.benchmark} could not be had:",
        *(f"  {reason}" for reason in tried),
        f"Expected: the release of {release.date}, MD5 {release.md5}.",
        f"By hand: curl -L -O {release.url}, then set {variable} to the file's path.",
    ]
    if changed:
        lines.append(f"For the changed file: {ALLOW_CHANGED}; delete it to download it again.")
    return "\n".join(lines)


def _offline() -> bool:
    from huggingface_hub import constants

    return bool(constants.HF_HUB_OFFLINE)


def _from_hub(release: Release, target: Path) -> Path:
    """In the Hub's own cache, which resumes and never loads a file twice. Where in the repository the file lies is looked up."""
    from huggingface_hub import HfApi

    api = HfApi()
    try:
        names = [release.name] if _offline() else api.list_repo_files(release.hub, repo_type="dataset")
        wanted = [name for name in names if Path(name).name == release.name]
        if wanted:
            return Path(api.hf_hub_download(release.hub, wanted[0], repo_type="dataset"))
    except Exception as error:  # the library passes on what httpx, requests and xet raise; the next source is tried
        raise _Unavailable(" ".join(str(error).split()) or type(error).__name__) from error
    raise _Unavailable(f"no {release.name} among its files: {', '.join(sorted(names)[:10]) or 'none'}")


def _from_url(release: Release, target: Path) -> Path:
    if kept := _changed(release):
        return kept  # what the URL gave before; loading it again each time would help nobody
    if _offline():
        raise _Unavailable(OFFLINE)
    part = target.with_name(f"{target.name}.part")
    resumed = part.exists()
    _download(release.url, part)
    md5 = digest(part, "md5")
    if resumed and md5 != release.md5:  # the beginning may be of another file, or damaged
        part.unlink()
        _download(release.url, part)
        md5 = digest(part, "md5")
    return part.replace(target if md5 == release.md5 else _changed_path(target, md5))


def _download(url: str, part: Path) -> None:
    """Complete `part`, going on after lost connections."""
    for n in range(TRIES):
        if n:
            time.sleep(FIRST_PAUSE * 2 ** (n - 1))
        try:
            return _load_rest(url, part)
        except HTTPError as error:
            if error.code == 416:  # nothing after what we have: the hash will tell whether that is the file
                return None
            failure = f"HTTP {error.code} {error.reason}"
            if error.code < 500 and error.code != 429:
                break
        except (OSError, HTTPException) as error:
            if getattr(error, "errno", None) in UNWRITABLE:
                raise
            failure = str(error) or type(error).__name__
    raise _Unavailable(failure)


def _load_rest(url: str, part: Path) -> None:
    have = part.stat().st_size if part.exists() else 0
    headers = {"User-Agent": "cogsight", **({"Range": f"bytes={have}-"} if have else {})}
    with urlopen(Request(url, headers=headers), timeout=TIMEOUT) as response:  # noqa: S310 - a constant of a benchmark
        if response.status != 206:  # the server does not resume
            have = 0
        total = have + int(response.headers.get("Content-Length") or 0)
        label = f"{url.rpartition('/')[2]}, MB{f' after the first {have // BLOCK}' if have else ''}"
        blocks = iter(partial(response.read, BLOCK), b"")
        with part.open("ab" if have else "wb") as file:
            for block in track(blocks, label, (total - have) // BLOCK + 1):
                file.write(block)
    if part.stat().st_size < total:
        raise ConnectionError(f"connection lost after {part.stat().st_size:,} of {total:,} bytes")

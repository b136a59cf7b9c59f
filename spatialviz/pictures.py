"""The pictures of a release by name, from `images.zip` or from the folders that it unpacks to.

Nothing is ever unpacked: a member of the archive is read into memory under the name that a question asks for, up to a limit. So no
name can lead out of a folder, no link can be followed, and no bomb can fill a disk.
"""

from __future__ import annotations

import os
import stat
import zlib
from collections.abc import Callable
from lzma import LZMAError
from pathlib import Path, PurePosixPath
from zipfile import BadZipFile, ZipFile, ZipInfo

from .taxonomy import OFFICIAL_CATEGORIES

ARCHIVE = "images.zip"

LARGEST = 32_000_000
"""Bytes of one picture, unpacked. Released ones have some 0.1 million."""

UNREADABLE = (OSError, BadZipFile, EOFError, zlib.error, LZMAError, RuntimeError, NotImplementedError)
"""What reading a damaged member may raise; the last two where it wants a password, or was packed in an unknown way."""

DEPTH = 4
"""Parts of a picture's name: category, task, level, file. An archive or a folder may put more in front."""

GetPicture = Callable[[str], bytes]
"""`Category/Task/Level/Image_id.png` → its bytes. Raises ValueError that says why there are none."""


def pictures_at(folder: Path) -> GetPicture | None:
    """The pictures in a folder: its archive, or the category folders in it or one below; None when there is neither."""
    if (archive := folder / ARCHIVE).is_file():
        return Archive(archive)
    root = unpacked_in(folder)
    return _from(root) if root else None


def unpacked_in(folder: Path) -> Path | None:
    """The folder that has the category folders: this one, or one in it."""
    below = (path for path in sorted(folder.iterdir()) if path.is_dir() and os.access(path, os.X_OK))
    roots = (root for root in (folder, *below) if any((root / name).is_dir() for name in OFFICIAL_CATEGORIES))
    return next(roots, None)


def names_in(folder: Path) -> list[str]:
    """The files in a folder that `pictures_at` reads, relative to it; nothing else that may lie there."""
    if (folder / ARCHIVE).is_file():
        return [ARCHIVE]
    root = unpacked_in(folder)
    found = (path for name in OFFICIAL_CATEGORIES for path in (root / name).rglob("*.png")) if root else ()
    return [path.relative_to(folder).as_posix() for path in found]


class Archive:
    """Pictures in a zip file."""

    def __init__(self, path: Path) -> None:
        """Reads the table of contents only. Raises ValueError for a damaged file, and for one with a name that leads elsewhere."""
        self._name = path.name
        try:
            self._zip = ZipFile(path)
        except (OSError, BadZipFile) as error:
            raise ValueError(f"{path}: {error}: damaged, or not complete") from error
        if unsafe := [info.filename for info in self._zip.infolist() if _leads_out(info.filename)]:
            raise ValueError(f"{path}: holds {unsafe[0]!a}, which leads out of its folder")
        self._members: dict[str, list[ZipInfo]] = {}
        for info in self._zip.infolist():
            if not info.is_dir():
                self._members.setdefault(_tail(info.filename), []).append(info)

    def __call__(self, name: str) -> bytes:
        """See `GetPicture`."""
        found = self._members.get(name, [])
        if not found:
            raise ValueError(f"picture {name} is not in {self._name}")
        if len({(info.CRC, info.file_size) for info in found}) > 1:
            raise ValueError(f"picture {name} stands {len(found)} times in {self._name}, each time another one")
        info = found[-1]
        if stat.S_ISLNK(info.external_attr >> 16):
            raise ValueError(f"picture {name} is a link in {self._name}")
        try:
            return self._read(info)
        except UNREADABLE as error:
            raise ValueError(f"picture {name} in {self._name} cannot be read: {error}") from error

    def _read(self, info: ZipInfo) -> bytes:
        """What the member really holds, whatever its header claims."""
        with self._zip.open(info) as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise OSError(f"more than {LARGEST:,} bytes")
        return data


def _from(root: Path) -> GetPicture:
    def read(name: str) -> bytes:
        path = root / name
        if not path.is_file():
            raise ValueError(f"picture {name} is not in {root}")
        if path.stat().st_size > LARGEST:
            raise ValueError(f"picture {name} has more than {LARGEST:,} bytes")
        return path.read_bytes()

    return read


def _tail(name: str) -> str:
    return "/".join(PurePosixPath(name).parts[-DEPTH:])


def _leads_out(name: str) -> bool:
    return name.startswith("/") or "\\" in name or ":" in name or ".." in PurePosixPath(name).parts

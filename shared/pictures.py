"""Pictures that a model made: kept as files, each once, under a name that its bytes give it.

Ten thousand of them do not fit into memory, so that what is read back is a `PictureFile`, whose bytes stay on disk.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from .errors import DataError
from .files import staged, writing
from .sample import Picture

LARGEST = 64_000_000
"""Bytes of a picture; more is none."""
FORMATS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF", b"GIF8")
"""How PNG, JPEG, WebP and GIF files begin: what judges can be shown."""
NAME = re.compile(r"[0-9a-f]{64}\.(png|jpg)")


class PictureFile(Picture):
    """A picture on disk. Its bytes are read each time they are asked for."""

    __slots__ = ("path",)
    path: Path

    def __init__(self, path: Path) -> None:
        object.__setattr__(self, "path", path)

    @property
    def data(self) -> bytes:
        """The file's bytes. Raises DataError when it is gone."""
        try:
            return self.path.read_bytes()
        except OSError as error:
            raise DataError(f"{self.path}: the picture cannot be read: {error.strerror}") from error

    def __reduce__(self) -> Any:
        return PictureFile, (self.path,)

    def __repr__(self) -> str:
        return f"PictureFile({str(self.path)!r})"


@dataclass(frozen=True, slots=True)
class Gallery:
    """A folder of pictures, for all threads and processes: no file ever changes."""

    folder: Path

    def keep(self, picture: Picture) -> str:
        """Its name here; written when it is new."""
        data = picture.data
        name = sha256(data).hexdigest() + picture.suffix
        path = self.folder / name
        if not path.exists():
            with writing(path, "free some space, or choose another folder"), staged(path) as stage:
                stage.write_bytes(data)
        return name

    def get(self, name: str) -> PictureFile:
        """The picture of this name. Raises DataError for what is no such name, or no longer there."""
        path = self.folder / name
        if not NAME.fullmatch(name) or not path.is_file():
            raise DataError(f"{self.folder}: no picture {name[:80]!r}")
        return PictureFile(path)


def is_picture(data: bytes) -> bool:
    """Whether these bytes begin like a picture that can be shown, and are not too many."""
    return data.startswith(FORMATS) and len(data) <= LARGEST

"""Pictures that a model made: kept as files, each once, under a name that its bytes give it.

Ten thousand of them do not fit into memory, so that what is read back is a `PictureFile`, whose bytes stay on disk.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from .errors import DataError
from .files import staged, writing
from .sample import Picture, Reply

LARGEST = 64_000_000
"""Bytes of a picture; more is none."""
FORMATS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF", b"GIF8")
"""How PNG, JPEG, WebP and GIF files begin: what judges can be shown."""
NAME = re.compile(r"[0-9a-f]{64}\.(png|jpg)")
PICTURES = "pictures"
"""The folder, and the field of a reply's record that names those in it."""


NO_IMAGE = "no_image"
"""`Score.reason`: asked for a picture, the model has made none; or the framework between could not hand it on."""
BROKEN_IMAGE = "broken_image"
"""`Score.reason`: what the model has made for a picture cannot be opened."""
TEXT_ONLY = (
    "the framework hands on a model's text alone, so nobody knows what picture it would make; use lmms-eval's image-output models, or"
    " cogsight draw"
)
"""`Reply.error` of a reply that was to be a picture, by a framework whose models return none: the text is what was said."""


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
        there = picture.path if isinstance(picture, PictureFile) and NAME.fullmatch(picture.path.name) else None
        name = there.name if there else sha256(picture.data).hexdigest() + picture.suffix
        path = self.folder / name
        if not path.exists():
            with writing(path, "free some space, or choose another folder"), staged(path) as stage:
                _put(picture, there, stage)
        return name

    def get(self, name: str) -> PictureFile:
        """The picture of this name. Raises DataError for what is no such name, or no longer there."""
        path = self.folder / name
        if not NAME.fullmatch(name) or not path.is_file():
            raise DataError(f"{self.folder}: no picture {name[:80]!r}")
        return PictureFile(path)

    def note(self, reply: Reply) -> dict[str, list[str]]:
        """What a JSON record of the reply says of its pictures, which are kept; nothing where it has none."""
        return {PICTURES: [self.keep(picture) for picture in reply.images]} if reply.images else {}

    def recall(self, reply: Reply, record: Mapping[str, Any]) -> Reply:
        """The reply of such a record, with its pictures. Where one of them is gone, it is lost."""
        try:
            return replace(reply, images=tuple(self.get(str(name)) for name in record.get(PICTURES, ())))
        except DataError as error:
            return Reply(None, error=str(error))


def _put(picture: Picture, there: Path | None, stage: Path) -> None:
    """Linked from another gallery, where the disk can do that."""
    if there:
        with suppress(OSError):
            os.link(there, stage)
            return
    stage.write_bytes(picture.data)


def is_picture(data: bytes) -> bool:
    """Whether these bytes begin like a picture that can be shown, and are not too many."""
    return data.startswith(FORMATS) and len(data) <= LARGEST

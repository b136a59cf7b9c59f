"""Pictures that a model of lmms-eval has made: it writes them into a folder of its own, and replies {"text": …, "images": [paths]}.

So do bagel, bagel_unig2u, bagel_lmms_engine, mmada and qwen_image_edit (0.7.3). They name a file by task and question, so that a later turn of
a dialogue overwrites it: it is read at once.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...pictures import LARGEST, is_picture
from ...sample import Picture, Reply

FOLDERS = ("output_image_dir", "generated_images_dir", "output_dir")
"""Attributes in which such models keep where they write."""


class _Lost(Exception):
    """A picture that was made, and that we cannot read."""


def folders_of(lm: Any) -> tuple[Path, ...]:
    """Where a model writes what it makes; empty for one that makes nothing."""
    named = (getattr(lm, name, None) for name in FOLDERS)
    return tuple(Path(folder).resolve() for folder in named if isinstance(folder, str | Path) and str(folder))


def with_pictures(reply: Reply, folders: Sequence[Path]) -> Reply:
    """The reply with the pictures that its text names, and with the text beside them; a reply that names none stays as it is.

    Only files in `folders` are read: of any other path it is the model that speaks. A picture that cannot be read was lost, by us.
    """
    said = _said(reply.text) if reply.text and folders else None
    if said is None:
        return reply
    text, paths = said
    if not all(any(path.is_relative_to(folder) for folder in folders) for path in paths):
        return reply
    try:
        return replace(reply, text=text, images=tuple(map(_picture, paths)))
    except _Lost as error:
        return Reply(None, error=str(error))


def _said(text: str) -> tuple[str, list[Path]] | None:
    """Text and paths of such a reply; None for any other."""
    try:
        said = json.loads(text) if text.startswith("{") else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict) or said.keys() != {"text", "images"}:
        return None
    text, images = said["text"], said["images"]
    if not isinstance(text, str) or not isinstance(images, list) or not all(isinstance(one, str) for one in images):
        return None
    return text, [Path(one).resolve() for one in images]


def _picture(path: Path) -> Picture:
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise _Lost(f"the model's picture {path} cannot be read: {error.strerror}") from error
    if not is_picture(data):
        raise _Lost(f"{path} is no picture, or larger than {LARGEST / 1e6:.0f} MB")
    return Picture(data)

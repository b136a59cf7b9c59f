"""The cells of a row of an official file, each read by itself; what cannot be read is a ValueError that says so."""

from __future__ import annotations

import ast
import base64
import re
from collections.abc import Mapping
from functools import lru_cache

from cogsight.shared.release_rows import is_picture
from cogsight.shared.sample import PLACEHOLDER, Picture

Row = Mapping[str, str]


def index(row: Row) -> int:
    """The row's number."""
    if not re.fullmatch(r"0|[1-9][0-9]{0,11}", row["index"]):
        raise ValueError(f"index {row['index']!r} is no whole number")
    return int(row["index"])


def is_letter(column: str) -> bool:
    """Whether a column holds an option."""
    return len(column) == 1 and "A" <= column <= "Z"


def choices(row: Row) -> dict[str, str]:
    """Letter → option, without the empty ones."""
    return {letter: row[letter] for letter in sorted(filter(is_letter, row)) if row[letter].strip()}


def question(row: Row) -> None:
    """There must be one."""
    if not row["question"].strip():
        raise ValueError("question is empty")


def paths(row: Row) -> tuple[str, ...]:
    """Names of the pictures."""
    return _strings("image_path", row["image_path"])


def pictures(row: Row) -> tuple[Picture, ...]:
    """The pictures, byte for byte."""
    return tuple(map(Picture, _decoded(row["image"])))


def decodable(row: Row) -> None:
    """There must be pictures, and Pillow able to read them."""
    found = pictures(row)
    if not found:
        raise ValueError("image has no picture")
    if broken := [str(n) for n, picture in enumerate(found, 1) if not is_picture(picture)]:
        raise ValueError(f"picture {', '.join(broken)} of {len(found)} cannot be decoded")


def placeholders(row: Row) -> None:
    """Each must have its picture."""
    count = len(pictures(row))
    texts = (row["question"], *choices(row).values())
    named = dict.fromkeys(match[1].lstrip("0") for text in texts for match in PLACEHOLDER.finditer(text))
    there = {str(n) for n in range(1, count + 1)}
    if missing := [number or "0" for number in named if number not in there]:
        shown = ", ".join(f"<image {number[:20]}>" for number in missing)
        raise ValueError(f"placeholder {shown} without its picture, the row has {count}")


@lru_cache(maxsize=2)  # a row's pictures are asked for by several readers
def _decoded(cell: str) -> tuple[bytes, ...]:
    texts = _strings("image", cell)
    try:
        return tuple(base64.b64decode(text, validate=True) for text in texts)
    except ValueError as error:
        raise ValueError(f"image: broken base64: {error}") from error


def _strings(column: str, cell: str) -> tuple[str, ...]:
    """A cell that holds a Python list of strings."""
    try:
        values = ast.literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError) as error:
        raise ValueError(f"{column}: broken list ({len(cell)} characters, ends with {cell[-12:]!r})") from error
    if not isinstance(values, list) or not all(isinstance(value, str) and _is_writable(value) for value in values):
        raise ValueError(f"{column}: not a list of strings")
    return tuple(values)


def _is_writable(text: str) -> bool:
    """Not so with half a surrogate pair, which an escape in a list can spell and no file can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True

"""Reading the table of an official release: what every reader needs to tell all that is wrong with it, by row, at once."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from .errors import DataError
from .fetch import ALLOW_CHANGED
from .progress import tell
from .sample import Picture

FIELD_LIMIT = 1 << 26
"""Characters in one cell. Released ones reach 1.3 million; more than this is a quotation mark that is never closed."""

SHOWN = 20
"""Problems of a kind that are told in full."""


@dataclass(slots=True)
class Findings:
    """What is wrong with a release file."""

    path: Path
    again: str
    """How to get a good one, for when nothing else helps."""
    unusable: list[str] = field(default_factory=list)
    """Nobody can ask this: always an error."""
    contradictions: list[str] = field(default_factory=list)
    """Not as published: an error unless the user allows it."""
    notices: list[str] = field(default_factory=list)
    """Odd, but nothing depends on it: told, no more."""

    def settle(self, allow_changed: bool) -> None:
        """Raise DataError, tell, or do nothing."""
        if self.unusable or (self.contradictions and not allow_changed):
            raise DataError(f"{self._list()}\nThe way on: {self.again if self.unusable else ALLOW_CHANGED}.")
        if self.contradictions or self.notices:
            tell(self._list())

    def _list(self) -> str:
        """Each kind in turn, so that many of one do not hide the other."""
        count = len(self.contradictions) + len(self.unusable)
        wrong = f"not the release as published ({count} problems)" if count else f"odd in {len(self.notices)} places"
        kinds = map(_first, (self.contradictions, self.unusable, self.notices))
        return "\n  ".join([f"{self.path} is {wrong}:", *chain.from_iterable(kinds)])


def _first(problems: list[str]) -> list[str]:
    rest = [f"… and {len(problems) - SHOWN} more"] if len(problems) > SHOWN else []
    return [*problems[:SHOWN], *rest]


def tsv_rows(
    path: Path, findings: Findings, header_fits: Callable[[list[str], Findings], bool], delimiter: str = "\t"
) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Row number, from 1, and cells by column. An empty cell is "", and a text such as None or NA stays one.

    No rows when the header does not fit; what is wrong with others goes into `findings`.
    """
    limit = csv.field_size_limit(FIELD_LIMIT)
    number = 0
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, delimiter=delimiter)
            header = next(reader, [])
            if not header_fits(header, findings):
                return
            for number, cells in enumerate(filter(None, reader), 1):
                if len(cells) == len(header):
                    yield number, dict(zip(header, cells, strict=True))
                else:
                    expected = f"{len(cells)} cells instead of {len(header)}"
                    findings.unusable.append(f"row {number}: {expected}: cut off, or a quotation mark is never closed")
    except (csv.Error, UnicodeDecodeError) as error:
        findings.unusable.append(f"after row {number}: {error}: damaged, or a quotation mark is never closed")
    finally:
        csv.field_size_limit(limit)


def is_picture(picture: Picture) -> bool:
    """Whether all of it decodes, also where a framework has told Pillow to put up with truncated files."""
    from PIL import Image, ImageFile

    lenient, ImageFile.LOAD_TRUNCATED_IMAGES = ImageFile.LOAD_TRUNCATED_IMAGES, False
    try:
        picture.open()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return False
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = lenient
    return True

"""LDraw text: a file is cut into its sections, a section is read into lines. Whatever is wrong is told with file and line.

A multi-part file holds sections that begin with `0 FILE name` and end with the next one, `0 NOFILE` or `0 !DATA name`. Packed models hold the
geometry of all their parts in such sections; the main model may stand before the first of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from cogsight.shared.errors import DataError

MAX_BYTES = 64 << 20
"""Of one file. The largest official models, packed, have a few megabytes."""

MAX_NUMBER = 1e7
"""LDU: four kilometres of bricks."""

MAX_TOKEN = 40
"""Characters of a number, at most."""

SHAPES = {"2": 2, "3": 3, "4": 4, "5": 4}
"""Line type → points that it names: edge, triangle, quad, conditional edge (its ends, then two control points)."""

_SECTION = re.compile(r"0\s+(FILE|NOFILE|!DATA)(?:\s+(.*))?", re.IGNORECASE)
_AUTHOR = re.compile(r"0\s+Author:?\s+(.+)", re.IGNORECASE)
_ORG = re.compile(r"0\s+!?LDRAW_ORG\s+(?:Unofficial_)?(\S+)", re.IGNORECASE)
_COLOUR = re.compile(r"0\s+!COLOUR\s", re.IGNORECASE)
_LICENCE = re.compile(r"0\s+!LICENSE\s+(.+)", re.IGNORECASE)
_TITLE = re.compile(r"0\s+(?!//|!|Name:|Author:|BFC\b|STEP\b|ROTSTEP\b)(\S.*)", re.IGNORECASE)

Transform = tuple[float, ...]
"""Twelve numbers: the rows of a 3 by 4 matrix [R | t], p ↦ R·p + t, in LDU."""


class LDrawError(DataError):
    """A brick model that cannot be used: names the file, the line and the way out."""


class Meta(NamedTuple):
    """A line of type 0: a comment or a command."""

    number: int
    words: tuple[str, ...]
    """What follows the 0; commands may be in small letters."""


class Reference(NamedTuple):
    """A line of type 1: another file, placed."""

    number: int
    color: int
    transform: Transform
    name: str
    """As `normal` writes it."""


class Shape(NamedTuple):
    """A line of type 2 to 5."""

    number: int
    kind: int
    color: int
    points: tuple[float, ...]
    """x, y, z of each of its points, as many as `SHAPES` says."""


Line = Meta | Reference | Shape


@dataclass(frozen=True, slots=True)
class Header:
    """What a section says about itself."""

    title: str = ""
    authors: tuple[str, ...] = ()
    licence: str = ""
    kind: str = ""
    """Of its `!LDRAW_ORG` line, lower case, without "unofficial_": "part", "model", "primitive" …"""


@dataclass(frozen=True)
class Source:
    """One section of a file. `==` by what it says."""

    name: str
    """As `normal` writes it; "" for the main model of a file that gives it none."""
    path: str
    """Of the file, as the user named it."""
    text: tuple[tuple[int, str], ...]
    """Its lines with their numbers in the file; blank lines are left out."""

    def where(self, number: int | None = None) -> str:
        """For messages: "car.mpd:12 (engine.ldr)"."""
        line = "" if number is None else f":{number}"
        inside = f" ({self.name})" if self.name and self.name != normal(Path(self.path).name) else ""
        return f"{self.path}{line}{inside}"

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Its lines, read. Raises LDrawError at the first that is not LDraw."""
        return tuple(_read(self, number, text) for number, text in self.text)

    @cached_property
    def header(self) -> Header:
        """Its title, authors, licence and kind, from its first lines of type 0."""
        return _header(self)

    @cached_property
    def is_part(self) -> bool:
        """Whether a builder takes it as one piece: by its `!LDRAW_ORG` line, else its folder, else its ending and what is in it."""
        kind = self.header.kind
        if kind in ("model", "submodel"):
            return False
        if kind.endswith(("part", "primitive", "shortcut")):
            return True
        if self.name.endswith(".dat"):
            return not any(isinstance(line, Meta) and is_step(line) for line in self.lines)
        kinds = {type(line) for line in self.lines}
        return Shape in kinds and Reference not in kinds


def is_step(meta: Meta) -> bool:
    """Whether the line ends a building step."""
    words = [word.upper() for word in meta.words]
    return words[:1] == ["ROTSTEP"] or (words[:1] == ["STEP"] and words[1:2] in ([], ["//"]))


def normal(name: str) -> str:
    """The name by which a file is known: lower case, "/" between folders, single blanks.

    >>> normal(r"S\\3001s01.DAT")
    's/3001s01.dat'
    """
    return " ".join(name.split()).strip('"').lower().replace("\\", "/").removeprefix("./")


def is_inside(name: str) -> bool:
    """Whether a referenced name stays inside the folders it is looked for in.

    >>> is_inside("s/3001s01.dat"), is_inside("../secret.ldr"), is_inside("c:/part.dat")
    (True, False, False)
    """
    path = PurePosixPath(name)
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts and not re.search(r"[:\0]", name)


def read_sources(path: Path, label: str | None = None) -> tuple[tuple[Source, ...], tuple[str, ...]]:
    """The sections of a file, the main one first, and notices. Raises LDrawError where the file is no text or too long."""
    label = label or str(path)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise LDrawError(f"{label}: cannot be read: {error.strerror}") from error
    if len(data) > MAX_BYTES:
        raise LDrawError(f"{label}: more than {MAX_BYTES >> 20} MiB; no brick model is that long")
    if b"\0" in data:
        raise LDrawError(f"{label}: not a text file; expected LDraw (.ldr, .mpd or packed .mpd), UTF-8")
    return _sections(label, _decode(data))


def _decode(data: bytes) -> str:
    """UTF-8, as the format says; Latin-1 for the files from before it said so."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _sections(label: str, text: str) -> tuple[tuple[Source, ...], tuple[str, ...]]:
    """What stands before the first `0 FILE` is the main model if it draws or places anything; otherwise the first section is, and colours that
    are defined before it belong to it."""
    found: dict[str, Source] = {}
    notices: list[str] = []
    for name, start, lines in _cut(label, text, notices):
        if name in found:
            notices.append(f"{label}:{start}: a second `0 FILE {name}` is ignored")
        else:
            found[name] = Source(name, label, tuple(lines))
    front = found[""]
    if any(not line.startswith("0") for _, line in front.text) or len(found) == 1:
        return tuple(found.values()), tuple(notices)
    colors = tuple(line for line in front.text if _COLOUR.match(line[1]))
    main, *others = (source for name, source in found.items() if name)
    return (Source(main.name, label, colors + main.text), *others), tuple(notices)


def _cut(label: str, text: str, notices: list[str]) -> Iterator[tuple[str, int, list[tuple[int, str]]]]:
    """Name, first line and lines of each section in order; the first, before any `0 FILE`, has the name ""."""
    name: str | None = ""
    start, lines = 1, list[tuple[int, str]]()
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        line = line.strip()
        match = _SECTION.fullmatch(line) if line.startswith("0") else None
        if not match:
            if line:
                lines.append((number, line))
            continue
        if name is not None:
            yield name, start, lines
        word, title = match[1].upper(), normal(match[2] or "")
        if word == "FILE" and not title:
            raise LDrawError(f"{label}:{number}: `0 FILE` without a name")
        if word == "!DATA":
            notices.append(f"{label}:{number}: embedded data {title!r} are ignored")
        name, start, lines = title if word == "FILE" else None, number, []
    if name is not None:
        yield name, start, lines


def _read(source: Source, number: int, text: str) -> Line:
    kind, *others = text.split(None, 1)
    rest = others[0] if others else ""
    if kind == "0":
        return Meta(number, tuple(rest.split()))
    where = source.where(number)
    if kind == "1":
        words = rest.split(None, 13)
        if len(words) < 14:
            raise LDrawError(
                f"{where}: a line of type 1 has a colour, twelve numbers and a file name; here are {len(words)} words"
            )
        x, y, z, a, b, c, d, e, f, g, h, i = numbers(where, words[1:13])
        transform = (a, b, c, x, d, e, f, y, g, h, i, z)
        return Reference(number, _color(where, words[0]), transform, normal(words[13]))
    if kind not in SHAPES:
        raise LDrawError(f"{where}: {kind[:MAX_TOKEN]!r} is no line type; expected 0 to 5")
    words, points = rest.split(), SHAPES[kind]
    if len(words) < 1 + 3 * points:
        raise LDrawError(
            f"{where}: a line of type {kind} has a colour and {3 * points} numbers; here are {len(words)} words"
        )
    return Shape(number, int(kind), _color(where, words[0]), numbers(where, words[1 : 1 + 3 * points]))


def numbers(where: str, words: Sequence[str]) -> tuple[float, ...]:
    """The words as numbers. Raises LDrawError with the first that is none."""
    try:
        found = tuple(map(float, words))
    except ValueError:
        found = ()
    # float reads more than LDraw writes: "1_0", "inf", digits of other scripts
    if found and all(-MAX_NUMBER <= number <= MAX_NUMBER for number in found):
        joined = "".join(words)
        if joined.isascii() and "_" not in joined and len(joined) <= MAX_TOKEN * len(words):
            return found
    bad = next(word for word in words if not _is_number(word))
    raise LDrawError(f"{where}: {bad[:MAX_TOKEN]!r} is no number between ±{MAX_NUMBER:.0f}")


def _is_number(word: str) -> bool:
    try:
        value = float(word)
    except ValueError:
        return False
    return (
        isfinite(value) and abs(value) <= MAX_NUMBER and word.isascii() and "_" not in word and len(word) <= MAX_TOKEN
    )


_COLOR = re.compile(r"(?:0x|#)[0-9a-f]{1,8}|[0-9]{1,10}", re.IGNORECASE)


def _color(where: str, word: str) -> int:
    if not _COLOR.fullmatch(word):
        raise LDrawError(f"{where}: {word[:MAX_TOKEN]!r} is no colour; expected a code such as 4, or 0x2RRGGBB")
    return int(word.replace("#", "0x"), 0) if not word.isdecimal() else int(word)


def _header(source: Source) -> Header:
    title, kind, licence = "", "", ""
    authors: list[str] = []
    for _, text in source.text:
        if not text.startswith("0"):
            break
        if match := _ORG.match(text):
            kind = match[1].lower()
            if kind == "configuration":  # packed models begin with LDConfig: what it says is not about the model
                title, kind = "", ""
                authors.clear()
        elif match := _AUTHOR.fullmatch(text):
            authors.append(match[1].strip())
        elif match := _LICENCE.fullmatch(text):
            licence = licence or match[1].strip()
        elif not title and (match := _TITLE.fullmatch(text)):
            title = " ".join(match[1].split())
    return Header(title, tuple(dict.fromkeys(authors)), licence, kind)

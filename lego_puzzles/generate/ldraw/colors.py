"""LDraw colours: codes, their values, and what an edge on them looks like.

Beside the codes of the format, a negative code ~c stands for the edge colour of c. So code 24, "the edge colour of the part's own
colour", is ~16, and "edge of edge" stays what it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from .color_table import TABLE
from .text import LDrawError, Source

OWN, EDGE = 16, ~16
"""The colour that the reference gives, and its edge colour."""

FINISHES = ("chrome", "pearlescent", "rubber", "matte_metallic", "metal", "glitter", "speckle")

Rgb = tuple[int, int, int]
Rgba = tuple[int, int, int, int]

DIRECT, CLEAR = 0x2000000, 0x3000000
"""0x2RRGGBB is opaque, 0x3RRGGBB half transparent."""

_HEX = re.compile(r"(?:#|0x)([0-9a-f]{6})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Color:
    """One entry of the colour table."""

    code: int
    name: str
    """"Dark_Bluish_Grey"."""
    rgb: Rgb
    edge: Rgb
    alpha: int = 255
    """Opacity, 0 to 255."""
    finish: str = ""
    """"" for plain plastic, or one of `FINISHES`."""


@dataclass(frozen=True)
class Palette:
    """The colours that a model may use."""

    named: Mapping[int, Color]

    def __contains__(self, code: int) -> bool:
        return (~code if code < 0 else code) in self.named or _is_direct(~code if code < 0 else code)

    def color(self, code: int) -> Color:
        """The entry of a code that is not an edge; a direct colour gets one of its own. Raises KeyError for one that is not defined."""
        if code in self.named or not _is_direct(code):
            return self.named[code]
        rgb = _rgb(code & 0xFFFFFF)
        return Color(code, f"#{code & 0xFFFFFF:06X}", rgb, contrast(rgb), 128 if code >= CLEAR else 255)

    def rgba(self, code: int) -> Rgba:
        """What is painted: the value with its opacity; for ~c the edge colour of c."""
        if code < 0:
            return (*self.color(~code).edge, 255)
        color = self.color(code)
        return (*color.rgb, color.alpha)


def edge_of(code: int) -> int:
    """The code of the edge colour of a colour.

    >>> edge_of(4), edge_of(OWN) == EDGE, edge_of(edge_of(4))
    (-5, True, -5)
    """
    return code if code < 0 else ~code


def inherited(code: int, outer: int) -> int:
    """A colour inside a file, when the file is placed in the colour `outer`.

    >>> inherited(OWN, 4), inherited(24, 4), inherited(15, 4)
    (4, -5, 15)
    """
    if code == OWN:
        return outer
    return edge_of(outer) if code in (24, EDGE) else code


def contrast(rgb: Rgb) -> Rgb:
    """An edge that is seen on this colour, as LDConfig chooses them: dark, or lighter on the darkest."""
    red, green, blue = rgb
    return (0x59,) * 3 if 299 * red + 587 * green + 114 * blue < 50_000 else (0x33,) * 3


def palette(*sources: Source | None) -> Palette:
    """The official colours, overridden by the `0 !COLOUR` lines of these sources, the last one strongest."""
    named = dict(OFFICIAL)
    edges: list[tuple[str, Color, int]] = []
    for source in filter(None, sources):
        for where, color, edge_code in _read(source):
            named[color.code] = color
            if edge_code is not None:
                edges.append((where, color, edge_code))
    for where, color, edge_code in edges:
        if edge_code not in named:
            raise LDrawError(f"{where}: the edge of {color.name} is colour {edge_code}, which is not defined")
        named[color.code] = Color(color.code, color.name, color.rgb, named[edge_code].rgb, color.alpha, color.finish)
    return Palette(named)


def _read(source: Source) -> Iterator[tuple[str, Color, int | None]]:
    """Each `0 !COLOUR` line: where it stands, the colour, and the code of its edge where that is given by code."""
    for number, text in source.text:
        words = text.split()
        if [word.upper() for word in words[:2]] == ["0", "!COLOUR"]:
            where = source.where(number)
            yield where, *_entry(where, words[2:])


def _entry(where: str, words: list[str]) -> tuple[Color, int | None]:
    upper = [word.upper() for word in words]
    head = upper.index("MATERIAL") if "MATERIAL" in upper else len(upper)  # a material has a VALUE of its own
    given = {key: words[upper.index(key) + 1] for key in ("CODE", "VALUE", "EDGE", "ALPHA") if key in upper[: head - 1]}
    code, value, edge, alpha = (given.get(key, "") for key in ("CODE", "VALUE", "EDGE", "ALPHA"))
    rgb, edge_rgb = _HEX.fullmatch(value), _HEX.fullmatch(edge)
    whole = [
        word for word in (code, alpha or "255", "0" if edge_rgb else edge) if not re.fullmatch(r"[0-9]{1,6}", word)
    ]
    if whole or not rgb or int(alpha or 255) > 255:
        raise LDrawError(
            f"{where}: expected `0 !COLOUR name CODE number VALUE #RRGGBB EDGE #RRGGBB`, perhaps with ALPHA 0 to 255"
        )
    own = _rgb(int(rgb[1], 16))
    finish = next((word.lower() for word in upper[1:] if word.lower() in FINISHES), "")
    shown = _rgb(int(edge_rgb[1], 16)) if edge_rgb else contrast(own)
    return Color(int(code), words[0], own, shown, int(alpha or 255), finish), None if edge_rgb else int(edge)


def _is_direct(code: int) -> bool:
    return DIRECT <= code <= CLEAR | 0xFFFFFF


def _rgb(value: int) -> Rgb:
    return value >> 16 & 255, value >> 8 & 255, value & 255


def _table(rows: Iterable[str]) -> Iterator[Color]:
    for row in rows:
        code, name, value, edge, alpha, finish = row.split()
        yield Color(
            int(code), name, _rgb(int(value, 16)), _rgb(int(edge, 16)), int(alpha), "" if finish == "-" else finish
        )


OFFICIAL: Mapping[int, Color] = {color.code: color for color in _table(TABLE.strip().splitlines())}
"""Code → colour, of the LDraw configuration of 2017-12-15."""

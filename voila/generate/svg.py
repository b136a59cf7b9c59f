"""The little SVG that the scenes need: outlined limbs, shapes, groups, and the vendored Noto Emoji art.

Everything is text; `render` is the only place that makes pixels. x runs to the right, y downwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise
from math import dist
from pathlib import Path
from re import search, sub

Point = tuple[float, float]

OUTLINE = "#2e2a33"
LINE = 3.0
"""Width of outlines, units of a figure (which is about 190 high)."""

ART = Path(__file__).parent / "art"


def along(places: list[Point], share: float) -> list[Point]:
    """The first `share` (0 to 1) of a polyline, by length.

    >>> along([(0, 0), (0, 10), (10, 10)], 0.75)
    [(0, 0), (0, 10), (5.0, 10.0)]
    """
    left = share * sum(dist(a, b) for a, b in pairwise(places))
    kept = places[:1]
    for a, b in pairwise(places):
        length = dist(a, b)
        if left < length:
            part = left / length
            return [*kept, (a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part)]
        kept.append(b)
        left -= length
    return kept


def hull(places: Iterable[Point]) -> list[Point]:
    """The corners of the convex hull, in order around it.

    >>> hull([(0, 0), (2, 0), (1, 1), (2, 2), (0, 2)])
    [(0, 0), (2, 0), (2, 2), (0, 2)]
    """
    ordered = sorted(set(places))
    return _half_hull(ordered) + _half_hull(ordered[::-1])


def _half_hull(ordered: list[Point]) -> list[Point]:
    """From the first to the last point, without the last; Andrew's monotone chain."""
    chain: list[Point] = []
    for x, y in ordered:
        while len(chain) > 1 and (chain[-1][0] - chain[-2][0]) * (y - chain[-2][1]) <= (chain[-1][1] - chain[-2][1]) * (
            x - chain[-2][0]
        ):
            chain.pop()
        chain.append((x, y))
    return chain[:-1]


def points(places: Iterable[Point]) -> str:
    """As in the attribute of that name: `"1,2 3.5,4"`."""
    return " ".join(f"{x:.5g},{y:.5g}" for x, y in places)


def line(places: Iterable[Point], color: str, width: float) -> str:
    """A round-ended polyline."""
    return (
        f'<polyline points="{points(places)}" fill="none" stroke="{color}" stroke-width="{width:.5g}" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )


def limb(places: Iterable[Point], color: str, width: float) -> str:
    """A polyline with an outline around it: arms, legs, tails, trunks."""
    places = list(places)
    return line(places, OUTLINE, width + 2 * LINE) + line(places, color, width)


def polygon(places: Iterable[Point], fill: str, width: float = LINE) -> str:
    """A closed outlined shape."""
    return (
        f'<polygon points="{points(places)}" fill="{fill}" stroke="{OUTLINE}" stroke-width="{width:.5g}" '
        'stroke-linejoin="round"/>'
    )


def ellipse(center: Point, radii: Point, fill: str, width: float = LINE) -> str:
    """An outlined ellipse; `width` 0 leaves the outline out."""
    x, y = center
    edge = f' stroke="{OUTLINE}" stroke-width="{width:.5g}"' if width else ""
    return f'<ellipse cx="{x:.5g}" cy="{y:.5g}" rx="{radii[0]:.5g}" ry="{radii[1]:.5g}" fill="{fill}"{edge}/>'


def path(d: str, fill: str, width: float = LINE) -> str:
    """An outlined path, `d` as in SVG; `width` 0 leaves the outline out."""
    edge = f' stroke="{OUTLINE}" stroke-width="{width:.5g}" stroke-linejoin="round"' if width else ""
    return f'<path d="{d}" fill="{fill}"{edge}/>'


def box(corner: Point, width: float, height: float, fill: str, radius: float) -> str:
    """An outlined rectangle with round corners, from its upper left corner."""
    return (
        f'<rect x="{corner[0]:.5g}" y="{corner[1]:.5g}" width="{width:.5g}" height="{height:.5g}" rx="{radius:.5g}" '
        f'fill="{fill}" stroke="{OUTLINE}" stroke-width="{LINE:.5g}"/>'
    )


def faded(content: str, opacity: float) -> str:
    """`content`, see-through."""
    return f'<g opacity="{opacity:.5g}">{content}</g>'


def group(content: str, at: Point = (0, 0), *, scale: float = 1, mirror: bool = False, turn: float = 0) -> str:
    """`content`, whose origin comes to `at`, first turned (degrees clockwise), then mirrored left to right, then scaled."""
    across = -scale if mirror else scale
    return f'<g transform="translate({at[0]:.5g},{at[1]:.5g}) scale({across:.5g},{scale:.5g}) rotate({turn:.5g})">{content}</g>'


@cache
def art(name: str) -> str:
    """The inside of `art/NAME.svg`, drawn on 128 x 128 units. Raises FileNotFoundError for an unknown name."""
    found = search(r"(?s)<svg[^>]*>(.*)</svg>", (ART / f"{name}.svg").read_text(encoding="ascii"))
    if not found:
        raise ValueError(f"art/{name}.svg holds no <svg> element")
    return found[1].strip()


def recoloured(name: str, colors: Mapping[str, str], key: str) -> str:
    """Art with colours exchanged, and with gradients named after `key`, so that two of them in one drawing do not mix."""
    body = sub(r"#[0-9a-f]{6}\b", lambda match: colors.get(match[0], match[0]), art(name))
    return sub(r'(id="|url\(#)g', rf"\g<1>{key}g", body)


def document(body: str, *, view: float, size: int) -> str:
    """A square drawing of `view` units shown on `size` pixels."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 {view:.5g} {view:.5g}">{body}</svg>'


def render(text: str) -> bytes:
    """PNG of a drawing; no fonts are read, so that it looks the same on every machine."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=text, skip_system_fonts=True))

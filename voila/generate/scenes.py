"""Drawn scenes: "three foxes reading" as a picture, the image source that needs no download and no GPU.

What is varied (layout, colours, backdrop, sizes, facing) comes from `variant_seed` alone; number, subject and action only decide what
is shown. So nothing but the figures themselves gives an answer away.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from cogsight.shared.render.palette import PALETTE, Color, shade
from cogsight.shared.rng import stream
from cogsight.shared.sample import Picture

from .figures import Dress, draw_figure, extent
from .looks import LOOKS, TONES
from .poses import POSES
from .props import FOODS
from .svg import Point, document, ellipse, group, line, render

RENDER_VERSION = "2"
"""Changes when the same arguments give other pixels, as another resvg may (the golden pixels are resvg-py 0.5.0's)."""

SIZE = 512
"""Default width and height, pixels."""

VIEW = 400.0
"""Width and height of a drawing, in its own units."""

LAYOUTS: dict[int, tuple[tuple[float, tuple[Point, ...]], ...]] = {
    1: (
        (0.86, ((0.5, 0.5),)),
        (0.74, ((0.4, 0.5),)),
        (0.74, ((0.6, 0.5),)),
        (0.66, ((0.35, 0.6),)),
        (0.66, ((0.65, 0.6),)),
    ),
    2: (
        (0.48, ((0.26, 0.5), (0.74, 0.5))),
        (0.48, ((0.26, 0.36), (0.74, 0.64))),
        (0.48, ((0.26, 0.64), (0.74, 0.36))),
        (0.48, ((0.27, 0.26), (0.73, 0.74))),
        (0.48, ((0.73, 0.26), (0.27, 0.74))),
    ),
    3: (
        (0.48, ((0.26, 0.26), (0.74, 0.26), (0.5, 0.74))),
        (0.48, ((0.5, 0.26), (0.26, 0.74), (0.74, 0.74))),
        (0.48, ((0.26, 0.5), (0.74, 0.26), (0.74, 0.74))),
        (0.48, ((0.26, 0.26), (0.26, 0.74), (0.74, 0.5))),
        (0.48, ((0.74, 0.25), (0.26, 0.28), (0.5, 0.75))),
    ),
    4: (
        (0.48, ((0.26, 0.26), (0.74, 0.26), (0.26, 0.74), (0.74, 0.74))),
        (0.46, ((0.24, 0.26), (0.71, 0.26), (0.29, 0.74), (0.76, 0.74))),
        (0.46, ((0.29, 0.26), (0.76, 0.26), (0.24, 0.74), (0.71, 0.74))),
        (0.46, ((0.26, 0.24), (0.26, 0.71), (0.74, 0.29), (0.74, 0.76))),
        (0.46, ((0.26, 0.29), (0.26, 0.76), (0.74, 0.24), (0.74, 0.71))),
    ),
}
"""Number → arrangements: width of one individual's square, and the squares' middles; shares of the picture."""

FIGURE = 205.0
"""Width of the square that every figure fits, units of a figure; what is higher is drawn smaller."""

PAPERS = ("#ffedb8", "#c5e6d2", "#dccdf0", "#fbd0c0", "#cbe0f4", "#e2e6b4", "#e4e4e4", "#f8cde0", "#ffffff")
PATTERNS = ("plain", "floor", "dots", "stripes", "hills", "sun", "arches")


@dataclass(frozen=True)
class Variation:
    """All that a seed decides about a picture."""

    layout: float
    """0 to 1, a share of the list of the number's layouts."""
    shrink: float
    """Factor on the size of all figures."""
    paper: str
    """Colour of the backdrop."""
    tint: str
    """Colour of its pattern."""
    pattern: str
    order: tuple[int, ...]
    """Which individual stands in which place."""
    nudges: tuple[Point, ...]
    """Shifts of the four, shares of the picture."""
    dresses: tuple[Dress, ...]
    """Of the four."""


def variation(seed: object) -> Variation:
    """The variation of a seed (an integer or a text without "/"). Four individuals are drawn even where fewer are shown."""
    rng = stream(seed, "voila scene")
    paper = rng.choice(PAPERS)
    other = rng.choice([color for color in PAPERS if color != paper])
    return Variation(
        layout=rng.random(),
        shrink=rng.uniform(0.9, 1.0),
        paper=paper,
        tint=_between(paper, other),
        pattern=rng.choice(PATTERNS),
        order=tuple(rng.sample(range(4), 4)),
        nudges=tuple((rng.uniform(-0.008, 0.008), rng.uniform(-0.008, 0.008)) for _ in range(4)),
        dresses=_dresses(rng),
    )


def draw_scene(number: int, subject: str, action: str, variant_seed: object, *, size: int = SIZE) -> Picture:
    """`number` (1 to 4) individuals of a subject, each doing the action, as a square PNG of `size` pixels.

    Words are the paper's, singular ("female child", "digging a hole"). The same arguments give the same pixels;
    pictures of one question need different seeds. Raises ValueError for words or numbers outside the paper's lists.
    """
    return Picture(render(scene_svg(number, subject, action, variation(variant_seed), size=size)))


def scene_svg(number: int, subject: str, action: str, varied: Variation, *, size: int = SIZE) -> str:
    """The same as SVG text."""
    drawn = individuals(number, subject, action, varied)
    return document(_backdrop(varied) + "".join(drawn), view=VIEW, size=size)


def individuals(number: int, subject: str, action: str, varied: Variation) -> list[str]:
    """SVG of each individual in its place."""
    for value, allowed in ((number, LAYOUTS), (subject, LOOKS), (action, POSES)):
        if value not in allowed:
            raise ValueError(f"{value!r} cannot be drawn; expected one of {', '.join(map(str, allowed))}")
    width, places = LAYOUTS[number][int(varied.layout * len(LAYOUTS[number]))]
    top, bottom = extent(subject, action)
    scale = width * varied.shrink * VIEW / max(FIGURE, bottom - top)
    drawn = []
    for place, who in zip(places, varied.order, strict=False):
        x, y = ((a + b) * VIEW for a, b in zip(place, varied.nudges[who], strict=True))
        figure = draw_figure(subject, action, varied.dresses[who], key=f"f{who}")
        drawn.append(group(figure, (x, y - scale * (top + bottom) / 2), scale=scale))
    return drawn


def _dresses(rng: Random) -> tuple[Dress, ...]:
    """Four, no two with the same top or the same paint."""
    bright = ("red", "orange", "yellow", "lime", "green", "turquoise", "blue", "violet")
    tops, paints, seconds = (rng.sample(bright, 4) for _ in range(3))
    made = []
    for top, paint, second in zip(tops, paints, seconds, strict=True):
        wood = rng.choice([(198, 142, 92), (164, 110, 70), (222, 186, 138), (176, 170, 164)])
        crate, tape = rng.choice(
            [("#d3a068", "#f0dcae"), ("#c98f4e", "#8a5a2c"), ("#e2504a", "#ffd84d"), ("#4f86c6", "#ffffff")]
        )
        made.append(
            Dress(
                tone=rng.randrange(len(TONES)),
                top=_hex(PALETTE[top]),
                bottom=rng.choice(["#3d4f77", "#4a4a52", "#2f6b62", "#7a3e5d"]),
                accent=_hex(PALETTE[rng.choice([color for color in bright if color != top])]),
                paint=_hex(PALETTE[paint]),
                second=_hex(PALETTE[second]),
                wood=_hex(wood),
                edge=_hex(shade(wood, 80)),
                crate=crate,
                tape=tape,
                food=rng.randrange(len(FOODS)),
                tilt=rng.uniform(-4, 4),
                mirror=rng.random() < 0.5,
            )
        )
    return tuple(made)


def _between(one: str, other: str) -> str:
    """The colour in the middle.

    >>> _between("#000010", "#ff0030")
    '#7f0020'
    """
    return "#" + "".join(f"{(int(one[i : i + 2], 16) + int(other[i : i + 2], 16)) // 2:02x}" for i in (1, 3, 5))


def _hex(color: Color) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)


def _backdrop(varied: Variation) -> str:
    """Paper with a faint pattern; nothing in it looks like water, ice or a road."""
    shapes = {
        "plain": "",
        "floor": f'<rect y="300" width="400" height="100" fill="{varied.tint}"/>',
        "dots": "".join(
            ellipse((x, y), (9, 9), varied.tint, 0)
            for y in range(25, 400, 50)
            for x in range(25 + y // 50 % 2 * 25, 400, 50)
        ),
        "stripes": "".join(line([(x, -10), (x - 200, 410)], varied.tint, 24) for x in range(20, 620, 60)),
        "hills": ellipse((100, 420), (230, 170), varied.tint, 0) + ellipse((330, 430), (190, 130), varied.tint, 0),
        "sun": ellipse((320, 80), (120, 120), varied.tint, 0),
        "arches": "".join(ellipse((x, 400), (62, 330), varied.tint, 0) for x in (66, 200, 334)),
    }
    return f'<rect width="400" height="400" fill="{varied.paper}"/>{shapes[varied.pattern]}'

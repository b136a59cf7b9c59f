"""Things that make an action plain and things worn, as SVG. Fields in braces are colours of the individual (`figures.Dress`)."""

from __future__ import annotations

from collections.abc import Mapping

from .svg import OUTLINE, Point, art, box, ellipse, faded, group, limb, line, path, polygon

STEEL, DARK, WHITE, EARTH, WATER, ICE = "#c9ced6", "#3a3a44", "#ffffff", "#7a5230", "#3f9be0", "#dff3fb"
GREY = "#e9ebee"
"""Of old men's hair and beard: light on every skin, and outlined."""

BELOW = 25
"""How far ice, water and shadows reach below the ground line."""


def icon(name: str, center: Point, width: float) -> str:
    """Noto art by its middle."""
    return group(group(art(name), (-width / 2, -width / 2), scale=width / 128), center)


def shadow(center: Point, radii: Point) -> str:
    """Dark on the ground."""
    return faded(ellipse(center, radii, OUTLINE, 0), 0.22)


def motion(*strokes: tuple[Point, Point]) -> str:
    """Short strokes where something moves."""
    return "".join(line(stroke, OUTLINE, 4) for stroke in strokes)


def wheel(x: float) -> str:
    """Of a car."""
    return ellipse((x, -17), (19, 19), DARK) + ellipse((x, -17), (8, 8), STEEL)


def leg(start: Point, end: Point, width: float = 6, color: str = "{wood}") -> str:
    """Of a piece of furniture."""
    return limb([start, end], color, width)


def keys(rows: int, columns: int) -> str:
    """Keys of a keyboard that fills (0, 0) to (1, 1)."""
    width, height = 0.7 / columns, 0.7 / rows
    places = [((c + 0.15) / columns, (r + 0.15) / rows) for r in range(rows) for c in range(columns)]
    return "".join(
        f'<rect x="{x:.3g}" y="{y:.3g}" width="{width:.3g}" height="{height:.3g}" fill="{WHITE}"/>' for x, y in places
    )


def waves(top: float, bottom: float, left: float, width: float = 24, count: int = 8, height: float = 10) -> str:
    """The outline of water with `count` waves on top and round lower corners, as the `d` of a path."""
    right = left + count * width
    crests = " ".join(f"q{width / 2:.5g},{-height:.5g} {width:.5g},0" for _ in range(count))
    return f"M{left},{top} {crests} L{right},{bottom - 16} q0,16 -16,16 L{left + 16},{bottom} q-16,0 -16,-16 Z"


def _joined(table: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    return {name: "".join(pieces) for name, pieces in table.items()}


PROPS: Mapping[str, str] = _joined(
    {
        "shadow": (shadow((0, 0), (84, 9)),),
        "low_shadow": (shadow((0, 2), (50, 8)),),
        "ball": (
            icon("ball", (78, -22), 44),
            motion(((52, -4), (62, -2)), ((50, -50), (60, -54)), ((46, -66), (58, -76))),
        ),
        "car_inside": (
            line([(34, -58), (58, -104)], OUTLINE, 6),  # windscreen
            box((-66, -100), 22, 50, "{second}", 9),  # seat
        ),
        "steering_wheel": (
            line([(44, -58), (30, -80)], OUTLINE, 6),
            group(ellipse((0, 0), (6, 19), "none", 6), (29, -82), turn=-14),
        ),
        "car": (
            path("M-98,-20 L-98,-50 Q-97,-64 -82,-64 L36,-64 Q52,-63 78,-54 Q98,-48 98,-28 L98,-20 Z", "{paint}"),
            path("M-40,-62 L-40,-22 M26,-62 L26,-22", "none", 2.5),
            line([(-32, -52), (-22, -52)], OUTLINE, 4),
            ellipse((90, -40), (6, 7), "#ffe680"),
            wheel(-58),
            wheel(58),
        ),
        "ice": (
            ellipse((0, 0), (98, 22), ICE),
            line([(-70, -4), (-40, 4), (-14, 2)], "#9cc9e0", 3),
            line([(20, 10), (52, 4), (76, -2)], "#9cc9e0", 3),
            line([(-52, 12), (-20, 14)], WHITE, 4),
            line([(30, -8), (62, -10)], WHITE, 4),
        ),
        "footprints": (
            shadow((0, 0), (50, 8)),
            *(ellipse((x, y), (8, 3.5), "#8b7a6b", 0) for x, y in ((-50, 2), (-64, -4), (-78, 2), (-91, -4))),
        ),
        "pool": (path(waves(-46, 16, -98), "#8cc8f2"),),
        "splash": tuple(
            line(drop, WHITE, 6)
            for drop in ([(-88, -58), (-94, -74)], [(-76, -60), (-74, -80)], [(-64, -58), (-56, -72)])
        ),
        "water": (
            faded(path(waves(-34, 15, -96), WATER, 0), 0.82),
            *(
                line([(x, y), (x + 8, y - 5), (x + 16, y), (x + 24, y - 5), (x + 32, y)], WHITE, 3.5)
                for x, y in ((-84, -14), (-16, -10), (50, -16), (-50, 4), (18, 6))
            ),
        ),
        "bounce": (
            motion(((-24, -22), (-24, -8)), ((0, -28), (0, -8)), ((24, -22), (24, -8))),
            motion(((-78, -150), (-70, -128)), ((78, -150), (70, -128))),
        ),
        "speed": (
            motion(((-96, -104), (-52, -104)), ((-88, -84), (-40, -84)), ((-98, -62), (-64, -62))),
            *(ellipse((x, y), (r, r * 0.8), "#e8e0d4", 2) for x, y, r in ((-66, -6, 9), (-82, -10, 12), (-94, -4, 7))),
        ),
        "chair": (
            leg((-68, -60), (-74, -118), 6, "{second}"),
            leg((-66, -50), (-24, -50), 9, "{second}"),
            leg((-64, -44), (-66, -2), 6, "{second}"),
            leg((-26, -44), (-24, -2), 6, "{second}"),
        ),
        "computer_desk": (
            leg((4, -64), (4, 0)),
            leg((92, -64), (92, 0)),
            box((-6, -72), 105, 12, "{wood}", 3),
            box((66, -88), 24, 6, DARK, 2),
            limb([(78, -90), (78, -104)], DARK, 6),
            polygon([(58, -150), (94, -142), (94, -100), (58, -104)], DARK),
            polygon([(63, -143), (89, -137), (89, -106), (63, -109)], "#cfe8ff", 0),
            *(line([(67, y), (67 + w, y + 3)], "{paint}", 3.5) for y, w in ((-135, 16), (-127, 18), (-119, 12))),
            polygon([(10, -88), (60, -88), (52, -70), (0, -70)], DARK),
            f'<g transform="matrix(46 0 -8 14 12 -86)">{keys(3, 7)}</g>',
        ),
        "table": (
            leg((-84, -40), (-84, 0), 8),
            leg((84, -40), (84, 0), 8),
            polygon([(-72, -88), (72, -88), (96, -46), (-96, -46)], "{wood}"),
            polygon([(-96, -46), (96, -46), (96, -36), (-96, -36)], "{edge}"),
        ),
        "paper": (
            polygon([(-30, -80), (32, -80), (38, -50), (-40, -50)], WHITE),
            *(
                line([(left, y), (right, y)], "#4a63b5", 2.6)
                for left, right, y in ((-24, 24, -75), (-25, 26, -69), (-26, 22, -63), (-27, 2, -57))
            ),
        ),
        "pencil": (
            polygon([(4, -52), (9, -62), (16, -57)], "#f2d6a8", 2),
            limb([(13, -63), (46, -104)], "#f7c325", 7),
            limb([(44, -102), (47, -106)], "#f08a9b", 7),
        ),
        "hole": (
            ellipse((62, 2), (38, 11), "#4a2f1b"),
            path("M70,-4 Q84,-34 98,-2 Z", EARTH),
            *(ellipse(clod, (4.5, 4), EARTH, 2) for clod in ((84, -44), (72, -58), (92, -60), (62, -74))),
        ),
        "shovel": (
            limb([(12, -104), (50, -24)], "#b98b52", 6),
            limb([(4, -108), (20, -101)], DARK, 5),
            group(path("M-13,0 L13,0 L12,26 Q0,40 -12,26 Z", STEEL), (48, -28), turn=-25),
        ),
        "load": (
            box((14, -124), 64, 54, "{crate}", 3),
            path("M38,-124 L38,-102 L54,-102 L54,-124 Z", "{tape}", 2),
        ),
        "armchair": (
            box((-62, -132), 124, 118, "{second}", 26),
            leg((-44, -8), (-44, 0), 8),
            leg((44, -8), (44, 0), 8),
            box((-46, -66), 92, 44, "{second}", 10),
            box((-78, -80), 28, 72, "{second}", 13),
            box((50, -80), 28, 72, "{second}", 13),
        ),
        "book": (
            polygon([(0, -45), (-50, -52), (-50, -108), (0, -98), (50, -108), (50, -52)], "{paint}"),
            path(
                "M0,-52 Q-19,-64 -43,-60 L-43,-112 Q-19,-115 0,-103 Q19,-115 43,-112 L43,-60 Q19,-64 0,-52 Z", WHITE, 2
            ),
            *(
                line([(side * 8, y + 2), (side * 35, y - 2)], "#8a8f99", 3)
                for side in (-1, 1)
                for y in (-96, -86, -77, -67)
            ),
            line([(0, -102), (0, -52)], OUTLINE, 2.5),
        ),
        "bib": (path("M-16,-122 L16,-122 L20,-92 Q0,-84 -20,-92 Z", WHITE, 2.5),),
        "meal": (ellipse((0, -61), (46, 15), WHITE), ellipse((0, -61), (33, 9), "#e9edf2", 2), "{food}"),
        "fork": (
            limb([(64, -104), (22, -130)], STEEL, 3.5),
            limb([(24, -136), (17, -125)], STEEL, 4),
            path("M4,-138 L20,-134 L16,-122 L2,-126 Z", "#d98a3d", 2),  # a bite
        ),
    }
)
"""In the frame of `poses`; painted where a pose's layers name them."""

FOODS = tuple(icon(name, (0, -80), 54) for name in ("burger", "pizza", "pancakes", "sandwich"))

SKATE = "".join(
    (
        line([(-12, 13), (20, 13)], OUTLINE, 7),
        line([(-12, 13), (20, 13)], STEEL, 3),
        line([(-5, 6), (-5, 12)], OUTLINE, 4),
        line([(11, 6), (11, 12)], OUTLINE, 4),
        limb([(0, -12), (0, 0), (12, 1)], WHITE, 14),
        line([(-3, -10), (5, -10)], "#d9483b", 3),
    )
)
"""A white boot on a blade; the ankle is at (0, 0), toes to the right."""

ON_HEAD: Mapping[str, str] = _joined(
    {
        "cap": (
            path("M12,52 Q14,2 64,2 Q114,2 116,52 Q64,36 12,52 Z", "{accent}", 5),
            path("M58,44 Q110,34 134,56 Q96,48 60,56 Z", "{accent}", 5),
        ),
        "bow": (
            path("M64,14 L34,-4 L34,32 Z M64,14 L94,-4 L94,32 Z", "{accent}", 5),
            ellipse((64, 14), (9, 9), "{accent}", 5),
        ),
        "earrings": (ellipse((24, 98), (7, 7), "{accent}", 0), ellipse((104, 98), (7, 7), "{accent}", 0)),
        "beard": (
            path(
                "M28,44 Q10,36 6,56 Q4,76 17,82 Q25,74 22,58 Z M100,44 Q118,36 122,56 Q124,76 111,82 Q103,74 106,58 Z",
                GREY,
                2,
            ),
            path(
                "M17,76 Q15,138 64,140 Q113,138 111,76 Q108,98 92,97 Q76,90 64,97 Q52,90 36,97 Q20,98 17,76 Z", GREY, 4
            ),
            ellipse((64, 107), (11, 4), "#7a3f3a", 0),
        ),
        "glasses": (
            *(faded(ellipse((x, 79), (17, 17), WHITE, 0), 0.35) for x in (42, 86)),
            *(ellipse((x, 79), (17, 17), "none", 6) for x in (42, 86)),
            path("M58,77 Q64,73 70,77", "none", 5),
        ),
    }
)
"""Over the head art, on its 128 units."""

ON_TRUNK: Mapping[str, str] = _joined(
    {
        "stripes": tuple(line([(-17, y), (17, y)], WHITE, 4) for y in (18, 29)),
        "dots": tuple(ellipse(dot, (3, 3), WHITE, 0) for dot in ((-9, 18), (6, 22), (-5, 32), (9, 35))),
        "tie": (polygon([(-5, 6), (5, 6), (3, 14), (7, 34), (0, 41), (-7, 34), (-3, 14)], "{accent}", 2),),
        "belt": (limb([(-14, 44), (14, 44)], "{accent}", 4),),
        "cardigan": (
            line([(0, 8), (0, 46)], "#f4efe6", 10),
            *(ellipse((-9, y), (2, 2), "#f4efe6", 0) for y in (20, 32, 44)),
        ),
    }
)
"""Over the trunk: the neck is (0, 0), the hip about (0, 54)."""

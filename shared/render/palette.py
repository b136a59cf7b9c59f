"""Named colours. Drawings say "red", never (201, 26, 9)."""

from __future__ import annotations

Color = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""

PALETTE: dict[str, Color] = {
    "red": (200, 32, 28),
    "orange": (250, 138, 30),
    "yellow": (246, 214, 62),
    "lime": (150, 206, 64),
    "green": (30, 112, 56),
    "turquoise": (84, 196, 200),
    "blue": (16, 84, 190),
    "violet": (132, 84, 176),
    "brown": (132, 80, 46),
    "tan": (222, 200, 160),
    "white": (246, 246, 246),
    "grey": (128, 132, 136),
}
"""Colours of things, as far apart as printed building instructions keep theirs (a test says how far)."""

MARK: Color = (255, 0, 200)
"""Magenta, for what a question points out; no thing has it."""

ARROWS: dict[str, Color] = {"red": (222, 20, 20), "blue": (20, 90, 230)}

EDGE: Color = (20, 20, 20)
PAPER: Color = (255, 255, 255)
INK: Color = (0, 0, 0)
RULE: Color = (190, 190, 190)


def shade(color: Color, percent: int) -> Color:
    """Darker by a factor of `percent` / 100, rounded down.

    >>> shade((200, 100, 0), 50)
    (100, 50, 0)
    """
    red, green, blue = (channel * percent // 100 for channel in color)
    return red, green, blue

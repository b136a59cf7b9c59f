"""Endless repetition carries no information: a loop is shortened before anything is read, so that hostile and stuck replies cost little."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

SHORT = 4096
"""Replies up to this many characters are left alone."""
STRIDE, PROBE = 512, 48
"""A loop is looked for every so many characters, with a probe so long …"""
LONGEST_PERIOD = 1024
"""… and found when the probe comes again within this distance."""
KEPT = 512
"""Characters kept at least at either end of a loop, more than any rule looks at around a mention."""


@dataclass(frozen=True, slots=True)
class Squeezed:
    """A text without the middle of its loops."""

    text: str
    places: tuple[int, ...] = ()
    """Where something was cut out, in the shortened text, …"""
    removed: tuple[int, ...] = ()
    """… and how much, up to there and with it."""

    def original(self, offset: int) -> int:
        """Where a character of the shortened text stands in the whole one."""
        cut = bisect_right(self.places, offset) if self.places else 0
        return offset + self.removed[cut - 1] if cut else offset


def squeeze(text: str) -> Squeezed:
    """Cut the middle out of every stretch that repeats itself with a period of up to `LONGEST_PERIOD`.

    >>> squeeze("The answer is B. " * 5000 + "No, C.").text.count("B")
    62
    """
    if len(text) <= SHORT:
        return Squeezed(text)
    parts: list[str] = []
    places: list[int] = []
    removed: list[int] = []
    copied = position = length = 0
    while position < len(text):
        period, end = _loop(text, position)
        kept = -(-KEPT // period) * period if period else 0
        if end - position > 2 * kept + period:
            parts.append(text[copied : position + kept])
            length += position + kept - copied
            copied = end - kept
            places.append(length)
            removed.append(copied - length)
        position = end if period else position + STRIDE
    return Squeezed("".join(parts) + text[copied:], tuple(places), tuple(removed))


def _loop(text: str, start: int) -> tuple[int, int]:
    """Period of the loop that begins here (0: none) and where it ends."""
    again = text.find(text[start : start + PROBE], start + 1, start + LONGEST_PERIOD + PROBE)
    if again < 0:
        return 0, start
    period = again - start
    same, step = PROBE, PROBE
    while step:  # gallop, then close in: how long does the text agree with itself one period later?
        if (
            again + same < len(text)
            and text[start + same : start + same + step] == text[again + same : again + same + step]
        ):
            same += step
            step *= 2
        else:
            step //= 2
    return period, min(again + same, len(text))

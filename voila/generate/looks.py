"""What the 14 subjects look like: head, build, coat or clothes. All of it data; `figures` draws it.

Heads and skin tones are Noto Emoji's; the bodies are ours. Children have big heads on short bodies, boys a cap and shorts, girls a bow
and a short dress; men have beards, ties and trousers, women long hair and a belted dress; seniors glasses, a cardigan and
white hair, which on a bald head is a wreath and a full beard.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .props import ON_HEAD
from .svg import Point


@dataclass(frozen=True)
class Build:
    """Proportions. A figure is drawn at the size of an adult, then scaled; the head has a size of its own."""

    size: float
    """Scale of the whole body."""
    head: float
    """Width and height of the 128-unit head art, units of the drawing, after scaling."""
    chin: float
    """Where the chin is in the head art, 0 (top) to 128; it sits on the neck."""
    trunk: float = 38
    arm: float = 14
    leg: float = 17
    """Widths, units before scaling."""


@dataclass(frozen=True)
class Tail:
    """From the rump (0, 0) of a figure that faces right."""

    path: tuple[Point, ...]
    width: float
    tip: str = ""
    """Colour of the last stretch; the coat's where empty."""


@dataclass(frozen=True)
class Coat:
    """An animal: fur instead of clothes, and a scarf whose colour varies."""

    fur: str
    belly: str
    paw: str
    tail: Tail


@dataclass(frozen=True)
class Clothes:
    """A person's clothes; their colours vary, their cut does not."""

    sleeve: float = 0.9
    """Covered share of the arm, from the shoulder."""
    trouser: float = 1.0
    """Covered share of the leg, from the hip; less than all leaves skin."""
    skirt: float = 0.0
    """Share of the leg that the skirt reaches down, from the hip; 0 for none."""
    extras: tuple[str, ...] = ()
    """Names of `props.ON_TRUNK` and `props.ON_HEAD`."""

    def for_water(self) -> Clothes:
        """What is left of it in the water: bare arms and legs, nothing on the trunk but the bathing suit."""
        return replace(
            self, sleeve=0.0, trouser=0.0, skirt=0.0, extras=tuple(name for name in self.extras if name in ON_HEAD)
        )


@dataclass(frozen=True)
class Look:
    """One subject type."""

    art: str
    build: Build
    wear: Coat | Clothes


BUSHY = ((-4, 0), (-22, 2), (-36, -14), (-42, -34))
THIN = ((-4, 2), (-28, 8), (-44, -8), (-42, -36), (-54, -50))
CURL = ((-4, 2), (-30, 12), (-52, 0), (-56, -26), (-44, -42), (-34, -30))

LOOKS: dict[str, Look] = {
    "cat": Look(
        "cat", Build(0.84, 76, 115, 42, 15, 17), Coat("#ffc022", "#ffe2a0", "#ff9b31", Tail(THIN, 11, "#ff9b31"))
    ),
    "dog": Look(
        "dog",
        Build(0.88, 76, 112, 42, 15, 17),
        Coat("#ffecc8", "#ffffff", "#9b6b5d", Tail(((-4, 0), (-24, -8), (-34, -28)), 12, "#9b6b5d")),
    ),
    "fox": Look(
        "fox", Build(0.86, 80, 114, 38, 13, 15), Coat("#ff6112", "#fff3e0", "#4a3a36", Tail(BUSHY, 24, "#fff3e0"))
    ),
    "hamster": Look(
        "hamster",
        Build(0.78, 76, 116, 54, 15, 17),
        Coat("#f2a259", "#ffe3c4", "#ffb3ab", Tail(((-6, 0), (-20, 0)), 8, "#ffb3ab")),
    ),
    "rabbit": Look(
        "rabbit",
        Build(0.80, 96, 119, 40, 14, 17),
        Coat("#b5c2c8", "#ffffff", "#ffffff", Tail(((-10, -4), (-14, -5)), 24, "#ffffff")),
    ),
    "wolf": Look(
        "wolf", Build(0.96, 84, 116, 42, 15, 17), Coat("#9a9a9a", "#dedede", "#5f5f5f", Tail(BUSHY, 22, "#5f5f5f"))
    ),
    "bear": Look(
        "bear",
        Build(0.96, 80, 116, 58, 21, 24),
        Coat("#855c52", "#b78c7d", "#5d3f37", Tail(((-14, -2), (-20, -4)), 16)),
    ),
    "monkey": Look("monkey", Build(0.82, 80, 112, 36, 12, 13), Coat("#ab8257", "#f0c48a", "#7a5836", Tail(CURL, 9))),
    "male child": Look("boy", Build(0.78, 62, 122, 38, 14, 17), Clothes(0.4, 0.5, extras=("stripes", "cap"))),
    "female child": Look("girl", Build(0.78, 62, 122, 36, 13, 15), Clothes(0.32, 0, 0.48, ("dots", "bow"))),
    "man": Look("man", Build(1, 58, 123, 46, 16, 20), Clothes(extras=("tie",))),
    "woman": Look("woman", Build(0.95, 58, 116, 36, 13, 15), Clothes(0.8, 0, 0.5, ("belt", "earrings"))),
    "senior man": Look("old_man", Build(0.95, 60, 121, 44, 15, 19), Clothes(extras=("cardigan", "beard", "glasses"))),
    "senior woman": Look("old_woman", Build(0.88, 60, 121, 42, 14, 16), Clothes(0.85, 0, 0.8, ("cardigan", "glasses"))),
}
"""In the paper's words and order (Appendix A.1)."""

SKIN = "#ffca28"
UNTONED = (SKIN, "#e59600", "#eda600", "#543930", "#6d4c41", "#795548", "#404040")
"""The colours of Noto's people without a skin tone: skin, its shade, wrinkles, hair, its gleam, mouth, eyes."""

TONES: tuple[dict[str, str], ...] = tuple(
    dict(zip(UNTONED, tone.split(), strict=True))
    for tone in (
        "#f9ddbd #dba689 #edbd82 #312d2d #454140 #444444 #312d2d",
        "#e0bb95 #c48e6a #ba8f63 #ab872f #bfa055 #6d4c41 #5d4037",
        "#ba8d68 #99674f #91674d #543930 #6d4c41 #5d4037 #49362e",
        "#a56c43 #7a4c32 #875334 #3c2c23 #554138 #473530 #42312c",
        "#70534a #3c2b24 #4a2f27 #232020 #444140 #1a1717 #1a1717",
    )
)
"""Noto's five skin tones, each with its hair, as exchanges of those colours."""

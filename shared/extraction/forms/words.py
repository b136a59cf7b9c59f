"""One word out of a closed vocabulary (a colour, a shape, a direction, yes or no), and one numbered thing ("Step 3")."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from ..normalise import lower, plain
from ..words import entries
from .form import NOTHING, NUMBER_WORDS, Form, Mention, Parts, agreed, strict

COLORS = {
    "red": "red, 红色",
    "orange": "orange, 橙色",
    "yellow": "yellow, 黄色",
    "green": "green, 绿色",
    "blue": "blue, 蓝色",
    "purple": "violet, purple, 紫色",
    "pink": "pink, 粉色, 粉红色",
    "brown": "brown, 棕色, 褐色",
    "black": "black, 黑色",
    "white": "white, 白色",
    "grey": "grey, gray, 灰色",
    "turquoise": "turquoise, teal, cyan",
    "gold": "gold, golden",
    "silver": "silver",
    "beige": "beige",
}
SHAPES = {
    "circle": "circle, disc, disk, 圆形",
    "square": "square, 正方形",
    "triangle": "triangle, 三角形",
    "star": "star, 星形",
    "diamond": "diamond, rhombus, 菱形",
    "cross": "cross, plus sign",
    "rectangle": "rectangle",
    "heart": "heart",
    "hexagon": "hexagon",
    "pentagon": "pentagon",
    "oval": "oval, ellipse",
    "cube": "cube",
}
ANSWERS = {"yes": "yes, 是, 对", "no": "no, 否, 不对"}
COMPASS = {
    "north-east": "north-east, northeast, north east, northeastern, northeastward, 东北",
    "south-east": "south-east, southeast, south east, southeastern, southeastward, 东南",
    "south-west": "south-west, southwest, south west, southwestern, southwestward, 西南",
    "north-west": "north-west, northwest, north west, northwestern, northwestward, 西北",
    "north": "north, northward, northwards, 北",
    "east": "east, eastward, eastwards, 东",
    "south": "south, southward, southwards, 南",
    "west": "west, westward, westwards, 西",
}
ORDINALS = {
    word: str(n) for n, word in enumerate(entries("first, second, third, fourth, fifth, sixth, seventh, eighth"), 1)
}
CHINESE = "一二三四五六七八九十"
"""The numbers from 1 on."""
LETTERS = {"N": "north", "E": "east", "S": "south", "W": "west"}
ABBREVIATED = {a + b: LETTERS[a] + (f"-{LETTERS[b]}" if b else "") for a in "NS" for b in ("E", "W", "")} | {
    a: LETTERS[a] for a in "EW"
}
LONGEST = 60
"""Characters of a line that may be nothing but an answer."""
DRESSING = frozenset(
    entries(
        "the, a, an, it, is, it's, color, colour, shape, direction, answer, final, correct, facing, "
        "looking, looks, faces, towards, toward, to, due, called, then, step, therefore, so, thus, i.e, "
        "ie, approximately"
    )
)
"""Words that may stand beside the answer in a line of its own."""
_POINT = re.compile(r"(?<![\w.'-])[NS]\.?[EW]\b|(?<![\w.'-])[NESW](?![\w'-])")
"""A direction of `ABBREVIATED`."""


def _spelt(names: Iterable[str]) -> str:
    """Pattern of any of these names, the longest first, with blanks and hyphens of any kind."""
    known = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return known.replace(r"\ ", r"[\s]").replace(r"\-", r"\s?-\s?")


def _as_listed(said: str) -> str:
    """A name that `_spelt` found, as its vocabulary has it."""
    return re.sub(r"\s?-\s?", "-", re.sub(r"\s", " ", said))


def _without(text: str, mentions: Iterable[Mention]) -> str:
    """The text with blanks in place of the mentions."""
    rest = list(text)
    for mention in mentions:
        rest[mention.start : mention.end] = " " * (mention.end - mention.start)
    return "".join(rest)


def _standing(spelt: str) -> re.Pattern[str]:
    """Such a name as a word of its own; not where one comes from, nor which wall or side of a room it is."""
    return re.compile(
        rf"(?<!\bfrom )(?<!\bfrom the )(?<![^\W_一-鿿])(?:{spelt})(?![^\W_一-鿿])(?!-\w)(?!(?:ern)? (?:walls?|sides?|window|door|corner)\b)"
    )


@lru_cache(maxsize=64)
def vocabulary(name: str, words: tuple[tuple[str, str], ...], announce: str, ignore: str, abbreviated: bool) -> Form:
    """`words`: canonical → its names, separated by commas. `abbreviated`: whether NE and the like are names of directions, too."""
    surface = {said.strip(): canonical for canonical, names in words for said in names.split(",")}
    spelt = _spelt(surface)
    found_as = _standing(spelt)

    def prose(text: str) -> list[Mention]:
        found = [Mention(*m.span(), surface[_as_listed(m[0])]) for m in found_as.finditer(lower(text))]
        if abbreviated:
            found += [Mention(*m.span(), ABBREVIATED[m[0].replace(".", "")]) for m in _POINT.finditer(text)]
        return sorted(found)

    def line(text: str) -> Parts | None:
        if len(text) > LONGEST:
            return None
        found = prose(text)
        beside = set(re.findall(r"[\w.']*\w", lower(_without(text, found))))
        if "or" in beside or not beside <= DRESSING:
            return None
        return [mention.part for mention in found] if found or not beside else None

    def key(text: str) -> str:
        parts = line(plain(text).strip())
        if not parts or len(set(parts)) > 1:
            raise ValueError(f"key {text!r} is no {name}")
        return parts[0]

    return Form(
        name=name,
        line=line,
        prose=prose,
        value=agreed,
        key=key,
        grade=strict,
        announce=announce,
        after=rf"(?:is|are|would be) (?:the|its) (?:{name}|answer|correct|right)",
        unit=rf"(?:{spelt})" + (r"|\b[nesw]{1,2}\b" if abbreviated else ""),
        ignore=ignore,
        only=True,
    )


def _form(name: str, table: Mapping[str, str], announce: str, ignore: str = r"(?!)", abbreviated: bool = False) -> Form:
    return vocabulary(name, tuple(table.items()), announce, ignore, abbreviated)


_CALLED = r"\b(?:called|named|would be|becomes|counts as|it is|it's|answer)\b[^\S\n]{0,3}:?"
COLOR = _form("colour", COLORS, _CALLED, abbreviated=False)
SHAPE = _form("shape", SHAPES, _CALLED + r"|\b(?:shape|one)\b[^.:\n]{0,60}\b(?:is|:)")
YES_OR_NO = _form("yes or no", ANSWERS, r"(?!)")
DIRECTION = _form(
    "direction",
    COMPASS,
    r"\b(?:looks?|looking|faces?|facing|faced|pointing|points|oriented|directed|heading|direction|orientation|view)\b"
    r"(?: (?:is|would be|will be|must be))?[^\S\n]{0,3}:?",
    ignore=r"\b(?:first|anchor|initial|original|reference|given|known)\b|\b(?:picture|image|photo|view) (?:1|one|a)\b|\bif\b|\bsince\b|\bbecause\b",
    abbreviated=True,
)


_ALONE = re.compile(r"\W*(\d{1,3})\W*")
_FINE = re.compile(
    r"(?:(?!should|not |n't|wrong|✗)[^.\n]){0,60}(?:✓|\b(?:correct|right|fine|ok)\b(?! (?:value|answer|result|one|sum)\b))"
)
"""What follows a thing in which there is no error."""


def _naming(noun: str) -> re.Pattern[str]:
    """The noun with its number, before or after it; the number is the last group that matched."""
    known = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
    short = r"|\bq" if noun == "question" else ""
    return re.compile(
        rf"(?:\b{re.escape(noun)}{short})\s{{0,3}}(?:no\.?|number)?\s{{0,3}}\(?(?P<n>\d{{1,3}}|{known})\b"
        rf"|\b(?:(?P<th>{'|'.join(ORDINALS)})|(?P<nth>\d{{1,2}})(?:st|nd|rd|th))\s{{1,3}}{re.escape(noun)}\b|第\s?(?P<zh>\d{{1,3}}|[{CHINESE}])\s?[步题行项个张]"
    )


def _told(found: re.Match[str]) -> str:
    word = found[found.lastgroup or 0]
    return NUMBER_WORDS.get(word) or ORDINALS.get(word) or str(CHINESE.find(word) + 1 or int(word))


@lru_cache(maxsize=64)
def numbered(noun: str) -> Form:
    """ "Step 3", "the third step", "Q3", "第3步": the noun and a number, or the number alone."""
    named = _naming(noun)

    def prose(text: str) -> list[Mention]:
        small = lower(text)
        found = [m for m in named.finditer(small) if not _FINE.match(small, m.end())]
        return [Mention(*m.span(), _told(m)) for m in found]

    def line(text: str) -> Parts | None:
        small = lower(text)
        found = named.search(small)
        if found and not _FINE.match(small, found.end()):
            beside = set(re.findall(r"\w+", small[: found.start()] + small[found.end() :]))
            if beside <= DRESSING:
                return (_told(found),)
        only = _ALONE.fullmatch(small)
        return (str(int(only[1])),) if only else None

    def key(text: str) -> str:
        found = named.fullmatch(lower(plain(text)).strip(" .\n"))
        if not found:
            raise ValueError(f"key {text!r} names no {noun}")
        return _told(found)

    return Form(
        name=noun,
        line=line,
        prose=prose,
        value=agreed,
        key=key,
        grade=strict,
        write=lambda value: f"{noun.capitalize()} {value}",
        announce=r"\b(?:error|mistake|wrong|incorrect|miscalculated)\b[^.:\n\d]{0,40}(?:\b(?:is|in|at)\b|:)",
        after=r"(?:is|was|contains|has)(?: calculated)? (?:the |an? )?(?:wrong|wrongly|incorrect|incorrectly|error|mistake)",
        denied=NOTHING,
        unit=rf"(?:{re.escape(noun)}\s?)?\d{{1,3}}",
        only=True,
    )

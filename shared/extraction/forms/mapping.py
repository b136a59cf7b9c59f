"""Which belongs to which, one to one: "A-2, B-3", "Piece A goes in slot 2", "Picture 1: B", tables, JSON, or the one side in order: "B, E"."""

from __future__ import annotations

import re
from itertools import pairwise

from ..normalise import lower
from .form import LETTER, Contradiction, Form, Mention, Parts, canonical_key, joined

NOUN = (
    r"(?i:the |pieces?|parts?|pictures?|photos?|photographs?|images?|views?|street ?views?|slots?|squares?|places?|locations?|positions?|points?"
    r"|spots?|holes?|gaps?|spaces?|patch|fragments?|tiles?|cells?|blocks?|figures?|marker|label|landmark|query|map|no\.?|number|missing|empty"
    r"|letter|numbered|labell?ed|marked|图片?|照片|拼图|碎片|位置|空格|方格)(?![a-z])"
)
NOUNS = rf"(?:{NOUN}\s{{0,4}}){{0,3}}"
ITEM = rf"(?:[B-HJ-Z]|[AI](?! (?!and|or|is|in|at|to|goes|was|with)[a-z])|\d{{1,2}})(?!{LETTER}|\.\d|'[a-z])"
"""A capital or a number that stands alone; not the article, nor the pronoun."""
ORDINALS = {"first": "1", "second": "2", "third": "3", "fourth": "4", "1st": "1", "2nd": "2", "3rd": "3"}
ORDINAL = rf"(?i:{'|'.join(ORDINALS)})"
SIGN = r"\s{0,3}\(?(?:[-=:|]+>?|>|对应)\s{0,3}\(?"
PAIR = re.compile(rf"(?<!{LETTER})(?<!\.){NOUNS}(?P<a>{ITEM})\)?{SIGN}{NOUNS}(?P<b>{ITEM})")
BRACKETED = re.compile(rf"\(\s?{NOUNS}(?P<a>{ITEM})\s?,\s{{0,2}}{NOUNS}(?P<b>{ITEM})\s?\)")
COMPACT = re.compile(r"(?<!\w)(?P<a>[A-Z])(?P<b>\d)(?!\w)|(?<!\w)(?P<a2>\d)(?P<b2>[A-Z])(?!\w)")
VERB = r"\b(?:is|are|was|were|goes|go|belongs?|fits?|matches|match|corresponds?|taken|shows|should|must|placed|to|at|from|in|into|with|as|be)\b"
GAP = r"[^\w.;\n]{1,3}"
TOLD = re.compile(
    rf"(?<!\w)(?:(?P<a>(?:(?<=[a-z] )[A-Z]|{ITEM}))|(?P<o>{ORDINAL})(?: (?:{NOUN}|one))?)(?:{GAP}[a-z]+){{0,5}}?{GAP}{VERB}{GAP}"
    rf"(?:(?:the|from|in|into|to|at){GAP}){{0,2}}{NOUNS}\(?(?P<b>{ITEM})"
)
LIST = re.compile(rf"{NOUNS}\(?(?P<items>{ITEM}(?:\s?(?:,\s?and\b|[,;>&]|\band\b)\s?{NOUNS}{ITEM}){{1,11}})\)?")
OF_LINE = re.compile(
    rf"^[^\w\n]*(?:{NOUN}\s?){{1,3}}(?P<a>[A-Z]|\d{{1,2}})(?!\w)[^\n]{{1,400}}\b(?:{NOUN}\s{{0,4}}){{1,3}}(?P<b>{ITEM})[^\w\n]*$",
    re.MULTILINE,
)
"""A line about one piece, at whose end its place is named."""
NAMED = re.compile(rf"{NOUN}\s{{0,4}}(?:[A-Z]|\d{{1,2}})(?!\w)")
PAIRED = 2
ITEMS = re.compile(rf"(?<!\w){ITEM}")
FILLER = re.compile(
    rf"\W|\b(?:{NOUN}|and|is|are|in|to|the|answer|final|mapping|matches?|goes|pairs?|order|of|they|respectively|location)\b"
)
LABEL = re.compile(
    r"\W*(?:(?:the|my|final|correct|so)\s+)*(?:answers?|mapping|matching|matches|pairs|locations|places)(?: (?:is|are))?\s?[:=]?\s*"
)


def _found(pattern: re.Pattern[str], text: str) -> list[Mention]:
    found = []
    for match in pattern.finditer(text):
        groups = match.groupdict()
        left = groups.get("a") or groups.get("a2") or ORDINALS[lower(groups["o"])]
        right = groups["b"] or groups["b2"]
        if pattern is not BRACKETED or _kind(left) != _kind(right):  # else it is two places in order
            found.append(Mention(*match.span(), f"{left}-{right}"))
    return found


def _line(text: str) -> Parts | None:
    row = text.upper() if text.islower() else text
    for pattern in (PAIR, BRACKETED, COMPACT):
        found = _found(pattern, row)
        if found and not FILLER.sub("", lower(_without(row, found))):
            return [mention.part for mention in found]
    label = LABEL.match(lower(row))
    rest = row[label.end() if label else 0 :].strip(" .\t")
    if listed := LIST.fullmatch(rest):
        return (f"={' '.join(ITEMS.findall(listed['items']))}",)
    if label and not rest:
        return ()
    return () if "|" in text and not ITEMS.search(text) else None


def _without(text: str, found: list[Mention]) -> str:
    """What is left beside the mentions."""
    ends = [Mention(0, 0, ""), *found, Mention(len(text), len(text), "")]
    return " ".join(text[a.end : b.start] for a, b in pairwise(ends))


def _prose(text: str) -> list[Mention]:
    """Pairs in the first of these ways in which there are any; else a list of the one side's items, all of a kind."""
    for pattern in (PAIR, BRACKETED, TOLD, COMPACT):
        if found := _found(pattern, text):
            return found
    of_lines = (line for line in OF_LINE.finditer(text) if len(NAMED.findall(line[0])) == PAIRED)
    if found := [Mention(*line.span(), f"{line['a']}-{line['b']}") for line in of_lines]:
        return found
    listed = LIST.search(text)
    items = ITEMS.findall(listed["items"]) if listed else []
    return [Mention(*listed.span(), f"={' '.join(items)}")] if listed and len(set(map(_kind, items))) == 1 else []


def _value(parts: Parts) -> str | None:
    pairs = [(left, right) for left, dash, right in (part.partition("-") for part in parts) if dash]
    lists = {part[1:] for part in parts if part.startswith("=")}
    if len(lists) > 1 or (lists and pairs):
        raise Contradiction
    if lists:
        return ", ".join(lists.pop().split())
    found = joined(pairs)
    return ", ".join(f"{left}-{found[left]}" for left in sorted(found, key=_rank)) or None


def _rank(item: str) -> tuple[int, str]:
    return len(item), item


def _pairs(text: str) -> dict[str, str]:
    """A list's items belong to 1, 2, 3 …"""
    if "-" in text:
        return dict(_split(pair) for pair in text.split(", "))
    return {str(place): item for place, item in enumerate(text.split(", "), 1)}


def _split(pair: str) -> tuple[str, str]:
    left, _, right = pair.partition("-")
    return left, right


def _grade(value: str, key: str) -> float | None:
    """Told from either side; a mere list is in the order of the key's one side or of its other, as its items show."""
    ours, theirs = _pairs(value), _pairs(key)
    if "-" not in value and "-" in key:
        ours = _listed(list(ours.values()), theirs)
    if _flipped(ours, theirs):
        if len(set(ours.values())) < len(ours):
            return 0.0
        ours = {right: left for left, right in ours.items()}
    if not ours or not set(ours) & set(theirs):
        return None
    right = sum(theirs.get(left) == item for left, item in ours.items())
    return right / max(len(theirs), len(ours))


def _listed(items: list[str], theirs: dict[str, str]) -> dict[str, str]:
    for lefts, rights in ((list(theirs), set(theirs.values())), (sorted(theirs.values(), key=_rank), set(theirs))):
        if len(lefts) == len(items) and {_kind(item) for item in items} == {_kind(item) for item in rights}:
            return dict(zip(lefts, items, strict=True))
    return {}


def _flipped(ours: dict[str, str], theirs: dict[str, str]) -> bool:
    """Whether our lefts are of the kind of their rights: only where the two sides differ in kind."""
    left, right = ({_kind(item) for item in side} for side in (theirs, theirs.values()))
    return left.isdisjoint(right) and {_kind(item) for item in ours} <= right


def _kind(item: str) -> str:
    return "number" if item.isdigit() else "letter"


MAPPING = Form(
    name="mapping",
    line=_line,
    prose=_prose,
    value=_value,
    key=canonical_key(_line, _value),
    grade=_grade,
    announce=r"\b(?:mapping|matching|match(?:es)?|pairs|locations|places|positions|assignment)\b(?: (?:is|are))?[^\S\n]?(?:as follows)?[^\S\n]?:?|\b(?:so|therefore|thus|hence),?",
    unit=r"\b(?:[a-z]\W{0,4}\d{1,2}|\d{1,2}\W{0,4}[a-z]|[a-z]|\d{1,2})\b",
    many=True,
    only=True,
    size=lambda text: len(text.split(", ")),
)

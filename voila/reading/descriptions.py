"""Step 1: what a reply says of each of the three images."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from cogsight.shared.extraction.squeeze import squeeze

from .assignments import assignments
from .claims import DOUBTFUL, Claim, Claims
from .lexicon import Kind
from .scenes import read_action, read_scene
from .tokens import LABEL, SHOWS, Token, image_of, plainly, scan, sentences

IMAGES = (1, 2, 3)

Label = tuple[int, int, int]
"""An image, and where its name begins and ends."""

LISTED = (
    re.compile(r"(?:^|\n)(?: *\|\s*([1-9])\s*\||[ \-(]*([1-9])\s?[.):])"),
    re.compile(r"(?:^|\s)([1-9])\)\s|(?:^|[\n.;:,]|\band) *\(([1-9])\)\s"),
)
"""The number of an item in a list or a table, else within a line: an image, where none is named."""
INTRODUCES = re.compile(
    rf"\s*\)?\s*(?:[:=>|-]|,?\s*(?:description|caption|text)\b|\n|(?:,? ?which )?(?:{SHOWS}|is an? (?:image|picture|photo))\b)"
)
"""After the name of an image whose description follows."""
BEGINS = re.compile(r"(?:^|[.\n;|(!?:>]|\bdescription of)[ \-(]*(?:(?:and|in|for|on|then|finally|similarly),? )*$")
"""Before the name of an image that begins a sentence."""
COMPARES = re.compile(r"\s*(?:and|to|with|or|&|are|both)\b")
CORRECTION = re.compile(r"(?<=[.,;:!?\n ])(?:no,|wait\b|actually,|correction\b|scratch that|i mean\b|sorry,)")
"""What comes after it takes the place of what was said."""
NOUNS = (Kind.ANIMAL, Kind.PERSON, Kind.THING)
LONG = 10_000
"""Characters of a reply without labels, from which on it is not cut into sentences."""
BEFORE = 30
"""Characters before a label that tell whether it begins a sentence."""


def read_descriptions(text: str) -> tuple[Claims, Claims, Claims]:
    """What the visible text of a reply says of images 1, 2 and 3.

    >>> [claims.subject for claims in read_descriptions("1. A pair of vixens reading\\n2. A fox typing\\n3. Old ladies swim")]
    [frozenset({'fox'}), frozenset({'fox'}), frozenset({'senior woman'})]
    """
    said: dict[int, list[Claims]] = {}
    for image, piece in _pieces(plainly(squeeze(text).text)):
        said.setdefault(image, []).append(_read(piece))
    one, two, three = (_together(said.get(image, [])) for image in IMAGES)
    return one, two, three


def _pieces(small: str) -> Iterator[tuple[int, str]]:
    """The descriptions, by the labels that they have, else by their numbers in a list, else by their order."""
    labels = [(image_of(label), label.start(), label.end()) for label in LABEL.finditer(small) if _starts(small, label)]
    if _distinct(labels) < 2:
        lists = ([_item(item) for item in pattern.finditer(small)] for pattern in LISTED)
        labels = next((items for items in lists if _distinct(items) > 1), labels[:1])
    if labels:
        for (image, _, start), (_, end, _) in pairwise([*labels, (0, len(small), 0)]):
            yield image, small[start:end]
    else:
        yield from zip(IMAGES, _unlabelled(small), strict=False)


def _item(item: re.Match[str]) -> Label:
    number = item.lastindex or 0
    return int(item[number]), item.start(number), item.end()


def _distinct(labels: Sequence[Label]) -> int:
    return len({image for image, _, _ in labels})


def _starts(small: str, label: re.Match[str]) -> bool:
    """Whether a description begins with this label; else it only speaks of the image."""
    if INTRODUCES.match(small, label.end()):
        return True
    return bool(
        BEGINS.search(small, max(0, label.start() - BEFORE), label.start()) and not COMPARES.match(small, label.end())
    )


def _unlabelled(small: str) -> list[str]:
    """Lines, sentences, or parts of one sentence that tell of a scene."""
    for pattern in (r"\n", r"[.;\n]", r"[,;\n]")[: None if len(small) < LONG else 1]:
        found = [piece for piece in re.split(pattern, small) if _tells(piece)]
        if len(found) > 1:
            return found
    return found


def _tells(piece: str) -> bool:
    scene = read_scene(scan(piece), explicit=True)
    return bool(scene.subject and (scene.number or scene.action))


def _read(piece: str) -> Claims:
    """One description. Of what it says twice, the last after a correction holds."""
    found = Claims()
    start = 0
    for correction in [*CORRECTION.finditer(piece), None]:
        end = correction.start() if correction else len(piece)
        found = _scene(scan(piece[start:end])).over(found)
        start = correction.end() if correction else end
    return found


def _scene(tokens: Sequence[Token]) -> Claims:
    """By properties where they are named, else by sentences: the first that tells of a subject, and all actions."""
    named = {part.name: part.claim for part in assignments(tokens) if part.claim}
    told = next((sentence for sentence in sentences(tokens) if any(token.kind in NOUNS for token in sentence)), tokens)
    scene = read_scene(told)
    if not (scene.number and scene.subject):
        scene = scene.over(read_scene(tokens))
    return Claims(**named).over(scene._replace(action=read_action(tokens)))


def _together(said: Sequence[Claims]) -> Claims:
    """Of several descriptions of one image: what they agree on."""
    if len(said) < 2:
        return said[0] if said else Claims()
    return Claims(*(_agreed([claim for claim in claims if claim]) for claims in zip(*said, strict=True)))


def _agreed(claims: Sequence[Claim]) -> Claim:
    if not claims:
        return frozenset()
    common = frozenset.intersection(*claims)
    return common or DOUBTFUL

"""The page on which pictures are rated, and the key to it: who made which, which raters must not see."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, get_type_hints

from ..decoding import decoded
from ..errors import DataError
from ..report.labelling_page import Item, Section, Sheet
from ..sample import Message, Picture
from .collecting import Answered, Made, fingerprint
from .protocol import GUIDE, QUESTIONS, SCALE, TRUE_PICTURE

KEY = ".key.json"
"""How the name of the key beside a page ends."""
SIDE = 768
"""Px: longer side of the pictures on the page, at most."""
QUALITY = 92
"""Of their JPEG: one format for all, since its own could tell who made a picture."""
DIGITS = 10
"""Of an item's id, after a letter: spreadsheets turn 1234567890 and 12e4567890 into other numbers."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What the key says of one attempt."""

    model: str
    variant: str
    sample: str
    attempt: int
    task: str
    group: str
    """Attempts that share it are no independent observations."""
    made: Made
    picture: str
    """The fingerprint of what is rated; "" where there is nothing to rate."""


@dataclass(frozen=True, slots=True)
class Key:
    """Who made what. Whoever rates must not look into it."""

    items: Mapping[str, Entry]
    """Item's id → who made it. Those without a picture have an id too, though no page shows them."""

    def shown(self) -> frozenset[str]:
        """The ids that stand on the page."""
        return frozenset(name for name, entry in self.items.items() if entry.made is Made.PICTURE)


def key_of(answered: Iterable[Answered], seed: int) -> Key:
    """The key of these. Ids say nothing of who made a picture, and differ from seed to seed."""
    return Key({_id(one, seed): _entry(one) for one in answered})


def sheet_of(name: str, answered: Sequence[Answered], seed: int) -> Sheet:
    """What the page shows: each picture with what its model was shown, in an order that says nothing."""
    items = [_item(one, _id(one, seed)) for one in answered if one.made is Made.PICTURE]
    return Sheet(
        name=name,
        title="How good are these pictures?",
        guide=GUIDE,
        questions=QUESTIONS,
        items=tuple(sorted(items, key=lambda item: item.id)),
        keys="".join(SCALE),
        order=str(seed),
        switch=TRUE_PICTURE if any(item.more for item in items) else "",
        side_by_side=True,
    )


def key_text(key: Key) -> str:
    """As JSON."""
    items = {name: asdict(entry) for name, entry in key.items.items()}
    return json.dumps({"items": items}, ensure_ascii=False, indent=1) + "\n"


def read_key(path: Path) -> Key:
    """Raises DataError for what is no key of ours."""
    try:
        items = json.loads(path.read_text(encoding="utf-8"))["items"]
        return Key({name: _read_entry(entry) for name, entry in items.items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(
            f"{path}: no key to a rating page ({type(error).__name__}: {error}); it is the file *{KEY} that `cogsight rate make` wrote"
        ) from error


def instruction(asked: Iterable[Message]) -> tuple[str, tuple[Picture, ...]]:
    """The text that the model was shown, its pictures named where they stood, and these."""
    texts: list[str] = []
    pictures: list[Picture] = []
    for part in (part for message in asked for part in message.parts):
        if isinstance(part, Picture):
            pictures.append(part)
        texts.append(f"[picture {len(pictures)}]" if isinstance(part, Picture) else part)
    return "".join(texts).strip(), tuple(pictures)


def plain(picture: Picture) -> Picture:
    """The picture as it looks, and nothing else of its file: programs that make pictures write their name into them."""
    buffer = BytesIO()
    decoded(picture, SIDE).save(buffer, "JPEG", quality=QUALITY, subsampling=0)
    return Picture(buffer.getvalue())


def _id(one: Answered, seed: int) -> str:
    """Another one for another picture, so that ratings of an earlier run's are not taken for ratings of this one's."""
    told = json.dumps([seed, one.source.model, one.source.variant.name, one.sample.id, one.attempt, _picture(one)])
    return f"p{sha256(told.encode()).hexdigest()[:DIGITS]}"


def _entry(one: Answered) -> Entry:
    source, sample = one.source, one.sample
    group = sample.group or sample.id
    return Entry(source.model, source.variant.name, sample.id, one.attempt, one.task, group, one.made, _picture(one))


def _picture(one: Answered) -> str:
    return fingerprint(one.picture) if one.made is Made.PICTURE else ""


def _read_entry(told: Mapping[str, Any]) -> Entry:
    entry = Entry(**{**told, "made": Made(told["made"])})
    for name, kind in get_type_hints(Entry).items():
        if not isinstance(value := getattr(entry, name), kind):
            raise TypeError(f"{name} is {value!r}")
    return entry


def _item(one: Answered, name: str) -> Item:
    return Item(name, tuple(_sections(one)), more=(Section("True picture", (plain(one.truth),)),) if one.truth else ())


def _sections(one: Answered) -> Iterator[Section]:
    text, given = instruction(one.asked)
    yield Section("Instruction", (text,))
    for number, picture in enumerate(given, 1):
        yield Section(f"Picture {number}" if len(given) > 1 else "Picture given", (plain(picture),))
    yield Section("To be rated", (plain(one.picture),))

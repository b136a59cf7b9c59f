"""The page of `cogsight show`: what the model sees, with the pictures where they stand; behind a click the key and why."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import DataError
from ..messages import named_images
from ..sample import PLACEHOLDER, Message, Messages, Picture, Sample

if TYPE_CHECKING:
    from jinja2 import Environment

Ask = Callable[[Sample], Messages | None]
"""The first thing asked of the model about a sample."""

MIME = {".png": "image/png", ".jpg": "image/jpeg"}


@dataclass(frozen=True, slots=True)
class Option:
    """A choice, as the page shows it beside the key."""

    letter: str
    parts: tuple[str | Picture, ...]
    place: int
    """Where the key names it, from 1; 0 when it does not."""
    why: str


@dataclass(frozen=True, slots=True)
class Card:
    """A sample, ready to be filled in."""

    sample: Sample
    messages: Messages
    options: tuple[Option, ...]
    metadata: str
    """A line per field, "" when there is none."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What stands above the samples."""

    title: str
    about: Mapping[str, str]
    """Facts such as variant, source, versions: name → value; empty values are left out."""
    tasks: Mapping[str, str]
    """Task → its title, in the order of the filter."""
    total: int
    """How many samples there are, shown or not."""


def page(heading: Heading, samples: Iterable[Sample], ask: Ask) -> str:
    """The whole HTML text. Raises DataError that names the sample whose text speaks of a picture it does not have."""
    cards = [card(sample, ask) for sample in samples]
    counts = {task: sum(one.sample.task == task for one in cards) for task in heading.tasks}
    return environment().get_template("samples.html").render(heading=heading, cards=cards, counts=counts)


def card(sample: Sample, ask: Ask) -> Card:
    """What the page says of one sample."""
    try:
        messages = ask(sample) or ()
        options = tuple(_options(sample))
    except ValueError as error:
        raise DataError(f"{sample.id}: {error}; build the dataset again") from error
    return Card(sample, messages, options, _lines(sample.metadata))


def plain_question(sample: Sample) -> Messages:
    """How a sample of no installed benchmark is shown: its text, then its choices."""
    choices = "".join(f"\n{letter}. {text}" for letter, text in sample.choices.items())
    return (Message("user", _split(sample.question + choices, sample.images)),)


def spread(tasks: Sequence[str], wanted: Iterable[str], count: int) -> list[int]:
    """Indices of up to `count` entries of the wanted tasks, as many of each as there are, from the front, in order.

    >>> spread(["a", "a", "a", "b", "c"], ["a", "b"], 3)
    [0, 1, 3]
    """
    chosen, rank = frozenset(wanted), dict[str, int]()
    ranked = []
    for index, task in enumerate(tasks):
        if task in chosen:
            rank[task] = rank.get(task, 0) + 1
            ranked.append((rank[task], index))
    return sorted(index for _, index in sorted(ranked)[:count])


def environment() -> Environment:
    """Jinja with everything escaped, and the filter that turns a picture into an address without a request."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("cogsight.shared", "report/templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["data_uri"] = data_uri
    return made


def data_uri(picture: Picture) -> str:
    """The picture's own bytes, base64."""
    return f"data:{MIME[picture.suffix]};base64,{b64encode(picture.data).decode()}"


def _options(sample: Sample) -> Iterable[Option]:
    key = sample.answer if set(sample.answer) <= set(sample.choices) else ""
    for letter, text in sample.choices.items():
        parts = _split(text, sample.images)
        yield Option(letter, parts, key.find(letter) + 1, sample.explanation.get(letter, ""))


def _split(text: str, images: Sequence[Picture]) -> tuple[str | Picture, ...]:
    """The text with pictures for its placeholders, and no others. Raises ValueError for a picture that is not there."""
    named_images(text, len(images))
    pieces = PLACEHOLDER.split(text)  # text, number, text, number, … text
    return tuple(images[int(piece) - 1] if at % 2 else piece for at, piece in enumerate(pieces))


def _lines(metadata: str) -> str:
    """One line per field; text that is no JSON object as it is."""
    try:
        fields = dict(json.loads(metadata))
    except (ValueError, TypeError):
        return metadata
    return "\n".join(f"{name}: {_compact(value)}" for name, value in fields.items())


def _compact(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

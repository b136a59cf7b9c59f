"""What judging would take, before anything is sent: calls, tokens, and the price from a table that the user can edit.

All of it is an estimate. Where earlier verdicts say what they took, their mean is used; elsewhere tokens are counted by characters,
and pictures by tiles.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from math import ceil, isfinite
from pathlib import Path
from typing import Any

from ..errors import DataError
from ..sample import Picture
from ..settings import prices_file
from .asking import Scorer
from .endpoint import Endpoint
from .live import Unit
from .model import ModelJudge
from .prompts import fields_of, render
from .query import Judge, Query, Verdict
from .wire import schema

CHARACTERS = 3.8
"""ASCII characters in a token; each other character is one.

Over 200 prompts of each of 10 templates, with labelled replies in them, this is 0.88 to 1.08 of what GPT-4o's tokenizer
(o200k_base) counts.
"""
AROUND = 10
"""Tokens of a request beside its texts and its schema."""
VERDICT = 30
"""Tokens of a verdict's explanation and brackets."""
FIELD = 8
"""Tokens of each other field of a verdict."""
ENOUGH = 20
"""Verdicts whose mean is better than counting."""
LARGEST, SHORTER, TILE = 2048, 768, 512
"""Pixels. OpenAI shrinks a picture into a square of the first, then its shorter side to the second, and counts tiles of the third."""
PICTURE = (85, 170)
"""Tokens of a picture, and of each of its tiles, where the table says nothing else: those of GPT-4o."""


@dataclass(frozen=True, slots=True)
class Price:
    """What a model costs, US dollars per million tokens."""

    prompt: float
    completion: float
    batch: float | None = None
    """What part of that a batch costs; None where there are none."""
    picture: tuple[int, int] = PICTURE
    """Tokens of a picture, and of each of its tiles."""
    host: str = ""
    """Where the price holds; "" everywhere."""
    source: str = ""
    date: str = ""
    """When it was right."""


@dataclass(frozen=True, slots=True)
class Line:
    """What one template takes."""

    template: str
    calls: int
    cached: int = 0
    """Votes that are there, and cost nothing."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    measured: int = 0
    """Earlier votes from which the tokens are known; 0: they are counted by characters."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What judging would take."""

    endpoint: Endpoint
    lines: Sequence[Line]
    """By template, in alphabetical order."""
    price: Price | None
    """None: not known, which is not nothing."""

    @property
    def total(self) -> Line:
        """All lines together."""
        rows = self.lines
        return Line(
            "all",
            sum(row.calls for row in rows),
            sum(row.cached for row in rows),
            sum(row.prompt_tokens for row in rows),
            sum(row.completion_tokens for row in rows),
        )

    def dollars(self, line: Line, batch: bool = False) -> float | None:
        """The price of a line, asked one by one or in a batch; None when it is not known, or there are no batches."""
        part = None if self.price is None else self.price.batch if batch else 1.0
        if self.price is None or part is None:
            return None
        return part * (line.prompt_tokens * self.price.prompt + line.completion_tokens * self.price.completion) / 1e6


@dataclass
class Survey:
    """Stands in for a judge that is not asked: knows what the store knows, and notes all that it is asked."""

    judge: ModelJudge
    queries: dict[str, Query] = field(default_factory=dict)
    """By digest."""

    @property
    def name(self) -> str:
        """The judge's."""
        return self.judge.name

    def verdict(self, query: Query) -> Verdict:
        """As the judge, without asking."""
        self.queries.setdefault(query.digest, query)
        return self.judge.verdict(query)


def survey(scorers: Iterable[Scorer], judge: ModelJudge) -> Estimate:
    """What judging these would take. What a scorer asks only after a verdict that is not there yet cannot be known.

    With a judge whose store is opened to read only, nothing is written; nothing is sent in any case.
    """
    noted = Survey(judge)
    asked: Judge = noted
    for scorer in scorers:
        scorer(asked)
    return estimate(noted.queries.values(), judge, prices())


def estimate(queries: Iterable[Query], judge: ModelJudge, known: Mapping[str, Price]) -> Estimate:
    """What the votes take that are yet to be had on these queries, each of which is there once."""
    listed = list(queries)
    wanted = Counter(query.template for query in listed)
    open_: dict[str, list[Unit]] = {name: [] for name in sorted(wanted)}
    for unit in judge.missing(listed):
        open_[unit.query.template].append(unit)
    price = price_of(judge.endpoint, known)
    lines = [_line(name, units, judge, price or Price(0, 0)) for name, units in open_.items()]
    lines = [replace(line, cached=judge.votes * wanted[line.template] - line.calls) for line in lines]
    return Estimate(judge.endpoint, lines, price)


def _line(template: str, units: Sequence[Unit], judge: ModelJudge, price: Price) -> Line:
    count, prompt, completion = judge.tokens(template)
    if count >= ENOUGH:
        return Line(template, len(units), 0, round(prompt * len(units)), round(completion * len(units)), count)
    prompts = sum(prompt_tokens(unit.query, price.picture) for unit in units)
    completions = sum(VERDICT + FIELD * len(fields_of(unit.query)) for unit in units)
    return Line(template, len(units), 0, prompts, completions)


def prompt_tokens(query: Query, picture: tuple[int, int] = PICTURE) -> int:
    """About how many tokens a request has."""
    texts = "".join((*render(query), json.dumps(schema(query))))
    return text_tokens(texts) + AROUND + sum(picture_tokens(one, picture) for one in query.pictures)


def text_tokens(text: str) -> int:
    """About how many tokens a text has.

    >>> text_tokens("Which brick is larger?"), text_tokens("哪块更大？")
    (6, 5)
    """
    ascii_only = len(text.encode("ascii", "ignore"))
    return ceil(ascii_only / CHARACTERS) + len(text) - ascii_only


def picture_tokens(picture: Picture, cost: tuple[int, int] = PICTURE) -> int:
    """Tokens of a picture at high detail, by the rule of `LARGEST`, `SHORTER` and `TILE`."""
    from PIL import Image

    with Image.open(io.BytesIO(picture.data)) as image:
        width, height = image.size
    scale = min(1.0, LARGEST / max(width, height), SHORTER / min(width, height))
    whole, tile = cost
    tiles: int = ceil(width * scale / TILE) * ceil(height * scale / TILE)
    return whole + tile * tiles


def prices() -> Mapping[str, Price]:
    """Model → price: ours, and over them those of the user's file. Raises DataError for a file that holds no such table."""
    packaged = files(__package__).joinpath("prices.json")
    own = prices_file()
    return {
        **_table(packaged.read_bytes(), str(packaged)),
        **(_table(_content(own), f"{own} (COGSIGHT_PRICES)") if own else {}),
    }


def price_of(endpoint: Endpoint, known: Mapping[str, Price]) -> Price | None:
    """The price of a judge; None when it is not known, as for a known model at another place."""
    price = known.get(endpoint.model)
    return price if price and price.host in ("", endpoint.host) else None


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path} (COGSIGHT_PRICES): {error.strerror}") from error


def _table(content: bytes, name: str) -> dict[str, Price]:
    try:
        models = json.loads(content)["models"]
        return {str(model): _price(entry) for model, entry in models.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(
            f'{name}: {error}; expected {{"models": {{"MODEL": {{"prompt": 2.5, "completion": 10.0, "batch": 0.5}}}}}},'
            " US dollars per million tokens"
        ) from error


def _price(entry: Mapping[str, Any]) -> Price:
    """Raises TypeError for names that there are not, or that are absent; ValueError for what is no number."""
    price = Price(**entry)
    for value in (price.prompt, price.completion, price.batch or 0.0, *price.picture):
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value < 0:
            raise ValueError(f"{value!r} is no price")
    whole, tile = price.picture
    return replace(price, picture=(whole, tile))

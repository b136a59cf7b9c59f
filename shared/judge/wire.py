"""A query as the body of a chat completion, and the text that comes back as the verdict's values."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..extraction.reasoning import visible
from ..sample import Picture
from .prompts import NONE, Field, fields_of, render
from .query import UNREADABLE, JudgeError, Query, Value

FORMATS = ("json_schema", "json_object", "text")
"""Ways to ask for JSON, strictest first; many local servers know only the later ones."""
TOKENS = ("max_tokens", "max_completion_tokens")
"""Names of the token limit; some models of OpenAI's take only the second."""
LONGEST = 20_000
"""Characters of a judge's reply that are looked at, from the end."""
SPELLED = {"true": 1, "yes": 1, "false": 0, "no": 0}
"""What a judge may say for 1 and 0."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """Which optional parts of a request a server takes."""

    format: str = FORMATS[0]
    tokens: str = TOKENS[0]
    temperature: bool = True
    seed: bool = True

    def without(self, complaint: str) -> Dialect | None:
        """The dialect without what `complaint`, the text of a status 400, names; None when it names nothing that can go."""
        said = complaint.lower()
        if re.search(r"response_format|json_schema|json_object|guided|grammar|structured", said) and self.softer:
            return self.softer
        if any(name in said for name in TOKENS) and self.tokens == TOKENS[0]:
            return replace(self, tokens=TOKENS[1])
        if "temperature" in said and self.temperature:
            return replace(self, temperature=False)
        return replace(self, seed=False) if "seed" in said and self.seed else None

    @property
    def softer(self) -> Dialect | None:
        """The dialect that asks for JSON less strictly; None when there is none."""
        rest = FORMATS[FORMATS.index(self.format) + 1 :]
        return replace(self, format=rest[0]) if rest else None


def body(query: Query, model: str, dialect: Dialect, seed: int, max_tokens: int) -> dict[str, Any]:
    """The body of `POST /chat/completions`."""
    system, user = render(query)
    optional: dict[str, Any] = {dialect.tokens: max_tokens}
    if dialect.temperature:
        optional["temperature"] = 0
    if dialect.seed:
        optional["seed"] = seed
    if dialect.format != "text":
        optional["response_format"] = _format(query, dialect.format)
    content = [{"type": "text", "text": user}, *map(_picture, query.pictures)] if query.pictures else user
    messages = [{"role": "system", "content": system}, {"role": "user", "content": content}]
    return {"model": model, "messages": messages, **optional}


def schema(query: Query) -> dict[str, Any]:
    """JSON Schema of the verdict, as strict as OpenAI's structured outputs want it."""
    properties = {field.name: _property(field, query.letters) for field in fields_of(query)}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def parse(query: Query, text: str) -> dict[str, Value]:
    """The values of the one verdict in a judge's reply.

    A reasoning block, a code fence and words around the object are no harm; two objects that differ are. Raises JudgeError.
    """
    found: list[dict[str, Value]] = []
    for candidate in _objects((visible(text[-LONGEST:]) or "").strip()):
        values = {field.name: _value(field, query.letters, candidate.get(field.name)) for field in fields_of(query)}
        decided = {name: value for name, value in values.items() if value is not None}
        if all(field.name in decided for field in fields_of(query) if field.counts) and decided not in found:
            found.append(decided)
    if len(found) != 1:
        what = "no verdict" if not found else f"{len(found)} verdicts that differ"
        raise JudgeError(f"{what} in the judge's reply {text[:200]!r}", UNREADABLE)
    return found[0]


def _format(query: Query, name: str) -> dict[str, Any]:
    if name == "json_object":
        return {"type": name}
    return {"type": name, "json_schema": {"name": query.template, "strict": True, "schema": schema(query)}}


def _picture(picture: Picture) -> dict[str, Any]:
    kind = "jpeg" if picture.suffix == ".jpg" else "png"
    return {
        "type": "image_url",
        "image_url": {"url": f"data:image/{kind};base64,{base64.b64encode(picture.data).decode()}"},
    }


def _property(field: Field, letters: Sequence[str]) -> dict[str, Any]:
    allowed = field.allowed(letters)
    if not allowed:
        return {"type": "string"}
    return {"type": "integer" if isinstance(allowed[0], int) else "string", "enum": list(allowed)}


def _value(field: Field, letters: Sequence[str], given: Any) -> Value | None:
    """A field's value in its one spelling; None for what is not allowed."""
    if not field.counts:
        return str(given) if given is not None else None
    allowed = field.allowed(letters)
    if given is None:
        return NONE if NONE in allowed else None
    if allowed and isinstance(allowed[0], int):
        return _number(given, allowed)
    text = str(given).strip()
    if field.letters == "all":
        text = re.sub(r"[\s,>-]+", "", text)
        right = text.lower() == NONE or sorted(text.upper()) == sorted(letters)
        return (NONE if text.lower() == NONE else text.upper()) if right else None
    return next((value for value in allowed if str(value).lower() == text.lower()), None) if allowed else text


def _number(given: Any, allowed: Sequence[Value]) -> Value | None:
    text = str(given).strip().lower()
    number = SPELLED.get(text, int(text) if re.fullmatch(r"\d{1,3}", text) else None)
    return number if number in allowed else None


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    """The outermost JSON objects of a text. One that names a key twice is none."""
    decoder = json.JSONDecoder(object_pairs_hook=_distinct)
    start = text.find("{")
    while start >= 0:
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            if isinstance(value, dict):
                yield value
        start = text.find("{", end)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key is named twice")
    return dict(pairs)

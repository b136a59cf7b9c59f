"""A query as the body of a chat completion, and the text that comes back as the verdict's values."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from ..extraction.reasoning import visible
from ..sample import Picture
from .fence import clean
from .prompts import NONE, Field, fields_of, render
from .query import UNREADABLE, JudgeError, Query, Value

FORMATS = ("json_schema", "json_object", "text")
"""Ways to ask for JSON, strictest first; many local servers know only the later ones."""
TOKENS = ("max_tokens", "max_completion_tokens")
"""Names of the token limit; some models of OpenAI's take only the second."""
KINDS = {"jpeg": b"\xff\xd8", "webp": b"RIFF", "gif": b"GIF8"}
"""Kind of picture → its first bytes; all others are PNG."""
LONGEST = 200_000
"""Characters of a judge's reply that are looked at; more is no verdict."""
MOST = 50
"""Objects in a judge's reply; more is no verdict. It bounds the time, which each that breaks off costs anew."""
SHOWN = 1_000
"""Characters of what is no verdict that an error holds; more than is told, so that no key is cut in two where it is looked for."""
EXPLANATION = 1_000
"""Characters that are kept of a field that explains."""
ABSENT = object()
OBJECT = re.compile(r'\{\s*["}]')
"""How a JSON object begins; other braces are words."""
TRAILING_COMMA = re.compile(r",\s*([}\]])")
"""What many local models write, and JSON does not allow. Inside a text it changes nothing that counts."""
FENCE = re.compile(r"(?:```(?:json)?\s*```)?")
"""What may stand around the one object of a reply that has nothing else."""
AROUND = " \t\r\n\"'`*()[]."
"""May stand around a value."""
SPELLED = {"true": 1, "yes": 1, "false": 0, "no": 0}
"""What a judge may say for 1 and 0."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """Which optional parts of a request a server takes."""

    format: str = FORMATS[0]
    tokens: str = TOKENS[0]
    temperature: bool = True
    seed: bool = True
    system: bool = True
    """Whether there may be a system message; else its text goes before the user's."""

    def without(self, complaint: str) -> Dialect | None:
        """The dialect without what `complaint`, the text of a status 400, names; None when it names nothing that can go."""
        said = complaint.lower()
        if re.search(r"response_format|json_schema|json_object|guided|grammar|structured", said) and self.softer:
            return self.softer
        if any(name in said for name in TOKENS) and self.tokens == TOKENS[0]:
            return replace(self, tokens=TOKENS[1])
        if "temperature" in said and self.temperature:
            return replace(self, temperature=False)
        if "seed" in said and self.seed:
            return replace(self, seed=False)
        return replace(self, system=False) if re.search(r"system|roles must alternate", said) and self.system else None

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
    user = user if dialect.system else f"{system}\n\n{user}"
    content = [{"type": "text", "text": user}, *map(_picture, query.pictures)] if query.pictures else user
    first = [{"role": "system", "content": system}] if dialect.system else []
    return {"model": model, "messages": [*first, {"role": "user", "content": content}], **optional}


def schema(query: Query) -> dict[str, Any]:
    """JSON Schema of the verdict, as strict as OpenAI's structured outputs want it."""
    properties = {field.name: _property(field, query.letters) for field in fields_of(query)}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def parse(query: Query, text: str, concealed: Callable[[str], str] = str) -> dict[str, Value]:
    """The values of the one verdict in a judge's reply; `concealed` takes secrets out of those that only explain.

    Reasoning, a code fence, words around the object and objects of another kind do no harm. Everything that could be a misreading
    does: an object that breaks off, a name that comes twice or is lacking, a value that is not allowed, two objects that differ.
    Raises JudgeError.
    """
    if len(text) > LONGEST:
        raise _unreadable(f"{len(text):,} characters", text)
    fields = fields_of(query)
    counting = [field.name for field in fields if field.counts]
    found: dict[tuple[Value, ...], dict[str, Value]] = {}
    for candidate in _objects(text, counting):
        if candidate.keys().isdisjoint(counting):
            continue
        given = {field: candidate.get(field.name, ABSENT) for field in fields}
        values = {
            field.name: _value(field, query.letters, value) if field.counts else _explanation(value, concealed)
            for field, value in given.items()
        }
        read = {name: value for name, value in values.items() if value is not None}
        if lacking := [name for name in values if name not in read]:
            raise _unreadable(f"no allowed value of {', '.join(lacking)}", text)
        found.setdefault(tuple(read[name] for name in counting), read)
    if len(found) != 1:
        raise _unreadable("no verdict" if not found else f"{len(found)} verdicts that differ", text)
    return next(iter(found.values()))


def _format(query: Query, name: str) -> dict[str, Any]:
    if name == "json_object":
        return {"type": name}
    return {"type": name, "json_schema": {"name": query.template, "strict": True, "schema": schema(query)}}


def _picture(picture: Picture) -> dict[str, Any]:
    kind = next((kind for kind, start in KINDS.items() if picture.data.startswith(start)), "png")
    url = f"data:image/{kind};base64,{base64.b64encode(picture.data).decode()}"
    return {"type": "image_url", "image_url": {"url": url}}


def _property(field: Field, letters: Sequence[str]) -> dict[str, Any]:
    allowed = field.allowed(letters)
    if not allowed:
        return {"type": "string"}
    return {"type": "integer" if isinstance(allowed[0], int) else "string", "enum": list(allowed)}


def _value(field: Field, letters: Sequence[str], given: Any) -> Value | None:
    """A field's value in its one spelling; None for what is not allowed."""
    if given is None and field.letters:
        return NONE
    if field.letters == "all":
        return _order(given, letters)
    allowed = field.allowed(letters)
    return _number(given, allowed) if isinstance(allowed[0], int) else _word(given, allowed)


def _explanation(given: Any, concealed: Callable[[str], str]) -> str:
    """One line; "" for a field that lacks or is no text."""
    return " ".join(clean(concealed(given)).split())[:EXPLANATION] if isinstance(given, str) else ""


def _word(given: Any, allowed: Sequence[Value]) -> Value | None:
    """One of the allowed words: in any case, in brackets, quotes or with a full stop, but nothing beside it."""
    word = given.strip(AROUND).lower() if isinstance(given, str) else None
    return next((value for value in allowed if str(value).lower() == word), None)


def _order(given: Any, letters: Sequence[str]) -> Value | None:
    """All letters in some order, also as a list or with arrows or commas between them."""
    pieces = given if isinstance(given, list) else [given]
    if not all(isinstance(piece, str) for piece in pieces):
        return None
    text = "".join(pieces)
    text = re.sub(r"[\s,>→-]+", "", text.strip(AROUND)).upper()
    if text == NONE.upper():
        return NONE
    return text if sorted(text) == sorted(letters) else None


def _number(given: Any, allowed: Sequence[Value]) -> Value | None:
    """A number among the allowed ones, also as text; for 1 and 0 also true and false, yes and no."""
    if isinstance(given, float) and given.is_integer():
        given = int(given)
    text = str(given).strip().lower() if isinstance(given, str | int) else ""
    spelled = SPELLED if tuple(allowed) == (0, 1) else {}
    return spelled.get(text, next((value for value in allowed if str(value) == text), None))


def _objects(text: str, names: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    """The outermost JSON objects of a reply, but for those of its reasoning. `names`: fields that stand in no other place.

    Marks of reasoning may be quoted from the answer that is judged. One that closes what nobody opened therefore hides no verdict, and
    hides what is broken only if nothing but one object comes after it. Raises JudgeError for what is broken and not hidden.
    """
    text = TRAILING_COMMA.sub(r"\1", text)
    found = list(islice(_spans(text), MOST + 1))
    if len(found) > MOST:
        raise _unreadable(f"more than {MOST} objects", text)
    blanked = _blanked(text, found)  # marks inside an object are in its texts, and hide nothing
    shown = visible(blanked)
    if shown is None:
        return  # it ends inside of reasoning, and before that may stand what it quotes
    if re.search(rf'"(?:{"|".join(names)})"\s*:', shown):
        raise _unreadable("half an object", text)
    seen = [value for start, _, value in found if shown[start] == " "]
    alone = len(seen) == 1 and FENCE.fullmatch(shown.strip()) is not None
    for start, _, value in found:
        if shown[start] != " " and visible(blanked[:start]) is None:
            continue  # in a block of reasoning that was opened
        if value is not None:
            yield value
        elif shown[start] == " " or not alone:
            raise _unreadable("a broken object", text)


def _spans(text: str) -> Iterator[tuple[int, int, Mapping[str, Any] | None]]:
    """Start, end and value of the outermost objects; None with the brace alone for what only begins like one."""
    decoder = json.JSONDecoder(object_pairs_hook=_distinct)
    end = 0
    while match := OBJECT.search(text, end):
        start, value = match.start(), None
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        yield start, end, value


def _blanked(text: str, spans: Sequence[tuple[int, int, object]]) -> str:
    """The text with blanks in place of the spans."""
    pieces, position = [], 0
    for start, end, _ in spans:
        pieces += [text[position:start], " " * (end - start)]
        position = end
    return "".join((*pieces, text[position:]))


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key is named twice")
    return dict(pairs)


def _unreadable(what: str, text: str) -> JudgeError:
    return JudgeError(f"gave {what} in its reply {text[:SHOWN]!r}", UNREADABLE)

"""Answers to numbered questions, of which a key says what each must be, or must not be: "1: not 8", "2: red"."""

from __future__ import annotations

import re

from ...sample import Extraction, Outcome, Reply
from ..normalise import lower, plain
from ..page import Verdict
from ..reply import read_reply
from .free import declared_part
from .numbers import ONE_NUMBER
from .words import ANSWERS, COLOR, COLORS, SHAPE, SHAPES, YES_OR_NO

COUNT = 4
ITEM = re.compile(
    r"\W*(?:(?:(?:sub-?)?question|answer|q|a|no\.?)\W{0,3})?(?P<n>[1-9])(?:\)?\s?[.:)-]|(?<=[a-z]\W.)\s|(?<=[a-z].)\s)\s*(?P<said>.*\S)?\s*",
    re.IGNORECASE,
)
NEXT = re.compile(r"[,;]?\s+(?=(?:q|question)?\s?[2-4]\s{0,3}[:.)]\s)", re.IGNORECASE)
"""Between two numbered answers in one line."""
LISTED = re.compile(r"[^,;]{1,80}(?:[,;][^,;]{1,80}){3}")
LONGEST = 80
"""Characters of an answer without a number before it."""
NOT = "not "
CLOSED = (ONE_NUMBER, COLOR, SHAPE, YES_OR_NO)


def read_quartet(reply: str | Reply) -> Extraction:
    """The last four lines that are numbered 1 to 4; or a reply of four lines, or of four short texts in one line."""
    return read_reply(reply, _read, ("numbered", "lines", "listed"))


def _read(text: str) -> Verdict:
    if not text:
        return Verdict(Outcome.EMPTY, "")
    parts = dict.fromkeys((declared_part(text)[1:], (0, len(text))))
    return next(filter(None, (_quartet(text, *part) for part in parts)), Verdict(Outcome.UNPARSED, ""))


def _quartet(text: str, start: int, end: int) -> Verdict | None:
    lines = [line for line in plain(text[start:end]).split("\n") if line.strip()]
    if len(lines) == 1 and len(listed := NEXT.split(lines[0])) == COUNT:
        lines = listed
    items = [ITEM.fullmatch(line) for line in lines]
    for first in reversed([n for n, item in enumerate(items) if item and item["n"] == "1"]):
        said = [item for item in items[first : first + COUNT] if item and item["said"]]
        if said and [int(item["n"]) for item in said] == list(range(1, len(said) + 1)):
            return _verdict("numbered", [item["said"] for item in said], start, end)
    if any(items):
        return None
    if len(lines) == COUNT and all(len(line) <= LONGEST for line in lines):
        return _verdict("lines", lines, start, end)
    if len(lines) == 1 and LISTED.fullmatch(lines[0].strip(" .")):
        return _verdict("listed", re.split("[,;]", lines[0].strip(" .")), start, end)
    return None


def _verdict(rule: str, answers: list[str], start: int, end: int) -> Verdict:
    value = "\n".join(f"{n}: {' '.join(answer.split())}" for n, answer in enumerate(answers, 1))
    return Verdict(Outcome.PARSED, rule, value, start, end)


def key(text: str) -> str:
    """Raises ValueError unless it says of each of four questions what its answer is or is not, and of exactly one what it is."""
    items = [ITEM.fullmatch(line) for line in plain(text).split("\n") if line.strip()]
    answers = [" ".join(item["said"].split()) for item in items if item and item["said"]]
    asked = [item["n"] for item in items if item]
    positive = [answer for answer in answers if not answer.lower().startswith(NOT)]
    if len(answers) != len(items) or asked != ["1", "2", "3", "4"] or len(positive) != 1:
        raise ValueError(f"key {text!r} does not say of four questions which one is answered rightly, and how")
    return "\n".join(f"{n}: {answer}" for n, answer in enumerate(answers, 1))


def grade(value: str, key: str) -> float | None:
    """Share of the four that are as wanted; None where no rule can compare one of them."""
    wanted = [line.partition(": ")[2] for line in key.split("\n")]
    given = [line.partition(": ")[2] for line in value.split("\n")]
    if len(given) != COUNT:
        return (
            sum(bool(_as_wanted(*pair)) for pair in zip(given, wanted, strict=False)) / COUNT
            if len(given) < COUNT
            else None
        )
    verdicts = [_as_wanted(answer, want) for answer, want in zip(given, wanted, strict=True)]
    if any(verdict is False for verdict in verdicts):
        return sum(verdict is True for verdict in verdicts) / COUNT
    return None if None in verdicts else 1.0


def _as_wanted(answer: str, wanted: str) -> bool | None:
    refused = wanted.lower().startswith(NOT)
    truth = wanted[len(NOT) :] if refused else wanted
    for form in CLOSED:
        try:
            right = form.key(truth)
        except ValueError:
            continue
        said = {mention.part for mention in form.prose(plain(answer))}
        if len(said) != 1:
            return None
        return (right not in said) if refused else (right in said)
    same = lower(answer).strip(" .") == lower(truth).strip(" .")
    return not refused if same else None


def write(key: str) -> str:
    """Four answers that are as the key wants them."""
    lines = (line.partition(": ") for line in key.split("\n"))
    return "\n".join(f"{n}: {_fitting(wanted)}" for n, _, wanted in lines)


def _fitting(wanted: str) -> str:
    if not wanted.lower().startswith(NOT):
        return wanted
    truth = wanted[len(NOT) :]
    if truth.isdigit():
        return str(int(truth) + 1)
    table = next((table for table in (COLORS, SHAPES, ANSWERS) if lower(truth) in table), COLORS)
    return next(word for word in table if word != lower(truth))

"""How far a judge can be trusted: its verdicts against people's labels (VOILA, Tables 12 to 15; MME-CC's check of 99 items).

A sheet shows people what the judge saw, and not what it said; its verdicts lie beside it in a file of their own. Labels come back as
that sheet, or as any CSV that has both sides.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

from ..errors import DataError
from ..report.labelling_page import Item, Question, Section, Sheet, csv_rows, read_labels
from ..rng import stream
from ..stats import Interval, cohen_kappa, kappa_interval, wilson
from .fence import capped
from .prompts import NONE, TEMPLATES, Field, fields_of, version_of
from .query import Query, Verdict

HUMAN, JUDGE, PROPERTY = "human", "judge", "property"
"""Columns of a CSV with both sides; of several properties either one row each, named in `property`, or columns "human number" …"""
ALL = "all of them"
"""The row in which every property of an item must agree to be right, as the papers' "Question"."""
SPELLED = {
    "yes": "1",
    "y": "1",
    "right": "1",
    "correct": "1",
    "true": "1",
    "no": "0",
    "n": "0",
    "wrong": "0",
    "incorrect": "0",
    "false": "0",
}
WHOLE = re.compile(r"([0-9]+)[.,]0+")
"""How spreadsheets and data frames write whole numbers in a column with gaps."""
BINARY = frozenset({"0", "1"})
VERDICTS = ".verdicts.json"
"""How the name of the file beside a sheet ends."""

SHOWN = 3
"""Strange values that are told."""

Labels = Mapping[str, Mapping[str, str]]
"""Item → property → value."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One decision of a judge, to be checked."""

    id: str
    task: str
    query: Query
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Agreement:
    """Both sides on one property."""

    property: str
    n: int
    counts: Mapping[str, int] | None
    """TP, FP, FN, TN with the human as the truth and 1 as positive; None where the values are not 1 and 0."""
    agreement: float
    interval: Interval
    """Wilson, 95 %."""
    kappa: float
    """Cohen's; NaN where both sides gave one and the same value throughout."""
    kappa_interval: Interval | None
    """Bootstrap over items, 95 %."""


def agreements(human: Labels, judge: Labels) -> list[Agreement]:
    """One for each property that both sides have values on, then one for all together if there are several of 1 and 0.

    Items that a person has left out do not count.
    """
    properties = dict.fromkeys(name for labels in judge.values() for name in labels)
    shared = [(human[item], judge[item]) for item in human if item in judge]
    found = []
    for name in properties:
        if pairs := [(one[name], other[name]) for one, other in shared if name in one and name in other]:
            found.append(_agreement(name, pairs))
    if len(found) > 1 and all(row.counts is not None for row in found):
        names = [row.property for row in found]
        whole = [pair for pair in shared if all(name in side for side in pair for name in names)]
        if merged := [(_all_right(one, names), _all_right(other, names)) for one, other in whole]:
            found.append(_agreement(ALL, merged))
    return found


def read_pairs(path: Path) -> tuple[Labels, Labels]:
    """Human and judge, from a CSV that has both. Raises DataError that names line and column."""
    human: dict[str, dict[str, str]] = {}
    judge: dict[str, dict[str, str]] = {}
    for number, row in csv_rows(path, ()):
        item, pairs = row.get("id") or f"line {number}", _pairs(row)
        if not pairs:
            raise DataError(
                f"{path}: expected columns {HUMAN} and {JUDGE} (and {PROPERTY}, if there are several), or {HUMAN} X and {JUDGE} X"
                f" for each property X, or a sheet of ours whose {VERDICTS} file lies beside it or is named by --verdicts"
            )
        for name, (one, other) in pairs.items():
            if name in human.get(item, {}):
                raise DataError(f"{path}, line {number}: {item} has {name} twice; remove one, or give each its own id")
            if one and other:
                human.setdefault(item, {})[name], judge.setdefault(item, {})[name] = one, other
    if strange := _strange(human, judge):
        raise DataError(
            f"{path}: {'; '.join(strange[:SHOWN])}: expected numbers, as on the other side; right and wrong are 1 and 0, or yes and no"
        )
    return human, judge


def _strange(human: Labels, judge: Labels) -> list[str]:
    """Values that are no numbers, of properties that have nothing but numbers on the other side: they would count as disagreement."""
    found = []
    for name in dict.fromkeys(name for own in judge.values() for name in own):
        sides = [{item: own[name] for item, own in labels.items() if name in own} for labels in (human, judge)]
        words = [{item: value for item, value in side.items() if not value.isdecimal()} for side in sides]
        if not all(words):
            found += [f"{item} has {name} {value!r}" for side in words for item, value in side.items()]
    return found


def read_sheet(path: Path, verdicts: Path) -> tuple[Labels, Labels]:
    """Human and judge, from a sheet that `sheets` made and the file of verdicts beside it."""
    try:
        kept = json.loads(verdicts.read_text(encoding="utf-8"))
        judge = {str(item): {name: str(value) for name, value in own.items()} for item, own in kept["verdicts"].items()}
        questions = [_question(field, kept["letters"]) for field in _counting(TEMPLATES[kept["template"]].fields)]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(
            f"{verdicts}: no verdicts of ours ({type(error).__name__}: {error}); draw the sheet again with --sample"
        ) from error
    return read_labels(path, questions, judge), judge


def draw(judged: Iterable[Judged], count: int, seed: int = 0) -> list[Judged]:
    """`count` of them, spread evenly over tasks and verdicts, in random order: people must not see a pattern."""
    strata: dict[tuple[str, ...], list[Judged]] = {}
    for one in sorted(judged, key=lambda one: one.id):
        values = _values(one)
        strata.setdefault((one.query.template, one.task, *values.values()), []).append(one)
    ranked: list[tuple[int, float, Judged]] = []
    for name, members in strata.items():
        random = stream("judge agreement", seed, *(part.replace("/", "_") for part in name))
        random.shuffle(members)
        ranked += [(rank, random.random(), one) for rank, one in enumerate(members)]
    ranked.sort(key=lambda entry: entry[:2])
    drawn = [one for _, _, one in ranked[:count]]
    stream("judge agreement order", seed).shuffle(drawn)
    return drawn


def sheets(drawn: Sequence[Judged]) -> list[tuple[Sheet, str]]:
    """One sheet for each template, and the text of its file of verdicts."""
    by_template: dict[str, list[Judged]] = {}
    for one in drawn:
        by_template.setdefault(one.query.template, []).append(one)
    return [_sheet(template, members) for template, members in sorted(by_template.items())]


def _sheet(template: str, members: Sequence[Judged]) -> tuple[Sheet, str]:
    letters = sorted({letter for one in members for letter in one.query.letters})
    fields = _counting(fields_of(members[0].query))
    given = {name for one in members for name, text in one.query.reference.items() if text.strip()}
    shown = [name for name in (*TEMPLATES[template].needs, *TEMPLATES[template].may_have) if name in given]
    sheet = Sheet(
        name=template,
        title=f"Check of a judge: {template}",
        guide=TEMPLATES[template].task,
        questions=tuple(_question(field, letters) for field in fields),
        items=tuple(_item(one, shown) for one in members),
    )
    kept = {
        "template": template,
        "version": version_of(template),
        "judge": sorted({one.verdict.model for one in members}),
        "letters": letters,
        "verdicts": {one.id: _values(one) for one in members},
    }
    return sheet, json.dumps(kept, ensure_ascii=False, indent=1) + "\n"


def _item(one: Judged, names: Iterable[str]) -> Item:
    """`names`: texts of the reference to show; one that this item lacks is blank."""
    shown = [Section(name.capitalize(), (one.query.reference.get(name, ""),)) for name in names]
    pictures = [Section("Pictures", one.query.pictures)] if one.query.pictures else []
    return Item(one.id, (*shown, *pictures, Section("Reply", (capped(one.query.reply),))))


def _question(field: Field, letters: Sequence[str]) -> Question:
    values = [str(value) for value in field.values] or [*_lettered(field, letters), NONE]
    options = {"1": "yes", "0": "no"} if set(values) == BINARY else {value: value for value in values}
    return Question(field.name, field.meaning, options)


def _lettered(field: Field, letters: Sequence[str]) -> list[str]:
    return ["".join(order) for order in permutations(letters)] if field.letters == "all" else list(letters)


def _counting(fields: Iterable[Field]) -> list[Field]:
    return [field for field in fields if field.counts]


def _values(one: Judged) -> dict[str, str]:
    return {field.name: str(one.verdict.values[field.name]) for field in _counting(fields_of(one.query))}


def _pairs(row: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Property → (human, judge) of one row; empty when it has no such columns."""
    if HUMAN in row and JUDGE in row:
        return {row.get(PROPERTY) or "verdict": (_spelled(row[HUMAN]), _spelled(row[JUDGE]))}
    names = [name.removeprefix(f"{HUMAN} ") for name in row if name.startswith(f"{HUMAN} ")]
    return {
        name: (_spelled(row[f"{HUMAN} {name}"]), _spelled(row[f"{JUDGE} {name}"]))
        for name in names
        if f"{JUDGE} {name}" in row
    }


def _spelled(cell: str) -> str:
    value = cell.strip().casefold()
    return SPELLED.get(value, WHOLE.sub(r"\1", value) if WHOLE.fullmatch(value) else value)


def _all_right(labels: Mapping[str, str], names: Iterable[str]) -> str:
    return "1" if all(labels[name] == "1" for name in names) else "0"


def _agreement(name: str, pairs: Sequence[tuple[str, str]]) -> Agreement:
    human, judge = [one for one, _ in pairs], [other for _, other in pairs]
    same = sum(one == other for one, other in pairs)
    return Agreement(
        property=name,
        n=len(pairs),
        counts=_counts(pairs) if BINARY.issuperset([*human, *judge]) else None,
        agreement=same / len(pairs),
        interval=wilson(same, len(pairs)),
        kappa=cohen_kappa(human, judge),
        kappa_interval=kappa_interval(human, judge),
    )


def _counts(pairs: Sequence[tuple[str, str]]) -> dict[str, int]:
    cells = {"TP": ("1", "1"), "FP": ("0", "1"), "FN": ("1", "0"), "TN": ("0", "0")}
    return {name: pairs.count(cell) for name, cell in cells.items()}

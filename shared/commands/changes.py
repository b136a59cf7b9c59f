"""What scoring a log again has changed, and why: the verdicts that the run itself logged, held against the new ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from ..frameworks.logs import LoggedRun
from ..judge.query import NOT_JUDGED, NOT_RATED, UNREADABLE
from ..sample import PEOPLE, RULES, Score
from ..table import NO_JUDGE

SHOWN = 3
"""Changes of each cause that are printed; `changes.jsonl` has all."""


@dataclass(frozen=True, slots=True)
class Change:
    """One verdict that is no longer what it was."""

    id: str
    attempt: int
    before: str
    """Such as "unparsed" or "right (B)"."""
    after: str
    cause: str


class Case(NamedTuple):
    """What a cause is read from."""

    before: Mapping[str, Any]
    """The logged record."""
    after: Score
    reply: str | None
    then: Mapping[str, str]
    """Versions of the logged run."""
    now: Mapping[str, str]


def changes(log: LoggedRun, scores: Sequence[Score], now: Mapping[str, str]) -> list[Change]:
    """The verdicts that differ in points, reason or value, in the order of `scores`. Those that the log lacks are none."""
    found: list[Change] = []
    for score in scores:
        asked = (score.sample_id, score.attempt)
        if (before := log.verdicts.get(asked)) is None:
            continue
        value = score.extraction.value if score.extraction else None
        if (before.get("points"), before.get("reason"), before.get("value")) != (score.points, score.reason, value):
            case = Case(before, score, log.replies[asked][-1].text, log.versions, now)
            texts = _verdict(before.get("reason"), before.get("value")), _verdict(score.reason, value)
            found.append(Change(*asked, *texts, cause(case)))
    return found


def told(log: LoggedRun, scores: Sequence[Score], found: Sequence[Change]) -> Iterator[str]:
    """Lines: how many verdicts changed, and for each cause how many and the first of them."""
    compared = sum((score.sample_id, score.attempt) in log.verdicts for score in scores)
    if not compared:
        yield "the log holds no verdicts to compare with"
        return
    missing = f"; {len(scores) - compared} are new" if compared < len(scores) else ""
    yield f"against the log's own verdicts: {len(found)} of {compared} changed{missing}"
    by_cause: dict[str, list[Change]] = {}
    for change in found:
        by_cause.setdefault(change.cause, []).append(change)
    for why, own in sorted(by_cause.items(), key=lambda item: -len(item[1])):
        yield f"  {len(own)} because of {why}:"
        yield from (f"    {change.id}: {change.before} → {change.after}" for change in own[:SHOWN])
        if len(own) > SHOWN:
            yield f"    … {len(own) - SHOWN} more in changes.jsonl"


def record(change: Change) -> dict[str, Any]:
    """A line of `changes.jsonl`."""
    return asdict(change)


def cause(case: Case) -> str:
    """The first of CAUSES that holds."""
    return next(why for holds, why in CAUSES if holds(case)).format(**_words(case))


def _verdict(reason: str | None, value: str | None) -> str:
    return f"{reason} ({value})" if value is not None else str(reason)


def _unjudged(reason: str | None) -> bool:
    return reason in (NOT_JUDGED, NOT_RATED, UNREADABLE)


def _judges(case: Case) -> tuple[str, str]:
    return case.then.get("judge", NO_JUDGE), case.now.get("judge", NO_JUDGE)


def _other_reader(case: Case) -> bool:
    return bool(case.before.get("judged_by") != case.after.judged_by) and len(set(_judges(case))) == 2


def _read_by_rules(case: Case) -> bool:
    return RULES in (case.before.get("judged_by"), case.after.judged_by)


def _same_value(case: Case) -> bool:
    return case.after.extraction is not None and bool(case.before.get("value") == case.after.extraction.value)


CAUSES: Sequence[tuple[Callable[[Case], bool], str]] = (
    (lambda case: case.before.get("reply") != case.reply, "another reply, which stands in the log now"),
    (lambda case: PEOPLE in (case.before.get("judged_by"), case.after.judged_by), "people's ratings"),
    (lambda case: _unjudged(case.after.reason), "the judge: no verdict now"),
    (lambda case: case.after.points is None, "a reply that cannot be scored now"),
    (lambda case: _unjudged(case.before.get("reason")), "the judge: no verdict then"),
    (lambda case: case.before.get("points") is None, "a reply that could not be scored then"),
    (_other_reader, "the judge: {judges}"),
    (
        lambda case: _same_value(case) and case.before.get("value") is not None,
        "the key, or how it is scored{benchmark}",
    ),
    (_read_by_rules, "the extraction{extraction}"),
    (lambda case: True, "the judge, which says something else{prompt}"),
)
"""When it is the cause, and in what words; the order matters."""


def _words(case: Case) -> dict[str, str]:
    """What the texts of CAUSES leave open: a version then and now; where both are the same, the whole package's."""
    return {
        "judges": " → ".join(_judges(case)),
        "benchmark": _step(case, "benchmark"),
        "extraction": _step(case, "extraction"),
        "prompt": _prompts(case),
    }


def _step(case: Case, name: str) -> str:
    for one in (name, "cogsight"):
        then, now = case.then.get(one), case.now.get(one)
        if then and now and then != now:
            return f": {one} {then} → {now}"
    return ""


def _prompts(case: Case) -> str:
    then = ", ".join((case.before.get("judgement") or {}).get("prompts", ()))
    now = ", ".join(case.after.judgement.prompts if case.after.judgement else ())
    return f": prompt {then} → {now}" if then and now and then != now else ""

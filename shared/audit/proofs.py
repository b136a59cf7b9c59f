"""Keys re-proved: the metadata alone bring the question back, the solver finds its key and no other, and its pictures are these."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..build import Generator
from ..sample import Sample
from ..workers import in_order
from .finding import Audited, Finding, Verdict, faults
from .measure import Item, pixel_digest

NAME, REDRAW_NAME = "keys", "redrawing"

UNREADABLE = (ValueError, TypeError, LookupError)
"""What reading a state raises that a generator has not written."""


@dataclass(frozen=True, slots=True)
class Job:
    """A question to prove or to draw again; travels to a worker."""

    generator: Generator[Any, Any]
    item: Item

    def state(self) -> Any:
        """The generator's state. Raises one of `UNREADABLE`."""
        return self.generator.parse(str(json.loads(self.item.sample.metadata)["state"]))


def keys(audited: Audited) -> Iterator[Finding]:
    """All questions."""
    for task, items in audited.tasks().items():
        if why := _closed(task, audited):
            yield Finding(NAME, task, Verdict.NONE, why)
            continue
        found = _faults(prove, audited.generators[task], items, audited.num_proc)
        mend = "build it again with this version; if that does not help it is a bug in the generator or its solver"
        yield faults(NAME, task, found, len(items), "not proved from their state", "exactly the key fits", mend)


def redrawing(audited: Audited) -> Iterator[Finding]:
    """`audited.redraw` questions of each task, spread evenly."""
    for task, items in audited.tasks().items():
        if why := _closed(task, audited) or ("not asked for" if audited.redraw < 1 else ""):
            yield Finding(REDRAW_NAME, task, Verdict.NONE, why)
            continue
        chosen = spread(items, audited.redraw)
        found = _faults(redraw, audited.generators[task], chosen, audited.num_proc)
        mend = "build it again with this version; a drawing that changed needs another RENDER_VERSION"
        yield faults(REDRAW_NAME, task, found, len(chosen), "drawn again with other pixels", "the same pixels", mend)


def _closed(task: str, audited: Audited) -> str:
    """Why the question of a task cannot be made again; "" where it can."""
    if not audited.procedural:
        return "not generated: a release has no state to prove from"
    return "" if task in audited.generators else "its benchmark makes these without a table of generators"


def _faults(check: Any, generator: Generator[Any, Any], items: Sequence[Item], num_proc: int) -> dict[str, str]:
    """Id → what is wrong."""
    jobs = [Job(generator, item) for item in items]
    found = zip(items, in_order(check, jobs, num_proc), strict=True)
    return {item.sample.id: why for item, why in found if why}


def spread(items: Sequence[Item], count: int) -> list[Item]:
    """`count` of them (all, if there are no more), evenly from first to last."""
    n = min(count, len(items))
    return [items[i * len(items) // n] for i in range(n)]


def prove(job: Job) -> str:
    """What is wrong with a question's key or words; "" for nothing."""
    sample = job.item.sample
    try:
        state = job.state()
        fits = job.generator.solve(state)
    except UNREADABLE as error:
        return f"its state cannot be read: {error!r}"
    if fits != {sample.answer}:
        return f"the key is {sample.answer}, but {', '.join(sorted(fits)) or 'nothing'} fits"
    return "" if _asks(job.generator, state, sample) else "its state asks in other words"


def _asks(generator: Generator[Any, Any], state: Any, sample: Sample) -> bool:
    question, choices = generator.ask(state)
    return question == sample.question and list(choices.items()) == list(sample.choices.items())


def redraw(job: Job) -> str:
    """Which pictures come out otherwise; "" for none."""
    try:
        drawn = [pixel_digest(picture.open()) for picture in job.generator.draw(job.state())]
    except UNREADABLE as error:
        return f"its state cannot be drawn: {error!r}"
    there = [look.pixels for look in job.item.looks]
    if len(drawn) != len(there):
        return f"{len(there)} pictures, but {len(drawn)} are drawn"
    changed = [str(n) for n, (one, other) in enumerate(zip(drawn, there, strict=True), 1) if one != other]
    return f"picture {', '.join(changed)}" if changed else ""

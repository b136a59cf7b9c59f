"""The pictures that models made, from runs of ours or from sample logs, each with the question that it answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256

from ..benchmark import Benchmark
from ..decoding import bad_bytes, decoded
from ..errors import DataError
from ..sample import Message, Picture, Reply, Sample
from ..truth import PICTURE, truth_of
from ..variants import Variant


class Made(str, Enum):
    """What became of one question."""

    PICTURE = "picture"
    NOTHING = "nothing"
    """The model replied, without a picture that can be shown: it gets 0 and 0, as in the paper, and nobody has to look."""
    LOST = "lost"
    """The request failed: nobody knows what the model would have made, so that it does not count."""


Replies = Mapping[tuple[str, int], Sequence[Reply]]
"""(Sample id, attempt) → replies, turn by turn."""


@dataclass(frozen=True, slots=True)
class Source:
    """A run: who replied what to which variant."""

    where: str
    model: str
    benchmark: Benchmark
    variant: Variant
    replies: Replies


@dataclass(frozen=True, slots=True)
class Answered:
    """One attempt at one question."""

    source: Source
    sample: Sample
    attempt: int
    replies: Sequence[Reply]
    made: Made

    @property
    def task(self) -> str:
        """Its title."""
        known = self.source.benchmark.tasks.get(self.sample.task)
        return known.title if known else self.sample.task

    @property
    def asked(self) -> tuple[Message, ...]:
        """What the model was shown."""
        return self.source.benchmark.turn(self.sample, self.source.variant, ()) or ()

    @property
    def picture(self) -> Picture:
        """The one to rate: the last, since sketches come first."""
        return self.replies[-1].images[-1]

    @property
    def truth(self) -> Picture | None:
        """What a right one looks like, where that is known."""
        return truth_of(self.sample)


def collect(sources: Iterable[Source]) -> list[Answered]:
    """All attempts of these runs. Raises DataError for a run whose questions no picture answers, and for a reply that two runs have."""
    found: dict[tuple[str, str, str, int], str] = {}
    collected = []
    for source in sources:
        for one in _answered(source):
            key = (source.model, source.variant.name, one.sample.id, one.attempt)
            if key in found:
                raise DataError(
                    f"{source.where}: {source.model} has a reply to {one.sample.id} in {found[key]} too; name one of the two"
                )
            found[key] = source.where
            collected.append(one)
    return collected


def what_came_of(reply: Reply) -> Made:
    """A picture that cannot be decoded is none."""
    if reply.error is not None:
        return Made.LOST
    try:
        return Made.PICTURE if reply.images and decoded(reply.images[-1], 1) else Made.NOTHING
    except bad_bytes():
        return Made.NOTHING


def fingerprint(picture: Picture) -> str:
    """Tells a picture from every other, whatever it is called."""
    return sha256(picture.data).hexdigest()[:16]


def _answered(source: Source) -> list[Answered]:
    """In the paper's order of tasks."""
    known = {sample_id for sample_id, _ in source.replies}
    samples = {sample.id: sample for sample in source.benchmark.samples(source.variant) if sample.id in known}
    found = []
    for (sample_id, attempt), replies in source.replies.items():
        if sample_id not in samples:
            raise DataError(
                f"{source.where}: a reply to {sample_id}, which {source.variant.name} does not have here; name the data of that run, as for cogsight score"
            )
        sample = samples[sample_id]
        if sample.answer_type != PICTURE:
            raise DataError(
                f"{source.where}: the questions of {source.variant.name} are not answered by a picture alone, so that there is nothing to rate"
            )
        found.append(Answered(source, sample, attempt, replies, what_came_of(replies[-1])))
    order = list(source.benchmark.tasks)
    return sorted(found, key=lambda one: order.index(one.sample.task))

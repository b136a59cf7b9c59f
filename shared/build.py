"""From generators to samples: generate, prove, balance; the same samples on any number of workers.

A generator is a table of pure functions, one per file under `generate/`. This module knows no puzzle.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from itertools import combinations, tee
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .errors import GenerationError, UnprovedKey
from .rng import stream
from .sample import Picture, Sample
from .truth import LAST, TRUTH
from .workers import in_order

if TYPE_CHECKING:
    from PIL import Image

C = TypeVar("C")
"""A puzzle's Config: a frozen dataclass."""
S = TypeVar("S")
"""A puzzle's State: `State.parse(str(state)) == state`."""

TRIES = 60
"""Attempts at one sample, duplicates included."""

LOOK_ALIKE = 0.0015
"""15 by 15 pixels of a picture of 400 by 400. Two pictures of one question that differ in a smaller share of their pixels are too alike to ask about."""

NOTICEABLE = 32
"""Difference in a colour channel, of 255, from which on a pixel counts as different."""


@dataclass(frozen=True, slots=True)
class Puzzle(Generic[S]):
    """A question as its generator sees it."""

    state: S
    key: str
    """A letter, or letters joined."""
    explanation: Mapping[str, str]
    """Letter → why it is right or wrong."""


@dataclass(frozen=True, slots=True)
class Generator(Generic[C, S]):
    """One task: all functions are pure and on module level (they travel to worker processes by name)."""

    name: str
    category: str
    answer_type: str
    """A name in `answers.ANSWER_TYPES`."""
    levels: Mapping[str, C]
    slots: int
    """How many keys there are; slot i of `range(slots)` asks for the i-th, so that the builder can balance them."""
    generate: Callable[[Random, C, int], Puzzle[S] | None]
    """(stream, config, slot) → a puzzle, or None when this draw comes to nothing."""
    solve: Callable[[S], frozenset[str]]
    """All answers that fit what the pictures show. Shares no helper with `generate`."""
    ask: Callable[[S], tuple[str, Mapping[str, str]]]
    """Question text and choices."""
    draw: Callable[[S], tuple[Picture, ...]]
    alt: Callable[[S], tuple[str, ...]]
    """Each picture in words."""
    parse: Callable[[str], S]
    truth: bool = False
    """Whether the last picture that it draws is the true one, which no model is shown (`truth.py`); then its key is ""."""


@dataclass(frozen=True, slots=True)
class Job:
    """One sample to make: all that its content depends on."""

    generator: Generator[Any, Any]
    benchmark: str
    versions: Mapping[str, str]
    """Goes into the metadata: data and render version."""
    seed: int
    level: str
    index: int
    """Within the level."""
    first_attempt: int = 0


def generate_samples(
    generators: Sequence[Generator[Any, Any]],
    *,
    benchmark: str,
    versions: Mapping[str, str],
    seed: int,
    num_samples: int | Mapping[str, int],
    num_proc: int = 1,
) -> Iterator[Sample]:
    """`num_samples` proved samples of each generator (of one name, where they differ), task after task, their levels taking turns.

    The first n samples of a task do not depend on how many follow. A sample that repeats an earlier one is made again by the next attempt.
    Raises GenerationError when a sample finds no unique key within `TRIES` attempts; UnprovedKey when a solver rejects a generator's key.
    """
    jobs, same_jobs = tee(_jobs(generators, benchmark, versions, seed, num_samples))
    taken: set[bytes] = set()
    for job, (sample, attempt) in zip(jobs, in_order(make, same_jobs, num_proc), strict=True):
        while (content := bytes.fromhex(fingerprint(sample))) in taken:  # as bytes it takes half the memory
            sample, attempt = make(replace(job, first_attempt=attempt + 1))
        taken.add(content)
        yield sample


def _jobs(
    generators: Sequence[Generator[Any, Any]],
    benchmark: str,
    versions: Mapping[str, str],
    seed: int,
    num_samples: int | Mapping[str, int],
) -> Iterator[Job]:
    """One after the other, since there may be any number of them."""
    for generator in generators:
        levels = tuple(generator.levels)
        for i in range(num_samples if isinstance(num_samples, int) else num_samples[generator.name]):
            yield Job(generator, benchmark, versions, seed, levels[i % len(levels)], i // len(levels))


def make(job: Job) -> tuple[Sample, int]:
    """The first attempt, from `job.first_attempt` on, whose key is proved and whose pictures differ; with its number."""
    generator, names = job.generator, (job.seed, job.generator.name, job.level, job.index)
    slot = _slot(job)
    for attempt in range(job.first_attempt, TRIES):
        puzzle = generator.generate(stream(*names, "puzzle", attempt), generator.levels[job.level], slot)
        if puzzle is None or not is_proved(generator, puzzle.state, puzzle.key):
            continue
        pictures = generator.draw(puzzle.state)
        if not look_alike(pictures[:-1] if generator.truth else pictures):
            return _sample(job, puzzle, pictures, attempt), attempt
    raise GenerationError(
        f"{generator.name} level {job.level}: no unique sample in {TRIES} tries (seed {job.seed}, index {job.index}); take another seed, ask for fewer,"
        " or leave the task out: --tasks names those that are made"
    )


def is_proved(generator: Generator[Any, S], state: S, key: str) -> bool:
    """True when exactly the key fits, False when other answers fit too. Raises UnprovedKey when the key does not fit at all."""
    fits = generator.solve(state)
    if key not in fits:
        found = ", ".join(sorted(fits)) or "nothing"
        raise UnprovedKey(
            f"{generator.name} {state}: the key is {key}, but {found} fits; this is a bug in the generator or its solver"
        )
    return fits == {key}


def look_alike(pictures: Sequence[Picture]) -> bool:
    """Are two pictures of one size (almost) the same?"""
    images = [picture.open() for picture in pictures] if len(pictures) > 1 else []  # decoding takes 3 ms
    return any(difference(one, other) < LOOK_ALIKE for one, other in combinations(images, 2))


def difference(one: Image.Image, other: Image.Image) -> float:
    """Share of the pixels of two RGB pictures that differ noticeably, 0 to 1; 1 when the sizes differ."""
    from PIL import ImageChops

    if one.size != other.size:
        return 1.0
    red, green, blue = ImageChops.difference(one, other).split()
    counts = ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()
    return sum(counts[NOTICEABLE:]) / (one.width * one.height)


def fingerprint(sample: Sample) -> str:
    """Equal for two generated samples that ask the same of the same pictures and choices, in whatever order these stand."""
    pictures = sorted(sha256(picture.data).hexdigest() for picture in sample.images)
    return sha256("\n".join([sample.question, *sorted(sample.choices.values()), *pictures]).encode()).hexdigest()


def _slot(job: Job) -> int:
    """Every key once in each block of `slots` samples of a level, in an order of the block's own."""
    slots = job.generator.slots
    order = list(range(slots))
    stream(job.seed, job.generator.name, job.level, job.index // slots, "positions").shuffle(order)
    return order[job.index % slots]


def _sample(job: Job, puzzle: Puzzle[Any], pictures: tuple[Picture, ...], attempt: int) -> Sample:
    generator = job.generator
    question, choices = generator.ask(puzzle.state)
    metadata = {
        "state": str(puzzle.state),
        "config": asdict(generator.levels[job.level], dict_factory=_without_paths),
        "seed": job.seed,
        "index": job.index,
        "attempt": attempt,
        **({TRUTH: LAST} if generator.truth else {}),
        **job.versions,
    }
    return Sample(
        id=f"{job.benchmark}/procedural/{generator.name}/{job.level}/{job.index}",
        task=generator.name,
        category=generator.category,
        level=job.level,
        images=pictures,
        question=question,
        choices=choices,
        answer=puzzle.key,
        answer_type=generator.answer_type,
        explanation=puzzle.explanation,
        metadata=json.dumps(metadata, sort_keys=True, separators=(",", ":"), ensure_ascii=False),
    )


def _without_paths(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Where files lie is this machine's own: it is not told, and changes no sample."""
    return {name: value for name, value in pairs if not isinstance(value, Path)}

"""Models that need no model: they show that a set-up works, and where its floor and ceiling are.

Both frameworks offer them as `cogsight_baseline`; `random` must land inside the interval around chance, `oracle` scores 100.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from .answers import ANSWER_TYPES
from .benchmark import Benchmark, Policy
from .rng import stream
from .sample import Reply, Sample
from .variants import Variant

NO_ANSWER = "The picture shows several coloured bricks on a white ground."
"""Text in which no rule may see an answer, a refusal or an unfinished thought."""

CHOSEN = frozenset({"option", "sequence"})
"""Kinds of answer that are made of the letters of a question's options; the others are free."""


def answer(benchmark: Benchmark, variant: Variant, sample: Sample, policy: str, seed: int = 0, turn: int = 0) -> str:
    """What a baseline replies at a turn; the same for the same arguments, whatever was asked before.

    Raises ValueError that lists the benchmark's policies when there is none of this name.
    """
    policies = {**POLICIES, **benchmark.policies}
    if policy not in policies:
        raise ValueError(f"policy={policy}: {benchmark.name} has {', '.join(policies)}")
    return policies[policy](sample, variant, turn, stream(seed, *sample.id.split("/"), "baseline", policy))


def dialogue(benchmark: Benchmark, variant: Variant, sample: Sample, policy: str, seed: int = 0) -> list[Reply]:
    """What it replies at all turns."""
    return [Reply(answer(benchmark, variant, sample, policy, seed, turn)) for turn in range(variant.turns)]


def names(benchmarks: Iterable[Benchmark]) -> list[str]:
    """All policies that any of these has."""
    return list(dict.fromkeys([*POLICIES, *(name for benchmark in benchmarks for name in benchmark.policies)]))


def _random(sample: Sample, variant: Variant, turn: int, rng: Random) -> str:
    """Uniform over the possible answers; a free answer cannot be guessed so, and none is given."""
    letters = list(sample.choices)
    rng.shuffle(letters)
    return _shortest_answer(sample, letters)


def _first(sample: Sample, variant: Variant, turn: int, rng: Random) -> str:
    return _shortest_answer(sample, list(sample.choices))


def _shortest_answer(sample: Sample, letters: Sequence[str]) -> str:
    """The shortest run of these letters that is a possible answer: one for an option, all of them for an order, none if it is free."""
    if sample.answer_type not in CHOSEN:
        return NO_ANSWER
    parse = ANSWER_TYPES[sample.answer_type].parse
    for length in range(1, len(letters) + 1):
        try:
            return parse("".join(letters[:length]), sample.choices)
        except ValueError:  # not an answer to this kind of question
            continue
    raise ValueError(f"{sample.id}: no answer of type {sample.answer_type} can be guessed from its choices")


POLICIES: Mapping[str, Policy] = {
    "random": _random,
    "first": _first,
    "oracle": lambda sample, variant, turn, rng: sample.answer,
    "unparsable": lambda sample, variant, turn, rng: NO_ANSWER,
    "silent": lambda sample, variant, turn, rng: "",
}
"""Of every benchmark. The same at every turn. Saying nothing must score nothing, whatever the key."""

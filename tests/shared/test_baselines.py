"""The baselines: the same reply for the same sample and seed, uniform where it is random, and possible where it is an answer."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial

import pytest
import toy

from cogsight.shared import baselines
from cogsight.shared.answers import ANSWER_TYPES
from cogsight.shared.baselines import NO_ANSWER, POLICIES, names
from cogsight.shared.sample import Outcome, Reply, Sample

answer = partial(baselines.answer, toy.BENCHMARK, toy.VARIANT)
CHOICES = {letter: f"<image {n}>" for n, letter in enumerate("ABC", 1)}
OPTION = Sample("toy/procedural/hue/0/1", "hue", "seeing", "0", (), "Which?", CHOICES, "B", "option")
ORDER = replace(OPTION, id="toy/procedural/order/0/1", task="order", answer="CAB", answer_type="sequence")


@pytest.mark.parametrize("sample", [OPTION, ORDER], ids=lambda sample: sample.answer_type)
def test_each_policy(sample: Sample) -> None:
    assert answer(sample, "oracle") == sample.answer
    assert answer(sample, "first") == {"option": "A", "sequence": "ABC"}[sample.answer_type]
    kind = ANSWER_TYPES[sample.answer_type]
    assert kind.extract(Reply(answer(sample, "unparsable")), sample.choices).outcome is Outcome.UNPARSED
    assert kind.extract(Reply(answer(sample, "random")), sample.choices).outcome is Outcome.PARSED
    assert answer(sample, "silent") == ""


@pytest.mark.parametrize(("sample", "possible"), [(OPTION, 3), (ORDER, 6)], ids=["option", "sequence"])
def test_random_is_uniform_over_the_possible_answers(sample: Sample, possible: int) -> None:
    counts = Counter(answer(replace(sample, id=f"toy/procedural/x/0/{n}"), "random") for n in range(600))
    assert len(counts) == possible
    assert all(abs(count - 600 / possible) < 50 for count in counts.values()), counts


def test_random_depends_on_sample_and_seed_alone() -> None:
    others = [replace(OPTION, id=f"toy/procedural/x/0/{n}") for n in range(40)]
    once = [answer(sample, "random", seed=5) for sample in others]
    assert once == [answer(sample, "random", seed=5) for sample in reversed(others)][::-1]
    assert once != [answer(sample, "random", seed=6) for sample in others]


def test_an_unknown_policy_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match="policy=best: toy has random, first, oracle, unparsable, silent"):
        answer(OPTION, "best")
    assert set(POLICIES) == {"random", "first", "oracle", "unparsable", "silent"}


def test_what_cannot_be_guessed_says_so() -> None:
    with pytest.raises(ValueError, match="no answer of type option can be guessed"):
        answer(replace(OPTION, choices={}), "random")
    assert answer(replace(OPTION, choices={}), "unparsable") == NO_ANSWER


def test_a_benchmark_may_have_policies_of_its_own() -> None:
    """Beside the others, and in their place; what is random in them comes from the same stream at each turn."""
    own = toy.made(
        policies={
            "oracle": lambda sample, variant, turn, rng: f"{turn} {sample.answer}",
            "parrot": lambda sample, variant, turn, rng: str(rng.randrange(10**9)),
        }
    )
    three = replace(toy.VARIANT, turns=3)
    said = {
        name: [reply.text for reply in baselines.dialogue(own, three, OPTION, name)]
        for name in ("oracle", "parrot", "first")
    }
    assert said["oracle"] == ["0 B", "1 B", "2 B"] and said["first"] == ["A"] * 3
    assert len(set(said["parrot"])) == 1
    assert names([toy.BENCHMARK, own]) == ["random", "first", "oracle", "unparsable", "silent", "parrot"]
    with pytest.raises(ValueError, match=r"policy=parrot: toy has random, first, oracle, unparsable, silent$"):
        answer(OPTION, "parrot")

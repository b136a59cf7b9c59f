"""What VOILA's baselines say at each step: a perfect model, one that guesses, and one that takes image 2 for the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import NamedTuple

from cogsight.shared.benchmark import Policy
from cogsight.shared.sample import Sample
from cogsight.shared.variants import Variant

from .images import ALL_SCENES
from .prompts import FORM, STYLES, Question
from .rules import Scenes, Target, apply, relations, structure_of
from .samples import scenes_of
from .taxonomy import ACTIONS, NUMBERS, SUBJECTS, VALUES, base
from .words import describe_images, format_relations, format_value, relation_sentences


class Belief(NamedTuple):
    """What a baseline takes for the truth."""

    scenes: Scenes
    target: Target


def _right(scenes: Scenes, rng: Random) -> Belief:
    return Belief(scenes, apply(structure_of(scenes), scenes))


def _guessed(scenes: Scenes, rng: Random) -> Belief:
    """Any three scenes, and any answer: each property uniform over its values and "any"."""
    one, two, three = (rng.choice(ALL_SCENES) for _ in scenes)
    target = rng.choice((*NUMBERS, None)), rng.choice((*SUBJECTS, None)), rng.choice((*ACTIONS, None))
    return Belief((one, two, three), Target(*target))


def _copied(scenes: Scenes, rng: Random) -> Belief:
    """Sees everything, and answers with image 2."""
    return Belief(scenes, Target(*scenes[1]))


def _relation(name: str) -> Callable[[Belief], str]:
    return lambda belief: relation_sentences(relations(belief.scenes))[name]


SAID: Mapping[str, Callable[[Belief], str]] = {
    "describe": lambda belief: describe_images(belief.scenes),
    "relate": lambda belief: format_relations(relations(belief.scenes)),
    **{f"relate/{name}": _relation(name) for name in VALUES},
    "apply": lambda belief: FORM.format(*map(format_value, belief.target)),
    "draw": lambda belief: "A picture is more than words can show.",
}
"""Step → how a belief is put into words."""


def _say(believe: Callable[[Scenes, Random], Belief], sample: Sample, variant: Variant, turn: int, rng: Random) -> str:
    scenes = scenes_of(sample)
    step = STYLES[variant.style].asked(Question(scenes, base(variant.subset)))[turn]
    return SAID[step](believe(scenes, rng))


POLICIES: Mapping[str, Policy] = {
    "oracle": partial(_say, _right),
    "random": partial(_say, _guessed),
    "copy": partial(_say, _copied),
}
"""The same belief at every step, for the stream is the same."""

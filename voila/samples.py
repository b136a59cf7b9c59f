"""Questions as samples: what both sources, official and procedural, have in common, and how to get the scenes back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cogsight.shared.dataset import canonical_json
from cogsight.shared.errors import UnprovedKey
from cogsight.shared.sample import Picture, Sample

from .images import ALL_SCENES, ImageSource, choose
from .questions import Question, questions
from .rules import Scenes, apply, flags, relations, structure_of
from .solve import solve
from .taxonomy import TASKS, VALUES, Structure
from .words import (
    describe,
    describe_target,
    format_answer,
    format_relations,
    format_scenes,
    format_value,
    parse_scenes,
)

DATA_VERSION = "1"
"""Changes when the same seed gives other questions."""

QUESTION = "<image 1> : <image 2> :: <image 3> : ?"
"""The paper's notation for an analogy; what a model is told besides comes from the prompts."""

LEVEL = "all"

CHOICES: Mapping[str, str] = {
    name: ", ".join(format_value(value) for value in (*values, None)) for name, values in VALUES.items()
}
"""Property → all that an answer can say of it."""


def procedural_samples(
    structures: Sequence[Structure], num: int, seed: int, source: ImageSource, *, first: int = 0
) -> Iterator[Sample]:
    """The questions `first` to `num` - 1 of this seed with their pictures, the structures taking turns.

    Each key is proved on the way. Raises DataError when the source lacks a picture, ValueError when there are not so many questions.
    """
    for question in questions(structures, range(first, num), seed):
        yield procedural_sample(question, seed, source)


def procedural_sample(question: Question, seed: int, source: ImageSource) -> Sample:
    """One of them. Raises UnprovedKey when the solver and the rule engine disagree, which would be a bug."""
    structure, n, scenes = question
    if (fits := solve(scenes)) != {apply(structure, scenes)}:
        found = ", ".join(sorted(map(format_answer, fits))) or "nothing"
        raise UnprovedKey(f"{structure.name} {format_scenes(scenes)}: the solver finds {found}")
    pictures = choose(source, scenes, seed, structure.name, n, "images")
    return to_sample(scenes, pictures, "procedural", str(n), {"seed": seed, "index": n, "data_version": DATA_VERSION})


def to_sample(
    scenes: Scenes, pictures: Sequence[Picture], source: str, n: str, about: Mapping[str, Any] | None = None
) -> Sample:
    """The sample of a question; `n` ends its id, `about` goes into the metadata. Raises ValueError when the scenes are no question."""
    structure = structure_of(scenes)
    target = apply(structure, scenes)
    facts = {
        "state": format_scenes(scenes),
        "rule": structure.rule_id,
        "descriptions": [describe(scene) for scene in scenes],
        "relations": format_relations(relations(scenes)),
        "target": describe_target(target),
        **flags(scenes)._asdict(),
    }
    task = TASKS[structure.name]
    return Sample(
        id=f"voila/{source}/{structure.name}/{LEVEL}/{n}",
        task=task.name,
        category=task.category,
        level=LEVEL,
        images=tuple(pictures),
        question=QUESTION,
        choices=CHOICES,
        answer=format_answer(target),
        answer_type=task.answer_type,
        metadata=canonical_json({**facts, **(about or {})}),
    )


def scenes_of(sample: Sample) -> Scenes:
    """What the images of a sample of ours show, from its metadata; everything else follows from it (`rules`)."""
    return parse_scenes(json.loads(sample.metadata)["state"])


def content_number(scenes: Scenes) -> str:
    """A name that the same question has wherever it comes from: its scenes' places among all 728.

    >>> from .words import parse_scenes
    >>> content_number(parse_scenes("one cat walking; one cat reading; two dogs walking"))
    '003-010-198'
    """
    return "-".join(f"{_PLACE[scene]:03d}" for scene in scenes)


_PLACE = {scene: place for place, scene in enumerate(ALL_SCENES)}

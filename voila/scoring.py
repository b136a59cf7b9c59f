"""How VOILA scores: every step of the chain, every property by itself. The headline is the answer of step 3, all three properties right.

The rules of `reading` decide; a judge is asked, once per step, about what they cannot read, and only its word on that counts. What the model
fails to say is wrong. What we could not find out is neither: of a lost request the whole question, of a missing verdict the parts that need it.

Of step 1 there are two metrics: `describe` is the share of images that are right in all properties (the released code, and Table 2),
`describe_all` whether all three images are (the paper's formula 2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cogsight.shared.extraction.phrases import refuses
from cogsight.shared.extraction.reasoning import visible
from cogsight.shared.judge.query import Judge, JudgeError, Query
from cogsight.shared.sample import Extraction, Finish, Reply, Sample, Score
from cogsight.shared.scoring import unscored
from cogsight.shared.summary import Summary
from cogsight.shared.summary import summarise as add_up
from cogsight.shared.variants import Variant

from .drawing import DRAW, with_picture
from .drawing import PARTS as DRAWING
from .prompts import STYLES, Question
from .reading.answers import read_answer
from .reading.claims import is_right
from .reading.descriptions import IMAGES, read_descriptions
from .reading.relations import grade, read_relations
from .rules import Scenes, relations, target
from .samples import scenes_of
from .taxonomy import CATEGORIES, TASKS, VALUES, base
from .words import describe_images, format_answer, format_relations

TITLE = "VOILA"

Marks = Mapping[str, bool | None]
"""Field of the judge's verdict → whether it is right; None: not known."""

DESCRIBE, RELATE, APPLY = "describe", "relate", "apply"

TRUTH: Mapping[str, Callable[[Scenes], str]] = {
    DESCRIBE: describe_images,
    RELATE: lambda scenes: format_relations(relations(scenes)),
    APPLY: lambda scenes: format_answer(target(scenes)),
}
"""Step → what a judge holds a reply against."""

PARTS: Mapping[str, str] = {
    DESCRIBE: "1 Describe, per image",
    "describe_all": "1 Describe, all three images",
    RELATE: "2 Relate",
    APPLY: "3 Apply",
    **{f"{step}/{name}": f"{step.capitalize()}: {name}" for step in (DESCRIBE, RELATE, APPLY) for name in VALUES},
    **DRAWING,
}
"""Name in `Score.parts` → title: the steps of Tables 2 and 9, and their properties (Figures 5 and 13, Tables 10 and 11)."""


def score(
    sample: Sample, variant: Variant, replies: Sequence[Reply], judge: Judge | None = None, attempt: int = 0
) -> Score:
    """The verdict on a dialogue; where a request was lost, the whole question is (DESIGN 3.1)."""
    scenes = scenes_of(sample)
    *texts, last = STYLES[variant.style].asked(Question(scenes, base(variant.subset)))
    if last != DRAW:
        return _of_texts(sample, scenes, (*texts, last), replies, judge, attempt)
    found = _of_texts(sample, scenes, texts, replies[: len(texts)], judge, attempt)
    drawn = next(iter(replies[len(texts) :]), Reply(None, error="the picture was not asked for"))
    return with_picture(found, target(scenes), drawn, judge)


def _of_texts(
    sample: Sample, scenes: Scenes, steps: Sequence[str], replies: Sequence[Reply], judge: Judge | None, attempt: int
) -> Score:
    """The verdict on the steps that are answered in words."""
    if lost := next((reply.error for reply in replies if reply.error is not None), None):
        return unscored(sample, "request_failed", lost, attempt)
    if len(replies) < len(steps):
        return unscored(sample, "request_failed", f"{len(replies)} of {len(steps)} replies came back", attempt)
    said: dict[str, dict[str, Reply]] = {}
    for name, reply in zip(steps, replies, strict=False):
        said.setdefault(name.split("/")[0], {})[name] = reply
    graded = {step: _graded(step, own, scenes, judge) for step, own in said.items() if step in TRUTH}
    found = _verdict(
        unscored(sample, "", "", attempt), graded[APPLY], read_answer(replies[steps.index(APPLY)]).extraction
    )
    errors = [str(step.error) for step in graded.values() if step.error]
    parts = {name: value for step, own in graded.items() for name, value in _parts(step, own.marks).items()}
    asked = judge is not None and any(step.asked for step in graded.values())
    return replace(
        found,
        parts=parts,
        detail="; ".join(dict.fromkeys(errors)),
        judged_by=judge.name if judge is not None and asked else found.judged_by,
    )


@dataclass(frozen=True, slots=True)
class _Graded:
    """A step's marks, and what became of the judge that was asked."""

    marks: Marks
    asked: bool = False
    error: JudgeError | None = None
    read: Marks = field(default_factory=dict)
    """Before the judge was asked."""


def _graded(step: str, replies: Mapping[str, Reply], scenes: Scenes, judge: Judge | None) -> _Graded:
    """The marks of one step: by rules, then by the judge where these do not know."""
    read = MARK[step](replies, scenes)
    if None not in read.values():
        return _Graded(read, read=read)
    if judge is None or not any(_is_answer(reply) for reply in replies.values()):
        return _Graded({name: bool(mark) for name, mark in read.items()}, read=read)
    text = "\n\n".join(_labelled(name, _shown(reply)) for name, reply in replies.items())
    try:
        values = judge.verdict(Query(f"voila_{step}", text, {"truth": TRUTH[step](scenes)})).values
    except JudgeError as error:
        return _Graded(read, asked=True, error=error, read=read)
    marks = {name: bool(values[name]) if mark is None else mark for name, mark in read.items()}
    return _Graded(marks, asked=True, read=read)


def _shown(reply: Reply) -> str:
    return (visible(reply.text or "") or "").strip()


def _is_answer(reply: Reply) -> bool:
    """Whether there is anything for a judge to read: not silence, a refusal, or a reply cut off."""
    text = _shown(reply)
    return bool(text) and reply.finish is not Finish.LENGTH and not refuses(text.lower())


def _labelled(name: str, text: str) -> str:
    """A sub-prompt's reply says of which property it is."""
    _, _, about = name.partition("/")
    return f"{about.capitalize()}: {text}" if about else text


def _describe(replies: Mapping[str, Reply], scenes: Scenes) -> Marks:
    said = read_descriptions(_shown(replies[DESCRIBE]))
    return {
        f"{name}_{image}": is_right(getattr(claims, name), getattr(scene, name))
        for image, claims, scene in zip(IMAGES, said, scenes, strict=True)
        for name in VALUES
    }


def _relate(replies: Mapping[str, Reply], scenes: Scenes) -> Marks:
    """From one reply, or from one for each property."""
    truth = relations(scenes)
    if RELATE in replies:
        return grade(read_relations(_shown(replies[RELATE])), truth)
    said = {name: read_relations(_shown(replies[f"{RELATE}/{name}"]), name)[name] for name in VALUES}
    return grade(said, truth)


def _apply(replies: Mapping[str, Reply], scenes: Scenes) -> Marks:
    claims, truth = read_answer(replies[APPLY]).claims, target(scenes)
    return {name: is_right(getattr(claims, name), getattr(truth, name)) for name in VALUES}


MARK: Mapping[str, Callable[[Mapping[str, Reply], Scenes], Marks]] = {
    DESCRIBE: _describe,
    RELATE: _relate,
    APPLY: _apply,
}
"""Step → its marks by the rules alone."""


def _verdict(blank: Score, apply: _Graded, extraction: Extraction) -> Score:
    """Points, and why."""
    right = _all(apply.marks.values())
    if right is None:
        return replace(blank, reason=apply.error.reason if apply.error else "", extraction=extraction)
    told = apply.asked or False in apply.read.values() or extraction.value is not None
    reason = "right" if right else "wrong" if told else extraction.outcome.value
    return replace(blank, points=float(right), reason=reason, extraction=extraction)


def _parts(step: str, marks: Marks) -> dict[str, float]:
    """What is known of a step and of its properties."""
    known: dict[str, float | None]
    if step != DESCRIBE:
        known = {step: _all(marks.values()), **{f"{step}/{name}": marks[name] for name in VALUES}}
    else:
        images = [_all(marks[f"{name}_{image}"] for name in VALUES) for image in IMAGES]
        known = {step: _mean(images), "describe_all": _all(images)}
        known |= {f"{step}/{name}": _mean([marks[f"{name}_{image}"] for image in IMAGES]) for name in VALUES}
    return {name: float(value) for name, value in known.items() if value is not None}


def _all(marks: Iterable[bool | None]) -> bool | None:
    """One wrong decides, whatever is not known."""
    found = set(marks)
    return False if False in found else None if None in found else True


def _mean(marks: Sequence[bool | None]) -> float | None:
    known = [mark for mark in marks if mark is not None]
    return sum(known) / len(known) if len(known) == len(marks) else None


def summarise(scores: Iterable[Score], variant: Variant, expected: Mapping[str, int]) -> Summary:
    """Structures (Figure 7), by how many properties change, and overall over all questions alike, as the paper does.

    `expected`: structure → questions in a whole run.
    """
    return add_up(
        scores,
        replace(variant, size=variant.size or sum(expected.values())),
        title=TITLE,
        tasks={name: TASKS[name] for name in expected},
        categories=CATEGORIES,
        expected=expected,
        average="questions",
        parts=PARTS,
    )

"""Step 4: the picture of the model's own answer, graded by a vision judge: three questions about it, from the truth (section 4, B.12).

`draw` is scored as in the paper's Tables 9 to 11: of all questions, those whose answer (step 3) is right and whose picture shows it.
That the answer must be right is not said there, but in each of their rows no property of the picture scores higher than the whole
answer does (GPT-4o on VOILA-WD: 6.44 % answers, pictures 5.6, 6.1 and 5.6). `picture` asks the same of every picture by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cogsight.shared.chain import spoken
from cogsight.shared.judge.query import NOT_JUDGED, Judge, JudgeError, Query
from cogsight.shared.sample import Picture, Reply, Sample, Score
from cogsight.shared.variants import Variant

from .prompts import DRAW_FROM, STYLES, Question
from .rules import Target
from .samples import scenes_of
from .taxonomy import VALUES, base
from .words import NUMBER_WORDS, noun

DRAW, PICTURE = "draw", "picture"
"""Names in `Score.parts`; by property "draw/number" and so on."""

PARTS: Mapping[str, str] = {
    DRAW: "4 Draw",
    **{f"{DRAW}/{name}": f"Draw: {name}" for name in VALUES},
    PICTURE: "Picture, whatever the answer",
    **{f"{PICTURE}/{name}": f"Picture: {name}" for name in VALUES},
}
"""Their titles."""

NO_IMAGE = "no_image"
"""`Score.reason`: asked for a picture, the model has made none. That is its failure."""

LONGEST = 3_000
"""Characters of an answer that go into a prompt, its end: some text-to-image models take 4,000."""


def questions(target: Target) -> str:
    """What the judge is asked about a picture; of a property that is free, nothing that could be wrong.

    >>> print(questions(Target(2, "senior woman", None)))
    number: Does the picture show exactly two figures (animals or people)?
    subject: Are the figures senior women?
    action: Any action is right: answer yes.
    """
    number, subject, action = target
    asked = {
        "number": number
        and f"Does the picture show exactly {NUMBER_WORDS[number]} figure{'s' * (number > 1)} (animals or people)?",
        "subject": subject and f"Are the figures {noun(subject, None)}?",
        "action": action and f"Are the figures {action}?",
    }
    return "\n".join(f"{name}: {text or f'Any {name} is right: answer yes.'}" for name, text in asked.items())


def query(target: Target, picture: Picture) -> Query:
    """The question to a vision judge."""
    return Query("voila_image", "", {"questions": questions(target)}, pictures=(picture,))


def prompt(sample: Sample, variant: Variant, replies: Sequence[Reply]) -> str:
    """What a text-to-image model is asked for after a dialogue: the answer to its last question. "" where nothing was answered."""
    steps = STYLES[variant.style].asked(Question(scenes_of(sample), base(variant.subset)))
    answer = spoken(dict(zip(steps, replies, strict=False)).get("apply", Reply(None)))
    return DRAW_FROM.format(answer=answer[-LONGEST:]) if answer else ""


def with_picture(found: Score, target: Target, reply: Reply, judge: Judge | None) -> Score:
    """The score of the steps before, `found`, whose points tell whether the answer is right, and of the picture in `reply`."""
    if reply.error is not None:
        if found.points == 0:  # no picture could change that
            return replace(found, parts={**found.parts, **_drawn(dict.fromkeys(VALUES, 0.0), 0.0)})
        return (
            found if found.points is None else replace(found, points=None, reason="request_failed", detail=reply.error)
        )
    if not reply.images:
        return _scored(found, dict.fromkeys(VALUES, 0.0), NO_IMAGE)
    if judge is None:
        return replace(
            found, points=None, reason=NOT_JUDGED, detail="a picture is graded by a vision judge; none is named"
        )
    try:
        values = judge.verdict(query(target, reply.images[-1])).values  # sketches come first
    except JudgeError as error:
        return replace(found, points=None, reason=error.reason, detail=str(error), judged_by=judge.name)
    # Where the truth is "any", nothing can be wrong, whatever the judge says.
    marks = {name: float(value is None or values[name] == 1) for name, value in target._asdict().items()}
    return replace(_scored(found, marks, "right" if all(marks.values()) else "wrong"), judged_by=judge.name)


def _scored(found: Score, marks: Mapping[str, float], reason: str) -> Score:
    """With the picture's marks as parts; without points where those of the answer are not known."""
    by_itself = {PICTURE: min(marks.values()), **{f"{PICTURE}/{name}": mark for name, mark in marks.items()}}
    if found.points is None:
        return replace(found, parts={**found.parts, **by_itself})
    drawn = _drawn(marks, found.points)
    right = found.points == 1
    return replace(
        found, points=drawn[DRAW], reason=reason if right else found.reason, parts={**found.parts, **drawn, **by_itself}
    )


def _drawn(marks: Mapping[str, float], answer: float) -> dict[str, float]:
    return {DRAW: answer * min(marks.values()), **{f"{DRAW}/{name}": answer * mark for name, mark in marks.items()}}

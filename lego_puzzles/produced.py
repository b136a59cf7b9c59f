"""Pictures that a model has made for the generation tasks: how they are graded (paper section 4.3, Table 3).

The paper's five raters give each picture two grades from 0 to 3: appearance (App: is it the same object?) and instruction following
(IF: is it what was asked for?). A question's points here are the mean of the two, over 3; the paper has no such one number, so compare
the two with Table 3, not the points. Until somebody has looked at a picture it is not rated, and has no points: measures against the
true picture (`shared/image_measures`), where there is one, are noted beside, and are no grades.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cogsight.shared.image_measures import MEASURES, measure
from cogsight.shared.judge.query import NOT_RATED, Judge, JudgeError, Query
from cogsight.shared.messages import quoted
from cogsight.shared.pictures import NO_IMAGE, TEXT_ONLY
from cogsight.shared.rating.collecting import Made, what_came_of
from cogsight.shared.sample import Picture, Reply, Sample, Score
from cogsight.shared.scoring import unscored
from cogsight.shared.truth import shown, truth_of
from cogsight.shared.variants import Variant

from .prompts import prompt

RATED = "rated"
"""`Score.reason`: graded by people or by a judge; no picture is right or wrong."""

BEST = 3
"""The highest grade."""
APPEARANCE, INSTRUCTION = GRADES = ("appearance", "instruction")
"""Names in `Score.parts`, as shares of the highest grade; also fields of the judge's verdict."""

PARTS: Mapping[str, str] = {
    APPEARANCE: "Appearance (App), of 3",
    INSTRUCTION: "Instruction following (IF), of 3",
    **MEASURES,
}
"""Name in `Score.parts` → title."""

RATE = "nobody has looked at the picture: have people rate the run (cogsight rate), or name a vision judge"


def score(
    sample: Sample, variant: Variant, replies: Sequence[Reply], judge: Judge | None = None, attempt: int = 0
) -> Score:
    """The grades of the picture in the one reply, by a judge if there is one."""
    reply = replies[0] if replies else Reply(None, error="no reply came back")
    if reply.error is not None:
        reason = NO_IMAGE if reply.error == TEXT_ONLY else "request_failed"
        return unscored(sample, reason, reply.error, attempt)
    blank = unscored(sample, NOT_RATED, RATE, attempt)
    if what_came_of(reply) is Made.NOTHING:
        return replace(with_grades(blank, 0, 0), reason=NO_IMAGE)
    produced = reply.images[-1]  # sketches come first
    true = truth_of(sample)
    found = replace(blank, parts=measure(produced, true) if true else {})
    if judge is None:
        return found
    try:
        values = judge.verdict(query(sample, variant, produced)).values
    except JudgeError as error:
        return replace(found, reason=error.reason, detail=str(error), judged_by=judge.name)
    return replace(with_grades(found, int(values[APPEARANCE]), int(values[INSTRUCTION])), judged_by=judge.name)


def with_grades(found: Score, appearance: float, instruction: float) -> Score:
    """A score with these grades, 0 to 3, which may be means of several raters.

    >>> with_grades(Score("lego_puzzles/official/rotation_image/all/1", 0, None, NOT_RATED), 3, 1.5).points
    0.75
    """
    grades = {APPEARANCE: appearance / BEST, INSTRUCTION: instruction / BEST}
    points = (appearance + instruction) / (2 * BEST)
    return replace(found, points=points, reason=RATED, detail="", parts={**found.parts, **grades})


def query(sample: Sample, variant: Variant, produced: Picture) -> Query:
    """What a vision judge is asked; of official questions nobody has the true picture, and then it is told so."""
    true = truth_of(sample)
    template, known = ("generated_image", (true,)) if true else ("generated_image_alone", ())
    pictures = (*shown(sample), *known, produced)
    return Query(template, "", {"question": quoted(prompt(sample, variant.style))}, pictures=pictures)

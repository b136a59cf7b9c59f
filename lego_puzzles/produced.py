"""Pictures that a model has made for the generation tasks: how they are marked (paper section 4.3, Table 3).

The paper's five raters give each picture two marks from 0 to 3: appearance (App: is it the same object?) and instruction following
(IF: is it what was asked for?); see `shared/rating/marks.py`. Until somebody has looked at a picture it is not rated, and has no points: measures against the
true picture (`shared/image_measures`), where there is one, are noted beside, and are no marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cogsight.shared.image_measures import MEASURES, measure
from cogsight.shared.judge.query import NOT_RATED, Judge, JudgeError, Query
from cogsight.shared.messages import quoted
from cogsight.shared.pictures import BROKEN_IMAGE, NO_IMAGE, TEXT_ONLY
from cogsight.shared.rating.collecting import Made, what_came_of
from cogsight.shared.rating.marks import SCALES, with_marks
from cogsight.shared.sample import Picture, Reply, Sample, Score
from cogsight.shared.scoring import unscored
from cogsight.shared.truth import shown, truth_of
from cogsight.shared.variants import Variant

from .prompts import prompt

PARTS = MEASURES
"""Name in `Score.parts` → title, beside the marks."""

RATE = "nobody has looked at the picture: have people rate the run (cogsight rate, then cogsight score --ratings), or name a vision judge"
BROKEN = "what the model has made for a picture cannot be opened"


def score(
    sample: Sample, variant: Variant, replies: Sequence[Reply], judge: Judge | None = None, attempt: int = 0
) -> Score:
    """The marks of the picture in the one reply, by a judge if there is one; people's come later (`cogsight score --ratings`)."""
    reply = replies[0] if replies else Reply(None, error="no reply came back")
    if reply.error is not None:
        reason = NO_IMAGE if reply.error == TEXT_ONLY else "request_failed"
        return unscored(sample, reason, reply.error, attempt)
    blank = unscored(sample, NOT_RATED, RATE, attempt)
    if what_came_of(reply) is Made.NOTHING:
        reason, why = (BROKEN_IMAGE, BROKEN) if reply.images else (NO_IMAGE, "")
        return replace(with_marks(blank, dict.fromkeys(SCALES, 0)), reason=reason, detail=why)
    if not sample.images:
        raise ValueError(f"{sample.id}: a picture is judged beside those of its question, which are not here")
    produced = reply.images[-1]  # sketches come first
    true = truth_of(sample)
    found = replace(blank, parts=measure(produced, true) if true else {})
    if judge is None:
        return found
    try:
        values = judge.verdict(query(sample, variant, produced)).values
    except JudgeError as error:
        return replace(found, reason=error.reason, detail=str(error), judged_by=judge.name)
    return replace(with_marks(found, {name: int(values[name]) for name in SCALES}), judged_by=judge.name)


def query(sample: Sample, variant: Variant, produced: Picture) -> Query:
    """What a vision judge is asked; of official questions nobody has the true picture, and then it is told so."""
    true = truth_of(sample)
    template, known = ("generated_image", (true,)) if true else ("generated_image_alone", ())
    pictures = (*shown(sample), *known, produced)
    return Query(template, "", {"question": quoted(prompt(sample, variant.style))}, pictures=pictures)

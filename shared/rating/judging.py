"""A vision model as one more rater, under a name that nobody takes for a person's. It is no part of the paper's protocol."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..report.labelling_page import SEEN
from ..sample import RULES, Score
from .collecting import Answered, Made
from .marks import SCALES, TOP
from .protocol import TRUE_PICTURE

PREFIX = "judge: "
"""How the name of a rater begins that is a model."""
ENDING = ".judge.csv"
"""How the name of a file ends that holds a judge's ratings, beside a page."""
COLUMNS = ("id", "annotator", *SCALES.values(), TRUE_PICTURE)
"""Of a judge's ratings, as the page would save them."""


def is_judge(rater: str) -> bool:
    """Whether this rater is a model."""
    return rater.startswith(PREFIX)


def rows(scored: Iterable[tuple[str, Answered, Score]]) -> Iterator[dict[str, str]]:
    """Rows of a ratings file, from the benchmark's own scores: item's id, what it is, and how it was scored with a judge.

    A picture on which there is no verdict is left out; the judge itself tells of it.
    """
    for name, one, score in scored:
        if one.made is Made.PICTURE and score.judged_by != RULES and score.parts.keys() >= SCALES.keys():
            marks = {scale: str(round(TOP * score.parts[part])) for part, scale in SCALES.items()}
            yield {"id": name, "annotator": PREFIX + score.judged_by, **marks, TRUE_PICTURE: SEEN if one.truth else ""}

"""A vision model as one more rater, under a name that nobody takes for a person's. It is no part of the paper's protocol."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..report.labelling_page import SEEN
from ..sample import RULES, Score
from .collecting import Answered, Made
from .protocol import APP, IF, TOP, TRUE_PICTURE

PREFIX = "judge: "
"""How the name of a rater begins that is a model."""
PARTS = {APP.name: "appearance", IF.name: "instruction"}
"""Scale → where a judged score of such a question holds it, as a share of the top mark."""
COLUMNS = ("id", "annotator", *PARTS, TRUE_PICTURE)
"""Of a judge's ratings, as the page would save them."""


def is_judge(rater: str) -> bool:
    """Whether this rater is a model."""
    return rater.startswith(PREFIX)


def rows(scored: Iterable[tuple[str, Answered, Score]]) -> Iterator[dict[str, str]]:
    """Rows of a ratings file, from the benchmark's own scores: item's id, what it is, and how it was scored with a judge.

    A picture on which there is no verdict is left out; the judge itself tells of it.
    """
    for name, one, score in scored:
        if one.made is Made.PICTURE and score.judged_by != RULES and score.parts.keys() >= set(PARTS.values()):
            marks = {scale: str(round(TOP * score.parts[part])) for scale, part in PARTS.items()}
            yield {"id": name, "annotator": PREFIX + score.judged_by, **marks, TRUE_PICTURE: SEEN if one.truth else ""}

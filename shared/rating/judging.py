"""A vision model as one more rater, under a name that nobody takes for a person's. It is no part of the paper's protocol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from ..judge.model import ModelJudge
from ..judge.query import JudgeError, Query
from ..report.labelling_page import SEEN
from .collecting import Answered, Made
from .protocol import APP, IF, TRUE_PICTURE
from .sheet import instruction

PREFIX = "judge: "
"""How the name of a rater begins that is a model."""
TEMPLATE = "generated_image"
FIELDS = {APP.name: "appearance", IF.name: "instruction"}


def is_judge(rater: str) -> bool:
    """Whether this rater is a model."""
    return rater.startswith(PREFIX)


def rows(named: Mapping[str, Answered], judge: ModelJudge) -> Iterator[dict[str, str]]:
    """Rows of a ratings file, for the pictures whose true one is known; each is asked about once, and the verdicts are kept.

    What the judge could not decide is left out, and told by the judge itself.
    """
    queries = {name: _query(one) for name, one in named.items() if one.made is Made.PICTURE and one.truth}
    judge.ask(queries.values())
    for name, query in queries.items():
        with suppress(JudgeError):
            values = judge.verdict(query).values
            marks = {scale: str(values[field]) for scale, field in FIELDS.items()}
            yield {"id": name, "annotator": PREFIX + judge.name, **marks, TRUE_PICTURE: SEEN}


def columns() -> Sequence[str]:
    """Of such a file, as the page writes it."""
    return "id", "annotator", *FIELDS, TRUE_PICTURE


def _query(one: Answered) -> Query:
    text, given = instruction(one.asked)
    truth = (one.truth,) if one.truth else ()
    return Query(TEMPLATE, "", {"question": text}, pictures=(*given, *truth, one.picture))

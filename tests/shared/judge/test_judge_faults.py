"""The faults that users reported of public judges, or that were found in them, from reply to score: none of them may exist here.

Each test names its row in the bug log. Those of choosing a judge (U08, U09, U10) are in `test_endpoint` and with the frameworks.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from functools import partial
from itertools import count
from pathlib import Path

import pytest
import toy
from scripted_judge import endpoint, verdict
from stub_server import Answer, Request, StubServer

from cogsight.shared.judge.asking import score_all
from cogsight.shared.judge.client import PROBE, RIGHT
from cogsight.shared.judge.model import ModelJudge
from cogsight.shared.sample import Reply, Score
from cogsight.shared.scoring import score_single_turn

pytestmark = pytest.mark.usefixtures("quick")
PLAIN, OPEN = "The answer is A.", [f"Hard to say; reply number {n}." for n in range(4)]


def judged(
    script: Callable[[Request], str | Answer], texts: Iterable[str], store: Path
) -> tuple[list[Score], list[Request]]:
    """The scores of these replies to one question whose key is A, and what the judge was asked but for the probe."""
    sample = toy.hue(0)
    assert sample.answer == "A"
    with StubServer(lambda request: verdict(RIGHT) if PROBE.reply in request.text else script(request)) as server:
        judge = ModelJudge(endpoint(server, concurrency=1), store=store)
        scorers = [partial(score_single_turn, sample, toy.VARIANT, [Reply(text)]) for text in texts]
        scores = list(score_all(scorers, judge))
        return scores, [request for request in server.requests if PROBE.reply not in request.text]


@pytest.mark.parametrize("nothing", ["", "null", Answer(None)], ids=["empty", "null", "no content"])
def test_c05_c10_without_a_verdict_there_is_no_random_option_and_not_the_one_before(
    nothing: str | Answer, tmp_path: Path
) -> None:
    state = random.getstate()
    scores, _ = judged(
        lambda request: nothing if OPEN[1] in request.text else verdict("A"), OPEN, tmp_path / "s.sqlite"
    )
    assert random.getstate() == state
    assert [score.points for score in scores] == [1.0, None, 1.0, 1.0], "neither a zero nor its neighbour's"
    assert [score.reason for score in scores] == ["right", "judge_unreadable", "right", "right"]


def test_u20_u26_a_judge_that_changes_its_mind_gives_the_same_scores_again(tmp_path: Path) -> None:
    calls = count()
    texts, store = [PLAIN, *OPEN], tmp_path / "s.sqlite"
    first, requests = judged(lambda request: verdict("AB"[next(calls) % 2]), texts, store)
    assert {score.points for score in first} == {0.0, 1.0}
    assert not [request for request in requests if PLAIN in request.text], "what rules read, no judge is asked"
    assert {request.body["temperature"] for request in requests} == {0}
    again, more = judged(lambda request: verdict("B"), texts, store)
    assert (again, more) == (first, [])

"""How MME-CC scores: rules, the judge where they end, partial credit, and the paper's averages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest
from fake_mme_cc import write_release
from judge_prompt import take_apart
from scripted_judge import endpoint
from stub_server import Answer, Request, StubServer

from cogsight.mme_cc import scoring
from cogsight.mme_cc.benchmark import BENCHMARK, VARIANTS
from cogsight.mme_cc.generate import GENERATORS, VERSIONS
from cogsight.mme_cc.official import read_release
from cogsight.mme_cc.scoring import PARTIAL, published, right_answer
from cogsight.mme_cc.taxonomy import CATEGORIES, TASKS
from cogsight.shared.build import generate_samples
from cogsight.shared.extraction.forms import kind_of
from cogsight.shared.frameworks.scoring import Attempt, score_all
from cogsight.shared.judge import client
from cogsight.shared.judge.client import PROBE, RIGHT
from cogsight.shared.judge.model import ModelJudge
from cogsight.shared.judge.query import Verdict
from cogsight.shared.sample import Reply, Sample, Score
from cogsight.shared.summary import Summary
from cogsight.shared.table import plain

FULL = VARIANTS[0]
RUBRIC = "Only the very words of the reference count."


def sample(task: str, reference: str, n: int = 1, rubric: str = RUBRIC) -> Sample:
    kind = TASKS[task]
    metadata = json.dumps({"rubric": rubric})
    return Sample(
        f"mme_cc/official/{task}/all/{n}",
        task,
        kind.category,
        "all",
        (),
        f"Question {n}?",
        {},
        reference,
        kind.answer_type,
        metadata=metadata,
    )


def by_rules(task: str, reference: str, reply: str) -> Score:
    return scoring.score(sample(task, reference), FULL, [Reply(reply)])


# --- rules


@pytest.mark.parametrize(
    ("task", "reference", "reply", "share"),
    [
        ("maze", "3, 5, 7, 9", "3, 5, 7, 9", 1),
        ("maze", "3, 5, 7, 9", "3, 5, 9, 7", 1 / 2),
        ("maze", "3, 5, 7, 9", "3, 5, 7", 3 / 4),
        ("maze", "3, 5, 7, 9", "3, 5, 7, 9, 1, 1, 1, 1", 1 / 2),
        ("jigsaw_puzzle", "A-2, B-3, C-1", "A-2, B-1, C-3", 1 / 3),
        ("jigsaw_puzzle", "A-2, B-3, C-1", "A-2, B-3, C-1, D-4", 3 / 4),
        ("satellite_image_matching", "Picture 1: B, Picture 2: E", "B, F", 1 / 2),
        ("indoor_deduplication_counting", "chairs: 5, pots: 3", "pots: 3, chairs: 6", 1 / 2),
        ("unblock_me", "Minimum: 2. Moves: A up 1, X right 2", "Minimum: 2. Moves: B up 1, X right 2", 1 / 2),
        ("unblock_me", "Minimum: 2. Moves: A up 1, X right 2", "3 moves: A up 1, B up 1, X right 2", 0),
        ("chart_modification", "Test | a | b\nx | 1 | 2\ny | 3 | 4", "Test | a | b\nx | 1 | 2\ny | 4 | 3", 2 / 3),
        ("sandbagging", "1: not 8\n2: red\n3: not 2\n4: not green", "1: 8\n2: red\n3: 5\n4: green", 1 / 2),
        ("gomoku_variation", "H8 or G7", "H7", 0),
        ("indoor_directional_reasoning", "East", "South-east", 0),
    ],
)
def test_partial_credit_stands_beside_the_strict_score(task: str, reference: str, reply: str, share: float) -> None:
    found = by_rules(task, reference, reply)
    assert (found.points, found.parts) == (float(share == 1), {PARTIAL: pytest.approx(share)})


@pytest.mark.parametrize(
    ("task", "reference"),
    [
        ("maze", "There is no digit on the way."),
        ("maze", "3, 5 or 5, 3"),
        ("gomoku_variation", "H8, G7"),
        ("gomoku_variation", "Black cannot win."),
        ("indoor_deduplication_counting", "five or six chairs"),
        ("unblock_me", "5 moves"),
        ("jigsaw_puzzle", "The first piece is on the left."),
        ("jigsaw_puzzle", "A-1, A-2"),
        ("chart_modification", "Total: 95"),
        ("sandbagging", "1: not 8\n2: red\n3: 2\n4: not green"),
        ("sandbagging", "1: not 8\n2: not red\n3: not 2\n4: not green"),
    ],
)
def test_a_reference_of_another_form_is_free_text(task: str, reference: str) -> None:
    """Rules know only its very words; all else is not judged, which is not the model's fault."""
    with pytest.raises(ValueError, match="key"):
        kind_of(TASKS[task].answer_type, reference)
    assert by_rules(task, reference, reference).reason == "right"
    other = by_rules(task, reference, "3, 5")
    assert (other.points, other.reason, other.parts) == (None, "not_judged", {})
    assert "a judge must" in other.detail


def test_what_has_no_form_is_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_release(tmp_path, per_subtask=1) / "Maze10.json"
    (record,) = json.loads(path.read_text())
    record["ground_truth"]["answer"] = "## The correct answer is: none\n## Scoring criteria: say so"
    path.write_text(json.dumps([record]))
    (maze,) = [own for own in read_release(tmp_path, allow_changed=True) if own.id.endswith("maze/10/1")]
    assert "Maze10.json, record 1: the answer is not read as numbers" in capsys.readouterr().err
    assert scoring.kind(maze)[0].name == "text"


def test_a_part_that_may_be_told_in_unknown_words_is_not_held_against_the_reply() -> None:
    reply = "Piece A belongs in square 2, and the one with the door where the wall has its gap."
    assert by_rules("jigsaw_puzzle", "A-2, B-3", reply).reason == "not_judged"
    assert by_rules("jigsaw_puzzle", "A-2, B-3", "A-2").reason == "wrong"


@pytest.mark.parametrize("task", TASKS)
def test_generated_questions_need_no_judge(task: str) -> None:
    """What is right scores, in the words of a chatty model, too; what answers nothing does not, and both are sure."""
    made = generate_samples([GENERATORS[task]], benchmark="mme_cc", versions=VERSIONS, seed=3, num_samples=4)
    for own in made:
        for form in ("{}", "The answer is {}.", "First I looked closely.\n\n**Final answer:** {}"):
            found = scoring.score(own, FULL, [Reply(form.format(right_answer(own)))])
            assert (found.points, found.parts) == (1.0, {PARTIAL: 1.0}), (own.answer, found)
        for reply, reason in (("No idea at all.", "unparsed"), ("", "empty")):
            found = scoring.score(own, FULL, [Reply(reply)])
            assert (found.points, found.reason) == (0.0, reason), (own.answer, found)


# --- averages


def run_of(points: Mapping[str, list[float | None]]) -> Summary:
    scores = [
        Score(f"mme_cc/official/{task}/all/{n}", 0, value, "right" if value else "wrong", task, TASKS[task].category)
        for task, values in points.items()
        for n, value in enumerate(values)
    ]
    return scoring.summarise(scores, FULL, {task: len(points[task]) for task in points})


@pytest.mark.parametrize("row", published()["rows"], ids=lambda row: row["model"])
def test_the_papers_overall_from_its_categories(row: dict) -> None:
    """Through the code that averages: each subtask gets its category's published score."""
    of_category = dict(zip(published()["categories"], row["scores"], strict=True))
    summary = run_of({name: [of_category[task.category] / 100] * 2 for name, task in TASKS.items()})
    assert 100 * (summary.headline or 0) == pytest.approx(row["overall"], abs=0.01)
    assert [100 * (r.low or 0) for r in summary.rows if r.scope == "category"] == pytest.approx(row["scores"])


def test_subtasks_count_alike_in_a_category_and_categories_alike_overall() -> None:
    """Maze has twice the questions of the others: pooled, it is one subtask of five."""
    points: dict[str, list[float | None]] = {name: [0.0, 0.0] for name in TASKS}
    points |= {"maze": [1.0, 1.0, 0.0, 0.0], "sandbagging": [1.0, 1.0]}
    summary = run_of(points)
    assert summary.headline == pytest.approx((0 + 0.5 / 5 + 1 / 3) / 3)
    assert summary.averages == pytest.approx(
        {"questions": 4 / 24, "tasks": 1.5 / 11, "categories": (0.5 / 5 + 1 / 3) / 3}
    )
    assert "overall would be 16.7 (mean over all questions alike) and 13.6 (mean of the tasks)" in plain(summary)


def test_a_run_by_rules_alone_has_no_number_to_quote() -> None:
    scores = [by_rules("finding_wrong_answer", "They are late.", reply) for reply in ("They are late.", "Too late!")]
    scores[1] = scoring.replace(scores[1], sample_id="mme_cc/official/finding_wrong_answer/all/2")
    summary = scoring.summarise(scores, FULL, {"finding_wrong_answer": 2})
    assert (summary.headline, summary.overall.unjudged) == (None, 1)
    assert "INCOMPLETE, no score. not judged: 1" in plain(summary)
    ((part,),) = [summary.parts]
    assert (part.name, part.n, part.missing, part.mean) == (PARTIAL, 1, 1, 1.0)


# --- the judge


def verdict(request: Request) -> str:
    """By the rubric alone, where it is shown; of moves, by what the reply claims."""
    blocks = dict(take_apart(request.text).blocks)
    if "ANSWER" in blocks and blocks["ANSWER"] == PROBE.reply:
        return json.dumps({"reason": "it says so", "answer": RIGHT})
    if "set of blocks" in request.text or "which blocks have to move" in request.text:
        answer = blocks["ANSWER"]
        return json.dumps({"reason": "seen", "steps": int("three" in answer), "blocks": int("all of them" in answer)})
    return json.dumps({"reason": "seen", "correct": int(blocks["RUBRIC"] == RUBRIC and "late" in blocks["ANSWER"])})


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., tuple[ModelJudge, StubServer]]]:
    """Makes a judge with a server that says what a script says."""
    monkeypatch.setattr(client, "WAITS", (0.01,))
    monkeypatch.setattr(client, "PROBE_WAITS", (0.01,))
    servers = []

    def make(script: Callable[[Request], str | Answer] = verdict) -> tuple[ModelJudge, StubServer]:
        servers.append(StubServer(script).__enter__())
        return ModelJudge(endpoint(servers[-1]), store=tmp_path / "judgements.sqlite"), servers[-1]

    yield make
    for server in servers:
        server.__exit__(None, None, None)


FREE = "They come too late."
MOVES = "Minimum number of moves: 3. Moves: A up 1, B up 1, X right 2"
ATTEMPTS = MappingProxyType(
    {
        "right by rules": Attempt(sample("maze", "3, 5, 7", 1), [Reply("3, 5, 7")]),
        "wrong by rules": Attempt(sample("maze", "3, 5, 7", 2), [Reply("3, 5, 9")]),
        "right by the judge": Attempt(sample("counterfactual_instruction", FREE, 3), [Reply("Everybody is late.")]),
        "wrong by the judge": Attempt(sample("counterfactual_instruction", FREE, 4), [Reply("Everybody is there.")]),
        "unread form": Attempt(sample("maze", "3, 5, 7", 5), [Reply("I meet them late: an odd prime, then others.")]),
        "silence": Attempt(sample("maze", "3, 5, 7", 6), [Reply("")]),
        "refused": Attempt(sample("maze", "3, 5, 7", 7), [Reply("I'm sorry, I cannot see any image.")]),
        "moves": Attempt(sample("unblock_me", MOVES, 8), [Reply("It takes three, and all of them move.")]),
        "half": Attempt(sample("unblock_me", MOVES, 9), [Reply("It takes three, and only the red one moves.")]),
        "other rubric": Attempt(sample("finding_wrong_answer", FREE, 10, "Be kind."), [Reply("Always late.")]),
    }
)


def test_the_judge_decides_what_rules_cannot(judged: Callable[..., tuple[ModelJudge, StubServer]]) -> None:
    judge, server = judged()
    found = dict(zip(ATTEMPTS, score_all(BENCHMARK, FULL, ATTEMPTS.values(), judge), strict=True))
    assert {name: (score.points, score.reason, score.parts.get(PARTIAL)) for name, score in found.items()} == {
        "right by rules": (1.0, "right", 1.0),
        "wrong by rules": (0.0, "wrong", pytest.approx(2 / 3)),
        "right by the judge": (1.0, "right", 1.0),
        "wrong by the judge": (0.0, "wrong", 0.0),
        "unread form": (1.0, "right", 1.0),
        "silence": (0.0, "empty", 0.0),
        "refused": (0.0, "refused", 0.0),
        "moves": (1.0, "right", 1.0),
        "half": (0.0, "wrong", 0.5),
        "other rubric": (0.0, "wrong", 0.0),
    }
    asked = [name for name, score in found.items() if score.judgement]
    assert asked == ["right by the judge", "wrong by the judge", "unread form", "moves", "half", "other rubric"]
    assert {found[name].judged_by for name in asked} == {judge.name}
    queries = [request for request in server.requests if PROBE.reply not in request.text]
    assert len(queries) == len(asked), "one request for each, and none for the others"


def test_what_the_judge_is_shown(judged: Callable[..., tuple[ModelJudge, StubServer]]) -> None:
    judge, server = judged()
    thought = Attempt(sample("counterfactual_instruction", FREE), [Reply("<think>Hm.</think>Everybody is late.")])
    score_all(BENCHMARK, FULL, [thought, ATTEMPTS["moves"]], judge)
    shown = [take_apart(r.text) for r in server.requests if PROBE.reply not in r.text]
    blocks = {dict(prompt.blocks)["REFERENCE"]: dict(prompt.blocks) for prompt in shown}
    assert blocks[FREE] == {
        "QUESTION": "Question 1?",
        "REFERENCE": FREE,
        "RUBRIC": RUBRIC,
        "ANSWER": "Everybody is late.",
    }
    assert blocks[MOVES]["RUBRIC"] == RUBRIC
    (moves,) = [prompt.rest for prompt in shown if dict(prompt.blocks)["REFERENCE"] == MOVES]
    assert '"steps"' in moves and '"blocks"' in moves and '"correct"' not in moves


@pytest.mark.parametrize(
    ("script", "reason"),
    [(lambda request: Answer("out of order", status=401), "not_judged"), (lambda request: "no verdict", None)],
)
def test_a_judge_that_is_down_leaves_it_open(
    script: Callable[[Request], str | Answer],
    reason: str | None,
    judged: Callable[..., tuple[ModelJudge, StubServer]],
) -> None:
    judge, _ = judged(script)
    found = dict(zip(ATTEMPTS, score_all(BENCHMARK, FULL, ATTEMPTS.values(), judge), strict=True))
    open_ = ["right by the judge", "wrong by the judge", "unread form", "moves", "half", "other rubric"]
    for name, score in found.items():
        assert (score.points is None) == (name in open_), name
        if name in open_:
            assert score.reason in ({reason} if reason else {"not_judged", "judge_unreadable"})
            assert (score.parts, score.judged_by) == ({}, judge.name)
            assert score.detail


class Says:
    """A judge with one verdict for all."""

    name = "says"

    def __init__(self, **values: int) -> None:
        self.values = values

    def verdict(self, query: object) -> Verdict:
        return Verdict({"reason": "so", **self.values})


@pytest.mark.parametrize(
    ("values", "points", "share"), [((1, 1), 1.0, 1.0), ((1, 0), 0.0, 0.5), ((0, 1), 0.0, 0.5), ((0, 0), 0.0, 0.0)]
)
def test_unblock_me_needs_both(values: tuple[int, int], points: float, share: float) -> None:
    """Appendix C: the minimum step count and the set of blocks."""
    judge = Says(steps=values[0], blocks=values[1])
    found = scoring.score(ATTEMPTS["moves"].sample, FULL, ATTEMPTS["moves"].replies, judge)
    assert (found.points, found.parts) == (points, {PARTIAL: share})


def test_categories_have_their_titles() -> None:
    rows = run_of({name: [1.0] for name in TASKS}).rows
    assert [row.title for row in rows if row.scope == "category"] == list(CATEGORIES.values())

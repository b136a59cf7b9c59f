"""`cogsight score` with a judge: what it asks, keeps, writes and tells; and what has changed against the log, with its cause."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import chatty
import pytest
import toy
from stub_server import StubServer
from typer.testing import CliRunner

from cogsight.shared import cli
from cogsight.shared.commands.changes import Case, cause, changes, told
from cogsight.shared.frameworks import judges, log_record
from cogsight.shared.frameworks.logs import LoggedRun
from cogsight.shared.frameworks.scoring import Attempt, score
from cogsight.shared.judge import client, prompts
from cogsight.shared.results import open_run
from cogsight.shared.sample import Extraction, Judgement, Outcome, Reply, Score
from cogsight.shared.scoring import score_single_turn

BENCHMARK = toy.made(score=score_single_turn)
REPLIES = [Reply("A"), Reply(chatty.reply(1)), Reply(chatty.reply(2)), Reply(chatty.reply(3))]
ANSWERS = {1: "A", 2: "CBA", 3: "ABC"}
NAME = "m_toy_procedural"


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    chatty.forget(monkeypatch)
    monkeypatch.setattr(client, "PROBE_WAITS", (0.01,))
    with toy.alone(monkeypatch, tmp_path / "cache", BENCHMARK):
        yield


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[StubServer]:
    with chatty.judge(ANSWERS) as found:
        monkeypatch.setenv("COGSIGHT_JUDGE_API_KEY", chatty.KEY)
        yield found


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """As lmms-eval leaves it after a run by rules alone: one of four is right."""
    about = {
        "variant": "toy_procedural",
        "view": "images",
        "versions": {"framework": "lmms_eval 0.7.3", "judge": "none"},
    }
    lines = [
        json.dumps({"cogsight": log_record(score(BENCHMARK, toy.VARIANT, Attempt(sample, [reply])), reply) | about})
        for sample, reply in zip(toy.SAMPLES, REPLIES, strict=True)
    ]
    path = tmp_path / "logs" / "20260101_000000_samples_toy_procedural.jsonl"
    path.parent.mkdir()
    path.write_text("\n".join(lines) + "\n")
    results = {"results": {"toy_procedural": {"accuracy,none": 25.0}}, "config": {}, "model_name": "m"}
    path.with_name("20260101_000000_results.json").write_text(json.dumps(results))
    return path


def run(*arguments: object) -> tuple[int, str]:
    """Exit code, and all that was printed."""
    result = CliRunner().invoke(cli.app, ["score", *map(str, arguments)], prog_name="cogsight")
    return result.exit_code, result.output


def asking(server: StubServer, log: Path, *more: object) -> tuple[int, str]:
    out = log.parents[1] / "out"
    return run(log, "--judge", chatty.MODEL, "--judge-base-url", server.url, "--out", out, *more)


def lines(log: Path, name: str) -> list[dict[str, Any]]:
    path = log.parents[1] / "out" / NAME / name
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_judge_reads_what_rules_cannot(log: Path, server: StubServer) -> None:
    code, shown = asking(server, log)
    assert code == 0
    assert f"Toy (toy_procedural, judge {chatty.MODEL}): 75.0 %" in shown
    assert f"{NAME}: 75.0 %" in shown.splitlines()
    assert "the framework printed 25.00 %, this is 75.00 %: they differ" in shown
    assert "against the log's own verdicts: 3 of 4 changed\n  3 because of the judge: none → grader:" in shown
    assert f"    {toy.SAMPLES[1].id}: unparsed → right (A)" in shown
    folder = open_run(log.parents[1] / "out" / NAME)
    assert folder.info.judge == {
        "judge": chatty.MODEL,
        "judge served by": chatty.SERVED,
        "judge prompt": "extract_option-1.1, extract_sequence-1.1",
        "votes": "1",
        "host": server.url.split("/")[2],
    }
    assert [found.judged_by for found in folder.scores()] == ["rules", *[chatty.MODEL] * 3]
    assert [found.judgement and found.judgement.explanation for found in folder.scores()] == [None, *[chatty.SAID] * 3]
    assert [line["reason"] for line in lines(log, "samples.jsonl")] == ["right", "right", "right", "wrong"]
    assert [line["reply"] for line in lines(log, "samples.jsonl")] == [reply.text for reply in REPLIES]
    assert {line["cause"] for line in lines(log, "changes.jsonl")} == {"the judge: none → grader"}


def test_again_it_asks_nothing(log: Path, server: StubServer) -> None:
    asking(server, log)
    before = len(server.requests)
    assert asking(server, log)[0] == 0
    assert len(server.requests) == before


def test_asked_to_it_asks_again(log: Path, server: StubServer) -> None:
    asking(server, log)
    asking(server, log, "--rejudge")
    assert chatty.judged(server) == [1, 1, 2, 2, 3, 3]


def test_other_prompts_ask_the_judge_and_not_the_model(
    log: Path, server: StubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking(server, log)
    template = replace(prompts.TEMPLATES["extract_option"], version="7")
    monkeypatch.setitem(prompts.TEMPLATES, "extract_option", template)  # type: ignore[arg-type]
    assert "judge prompt extract_option-7.1, extract_sequence-1.1" in asking(server, log)[1]
    assert chatty.judged(server) == [1, 1, 2, 3]


def test_no_key_is_anywhere(log: Path, server: StubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    _, by_variable = asking(server, log)
    monkeypatch.delenv("COGSIGHT_JUDGE_API_KEY")
    _, by_option = asking(server, log, "--judge-key", chatty.KEY, "--rejudge")
    assert {request.headers["authorization"] for request in server.requests} == {f"Bearer {chatty.KEY}"}
    files = (path for path in log.parents[1].rglob("*") if path.is_file())
    assert chatty.KEY.encode() not in b"".join(path.read_bytes() for path in files) + (by_variable + by_option).encode()


def test_a_judge_that_is_gone_leaves_the_rest_for_later(log: Path, server: StubServer) -> None:
    with chatty.judge(ANSWERS) as gone:
        pass
    code, shown = asking(gone, log)
    assert code == 1
    assert f"{NAME}: not complete: not judged: 3" in shown.splitlines()
    assert "Not judged: cogsight score LOG --out DIR" in shown
    assert "3 because of the judge: no verdict now" in shown
    assert [line["reason"] for line in lines(log, "samples.jsonl")] == ["right", *["not_judged"] * 3]
    code, shown = asking(server, log)
    assert (code, chatty.judged(server)) == (0, [1, 2, 3])
    assert "not judged" not in shown


def test_none_is_none_whatever_the_environment_says(
    log: Path, server: StubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    chatty.name(monkeypatch, server.url)
    out = log.parents[1] / "out"
    code, shown = run(log, "--judge", "none", "--out", out)
    assert (code, server.requests) == (0, [])
    assert "3 replies stay unread: no judge is named" in shown and "0 of 4 changed" in shown
    assert open_run(out / NAME).info.judge == {"judge": "none"}
    assert run(log, "--out", out)[0] == 0
    assert len(chatty.judged(server)) == 3, "without it, the environment decides; the folder's run goes on"


def test_votes_and_how_far_they_agree(log: Path, server: StubServer) -> None:
    by_seed = iter(range(10**6))
    usual = server.script

    def wavering(request: Any) -> Any:
        answer = usual(request)
        if chatty.number(request.text) == 1 and next(by_seed) == 0:
            return json.dumps({"reason": "", "answer": "B"})
        return answer

    server.script = wavering
    code, shown = asking(server, log, "--votes", "3", "--concurrency", "1")
    assert (code, len(chatty.judged(server)), server.most_at_once) == (0, 9, 1)
    assert "Each reply got 3 votes of the judge, which are unanimous on 66.7 % of those that it decided." in shown
    assert [line["judgement"] and round(line["judgement"]["agreement"], 2) for line in lines(log, "samples.jsonl")] == [
        None,
        0.67,
        1.0,
        1.0,
    ]


def test_a_judge_that_cannot_be_used_is_told_and_nothing_is_written(log: Path) -> None:
    code, shown = run(log, "--judge", "gpt-4o", "--out", log.parents[1] / "out")
    assert (code, shown.count("\n")) == (1, 1)
    assert "COGSIGHT_JUDGE_API_KEY" in shown and not (log.parents[1] / "out").exists()
    assert "--votes 2: expected an odd number" in run(log, "--votes", "2", "--out", "out")[1]


def test_a_dry_run_says_what_it_would_take(log: Path, server: StubServer) -> None:
    code, shown = asking(server, log, "--dry-run")
    assert (code, server.requests) == (0, [])
    assert f"to ask {chatty.MODEL} at {server.url.split('/')[2]}" in shown
    rows = {line.split()[0]: line.split()[1] for line in shown.splitlines() if line.startswith(("extract", "all"))}
    assert rows == {"extract_option": "1", "extract_sequence": "2", "all": "3"}
    assert not (log.parents[1] / "out").exists()
    assert not list((log.parents[1] / "cache").glob("judgements*"))
    asking(server, log)
    assert "extract_option        0       1" in asking(server, log, "--dry-run")[1], (
        "verdicts that are kept cost nothing"
    )


def test_a_dry_run_without_a_judge(log: Path) -> None:
    code, shown = run(log, "--dry-run", "--out", "out")
    assert (code, "no judge is named, so nothing would be asked" in shown) == (1, True)


def test_batch_takes_the_other_way(log: Path, server: StubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Path] = []

    def batches(store: Path, hours: float) -> Any:
        def transport(endpoint: Any, units: Sequence[Any], keep: Any) -> Iterator[None]:
            made.append(store)
            yield from ()

        return transport

    monkeypatch.setattr(judges, "Batches", batches)
    assert asking(server, log, "--batch")[0] == 1
    assert set(made) == {log.parents[1] / "cache" / "judgements.sqlite"} and not server.requests


# --- what has changed, and why

RIGHT = Score("q", 0, 1.0, "right", extraction=Extraction("A", Outcome.PARSED, "boxed"))
WRONG = replace(RIGHT, points=0.0, reason="wrong", extraction=Extraction("B", Outcome.PARSED, "boxed"))
UNREAD = replace(RIGHT, points=0.0, reason="unparsed", extraction=Extraction(None, Outcome.UNPARSED))
OPEN = replace(UNREAD, points=None, reason="not_judged", judged_by="j")
JUDGED = replace(RIGHT, judged_by="j", judgement=Judgement(("p-1",), "j", 1, 1.0, ""))
MISJUDGED = replace(WRONG, judged_by="j", judgement=Judgement(("p-2",), "j", 1, 1.0, ""))
BROKEN = replace(RIGHT, points=None, reason="scorer_failed", extraction=None)
RULES, J, K = (
    {"judge": name, "extraction": "1", "benchmark": "1-A", "cogsight": "0.1.0"} for name in ("none", "j", "k")
)


@pytest.mark.parametrize(
    ("before", "after", "then", "now", "expected"),
    [
        (UNREAD, JUDGED, RULES, J, "the judge: none → j"),
        (JUDGED, UNREAD, J, RULES, "the judge: j → none"),
        (JUDGED, replace(MISJUDGED, judged_by="k"), J, K, "the judge: j → k"),
        (OPEN, JUDGED, J, J, "the judge: no verdict then"),
        (JUDGED, OPEN, J, J, "the judge: no verdict now"),
        (JUDGED, replace(OPEN, reason="judge_unreadable"), J, J, "the judge: no verdict now"),
        (JUDGED, MISJUDGED, J, J, "the judge, which says something else: prompt p-1 → p-2"),
        (UNREAD, RIGHT, RULES, RULES | {"extraction": "2"}, "the extraction: extraction 1 → 2"),
        (UNREAD, RIGHT, J, J | {"cogsight": "0.2.0"}, "the extraction: cogsight 0.1.0 → 0.2.0"),
        (WRONG, RIGHT, RULES, RULES, "the extraction"),
        (WRONG, JUDGED, J, J | {"extraction": "2"}, "the extraction: extraction 1 → 2"),
        (replace(RIGHT, points=0.0, reason="wrong"), RIGHT, RULES, RULES | {"benchmark": "2-A"}, "the key, or how it is scored: benchmark 1-A → 2-A"),
        (BROKEN, RIGHT, RULES, RULES, "a reply that could not be scored then"),
        (RIGHT, BROKEN, RULES, RULES, "a reply that cannot be scored now"),
    ],
)  # fmt: skip
def test_causes(before: Score, after: Score, then: Mapping[str, str], now: Mapping[str, str], expected: str) -> None:
    logged = json.loads(json.dumps(log_record(before, Reply("text"))))
    assert cause(Case(logged, after, "text", then, now)) == expected


def test_another_reply_in_the_log() -> None:
    assert cause(Case(log_record(RIGHT, Reply("A")), WRONG, "B", RULES, RULES)).startswith("another reply")


def logged_run(verdicts: Mapping[tuple[str, int], Mapping[str, Any]]) -> LoggedRun:
    replies = {("q", attempt): (Reply("text"),) for attempt in range(5)}
    return LoggedRun(Path("log"), RULES, "m", "", "toy", "images", replies, verdicts, None, "")


def test_only_what_the_log_knows_is_compared() -> None:
    scores = [replace(RIGHT, attempt=attempt) for attempt in range(5)]
    log = logged_run({("q", attempt): log_record(UNREAD, Reply("text")) for attempt in range(4)})
    found = changes(log, scores, RULES)
    assert [(change.id, change.attempt, change.before, change.after) for change in found] == [
        ("q", attempt, "unparsed", "right (A)") for attempt in range(4)
    ]
    assert list(told(log, scores, found)) == [
        "against the log's own verdicts: 4 of 4 changed; 1 are new",
        "  4 because of the extraction:",
        *["    q: unparsed → right (A)"] * 3,
        "    … 1 more in changes.jsonl",
    ]
    assert list(told(logged_run({}), scores, [])) == ["the log holds no verdicts to compare with"]


def test_the_same_verdict_by_another_way_is_no_change() -> None:
    log = logged_run({("q", 0): log_record(JUDGED, Reply("text"))})
    assert changes(log, [RIGHT], RULES) == []

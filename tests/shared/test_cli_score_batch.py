"""`cogsight score` with --batch and --dry-run: one batch for all logs; an estimate for which nothing is asked and no key is needed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import toy
from batch_stub import BatchStub, Outcome
from typer.testing import CliRunner

from cogsight.shared import cli
from cogsight.shared.frameworks import log_record
from cogsight.shared.sample import Reply
from cogsight.shared.scoring import score_single_turn

UNREAD = "Hard to say, but the warm one wins in picture {0}."


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[BatchStub]:
    judged = toy.made(score=score_single_turn)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "COGSIGHT_JUDGE_MODEL", "COGSIGHT_JUDGE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with BatchStub() as stub, toy.alone(monkeypatch, tmp_path / "cache", judged):
        monkeypatch.setenv("COGSIGHT_JUDGE_BASE_URL", stub.url)
        yield stub


def run(*arguments: object) -> tuple[int, str, str]:
    """Exit code, stdout, stderr."""
    result = CliRunner().invoke(cli.app, ["score", *map(str, arguments)], prog_name="cogsight")
    return result.exit_code, result.stdout, result.stderr


def log(folder: Path, model: str) -> Path:
    """As lmms-eval writes it: two replies to options that rules cannot read, two orders that they can."""
    folder.mkdir(parents=True, exist_ok=True)
    about = {"variant": "toy_procedural", "view": "images", "versions": {"framework": "lmms_eval 0.7.3"}}
    texts = [f"{UNREAD.format(n)} {model}" for n in range(2)] + ["CBA", "CBA"]
    lines = []
    for sample, text in zip(toy.SAMPLES, texts, strict=True):
        score = score_single_turn(sample, toy.VARIANT, [Reply(text)])
        lines.append(json.dumps({"doc_id": 0, "cogsight": log_record(score, Reply(text)) | about}))
    path = folder / "20260101_000000_samples_toy_procedural.jsonl"
    path.write_text("\n".join(lines) + "\n")
    config = {"model": "openai", "model_args": f"model={model}"}
    (folder / "20260101_000000_results.json").write_text(json.dumps({"config": config, "model_name": model}))
    return path


def test_all_logs_go_into_one_batch(server: BatchStub, tmp_path: Path) -> None:
    server.outcome = lambda made: Outcome([server.line(e, '{"reason": "r", "answer": "A"}') for e in made.requests])
    logs = [log(tmp_path / model, model) for model in ("first", "second")]
    code, said, notices = run(*logs, "--judge", "m", "--batch", "--out", tmp_path / "out")
    assert code == 0, notices
    assert said.count("100.0 %") >= 2
    assert [len(entries) for entries in server.uploads.values()] == [4]
    code, _, _ = run(*logs, "--judge", "m", "--batch", "--out", tmp_path / "out")
    assert code == 0
    assert len(server.batches) == 1, "verdicts are kept"


def test_the_time_limit_leaves_the_rest_unjudged_and_a_second_run_goes_on(server: BatchStub, tmp_path: Path) -> None:
    server.looks = 10_000
    one = log(tmp_path / "log", "m")
    code, said, notices = run(one, "--judge", "m", "--batch", "--batch-hours", 0, "--out", tmp_path / "out")
    assert code == 1 and "not complete" in said and "run this again" in notices
    server.looks = 1
    code, _, notices = run(one, "--judge", "m", "--batch", "--out", tmp_path / "out")
    assert code == 0, notices
    assert len(server.batches) == 1


@pytest.mark.parametrize("more", [[], ["--batch"]])
def test_a_dry_run_asks_nothing_writes_nothing_and_needs_no_key(
    server: BatchStub, tmp_path: Path, more: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = log(tmp_path / "log", "m")
    run(one, "--judge", "none", "--out", tmp_path / "rules")  # builds the questions
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    monkeypatch.delenv("COGSIGHT_JUDGE_BASE_URL")
    code, said, notices = run(
        one, "--judge", "gpt-4o-2024-08-06", "--votes", 3, "--dry-run", *more, "--out", tmp_path / "out"
    )
    assert code == 0, notices
    row = next(line.split() for line in said.splitlines() if line.startswith("extract_option"))
    assert row[1:3] == ["6", "0"] and "$0.01" in row
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()} == before
    assert not (tmp_path / "out").exists()
    assert not server.log


def test_a_dry_run_counts_what_is_kept(server: BatchStub, tmp_path: Path) -> None:
    one = log(tmp_path / "log", "m")
    run(one, "--judge", "m", "--batch", "--out", tmp_path / "out")
    asked = len(server.log)
    _, said, _ = run(one, "--judge", "m", "--dry-run", "--out", tmp_path / "out")
    row = next(line.split() for line in said.splitlines() if line.startswith("extract_option"))
    assert row == ["extract_option", "0", "2", "0", "0", "unknown", "unknown"]
    assert "COGSIGHT_PRICES" in said
    assert len(server.log) == asked

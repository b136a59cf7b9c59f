"""A judge in runs of lmms-eval's own command: LEGO-Puzzles, a model that chats, and then `cogsight score` on the logs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import chatty
import fake_lego
import pytest
from stub_server import StubServer
from typer.testing import CliRunner

from cogsight.lego_puzzles.official import read_release
from cogsight.shared import cli
from cogsight.shared.frameworks.lmms.logs import PATTERN
from cogsight.shared.judge import client

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("lmms_eval") is None, reason="lmms-eval is not installed"),
    pytest.mark.filterwarnings("ignore:.*is not the release as published"),
]

OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "NO_PROXY": "127.0.0.1"}


@dataclass(frozen=True)
class Place:
    """Where runs go, what they are run with, and the right answers by question number."""

    folder: Path
    environment: Mapping[str, str]
    keys: Mapping[int, str]

    @property
    def chatted(self) -> list[int]:
        """Questions whose replies only a judge can read."""
        return sorted(number for number in self.keys if number % 3)

    def run(self, *command: str, **more: str) -> str:
        """What the command printed."""
        done = subprocess.run(
            [sys.executable, "-m", *command],
            env={**self.environment, **more},
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0 and "Traceback" not in done.stdout, done.stdout
        return done.stdout

    def records(self, name: str) -> dict[int, dict[str, Any]]:
        """Question number → our record of it."""
        (log,) = (self.folder / name).rglob(PATTERN)
        found = [json.loads(line)["cogsight"] for line in log.read_text().splitlines()]
        return {int(record["id"].rpartition("/")[2]): record for record in found}

    def results(self, name: str) -> dict[str, Any]:
        (path,) = (self.folder / name).rglob("*_results.json")
        return dict(json.loads(path.read_text()))

    def metric(self, name: str, metric: str) -> float:
        return float(self.results(name)["results"]["lego_puzzles"][f"{metric},none"])

    def all_text(self) -> str:
        """All that stands in files, the store of verdicts included."""
        files = (path for path in self.folder.rglob("*") if path.is_file())
        return "".join(path.read_bytes().decode("latin-1") for path in files)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    own = {
        **OFFLINE,
        "HF_HOME": str(tmp_path / "hf"),
        "COGSIGHT_CACHE": str(tmp_path / "cache"),
        "COGSIGHT_ALLOW_CHANGED": "1",
        "COGSIGHT_LEGO_PUZZLES_DATA": str(fake_lego.release(tmp_path, per_task=2)),
    }
    for name, value in own.items():
        monkeypatch.setenv(name, value)
    chatty.forget(monkeypatch)
    monkeypatch.setattr(client, "PROBE_WAITS", (0.01,))
    samples = read_release(tmp_path / "LEGO.tsv", allow_changed=True)
    keys = {int(sample.id.rpartition("/")[2]): sample.answer for sample in samples}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COGSIGHT_")}
    return Place(tmp_path, kept | own, keys)


@pytest.fixture
def model() -> Iterator[StubServer]:
    with StubServer(chatty.lego_model) as server:
        yield server


def config(place: Place, model: StubServer, **runs: Mapping[str, Any]) -> list[str]:
    """The command that does these runs, each of which goes into a folder of its name."""
    shared = {
        "model": "openai",
        "model_args": f"model=m,base_url={model.url},api_key=model-key-0815,num_concurrent=8,max_retries=1",
        "tasks": "lego_puzzles",
        "batch_size": "1",
        "log_samples": True,
    }
    listed = [{**shared, "output_path": str(place.folder / name), **run} for name, run in runs.items()]
    (place.folder / "config.json").write_text(json.dumps(listed))  # JSON is YAML
    return ["lmms_eval", "eval", "--config", str(place.folder / "config.json")]


def score(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(cli.app, ["score", *map(str, arguments)], prog_name="cogsight")
    return result.exit_code, result.output


def test_a_judged_run_again_and_scored_from_its_log(place: Place, model: StubServer) -> None:
    cache = {"use_cache": str(place.folder / "replies")}
    with chatty.judge(place.keys, delay=0.1) as judge:
        printed = place.run(*config(place, model, one=cache, two=cache), **chatty.variables(judge.url))
        assert chatty.judged(judge) == place.chatted, "each reply once, in two runs"
        assert judge.most_at_once == len(place.chatted)
        assert len(model.requests) == len(place.keys), "the judge is no part of what lmms-eval's cache is keyed by"
        for number, record in place.records("one").items():
            assert record["judged_by"] == (chatty.MODEL if number % 3 else "rules")
            assert number % 3 == 0 or (record["points"], record["value"]) == (1.0, place.keys[number])
        assert f", judge {chatty.MODEL}): INCOMPLETE" in printed, "22 of 1,100 questions"
        assert place.metric("one", "accuracy") == place.metric("two", "accuracy") > 50
        assert place.results("one")["configs"]["lego_puzzles"]["metadata"]["judge"] == chatty.MODEL

        before = len(judge.requests)
        out = place.folder / "scores"
        options = ("--judge", chatty.MODEL, "--judge-base-url", judge.url, "--judge-key", chatty.KEY, "--out", out)
        _, shown = score(place.folder / "one", *options)
        assert "the same\nagainst the log's own verdicts: 0 of 22 changed" in shown
        assert len(judge.requests) == before, "verdicts are kept"
        _, by_rules = score(place.folder / "one", "--judge", "none", "--out", place.folder / "rules")
        assert (
            f"{len(place.chatted)} of 22 changed\n  {len(place.chatted)} because of the judge: {chatty.MODEL} → none"
            in by_rules
        )
    assert chatty.KEY not in printed + shown + by_rules + place.all_text()


def test_a_judge_that_is_not_there_and_then_is(place: Place, model: StubServer) -> None:
    with chatty.judge(place.keys) as judge:
        pass
    printed = place.run(*config(place, model, one={}), **chatty.variables(judge.url))
    assert f"not judged: {len(place.chatted)}" in printed and "does not answer" in printed
    assert place.metric("one", "complete") == 0.0
    assert place.metric("one", "unjudged") == pytest.approx(100 * len(place.chatted) / 22)
    assert place.metric("one", "lost") == 0.0
    records = place.records("one")
    assert {(records[number]["points"], records[number]["reason"]) for number in place.chatted} == {
        (None, "not_judged")
    }
    with chatty.judge(place.keys) as judge:
        asked = len(model.requests)
        _, shown = score(
            place.folder / "one", "--judge", chatty.MODEL, "--judge-base-url", judge.url, "--out", place.folder / "s"
        )
        assert chatty.judged(judge) == place.chatted and len(model.requests) == asked
    assert f"{len(place.chatted)} because of the judge: no verdict then" in shown and "not judged" not in shown
    assert chatty.KEY not in printed + place.all_text()


def test_two_ranks_judge_their_own(place: Place) -> None:
    launch = "torch.distributed.run --nproc_per_node 2 --rdzv_backend c10d --rdzv_endpoint 127.0.0.1:0 -m lmms_eval"
    command = (
        "--model cogsight_baseline --model_args policy=unparsable --tasks lego_puzzles --batch_size 1 --log_samples"
    )
    with StubServer(
        lambda request: json.dumps({"reason": "", "answer": "B" if "cannot be A" in request.text else "none"})
    ) as judge:
        arguments = [*launch.split(), *command.split(), "--output_path", str(place.folder / "one")]
        printed = place.run(*arguments, **chatty.variables(judge.url))
        assert len(judge.requests) == 22 + 2, "each reply once, and each rank's probe"
    assert {record["judged_by"] for record in place.records("one").values()} == {chatty.MODEL}
    assert (place.metric("one", "unparsed"), place.metric("one", "unjudged")) == (100.0, 0.0)
    assert f"judge {chatty.MODEL}" in printed

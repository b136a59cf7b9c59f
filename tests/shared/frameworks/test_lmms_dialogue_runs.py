"""Dialogues through lmms-eval's own command: API and local models, chat and simple, counted, timed, killed, resumed, scored again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import stand_in
import talk
import tiny_vlm
from stub_server import FOREVER, Answer, Request, StubServer
from typer.testing import CliRunner

from cogsight.shared import cli, registry
from cogsight.shared.frameworks.lmms import logs
from cogsight.shared.frameworks.lmms.yaml import task_file

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("lmms_eval") is None, reason="lmms-eval is not installed"),
]

LMMS_EVAL = str(Path(sys.executable).with_name("lmms-eval"))
OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "NO_PROXY": "127.0.0.1"}
DELAY, WORKERS = 0.25, 12


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Another package, with its entry point and its task files, on the path."""
    home = tmp_path_factory.mktemp("home")
    stand_in.install(home, talk.__file__)
    (home / "lmms_tasks").mkdir()
    for variant in talk.VARIANTS:
        text = task_file(talk.BENCHMARK, variant, variant.name)
        (home / "lmms_tasks" / f"{variant.name}.yaml").write_text(text)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COGSIGHT_", "HF_", "LMMS_"))}
    own = {"PYTHONPATH": str(home), "HF_HOME": str(home / "hf"), "COGSIGHT_CACHE": str(home / "cache")}
    return {**kept, **OFFLINE, **own, "OPENAI_API_KEY": "x"}


@dataclass
class Script:
    """What the stub says: the oracle's words, with reasoning; question 5 loses its second request where `fails`."""

    fails: bool = False
    hangs: bool = False
    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Model → when it was asked."""

    def __call__(self, request: Request) -> Answer:
        self.times[request.body["model"]].append(time.monotonic())
        text = "".join(
            part["text"] for m in request.body["messages"] for part in m["content"] if part["type"] == "text"
        )
        question, turn = talk.turn_of(text)
        if self.fails and (question, turn) == (5, 1) and request.body["model"] != "killed":
            return Answer("overloaded", status=400)
        if self.hangs and turn == 2:
            return Answer(delay=FOREVER)
        says = (*talk.SAID, talk.sample(question).answer)[turn]
        return Answer(f"<think>Step {turn}? {'ABC'[turn]}</think> {says}", completion_tokens=7, delay=DELAY)


@dataclass(frozen=True)
class Runs:
    """What several evaluations by one process wrote, and what each sent to the stub."""

    folder: Path
    server: StubServer
    script: Script

    def rows(self, name: str) -> list[logs.Row]:
        (path,) = (self.folder / name).rglob(logs.PATTERN)
        return logs.read(path)

    def records(self, name: str) -> dict[str, dict[str, Any]]:
        (path,) = (self.folder / name).rglob(logs.PATTERN)
        return {line["cogsight"]["id"]: line for line in map(json.loads, path.read_text().splitlines())}

    def results(self, name: str) -> dict[str, Any]:
        (path,) = (self.folder / name).rglob("*_results.json")
        (metrics,) = json.loads(path.read_text())["results"].values()
        return {key.removesuffix(",none"): value for key, value in metrics.items()}

    def requests(self, name: str) -> list[Request]:
        return [request for request in self.server.requests if request.body["model"] == name]


@pytest.fixture(scope="module")
def runs(environment: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    folder = tmp_path_factory.mktemp("runs")
    tiny = {"device": "cpu", "gen_kwargs": "max_new_tokens=4", "limit": 2}
    qwen = f"pretrained={tiny_vlm.build('qwen25', folder / 'q')},device_map=cpu,min_pixels=3136,max_pixels=12544"
    internvl = f"pretrained={tiny_vlm.build('internvl', folder / 'i')},device_map=cpu,max_patches=2"
    with StubServer() as server:
        server.script = script = Script()

        def api(name: str, workers: int = WORKERS) -> dict[str, Any]:
            args = f"model={name},base_url={server.url},api_key=x,max_retries=1,num_concurrent={workers}"
            return {"model": "openai", "model_args": args}

        oracle = {"model": "cogsight_baseline", "model_args": "policy=oracle"}
        killed = {**api("killed"), "tasks": "talk_long", "batch_size": "1", "use_cache": str(folder / "cache")}
        options = [word for name, value in killed.items() for word in (f"--{name}", str(value))]
        kill_in_the_third_turn([LMMS_EVAL, *options], environment, server, script)
        script.fails = True
        configs: dict[str, dict[str, Any]] = {
            "resumed": killed,
            "long": {**api("long"), "tasks": "talk_long"},
            "chat": {**api("chat"), "tasks": "talk_chat"},
            "simple": {**api("simple"), "tasks": "talk_long", "force_simple": True},
            "oracle": {**oracle, "tasks": "talk_chat"},
            "unparsable": {"model": "cogsight_baseline", "model_args": "policy=unparsable", "tasks": "talk_collage"},
            "qwen_chat": {"model": "qwen2_5_vl", "model_args": qwen, "tasks": "talk_chat", **tiny},
            "internvl": {"model": "internvl_hf", "model_args": internvl, "tasks": "talk_long", **tiny},
        }
        shared = {"batch_size": "1", "log_samples": True}
        config = [{**shared, "output_path": str(folder / name), **run} for name, run in configs.items()]
        (folder / "config.json").write_text(json.dumps(config))
        printed = call([LMMS_EVAL, "eval", "--config", str(folder / "config.json")], environment, folder)
        assert "Traceback" not in printed, printed
        yield Runs(folder, server, script)


def call(command: list[str], environment: Mapping[str, str], folder: Path) -> str:
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=600)
    return done.stdout + done.stderr


@pytest.mark.parametrize("name", ["long", "chat", "simple"])
def test_a_lost_request_costs_one_dialogue_and_nothing_more(name: str, runs: Runs) -> None:
    records = {key: line["cogsight"] for key, line in runs.records(name).items()}
    lost = records.pop("talk/procedural/color/0/5")
    assert (lost["points"], lost["reason"], lost["reply"]) == (None, "request_failed", None)
    assert [turn["reply"] for turn in lost["earlier_turns"]] == [f"<think>Step 0? A</think> {talk.SAID[0]}"]
    assert {record["points"] for record in records.values()} == {1.0} and len(records) == talk.SIZE - 1
    assert {len(record["earlier_turns"]) for record in records.values()} == {2}
    assert {record["finish"] for record in records.values()} == {"stop"}
    assert (runs.results(name)["accuracy"], runs.results(name)["complete"]) == (pytest.approx(100 * 11 / 12), 0.0)
    assert len(runs.requests(name)) == 3 * talk.SIZE - 1


def test_what_is_sent_at_the_last_turn(runs: Runs) -> None:
    (last,) = (r for r in runs.requests("long") if "Question 7." in r.text and talk.STEPS[2] in r.text)
    texts = [part if isinstance(part, str) else "IMAGE" for part in last.parts]
    said = f"\n{talk.STEPS[0]}\n\n{talk.SAID[0]}\n\n{talk.STEPS[1]}\n\n{talk.SAID[1]}\n\n{talk.STEPS[2]}"
    assert texts == ["Question 7. ", "IMAGE", "IMAGE", "IMAGE", said]
    assert last.body["max_tokens"] == 64 and len(last.body["messages"]) == 1
    turns = [r.body["messages"] for r in runs.requests("chat") if len(r.body["messages"]) == 5]
    assert len(turns) == talk.SIZE - 1
    assert [message["role"] for message in turns[0]] == ["user", "assistant"] * 2 + ["user"]
    assert [part["type"] for message in turns[0] for part in message["content"]].count("image_url") == 3
    assert turns[0][1]["content"] == [{"type": "text", "text": talk.SAID[0]}]
    assert {len(r.images) for r in runs.requests("simple")} == {1}


def test_oracles_score_all_and_the_views_are_said(runs: Runs) -> None:
    assert (runs.results("oracle")["accuracy"], runs.results("oracle")["complete"]) == (100.0, 1.0)
    assert {row.view for row in runs.rows("oracle")} == {"images"}
    assert all([reply.text for reply in row.replies[:2]] == list(talk.SAID) for row in runs.rows("oracle"))
    assert {(len(row.replies), row.view) for row in runs.rows("unparsable")} == {(3, "collage")}
    assert {row.view for row in runs.rows("simple")} == {"collage"}


@pytest.mark.parametrize("name", ["qwen_chat", "internvl"])
def test_local_models_run_whole_dialogues(name: str, runs: Runs) -> None:
    rows = runs.rows(name)
    assert [len(row.replies) for row in rows] == [3, 3]
    assert {reply.error for row in rows for reply in row.replies} == {None}
    assert runs.results(name)["lost"] == 0.0


def test_the_logs_are_scored_again_to_the_same(
    runs: Runs, environment: Mapping[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(registry, "benchmarks", lambda: {"talk": talk.BENCHMARK})
    monkeypatch.setenv("COGSIGHT_CACHE", environment["COGSIGHT_CACHE"])
    logs = [str(runs.folder / name) for name in ("long", "chat")]
    done = CliRunner().invoke(cli.app, ["score", *logs, "--out", str(tmp_path)])
    assert done.output.count(": the same") == 2 and done.output.count("0 of 12 changed") == 2, done.output
    (replies,) = tmp_path.glob("long*talk_long/replies.jsonl")
    lines = [json.loads(line) for line in replies.read_text().splitlines()]
    assert len(lines) == 3 * talk.SIZE - 1 and {line["turn"] for line in lines} == {0, 1, 2}


def test_twelve_dialogues_cost_three_batches(runs: Runs, capsys: pytest.CaptureFixture[str]) -> None:
    """One after the other they would take 35 times the delay."""
    times = sorted(runs.script.times["long"])
    took = max(times) - min(times) + DELAY
    with capsys.disabled():
        print(f"\n12 dialogues of 3 turns, {DELAY} s a reply: {took:.2f} s; ideal {3 * DELAY:.2f} s")
    batches = [times[n : n + WORKERS] for n in range(0, len(times), WORKERS)]
    assert len(batches) == 3 and all(max(batch) - min(batch) < 2 * DELAY for batch in batches), "12 at once, thrice"
    assert took < 4 * 3 * DELAY


def test_a_killed_run_goes_on(runs: Runs) -> None:
    """It was killed in the third turn; then nothing of the first two is asked again."""
    before, after = runs.requests("killed")[: 3 * talk.SIZE], runs.requests("killed")[3 * talk.SIZE :]
    assert sorted(talk.turn_of(request.text)[1] for request in before) == [0] * 12 + [1] * 12 + [2] * 12
    assert [talk.turn_of(request.text)[1] for request in after] == [2] * talk.SIZE
    assert runs.results("resumed")["accuracy"] == 100.0


def kill_in_the_third_turn(
    command: Sequence[str], environment: Mapping[str, str], server: StubServer, script: Script
) -> None:
    script.hangs = True
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(1200):
        if len(server.requests) >= 3 * talk.SIZE:
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    script.hangs = False

"""Dialogues through VLMEvalKit's own command: local, --api-mode, real turns, killed and taken up again with --reuse.

With COGSIGHT_TEST_VLMEVALKIT=<checkout> the same commands run through that checkout's run.py too.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import pytest
import stand_in
import talk
from runs import DRIVER, Kit
from stub_server import FOREVER, Answer, Request, StubServer
from typer.testing import CliRunner

from cogsight.shared import cli, registry

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("vlmeval") is None, reason="VLMEvalKit (pip install ms-vlmeval) is not installed"),
]

CHECKOUT = os.environ.get("COGSIGHT_TEST_VLMEVALKIT")
DELAY = 0.25


@pytest.fixture(params=[None, CHECKOUT], ids=["wheel", "checkout"])
def kit(request: pytest.FixtureRequest, tmp_path: Path) -> Kit:
    if request.param is None and request.param_index == 1:
        pytest.skip("COGSIGHT_TEST_VLMEVALKIT names no checkout of VLMEvalKit")
    stand_in.install(tmp_path, talk.__file__)
    return Kit(tmp_path, tmp_path / "cache", request.param and Path(request.param).resolve())


@dataclass
class Script:
    """What the stub says: the oracle's words, with reasoning. A model's first second turn of question 5 fails where `fails`."""

    fails: bool = False
    hangs: bool = False
    failed: set[str] = field(default_factory=set)

    def __call__(self, request: Request) -> Answer:
        question, turn = asked(request)
        model = request.body["model"]
        if self.fails and (question, turn) == (5, 1) and model not in self.failed:
            self.failed.add(model)
            return Answer("overloaded", status=500)
        if self.hangs and turn == 2:
            return Answer(delay=FOREVER)
        says = (*talk.SAID, talk.sample(question).answer)[turn]
        return Answer(f"<think>Step {turn}? {'ABC'[turn]}</think> {says}", delay=DELAY)


def asked(request: Request) -> tuple[int, int]:
    parts = (part for message in request.body["messages"] for part in _content(message))
    return talk.turn_of("".join(part["text"] for part in parts if part["type"] == "text"))


def _content(message: dict[str, object]) -> list[dict[str, str]]:
    content = message["content"]
    return content if isinstance(content, list) else [{"type": "text", "text": str(content)}]


def served(url: str, data: str, model: str = "served", *more: str) -> list[str]:
    options = ["--key", "sk-x", "--retry", "1", "--api-nproc", "12", "--extra-body", '{"wait": 0}']
    return ["--data", data, "--model", model, "--base-url", url, *options, *more]


def test_everything_a_run_does(kit: Kit, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with StubServer(Script(fails=True)) as server:
        output = kit.run(
            served(server.url, "Talk_Long"),
            served(server.url, "Talk_Long", "served", "--reuse"),
            served(server.url, "Talk_Long", "by_api", "--api-mode"),
            served(server.url, "Talk_Chat", "by_turns"),
            ["--data", "Talk_Long", "Talk_Chat", "Talk_Collage", "--model", "cogsight_baseline_oracle"],
        )
        sent = {
            name: [r for r in server.requests if r.body["model"] == name] for name in ("served", "by_api", "by_turns")
        }
        assert {name: len(requests) for name, requests in sent.items()} == {
            "served": 37,
            "by_api": 35,
            "by_turns": 35,
        }, output
        assert sorted(map(asked, sent["served"][35:])) == [(5, 1), (5, 2)]
        with capsys.disabled():
            print(f"\n12 dialogues of 3 turns in VLMEvalKit: at most {server.most_at_once} requests at once")
        assert server.most_at_once >= 6

    for name in ("by_api", "by_turns"):
        log = kit.log(name, "Talk_Long" if name == "by_api" else "Talk_Chat")
        lost = log.pop(5)
        assert (lost["points"], lost["reason"], len(lost["earlier_turns"])) == (None, "request_failed", 1)
        assert {(line["points"], len(line["earlier_turns"])) for line in log} == {(1.0, 2)}
    assert {line["points"] for line in kit.log("served", "Talk_Long")} == {1.0}
    assert not list(kit.newest("served", "Talk_Long", ".xlsx").parent.glob("*_turns_*")), "nothing is left to take up"
    for data in ("Talk_Long", "Talk_Chat", "Talk_Collage"):
        assert kit.status("cogsight_baseline_oracle", data)["metrics"]["Overall"] == 100.0

    last = next(r for r in sent["served"] if asked(r) == (7, 2))
    said = f"\n{talk.STEPS[0]}\n\n{talk.SAID[0]}\n\n{talk.STEPS[1]}\n\n{talk.SAID[1]}\n\n{talk.STEPS[2]}"
    assert [part if isinstance(part, str) else "IMAGE" for part in last.parts] == [
        *("Question 7. ", "IMAGE", "IMAGE", "IMAGE"),
        said,
    ]
    turns = next(r.body["messages"] for r in sent["by_turns"] if asked(r) == (7, 2))
    assert [message["role"] for message in turns] == ["user", "assistant"] * 2 + ["user"]
    assert [part["type"] for message in turns for part in _content(message)].count("image_url") == 3

    monkeypatch.setattr(registry, "benchmarks", lambda: {"talk": talk.BENCHMARK})
    monkeypatch.setenv("COGSIGHT_CACHE", str(kit.cache))
    logs = [str(kit.newest("by_api", "Talk_Long", "_samples.jsonl")), str(kit.newest("served", "Talk_Long", ".xlsx"))]
    done = CliRunner().invoke(cli.app, ["score", *logs, "--out", str(kit.folder / "scored")])
    assert done.output.count(": the same") == 2 and done.output.count("0 of 12 changed") == 2, done.output


def test_a_killed_run_goes_on(kit: Kit) -> None:
    """In the third turn; then nothing of the first two is asked again."""
    script = Script(hangs=True)
    with StubServer(script) as server:
        command = served(server.url, "Talk_Long")
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, filter(None, (kit.checkout, kit.folder))))}
        environment |= {"LMUData": str(kit.folder), "COGSIGHT_CACHE": str(kit.cache)}
        source = str(kit.checkout / "run.py") if kit.checkout else ""
        arguments = json.dumps([[*command, "--work-dir", "out"]])
        process = subprocess.Popen(
            [sys.executable, "-c", DRIVER, source, arguments],
            cwd=kit.folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        for _ in range(1200):
            if len(server.requests) >= 3 * talk.SIZE:
                break
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert len(server.requests) == 3 * talk.SIZE
        script.hangs = False
        kit.run([*command, "--reuse"])
        again = server.requests[3 * talk.SIZE :]
        assert sorted(map(asked, again)) == [(n, 2) for n in range(talk.SIZE)]
    assert {line["points"] for line in kit.log("served", "Talk_Long")} == {1.0}

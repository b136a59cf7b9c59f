"""What `cogsight doctor` says of the judge. It asks it nothing unless it is told to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import chatty
import pytest
import toy
from stub_server import Answer, StubServer
from typer.testing import CliRunner

from cogsight.shared import cli
from cogsight.shared.commands import doctor, judge_checks
from cogsight.shared.judge import client


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    chatty.forget(monkeypatch)
    monkeypatch.setattr(client, "PROBE_WAITS", (0.01,))
    monkeypatch.setattr(doctor, "CHECKS", (judge_checks.judge,))
    with toy.alone(monkeypatch, tmp_path, toy.made(), toy.made(name="second", judge_model="the paper's")):
        yield


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[StubServer]:
    with chatty.judge({}) as found:
        chatty.name(monkeypatch, found.url)
        yield found


def run(*options: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli.app, ["doctor", *options])
    return result.exit_code, result.output


def test_none(monkeypatch: pytest.MonkeyPatch) -> None:
    code, shown = run()
    assert code == 0 and "judge           none named: replies that rules cannot read stay unread" in shown
    assert "COGSIGHT_JUDGE_MODEL" in shown
    monkeypatch.setenv("OPENAI_API_KEY", chatty.KEY)
    assert "none named (OPENAI_API_KEY alone names none)" in run()[1]
    assert "nothing to ask" in run("--probe-judge")[1]


def test_it_is_named_and_not_asked(server: StubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGSIGHT_JUDGE_VOTES", "3")
    code, shown = run()
    host = server.url.split("/")[2]
    assert (code, server.requests) == (0, [])
    assert f"grader at {host}, 3 votes, for second, toy; not asked" in shown
    assert chatty.KEY not in shown


def test_one_question_when_told_to(server: StubServer) -> None:
    code, shown = run("--probe-judge")
    assert (code, len(server.requests)) == (0, 1)
    assert "answers, for second, toy" in shown and "not asked" not in shown


def test_one_that_refuses(server: StubServer) -> None:
    server.script = lambda request: Answer(f"wrong key {chatty.KEY}", status=401)
    code, shown = run("--probe-judge")
    assert code == 1 and "FAULT" in shown and "401" in shown and chatty.KEY not in shown
    assert "is its server up" in shown


def test_settings_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGSIGHT_JUDGE_MODEL", chatty.MODEL)
    code, shown = run()
    assert code == 1 and "a judge is named, but no key" in shown


def test_a_paper_may_have_asked_another_one(server: StubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COGSIGHT_JUDGE_MODEL")
    code, shown = run()
    assert code == 1 and "but no model" in shown, "the toy's paper names none"

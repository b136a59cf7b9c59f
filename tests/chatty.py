"""Replies that rules cannot read, and a judge that can: for tests of what the frameworks and `cogsight score` do with one.

with chatty.judge({7: "B"}) as server:
    chatty.name(monkeypatch, server.url)  # …, and `chatty.reply(7)` is read as B
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import pytest
from stub_server import Answer, Request, StubServer

from cogsight.shared.judge.client import PROBE, RIGHT

KEY = "odd/judge+key=7f3a"
MODEL = "grader"
SERVED = "grader-2026-11-01"
SAID = "It leans towards one of them."
PLAIN = "The answer is A."


def reply(number: int) -> str:
    """The reply with this number."""
    return f"Well, between you and me, the warm one wins; reply number {number}."


def lego_model(request: Request) -> str:
    """A model for `fake_lego`: every third question gets a plain answer, the others the reply of the question's number."""
    found = re.search(r'The ".*" question (\d+)', request.text)
    assert found, request.text
    return reply(int(found[1])) if int(found[1]) % 3 else PLAIN


def number(text: str) -> int | None:
    """The number of the reply in a text."""
    found = re.search(r"the warm one wins; reply number (\d+)\.", text)
    return int(found[1]) if found else None


def judge(answers: Mapping[int, str], delay: float = 0.0) -> StubServer:
    """A server that reads reply n as `answers[n]`, and finds nothing in the others. `delay`: seconds for each answer."""

    def script(request: Request) -> Answer:
        asked = number(request.text)
        answer = answers.get(asked, "none") if asked is not None else RIGHT
        assert asked is not None or PROBE.reply in request.text, request.text
        return Answer(json.dumps({"reason": SAID, "answer": answer}), model=SERVED, delay=delay)

    return StubServer(script)


def judged(server: StubServer) -> list[int]:
    """The numbers of the replies that it was asked about, sorted; not the probes."""
    return sorted(asked for request in server.requests if (asked := number(request.text)) is not None)


def variables(url: str) -> dict[str, str]:
    """The environment that names the judge."""
    return {"COGSIGHT_JUDGE_MODEL": MODEL, "COGSIGHT_JUDGE_BASE_URL": url, "COGSIGHT_JUDGE_API_KEY": KEY}


def name(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """Name the judge, and none of its other settings, in this process."""
    forget(monkeypatch)
    for variable, value in variables(url).items():
        monkeypatch.setenv(variable, value)


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """No judge."""
    for variable in ("MODEL", "BASE_URL", "API_KEY", "VOTES", "CONCURRENCY"):
        monkeypatch.delenv(f"COGSIGHT_JUDGE_{variable}", raising=False)
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)

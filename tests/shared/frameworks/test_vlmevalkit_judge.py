"""The judge in VLMEvalKit: what run.py passes for --judge, --judge-base-url and --judge-key, and what is left beside the table."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chatty
import pytest
import stand_in
from stub_server import StubServer

from cogsight.shared.errors import CogsightError
from cogsight.shared.judge import client

pytest.importorskip("vlmeval", reason="VLMEvalKit (pip install ms-vlmeval) is not installed")
pytestmark = pytest.mark.slow  # importing VLMEvalKit takes 7 s

REPLIES = ["A", *map(chatty.reply, range(1, 6))]
ANSWERS = {1: "B", 2: "C", 3: "A", 4: "A"}
ALWAYS = {"nproc": 3, "verbose": False, "retry": 3, "timeout": 600}
"""What run.py passes in any case."""


@pytest.fixture
def dataset(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    monkeypatch.setenv("LMUData", str(tmp_path))
    monkeypatch.setenv("COGSIGHT_CACHE", str(tmp_path))
    monkeypatch.delenv("COGSIGHT_VIEW", raising=False)
    monkeypatch.setattr(client, "PROBE_WAITS", (0.01,))
    chatty.forget(monkeypatch)
    import vlmeval.dataset

    from cogsight.shared.frameworks.vlmevalkit import plugin

    monkeypatch.setattr(plugin, "benchmarks", lambda: {"stand_in": stand_in.BENCHMARK})
    plugin.register(vlmeval.dataset)
    return vlmeval.dataset.build_dataset("Stand_In")


@pytest.fixture
def server() -> Iterator[StubServer]:
    with chatty.judge(ANSWERS, delay=0.05) as found:
        yield found


@pytest.fixture
def table(dataset: Any, tmp_path: Path) -> Path:
    path = tmp_path / "m_Stand_In.tsv"
    dataset.data.assign(prediction=REPLIES).to_csv(path, sep="\t", index=False)
    return path


def options(url: str, **more: Any) -> dict[str, Any]:
    """As `get_judge_kwargs` makes them."""
    return {**ALWAYS, "api_base": f"{url}/chat/completions", "key": chatty.KEY, "model": chatty.MODEL, **more}


def written(folder: Path) -> str:
    """All that stands in files, and the database."""
    return "".join(path.read_bytes().decode("latin-1") for path in folder.rglob("*") if path.is_file())


def test_the_options_name_the_judge(
    dataset: Any, table: Path, server: StubServer, capsys: pytest.CaptureFixture[str]
) -> None:
    found = dataset.evaluate(str(table), **options(server.url))
    assert (found["Overall"], found["Unparsed rate"], found["Unjudged rate"]) == (66.67, 16.67, 0.0)
    assert chatty.judged(server) == [1, 2, 3, 4, 5]
    assert server.most_at_once == 3, "as many at a time as run.py says"
    assert {request.headers["authorization"] for request in server.requests} == {f"Bearer {chatty.KEY}"}
    said = capsys.readouterr()
    assert f"Stand-in (stand_in, judge {chatty.MODEL}): 66.7 %" in said.out
    assert chatty.KEY not in said.out + said.err + written(table.parent)


def test_what_a_judge_and_what_rules_say_are_kept_apart(dataset: Any, table: Path, server: StubServer) -> None:
    dataset.evaluate(str(table), **ALWAYS, model="exact_matching")
    dataset.evaluate(str(table), **options(server.url, model="maker/grader_2"))
    names = {path.name for path in table.parent.glob("m_Stand_In_*")}
    ends = {f"{by}_{what}" for by in ("", "_by_maker-grader-2") for what in ("samples.jsonl", "summary.json")}
    assert names == {f"m_Stand_In{end}" for end in ends}
    for by, judge in (("", "none"), ("_by_maker-grader-2", "maker/grader_2")):
        summary = json.loads((table.parent / f"m_Stand_In{by}_summary.json").read_text())
        assert summary["versions"]["judge"] == judge


def test_the_environment_names_it_where_run_py_does_not(
    dataset: Any, table: Path, server: StubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    chatty.name(monkeypatch, server.url)
    assert dataset.evaluate(str(table), **ALWAYS)["Overall"] == 66.67
    before = len(server.requests)
    assert dataset.evaluate(str(table), **ALWAYS, model="exact_matching")["Overall"] == 16.67, "the option wins"
    assert dataset.evaluate(str(table), **ALWAYS)["Overall"] == 66.67
    assert len(server.requests) == before, "no verdict is paid for twice"


def test_a_judge_that_is_not_there_gives_no_other_score_under_its_name(
    dataset: Any, table: Path, server: StubServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.__exit__()
    found = dataset.evaluate(str(table), **options(server.url))
    assert (found["Overall"], found["Unjudged rate"], found["Complete"]) == (16.67, 83.33, 0.0)
    assert dataset.report_primary_metric(found) == {"Overall": 16.67, "Complete": 0.0}
    lines = (table.parent / "m_Stand_In_by_grader_samples.jsonl").read_text().splitlines()
    assert [json.loads(line)["reason"] for line in lines] == ["right", *["not_judged"] * 5]
    said = capsys.readouterr()
    assert "INCOMPLETE, no score. not judged: 5" in said.out and chatty.KEY not in said.out + said.err


def test_a_judge_without_a_key_is_no_exact_matching(dataset: Any, table: Path) -> None:
    with pytest.raises(CogsightError, match="COGSIGHT_JUDGE_API_KEY"):
        dataset.evaluate(str(table), **ALWAYS, model="gpt-4o")
    assert not list(table.parent.glob("*_summary.json"))


@pytest.mark.parametrize(
    "said", [options("http://h/v1"), f"Judge kwargs: {options('http://h/v1')}"], ids=["local", "api"]
)
def test_the_kit_does_not_log_the_key(dataset: Any, said: Any, caplog: pytest.LogCaptureFixture) -> None:
    from cogsight.shared.frameworks.vlmevalkit import patches

    logger = logging.getLogger("vlmeval")
    logger.addHandler(caplog.handler)
    try:
        patches.install()
        logger.warning(said)
    finally:
        logger.removeHandler(caplog.handler)
        caplog.handler.removeFilter(patches.without_keys)
    assert "[removed]" in caplog.text and "7f3a" not in caplog.text and "nproc" in caplog.text

"""The 18 real questions through both frameworks' own commands: scripted replies, a stub of an API, and tiny models on the CPU."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import tiny_vlm
from runs import LMMS_EVAL, OFFLINE, ROOT, Kit, call
from stub_server import Request, StubServer

from cogsight.shared.cli import app
from cogsight.shared.frameworks.lmms import logs
from cogsight.shared.sample import Sample
from cogsight.spatialviz.benchmark import BENCHMARK
from cogsight.spatialviz.official import read_release
from cogsight.spatialviz.prompts import prompt

REAL = ROOT.parent / "shared" / "data" / "spatialviz"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not REAL.exists(), reason=f"the real questions are not here: {REAL}"),
    pytest.mark.filterwarnings("ignore:.*is not the release as published"),
]
VARIANTS = {variant.name: variant for variant in BENCHMARK.variants if variant.source == "official"}
DATA = {"COGSIGHT_SPATIALVIZ_DATA": str(REAL), "COGSIGHT_ALLOW_CHANGED": "1"}
FORMS = (
    "<think>Not A, not B.</think><answer>{}</answer>",
    "The answer is {}.",
    "{}.",
    "\\boxed{{{}}}",
    "**{}**",
    "<think>{} at first sight, but",
    "The picture shows cubes.",
)
READ = 5
"""So many of the forms have an answer."""


@pytest.fixture(scope="module")
def samples() -> dict[str, Sample]:
    return {sample.id: sample for sample in read_release(REAL, allow_changed=True)}


def said(question: str, samples: Mapping[str, Sample]) -> tuple[int, str]:
    """Number of the form, and the letter: the key of the first question with these words (two have the same)."""
    return next((n % len(FORMS), s.answer) for n, s in enumerate(samples.values()) if s.question in question)


def script(samples: Mapping[str, Sample]) -> Callable[[Request], str]:
    def reply(request: Request) -> str:
        form, letter = said(request.text, samples)
        return FORMS[form].format(letter)

    return reply


def right(samples: Mapping[str, Sample]) -> int:
    """How many replies of the script are read, and right."""
    forms = ((said(sample.question, samples), sample.answer) for sample in samples.values())
    return sum(form < READ and letter == key for (form, letter), key in forms)


def unread(samples: Mapping[str, Sample], form: int) -> int:
    return sum(said(sample.question, samples)[0] == form for sample in samples.values())


def sent(requests: Sequence[Request], samples: Mapping[str, Sample], style: str, pictures: int) -> None:
    """Each question once: its picture or none, then its text."""
    assert Counter(request.text.strip() for request in requests) == Counter(prompt(s, style) for s in samples.values())
    assert {(len(request.images), type(request.parts[-1])) for request in requests} == {(pictures, str)}


# --- lmms-eval


@pytest.fixture(scope="module")
def lmms(samples: dict[str, Sample], tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, list[Request]]]:
    """The folder with all runs, made by one process, and what the stub was sent."""
    if find_spec("lmms_eval") is None:
        pytest.skip("lmms-eval is not installed")
    folder = tmp_path_factory.mktemp("lmms")
    qwen = f"pretrained={tiny_vlm.build('qwen25', folder / 'qwen')},device_map=cpu,min_pixels=3136,max_pixels=12544"
    internvl = f"pretrained={tiny_vlm.build('internvl', folder / 'internvl')},device_map=cpu,max_patches=2"
    short = {"device": "cpu", "gen_kwargs": "max_new_tokens=8", "limit": 2}
    with StubServer(script(samples)) as server:
        api = f"model=stub,base_url={server.url},api_key=x,max_retries=1,num_concurrent=4"
        baseline = {"model": "cogsight_baseline"}
        runs: dict[str, dict[str, Any]] = {
            "oracle": {**baseline, "model_args": "policy=oracle", "tasks": ",".join(VARIANTS)},
            "first": {**baseline, "model_args": "policy=first"},
            "unparsable": {**baseline, "model_args": "policy=unparsable"},
            "stub": {"model": "openai", "model_args": api, "tasks": "spatialviz,spatialviz_text_only"},
            "qwen": {"model": "qwen2_5_vl", "model_args": qwen, "tasks": "spatialviz,spatialviz_text_only", **short},
            "internvl": {"model": "internvl_hf", "model_args": internvl, **short},
        }
        shared = {"tasks": "spatialviz", "batch_size": "1", "log_samples": True}
        config = [shared | {"output_path": str(folder / name)} | run for name, run in runs.items()]
        (folder / "config.json").write_text(json.dumps(config))
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("COGSIGHT_", "HF_"))}
        env = {**kept, **OFFLINE, **DATA, "HF_HOME": str(folder / "hf"), "COGSIGHT_CACHE": str(folder / "cache")}
        printed = call([LMMS_EVAL, "eval", "--config", str(folder / "config.json")], env)
        assert "Traceback" not in printed, printed
        yield folder, server.requests


def metrics(folder: Path, run: str) -> dict[str, dict[str, float]]:
    (path,) = (folder / run).rglob("*_results.json")
    found: dict[str, dict[str, float]] = json.loads(path.read_text())["results"]
    return found


def test_scripted_models_in_lmms_eval(lmms: tuple[Path, list[Request]], samples: dict[str, Sample]) -> None:
    folder, _ = lmms
    oracle = metrics(folder, "oracle")
    assert {name: own["accuracy,none"] for name, own in oracle.items()} == dict.fromkeys(VARIANTS, 100.0)
    assert {own["complete,none"] for own in oracle.values()} == {0.0}, "18 questions are not the benchmark"
    first = 100 * sum(sample.answer == "A" for sample in samples.values()) / 18
    assert metrics(folder, "first")["spatialviz"]["accuracy,none"] == pytest.approx(first)
    unparsable = metrics(folder, "unparsable")["spatialviz"]
    assert (unparsable["accuracy,none"], unparsable["unparsed,none"]) == (0.0, 100.0)


def test_an_api_in_lmms_eval(lmms: tuple[Path, list[Request]], samples: dict[str, Sample]) -> None:
    folder, requests = lmms
    sent([r for r in requests if r.images], samples, "cot", 1)
    sent([r for r in requests if not r.images], samples, "cot", 0)
    assert {request.body["max_tokens"] for request in requests} == {8192}
    for own in metrics(folder, "stub").values():
        assert own["accuracy,none"] == pytest.approx(100 * right(samples) / 18)
        assert own["truncated,none"] == pytest.approx(100 * unread(samples, READ) / 18)
        assert own["unparsed,none"] == pytest.approx(100 * unread(samples, READ + 1) / 18)


def test_tiny_models_in_lmms_eval(lmms: tuple[Path, list[Request]]) -> None:
    folder, _ = lmms
    for run, tasks in (("qwen", 2), ("internvl", 1)):
        found = metrics(folder, run)
        assert len(found) == tasks
        assert {own["lost,none"] for own in found.values()} == {0.0}
    rows = [row for log in (folder / "qwen").rglob(logs.PATTERN) for row in logs.read(log)]
    assert {(row.variant, row.view) for row in rows} == {("spatialviz", "images"), ("spatialviz_text_only", "text")}


def test_the_logs_are_scored_and_diagnosed(
    lmms: tuple[Path, list[Request]],
    samples: dict[str, Sample],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder, _ = lmms
    for name, value in {**DATA, "COGSIGHT_CACHE": str(folder / "cache")}.items():
        monkeypatch.setenv(name, value)
    logged = [str(path) for name in ("oracle", "stub") for path in (folder / name).rglob(logs.PATTERN)]
    assert run("score", *logged, "--out", str(tmp_path)) == 1, "not complete"
    assert "the framework printed 100.00 %, this is 100.00 %: the same" in capsys.readouterr().out
    (stub,) = tmp_path.glob("stub*_spatialviz")
    assert run("diagnose", str(stub), str(tmp_path / "cogsight_baseline_oracle_spatialviz_direct")) == 0
    printed = capsys.readouterr().out
    assert "18 of 1180 questions, 0 of them lost" in printed
    ours = next(line.split() for line in printed.splitlines() if line.startswith("ours "))
    lost = unread(samples, READ) + unread(samples, READ + 1)
    assert ours[1:3] == [str(18 - lost), str(right(samples))]
    assert f"No answer could be read from {lost} of the first and 0 of the second run's replies" in printed
    assert run("errors", str(stub), "--out", str(tmp_path / "sheet")) == 0
    assert f"{18 - right(samples)} wrong replies" in capsys.readouterr().out


def run(*command: str) -> int:
    with pytest.raises(SystemExit) as ended:
        app(list(command), prog_name="cogsight")
    return int(str(ended.value.code or 0))


# --- VLMEvalKit


@pytest.mark.skipif(find_spec("vlmeval") is None, reason="VLMEvalKit (pip install ms-vlmeval) is not installed")
def test_vlmevalkit(samples: dict[str, Sample], tmp_path: Path) -> None:
    kit = Kit(tmp_path, tmp_path / "cache", None)
    data = ["SpatialViz", "SpatialViz_Direct", "SpatialViz_Boxed", "SpatialViz_Text_Only"]
    with StubServer(script(samples)) as server:
        api = ["--model", "stub", "--base-url", server.url, "--key", "x"]
        output = kit.run(
            ["--data", *data, "--model", "cogsight_baseline_oracle"],
            ["--data", data[0], "--model", "cogsight_baseline_first", "cogsight_baseline_unparsable"],
            ["--data", data[1], data[3], *api],
            **DATA,
        )
        sent([r for r in server.requests if r.images], samples, "direct", 1)
        sent([r for r in server.requests if not r.images], samples, "cot", 0)
    for name in data:
        assert kit.status("cogsight_baseline_oracle", name)["metrics"]["Overall"] == 100.0, output
    first = kit.status("cogsight_baseline_first", data[0])["metrics"]
    assert first["Overall"] == round(100 * sum(sample.answer == "A" for sample in samples.values()) / 18, 2)
    assert kit.status("cogsight_baseline_unparsable", data[0])["metrics"]["Unparsed rate"] == 100.0
    for name in (data[1], data[3]):
        assert kit.status("stub", name)["metrics"]["Overall"] == round(100 * right(samples) / 18, 2), output
    assert {line["view"] for line in kit.log("cogsight_baseline_oracle", data[3])} == {"text"}
    assert "INCOMPLETE, no score. 1162 of 1180 answers missing" in output

"""VLMEvalKit's own command, from the start-up hook to the files it leaves: local, with --config, --api-mode, --reuse, over HTTP.

Importing the kit takes 7 s, so one process runs several commands, one after the other (`RUNS`). The kit always exits 0; what
happened stands in its files. With COGSIGHT_TEST_VLMEVALKIT=<checkout> the same commands run through that checkout's run.py too.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

import chatty
import fake_lego
import pytest
import stand_in
from PIL import Image
from runs import Kit
from stub_server import Answer, Request, StubServer
from typer.testing import CliRunner

from cogsight.lego_puzzles.official import read_release
from cogsight.shared import cli

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("vlmeval") is None, reason="VLMEvalKit (pip install ms-vlmeval) is not installed"),
]

CHECKOUT = os.environ.get("COGSIGHT_TEST_VLMEVALKIT")
OFFICIAL = Path(__file__).parents[4] / "shared" / "data" / "lego_puzzles" / "LEGO.tsv"


@pytest.fixture(params=[None, CHECKOUT], ids=["wheel", "checkout"])
def kit(request: pytest.FixtureRequest, tmp_path: Path, pytestconfig: pytest.Config) -> Kit:
    if request.param is None and request.param_index == 1:
        pytest.skip("COGSIGHT_TEST_VLMEVALKIT names no checkout of VLMEvalKit")
    stand_in.install(tmp_path)
    cache = pytestconfig.cache.mkdir(
        "cogsight"
    )  # kept from run to run: building the generated questions takes a minute
    return Kit(tmp_path, cache, request.param and Path(request.param).resolve())


def test_local_config_and_api_mode_with_the_baselines(kit: Kit) -> None:
    config = {
        "model": {"mine": {"class": "CogsightBaseline", "policy": "oracle"}},
        "data": {"Stand_In": {"class": "StandIn", "dataset": "Stand_In"}},
    }
    (kit.folder / "config.json").write_text(json.dumps(config))
    limited = ["--data", "Stand_In", "--model", "cogsight_baseline_random", "--limit", "2"]
    output = kit.run(
        ["--data", "Stand_In", "Stand_In_Collage", "--model", "cogsight_baseline_oracle"],
        ["--config", "config.json"],
        ["--data", "Stand_In", "--model", "cogsight_baseline_first", "--api-mode"],
        ["--data", "Stand_In", "--model", "cogsight_baseline_unparsable", "--mode", "infer"],
        ["--data", "Stand_In", "--model", "cogsight_baseline_unparsable", "--mode", "eval"],
        *([] if kit.checkout else [limited]),  # the checkout's run.py has no --limit
    )
    assert "replies stay unread: no judge is named" in output and "UserWarning: cogsight" not in output
    for model, data, overall in [
        ("cogsight_baseline_oracle", "Stand_In", 100.0),
        ("cogsight_baseline_oracle", "Stand_In_Collage", 100.0),
        ("mine", "Stand_In", 100.0),
        ("cogsight_baseline_first", "Stand_In", 33.33),
        ("cogsight_baseline_unparsable", "Stand_In", 0.0),
    ]:
        status = kit.status(model, data)
        assert (status.get("error_message"), status["primary_metric"]) == (None, "Overall")
        assert status["metrics"]["Overall"] == overall, (model, data)
    assert status["metrics"]["Unparsed rate"] == 100.0
    assert {line["view"] for line in kit.log("cogsight_baseline_oracle", "Stand_In_Collage")} == {"collage"}
    if not kit.checkout:
        check_a_limited_run(kit, output)


def check_a_limited_run(kit: Kit, output: str) -> None:
    """It is not complete, and the kit's last table says so too."""
    summary = json.loads(kit.newest("cogsight_baseline_random", "Stand_In", "_summary.json").read_text())
    assert (summary["rows"][0]["n"], summary["complete"]) == (2, False)
    status = kit.status("cogsight_baseline_random", "Stand_In")
    assert (status["primary_metric"], status["metrics"]["Complete"]) == (["Overall", "Complete"], 0.0)
    assert re.search(r"Complete +0$", output, re.MULTILINE)


def test_over_http_pictures_stand_in_the_text_and_failures_are_lost(kit: Kit) -> None:
    def script(request: Request) -> str | Answer:
        return Answer("out of memory", status=500) if len(server.requests) == 4 else "NA"

    with StubServer(script) as server:
        options = ["--key", "sk-x", "--retry", "1", "--api-nproc", "1", "--extra-body", '{"wait": 0}']
        command = ["--data", "Stand_In", "--model", "served", "--base-url", server.url, *options]
        output = kit.run(command)
        assert len(server.requests) == 6
        for request in server.requests:
            assert [part if isinstance(part, str) else "IMAGE" for part in request.parts] == [
                *("IMAGE", "IMAGE", "color", "IMAGE"),
                ". Which of them is not white?\nA. red\nB. green\nC. NA",
            ]
        log = kit.log("served", "Stand_In")
        assert [line["reply"] for line in log] == ["NA"] * 3 + [None] + ["NA"] * 2
        assert (log[3]["points"], log[3]["reason"]) == (None, "request_failed") and "INCOMPLETE" in output
        assert kit.status("served", "Stand_In")["metrics"]["Lost rate"] == 16.67

        server.script = lambda request: "A"
        kit.run([*command, "--reuse"])
        assert len(server.requests) == 7, "only the lost one is asked again"
        assert [line["reply"] for line in kit.log("served", "Stand_In")] == ["NA"] * 3 + ["A"] + ["NA"] * 2
        assert kit.status("served", "Stand_In")["metrics"]["Lost rate"] == 0.0


def test_an_empty_reply_is_the_models_and_no_answer_is_not(kit: Kit) -> None:
    """As in lmms-eval; the kit itself makes the same text of both. Nothing that was answered is asked again."""
    answers = (Answer(""), Answer(" \n"), Answer(None), Answer("overloaded", status=500), Answer("A"), Answer("A"))

    def script(request: Request) -> Answer:
        return answers[
            next(n for n in range(6) if stand_in.picture(f"#{n}{n}{n}").open().getpixel((0, 0)) in seen(request))
        ]

    with StubServer(script) as server:
        options = ["--key", "sk-x", "--retry", "2", "--api-nproc", "4", "--extra-body", '{"wait": 0}']
        for mode in ([], ["--api-mode"]):
            command = ["--data", "Stand_In", "--model", "served", "--base-url", server.url, *options, *mode]
            kit.run(command)
            log = kit.log("served", "Stand_In")
            assert [line["reason"] for line in log] == [*["empty"] * 3, "request_failed", "wrong", "wrong"]
            assert [line["reply"] for line in log] == ["", "", "", None, "A", "A"]
            metrics = kit.status("served", "Stand_In")["metrics"]
            assert (metrics["Empty rate"], metrics["Lost rate"], metrics["Complete"]) == (50.0, 16.67, 0.0)
        before = len(server.requests)
        kit.run([*command, "--reuse"])
        assert len(server.requests) == before + 2, "only the lost one is asked again, twice"


def seen(request: Request) -> set[Any]:
    """The colours of the pictures of a request."""
    return {Image.open(BytesIO(data)).convert("RGB").getpixel((0, 0)) for data in request.images}


@pytest.mark.filterwarnings("ignore:.*is not the release as published")
def test_a_judge(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Local and --api-mode, evaluated again for nothing, and scored from the tables by `cogsight score`."""
    lego = fake_lego.release(kit.folder, per_task=2)
    env = {
        "COGSIGHT_LEGO_PUZZLES_DATA": str(lego),
        "COGSIGHT_ALLOW_CHANGED": "1",
        "COGSIGHT_CACHE": str(kit.folder / "cache"),
    }
    samples = read_release(lego, allow_changed=True)
    keys = {int(sample.id.rpartition("/")[2]): sample.answer for sample in samples}
    chatted = sorted(number for number in keys if number % 3)
    with StubServer(chatty.lego_model) as model, chatty.judge(keys, delay=0.1) as judge:
        asked = ["--base-url", model.url, "--key", "sk-of-the-model", "--retry", "1", "--judge-api-nproc", "4"]
        judged = ["--judge", chatty.MODEL, "--judge-base-url", judge.url, "--judge-key", chatty.KEY]
        data = ["--data", "LEGO_Puzzles", *asked]
        output = kit.run(
            [*data, "--model", "local", *judged],
            [*data, "--model", "local", *judged, "--mode", "eval", "--reuse"],
            [*data, "--model", "served", *judged, "--api-mode"],
            [*data, "--model", "local", "--judge", "exact_matching", "--mode", "eval", "--reuse"],
            **env,
        )
        assert len(model.requests) == 2 * len(keys)
        assert chatty.judged(judge) == chatted, "each reply once, in all four"
        assert 1 < judge.most_at_once <= 4
        for name, value in {**env, "COGSIGHT_JUDGE_BASE_URL": judge.url}.items():
            monkeypatch.setenv(name, value)
        scored = CliRunner().invoke(
            cli.app, ["score", str(kit.folder / "out"), "--judge", chatty.MODEL, "--out", str(kit.folder / "s")]
        )
        assert chatty.judged(judge) == chatted
    rules = kit.status("local", "LEGO_Puzzles")["metrics"]
    assert rules["Unparsed rate"] == pytest.approx(100 * len(chatted) / len(keys), abs=0.01)
    found = json.loads(kit.newest("local", "LEGO_Puzzles", "_by_grader_summary.json").read_text())
    again = json.loads(kit.newest("served", "LEGO_Puzzles", "_by_grader_summary.json").read_text())
    assert found["rows"] == again["rows"] and found["rows"][0]["judged"] == pytest.approx(len(chatted) / len(keys))
    overall = round(100 * found["rows"][0]["low"], 2)
    assert kit.status("served", "LEGO_Puzzles")["metrics"]["Overall"] == overall > rules["Overall"]
    assert f"the framework printed {overall:.2f} %, this is {overall:.2f} %: the same" in scored.output
    assert "against the log's own verdicts: 0 of 22 changed" in scored.output
    assert f"{len(chatted)} because of the judge: none → {chatty.MODEL}" in scored.output, (
        "the latest of local is by rules"
    )
    texts = {str(path): path.read_bytes().decode("latin-1") for path in kit.folder.rglob("*") if path.is_file()}
    texts |= {"run.py": output, "cogsight score": scored.output}
    assert {name for name, text in texts.items() if chatty.KEY in text} == set()


def test_a_bad_setting_ends_the_program_in_one_line(kit: Kit) -> None:
    """When a dataset of ours is asked for, and not before."""
    command = ["--data", "Stand_In", "--model", "cogsight_baseline_oracle"]
    output = kit.run(command, code=1, COGSIGHT_VIEW="foo")
    assert output.splitlines()[-1] == "cogsight: COGSIGHT_VIEW=foo: expected one of auto, images, collage"
    assert "did not join" not in output and "Traceback" not in output


def test_data_that_cannot_be_used_say_first_how_to_go_on(kit: Kit) -> None:
    changed = kit.folder / "LEGO.tsv"
    changed.write_text("index\tquestion\n1\tWhich?\n")
    command = ["--data", "LEGO_Puzzles", "--model", "cogsight_baseline_oracle"]
    output = kit.run(command, COGSIGHT_LEGO_PUZZLES_DATA=str(changed))
    message = kit.status("cogsight_baseline_oracle", "LEGO_Puzzles")["error_message"]
    assert (
        message.startswith("The way on: load the current release again") and "'cogsight: LEGO_Puzzles' above" in message
    )
    assert output.count(f"cogsight: LEGO_Puzzles: {changed}") == 1 and "During handling" not in output


def test_a_broken_benchmark_is_one_warning(tmp_path: Path) -> None:
    stand_in.install(tmp_path)
    (tmp_path / "stand_in.py").write_text("raise OSError('disk on fire')")
    code = "import vlmeval.dataset as d, vlmeval.config as c; print(len(d.SUPPORTED_DATASETS) > 400, *(name in d.SUPPORTED_DATASETS for name in ('LEGO_Puzzles', 'Stand_In')))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(tmp_path), "LMUData": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.stdout.splitlines()[-1] == "True True False", "neither the kit nor the other benchmarks suffer"
    assert done.stderr.count("UserWarning: cogsight") == 1 and "left out the benchmark stand_in" in done.stderr
    assert "disk on fire" in done.stderr


def test_generated_questions_with_all_baselines(kit: Kit) -> None:
    models = [f"cogsight_baseline_{policy}" for policy in ("oracle", "random", "unparsable", "silent")]
    output = kit.run(["--data", "LEGO_Puzzles_Lite_Procedural", "--model", *models])
    told = [kit.status(model, "LEGO_Puzzles_Lite_Procedural")["metrics"] for model in models]
    oracle, random, unparsable, silent = told
    assert (oracle["Overall"], oracle["Lost rate"]) == (100.0, 0.0), output
    assert (unparsable["Overall"], unparsable["Unparsed rate"]) == (0.0, 100.0)
    assert (silent["Overall"], silent["Lost rate"]) == (0.0, 0.0)
    summary = json.loads(kit.newest(models[1], "LEGO_Puzzles_Lite_Procedural", "_summary.json").read_text())
    overall = summary["rows"][0]
    assert overall["interval"]["low"] <= overall["chance"] <= overall["interval"]["high"]
    assert overall["low"] < overall["critical"] and random["Unparsed rate"] == 0.0
    assert summary["complete"] is True


@pytest.mark.skipif(
    not OFFICIAL.exists(), reason="the sample rows of the official release lie beside the checkout only"
)
def test_official_rows(kit: Kit) -> None:
    env = {"COGSIGHT_LEGO_PUZZLES_DATA": str(OFFICIAL), "COGSIGHT_ALLOW_CHANGED": "1"}
    output = kit.run(["--data", "LEGO_Puzzles", "--model", "cogsight_baseline_oracle"], **env)
    log = kit.log("cogsight_baseline_oracle", "LEGO_Puzzles")
    assert [line["points"] for line in log] == [1.0] * 3, output
    assert kit.status("cogsight_baseline_oracle", "LEGO_Puzzles")["metrics"]["Overall"] == 100.0
    assert "INCOMPLETE" in output, "three rows are not the benchmark"

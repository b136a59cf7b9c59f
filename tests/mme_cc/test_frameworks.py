"""A look-alike of the release through both frameworks' own commands: what is right scores 100, silence 0, and nothing is lost."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from fake_mme_cc import write_release
from runs import LMMS_EVAL, OFFLINE, Kit, Run, call

from cogsight.mme_cc.taxonomy import TASKS

pytestmark = pytest.mark.slow
POINTS = {"oracle": 100.0, "silent": 0.0, "unparsable": 0.0}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """The environment that names the look-alike, of 2 questions a file."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "MME-CC").mkdir()
    return {
        "COGSIGHT_MME_CC_DATA": str(write_release(folder / "MME-CC", per_subtask=2)),
        "COGSIGHT_ALLOW_CHANGED": "1",
        "COGSIGHT_CACHE": str(folder / "cache"),
    }


@pytest.mark.skipif(find_spec("lmms_eval") is None, reason="lmms-eval is not installed")
def test_lmms_eval(data: Mapping[str, str], tmp_path: Path) -> None:
    runs: list[dict[str, Any]] = [
        {
            "model": "cogsight_baseline",
            "model_args": f"policy={policy}",
            "tasks": "mme_cc",
            "batch_size": "1",
            "log_samples": True,
            "output_path": str(tmp_path / policy),
        }
        for policy in POINTS
    ]
    runs += [runs[0] | {"tasks": "mme_cc_describe_first", "output_path": str(tmp_path / "ablation")}]
    (tmp_path / "config.json").write_text(json.dumps(runs))
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COGSIGHT_", "HF_"))}
    call(
        [LMMS_EVAL, "eval", "--config", str(tmp_path / "config.json")],
        {**kept, **OFFLINE, **data, "HF_HOME": str(tmp_path / "hf")},
    )
    for policy, points in POINTS.items():
        results = Run(tmp_path / policy).results
        assert (results["accuracy"], results["complete"], results["lost"], results["unjudged"]) == (points, 1, 0, 0)
        assert {results[task] for task in TASKS} == {points}
    assert Run(tmp_path / "ablation").results["accuracy"] == 100


@pytest.mark.skipif(find_spec("vlmeval") is None, reason="VLMEvalKit (pip install ms-vlmeval) is not installed")
def test_vlmevalkit(data: Mapping[str, str], tmp_path: Path) -> None:
    kit = Kit(tmp_path, Path(data["COGSIGHT_CACHE"]), None)
    models = [f"cogsight_baseline_{policy}" for policy in POINTS]
    output = kit.run(["--data", "MME_CC", "--model", *models], **data)
    for model, points in zip(models, POINTS.values(), strict=True):
        metrics = kit.status(model, "MME_CC")["metrics"]
        assert metrics["Overall"] == points, output
        assert {metrics[task.title] for task in TASKS.values()} == {points}, metrics

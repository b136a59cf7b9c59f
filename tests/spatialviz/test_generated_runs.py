"""Generated questions through both frameworks' own commands: the oracle has 100, the random guesser is at chance, and everybody prints one number.

Three questions of each task (one a level, where there are three), kept in the cache in the place of the whole set.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import pytest
from runs import LMMS_EVAL, OFFLINE, Kit, Run, call
from typer.testing import CliRunner

from cogsight.shared import cli
from cogsight.shared.baselines import answer
from cogsight.shared.cache import dataset_dir
from cogsight.shared.results import open_run
from cogsight.spatialviz.benchmark import BENCHMARK, build, cache_key
from cogsight.spatialviz.taxonomy import SIZE, TASKS

pytestmark = pytest.mark.slow

VARIANTS = {variant.name: variant for variant in BENCHMARK.variants if variant.source == "procedural"}
MADE = VARIANTS["spatialviz_procedural"]
EACH = 3
NUMBER = EACH * len(TASKS)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COGSIGHT_CACHE", str(folder))
        patch.delenv("COGSIGHT_SEED", raising=False)
        dataset_dir(cache_key(MADE), lambda path: build(path, num_samples=EACH))
    return folder


@pytest.fixture
def guessed(cache: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """Sample id → 1 where the random guesser is right, else 0."""
    monkeypatch.setenv("COGSIGHT_CACHE", str(cache))
    monkeypatch.delenv("COGSIGHT_SEED", raising=False)
    asked = BENCHMARK.samples(MADE)
    found = {sample.id: float(answer(BENCHMARK, MADE, sample, "random") == sample.answer) for sample in asked}
    assert len(found) == NUMBER
    return found


def per_cent(points: Mapping[str, float]) -> float:
    return 100 * sum(points.values()) / len(points)


def check_scored(log: Path, out: Path, guessed: Mapping[str, float]) -> None:
    """`cogsight score` gives what the framework printed, question by question, and that is chance; but the set is not whole."""
    result = CliRunner().invoke(cli.app, ["score", str(log), "--out", str(out)], prog_name="cogsight")
    assert result.exit_code == 1 and f"{SIZE - NUMBER} of {SIZE} answers missing" in result.output, result.output
    printed = f"{per_cent(guessed):.2f} %"
    assert f"the framework printed {printed}, this is {printed}: the same" in result.output
    (folder,) = out.iterdir()
    scores = list(open_run(folder).scores())
    assert {score.sample_id: score.points for score in scores} == guessed
    overall = BENCHMARK.summarise(scores, MADE).rows[0]
    assert overall.interval.low <= overall.chance <= overall.interval.high


@pytest.mark.skipif(find_spec("lmms_eval") is None, reason="lmms-eval is not installed")
def test_lmms_eval(cache: Path, guessed: dict[str, float], tmp_path: Path) -> None:
    runs = {"oracle": {"model_args": "policy=oracle", "tasks": ",".join(VARIANTS)}, "random": {"tasks": MADE.name}}
    shared = {"model": "cogsight_baseline", "batch_size": "1", "log_samples": True}
    config = [shared | {"output_path": str(tmp_path / name)} | run for name, run in runs.items()]
    (tmp_path / "config.json").write_text(json.dumps(config))
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COGSIGHT_", "HF_"))}
    env = {**kept, **OFFLINE, "HF_HOME": str(tmp_path / "hf"), "COGSIGHT_CACHE": str(cache)}
    printed = call([LMMS_EVAL, "eval", "--config", str(tmp_path / "config.json")], env)
    (oracle,) = (tmp_path / "oracle").rglob("*_results.json")
    found = json.loads(oracle.read_text())["results"]
    assert {name: own["accuracy,none"] for name, own in found.items()} == dict.fromkeys(VARIANTS, 100.0), printed
    random = Run(tmp_path / "random").results
    assert random["accuracy"] == pytest.approx(per_cent(guessed))
    assert (random["unparsed"], random["lost"]) == (0.0, 0.0)
    check_scored(tmp_path / "random", tmp_path / "scores", guessed)


@pytest.mark.skipif(find_spec("vlmeval") is None, reason="VLMEvalKit (pip install ms-vlmeval) is not installed")
def test_vlmevalkit(cache: Path, guessed: dict[str, float], tmp_path: Path) -> None:
    oracle, random = "cogsight_baseline_oracle", "cogsight_baseline_random"
    kit = Kit(tmp_path, cache, None)
    data = ["SpatialViz_Procedural", *(f"SpatialViz_{name}_Procedural" for name in ("Direct", "Boxed", "Text_Only"))]
    output = kit.run(["--data", *data, "--model", oracle], ["--data", data[0], "--model", random])
    assert {name: kit.status(oracle, name)["metrics"]["Overall"] for name in data} == dict.fromkeys(data, 100.0), output
    found = kit.status(random, data[0])["metrics"]
    assert (found["Overall"], found["Unparsed rate"], found["Lost rate"]) == (round(per_cent(guessed), 2), 0.0, 0.0)
    check_scored(tmp_path / "out" / random, tmp_path / "scores", guessed)

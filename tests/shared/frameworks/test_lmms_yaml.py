"""The task files are what the variants table says, and lmms-eval can load them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from cogsight.shared import registry
from cogsight.shared.benchmark import Benchmark
from cogsight.shared.frameworks.lmms.yaml import task_files

yaml = pytest.importorskip("yaml")

BENCHMARKS = list(registry.benchmarks().values())
FILES = [(benchmark, path) for benchmark in BENCHMARKS for path in task_files(benchmark)]


@pytest.mark.parametrize("benchmark", BENCHMARKS, ids=lambda benchmark: benchmark.name)
def test_files_are_up_to_date(benchmark: Benchmark) -> None:
    wanted = task_files(benchmark)
    folder = next(iter(wanted)).parent
    there = {path: path.read_text(encoding="utf-8") for path in folder.glob("*.yaml")}
    assert there == wanted, "run: python -m cogsight.shared.frameworks.lmms.yaml"


def load(path: Path) -> dict[str, Any]:
    """As lmms-eval loads a task file: `!function a.b` is attribute b of module a."""

    class Loader(yaml.SafeLoader):  # type: ignore[misc,name-defined]
        pass

    def function(loader: Any, node: Any) -> Callable[..., Any]:
        module, _, name = loader.construct_scalar(node).rpartition(".")
        found: Callable[..., Any] = getattr(import_module(module), name)
        return found

    Loader.add_constructor("!function", function)
    config: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), Loader)
    return config


@pytest.mark.parametrize(("benchmark", "path"), FILES, ids=[path.stem for _, path in FILES])
def test_what_a_file_asks_of_lmms_eval(benchmark: Benchmark, path: Path) -> None:
    config = load(path)
    variant = benchmark.variant(path.stem)
    assert config["task"] == path.stem
    assert config["dataset_kwargs"]["data_files"]["test"] == path.name, (
        "the stub that lmms-eval loads is the file itself"
    )
    functions = [value for value in config.values() if callable(value)]
    assert len(functions) == 5
    assert all(function.keywords == {"variant": variant.name} for function in functions)
    assert config["generation_kwargs"] == {
        "until": [],
        "max_new_tokens": variant.max_new_tokens,
        "do_sample": False,
        "temperature": 0,
        **({"max_agentic_steps": variant.turns} if variant.packed else {}),
    }
    assert config["output_type"] == ("generate_until_agentic" if variant.packed else "generate_until")
    assert config["num_fewshot"] == 0, "without it, --num_fewshot 2 ends with an AttributeError"
    assert config["reasoning_tags"] == "none"
    metrics = [entry["metric"] for entry in config["metric_list"]]
    assert metrics == ["accuracy", "complete", *benchmark.asked(variant), "lost", "unjudged", "truncated", "unparsed"]
    assert config["metadata"] == {"version": benchmark.version}

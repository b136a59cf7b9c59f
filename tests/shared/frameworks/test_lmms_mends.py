"""Faults of lmms-eval, on stand-ins of its modules: each is mended once, for our tasks, and only where it is there."""

from __future__ import annotations

import json
import warnings
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chatty
import pytest
import toy

from cogsight.shared import registry
from cogsight.shared.frameworks.lmms import mends


def loaded() -> dict[str, Any]:
    class ResponseCache:
        def __init__(self) -> None:
            self.kept: list[Any] = []

        def _store(
            self,
            cache_key: str,
            request_type: str,
            task_name: str,
            doc_id: int,
            idx: int,
            gen_kwargs: Any,
            response: Any,
        ) -> None:
            self.kept.append((task_name, response))

    class EvaluationTracker:
        def __init__(self) -> None:
            self.written: list[str] = []

        def save_results_samples(self, task_name: str, samples: Any) -> None:
            for sample in samples:
                self.written.append(json.dumps(sample, ensure_ascii=False).encode().decode())

    def _enable_reentrant_filelocks() -> None:
        """lmms-eval looks for `_patched` on this very function."""

    return {
        "lmms_eval.evaluator": SimpleNamespace(
            _enable_reentrant_filelocks=_enable_reentrant_filelocks, simple_evaluate=lambda **given: given["tasks"]
        ),
        "lmms_eval.caching.response_cache": SimpleNamespace(ResponseCache=ResponseCache),
        "lmms_eval.loggers.evaluation_tracker": SimpleNamespace(EvaluationTracker=EvaluationTracker),
    }


@pytest.mark.parametrize("has_api", [True, False])
def test_filelock_is_mended_where_it_must_be(has_api: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    modules = loaded()
    monkeypatch.setattr(mends, "find_spec", lambda name: object() if has_api else None)
    mends.mend(modules)
    patched = getattr(modules["lmms_eval.evaluator"]._enable_reentrant_filelocks, "_patched", False)
    assert patched is not has_api


def test_failed_requests_of_ours_stay_out_of_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    modules = loaded()
    mends.mend(modules)
    mends.mend(modules)
    cache = modules["lmms_eval.caching.response_cache"].ResponseCache()
    failure = "[LMMS_EVAL_REQUEST_FAILED after 1 retries] boom"
    with toy.alone(monkeypatch, tmp_path):
        for task in ("toy_procedural", "mme"):
            for response in (failure, "B"):
                cache._store("key", "generate_until", task, 0, 0, {}, response=response)
    assert cache.kept == [("toy_procedural", "B"), ("mme", failure), ("mme", "B")]


def test_tasks_of_ours_have_their_other_names_too() -> None:
    """Else the cache would serve failures of the task `cogsight_mme_cc` for ever."""
    aliases = {variant.alias for _, variant in registry.variants()} - {""}
    assert aliases and aliases <= mends._our_names()


def test_half_a_surrogate_pair_does_not_end_our_sample_logs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    modules = loaded()
    mends.mend(modules)
    mends.mend(modules)
    tracker = modules["lmms_eval.loggers.evaluation_tracker"].EvaluationTracker()
    samples = [
        {"filtered_resps": ["B \ud800"], "cogsight": {"reply": "B \ud800"}, "doc_id": 0},
        {"filtered_resps": ["ü"]},
    ]
    with toy.alone(monkeypatch, tmp_path):
        tracker.save_results_samples(task_name="toy_procedural", samples=samples)
        with pytest.raises(UnicodeEncodeError):
            tracker.save_results_samples("mme", samples)
    assert list(map(json.loads, tracker.written)) == [
        {"filtered_resps": ["B �"], "cogsight": {"reply": "B �"}, "doc_id": 0},
        {"filtered_resps": ["ü"]},
    ]


def test_a_broken_benchmark_does_not_spoil_the_cache_of_other_tasks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    modules = loaded()
    mends.mend(modules)
    cache = modules["lmms_eval.caching.response_cache"].ResponseCache()
    with toy.alone(monkeypatch, tmp_path):
        broken = EntryPoint("broken", "no_such_package.bench:BENCHMARK", "cogsight.benchmarks")
        monkeypatch.setattr(registry, "entry_points", lambda group: [broken])
        with pytest.warns(UserWarning, match="cogsight left out the benchmark broken"):
            cache._store("key", "generate_until", "mme", 0, 0, {}, response="B")
    assert cache.kept == [("mme", "B")]


@pytest.mark.parametrize(
    ("found", "asked", "evaluated"),
    [
        ([], "toy_procedural", ["toy_procedural"]),
        ([], "mme", []),
        (["mme"], "toy_procedural", ["mme"]),
        (["toy_procedural"], None, ["toy_procedural"]),
    ],
)
def test_our_task_is_meant_even_where_a_folder_has_its_name(
    found: list[str], asked: str | None, evaluated: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    modules = loaded()
    mends.mend(modules)
    mends.mend(modules)
    cli_args = None if asked is None else SimpleNamespace(tasks=asked)
    with toy.alone(monkeypatch, tmp_path):
        assert modules["lmms_eval.evaluator"].simple_evaluate(tasks=found, cli_args=cli_args) == evaluated


def test_nothing_to_mend_before_the_evaluator_is_loaded() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mends.mend({})


@pytest.mark.parametrize(("model", "named"), [("grader", "grader"), ("none", "none"), (None, "none")])
def test_the_results_say_which_judge_was_named(
    model: str | None, named: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    chatty.name(monkeypatch, "http://127.0.0.1:1/v1")
    monkeypatch.setenv("COGSIGHT_JUDGE_MODEL", model) if model else chatty.forget(monkeypatch)
    modules = loaded()
    results = {"configs": {"toy_procedural": {"metadata": {"version": "1-A"}}, "mme": {"metadata": {}}}}
    modules["lmms_eval.evaluator"].simple_evaluate = lambda **given: given["returned"]
    mends.mend(modules)
    with toy.alone(monkeypatch, tmp_path):
        modules["lmms_eval.evaluator"].simple_evaluate(returned=results)
        assert modules["lmms_eval.evaluator"].simple_evaluate(returned=None) is None, "as on other ranks"
    assert results["configs"] == {
        "toy_procedural": {"metadata": {"version": "1-A", "judge": named}},
        "mme": {"metadata": {}},
    }

"""Five faults of lmms-eval 0.7.3, mended when a TaskManager is made: its evaluator is loaded then, as in any evaluation.

Besides, dialogues go in step, and its results get to say which judge was named.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from typing import Any

from ...messages import well_formed
from ...registry import get, variants
from ...table import NO_JUDGE
from ...variants import lmms_eval_name
from ..judges import judge_of
from .replies import is_failure

PATCHED = "_cogsight_patched"
"""Marks what has been patched."""
LOOP = "_run_generate_until_agentic"
"""lmms-eval's function for tasks that ask more than once."""
MERGED = ".merged"
"""By this file lmms-eval marks the folder of a run that is part of the cache."""

Function = Callable[..., Any]


def mend(loaded: Mapping[str, Any]) -> None:
    """Mend what `loaded` (`sys.modules`) has of lmms-eval. Idempotent."""
    evaluator, caching = loaded.get("lmms_eval.evaluator"), loaded.get("lmms_eval.caching.response_cache")
    tracking = loaded.get("lmms_eval.loggers.evaluation_tracker")
    if evaluator is not None and not hasattr(evaluator, PATCHED):
        setattr(evaluator, PATCHED, True)
        _skip_filelock_patch(evaluator)
        evaluator.simple_evaluate = _with_judge_named(_with_named_task(evaluator.simple_evaluate))
        if hasattr(evaluator, LOOP):
            from .dialogues import in_step

            setattr(evaluator, LOOP, in_step(getattr(evaluator, LOOP)))
    if tracking is not None and not hasattr(tracking.EvaluationTracker, PATCHED):
        setattr(tracking.EvaluationTracker, PATCHED, True)
        tracking.EvaluationTracker.save_results_samples = _well_formed(tracking.EvaluationTracker.save_results_samples)
    if caching is not None and not hasattr(caching.ResponseCache, PATCHED):
        setattr(caching.ResponseCache, PATCHED, True)
        caching.ResponseCache._store = _without_failures(caching.ResponseCache._store)
        if hasattr(caching.ResponseCache, "create"):
            caching.ResponseCache.create = _with_interrupted(caching.ResponseCache)


def _skip_filelock_patch(evaluator: Any) -> None:
    """lmms-eval patches `filelock._api`, which filelock 4.3 no longer has: every evaluation would end there."""
    if find_spec("filelock._api") is None:
        evaluator._enable_reentrant_filelocks._patched = True


def _with_named_task(original: Function) -> Function:
    """`--tasks lego_puzzles` means the task, also where there is a folder of that name, as in a checkout of ours.

    lmms-eval takes it for a folder of task files then, and finds none.
    """

    @wraps(original)
    def simple_evaluate(*args: Any, **kwargs: Any) -> Any:
        name = getattr(kwargs.get("cli_args"), "tasks", None)
        if kwargs.get("tasks") == [] and name in _our_names():
            kwargs["tasks"] = [name]
        return original(*args, **kwargs)

    return simple_evaluate


def _with_judge_named(original: Function) -> Function:
    """The results file says which judge was named, as a part of each task's metadata.

    Only now: lmms-eval's cache of the model's replies looks at the metadata of a task that is loaded.
    """

    @wraps(original)
    def simple_evaluate(*args: Any, **kwargs: Any) -> Any:
        results = original(*args, **kwargs)
        configs = results.get("configs", {}) if isinstance(results, dict) else {}  # only the first rank gets results
        for name in configs.keys() & _our_names():
            judge = judge_of(get(name))
            configs[name]["metadata"] |= {"judge": judge.model if judge else NO_JUDGE}
        return results

    return simple_evaluate


def _without_failures(original: Function) -> Function:
    """--use_cache keeps the text that stands for a failed request, and would serve it for ever: we ask again."""

    @wraps(original)
    def store(self: Any, *args: Any, **kwargs: Any) -> None:
        given = signature(original).bind(self, *args, **kwargs).arguments
        if not (given["task_name"] in _our_names() and is_failure(given["response"])):
            original(self, *args, **kwargs)

    return store


def _well_formed(original: Function) -> Function:
    """The sample log is written to its end: lmms-eval stops at the first reply with half a surrogate pair."""

    @wraps(original)
    def save_results_samples(self: Any, *args: Any, **kwargs: Any) -> Any:
        given = signature(original).bind(self, *args, **kwargs)
        if given.arguments["task_name"] in _our_names():
            given.arguments["samples"] = [_mended(sample) for sample in given.arguments["samples"]]
        return original(*given.args, **given.kwargs)

    return save_results_samples


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, dict):
        return {name: _mended(own) for name, own in value.items()}
    return list(map(_mended, value)) if isinstance(value, list | tuple) else value


def _with_interrupted(cache: Any) -> Function:
    """--use_cache knows what runs that were killed have stored: lmms-eval keeps it apart until a run ends, and never looks there.

    Not with several ranks, of which others may be reading while the first writes; torchrun lets them find their own again.
    """

    original: Function = cache.create

    @wraps(original)
    def create(cache_root: str, **kwargs: Any) -> Any:
        if kwargs.get("world_size", 1) == 1 and kwargs.get("task_dict", {}).keys() & _our_names():
            root = Path(cache_root)
            root = root.parent if root.suffix == ".db" else root
            left = [
                rank for run in root.glob("runs/*") for rank in run.glob("rank_*.db") if not (run / MERGED).exists()
            ]
            if left:
                cache.merge_shards(sorted(map(str, left)), str(root / "cache.db"))
        return original(cache_root, **kwargs)

    return create


def _our_names() -> set[str]:
    return {name for _, variant in variants() for name in (lmms_eval_name(variant), variant.alias) if name}

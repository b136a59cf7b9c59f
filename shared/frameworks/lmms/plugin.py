"""Joins lmms-eval: every TaskManager finds our tasks, and `cogsight_baseline` is among the models.

lmms-eval has no entry point for tasks, so its TaskManager is patched, from whichever side comes first: the import hook, right
after `lmms_eval.tasks` has run, or lmms-eval's entry point for models, which works where `.pth` files are not read.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import cache, wraps
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from ...errors import CogsightError
from ...settings import no_hook, settings
from .mends import PATCHED, mend
from .tasks import bind

MODEL = "cogsight_baseline"

Index = dict[str, dict[str, Any]]
"""lmms-eval's: task, group or tag name → its type and YAML file."""
Function = Callable[..., Any]


def register(module: ModuleType) -> None:
    """Patch `lmms_eval.tasks.TaskManager`. Idempotent."""
    manager = module.TaskManager
    if hasattr(manager, PATCHED):
        return
    manager.initialize_tasks = _with_our_tasks(manager.initialize_tasks)
    manager.load_task_or_group = _with_views(manager.load_task_or_group)
    setattr(manager, PATCHED, True)


def models() -> list[Any]:
    """The entry point of group `lmms_eval.models`: manifests of our models. Also joins the tasks.

    Never raises: lmms-eval stops reading other plug-ins at the first that does.
    """
    if no_hook():
        return []
    try:
        import lmms_eval.tasks
        from lmms_eval.models.registry_v2 import ModelManifest

        register(lmms_eval.tasks)
    except Exception as error:  # noqa: BLE001 - see above
        _warn(repr(error))
        return []
    home = f"{__package__}.baseline"
    chat, simple = f"{home}.ChatBaseline", f"{home}.SimpleBaseline"
    return [ModelManifest(model_id=MODEL, chat_class_path=chat, simple_class_path=simple)]


def task_dirs() -> Iterator[Path]:
    """The folder `lmms_tasks` of each registered benchmark that has one. Imports no benchmark, but the package that it is in."""
    for point in entry_points(group="cogsight.benchmarks"):
        try:
            spec = find_spec(point.module)
        except Exception as error:  # noqa: BLE001 - a broken package must not take the others' tasks down
            _warn(f"{point.name}: {error!r}")
            continue
        folder = Path(spec.origin).parent / "lmms_tasks" if spec and spec.origin else None
        if folder is not None and folder.is_dir():
            yield folder


def _with_our_tasks(original: Function) -> Function:
    """An explicit --include_path beats ours; ours beat what lmms-eval brings, unless COGSIGHT_KEEP_BUILTIN is set."""

    @wraps(original)
    def initialize_tasks(self: Any, include_path: Any = None, include_defaults: bool = True) -> Index:
        index: Index = original(self, include_path=include_path, include_defaults=include_defaults)
        if not include_defaults:
            return index
        try:
            mend(sys.modules)
            ours = _merge(self._get_task_and_group(str(folder)) for folder in task_dirs())
            paths = [include_path] if isinstance(include_path, str) else include_path or []
            kept = set(_merge(map(self._get_task_and_group, paths)))
            kept |= set(index) if _keeps_builtin() else set()
        except Exception as error:  # noqa: BLE001 - whatever is wrong with us, lmms-eval's own tasks must run
            _warn(repr(error))
            return index
        ours = {name: entry for name, entry in ours.items() if name not in kept}
        self.replaced_by_cogsight = {name: index[name]["yaml_path"] for name in ours if name in index}
        return index | ours

    return initialize_tasks


def _with_views(original: Function) -> Function:
    """Our tasks learn whether the model is a chat model, which decides what it is shown; replaced built-ins are named."""

    @wraps(original)
    def load_task_or_group(self: Any, task_list: Any = None, task_type: str = "simple") -> dict[Any, Any]:
        replaced = getattr(self, "replaced_by_cogsight", {})
        for name in [task_list] if isinstance(task_list, str) else task_list or []:
            if isinstance(name, str) and (path := replaced.pop(name, None)):
                self.logger.warning(
                    f"{name} is cogsight's task, not the one that lmms-eval brings ({path}); "
                    "COGSIGHT_KEEP_BUILTIN=1 turns that round"
                )
        loaded: dict[Any, Any] = original(self, task_list=task_list, task_type=task_type)
        for task in _leaves(loaded):
            bind(task, task_type)
        return loaded

    return load_task_or_group


def _keeps_builtin() -> bool:
    """A setting that cannot be used must not cost us our tasks: whoever runs one of them is told then."""
    try:
        return settings().keep_builtin
    except CogsightError:
        return False


def _merge(indices: Any) -> Index:
    return {name: entry for index in indices for name, entry in index.items()}


def _leaves(loaded: Mapping[Any, Any]) -> Iterator[Any]:
    for value in loaded.values():
        if isinstance(value, Mapping):
            yield from _leaves(value)
        else:
            yield value


@cache
def _warn(text: str) -> None:
    """Once per process, and in spite of lmms_eval.utils, which silences all warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn(f"cogsight did not join lmms-eval: {text}; run: cogsight doctor", stacklevel=3)

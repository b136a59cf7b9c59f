"""Joining lmms-eval, on a stand-in of its TaskManager: who wins a name, what is said, and that we never break it."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import toy

from cogsight.shared import registry
from cogsight.shared.frameworks.lmms import plugin
from cogsight.shared.frameworks.lmms.mends import PATCHED

BUILTIN = {"mme": "lmms_eval/tasks/mme.yaml", "mmmu": "lmms_eval/tasks/mmmu.yaml"}


class Manager:
    """As much of lmms_eval.tasks.TaskManager 0.7.3 as the patch touches: the first path with a name wins."""

    def __init__(self, include_path: Any = None, include_defaults: bool = True) -> None:
        self.warnings: list[str] = []
        self.logger = SimpleNamespace(warning=self.warnings.append)
        self.index = self.initialize_tasks(include_path=include_path, include_defaults=include_defaults)

    def initialize_tasks(self, include_path: Any = None, include_defaults: bool = True) -> dict[str, Any]:
        index = {name: {"yaml_path": path} for name, path in BUILTIN.items()} if include_defaults else {}
        for folder in [include_path] if isinstance(include_path, str) else include_path or []:
            index = {**self._get_task_and_group(folder), **index}
        return index

    def load_task_or_group(self, task_list: Any = None, task_type: str = "simple") -> dict[str, Any]:
        names = [task_list] if isinstance(task_list, str) else task_list
        return {"group": {name: SimpleNamespace(config=SimpleNamespace(process_results=None)) for name in names}}

    def _get_task_and_group(self, folder: str) -> dict[str, Any]:
        return {path.stem: {"yaml_path": str(path)} for path in sorted(Path(folder).glob("*.yaml"))}


@pytest.fixture
def manager(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[type[Any]]:
    """A patched TaskManager; our one folder holds `ours.yaml` and `mme.yaml`, which is a built-in too."""
    folder(tmp_path / "ours", "ours", "mme")
    monkeypatch.setattr(plugin, "task_dirs", lambda: [tmp_path / "ours"])
    monkeypatch.delenv("COGSIGHT_KEEP_BUILTIN", raising=False)
    patched = type("Manager", (Manager,), dict(Manager.__dict__))
    plugin.register(SimpleNamespace(TaskManager=patched))  # type: ignore[arg-type]
    with toy.alone(monkeypatch, tmp_path):
        yield patched


def folder(path: Path, *names: str) -> str:
    path.mkdir()
    for name in names:
        (path / f"{name}.yaml").touch()
    return str(path)


def test_our_tasks_are_there_and_win(manager: type[Any], tmp_path: Path) -> None:
    index = manager().index
    assert index["ours"]["yaml_path"] == str(tmp_path / "ours" / "ours.yaml")
    assert index["mme"]["yaml_path"] == str(tmp_path / "ours" / "mme.yaml")
    assert index["mmmu"]["yaml_path"] == BUILTIN["mmmu"]


def test_what_the_user_includes_wins(manager: type[Any], tmp_path: Path) -> None:
    mine = folder(tmp_path / "mine", "ours")
    for include in (mine, [mine]):
        assert manager(include_path=include).index["ours"]["yaml_path"] == f"{mine}/ours.yaml"


def test_without_defaults_we_keep_out(manager: type[Any]) -> None:
    assert manager(include_defaults=False).index == {}


def test_builtins_can_be_kept(manager: type[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGSIGHT_KEEP_BUILTIN", "1")
    index = manager().index
    assert index["mme"]["yaml_path"] == BUILTIN["mme"]
    assert "ours" in index


def test_a_replaced_builtin_is_named_once_when_it_is_selected(manager: type[Any]) -> None:
    tasks = manager()
    assert tasks.warnings == []
    tasks.load_task_or_group(["ours", "mmmu"])
    assert tasks.warnings == []
    for _ in range(2):
        tasks.load_task_or_group("mme")
    (warning,) = tasks.warnings
    assert "mme is cogsight's task" in warning
    assert BUILTIN["mme"] in warning
    assert "COGSIGHT_KEEP_BUILTIN=1" in warning


def test_registering_twice_patches_once(manager: type[Any]) -> None:
    before = manager.initialize_tasks
    plugin.register(SimpleNamespace(TaskManager=manager))  # type: ignore[arg-type]
    assert manager.initialize_tasks is before


@pytest.mark.parametrize("name", ["COGSIGHT_KEEP_BUILTIN", "COGSIGHT_ALLOW_CHANGED", "COGSIGHT_VIEW"])
def test_a_bad_setting_does_not_take_our_tasks_down(
    name: str, manager: type[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "perhaps")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        index = manager().index
    assert "ours" in index
    assert index["mme"]["yaml_path"] != BUILTIN["mme"]


def test_our_failure_is_one_warning(manager: type[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin, "task_dirs", lambda: 1 / 0)
    plugin._warn.cache_clear()
    with pytest.warns(UserWarning, match="cogsight did not join lmms-eval") as caught:
        warnings.simplefilter("ignore")  # as lmms_eval.utils does
        assert set(manager().index) == set(manager().index) == set(BUILTIN)
    assert len(caught) == 1


def test_every_registered_benchmark_has_its_folder() -> None:
    found = {path.stem for folder in plugin.task_dirs() for path in folder.glob("*.yaml")}
    assert found == {name for _, variant in registry.variants() for name in (variant.name, variant.alias) if name}


def test_a_broken_package_takes_no_other_tasks_down(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "on_fire").mkdir()
    (tmp_path / "on_fire" / "__init__.py").write_text("raise OSError('disk on fire')")
    monkeypatch.syspath_prepend(tmp_path)
    broken = EntryPoint("broken", "on_fire.bench:BENCHMARK", "cogsight.benchmarks")
    installed = [broken, *entry_points(group="cogsight.benchmarks")]
    monkeypatch.setattr(plugin, "entry_points", lambda group: installed)
    plugin._warn.cache_clear()
    with pytest.warns(UserWarning, match="broken: OSError.*disk on fire"):
        assert {folder.parent.name for folder in plugin.task_dirs()} == set(registry.benchmarks())


def test_the_entry_point_joins_and_brings_the_baselines(monkeypatch: pytest.MonkeyPatch) -> None:
    framework = stand_in(monkeypatch)
    monkeypatch.delenv("COGSIGHT_NO_HOOK", raising=False)
    (manifest,) = plugin.models()
    assert manifest.model_id == "cogsight_baseline"
    assert hasattr(framework.TaskManager, PATCHED)


def test_the_entry_point_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    framework = stand_in(monkeypatch)
    monkeypatch.setenv("COGSIGHT_NO_HOOK", "1")
    assert plugin.models() == []
    assert not hasattr(framework.TaskManager, PATCHED)


def test_the_entry_point_never_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch)
    plugin._warn.cache_clear()
    monkeypatch.delattr(sys.modules["lmms_eval.tasks"], "TaskManager")
    with pytest.warns(UserWarning, match="cogsight did not join lmms-eval: AttributeError"):
        assert plugin.models() == []


def stand_in(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Puts modules in lmms-eval's place, and returns its `tasks`."""
    names = ("lmms_eval", "lmms_eval.tasks", "lmms_eval.models", "lmms_eval.models.registry_v2")
    modules: dict[str, Any] = {name: ModuleType(name) for name in names}
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(modules[parent], child, module)
    modules["lmms_eval.tasks"].TaskManager = type("Manager", (Manager,), dict(Manager.__dict__))
    modules["lmms_eval.models.registry_v2"].ModelManifest = SimpleNamespace
    return modules["lmms_eval.tasks"]

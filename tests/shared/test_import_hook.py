"""The start-up hook, on stand-in frameworks: it joins them once, can be switched off, and never breaks them."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

PLUGIN = "cogsight.shared.frameworks.lmms.plugin"


@pytest.fixture
def framework(tmp_path: Path) -> Path:
    """A package `lmms_eval` with the one module that the hook waits for."""
    package = tmp_path / "lmms_eval"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "tasks.py").write_text("LOADED = True\n")
    return tmp_path


def run(folder: Path, code: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run code with the stand-in framework first on the path and a plug-in that records its calls."""
    setup = f"""
        import sys, types
        sys.path.insert(0, {str(folder)!r})
        import cogsight.shared.import_hook as hook
        calls = []
        plugin = types.ModuleType({PLUGIN!r})
        plugin.register = lambda module: calls.append(module.__name__)
        sys.modules[{PLUGIN!r}] = plugin
    """
    script = textwrap.dedent(setup) + textwrap.dedent(code)
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env={"PATH": "", **env})


def test_registers_once_after_the_module_has_run(framework: Path) -> None:
    result = run(framework, "import lmms_eval.tasks, lmms_eval.tasks as t; assert t.LOADED; print(calls)")
    assert (result.stdout, result.stderr) == ("['lmms_eval.tasks']\n", "")


def test_installing_twice_and_late_registers_once(framework: Path) -> None:
    code = """
        sys.meta_path[:] = [f for f in sys.meta_path if type(f).__name__ != "Finder"]
        import lmms_eval.tasks
        assert calls == []
        hook.install(); hook.install()
        print(calls)
    """
    assert run(framework, code).stdout == "['lmms_eval.tasks']\n"


def test_can_be_switched_off(framework: Path) -> None:
    code = "import lmms_eval.tasks; print(calls)"
    assert run(framework, code, COGSIGHT_NO_HOOK="1").stdout == "[]\n"
    assert run(framework, code, COGSIGHT_NO_HOOK="0").stdout == "['lmms_eval.tasks']\n"


def test_a_failing_plugin_is_one_warning(framework: Path) -> None:
    code = """
        plugin.register = lambda module: 1 / 0
        import lmms_eval.tasks
        print(lmms_eval.tasks.LOADED)
    """
    result = run(framework, code)
    assert result.stdout == "True\n"
    assert result.stderr.count("cogsight did not join lmms_eval: ZeroDivisionError") == 1


def test_an_absent_framework_stays_absent(tmp_path: Path) -> None:
    code = """
        sys.modules.pop("lmms_eval", None)
        import importlib.util
        sys.path[:] = [p for p in sys.path if "site-packages" not in p]
        try:
            import lmms_eval.tasks
        except ModuleNotFoundError as error:
            print(error.name, calls)
    """
    assert run(tmp_path, code).stdout == "lmms_eval []\n"

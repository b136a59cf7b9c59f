"""`cogsight doctor`: every fault is found, told with a way out, and makes the exit code 1; what is right raises no alarm."""

from __future__ import annotations

import hashlib
import json
import os
import site
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import pytest
import toy
from typer.testing import CliRunner

from cogsight.shared import cli, registry
from cogsight.shared.commands import checks, doctor
from cogsight.shared.commands.checks import Finding, Framework, Level
from cogsight.shared.errors import CogsightError
from cogsight.shared.fetch import Release

TITLE = "Toy Framework"
FRAMEWORK = Framework(TITLE, "lmms_eval", ("toy-framework",), "toy", {})
DATA = b"index\tquestion\n"
RELEASE = Release(
    "toy", "toy.tsv", hashlib.md5(DATA).hexdigest(), "2026-01-01", {"1" * 32: "2025"}, "a/b", "http://x/y"
)


@pytest.fixture(autouse=True)
def only_the_toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    for name in [name for name in os.environ if name.startswith("COGSIGHT_")]:
        monkeypatch.delenv(name)
    with toy.alone(monkeypatch, tmp_path / "cache", toy.made(release=RELEASE)):
        yield


def levels(check: Callable[[], Iterator[Finding]]) -> list[Level]:
    return [finding.level for finding in check()]


def only(check: Callable[[], Iterator[Finding]]) -> Finding:
    (finding,) = check()
    return finding


def test_the_hook_is_active(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, checks.HOOK, ModuleType("hook"))
    assert only(checks.hook).level is Level.OK
    monkeypatch.setenv("COGSIGHT_NO_HOOK", "1")
    assert "COGSIGHT_NO_HOOK" in only(checks.hook).text


def test_why_the_hook_is_not_active(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delitem(sys.modules, checks.HOOK, raising=False)
    monkeypatch.setattr(site, "getsitepackages", lambda: [str(tmp_path)])
    monkeypatch.setattr(site, "ENABLE_USER_SITE", False)
    absent = only(checks.hook)
    assert absent.level is Level.FAULT
    assert f"no cogsight.pth in {tmp_path}" in absent.text
    assert "cogsight exec" in absent.mend
    (tmp_path / "cogsight.pth").touch()
    assert "did not run" in only(checks.hook).text


def test_why_the_hook_is_not_active_under_python_s(tmp_path: Path) -> None:
    path = toy.as_target(tmp_path / "target")
    code = f"import sys; sys.path[:] = {path!r}; from cogsight.shared.commands.checks import hook; print(*hook())"
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert "python -S reads no start-up files" in done.stdout
    assert "cogsight exec" in done.stdout


def test_requirements(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        checks, "requires", lambda _: ["pillow>=9", "rich", "pytest>=999", "no-such-x", 'y; extra == "dev"']
    )
    found = {finding.topic: finding for finding in checks.requirements()}
    assert {topic: finding.level for topic, finding in found.items()} == {
        "pillow": Level.OK,
        "pytest": Level.FAULT,
        "no-such-x": Level.FAULT,
    }
    assert found["pytest"].mend == "pip install 'pytest>=999'"
    assert "not installed" in found["no-such-x"].text


def test_a_module_that_a_framework_needs() -> None:
    needy = replace(FRAMEWORK, needs={"filelock._api_of_old": "every run ends", "json.decoder": "never"})
    (finding,) = checks._needs(needy)
    assert (finding.level, finding.text) == (Level.FAULT, "no filelock._api_of_old: every run ends")
    assert finding.mend == "pip install 'cogsight[toy]'"


def test_a_module_that_our_plug_in_makes_up_for(monkeypatch: pytest.MonkeyPatch) -> None:
    needy = replace(
        FRAMEWORK, needs={"filelock._api_of_old": "every run ends"}, mended=frozenset({"filelock._api_of_old"})
    )
    assert checks.FRAMEWORKS[0].mended == set(checks.FRAMEWORKS[0].needs) == {"filelock._api"}
    monkeypatch.setitem(sys.modules, checks.HOOK, ModuleType("hook"))
    (finding,) = checks._needs(needy)
    assert (finding.level, finding.text) == (
        Level.NOTE,
        "no filelock._api_of_old: every run ends; cogsight mends that as it joins",
    )
    monkeypatch.setenv("COGSIGHT_NO_HOOK", "1")
    (finding,) = checks._needs(needy)
    assert (finding.level, finding.text) == (Level.FAULT, "no filelock._api_of_old: every run ends")


def test_a_bad_setting_is_one_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGSIGHT_ALLOW_CHANGED", "yes")
    found = [finding for check in (checks.environment, checks.cache, checks.data) for finding in doctor.findings(check)]
    assert [finding.text for finding in found if finding.level is Level.FAULT] == [
        "COGSIGHT_ALLOW_CHANGED=yes: expected 0 or 1"
    ]
    assert [finding.topic for finding in found if finding.text.startswith("not checked")] == ["cache", "data"]


def judged(answer: object) -> list[Finding]:
    return list(checks._findings(FRAMEWORK, answer))  # type: ignore[arg-type]


def test_what_a_framework_answers() -> None:
    there = {"installed": True, "path": "/x", "complaints": ["cogsight did not join"]}
    assert [finding.level for finding in judged({"installed": False})] == [Level.NOTE]
    assert [finding.level for finding in judged({"error": "ImportError: torch"})] == [Level.FAULT]
    assert [finding.level for finding in judged(there | {"names": ["toy_procedural", "other"]})] == [Level.OK, Level.OK]
    version, unknown = judged(there | {"names": ["other"]})
    assert (version.level, unknown.level) == (Level.OK, Level.FAULT)
    assert "knows 0 of our 1 names, not toy_procedural" in unknown.text
    assert unknown.mend == "cogsight did not join"


def test_a_checkout_is_not_taken_for_the_package_that_is_installed_too() -> None:
    installed = Path(pytest.__file__).parent
    framework = replace(FRAMEWORK, module="pytest", packages=("no-such-package", "pytest"))
    assert checks._version(framework, installed) == pytest.__version__
    assert checks._version(framework, installed.parent / "elsewhere") == "a checkout"


@pytest.mark.parametrize(
    ("script", "answer"),
    [
        ('print("chatter"); print(\'{"installed": false}\')', {"installed": False}),
        ("import no_such_module", {"error": "ModuleNotFoundError: No module named 'no_such_module'"}),
        ("raise SystemExit(3)", {"error": "exit code 3"}),
        ("import time; time.sleep(60)", {"error": "no answer in 2 s"}),
    ],
)
def test_a_probe_that_fails_is_an_answer(
    script: str, answer: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "probe.py").write_text(script)
    monkeypatch.setattr(checks, "PROBES", tmp_path / "probe.py")
    monkeypatch.setattr(checks, "PROBE_SECONDS", 2)
    assert checks.probe(FRAMEWORK) == answer


FRAMEWORKS_OF_STRAW = {
    "lmms_eval/__init__.py": "",
    "lmms_eval/tasks.py": "class TaskManager: all_tasks = ['b', 'a', 'b']",
    "vlmeval/__init__.py": "",
    "vlmeval/dataset.py": "SUPPORTED_DATASETS = ['D']; import warnings; warnings.warn('cogsight: oh'); warnings.warn('else')",
}


@pytest.mark.parametrize(
    ("name", "names", "complaints"), [("lmms_eval", ["a", "b"], []), ("vlmeval", ["D"], ["cogsight: oh"])]
)
def test_probes_look_first_where_they_are_started(
    name: str, names: list[str], complaints: list[str], tmp_path: Path
) -> None:
    for path, text in FRAMEWORKS_OF_STRAW.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    environment = {**os.environ, "COGSIGHT_NO_HOOK": "1"}
    command = [sys.executable, str(checks.PROBES), name]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1]) == {
        "installed": True,
        "path": str(tmp_path / name),
        "names": names,
        "complaints": complaints,
    }


def test_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert only(checks.cache).level in (Level.OK, Level.NOTE)
    assert not (tmp_path / "cache").exists()
    (tmp_path / "file").touch()
    monkeypatch.setenv("COGSIGHT_CACHE", str(tmp_path / "file" / "below"))
    finding = only(checks.cache)
    assert (finding.level, "cannot be written" in finding.text) == (Level.FAULT, True)
    assert "COGSIGHT_CACHE" in finding.mend
    monkeypatch.setenv("COGSIGHT_CACHE", str(tmp_path))
    monkeypatch.setattr(checks, "LOW_SPACE", 1e18)
    assert only(checks.cache).level is Level.NOTE


def test_parts_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LDRAWDIR", raising=False)
    assert only(checks.ldraw).level is Level.OK
    monkeypatch.setenv("LDRAWDIR", str(tmp_path))
    assert only(checks.ldraw).text == f"{tmp_path} has no folder parts and no p"
    assert only(checks.ldraw).level is Level.FAULT
    for name in ("parts", "p"):
        (tmp_path / name).mkdir()
    assert only(checks.ldraw).level is Level.OK


def test_official_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert only(checks.data).level is Level.NOTE
    own = tmp_path / "toy.tsv"
    monkeypatch.setenv("COGSIGHT_TOY_DATA", str(own))
    assert (only(checks.data).level, "no file" in only(checks.data).text) == (Level.FAULT, True)
    own.write_bytes(DATA)
    assert only(checks.data).level is Level.OK
    own.write_bytes(DATA + b"x")
    changed = only(checks.data)
    assert changed.level is Level.FAULT
    assert RELEASE.md5 in changed.text
    assert "--allow-changed" in changed.mend
    monkeypatch.setenv("COGSIGHT_ALLOW_CHANGED", "1")
    assert only(checks.data).level is Level.NOTE


def test_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGSIGHT_CACH", "/x")
    monkeypatch.setenv("COGSIGHT_CACHE", "/x/sk-0123456789")
    monkeypatch.setenv("COGSIGHT_QUITE_OTHER", "y")
    monkeypatch.setenv("COGSIGHT_VIEW", "sideways")
    fault, misspelt, foreign, *set_, rest = checks.environment()
    assert [fault.level, misspelt.level, foreign.level] == [Level.FAULT, Level.NOTE, Level.NOTE]
    assert "sideways" in fault.text
    assert misspelt.mend == "did you mean COGSIGHT_CACHE?"
    assert foreign.mend == "see the names below"
    assert [finding.text for finding in set_] == ["COGSIGHT_CACHE=/x/[removed]", "COGSIGHT_VIEW=sideways"]
    assert "COGSIGHT_TOY_DATA" in rest.text


def test_a_benchmark_that_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    toys = registry.entry_points(group="")
    broken = EntryPoint("broken", "no_such_package.bench:BENCHMARK", "cogsight.benchmarks")
    monkeypatch.setattr(registry, "entry_points", lambda group: [broken, *toys])
    registry.benchmarks.cache_clear()
    with pytest.warns(UserWarning, match=r"cogsight left out the benchmark broken: ModuleNotFoundError") as caught:
        fault, rest = checks.registered()
    assert len(caught) == 1
    assert (fault.level, fault.text) == (Level.FAULT, "broken cannot be loaded")
    assert "import no_such_package.bench" in fault.mend
    assert (rest.level, rest.text) == (Level.OK, "toy")


def test_a_check_that_breaks_down_is_a_fault_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> Iterator[Finding]:
        yield Finding(Level.OK, "one", "fine")
        raise ZeroDivisionError("oh")

    def refused() -> Iterator[Finding]:
        raise CogsightError("COGSIGHT_X=y")
        yield

    monkeypatch.setattr(doctor, "CHECKS", (broken, refused, checks.python))
    result = CliRunner().invoke(cli.app, ["doctor"])
    assert result.exit_code == 1
    shown = result.stdout.splitlines()
    assert [line.split()[0] for line in shown if line and line[0] != " "] == ["ok", "FAULT", "FAULT", "ok", "ok", "2"]
    assert "ZeroDivisionError: oh" in result.stdout
    assert "COGSIGHT_X=y" in result.stdout


def test_all_is_well_is_code_0(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "CHECKS", (checks.python, checks.cache))
    result = CliRunner().invoke(cli.app, ["doctor"])
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "all is well")


def test_every_setting_of_the_table_is_known() -> None:
    import re

    from cogsight.shared import settings

    documented = set(re.findall(r"^\| (COGSIGHT_[A-Z_]+) \|", settings.__doc__ or "", re.M))
    assert documented == set(settings.NAMES)


@pytest.mark.slow
def test_here_and_now_nothing_is_broken(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COGSIGHT_")}
    command = [sys.executable, "-c", "from cogsight.shared.cli import main; main()", "doctor"]
    done = subprocess.run(
        command,
        env=environment | {"COGSIGHT_CACHE": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("knows our") == 2

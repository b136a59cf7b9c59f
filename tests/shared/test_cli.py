"""The command line as such: exit codes, one line per error, cheap start. What the commands do is tested beside them."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup
from typer.testing import CliRunner

from cogsight.shared import cli
from cogsight.shared.commands import listing
from cogsight.shared.errors import DataError

COMMANDS = ("list", "build", "show", "score", "doctor", "exec")
HEAVY = ("datasets", "numpy", "pyarrow", "PIL", "scipy", "jinja2", "rich")


def run(*arguments: str) -> tuple[int, str, str]:
    """Exit code, stdout, stderr."""
    result = CliRunner().invoke(cli.app, arguments, prog_name="cogsight")
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_help_tells_what_a_command_does(command: str) -> None:
    code, shown, _ = run(command, "--help")
    assert code == 0
    assert shown.startswith(f"Usage: cogsight {command}")


def test_help_of_all_fits_in_a_terminal() -> None:
    code, shown, _ = run()
    assert code == 0
    assert all(f"  {command} " in shown for command in COMMANDS)
    assert "..." not in shown.partition("Commands:")[2]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("buld",), "build"),
        (("--no-such",), "--no-such"),
        (("build",), "BENCHMARK"),
        (("build", "x", "--out", "y", "--seed", "a"), "--seed"),
        (("build", "x", "--out", "y", "--num-samples", "0"), "--num-samples"),
        (("exec",), "SCRIPT"),
    ],
)
def test_wrong_usage_is_one_line_and_code_2(arguments: tuple[str, ...], said: str) -> None:
    code, shown, error = run(*arguments)
    assert (code, shown) == (2, "")
    assert error.count("\n") == 1
    assert said in error
    assert "--help" in error


@pytest.mark.parametrize(
    ("raised", "code", "line"),
    [
        (DataError("row 3: no key; add one"), 1, "cogsight: row 3: no key; add one\n"),
        (PermissionError(13, "Permission denied", "/data/x"), 1, "cogsight: /data/x: Permission denied\n"),
        (KeyboardInterrupt(), 130, "cogsight: interrupted\n"),
    ],
)
def test_errors_are_one_line(monkeypatch: pytest.MonkeyPatch, raised: BaseException, code: int, line: str) -> None:
    _let_list_raise(monkeypatch, raised)
    assert run("list") == (code, "", line)


def test_ctrl_c_under_a_typer_that_stands_on_click(monkeypatch: pytest.MonkeyPatch) -> None:
    def abort(*_: object, **__: object) -> None:
        raise typer.Abort

    monkeypatch.setattr(TyperGroup, "main", abort)
    assert run("list") == (130, "", "cogsight: interrupted\n")


def test_a_fault_of_ours_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    _let_list_raise(monkeypatch, IndexError("a bug"))
    assert isinstance(CliRunner().invoke(cli.app, ["list"]).exception, IndexError)


def test_debug_keeps_every_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    _let_list_raise(monkeypatch, DataError("bad"))
    monkeypatch.setenv("COGSIGHT_DEBUG", "1")
    assert isinstance(CliRunner().invoke(cli.app, ["list"]).exception, DataError)


def test_warnings_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = warnings.formatwarning
    monkeypatch.setattr(listing, "run", lambda as_json: warnings.warn("a reply was cut", stacklevel=1))
    monkeypatch.setattr(warnings, "showwarning", _as_outside_pytest)
    assert run("list") == (0, "", "cogsight: a reply was cut\n")
    assert warnings.formatwarning is usual


def _as_outside_pytest(message: Warning, *rest: object, **_: object) -> None:
    sys.stderr.write(warnings.formatwarning(message, *rest[:3]))


def test_what_a_command_returns_is_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "run", lambda as_json: 1)
    assert run("list") == (1, "", "")


def test_help_starts_fast() -> None:
    code = "import sys\nfrom cogsight.shared.cli import main\nsys.argv = ['cogsight', '--help']\ntry: main()\nfinally: print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).parent
    )
    assert not set(HEAVY) & set(done.stdout.splitlines()[-1].split())


def _let_list_raise(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail(as_json: bool) -> int:
        raise error

    monkeypatch.setattr(listing, "run", fail)

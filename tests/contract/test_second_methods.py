"""Every generated task with a key has a second method, for `tests/prove.py`."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from second_methods import SECOND

TESTS = Path(__file__).parents[1]


@pytest.mark.parametrize("benchmark", SECOND)
def test_every_task_has_one(benchmark: str) -> None:
    generators = import_module(f"cogsight.{benchmark}.generate").GENERATORS
    assert set(SECOND[benchmark]) == {name for name, generator in generators.items() if not generator.truth}


@pytest.mark.slow
def test_the_command_proves_with_several_processes() -> None:
    command = [sys.executable, str(TESTS / "prove.py"), "spatialviz", "--tasks", "arrow_moving", "--count", "8"]
    done = subprocess.run([*command, "--num-proc", "2"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("{'agree': 8")

"""Both frameworks' own commands, run as users run them, and what they leave behind."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from cogsight.shared.frameworks.lmms import logs

ROOT = Path(__file__).parents[1]
LMMS_EVAL = str(Path(sys.executable).with_name("lmms-eval"))
OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "NO_PROXY": "127.0.0.1"}


@dataclass(frozen=True)
class Run:
    """What one evaluation wrote."""

    folder: Path

    @cached_property
    def results(self) -> dict[str, Any]:
        (path,) = self.folder.rglob("*_results.json")
        (metrics,) = json.loads(path.read_text())["results"].values()
        return {name.removesuffix(",none"): value for name, value in metrics.items()}

    @cached_property
    def rows(self) -> dict[str, logs.Row]:
        (path,) = self.folder.rglob(logs.PATTERN)
        return {row.sample_id: row for row in logs.read(path)}

    @cached_property
    def records(self) -> dict[str, dict[str, Any]]:
        """Sample id → the whole line of the sample log."""
        (path,) = self.folder.rglob(logs.PATTERN)
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        return {line["cogsight"]["id"]: line for line in lines}


def call(command: Sequence[str], env: Mapping[str, str], seconds: float = 600) -> str:
    """Run it in the checkout, where a folder has the name of a task, and return all that it printed."""
    done = subprocess.run(command, env=dict(env), cwd=ROOT, capture_output=True, text=True, timeout=seconds)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def install_model(folder: Path, name: str, *beside: str) -> None:
    """Makes this model of the tests, with the modules that it needs, a model of lmms-eval's for whoever has the folder on the path."""
    for module in (name, "image_model", *beside):
        shutil.copy(Path(__file__).with_name(f"{module}.py"), folder)
    about = folder / f"{name}-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (about / "entry_points.txt").write_text(f"[lmms_eval.models]\n{name} = {name}:models\n")


DRIVER = """
import json, runpy, sys
script, commands = sys.argv[1], json.loads(sys.argv[2])
for command in commands:
    sys.argv[:] = ["run.py", *command]
    if script:
        runpy.run_path(script, run_name="__main__")
    else:
        runpy.run_module("vlmeval", run_name="__main__")
"""
"""Runs several commands in one process, each as `python run.py …` or `python -m vlmeval …` does."""


@dataclass(frozen=True)
class Kit:
    """One installation of VLMEvalKit (the wheel, or a checkout), a folder to work in, and the cache of built datasets."""

    folder: Path
    cache: Path
    checkout: Path | None

    def run(self, *commands: Sequence[str], code: int = 0, **env: str) -> str:
        """Output of the commands, which get `--work-dir out` each."""
        script = str(self.checkout / "run.py") if self.checkout else ""
        path = os.pathsep.join(map(str, filter(None, (self.checkout, self.folder))))
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("COGSIGHT_", "HF_"))},
            "PYTHONPATH": path,
            "LMUData": str(self.folder),
            "HF_HOME": str(self.folder / "hf"),
            "HF_HUB_OFFLINE": "1",
            "COGSIGHT_CACHE": str(self.cache),
            **env,
        }
        arguments = json.dumps([[*command, "--work-dir", "out"] for command in commands])
        done = subprocess.run(
            [sys.executable, "-c", DRIVER, script, arguments],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
        )
        assert done.returncode == code, done.stdout
        return done.stdout

    def newest(self, model: str, data: str, ending: str) -> Path:
        """The newest file of a run."""
        found = (self.folder / "out" / model).rglob(f"{model}_{data}{ending}")
        return max((path for path in found if not path.is_symlink()), key=lambda path: path.stat().st_mtime)

    def status(self, model: str, data: str) -> dict[str, Any]:
        """What the kit says of a run."""
        files = (self.folder / "out" / model).rglob("status.json")
        newest = max((path for path in files if not path.is_symlink()), key=lambda path: path.stat().st_mtime)
        found: dict[str, Any] = json.loads(newest.read_text())["datasets"][data]
        return found

    def log(self, model: str, data: str) -> list[dict[str, Any]]:
        """Our sample log."""
        return [json.loads(line) for line in self.newest(model, data, "_samples.jsonl").read_text().splitlines()]

"""`cogsight diagnose`: two runs of any benchmark, and how they are called."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import toy
from typer.testing import CliRunner

from cogsight.shared import cli
from cogsight.shared.results import RunInfo, start
from cogsight.shared.sample import Reply

pytestmark = pytest.mark.usefixtures("only_the_toy")


@pytest.fixture
def only_the_toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    with toy.alone(monkeypatch, tmp_path / "cache"):
        yield


def scored(folder: Path, said: str) -> Path:
    """A run of a model that says this to everything."""
    info = RunInfo("toy", "1-A", toy.VARIANT.name, "1", "1", "some framework", "a model", extraction="1", cogsight="1")
    run = start(folder, info)
    run.write_scores([toy.score(sample, toy.VARIANT, [Reply(said)]) for sample in toy.SAMPLES])
    return folder


def diagnose(*folders: Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(cli.app, ["diagnose", *map(str, folders)], prog_name="cogsight")
    return result.exit_code, result.stdout, result.stderr


def test_runs_of_one_name_are_told_apart(tmp_path: Path) -> None:
    one, other = scored(tmp_path / "monday/x/run", "A"), scored(tmp_path / "friday/x/run", "CBA")
    code, shown, _ = diagnose(one, other)
    assert (code, shown.splitlines()[0]) == (0, "friday/x/run against monday/x/run, on the same questions")
    assert "First: monday/x/run: 4 of 4 questions, 0 of them lost." in shown
    _, shown, _ = diagnose(one, scored(tmp_path / "other", "B"))
    assert shown.startswith("other against run, on the same questions")


def test_one_run_of_a_benchmark_without_a_diagnosis(tmp_path: Path) -> None:
    code, _, error = diagnose(scored(tmp_path / "run", "A"))
    assert code == 1
    assert "Toy has no diagnosis of one run; name a second one to compare with" in error
    shown = " ".join(CliRunner().invoke(cli.app, ["diagnose", "--help"]).stdout.split())
    assert "Two runs, of any benchmark, are compared" in shown and "SpatialViz-Bench only" in shown

"""`cogsight list`, `build` and `exec`, and progress: on the toy benchmark, through the command line."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import toy
from typer.testing import CliRunner

from cogsight.shared import cli, progress
from cogsight.shared.commands import listing, output
from cogsight.shared.commands.names import known
from cogsight.shared.dataset import read, write
from cogsight.shared.errors import CogsightError
from cogsight.shared.fetch import Release
from cogsight.shared.variants import Variant

RELEASE = Release("toy", "toy.tsv", "0" * 32, "2026-01-01", {}, "nobody/toy", "http://127.0.0.1:9/toy.tsv")
OFFICIAL = toy.made(
    variants=(Variant("toy", size=4), toy.VARIANT), release=RELEASE, cache_key=lambda v: f"toy-{v.source}"
)


@pytest.fixture(autouse=True)
def only_the_toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    with toy.alone(monkeypatch, tmp_path / "cache", OFFICIAL):
        yield


def run(*arguments: object) -> tuple[int, str, str]:
    """Exit code, stdout, stderr."""
    result = CliRunner().invoke(cli.app, list(map(str, arguments)), prog_name="cogsight")
    return result.exit_code, result.stdout, result.stderr


def states() -> list[str]:
    return [listing.entry(OFFICIAL, variant)["data_state"] for variant in OFFICIAL.variants]


def test_list_is_for_programs_when_it_is_no_terminal() -> None:
    code, shown, _ = run("list")
    assert code == 0
    assert [line.split("\t")[:5] for line in shown.splitlines()] == [
        ["benchmark", "lmms-eval task", "VLMEvalKit data", "questions", "what"],
        ["toy", "toy", "Toy", "4", ""],
        ["toy", "toy_procedural", "Toy_Procedural", "4", "four questions"],
    ]
    assert [entry["lmms_eval"] for entry in json.loads(run("list", "--json")[1])] == ["toy", "toy_procedural"]


def test_list_says_where_data_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert states() == ["to_download", "to_generate"]
    download = tmp_path / "cache" / "downloads" / "toy" / "toy.tsv"
    download.parent.mkdir(parents=True)
    download.touch()
    assert states()[0] == "downloaded"
    monkeypatch.setenv("COGSIGHT_TOY_DATA", str(tmp_path / "absent.tsv"))
    assert states()[0] == "own_copy_missing"
    monkeypatch.setenv("COGSIGHT_TOY_DATA", str(download.parent))
    assert states()[0] == "own_copy"
    (tmp_path / "cache" / "datasets" / "toy-official").mkdir(parents=True)
    assert states() == ["built", "to_generate"]


@pytest.mark.parametrize(
    ("size", "subset", "said"),
    [(4, "full", "4"), (9, "full", "4 of 9"), (3, "full", "4 of 3"), (3, "lite", "3"), (9, "lite", "at most 4 of 9")],
)
def test_list_counts_what_is_built(size: int, subset: str, said: str) -> None:
    variant = replace(toy.VARIANT, size=size, subset=subset)
    assert listing.entry(toy.BENCHMARK, variant)["questions"] == str(size)
    toy.samples(toy.VARIANT)
    entry = listing.entry(toy.BENCHMARK, variant)
    assert (entry["size"], entry["questions"]) == (size, said)


@pytest.mark.parametrize("width", [10, 80, 200])
def test_list_fits_a_terminal(width: int) -> None:
    rows = [["a_benchmark", "a_task", "A_Task", "1100", "w" * 30 + " x" * 60, f"built in /{'long' * 20}"]]
    header, first, *below = output.drawn(list(listing.COLUMNS), rows, listing.SIDE_BY_SIDE, width)
    assert re.sub(r"\x1b\[[0-9;]*m", "", header).split() == [
        "benchmark",
        "lmms-eval",
        "task",
        "VLMEvalKit",
        "data",
        "questions",
    ]
    assert first.split() == rows[0][:4]
    assert " ".join(" ".join(below).split()) == f"what: {rows[0][4]} data: {rows[0][5]}"
    *wrapped, path = below
    assert path.endswith(f"/{'long' * 20}"), "a path stays whole"
    assert max(map(len, wrapped)) <= max(width, output.NARROWEST)


@pytest.mark.parametrize(
    ("arguments", "source", "subset"),
    [
        (("toy",), "procedural", "full"),
        (("Toy",), "procedural", "full"),
        (("toy_lite",), "official", "lite"),
        (("Toy_Lite", "--source", "procedural"), "procedural", "lite"),
        (("toy_procedural", "--subset", "lite"), "procedural", "lite"),
    ],
)
def test_build_takes_a_variant_for_its_subset_and_source(
    arguments: tuple[str, ...], source: str, subset: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = {}

    def build(out: Path, **options: Any) -> Path:
        asked.update(options)
        return toy.build(out)

    lite = Variant("toy", ("lite",), subset="lite", size=2)
    variants = (*OFFICIAL.variants, lite)
    with toy.alone(monkeypatch, tmp_path / "cache", toy.made(variants=variants, build=build)):
        assert run("build", *arguments, "--out", tmp_path / "out")[0] == 0
    assert (asked["source"], asked["subset"]) == (source, subset)


def test_show_takes_tasks_as_build_does(tmp_path: Path) -> None:
    for option in ("--tasks", "--task"):
        code, shown, _ = run("show", "toy_procedural", option, "hue", "--out", tmp_path / "page.html")
        assert (code, ": 2 of 4 samples" in shown) == (0, True)


def test_build_says_what_it_wrote_and_how_to_load_it(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    code, shown, _ = run("build", "toy", "--tasks", "order, hue", "--num-samples", 1, "--out", folder)
    assert code == 0
    assert shown.startswith(f"{folder}: 2 samples")
    assert f'datasets.load_dataset("{folder}", "default", split="test")' in shown
    assert [sample.task for sample in read(folder)] == ["hue", "order"]


def test_build_lists_long_names_in_columns(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    long = "a_task_with_a_name_of_many_letters"

    def build(out: Path, **_: Any) -> Path:
        return write([toy.hue(0), replace(toy.hue(1), task=long)], out)

    with toy.alone(monkeypatch, tmp_path / "cache", toy.made(build=build)):
        shown = run("build", "toy", "--out", tmp_path / "out")[1]
    assert shown.splitlines()[1:3] == [f"  {'hue':34}      1", f"  {long}      1"]


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("benchmark_7_liet", "did you mean benchmark_7_lite or benchmark_"),
        ("7_LITE", "did you mean benchmark_7_lite or benchmark_17_lite or benchmark_27_lite? "),
        ("other", ""),
    ],
)
def test_many_names_are_not_all_told(name: str, near: str) -> None:
    names = [f"benchmark_{number}{ending}" for number in range(30) for ending in ("", "_lite")]
    with pytest.raises(CogsightError) as caught:
        known(name, names, "variant")
    said = str(caught.value)
    assert said.startswith(f"no variant {name!r}; {near}")
    assert said.endswith("`cogsight list` shows all 60")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("toi",), "no benchmark or variant 'toi'; did you mean toy? known: toy, toy_procedural"),
        (("toy", "--tasks", ""), "--tasks '': no task is named; leave it out for all tasks"),
        (("toy", "--tasks", " , "), "--tasks ' , ': no task is named; leave it out for all tasks"),
        (("toy", "--tasks", "hue,hues"), "no task 'hues' of toy; did you mean hue? known: hue, order"),
        (("toy", "--subset", "litte"), "no subset 'litte' of toy; known: full"),
        (
            ("toy", "--source", "/no/such.tsv"),
            "--source /no/such.tsv: no such file or folder; expected procedural, official",
        ),
    ],
)
def test_build_names_what_is_wrong_and_writes_nothing(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    code, shown, error = run("build", *arguments, "--out", tmp_path / "out")
    assert (code, shown) == (1, "")
    assert error.startswith(f"cogsight: {said}")
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_build_replaces_a_folder_only_when_told(tmp_path: Path) -> None:
    command = ("build", "toy", "--out", tmp_path / "out")
    assert run(*command)[0] == 0
    code, _, error = run(*command)
    assert code == 1
    assert "--overwrite" in error
    assert run(*command, "--overwrite")[0] == 0


@pytest.mark.parametrize("number", [signal.SIGINT, *cli.STOPS])
def test_what_stops_a_build_leaves_nothing(
    number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = signal.getsignal(number)

    def interrupted(*_: object, **__: object) -> Iterator[toy.Sample]:
        yield toy.hue(0)
        os.kill(os.getpid(), number)
        yield toy.hue(1)

    monkeypatch.setattr(toy, "chosen", interrupted)
    code, shown, error = run("build", "toy", "--out", tmp_path / "out")
    assert (code, shown) == (130, "")
    assert "nothing was written" in error
    assert list(tmp_path.iterdir()) == []
    assert signal.getsignal(number) == before


def test_nohup_keeps_its_promise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def hung_up(*_: object, **__: object) -> Iterator[toy.Sample]:
        yield toy.hue(0)
        os.kill(os.getpid(), signal.SIGHUP)

    monkeypatch.setattr(toy, "chosen", hung_up)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert run("build", "toy", "--out", tmp_path / "out")[0] == 0
    finally:
        signal.signal(signal.SIGHUP, before)


SCRIPT = """
import sys
print(__name__, sys.argv[1:], sys.path[0], any(type(f).__module__ == "cogsight.shared.import_hook" for f in sys.meta_path))
if "--fail" in sys.argv: raise FileNotFoundError(2, "gone", "x")
sys.exit(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
"""


def python(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "COGSIGHT_NO_HOOK": ""}
    return subprocess.run(
        [sys.executable, *map(str, arguments)], capture_output=True, text=True, cwd=cwd, env=environment, check=False
    )


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "there" / "job.py"
    path.parent.mkdir()
    path.write_text(SCRIPT)
    return path


def test_exec_runs_a_script_as_python_does(tmp_path: Path, script: Path) -> None:
    ours = python("-m", "cogsight", "exec", script, "7", "--seed", "-m", "x", cwd=tmp_path)
    plain = python(script, "7", "--seed", "-m", "x", cwd=tmp_path)
    assert (ours.stdout, ours.returncode) == (plain.stdout, plain.returncode)
    assert ours.returncode == 7


def test_exec_runs_a_module_as_python_does(tmp_path: Path, script: Path) -> None:
    ours = python("-m", "cogsight", "exec", "-m", "job", "3", "--help", cwd=script.parent)
    plain = python("-m", "job", "3", "--help", cwd=script.parent)
    assert (ours.stdout, ours.returncode) == (plain.stdout, plain.returncode)


def test_exec_shows_what_the_script_raised(tmp_path: Path, script: Path) -> None:
    done = python("-m", "cogsight", "exec", script, "0", "--fail", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("Traceback")
    assert done.stderr.endswith("FileNotFoundError: [Errno 2] gone: 'x'\n")


def test_exec_brings_the_hook_where_start_up_files_are_not_read(tmp_path: Path, script: Path) -> None:
    path = toy.as_target(tmp_path / "target")
    code = f"import sys; sys.path += {path!r}; from cogsight.shared.cli import main; main()"
    without = python("-S", script, cwd=tmp_path)
    with_it = python("-S", "-c", code, "exec", script, cwd=tmp_path)
    assert without.stdout.split()[-1] == "False", without.stderr
    assert with_it.stdout.split()[-1] == "True", with_it.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("nowhere.py",), "nowhere.py"), (("-m",), "name is missing"), (("-m", "no_such_module.x"), "no_such_module.x")],
)
def test_exec_names_what_is_not_there(arguments: tuple[str, ...], said: str) -> None:
    code, shown, error = run("exec", *arguments)
    assert (code, shown) == (1, "")
    assert said in error
    assert error.count("\n") == 1


def test_progress_is_lines_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = iter(range(0, 1000, 4))
    clock = [0.0]
    monkeypatch.setattr(progress, "monotonic", lambda: clock[0])

    def slow() -> Iterator[str]:
        for letter in "abcdefgh":
            clock[0] = next(now)
            yield letter

    assert list(progress.track(slow(), "letters", 8)) == list("abcdefgh")
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.splitlines() == ["letters: 8", "letters: 4/8", "letters: 7/8"]
    clock[0] = 0.0
    now = iter(range(0, 1000, 4))
    assert len(list(progress.track(slow(), "letters", None))) == 8
    assert capsys.readouterr().err.splitlines() == ["letters", "letters: 4", "letters: 7"]


def test_progress_tells_the_time_left(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(progress, "monotonic", lambda: clock[0])

    def slow() -> Iterator[int]:
        for n in range(3):
            clock[0] += 100
            yield n

    assert len(list(progress.track(slow(), "pictures", 300))) == 3
    assert capsys.readouterr().err.splitlines() == [
        "pictures: 300",
        "pictures: 1/300, 8.3 h left",
        "pictures: 2/300, 8.3 h left",
        "pictures: 3/300, 8.2 h left",
    ]

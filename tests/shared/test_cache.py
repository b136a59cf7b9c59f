"""What the cache holds is built once, by one process, and is whole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from cogsight.shared import cache, dataset
from cogsight.shared.cache import dataset_dir, dataset_dir_of, locked
from cogsight.shared.errors import DataError

BUILDER = textwrap.dedent(
    """
    import sys, time
    from pathlib import Path
    from cogsight.shared.cache import dataset_dir

    def build(folder):
        folder.mkdir()
        (folder / "half").touch()
        print("building", flush=True)
        time.sleep(float(sys.argv[1]))
        (folder / "whole").touch()

    print(*sorted(path.name for path in dataset_dir("toy-1.0", build).iterdir()), flush=True)
    """
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COGSIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "datasets"


def make(folder: Path) -> None:
    folder.mkdir()
    (folder / "whole").touch()


def never(folder: Path) -> None:
    raise AssertionError(f"built again: {folder}")


def visible(folder: Path) -> list[str]:
    """All but lock files."""
    return sorted(path.name for path in folder.iterdir() if path.suffix != ".lock")


def started(seconds: float) -> subprocess.Popen[str]:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", BUILDER, str(seconds)], **pipes)  # type: ignore[call-overload,no-any-return]


def test_built_once(home: Path) -> None:
    folder = dataset_dir("toy-1.0", make)
    assert folder == dataset_dir_of("toy-1.0") == home / "toy-1.0"
    assert dataset_dir("toy-1.0", never) == folder
    assert visible(home) == ["toy-1.0"]


@pytest.mark.parametrize("key", ["", "../up", "a/b", ".hidden", "a~b", "x" * 200])
def test_keys_that_are_no_folder_name(key: str) -> None:
    with pytest.raises(ValueError, match="cache key"):
        dataset_dir(key, never)


@pytest.mark.parametrize("failure", [KeyboardInterrupt, RuntimeError])
def test_a_build_that_fails_leaves_nothing_and_can_be_repeated(failure: type[BaseException], home: Path) -> None:
    def failing(folder: Path) -> None:
        make(folder)
        raise failure

    with pytest.raises(failure):
        dataset_dir("toy-1.0", failing)
    assert visible(home) == []
    assert visible(dataset_dir("toy-1.0", make)) == ["whole"]


def test_several_processes_build_once_and_the_others_say_that_they_wait() -> None:
    processes = [started(3.0) for _ in range(3)]
    results = [process.communicate(timeout=60) for process in processes]
    assert sorted(out.split("\n")[0] for out, _ in results) == ["building", "half whole", "half whole"]
    assert all(out.endswith("half whole\n") for out, _ in results)
    assert sum("another process is making" in err for _, err in results) == 2


def test_what_a_killed_process_left_is_swept_away_and_its_lock_is_free(home: Path) -> None:
    process = started(60)
    assert process.stdout is not None
    assert process.stdout.readline() == "building\n"
    neighbour = home / ".toy-1.0.5~77-abc"  # of the key "toy-1.0.5"
    neighbour.mkdir()
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert len(visible(home)) == 2
    assert visible(dataset_dir("toy-1.0", make)) == ["whole"]
    assert visible(home) == [neighbour.name, "toy-1.0"]


def test_ctrl_c_in_the_middle_of_a_build(home: Path) -> None:
    process = started(60)
    assert process.stdout is not None
    assert process.stdout.readline() == "building\n"
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode != 0
    assert visible(home) == []


def test_a_lock_that_is_never_released(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    process = started(60)
    assert process.stdout is not None
    assert process.stdout.readline() == "building\n"
    monkeypatch.setattr(cache, "WAIT_SECONDS", 0.2)
    start = time.monotonic()
    with pytest.raises(DataError, match=r"toy-1\.0: another process has held its lock"):
        dataset_dir("toy-1.0", never)
    assert time.monotonic() - start < 10
    assert "waiting for it" in capsys.readouterr().err
    process.kill()
    process.communicate()


def test_a_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("COGSIGHT_CACHE", str(tmp_path / "file"))
    with pytest.raises(DataError, match=rf"cannot write {tmp_path}/file/datasets/toy.*COGSIGHT_CACHE"):
        dataset_dir("toy", never)


def test_a_read_only_cache(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a mocked lock, since the tests may run as root, whom no permission stops."""
    import filelock

    def refuse(self: object, timeout: float) -> None:
        raise PermissionError(13, "Permission denied", str(home / ".toy.lock"))

    ready = dataset_dir("ready", make)
    monkeypatch.setattr(filelock.FileLock, "acquire", refuse)
    with pytest.raises(DataError, match=r"cannot write .*toy: .*Permission denied.*set COGSIGHT_CACHE"):
        dataset_dir("toy", make)
    assert dataset_dir("ready", never) == ready


def test_a_source_that_cannot_be_read_is_not_blamed_on_the_cache(tmp_path: Path) -> None:
    def build(folder: Path) -> None:
        raise PermissionError(13, "Permission denied", str(tmp_path / "LEGO.tsv"))

    with pytest.raises(PermissionError, match=r"LEGO\.tsv"):
        dataset_dir("toy", build)


def test_a_full_disk_names_the_way_out() -> None:
    def build(folder: Path) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(DataError, match=r"No space left.*COGSIGHT_CACHE"):
        dataset_dir("toy", build)


def test_a_disk_that_is_full_while_a_dataset_is_written_names_the_cache(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(samples: object, folder: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(dataset, "_write_shards", fill)
    with pytest.raises(DataError, match=r"cannot write \S*/toy: .*No space left on device; set COGSIGHT_CACHE"):
        dataset_dir("toy", lambda folder: dataset.write([], folder))
    assert visible(home) == []


def test_locks_of_different_targets_do_not_meet(home: Path) -> None:
    with locked(home / "a"), locked(home / "b"):
        assert home.is_dir()

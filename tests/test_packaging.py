"""Wheel, sdist and editable install carry every file, join both frameworks at start-up, and leave nothing behind."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
ROOMS = {path.parent.name for path in ROOT.glob("*/__init__.py")}
START_UP = "print('cogsight.shared.import_hook' in __import__('sys').modules)"


def run(*command: str | Path, **options: object) -> str:
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)  # type: ignore[call-overload]
    assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"
    return str(result.stdout)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what git tracks, so that builds neither see nor leave anything in the working tree."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in tracked():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return folder


def tracked() -> list[str]:
    if not (ROOT / ".git").exists():
        pytest.skip("no git checkout to compare with")
    return [name for name in run("git", "ls-files", cwd=ROOT).splitlines() if (ROOT / name).is_file()]


def build(checkout: Path, kind: str, out: Path) -> Path:
    run(sys.executable, "-m", "build", f"--{kind}", "--no-isolation", "--outdir", out, checkout)
    return next(out.iterdir())


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(checkout, "wheel", tmp_path_factory.mktemp("wheel"))


def expected() -> set[str]:
    """Names in the wheel of everything that the package is made of."""
    names = {name for name in tracked() if name.split("/")[0] in ROOMS}
    return {name if name.startswith("cogsight/") else f"cogsight/{name}" for name in names} | {"cogsight.pth"}


def contents(wheel: Path) -> set[str]:
    return {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}


def test_wheel_holds_what_git_tracks(wheel: Path) -> None:
    assert contents(wheel) == expected()


def test_sdist_builds_the_same_wheel(checkout: Path, wheel: Path, tmp_path: Path) -> None:
    sdist = build(checkout, "sdist", tmp_path / "sdist")
    shutil.unpack_archive(sdist, tmp_path / "unpacked")
    again = build(next((tmp_path / "unpacked").iterdir()), "wheel", tmp_path / "wheel")
    assert contents(again) == contents(wheel)


def test_stale_build_folder_brings_nothing_back(checkout: Path, wheel: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(checkout, copy)
    stale = copy / "build" / "lib" / "cogsight" / "shared" / "deleted_long_ago.py"
    stale.parent.mkdir(parents=True, exist_ok=True)
    stale.touch()
    assert contents(build(copy, "wheel", tmp_path / "wheel")) == contents(wheel)


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Path]:
    """Python of a fresh environment that has setuptools only."""
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "bare")
    yield tmp_path / "bare" / "bin" / "python"


def pip(python: Path, *arguments: str | Path) -> None:
    run(sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check", *arguments)


def site_packages(python: Path) -> set[str]:
    folder = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    return {entry.name for entry in folder.glob("*") if entry.name != "__pycache__"}


@pytest.mark.parametrize("editable", [False, True], ids=["wheel", "editable"])
def test_install_is_active_and_uninstall_leaves_nothing(
    editable: bool, wheel: Path, checkout: Path, bare: Path, tmp_path: Path
) -> None:
    before = site_packages(bare)
    if editable:
        pip(bare, "install", "setuptools>=69", "wheel")
        before = site_packages(bare)
        # A build without isolation needs setuptools where pip itself runs from, which the test environment has.
        pip(bare, "install", "--no-deps", "--no-build-isolation", "-e", checkout)
    else:
        pip(bare, "install", "--no-deps", wheel)
    assert run(bare, "-c", START_UP, cwd=tmp_path) == "True\n"
    assert run(bare, "-S", "-c", START_UP, cwd=tmp_path) == "False\n"
    assert run(bare, "-c", "import cogsight.lego_puzzles; print(cogsight.__version__)", cwd=tmp_path).strip()
    pip(bare, "uninstall", "-y", "cogsight")
    assert site_packages(bare) == before


def test_a_broken_or_missing_package_does_not_break_python(wheel: Path, bare: Path, tmp_path: Path) -> None:
    pip(bare, "install", "--no-deps", wheel)
    folder = Path(run(bare, "-c", "import cogsight; print(cogsight.__path__[0])", cwd=tmp_path).strip())
    hook = folder / "shared" / "import_hook.py"
    hook.write_text("raise RuntimeError('broken on purpose')")
    broken = subprocess.run([bare, "-c", "print(1)"], capture_output=True, text=True, cwd=tmp_path, env=os.environ)
    assert (broken.returncode, broken.stdout) == (0, "1\n")
    assert broken.stderr.count("\n") == 1
    assert "broken on purpose" in broken.stderr
    shutil.rmtree(folder)
    gone = subprocess.run([bare, "-c", "print(1)"], capture_output=True, text=True, cwd=tmp_path, env=os.environ)
    assert (gone.returncode, gone.stdout, gone.stderr) == (0, "1\n", "")

"""A release of many files: found where the user says or in the Hub's cache, loaded once, told apart by what is in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cogsight.shared.errors import DataError
from cogsight.shared.fetch import NOT_PINNED, download_path
from cogsight.shared.fetch_folder import (
    ABSENT,
    UNPINNED,
    FolderRelease,
    fingerprint_present,
    locate_folder,
    revision_of,
)

REVISION = "0123456789" * 4
RELEASE = FolderRelease("toy", "TOY", "someone/toy", patterns=("*.json", "*.png"), whole=("*.json",))
PINNED = FolderRelease("toy", "TOY", "someone/toy", ("*.json",), ("*.json",), REVISION, "f" * 32)


def fill(folder: Path) -> Path:
    (folder / "Maze").mkdir(parents=True)
    (folder / "Maze.json").write_text("[1]")
    (folder / "Maze" / "1.png").write_bytes(b"picture")
    (folder / "README.md").write_text("about")
    return folder


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the Hub was asked for; it has one snapshot."""
    calls: list[dict[str, Any]] = []
    snapshot = fill(tmp_path / "hub" / "snapshots" / REVISION)

    def snapshot_download(hub: str, **options: Any) -> str:
        calls.append({"hub": hub, **options})
        return str(snapshot)

    monkeypatch.setattr("huggingface_hub.snapshot_download", snapshot_download)
    monkeypatch.setenv("COGSIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("COGSIGHT_TOY_DATA", raising=False)
    return calls


def test_loads_once_and_remembers_the_revision(asked: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]) -> None:
    assert fingerprint_present(RELEASE) == ABSENT
    path = locate_folder(RELEASE)
    assert fingerprint_present(RELEASE) == RELEASE.fingerprint(path)
    assert locate_folder(RELEASE) == path == download_path(RELEASE)
    assert asked == [
        {"hub": "someone/toy", "repo_type": "dataset", "revision": None, "allow_patterns": ["*.json", "*.png"]}
    ]
    assert revision_of(path) == REVISION
    assert REVISION in capsys.readouterr().err


def test_a_pinned_revision_is_what_is_asked_for(asked: list[dict[str, Any]]) -> None:
    locate_folder(PINNED)
    assert asked[0]["revision"] == REVISION


def test_a_pinned_release_has_its_fingerprint_before_it_is_loaded(asked: list[dict[str, Any]]) -> None:
    assert (fingerprint_present(PINNED), asked) == (PINNED.md5, [])


def test_a_snapshot_that_was_deleted_is_loaded_again(asked: list[dict[str, Any]]) -> None:
    path = locate_folder(RELEASE)
    target = path.resolve()
    path.unlink()
    path.symlink_to(target.with_name("gone"))
    assert (locate_folder(RELEASE).resolve(), len(asked)) == (target, 2)


def test_a_failure_tells_the_way_by_hand(asked: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> str:
        raise OSError("no network\nat all")

    monkeypatch.setattr("huggingface_hub.snapshot_download", fails)
    with pytest.raises(
        DataError, match=r"(?s)someone/toy: no network at all\n.*hf download someone/toy.*COGSIGHT_TOY_DATA"
    ):
        locate_folder(RELEASE)


@pytest.mark.parametrize("inside", [False, True])
def test_the_users_own_copy_is_the_folder_or_the_one_in_it(
    inside: bool, asked: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = fill(tmp_path / "own" / "TOY")
    monkeypatch.setenv("COGSIGHT_TOY_DATA", str(own.parent if inside else own))
    assert locate_folder(RELEASE) == own
    assert asked == []
    monkeypatch.setenv("COGSIGHT_TOY_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(DataError, match=r"COGSIGHT_TOY_DATA: no folder .*nowhere"):
        locate_folder(RELEASE)


def test_the_fingerprint_changes_with_what_is_asked_and_with_nothing_else(tmp_path: Path) -> None:
    folder = fill(tmp_path / "TOY")
    assert RELEASE.files(folder) == ["Maze.json", "Maze/1.png"]
    first = RELEASE.fingerprint(folder)
    (folder / "README.md").write_text("about something else")
    (folder / ".cache").mkdir()
    (folder / ".cache" / "x.json").write_text("of the Hub client")
    (folder / "above").symlink_to(folder)
    assert RELEASE.fingerprint(folder) == first
    found = {first}
    for change in (
        lambda: (folder / "Maze.json").write_text("[2]"),
        lambda: (folder / "Maze" / "1.png").write_bytes(b"longer picture"),
        lambda: (folder / "Maze" / "1.png").rename(folder / "Maze" / "2.png"),
        lambda: (folder / "Maze" / "3.png").symlink_to(folder / "nothing"),
    ):
        change()
        found.add(RELEASE.fingerprint(folder))
    assert len(found) == 5


def test_what_is_said_of_a_fingerprint() -> None:
    assert RELEASE.problem("any") is None
    assert RELEASE.note("toy-official-any") == UNPINNED
    assert PINNED.problem("f" * 32) is None
    assert "expected ffff" in str(PINNED.problem("any"))
    assert (PINNED.note(f"toy-{'f' * 32}"), PINNED.note("toy-any")) == (None, NOT_PINNED)

"""Where SpatialViz-Bench's samples come from (a look-alike of the release here), the cache, the options of a build."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import fake_spatialviz as fake
import pytest

from cogsight.shared.cli import app
from cogsight.shared.commands.data import data_of
from cogsight.shared.dataset import manifest, read
from cogsight.shared.errors import CogsightError, DataError
from cogsight.shared.fetch_folder import UNPINNED
from cogsight.shared.versions import versions
from cogsight.spatialviz.benchmark import BENCHMARK, cache_key
from cogsight.spatialviz.taxonomy import LEVELS

OFFICIAL = [variant for variant in BENCHMARK.variants if variant.source == "official"]
FULL, *_ = OFFICIAL


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three questions a level, as the user's own copy, and a cache of its own."""
    folder = tmp_path / "release"
    folder.mkdir()
    monkeypatch.setenv("COGSIGHT_SPATIALVIZ_DATA", str(fake.release(folder, 3)))
    monkeypatch.setenv("COGSIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("COGSIGHT_ALLOW_CHANGED", raising=False)
    return folder


def test_what_was_allowed_once_does_not_pass_for_checked(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        with pytest.raises(DataError, match=r"87 questions, 1,180 expected"):
            BENCHMARK.samples(FULL)
        with monkeypatch.context() as allowing:
            allowing.setenv("COGSIGHT_ALLOW_CHANGED", "1")
            assert len(BENCHMARK.samples(FULL)) == 87


def test_all_variants_ask_the_same_questions(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGSIGHT_ALLOW_CHANGED", "1")
    ids = [[sample.id for sample in BENCHMARK.samples(variant)] for variant in OFFICIAL]
    assert ids[0] == ids[1] == ids[2] == ids[3]
    assert {cache_key(variant) for variant in OFFICIAL} == {cache_key(FULL)}


def test_a_whole_release_is_built_once_and_says_that_nothing_is_pinned(
    release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.release(release, None)
    assert data_of(BENCHMARK, FULL).state == "own_copy"
    assert len(BENCHMARK.samples(FULL)) == 1180
    assert "not the release" not in capsys.readouterr().err
    assert (data_of(BENCHMARK, FULL).state, data_of(BENCHMARK, FULL).samples) == ("built", 1180)
    assert versions(BENCHMARK, FULL, "")["release"] == UNPINNED


def test_the_cache_follows_the_files(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = cache_key(FULL)
    fake.write_zip(release / "images.zip", {"other.png": b""})
    assert cache_key(FULL) != before
    monkeypatch.setenv("COGSIGHT_SPATIALVIZ_DATA", str(release / "nowhere"))
    assert cache_key(FULL) == "spatialviz-official-absent-schema1"
    with pytest.raises(DataError, match=r"COGSIGHT_SPATIALVIZ_DATA: no file or folder .*nowhere"):
        BENCHMARK.samples(FULL)


def test_build_of_some_official_questions(release: Path, tmp_path: Path) -> None:
    tasks = ["paper_folding", "arrow_moving"]
    folder = BENCHMARK.build(tmp_path / "out", source=release, tasks=tasks, num_samples=5, allow_changed=True)
    assert Counter(sample.task for sample in read(folder)) == {"paper_folding": 5, "arrow_moving": 5}
    about = manifest(folder)
    assert (about["source"], about["options"]) == ("official", {"tasks": tasks, "num_samples": 5})
    assert "MIT License" in (folder / "LICENSE").read_text()
    assert "spatialvizbench" in (folder / "README.md").read_text()


def test_build_of_the_official_questions_from_the_command_line(release: Path, tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        app(
            ["build", "spatialviz", "--source", "official", "--out", str(tmp_path / "out"), "--allow-changed"],
            prog_name="cogsight",
        )
    assert ended.value.code == 0
    assert len(read(tmp_path / "out")) == 3 * sum(map(len, LEVELS.values()))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"tasks": ["tangram"]}, "tangram: cannot be generated yet; tasks that can: rotation_2d"),
        ({"subset": "lite"}, "subset 'lite': spatialviz has full"),
        ({"source": "nowhere"}, "nowhere: no such release"),
    ],
)
def test_options_that_do_not_fit_are_named_and_nothing_is_written(
    options: dict[str, object], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COGSIGHT_CACHE", str(tmp_path / "cache"))
    with pytest.raises(CogsightError, match=said):
        BENCHMARK.build(tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()


def test_nothing_is_downloaded_where_that_is_forbidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    monkeypatch.delenv("COGSIGHT_SPATIALVIZ_DATA", raising=False)
    monkeypatch.setenv("COGSIGHT_CACHE", str(tmp_path))
    asked: list[dict[str, object]] = []

    def snapshot(name: str, **options: object) -> str:
        asked.append({"name": name, **options})
        raise OSError("offline")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot)
    with pytest.raises(DataError, match=r"(?s)Hub dataset PLM-Team/Spatial-Visualization-Benchmark: offline.*By hand"):
        BENCHMARK.samples(FULL)
    assert asked[0]["allow_patterns"] == ["*.parquet", "images.zip", "*/*/*/*.png"]


def test_a_snapshot_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    monkeypatch.delenv("COGSIGHT_SPATIALVIZ_DATA", raising=False)
    monkeypatch.setenv("COGSIGHT_CACHE", str(tmp_path / "cache"))
    hub = tmp_path / "hub" / "snapshots" / "0123456789012345678901234567890123456789"
    hub.mkdir(parents=True)
    fake.release(hub, None)
    monkeypatch.setattr(huggingface_hub, "snapshot_download", lambda *args, **options: str(hub))
    assert len(BENCHMARK.samples(FULL)) == 1180

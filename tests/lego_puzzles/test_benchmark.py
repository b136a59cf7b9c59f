"""Where LEGO-Puzzles' samples come from: the official file (a look-alike here), its Lite draw, the options of a build."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import fake_lego
import pytest

from cogsight.lego_puzzles import generate
from cogsight.lego_puzzles.benchmark import BENCHMARK, cache_key
from cogsight.lego_puzzles.taxonomy import TASKS
from cogsight.shared.dataset import manifest, read
from cogsight.shared.errors import CogsightError, DataError
from cogsight.shared.fetch import NOT_PINNED
from cogsight.shared.versions import versions

FULL, LITE, PROCEDURAL = map(BENCHMARK.variant, ("lego_puzzles", "lego_puzzles_lite", "lego_puzzles_procedural"))


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A look-alike of the release with 25 questions per task, as the user's own copy, and a cache of its own."""
    path = fake_lego.release(tmp_path, per_task=25)
    monkeypatch.setenv("COGSIGHT_LEGO_PUZZLES_DATA", str(path))
    monkeypatch.setenv("COGSIGHT_CACHE", str(tmp_path / "cache"))
    return path


def test_lite_is_the_same_draw_every_time(
    release: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COGSIGHT_ALLOW_CHANGED", "1")
    full = list(BENCHMARK.samples(FULL))
    assert "questions per task" in capsys.readouterr().err
    lite = list(BENCHMARK.samples(LITE))
    assert Counter(sample.task for sample in lite) == dict.fromkeys(TASKS, 20)
    ids = [sample.id for sample in full]
    assert [ids.index(sample.id) for sample in lite] == sorted(ids.index(sample.id) for sample in lite)
    drawn = [sample.id.rsplit("/", 1)[1] for sample in lite if sample.task == "height"]
    assert len(set(drawn)) == 20
    assert [sample.id for sample in BENCHMARK.samples(LITE)] == [sample.id for sample in lite]


def test_a_changed_release_stops_even_when_it_was_allowed_before(
    release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COGSIGHT_ALLOW_CHANGED", "1")
    BENCHMARK.samples(FULL)
    monkeypatch.setenv("COGSIGHT_ALLOW_CHANGED", "0")
    with pytest.raises(DataError, match=r"(?s)has MD5 .*expected.*COGSIGHT_ALLOW_CHANGED=1"):
        BENCHMARK.samples(FULL)


def test_every_run_on_a_changed_release_says_so(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variant, said in ((FULL, NOT_PINNED), (LITE, NOT_PINNED), (PROCEDURAL, None)):
        assert versions(BENCHMARK, variant, "").get("release") == said
    monkeypatch.delenv("COGSIGHT_LEGO_PUZZLES_DATA")
    assert "release" not in versions(BENCHMARK, FULL, "")


def test_the_cache_follows_the_file(release: Path) -> None:
    before = cache_key(FULL)
    fake_lego.release(release.parent, per_task=2)
    assert cache_key(FULL) != before
    release.unlink()
    assert cache_key(FULL) == f"lego_puzzles-official-{BENCHMARK.release.md5}-schema1"  # type: ignore[union-attr]


def test_build_of_a_subset_of_the_official_questions(
    release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = BENCHMARK.build(
        tmp_path / "out",
        source=release,
        subset="lite",
        tasks=["ordering", "height"],
        num_samples=3,
        allow_changed=True,
    )
    assert "questions per task" in capsys.readouterr().err
    assert Counter(sample.task for sample in read(folder)) == {"height": 3, "ordering": 3}
    assert manifest(folder)["variant"] == "lego_puzzles_lite"


def test_build_of_one_task(tmp_path: Path) -> None:
    folder = BENCHMARK.build(tmp_path / "out", tasks=["height"], num_samples=2, seed=5)
    assert [sample.id for sample in read(folder)] == [f"lego_puzzles/procedural/height/{level}/0" for level in (1, 2)]
    about = json.loads((folder / "MANIFEST.json").read_text())
    assert (about["seed"], about["variant"]) == (5, PROCEDURAL.name)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"tasks": ["outlier"]}, "outlier: cannot be generated from this source; tasks that can: height"),
        ({"tasks": ["rotation", "next_k_step"]}, "next_k_step: subset 'full' has height, "),
        ({"tasks": ["height"], "subset": "generation"}, "height: subset 'generation' has rotation_image, "),
        ({"subset": "half"}, "full, lite, next_k_step, generation"),
        ({"source": "official", "subset": "next_k_step"}, "COGSIGHT_LEGO_PUZZLES_NEXT_K_STEP_DATA"),
        ({"source": "nowhere.tsv"}, "nowhere.tsv"),
    ],
)
def test_options_that_do_not_fit_are_named_and_nothing_is_written(
    options: dict[str, object], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generate, "GENERATORS", {"height": generate.GENERATORS["height"]})
    monkeypatch.delenv("COGSIGHT_LEGO_PUZZLES_NEXT_K_STEP_DATA", raising=False)
    with pytest.raises(CogsightError, match=said):
        BENCHMARK.build(tmp_path / "out", **options)
    assert list(tmp_path.iterdir()) == []


def test_the_seed_of_the_frameworks_questions_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    key = cache_key(PROCEDURAL)
    assert "-seed0-" in key
    monkeypatch.setenv("COGSIGHT_SEED", "12")
    assert cache_key(PROCEDURAL) == key.replace("-seed0-", "-seed12-")
    for wrong in ("-1", "1.5", "x", "²"):
        monkeypatch.setenv("COGSIGHT_SEED", wrong)
        with pytest.raises(CogsightError, match=f"COGSIGHT_SEED={wrong}: expected a whole number"):
            cache_key(PROCEDURAL)

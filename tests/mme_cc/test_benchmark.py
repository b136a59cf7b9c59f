"""MME-CC's variants: what each asks, where its samples come from, how they add up."""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from fake_mme_cc import write_release

from cogsight.mme_cc.benchmark import BENCHMARK, cache_key, expected
from cogsight.mme_cc.taxonomy import CATEGORIES, DESCRIBE_FIRST_EXCLUDES, SUBSETS, TASKS
from cogsight.shared.dataset import manifest, read
from cogsight.shared.errors import CogsightError, DataError
from cogsight.shared.fetch_folder import UNPINNED
from cogsight.shared.sample import Finish, Reply, Sample, Score
from cogsight.shared.variants import Variant, names, vlmeval_name
from cogsight.shared.versions import versions

BY_NAME = {variant.name: variant for variant in BENCHMARK.variants}
FULL, DESCRIBE, PROCEDURAL = (BY_NAME[f"mme_cc{ending}"] for ending in ("", "_describe_first", "_procedural"))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Holds a look-alike of the release, and a cache."""
    folder = tmp_path_factory.mktemp("home")
    write_release(folder / "MME-CC", per_subtask=2)
    return folder


@pytest.fixture
def release(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The look-alike as the user's own copy, allowed to be one."""
    monkeypatch.setenv("COGSIGHT_MME_CC_DATA", str(home / "MME-CC"))
    monkeypatch.setenv("COGSIGHT_CACHE", str(home / "cache"))
    monkeypatch.setenv("COGSIGHT_ALLOW_CHANGED", "1")
    return home / "MME-CC"


def text_of(sample: Sample, variant: Variant) -> str:
    (message,) = BENCHMARK.turn(sample, variant, []) or ()
    return "".join(part for part in message.parts if isinstance(part, str))


def score_of(task: str, n: int, points: float) -> Score:
    return Score(
        f"mme_cc/official/{task}/all/{n}", 0, points, "right" if points else "wrong", task, TASKS[task].category
    )


def test_names() -> None:
    assert names(FULL, BENCHMARK.vlmeval_prefix) == ("mme_cc", "cogsight_mme_cc", "MME_CC")
    assert vlmeval_name(DESCRIBE, BENCHMARK.vlmeval_prefix) == "MME_CC_Describe_First"
    assert vlmeval_name(BY_NAME["mme_cc_unblock_me"], BENCHMARK.vlmeval_prefix) == "MME_CC_Unblock_Me"
    assert {name for name, variant in BY_NAME.items() if variant.tag} == {f"mme_cc_{task}" for task in TASKS}
    assert {variant.max_new_tokens for variant in BENCHMARK.variants} == {16384}


def test_what_each_variant_asks(release: Path) -> None:
    assert Counter(s.task for s in BENCHMARK.samples(FULL)) == {t: 4 if t == "maze" else 2 for t in TASKS}
    assert {s.task for s in BENCHMARK.samples(DESCRIBE)} == set(TASKS) - set(DESCRIBE_FIRST_EXCLUDES)
    assert [s.id for s in BENCHMARK.samples(BY_NAME["mme_cc_maze"])] == [
        f"mme_cc/official/maze/{level}/{n}" for level in ("06", "10") for n in (1, 2)
    ]


def test_the_ablation_leaves_out_what_the_paper_leaves_out() -> None:
    """Section 4.2: Chart Modification and visual knowledge reasoning."""
    assert set(DESCRIBE_FIRST_EXCLUDES) == {
        "chart_modification",
        "sandbagging",
        "counterfactual_instruction",
        "finding_wrong_answer",
    }
    assert len(SUBSETS["describe_first"]) == 7


def test_a_question_is_asked_as_it_is_or_after_a_description(release: Path) -> None:
    sample = BENCHMARK.samples(FULL)[0]
    assert text_of(sample, FULL) == sample.question
    described = text_of(sample, DESCRIBE)
    assert described.startswith("First describe")
    assert described.endswith(sample.question)
    assert BENCHMARK.turn(sample, FULL, [Reply("done")]) is None


def test_braces_in_a_question_stay_what_they_are(release: Path) -> None:
    sample = replace(BENCHMARK.samples(FULL)[0], question="Give {x} and {question}.")
    assert text_of(sample, DESCRIBE).endswith("Give {x} and {question}.")


def test_sizes_come_from_the_data(release: Path) -> None:
    BENCHMARK.samples(FULL)
    assert expected(BY_NAME["mme_cc_maze"]) == {"maze": 4}
    assert sum(expected(FULL).values()) == 24
    assert expected(PROCEDURAL) == dict.fromkeys(TASKS, 20)
    assert PROCEDURAL.size == 220


def test_overall_is_the_mean_of_the_categories(release: Path) -> None:
    BENCHMARK.samples(FULL)
    right = {"maze": (1, 1, 0, 0), "satellite_image_matching": (1, 1), "sandbagging": (1, 0)}
    scores = [
        score_of(task, n, right.get(task, (0,) * count)[n])
        for task, count in expected(FULL).items()
        for n in range(count)
    ]
    summary = BENCHMARK.summarise(scores, FULL)
    values = {row.name: row.low for row in summary.rows}
    assert summary.complete
    assert [values[name] for name in CATEGORIES] == pytest.approx([1 / 3, 0.5 / 5, 0.5 / 3])
    assert values["overall"] == pytest.approx((1 / 3 + 0.1 + 0.5 / 3) / 3)
    assert not BENCHMARK.summarise(scores[1:], FULL).complete


def test_the_ablation_has_two_categories(release: Path) -> None:
    BENCHMARK.samples(DESCRIBE)
    scores = [score_of(task, n, 1.0) for task, count in expected(DESCRIBE).items() for n in range(count)]
    summary = BENCHMARK.summarise(scores, DESCRIBE)
    assert [row.name for row in summary.rows if row.scope == "category"] == ["spatial_reasoning", "geometric_reasoning"]
    assert (summary.complete, summary.overall.low) == (True, 1.0)


def test_every_run_says_that_nothing_is_pinned(release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert versions(BENCHMARK, FULL, "")["release"] == UNPINNED
    assert "release" not in versions(BENCHMARK, PROCEDURAL, "")
    key = cache_key(FULL)
    other = Path(shutil.copytree(release, tmp_path / "other"))
    monkeypatch.setenv("COGSIGHT_MME_CC_DATA", str(other))
    assert cache_key(FULL) == key
    (other / "Maze06.json").write_text("[]")
    assert cache_key(FULL) != key


def test_what_was_allowed_once_is_not_allowed_for_ever(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    BENCHMARK.samples(FULL)
    monkeypatch.setenv("COGSIGHT_ALLOW_CHANGED", "0")
    with pytest.raises(DataError, match="published are 319"):
        BENCHMARK.samples(FULL)


def test_build_from_a_folder(release: Path, tmp_path: Path) -> None:
    out = BENCHMARK.build(tmp_path / "out", source=release, allow_changed=True, tasks=["maze"], num_samples=3)
    assert [sample.task for sample in read(out)] == ["maze"] * 3
    assert manifest(out)["source"] == "official"
    card = (out / "README.md").read_text()
    assert "as its authors released them" in card
    assert "no licence" in " ".join((out / "LICENSE").read_text().split())


def test_build_a_subset(tmp_path: Path) -> None:
    out = BENCHMARK.build(tmp_path / "out", subset="describe_first", num_samples=1, seed=4)
    assert {sample.task for sample in read(out)} == set(SUBSETS["describe_first"])
    assert "hybrid pieces" in (out / "README.md").read_text()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"subset": "lite"}, "subset 'lite'"),
        ({"tasks": ["mazes"]}, "mazes: not in subset full"),
        ({"subset": "maze", "tasks": ["sandbagging"]}, "sandbagging: not in subset maze; it has maze"),
    ],
)
def test_options_that_do_not_fit(options: dict, said: str, tmp_path: Path) -> None:
    with pytest.raises(CogsightError, match=said):
        BENCHMARK.build(tmp_path / "out", **options)


def test_our_failure_and_the_models(release: Path) -> None:
    sample = BENCHMARK.samples(FULL)[0]
    for reply, points, reason in (
        (Reply(None, error="reset"), None, "request_failed"),
        (Reply("<think>so", Finish.LENGTH), 0.0, "truncated"),
        (Reply(""), 0.0, "empty"),
        (Reply(sample.answer), 1.0, "right"),
    ):
        score = BENCHMARK.score(sample, FULL, [reply])
        assert (score.points, score.reason) == (points, reason)

"""Next-k-Step and the generation tasks: local files in the published layout, prompts, and variants whose scores stand apart."""

from __future__ import annotations

import base64
import csv
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import fake_images
import fake_lego
import pytest

from cogsight.lego_puzzles import benchmark as lego
from cogsight.lego_puzzles import generate
from cogsight.lego_puzzles.benchmark import BENCHMARK, cache_key, turn
from cogsight.lego_puzzles.official_apart import KNOWN_BAD, RELEASES, read_apart
from cogsight.lego_puzzles.prompts import COT, prompt
from cogsight.lego_puzzles.scoring import published, summarise
from cogsight.lego_puzzles.taxonomy import GENERATION, MISSPELT, NEXT_K_STEP, TASKS
from cogsight.shared.build import generate_samples
from cogsight.shared.dataset import from_row, read, to_row
from cogsight.shared.errors import CogsightError, DataError
from cogsight.shared.fetch import UNPINNED
from cogsight.shared.sample import Picture, Sample, Score
from cogsight.shared.settings import official_data_variable
from cogsight.shared.table import title
from cogsight.shared.truth import truth_of
from cogsight.shared.variants import vlmeval_name
from cogsight.shared.versions import versions

REAL = Path(__file__).parents[3] / "shared" / "data" / "lego_puzzles" / "generation.tsv"
K_STEP = BENCHMARK.variant("lego_puzzles_next_k_step")
MAKE = BENCHMARK.variant("lego_puzzles_generation")
K_STEP_PROCEDURAL = BENCHMARK.variant("lego_puzzles_next_k_step_procedural")
MAKE_PROCEDURAL = BENCHMARK.variant("lego_puzzles_generation_procedural")
VARIABLE = {variant: official_data_variable(RELEASES[variant.subset].benchmark) for variant in (K_STEP, MAKE)}


def k_rows(*labels: str, **more: str) -> list[dict[str, str]]:
    """Questions of four options, with these labels; two of each."""
    (like,) = fake_lego.rows(tasks=["dependency"])
    made = [like | {"category": label} | more for label in labels for _ in range(2)]
    return [row | {"index": str(n)} for n, row in enumerate(made, 1)]


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache, and files of both kinds that the variables name."""
    monkeypatch.setenv("COGSIGHT_CACHE", str(tmp_path / "cache"))
    fake_lego.write(tmp_path / "next_k_step.tsv", k_rows("next_k_step_2", "next_k_step_1"))
    fake_images.write(tmp_path / "generation.tsv", fake_images.rows())
    monkeypatch.setenv(VARIABLE[K_STEP], str(tmp_path))
    monkeypatch.setenv(VARIABLE[MAKE], str(tmp_path / "generation.tsv"))
    return tmp_path


# --- names and sizes


def test_names_in_both_frameworks() -> None:
    found = {variant.name: vlmeval_name(variant, BENCHMARK.vlmeval_prefix) for variant in BENCHMARK.variants}
    official = {
        "lego_puzzles": "LEGO_Puzzles",
        "lego_puzzles_lite": "LEGO_Puzzles_Lite",
        "lego_puzzles_next_k_step": "LEGO_Puzzles_Next_K_Step",
        "lego_puzzles_next_k_step_cot": "LEGO_Puzzles_Next_K_Step_CoT",
        "lego_puzzles_generation": "LEGO_Puzzles_Generation",
    }
    assert found == official | {f"{one}_procedural": f"{other}_Procedural" for one, other in official.items()}


def test_what_is_apart_is_not_in_the_overall_of_the_eleven() -> None:
    for variant in BENCHMARK.variants:
        asked = set(BENCHMARK.asked(variant))
        assert asked <= set(TASKS) or not asked & set(TASKS)
        assert bool(asked & set(TASKS)) == (variant.subset in ("full", "lite"))
        assert variant.produces == (variant.subset == "generation")
    score = Score("lego_puzzles/official/next_k_step/1/1", 0, 1.0, "right", NEXT_K_STEP, NEXT_K_STEP)
    with pytest.raises(DataError, match="is none of height, "):
        BENCHMARK.summarise([score], BENCHMARK.variant("lego_puzzles"))


def test_sizes_of_generated_sets() -> None:
    each = {"full": 100, "lite": 20, NEXT_K_STEP: 140, "generation": 20}
    for variant in BENCHMARK.variants:
        if variant.source == "procedural":
            assert variant.size == each[variant.subset] * len(BENCHMARK.asked(variant))
    assert (K_STEP.size, MAKE.size) == (0, 0), "not published"


# --- official layouts


def test_next_k_step_rows(own: Path) -> None:
    samples = list(BENCHMARK.samples(K_STEP))
    assert [(sample.task, sample.level, sample.answer_type) for sample in samples] == [
        (NEXT_K_STEP, k, "option") for k in "2211"
    ]
    assert samples[0].id == "lego_puzzles/official/next_k_step/2/1"
    assert versions(BENCHMARK, K_STEP, "")["release"] == UNPINNED
    for labels in (k_rows("Next-k-Step", k="3"), k_rows("next_k_step_3", k="3"), k_rows("Next k Step 3")):
        path = fake_lego.write(own / "other.tsv", labels, (*fake_lego.COLUMNS, *(["k"] if "k" in labels[0] else [])))
        assert {sample.level for sample in read_apart(path, NEXT_K_STEP)} == {"3"}


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (k_rows("next_step"), "label 'next_step': expected next_k_step_3"),
        (k_rows("next_k_step"), "expected one number of steps"),
        (k_rows("next_k_step_0"), "label 'next_k_step_0': expected next_k_step_3"),
        (k_rows("next_k_step_3", k="4"), "column k '4': expected one number"),
        (k_rows("next_k_step", k="0"), "column k '0': expected one number"),
        (k_rows("next_k_step_3", D=""), "3 options, but Next-k-Step has 4"),
        (k_rows("next_k_step_3", question_type="sort"), "does not fit the task Next-k-Step"),
    ],
)
def test_next_k_step_rows_that_are_wrong(rows: list[dict[str, str]], said: str, tmp_path: Path) -> None:
    path = fake_lego.write(tmp_path / "next_k_step.tsv", rows, (*fake_lego.COLUMNS, *(["k"] if "k" in rows[0] else [])))
    with pytest.raises(DataError) as caught:
        list(read_apart(path, NEXT_K_STEP))
    assert said in str(caught.value)


def test_generation_rows(own: Path) -> None:
    samples = list(BENCHMARK.samples(MAKE))
    assert [(sample.task, sample.category) for sample in samples] == [(task, "generation") for task in GENERATION]
    for sample, row in zip(samples, fake_images.rows(), strict=True):
        assert (sample.question, sample.answer, dict(sample.choices)) == (row["question"], "", {})
        assert (sample.answer_type, truth_of(sample)) == ("picture", None)
        assert from_row(to_row(sample)) == sample


def shown_to_the_model(sample: Sample) -> list[str | Picture]:
    (message,) = turn(sample, MAKE, ()) or ()
    return list(message.parts)


@pytest.mark.skipif(not REAL.exists(), reason=f"the real rows are not here: {REAL}")
def test_the_real_generation_rows() -> None:
    samples = list(read_apart(REAL, "generation"))
    assert Counter(sample.task for sample in samples) == {
        "rotation_image": 4,
        "multiview_image": 4,
        "position_image": 1,
        "dependency_image": 2,
    }
    csv.field_size_limit(1 << 26)
    with REAL.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert [sample.question for sample in samples] == [row["question"] for row in rows]
    (position,) = (sample for sample in samples if sample.task == "position_image")
    assert "<iamge2>" in position.question, "no word is changed"
    parts = shown_to_the_model(position)
    assert [part for part in parts if isinstance(part, Picture)] == list(position.images)
    assert [part for part in parts if isinstance(part, str)] == [
        "Based on the current state ",
        ", the next part to install ",
        ", and the state after installation ",
        position.question.split("<image 3>")[1],
    ]
    assert base64.b64decode(rows[8]["image"].split("'")[3]) == position.images[1].data


def test_the_misspelt_placeholder_is_known_by_name(own: Path) -> None:
    assert dict.fromkeys(KNOWN_BAD, MISSPELT) == {"position*": {"<iamge2>": "<image 2>"}}
    one, two, three, *_ = (row | {} for row in fake_images.rows())
    assert "<iamge2>" in three["question"]
    path = fake_images.write(own / "other.tsv", [one, two, three | {"question": "See <iamge 2>"}])
    with pytest.raises(DataError, match="<iamge 2> looks like a placeholder and is none"):
        list(read_apart(path, "generation"))


@pytest.mark.parametrize("label", ["rotation", "outlier*", "*", ""])
def test_generation_labels_that_are_unknown(label: str, tmp_path: Path) -> None:
    path = fake_images.write(tmp_path / "generation.tsv", [fake_images.rows()[0] | {"category": label}])
    with pytest.raises(DataError, match=r"unknown label .*; known are Rotation\*, "):
        list(read_apart(path, "generation"))


@pytest.mark.parametrize("variant", [K_STEP, MAKE], ids=lambda variant: variant.name)
def test_what_was_never_published_says_what_to_do(variant: Any, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE[variant], str(own / "gone.tsv"))
    with pytest.raises(DataError, match=f"{VARIABLE[variant]}: no file"):
        BENCHMARK.samples(variant)
    monkeypatch.delenv(VARIABLE[variant])
    with pytest.raises(DataError) as caught:
        BENCHMARK.samples(variant)
    assert f"{variant.subset}.tsv has not been published; set {VARIABLE[variant]}" in str(caught.value)
    assert str(caught.value).endswith(f"run the generated questions: {variant.name}_procedural")


def test_a_local_file_is_built_by_its_path(own: Path) -> None:
    folder = BENCHMARK.build(own / "out", source=own / "generation.tsv", subset="generation", tasks=["position_image"])
    assert [sample.task for sample in read(folder)] == ["position_image"]


# --- prompts


def test_chain_of_thought_changes_one_line(own: Path) -> None:
    sample = BENCHMARK.samples(K_STEP)[0]
    *asked, direct = prompt(sample).split("\n")
    *also, cot = prompt(sample, BENCHMARK.variant("lego_puzzles_next_k_step_cot").style).split("\n")
    assert asked == also
    assert (direct, cot) == (
        "Choose the correct answer from the options above and reply with its letter.",
        COT["option"],
    )
    assert "Think step by step before answering" in cot


def test_where_a_picture_is_made_the_question_is_all() -> None:
    made = Sample("a", "t", "c", "all", (), "Turn <image1>. ", {}, "", "picture")
    assert prompt(made) == "Turn <image1>."


# --- summaries


def k_scores(right: list[float], source: str = "procedural", n: int = 20) -> list[Score]:
    return [
        Score(
            sample_id=f"lego_puzzles/{source}/next_k_step/{k}/{i}",
            attempt=0,
            points=float(i < count),
            reason="right" if i < count else "wrong",
            task=NEXT_K_STEP,
            category=NEXT_K_STEP,
            chance=0.25,
        )
        for k, count in enumerate(right, 1)
        for i in range(n)
    ]


def test_each_k_has_its_row_and_the_papers_threshold() -> None:
    summary = BENCHMARK.summarise(k_scores([9, 8, 20, 0, 1, 2, 3]), K_STEP_PROCEDURAL)
    assert summary.complete
    rows = list(summary.tasks.values())
    assert [row.title for row in rows] == [f"k = {k}" for k in range(1, 8)]
    assert [row.accuracy for row in rows] == [count / 20 for count in (9, 8, 20, 0, 1, 2, 3)]
    assert {row.critical for row in rows} == {9 / 20}
    assert [row.above_chance for row in rows[:3]] == [True, False, True]
    assert summary.headline == pytest.approx(43 / 140)
    assert [row.title for row in summary.rows if row.scope == "category"] == ["Next-k-Step"]


@pytest.mark.parametrize("row", published()["tables"]["next_k_step"]["rows"], ids=lambda row: row["model"])
@pytest.mark.parametrize("style", ["direct", "cot"])
def test_the_papers_table_comes_out(row: dict[str, Any], style: str) -> None:
    scores = k_scores([points / 5 for points in row[style]], "official")
    counts = {f"{NEXT_K_STEP}/{k}": 20 for k in range(1, 6)}
    summary = summarise(scores, K_STEP, counts)
    assert summary.complete
    assert [100 * (one.accuracy or 0) for one in summary.tasks.values()] == pytest.approx(row[style])


def test_a_local_file_says_how_many_questions_there_are(own: Path) -> None:
    scores = k_scores([1, 2], "official", 2)
    named = [replace(score, sample_id=s.id) for score, s in zip(scores, BENCHMARK.samples(K_STEP), strict=True)]
    summary = BENCHMARK.summarise(named, K_STEP)
    assert (summary.complete, summary.expected, list(summary.tasks)) == (True, 4, ["next_k_step/1", "next_k_step/2"])
    assert not BENCHMARK.summarise(named[1:], K_STEP).complete


def test_pictures_that_nobody_has_rated_are_no_score() -> None:
    scores = [
        Score(f"lego_puzzles/procedural/{task}/1/{i}", 0, None, "not_rated", task, "generation", parts={"ssim": -0.5})
        for task in GENERATION
        for i in range(20)
    ]
    summary = BENCHMARK.summarise(scores, MAKE_PROCEDURAL)
    assert (summary.headline, summary.overall.accuracy, summary.overall.lost) == (None, None, 0)
    assert "INCOMPLETE, no score. not rated: 100 pictures" in title(summary)
    assert {part.name: part.mean for part in summary.parts} == {"ssim": -0.5}


# --- generated sets


def test_generated_variants_ask_their_own_tasks(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        lego, "SUBSETS", {**lego.SUBSETS, "generation": replace(lego.SUBSETS["generation"], per_task=2)}
    )
    monkeypatch.setattr(generate, "GENERATORS", {"height": generate.GENERATORS["height"], **fake_images.generators()})
    samples = list(BENCHMARK.samples(MAKE_PROCEDURAL))
    assert Counter(sample.task for sample in samples) == dict.fromkeys(GENERATION, 2)
    assert [sample for sample in samples if truth_of(sample) != sample.images[-1]] == []
    with pytest.raises(
        CogsightError, match="next_k_step: cannot be generated from this source; tasks that can: height, rotation_im"
    ):
        BENCHMARK.samples(K_STEP_PROCEDURAL)


def test_lite_is_the_beginning_of_the_full_set(own: Path) -> None:
    lite = BENCHMARK.build(own / "lite", subset="lite", tasks=["height"], num_samples=4)
    full = BENCHMARK.build(own / "full", tasks=["height"], num_samples=6)
    assert list(read(lite)) == list(read(full))[:4]


def test_the_cache_keeps_the_sets_apart() -> None:
    keys = [cache_key(variant) for variant in BENCHMARK.variants if variant.source == "procedural"]
    assert len(set(keys)) == len(keys) - 1, "with and without chain of thought it is the same questions"
    assert "-generation-" in cache_key(MAKE_PROCEDURAL) and "-each20-" in cache_key(MAKE_PROCEDURAL)


def test_the_true_picture_is_never_asked(own: Path) -> None:
    made = list(
        generate_samples(
            list(fake_images.generators().values()), benchmark="lego_puzzles", versions={}, seed=0, num_samples=2
        )
    )
    for sample in made:
        for view in ("images", "listed", "collage"):
            (message,) = turn(sample, replace(MAKE_PROCEDURAL, view=view), ()) or ()
            pictures = [part for part in message.parts if isinstance(part, Picture)]
            assert sample.images[-1] not in pictures
            assert pictures == list(sample.images[:-1]) or view == "collage"

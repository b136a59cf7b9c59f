"""What every benchmark must do, asked of each that is registered: a new one is tested the moment it is listed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from cogsight.shared import registry
from cogsight.shared.answers import ANSWER_TYPES, values_of
from cogsight.shared.baselines import POLICIES, dialogue
from cogsight.shared.benchmark import Benchmark
from cogsight.shared.dataset import from_row, read, to_row
from cogsight.shared.fetch import NOT_PINNED
from cogsight.shared.fetch_folder import UNPINNED
from cogsight.shared.sample import Outcome, Picture, Reply, Sample
from cogsight.shared.settings import official_data_variable
from cogsight.shared.variants import Variant, vlmeval_name
from cogsight.shared.versions import versions

PER_TASK = 3
BENCHMARKS = list(registry.benchmarks().values())
VARIANTS = registry.variants()
by_name = pytest.mark.parametrize("benchmark", BENCHMARKS, ids=lambda benchmark: benchmark.name)

FEWER: dict[str, dict[str, object]] = {"voila": {"tasks": ["structure_01", "structure_09", "structure_12"]}}
"""Of benchmarks whose many tasks are made alike, and take long to draw: options of `build`."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Sample]]:
    """A few generated samples of each task of each benchmark."""
    found = {}
    for benchmark in BENCHMARKS:
        home = tmp_path_factory.mktemp(benchmark.name)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("COGSIGHT_CACHE", str(home / "cache"))
            options = {"num_samples": PER_TASK, "seed": 7, **fewer(benchmark)}
            found[benchmark.name] = list(read(benchmark.build(home / "data", **options)))
    return found


def fewer(benchmark: Benchmark) -> dict[str, object]:
    return FEWER.get(benchmark.name, {})


def shown(benchmark: Benchmark) -> Variant:
    """The variant whose samples `built` holds."""
    return next((v for v in benchmark.variants if v.source == "procedural"), benchmark.variants[0])


def ending(benchmark: Benchmark, sample: Sample, last: str) -> list[Reply]:
    """A dialogue that ends with this reply; a perfect model has said what comes before."""
    return [*dialogue(benchmark, shown(benchmark), sample, "oracle")[:-1], Reply(last)]


def wrong_answers(sample: Sample) -> list[str]:
    possible = POSSIBLE.get(sample.answer_type, lambda sample: [])
    return [value for value in possible(sample) if value != sample.answer]


def one_property_changed(sample: Sample) -> list[str]:
    """Answers that are right but for one property."""
    right = dict(pair.split(" = ") for pair in sample.answer.split(", "))
    changed = [right | {name: value} for name, values in values_of(sample.choices).items() for value in values]
    return [", ".join(f"{name} = {value}" for name, value in each.items()) for each in changed]


POSSIBLE: dict[str, Callable[[Sample], list[str]]] = {
    "option": lambda sample: list(sample.choices),
    "sequence": lambda sample: list(map("".join, permutations(sample.choices))),
    "properties": one_property_changed,
}
"""Answer type → answers to a question of it. Those to free questions cannot be listed: tests/mme_cc tries some."""


@by_name
def test_only_the_key_scores(benchmark: Benchmark, built: dict[str, list[Sample]]) -> None:
    variant = shown(benchmark)
    for sample in built[benchmark.name]:
        told = dialogue(benchmark, variant, sample, "oracle")[-1].text
        right = benchmark.score(sample, variant, ending(benchmark, sample, f"The answer is {told}."))
        assert (right.points, right.reason, right.sample_id) == (1.0, "right", sample.id)
        for value in wrong_answers(sample):
            wrong = benchmark.score(sample, variant, ending(benchmark, sample, f"The answer is {value}."))
            assert (wrong.points, wrong.reason) == (0.0, "wrong"), value


@by_name
def test_the_models_failure_is_zero_and_ours_is_none(benchmark: Benchmark, built: dict[str, list[Sample]]) -> None:
    sample, variant = built[benchmark.name][0], shown(benchmark)
    for text, outcome in [
        ("", Outcome.EMPTY),
        ("No idea at all.", Outcome.UNPARSED),
        ("<think>A, so", Outcome.TRUNCATED),
    ]:
        score = benchmark.score(sample, variant, ending(benchmark, sample, text))
        assert (score.points, score.reason) == (0.0, outcome.value)
    lost = benchmark.score(sample, variant, [Reply(None, error="connection reset")])
    assert (lost.points, lost.reason, lost.detail) == (None, "request_failed", "connection reset")


@by_name
def test_the_prompt_shows_every_picture_once(benchmark: Benchmark, built: dict[str, list[Sample]]) -> None:
    variant = shown(benchmark)
    for sample in built[benchmark.name]:
        messages = benchmark.turn(sample, variant, [])
        assert messages is not None
        parts = [part for message in messages for part in message.parts]
        pictures = [part for part in parts if isinstance(part, Picture)]
        assert sorted(p.data for p in pictures) == sorted(p.data for p in sample.images)
        assert "<image" not in " ".join(part for part in parts if isinstance(part, str))
        (collage,) = benchmark.turn(sample, replace(variant, view="collage"), []) or ()
        assert sum(isinstance(part, Picture) for part in collage.parts) == 1
        assert benchmark.turn(sample, variant, dialogue(benchmark, variant, sample, "oracle")) is None


@by_name
def test_rows_bring_samples_back(benchmark: Benchmark, built: dict[str, list[Sample]]) -> None:
    for sample in built[benchmark.name]:
        assert from_row(to_row(sample)) == sample
        kind = ANSWER_TYPES[sample.answer_type]
        assert kind.parse(sample.answer, sample.choices) == sample.answer
        assert sample.id.split("/")[:3] == [benchmark.name, shown(benchmark).source, sample.task]
        assert sample.task in benchmark.tasks
        assert set(sample.explanation) <= set(sample.choices)


@by_name
def test_baselines_score_what_they_must(benchmark: Benchmark, built: dict[str, list[Sample]]) -> None:
    variant, samples = shown(benchmark), built[benchmark.name]
    points = {
        policy: [benchmark.score(s, variant, dialogue(benchmark, variant, s, policy)).points for s in samples]
        for policy in (*POLICIES, *benchmark.policies)
    }
    assert set(points["oracle"]) == {1.0}
    assert set(points["unparsable"]) == set(points["silent"]) == {0.0}
    assert set(points["random"]) <= {0.0, 1.0}


@by_name
def test_a_summary_over_few_samples_is_not_complete(benchmark: Benchmark, built: dict[str, list[Sample]]) -> None:
    variant = shown(benchmark)
    scores = [benchmark.score(s, variant, ending(benchmark, s, s.answer)) for s in built[benchmark.name]]
    assert benchmark.summarise(scores, variant).complete is False


@by_name
def test_same_seed_same_bytes(benchmark: Benchmark, tmp_path: Path) -> None:
    options = {"num_samples": 2, **fewer(benchmark)}
    one = benchmark.build(tmp_path / "one", seed=3, num_proc=1, **options)
    two = benchmark.build(tmp_path / "two", seed=3, num_proc=2, **options)
    other = benchmark.build(tmp_path / "other", seed=4, **options)
    files = sorted(path.relative_to(one) for path in one.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(two) for path in two.rglob("*") if path.is_file())
    assert [name for name in files if (one / name).read_bytes() != (two / name).read_bytes()] == []
    assert {sample.question + sample.metadata for sample in read(one)}.isdisjoint(
        sample.question + sample.metadata for sample in read(other)
    )


@by_name
def test_the_version_of_official_data_holds_their_hash(
    benchmark: Benchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By it a run on another file than the pinned one is told from the others."""
    monkeypatch.delenv(official_data_variable(benchmark.name), raising=False)
    own = tmp_path / "own"
    own.write_bytes(b"another file")
    for variant in benchmark.variants:
        if variant.source == "official":
            assert versions(benchmark, variant, "").get("release") in (None, UNPINNED)
            with monkeypatch.context() as changed:
                changed.setenv(official_data_variable(benchmark.name), str(own))
                assert versions(benchmark, variant, "")["release"] in (NOT_PINNED, UNPINNED)


def test_names_are_unique_in_both_frameworks() -> None:
    lmms = [variant.name for _, variant in VARIANTS]
    vlmeval = [vlmeval_name(variant, benchmark.vlmeval_prefix) for benchmark, variant in VARIANTS]
    assert len(set(lmms)) == len(lmms)
    assert len(set(vlmeval)) == len(vlmeval)
    for (benchmark, variant), name in zip(VARIANTS, vlmeval, strict=True):
        assert registry.get(name) is registry.get(variant.name) is benchmark
        assert benchmark.variant(name) is variant


def test_unknown_names_list_the_known_ones() -> None:
    with pytest.raises(KeyError, match="lego_puzzles"):
        registry.get("lego_puzles")

"""Pictures that a model has made: not rated until somebody has looked, zero where there is none, grades by a scripted judge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import fake_images
import pytest

from cogsight.lego_puzzles.benchmark import BENCHMARK
from cogsight.lego_puzzles.produced import PARTS
from cogsight.shared.build import generate_samples
from cogsight.shared.image_measures import MEASURES
from cogsight.shared.judge.prompts import render
from cogsight.shared.judge.query import JudgeError, Query, Verdict
from cogsight.shared.rating.marks import SCALES, with_marks
from cogsight.shared.sample import Picture, Reply, Sample

VARIANT = BENCHMARK.variant("lego_puzzles_generation_procedural")
GENERATOR = fake_images.generators()["next_step_image"]
(SAMPLE,) = generate_samples([GENERATOR], benchmark="lego_puzzles", versions={}, seed=0, num_samples=1)
TRUE = SAMPLE.images[-1]
OFFICIAL = replace(SAMPLE, images=SAMPLE.images[:-1], metadata="{}")


@dataclass
class Scripted:
    """A judge that notes what it is asked."""

    values: Mapping[str, int] | None
    asked: list[Query] = field(default_factory=list)
    name: str = "seer"

    def verdict(self, query: Query) -> Verdict:
        render(query)  # raises for one that does not fit its template
        self.asked.append(query)
        if self.values is None:
            raise JudgeError("no answer")
        return Verdict(self.values)


def made(*pictures: Picture) -> list[Reply]:
    return [Reply("Here.", images=pictures)]


def test_without_ratings_a_picture_has_no_points_but_measures() -> None:
    score = BENCHMARK.score(SAMPLE, VARIANT, made(TRUE))
    assert (score.points, score.reason, set(score.parts)) == (None, "not_rated", set(MEASURES))
    assert (score.parts["silhouette_iou"], score.parts["color_distance"], score.parts["ssim"]) == pytest.approx(
        (1, 0, 1)
    )
    other = BENCHMARK.score(SAMPLE, VARIANT, made(TRUE, fake_images.figure("black")))
    assert other.parts["color_distance"] > 0.1, "the last one counts: sketches come first"
    assert BENCHMARK.score(OFFICIAL, VARIANT, made(TRUE)).parts == {}, "nobody has its true picture"


@pytest.mark.parametrize(
    ("replies", "reason"),
    [
        ([Reply("I cannot draw.")], "no_image"),
        ([Reply("")], "no_image"),
        (made(Picture(b"\x89PNG\r\n\x1a\n broken")), "broken_image"),
    ],
    ids=["text", "", "broken"],
)
def test_no_picture_is_zero(replies: list[Reply], reason: str) -> None:
    score = BENCHMARK.score(SAMPLE, VARIANT, replies, Scripted(None))
    assert (score.points, score.reason) == (0.0, reason)
    assert score.parts == {"appearance": 0, "instruction": 0}


def test_a_lost_request_is_ours() -> None:
    for replies in ([], [Reply(None, error="timeout")]):
        score = BENCHMARK.score(SAMPLE, VARIANT, replies)
        assert (score.points, score.reason) == (None, "request_failed")


@pytest.mark.parametrize(
    ("sample", "template", "shown"),
    [
        (SAMPLE, "generated_image", (*SAMPLE.images, fake_images.figure("red"))),
        (OFFICIAL, "generated_image_alone", (*OFFICIAL.images, fake_images.figure("red"))),
    ],
    ids=["with the true picture", "without"],
)
def test_a_judge_gives_grades(sample: Sample, template: str, shown: tuple[Picture, ...]) -> None:
    judge = Scripted({"appearance": 3, "instruction": 1})
    score = BENCHMARK.score(sample, VARIANT, made(fake_images.figure("red")), judge)
    assert (score.points, score.reason, score.judged_by) == (pytest.approx(4 / 6), "rated", "seer")
    assert (score.parts["appearance"], score.parts["instruction"]) == (1.0, pytest.approx(1 / 3))
    (asked,) = judge.asked
    assert (asked.template, asked.pictures) == (template, shown)
    assert "Image 1, Image 2" in asked.reference["question"]
    assert set(score.parts) <= {*PARTS, *SCALES}


def test_a_judge_that_fails_leaves_the_measures() -> None:
    score = BENCHMARK.score(SAMPLE, VARIANT, made(TRUE), Scripted(None))
    assert (score.points, score.reason, score.judged_by) == (None, "not_judged", "seer")
    assert set(score.parts) == set(MEASURES)


def test_points_are_the_mean_of_both_marks() -> None:
    score = BENCHMARK.score(SAMPLE, VARIANT, made(TRUE))
    marks = [dict(zip(SCALES, pair, strict=True)) for pair in ((0, 0), (3, 3), (2.25, 1.77))]
    assert [with_marks(score, pair).points for pair in marks] == pytest.approx([0, 1, 0.67])

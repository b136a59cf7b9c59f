"""A benchmark whose questions a picture answers, and runs of models that answered it, for tests of ratings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import toy
from PIL import Image, ImageDraw

from cogsight.shared.benchmark import Task
from cogsight.shared.cache import dataset_dir
from cogsight.shared.card import About
from cogsight.shared.dataset import Samples, read, write
from cogsight.shared.judge.query import NOT_RATED, Judge, Query
from cogsight.shared.messages import user_turn
from cogsight.shared.pictures import BROKEN_IMAGE, NO_IMAGE
from cogsight.shared.rating.collecting import Made, what_came_of
from cogsight.shared.rating.marks import SCALES, with_marks
from cogsight.shared.results import Asked, Run, RunInfo, start
from cogsight.shared.sample import Messages, Picture, Reply, Sample, Score
from cogsight.shared.summary import Summary, summarise
from cogsight.shared.truth import shown
from cogsight.shared.variants import Variant
from cogsight.shared.versions import versions

TASKS = {name: Task(name, title, "seeing", "picture", 0, 0) for name, title in (("turn", "Turn*"), ("view", "View*"))}
VARIANT = Variant("toy", ("procedural",), source="procedural", size=4, description="four pictures to make")


def bars(*colors: str, size: int = 240) -> Picture:
    """Bars beside each other, the taller the farther right."""
    image = Image.new("RGB", (size, size), "white")
    pen, step = ImageDraw.Draw(image), size // (len(colors) + 1)
    for n, color in enumerate(colors):
        pen.rectangle(
            (step * (n + 0.5), size - step * (n + 1), step * (n + 1.4), size - 20), fill=color, outline="black"
        )
    return Picture.from_image(image)


def sample(task: str, n: int, truth: bool = True) -> Sample:
    given, right = bars("red", "blue"), bars("blue", "red")
    return Sample(
        id=f"toy/procedural/{task}/0/{n}",
        task=task,
        category="seeing",
        level="0",
        images=(given, right) if truth else (given,),
        question=f"Here are two bars: <image 1> Draw them the other way round, please ({task} {n}).",
        choices={},
        answer="",
        answer_type="picture",
        metadata='{"truth":"last image"}' if truth else "{}",
    )


SAMPLES = (*(sample("turn", n) for n in range(2)), *(sample("view", n) for n in range(2)))


def turn(sample: Sample, variant: Variant, replies: Sequence[Reply]) -> Messages | None:
    return None if replies else user_turn(sample.question, shown(sample), variant.view)


def score(
    sample: Sample, variant: Variant, replies: Sequence[Reply], judge: Judge | None = None, attempt: int = 0
) -> Score:
    """As a judge says; without one a picture is not rated."""
    about = Score(sample.id, attempt, None, NOT_RATED, sample.task, sample.category)
    (reply,) = replies
    if reply.error is not None:
        return replace(about, reason="request_failed", detail=reply.error)
    if what_came_of(reply) is Made.NOTHING:
        reason = BROKEN_IMAGE if reply.images else NO_IMAGE
        return replace(with_marks(about, dict.fromkeys(SCALES, 0)), reason=reason)
    if judge is None:
        return about
    query = Query("generated_image", "", {"question": sample.question}, pictures=(*sample.images, *replies[0].images))
    values = judge.verdict(query).values
    return replace(with_marks(about, {name: int(values[name]) for name in SCALES}), judged_by=judge.name)


def add_up(scores: Sequence[Score], variant: Variant) -> Summary:
    expected = dict.fromkeys(TASKS, 2)
    return summarise(
        scores, variant, title="Toy", tasks=TASKS, categories={"seeing": "Seeing"}, expected=expected, average="tasks"
    )


def build(out: Path, *, overwrite: bool = False, **_: Any) -> Path:
    about = About("toy", "Toy", "", "1-A", "toy_procedural", "procedural")
    return write(SAMPLES, out, about, overwrite=overwrite)


def samples(variant: Variant) -> Samples:
    return read(dataset_dir("drawn-toy-1", build))


BENCHMARK = replace(
    toy.BENCHMARK,
    tasks=TASKS,
    variants=(VARIANT,),
    samples=samples,
    turn=turn,
    score=score,
    summarise=add_up,
    build=build,
    cache_key=lambda variant: "drawn-toy-1",
)


def run(folder: Path, model: str, pictures: Mapping[str, Picture | None], lost: Sequence[str] = ()) -> Run:
    """A run of a model that answered with these: sample's id → picture; None: with words alone."""
    now = versions(BENCHMARK, VARIANT, "some framework")
    info = RunInfo(
        "toy", "1-A", VARIANT.name, now["data"], now["prompt"], "some framework", model, settings={"view": "images"}
    )
    opened = start(folder, info)
    for name, picture in pictures.items():
        opened.append(Asked(name), Reply("Here it is.", images=(picture,) if picture else ()))
    for name in lost:
        opened.append(Asked(name), Reply(None, error="connection reset"))
    return opened


def ids() -> Iterator[str]:
    yield from (sample.id for sample in SAMPLES)

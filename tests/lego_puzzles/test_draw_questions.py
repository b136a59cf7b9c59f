"""`cogsight draw VARIANT`: a stub of the images interface is asked the generation questions, with their pictures; kept, gone on with."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import fake_images
import pytest
from stub_server import Answer, Request, StubServer
from typer.testing import CliRunner

from cogsight.lego_puzzles.benchmark import BENCHMARK
from cogsight.shared import cli
from cogsight.shared.judge.client import PROBE, RIGHT
from cogsight.shared.results import Asked, Run, open_run
from cogsight.shared.sample import Sample
from cogsight.shared.text_to_image import endpoint

NAME = "lego_puzzles_generation"
KEY = "odd/drawing+key=9c1b"


@dataclass
class World:
    """The images interface, and a vision judge that gives 3 and 2."""

    folder: Path
    samples: list[Sample]
    fails: dict[str, Answer] = field(default_factory=dict)
    """End of a prompt → what is answered."""
    drawn: list[Request] = field(default_factory=list)

    def __call__(self, request: Request) -> Answer:
        if request.path.endswith("/images/edits"):
            self.drawn.append(request)
            failing = [answer for end, answer in self.fails.items() if request.body["prompt"].endswith(end)]
            return failing[0] if failing else Answer("Done.", picture=self.picture(len(request.body["image"])))
        if PROBE.reply in request.text:
            return Answer(f'{{"reason": "", "answer": "{RIGHT}"}}')
        return Answer('{"reason": "", "appearance": 3, "instruction": 2}')

    @staticmethod
    def picture(shown: int) -> bytes:
        return fake_images.figure((10 * shown, 90, 90)).data

    @property
    def run(self) -> Run:
        return open_run(self.folder / "drawn")


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[World, StubServer]]:
    monkeypatch.setattr(endpoint, "TRIES", 0)
    monkeypatch.setenv("COGSIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv(
        "COGSIGHT_LEGO_PUZZLES_GENERATION_DATA",
        str(fake_images.write(tmp_path / "generation.tsv", fake_images.rows())),
    )
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "COGSIGHT_JUDGE_MODEL"):
        monkeypatch.delenv(name, raising=False)
    made = World(tmp_path, list(BENCHMARK.samples(BENCHMARK.variant(NAME))))
    with StubServer(made) as server:
        yield made, server


def draw(world: tuple[World, StubServer], *more: object, source: object = NAME) -> tuple[int, str, str]:
    made, server = world
    options = ("--model", "gpt-image-1", "--base-url", server.url, "--key", KEY, "--out", made.folder / "drawn")
    result = CliRunner().invoke(cli.app, list(map(str, ("draw", source, *options, *more))), prog_name="cogsight")
    return result.exit_code, result.stdout, result.stderr


def test_questions_go_out_with_their_pictures_and_what_comes_back_is_kept(world: tuple[World, StubServer]) -> None:
    made, _ = world
    code, shown, _ = draw(world)
    assert code == 1
    assert "5 pictures to draw, 0 kept" in shown
    assert "not rated: 5 pictures" in shown
    sent = {request.body["prompt"]: request.body for request in made.drawn}
    for sample, row in zip(made.samples, fake_images.rows(), strict=True):
        (prompt,) = (prompt for prompt in sent if prompt.endswith(f"make picture {row['index']}."))
        assert sent[prompt]["image"] == [picture.data for picture in sample.images]
        names = [f"Image {n}" for n in range(1, len(sample.images) + 1)]
        assert prompt == f"Based on {' and '.join(names)}, make picture {row['index']}."
        assert (sent[prompt]["model"], sent[prompt]["n"]) == ("gpt-image-1", "1")
        (picture,) = made.run.replies()[Asked(sample.id)].images
        assert picture.data == made.picture(len(sample.images))
    assert {request.headers["authorization"] for request in made.drawn} == {f"Bearer {KEY}"}
    info = made.run.info
    assert (info.variant, info.model, info.settings["view"]) == (NAME, "gpt-image-1", "listed")
    assert {(score.points, score.reason) for score in made.run.scores()} == {(None, "not_rated")}
    assert KEY not in "".join(path.read_text() for path in made.run.folder.glob("*.json*"))


def test_nothing_is_drawn_twice_and_a_judge_grades_it_later(world: tuple[World, StubServer]) -> None:
    made, server = world
    refused = Answer("not this", status=400, code="moderation_blocked")
    made.fails = {"picture 2.": Answer("overloaded", status=500), "picture 4.": refused}
    draw(world)
    reasons = [score.reason for score in made.run.scores()]
    assert reasons == ["not_rated", "request_failed", "not_rated", "no_image", "not_rated"]
    made.fails, made.drawn = {}, []
    code, shown, _ = draw(world, "--judge", "seer", "--judge-base-url", server.url)
    assert "1 pictures to draw, 4 kept" in shown
    assert [request.body["prompt"][-10:] for request in made.drawn] == ["picture 2."]
    points = [score.points for score in made.run.scores()]
    assert points == pytest.approx([5 / 6, 5 / 6, 5 / 6, 0, 5 / 6])
    assert code == 0, "all is drawn and graded"
    assert "Marks, 0 to 3  n   App" in shown and "3.00" in shown
    assert made.run.info.judge["judge prompt"].startswith("generated_image_alone-")


def test_what_is_drawn_is_rated_by_people_and_scored(world: tuple[World, StubServer]) -> None:
    made, _ = world
    made.fails = {"picture 4.": Answer("not this", status=400, code="moderation_blocked")}
    draw(world)
    page, run, out = made.folder / "ratings.html", made.folder / "drawn", made.folder / "scores"
    assert CliRunner().invoke(cli.app, ["rate", "make", str(run), "--out", str(page)]).exit_code == 0
    items = json.loads(page.with_suffix(".key.json").read_text())["items"]
    lines = [f"{name},Ada,2,1," for name, item in items.items() if item["made"] == "picture"]
    (made.folder / "ratings_Ada.csv").write_text("\n".join(["id,annotator,App,IF,true picture", *lines]))
    rated = made.folder / "rated"
    ratings = [str(made.folder / "ratings_Ada.csv"), "--out", str(rated)]
    assert CliRunner().invoke(cli.app, ["rate", "read", *ratings]).exit_code == 0
    shown = CliRunner().invoke(cli.app, ["score", str(run), "--ratings", str(rated), "--out", str(out)])
    assert shown.exit_code == 0, shown.output
    scored = open_run(out / "gpt-image-1_lego_puzzles_generation_listed")
    points = {score.sample_id: score.points for score in scored.scores()}
    assert points == pytest.approx({sample.id: 0.5 * (number != 4) for number, sample in enumerate(made.samples, 1)})
    assert scored.info.settings == made.run.info.settings, "how it was drawn is still said"
    # four tasks with 2 and 1, one with nothing: their means
    assert re.search(r"Overall +5 +1\.60 .* 0\.80 .* 1\n", shown.stdout)


def test_what_it_would_take(world: tuple[World, StubServer]) -> None:
    made, _ = world
    code, shown, _ = draw(world, "--dry-run")
    assert (code, made.drawn) == (0, [])
    assert shown.startswith("5 pictures to draw, 0 kept")
    assert not (made.folder / "drawn").exists()
    draw(world, "--limit", 2)
    assert len(made.drawn) == 2
    assert [score.reason for score in made.run.scores()].count("request_failed") == 3


@pytest.mark.parametrize(
    ("source", "more", "said"),
    [
        (
            "lego_puzzles_lite",
            (),
            "lego_puzzles_lite asks for no pictures: name the folder of a run, or one of lego_puzzles_gen",
        ),
        (NAME, ("--right-only",), "--right-only: lego_puzzles_generation asks for pictures alone"),
        ("lego_puzzles_generatio", (), "no run folder or variant 'lego_puzzles_generatio'; did you mean"),
        ("some/where", (), "some/where: no such folder"),
    ],
)
def test_what_cannot_be_drawn(source: str, more: tuple[str, ...], said: str, world: tuple[World, StubServer]) -> None:
    code, _, error = draw(world, *more, source=source)
    assert code == 1
    assert said in error

"""`cogsight draw`: a run's last answers drawn by a stub of the images interface, kept, gone on with, and looked at by a scripted judge."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

import fake_voila
import pytest
import toy
from stub_server import Answer, Request, StubServer
from typer.testing import CliRunner

from cogsight.shared import cli
from cogsight.shared.baselines import dialogue
from cogsight.shared.commands import drawing
from cogsight.shared.dataset import Samples
from cogsight.shared.frameworks.scoring import Attempt, score_all
from cogsight.shared.judge.client import PROBE, RIGHT
from cogsight.shared.judge.store import FILE
from cogsight.shared.results import Asked, Run, RunInfo, open_run, start
from cogsight.shared.sample import Reply, Sample
from cogsight.shared.text_to_image import endpoint
from cogsight.shared.versions import versions
from cogsight.voila import BENCHMARK, official
from cogsight.voila.drawing import questions
from cogsight.voila.rules import target
from cogsight.voila.samples import scenes_of

KEY = "odd/drawing+key=9c1b"
VARIANT = BENCHMARK.variant("voila_nd")


def picture(prompt: str) -> bytes:
    """Another one for each prompt."""
    return toy.picture(f"#{sha256(prompt.encode()).hexdigest()[:6]}").data


@dataclass
class World:
    """The images interface and a vision judge in one, and a scored run of seven dialogues."""

    samples: list[Sample]
    run: Run
    server: StubServer
    prompts: list[str] = field(default_factory=list)
    fails: Mapping[str, Answer] = field(default_factory=dict)
    """Text in a prompt → what is answered."""

    def __call__(self, request: Request) -> Answer:
        if request.path.endswith("/images/generations"):
            return self._drawn(request)
        if PROBE.reply in request.text:
            return Answer(f'{{"reason": "", "answer": "{RIGHT}"}}')
        (shown,) = request.images
        right = int(any(asked in request.text for asked in self._shows(shown)))
        return Answer(f'{{"reason": "", "number": {right}, "subject": {right}, "action": {right}}}')

    def _drawn(self, request: Request) -> Answer:
        assert request.headers["authorization"] == f"Bearer {KEY}"
        assert (request.body["size"], request.body["n"]) == ("1024x1024", 1)
        prompt = request.body["prompt"]
        self.prompts.append(prompt)
        for text, answer in self.fails.items():
            if text in prompt:
                return answer
        return Answer("As you wish.", picture=picture(prompt))

    def _shows(self, shown: bytes) -> list[str]:
        """A picture shows what its prompt's answer says."""
        return [
            questions(target(scenes_of(sample)))
            for sample in self.samples
            if any(sample.answer in plain(prompt) and picture(prompt) == shown for prompt in self.prompts)
        ]


def plain(prompt: str) -> str:
    return prompt.rpartition("\n\n")[2].removeprefix("The answer is ")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of seven questions, and a cache for all tests."""
    folder = tmp_path_factory.mktemp("home")
    asked = fake_voila.some(7, "nd")
    fake_voila.write_sheet(folder / "release" / "VOILA.csv", fake_voila.rows(asked))
    pictured = [scene for question in asked for scene in question.scenes]
    fake_voila.write_pictures(folder / "release" / "Test_Images", pictured)
    return folder


@pytest.fixture
def world(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setattr(official, "PER_STRUCTURE", 1)
    monkeypatch.setattr(endpoint, "TRIES", 0)
    (home / "cache" / FILE).unlink(missing_ok=True)
    monkeypatch.setenv("COGSIGHT_VOILA_DATA", str(home / "release"))
    monkeypatch.setenv("COGSIGHT_ALLOW_CHANGED", "1")
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "COGSIGHT_JUDGE_MODEL"):
        monkeypatch.delenv(name, raising=False)
    with toy.alone(monkeypatch, home / "cache", BENCHMARK, toy.BENCHMARK), StubServer() as server:
        samples: Samples = BENCHMARK.samples(VARIANT)
        found = list(samples)
        made = World(found, scored(tmp_path / "run", found), server)
        server.script = made
        yield made


def scored(folder: Path, samples: list[Sample], **changed: str) -> Run:
    """A run of perfect dialogues, but for the last sample's answer, which is wrong. `changed`: a sample's id → its answer."""
    now = versions(BENCHMARK, VARIANT, "")
    info = RunInfo(
        "voila",
        now["benchmark"],
        "voila_nd",
        now["data"],
        now["prompt"],
        "stub 1",
        "talker",
        settings={"view": "images"},
    )
    run = start(folder, info)
    attempts = []
    for sample in samples:
        replies = dialogue(BENCHMARK, VARIANT, sample, "oracle")
        if sample is samples[-1]:
            replies = [*replies[:-1], Reply("The answer is number = 4, subject = wolf, action = typing")]
        if sample.id in changed:
            replies = [*replies[:-1], Reply(changed[sample.id])]
        attempts.append(Attempt(sample, replies))
    run.write_replies({Asked(a.sample.id, 0, n): reply for a in attempts for n, reply in enumerate(a.replies)})
    run.write_scores(score_all(BENCHMARK, VARIANT, attempts))
    return run


def draw(world: World, *more: object, out: str = "drawn") -> tuple[int, str, str]:
    options = ("--model", "gpt-image-1", "--base-url", world.server.url, "--key", KEY)
    arguments = ("draw", world.run.folder, *options, "--out", world.run.folder.with_name(out), *more)
    result = CliRunner().invoke(cli.app, list(map(str, arguments)), prog_name="cogsight")
    return result.exit_code, result.stdout, result.stderr


def judged(world: World) -> tuple[object, ...]:
    return ("--judge", "seer", "--judge-base-url", world.server.url)


def drawn(world: World, out: str = "drawn") -> Run:
    return open_run(world.run.folder.with_name(out))


def test_pictures_are_drawn_kept_and_looked_at(world: World) -> None:
    code, shown, error = draw(world, *judged(world))
    assert "7 pictures to draw, 0 kept" in shown
    assert sorted(map(plain, world.prompts)) == sorted(
        [*(sample.answer for sample in world.samples[:-1]), "number = 4, subject = wolf, action = typing"]
    )
    run = drawn(world)
    replies = run.replies()
    for sample in world.samples:
        *before, last = (replies[Asked(sample.id, 0, turn)] for turn in range(4))
        assert before == [world.run.replies()[Asked(sample.id, 0, turn)] for turn in range(3)]
        assert (last.text, last.error, len(last.images)) == ("As you wish.", None, 1)
    points = {score.sample_id: score.points for score in run.scores()}
    assert [points[sample.id] for sample in world.samples] == [1.0] * 6 + [0.0]
    assert (run.info.variant, run.info.model) == ("voila_nd_draw", "talker + gpt-image-1")
    assert run.info.judge["judge"] == "seer"
    assert run.info.judge["judge prompt"].startswith("voila_image-")
    assert "4 Draw" in shown
    assert code == 1  # seven of 3,689 questions
    everything = "".join(path.read_text() for path in run.folder.glob("*.json*"))
    assert KEY not in everything + shown + error


def test_nothing_is_drawn_or_judged_twice(world: World) -> None:
    draw(world, *judged(world))
    before = len(world.server.requests)
    code, shown, _ = draw(world, *judged(world))
    assert "0 pictures to draw, 7 kept" in shown
    assert len(world.server.requests) == before
    code, shown, _ = draw(world, "--quality", "low")
    assert code == 1
    assert drawn(world).info.settings["drawn by"]["quality"] == ""


def test_without_a_judge_pictures_are_not_judged(world: World) -> None:
    draw(world)
    assert {(score.points, score.reason) for score in drawn(world).scores()} == {(None, "not_judged")}


def test_a_failure_is_drawn_again_and_a_refusal_is_the_models_own(world: World) -> None:
    one, two, *_ = (sample.answer for sample in world.samples)
    world.fails = {
        one: Answer(f"overloaded {KEY}", status=500),
        two: Answer("not this", status=400, code="moderation_blocked"),
    }
    _, _, error = draw(world, *judged(world))
    run = drawn(world)
    lost, refused = (run.replies()[Asked(sample.id, 0, 3)] for sample in world.samples[:2])
    assert lost.error is not None
    assert "status 500" in lost.error
    assert f"requests failed, the first: {lost.error}; run this again" in error
    assert KEY not in lost.error + error
    assert (refused.error, refused.images) == (None, ())
    assert "not this" in str(refused.text)
    scores = {score.sample_id: score for score in run.scores()}
    assert (scores[world.samples[0].id].points, scores[world.samples[0].id].reason) == (None, "request_failed")
    assert (scores[world.samples[1].id].points, scores[world.samples[1].id].reason) == (0.0, "no_image")
    world.fails, world.prompts = {}, []
    _, shown, _ = draw(world)
    assert "1 pictures to draw, 6 kept" in shown
    assert [plain(prompt) for prompt in world.prompts] == [one]


def test_a_server_that_cannot_help_ends_it_at_once_and_what_is_drawn_stays(world: World) -> None:
    last = world.samples[4].answer
    world.fails = {last: Answer(f"no such key: {KEY}", status=401)}
    code, shown, error = draw(world, "--concurrency", 1)
    assert code == 1
    assert "gpt-image-1 at http://127.0.0.1" in error
    assert "run this again to go on" in error
    assert KEY not in shown + error
    assert len(world.prompts) == 5
    world.fails = {}
    _, shown, _ = draw(world)
    assert "3 pictures to draw, 4 kept" in shown


def test_failures_in_a_row_end_it(world: World) -> None:
    world.fails = {"": Answer("no", status=500)}
    code, _, error = draw(world, "--concurrency", 1)
    assert code == 1
    assert "5 failures in a row, the last: status 500" in error
    assert len(world.prompts) == 5


@pytest.mark.parametrize("raw", ["[]", '{"data": []}', '{"data": [{"url": "http://127.0.0.1/x.png"}]}', "<html>"])
def test_an_answer_without_a_picture_is_lost(raw: str, world: World) -> None:
    world.fails = {world.samples[0].answer: Answer(raw=raw)}
    draw(world)
    reply = drawn(world).replies()[Asked(world.samples[0].id, 0, 3)]
    assert (reply.images, reply.text) == ((), None)
    assert reply.error


def test_only_right_answers_where_one_asks_for_that(world: World) -> None:
    _, shown, _ = draw(world, *judged(world), "--right-only")
    assert "6 pictures to draw" in shown
    scores = {score.sample_id: score for score in drawn(world).scores()}
    assert (scores[world.samples[-1].id].points, scores[world.samples[-1].id].reason) == (0.0, "wrong")
    assert sum(score.points or 0 for score in scores.values()) == 6
    _, shown, _ = draw(world, *judged(world))
    assert "1 pictures to draw, 6 kept" in shown


def test_an_answer_that_has_changed_is_drawn_again(world: World) -> None:
    draw(world)
    changed = world.samples[2]
    world.run = scored(
        world.run.folder, world.samples, **{changed.id: "The answer is number = 1, subject = fox, action = any"}
    )
    world.prompts = []
    _, shown, _ = draw(world)
    assert "1 pictures to draw, 6 kept" in shown
    assert [plain(prompt) for prompt in world.prompts] == ["number = 1, subject = fox, action = any"]


def test_an_empty_answer_asks_for_nothing(world: World) -> None:
    silent = world.samples[2]
    world.run = scored(world.run.folder, world.samples, **{silent.id: " "})
    draw(world)
    assert len(world.prompts) == 6
    assert drawn(world).replies()[Asked(silent.id, 0, 3)] == Reply("")


@pytest.mark.parametrize("name", ["", " "])
def test_a_model_must_be_named(world: World, name: str) -> None:
    code, shown, error = draw(world, "--dry-run", "--model", name)
    assert (code, shown) == (1, "")
    assert error == f"cogsight: --model {name!r}: no model is named; expected one that draws, such as gpt-image-1\n"


def test_costs_and_parts(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    code, shown, _ = draw(world, "--dry-run")
    assert (code, shown) == (0, "7 pictures to draw, 0 kept; what a picture of gpt-image-1 costs is not known here\n")
    assert world.prompts == []
    assert not world.run.folder.with_name("drawn").exists()
    _, shown, _ = draw(world, "--limit", 2)
    assert "2 pictures to draw" in shown
    reasons = [score.reason for score in drawn(world).scores()]
    assert reasons.count("request_failed") == 4  # the wrong answer needs no picture
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for quality, said in [("low", "; about 0.08 US dollars"), ("", "; 0.08 to 1.17 US dollars, by its quality")]:
        options = endpoint.Options("gpt-image-1", quality=quality)
        assert drawing._cost(options, 7) == said


def test_a_key_goes_nowhere_but_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert endpoint.Options("m").key == KEY
    assert endpoint.Options("m", base_url="http://127.0.0.1:1/v1").key == endpoint.NO_KEY
    assert KEY not in repr(endpoint.Options("m", api_key=KEY))
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(Exception, match="set OPENAI_API_KEY"):
        _ = endpoint.Options("m").key


@pytest.mark.parametrize(
    ("model", "fields"),
    [("gpt-image-1", set()), ("dall-e-3", {"response_format"}), ("local", {"response_format"})],
)
def test_who_must_be_told_to_send_the_picture_itself(model: str, fields: set[str], world: World) -> None:
    assert endpoint.Studio(endpoint.Options(model, world.server.url, KEY)).draw("x").images[0].data == picture("x")
    assert set(world.server.requests[-1].body) == {"model", "prompt", "n", "size"} | fields


def test_what_cannot_be_drawn(world: World) -> None:
    world.run = start(world.run.folder.with_name("text"), replace(world.run.info, variant="voila_nd_text"))
    code, _, error = draw(world)
    assert code == 1
    assert "voila_nd_text has no twin that ends with a picture; voila has voila_wd_draw, " in error
    world.run = start(world.run.folder.with_name("toy"), replace(world.run.info, variant="toy_procedural"))
    assert "toy has none at all" in draw(world)[2]
    assert json.loads((world.run.folder / "run.json").read_text())["variant"] == "toy_procedural"

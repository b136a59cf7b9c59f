"""Pictures of lmms-eval's image-output models: read from their own folder only; and VOILA's fourth step by lmms-eval's own command."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import chatty
import fake_voila
import pytest
import runs
import toy
from stub_server import Answer, Request, StubServer
from typer.testing import CliRunner

from cogsight.shared import cli
from cogsight.shared.frameworks import log_record, replies_in
from cogsight.shared.frameworks.dialogues import pack, unpack
from cogsight.shared.frameworks.lmms.pictures import folders_of, with_pictures
from cogsight.shared.judge.client import PROBE, RIGHT
from cogsight.shared.results import open_run
from cogsight.shared.sample import Finish, Reply, Score
from cogsight.voila.drawing import questions
from cogsight.voila.rules import Scene, Target, target

RED = toy.picture("red")


def says(text: object = "Look!", images: object = (), **more: object) -> Reply:
    return Reply(json.dumps({"text": text, "images": images, **more}), Finish.STOP)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "made" / "task").mkdir(parents=True)
    (tmp_path / "made" / "task" / "0.png").write_bytes(RED.data)
    (tmp_path / "secret.png").write_bytes(RED.data)
    return tmp_path / "made"


def test_pictures_in_the_models_folder_are_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "task" / "0.png"
    found = with_pictures(says(images=[str(path), str(path)]), [folder])
    assert found == Reply("Look!", Finish.STOP, images=(RED, RED))
    monkeypatch.chdir(folder.parent)
    assert with_pictures(says(images=["made/task/0.png"]), folders_of(SimpleNamespace(output_dir="made"))).images == (
        RED,
    )
    assert with_pictures(says(), [folder]) == Reply("Look!", Finish.STOP)


def test_all_else_is_what_the_model_says(folder: Path) -> None:
    inside = str(folder / "task" / "0.png")
    outside = [str(folder.parent / "secret.png"), f"{folder}/../secret.png", "/etc/passwd", "", "~/x.png"]
    (folder / "link.png").symlink_to(folder.parent / "secret.png")
    for reply in (
        *(says(images=[path]) for path in [*outside, str(folder / "link.png")]),
        says(images=[inside, "/etc/passwd"]),
        says(images=inside),
        says(images=[3]),
        says(text=None),
        says(images=[inside], more=1),
        Reply('{"images": ['),
        Reply("[" * 100_000),
        Reply("{" * 100_000),
        Reply("Two foxes."),
        Reply(""),
        Reply(None, error="lost"),
    ):
        assert with_pictures(reply, [folder]) is reply
    assert with_pictures(says(images=[inside]), []).images == ()


def test_a_picture_that_cannot_be_read_is_lost(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "text.png").write_text("no picture")
    for name, said in [("gone.png", "cannot be read"), ("text.png", "is no picture"), ("task", "cannot be read")]:
        found = with_pictures(says(images=[str(folder / name)]), [folder])
        assert found.text is None
        assert said in str(found.error)


def test_who_makes_no_pictures_has_no_folder() -> None:
    assert folders_of(SimpleNamespace(output_dir=None, output_image_dir="")) == ()
    lm = SimpleNamespace(output_dir="a", output_image_dir="b", generated_images_dir=Path("c"))
    assert [path.name for path in folders_of(lm)] == ["b", "c", "a"]


def test_pictures_outlast_the_models_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGSIGHT_CACHE", str(tmp_path))
    said = Reply("One.", Finish.STOP, images=(RED,)), Reply("Two."), Reply("", images=(RED, toy.picture("blue")))
    record = log_record(Score("a", 0, 1.0, "right"), *said)
    for found in (unpack(pack(said)), replies_in(json.loads(json.dumps(record)))):
        assert [[one.data for one in reply.images] for reply in found] == [
            [one.data for one in reply.images] for reply in said
        ]
        assert [reply.text for reply in found] == ["One.", "Two.", ""]
    shutil.rmtree(tmp_path / "pictures")
    assert [reply.error is None for reply in unpack(pack([Reply("Two.")]))] == [True]
    assert [reply.error is None for reply in replies_in(record)] == [False, True, False]


@dataclass
class Seer:
    """A vision judge that knows these scenes' pictures."""

    scenes: list[Scene]

    def __call__(self, request: Request) -> Answer:
        if PROBE.reply in request.text:
            return Answer(f'{{"reason": "", "answer": "{RIGHT}"}}')
        (shown,) = request.images
        right = int(
            any(shown == fake_voila.png(scene) and questions(Target(*scene)) in request.text for scene in self.scenes)
        )
        return Answer(f'{{"reason": "", "number": {right}, "subject": {right}, "action": {right}}}')


@pytest.mark.slow
@pytest.mark.skipif(find_spec("lmms_eval") is None, reason="lmms-eval is not installed")
def test_the_fourth_step_by_lmms_evals_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = fake_voila.some(7, "nd")
    fake_voila.write_sheet(tmp_path / "release" / "VOILA.csv", fake_voila.rows(asked))
    pictured = [scene for question in asked for scene in question.scenes]
    fake_voila.write_pictures(tmp_path / "release" / "Test_Images", pictured)
    runs.install_model(tmp_path, "drawing_model", "fake_voila")
    out, cache = tmp_path / "out", tmp_path / "cache"

    with StubServer(Seer([Scene(*target(question.scenes)) for question in asked])) as judge:
        own = {
            "PYTHONPATH": str(tmp_path),
            "HF_HOME": str(tmp_path / "hf"),
            "COGSIGHT_CACHE": str(cache),
            "COGSIGHT_VOILA_DATA": str(tmp_path / "release"),
            "COGSIGHT_ALLOW_CHANGED": "1",
            **chatty.variables(judge.url),
        }
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("COGSIGHT_", "HF_"))}
        command = [runs.LMMS_EVAL, "--model", "drawing_model", "--model_args", f"output_dir={tmp_path / 'made'}"]
        more = ["--tasks", "voila_nd_draw", "--batch_size", "1", "--log_samples", "--output_path", str(out)]
        printed = runs.call([*command, *more], {**kept, **runs.OFFLINE, **own})
        assert "Traceback" not in printed
        shutil.rmtree(tmp_path / "made")
        for name, value in own.items():
            monkeypatch.setenv(name, value)
        again = CliRunner().invoke(cli.app, ["score", str(out), "--out", str(tmp_path / "scores")])
    records = [record["cogsight"] for record in runs.Run(out).records.values()]
    assert [record["points"] for record in records] == [0.0, 0.0, *[1.0] * 5]
    assert [record["reason"] for record in records] == ["wrong", "no_image", *["right"] * 5]
    assert [len(record["earlier_turns"]) for record in records] == [3] * 7
    assert "the same" in again.output, again.output
    (folder,) = (tmp_path / "scores").iterdir()
    pictures = [reply.images for asked, reply in open_run(folder).replies().items() if asked.turn == 3]
    assert [len(images) for images in pictures] == [1, 0, 1, 1, 1, 1, 1]
    scores = open_run(folder).scores()
    assert [score.points for score in scores] == [record["points"] for record in records]
    assert [score.parts["apply"] for score in scores] == [1.0] * 7

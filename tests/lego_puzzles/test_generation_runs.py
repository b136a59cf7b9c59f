"""The generation tasks in both frameworks: what is shown, what comes back, and that the true picture never goes out."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import fake_images
import pytest
import runs
import toy
from typer.testing import CliRunner

from cogsight.lego_puzzles.benchmark import BENCHMARK
from cogsight.shared import cli
from cogsight.shared.build import generate_samples
from cogsight.shared.dataset import read, to_row, write
from cogsight.shared.errors import CogsightError
from cogsight.shared.frameworks.dialogues import pack
from cogsight.shared.image_measures import MEASURES
from cogsight.shared.results import Asked, open_run
from cogsight.shared.sample import Reply, Sample
from cogsight.shared.truth import shown

pytestmark = pytest.mark.slow  # imports both frameworks

NAME = "lego_puzzles_generation_procedural"
VARIANT = BENCHMARK.variant(NAME)
SAMPLES: list[Sample] = list(
    generate_samples(
        list(fake_images.generators().values()), benchmark="lego_puzzles", versions={}, seed=0, num_samples=1
    )
)
SHORT = replace(VARIANT, size=len(SAMPLES))
LEGO = replace(
    BENCHMARK,
    variants=tuple(SHORT if variant is VARIANT else variant for variant in BENCHMARK.variants),
    samples=lambda variant: SAMPLES,
)


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    monkeypatch.setenv("LMUData", str(tmp_path))
    for name in ("COGSIGHT_VIEW", "PRED_FORMAT", "COGSIGHT_JUDGE_MODEL"):
        monkeypatch.delenv(name, raising=False)
    with toy.alone(monkeypatch, tmp_path / "cache", LEGO):
        yield tmp_path


def pixels(image: Any) -> bytes:
    found: bytes = image.convert("RGB").tobytes()
    return found


def test_lmms_eval_is_not_shown_the_true_picture(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("lmms_eval", reason="lmms-eval is not installed")
    from cogsight.shared.frameworks.lmms import tasks

    monkeypatch.setenv("COGSIGHT_VIEW", "images")
    for sample in SAMPLES:
        inputs, true = [pixels(one.open()) for one in sample.images[:-1]], pixels(sample.images[-1].open())
        row = to_row(sample)
        (message,) = tasks.doc_to_messages(row, NAME)
        sent = [pixels(part["url"]) for part in message["content"] if part["type"] == "image"]
        assert sent == inputs == [pixels(one) for one in tasks.doc_to_visual(row, NAME)]
        assert true not in sent
        text = tasks.doc_to_text({**row, "images": None}, variant=NAME)
        assert f"Image {len(inputs)}" in str(text)
        assert f"Image {len(inputs) + 1}" not in str(text)


def test_vlmevalkit_is_not_shown_the_true_picture(alone: Path) -> None:
    pytest.importorskip("vlmeval", reason="VLMEvalKit (pip install ms-vlmeval) is not installed")
    from cogsight.shared.frameworks.vlmevalkit.dataset import dataset_class

    dataset = dataset_class(LEGO, __name__)(dataset="LEGO_Puzzles_Generation_Procedural")
    for row, sample in enumerate(SAMPLES):
        inputs = [one.data for one in sample.images[:-1]]
        sent = [part["value"] for part in dataset.build_prompt(row) if part["type"] == "image"]
        for files in (sent, dataset.dump_image(row)):
            assert [Path(file).read_bytes() for file in files] == inputs


def test_documents_without_media_are_judged_with_the_questions_pictures(
    alone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """lmms-eval takes the pictures out of what it hands to process_results."""
    pytest.importorskip("lmms_eval", reason="lmms-eval is not installed")
    from cogsight.shared.frameworks.lmms import tasks

    folder = write(SAMPLES, alone / "data")
    with toy.alone(monkeypatch, alone / "cache", replace(LEGO, samples=lambda variant: read(folder))):
        for sample in SAMPLES:
            text = pack([Reply("Here.", images=(fake_images.figure("black"),))])
            whole = tasks.process_results(to_row(sample), [text], NAME)["cogsight"]
            bare = tasks.process_results({**to_row(sample), "images": None}, [text], NAME)["cogsight"]
            assert set(whole["parts"]) == set(MEASURES)
            assert bare == whole


def test_both_frameworks_give_the_same_score(alone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """But for replies of text alone: models of VLMEvalKit return no pictures, and that they made none says nothing about them."""
    pytest.importorskip("lmms_eval", reason="lmms-eval is not installed")
    pytest.importorskip("vlmeval", reason="VLMEvalKit (pip install ms-vlmeval) is not installed")
    from cogsight.shared.frameworks.lmms import tasks
    from cogsight.shared.frameworks.vlmevalkit.dataset import dataset_class

    said = [
        Reply("I only write."),
        Reply(""),
        Reply(None, error="timeout"),
        Reply("Here.", images=(SAMPLES[3].images[-1],)),
        Reply("Here.", images=(fake_images.figure("black"),)),
    ]
    texts = [pack([reply]) for reply in said]
    rows = [{**to_row(sample), "images": to_row(sample)["images"]} for sample in SAMPLES]
    one = [tasks.process_results(row, [text], NAME)["cogsight"] for row, text in zip(rows, texts, strict=True)]
    dataset = dataset_class(LEGO, __name__)(dataset="LEGO_Puzzles_Generation_Procedural")
    table = alone / "m_LEGO_Puzzles_Generation_Procedural.tsv"
    dataset.data.assign(prediction=texts).to_csv(table, sep="\t", index=False)
    dataset.evaluate(str(table))
    (log,) = alone.glob("m_*_samples.jsonl")
    other = [json.loads(line) for line in log.read_text().splitlines()]
    about = ("id", "points", "reason", "parts", "reply", "error", "pictures")
    for left, right in zip(one[2:], other[2:], strict=True):
        assert {name: left.get(name) for name in about} == {name: right.get(name) for name in about}
    reasons = ["no_image", "no_image", "request_failed", "not_rated", "not_rated"]
    assert [line["reason"] for line in one] == [line["reason"] for line in other] == reasons
    assert [line["points"] for line in one] == [0.0, 0.0, None, None, None]
    assert [line["points"] for line in other] == [None] * 5
    assert [line["reply"] for line in one] == [line["reply"] for line in other]
    assert "text alone" in other[0]["detail"]
    assert "LEGO_Puzzles_Generation_Procedural asks for pictures; the framework hands on" in capsys.readouterr().err
    assert other[3]["parts"]["ssim"] > other[4]["parts"]["ssim"]


@pytest.mark.skipif(find_spec("lmms_eval") is None, reason="lmms-eval is not installed")
def test_pictures_by_lmms_evals_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_images.write(tmp_path / "generation.tsv", fake_images.rows())
    runs.install_model(tmp_path, "painting_model", "fake_images", "fake_lego")
    own = {
        "PYTHONPATH": str(tmp_path),
        "HF_HOME": str(tmp_path / "hf"),
        "COGSIGHT_CACHE": str(tmp_path / "cache"),
        "COGSIGHT_LEGO_PUZZLES_GENERATION_DATA": str(tmp_path / "generation.tsv"),
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COGSIGHT_", "HF_"))}
    made, out = tmp_path / "made", tmp_path / "out"
    command = [runs.LMMS_EVAL, "--model", "painting_model", "--model_args", f"output_dir={made}"]
    more = ["--tasks", "lego_puzzles_generation", "--batch_size", "1", "--log_samples", "--output_path", str(out)]
    printed = runs.call([*command, *more], {**kept, **runs.OFFLINE, **own})
    assert "Traceback" not in printed
    assert "not rated: 3 pictures" in printed
    shown = [json.loads(line) for line in (made / "shown.jsonl").read_text().splitlines()]
    assert [one["pictures"] for one in shown] == [1] * 5, "a simple model is shown one picture, or the collage"
    assert "Image 1 and Image 2 and Image 3" in shown[2]["text"]
    records = [record["cogsight"] for record in runs.Run(out).records.values()]
    assert [record["reason"] for record in records] == [
        "not_rated",
        "no_image",
        "request_failed",
        "not_rated",
        "not_rated",
    ]
    assert [record["points"] for record in records] == [None, 0.0, None, None, None]
    shutil.rmtree(made)
    for name, value in own.items():
        monkeypatch.setenv(name, value)
    again = CliRunner().invoke(cli.app, ["score", str(out), "--out", str(tmp_path / "scores")])
    assert again.exit_code == 1, again.output
    (folder,) = (tmp_path / "scores").iterdir()
    replies = open_run(folder).replies()
    assert [len(replies[Asked(record["id"])].images) for record in records] == [1, 0, 0, 1, 1]
    assert replies[Asked(records[4]["id"])].images[0].data == fake_images.figure((200, 40, 0)).data
    assert replies[Asked(records[4]["id"])].text == "Picture 4."


def test_the_baseline_is_not_shown_the_true_picture_and_does_not_ask_for_it() -> None:
    """Of a generated question the last picture is the true one: a model gets all but that."""
    pytest.importorskip("lmms_eval", reason="lmms-eval is not installed")
    from cogsight.shared.frameworks.lmms.baseline import ChatBaseline

    task, image = "lego_puzzles_generation_procedural", {"type": "image"}
    model = ChatBaseline("first")
    for sample in SAMPLES:
        count = len(shown(sample))
        assert count == len(sample.images) - 1
        model.task_dict = {task: {"test": [to_row(sample)]}}

        def reply(pictures: int) -> str:
            return model._reply("", lambda doc: [{"content": [image] * pictures}], {}, 0, task, "test")

        assert isinstance(reply(count), str)
        with pytest.raises(CogsightError, match=f"the model is shown {count - 1} pictures"):
            reply(count - 1)

"""What lmms-eval calls, called as it calls it: rows with pictures for messages, rows without them for texts and scores."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import toy

from cogsight.shared.dataset import to_row
from cogsight.shared.errors import DataError
from cogsight.shared.frameworks.lmms import logs, tasks
from cogsight.shared.sample import Picture, Reply, Sample

VARIANT = "toy_procedural"
HUE, ORDER = toy.hue(0), toy.order(0)
FAILED = "[LMMS_EVAL_REQUEST_FAILED after 1 retries] Error code: 500"


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.delenv("COGSIGHT_VIEW", raising=False)
    with toy.alone(monkeypatch, tmp_path):
        yield


def function(name: str) -> Any:
    return getattr(tasks, f"{name}__{VARIANT}")


def without_pictures(sample: Sample) -> dict[str, Any]:
    row = to_row(sample)
    del row["images"]
    return row


def pixels(image: Any) -> tuple[Any, bytes]:
    return image.size, image.tobytes()


def shown(messages: list[dict[str, Any]]) -> list[Any]:
    (message,) = messages
    assert message["role"] == "user"
    return [part["text"] if part["type"] == "text" else pixels(part["url"]) for part in message["content"]]


def test_functions_are_made_by_name() -> None:
    assert function("doc_to_text").keywords == {"variant": VARIANT}
    for name in ("doc_to_nothing__toy_procedural", "doc_to_text__", "_parts__toy_procedural"):
        with pytest.raises(AttributeError, match=name):
            getattr(tasks, name)


def test_rows_come_when_they_are_asked_for() -> None:
    rows = function("process_docs")(SimpleNamespace())
    assert rows["id"] == [sample.id for sample in toy.SAMPLES]


def test_an_error_of_ours_ends_the_program_with_its_message(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def samples(variant: Any) -> Any:
        raise DataError("LEGO.tsv: no such file")

    with (
        toy.alone(monkeypatch, tmp_path, toy.made(samples=samples)),
        pytest.raises(SystemExit, match=r"^cogsight: LEGO.tsv: no such file$"),
    ):
        function("process_docs")(None)


@pytest.mark.parametrize("name", ["COGSIGHT_ALLOW_CHANGED", "COGSIGHT_VIEW", "COGSIGHT_KEEP_BUILTIN"])
def test_a_bad_setting_ends_the_program_when_a_task_is_used(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Before its data are read, which may not need that setting: `bind` would raise, and lmms-eval go on."""
    monkeypatch.setenv(name, "foo")
    with (
        toy.alone(monkeypatch, tmp_path, toy.made(samples=lambda variant: pytest.fail("data are read"))),
        pytest.raises(SystemExit, match=rf"^cogsight: {name}=foo: expected"),
    ):
        function("process_docs")(None)


@pytest.mark.parametrize("sample", toy.SAMPLES, ids=lambda sample: sample.id)
def test_chat_models_see_each_picture_where_the_text_speaks_of_it(sample: Sample) -> None:
    messages = toy.turn(sample, toy.VARIANT, [])
    assert messages is not None
    (message,) = messages
    expected = [pixels(part.open()) if isinstance(part, Picture) else part for part in message.parts]
    assert shown(function("doc_to_messages")(to_row(sample))) == expected


@pytest.mark.parametrize(
    ("setting", "chat", "simple"), [("auto", 3, 1), ("images", 3, 3), ("collage", 1, 1)], ids=lambda value: str(value)
)
def test_views(setting: str, chat: int, simple: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGSIGHT_VIEW", setting)
    row = to_row(ORDER)
    parts = shown(function("doc_to_messages")(row))
    assert sum(not isinstance(part, str) for part in parts) == chat
    pictures = [pixels(image) for image in function("doc_to_visual")(row)]
    assert len(pictures) == simple
    if simple == 3:
        assert pictures == [pixels(picture.open()) for picture in ORDER.images]
    if chat == 1:  # the collage stands before a text that says "Image N", for both kinds of model
        assert parts == [pictures[0], function("doc_to_text")(without_pictures(ORDER))]


def test_the_text_for_simple_models_says_image_n() -> None:
    assert function("doc_to_text")(without_pictures(HUE)) == (
        "Which is red, Image 1 or Image 2?\nA. Image 1\nB. the <second> & last"
    )


def test_a_single_picture_is_no_collage() -> None:
    one = replace(HUE, images=HUE.images[:1], question="Is <image 1> red?")
    assert [pixels(image) for image in function("doc_to_visual")(to_row(one))] == [pixels(one.images[0].open())]


@pytest.mark.parametrize(
    ("reply", "points", "reason"),
    [("A", 1.0, "right"), ("B", 0.0, "wrong"), (FAILED, None, "request_failed")],
)
def test_metrics(reply: str, points: float | None, reason: str) -> None:
    metrics = function("process_results")(without_pictures(HUE), [reply], view="collage")
    assert metrics["accuracy"]["score"] == metrics["hue"] == 100 * (points or 0.0)
    assert metrics["lost"] == 100.0 * (points is None)
    record = metrics["cogsight"]
    assert (record["id"], record["points"], record["reason"]) == (HUE.id, points, reason)
    assert (record["variant"], record["view"]) == (VARIANT, "collage")
    assert record["versions"]["benchmark"] == "1-A"
    assert metrics == json.loads(json.dumps(metrics)), "plain values only"


def test_a_scorer_that_fails_is_our_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def score(*args: Any) -> Any:
        raise ZeroDivisionError("a bug")

    with toy.alone(monkeypatch, tmp_path, toy.made(score=score)):
        metrics = function("process_results")(without_pictures(HUE), ["A"])
    record = metrics["cogsight"]
    assert (record["points"], record["reason"]) == (None, "scorer_failed")
    assert record["detail"] == "ZeroDivisionError: a bug"
    assert record["reply"] == "A", "what was paid for is kept"
    assert metrics["lost"] == 100.0


def test_no_key_gets_into_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-very-secret-key")
    metrics = function("process_results")(without_pictures(HUE), [f"{FAILED} wrong key a-very-secret-key"])
    assert "a-very-secret-key" not in json.dumps(metrics)


def items(*replies: str) -> list[Any]:
    results = function("process_results")
    return [results(without_pictures(s), [r])["accuracy"] for s, r in zip(toy.SAMPLES, replies, strict=False)]


def test_accuracy_is_the_mean_of_the_tasks_in_per_cent(capsys: pytest.CaptureFixture[str]) -> None:
    assert function("accuracy")(items("A", "B", "CBA", "CBA")) == pytest.approx(75.0)
    printed = capsys.readouterr().out
    assert "Toy (toy_procedural): 75.0 %" in printed
    assert "Which Hue" in printed
    assert "lmms_eval" in printed


@pytest.mark.parametrize(
    ("replies", "complete"), [(("A", "B", "", ""), 1.0), (("A", "B"), 0.0), (("A", "B", FAILED, ""), 0.0)]
)
def test_only_a_whole_run_is_complete(replies: tuple[str, ...], complete: float) -> None:
    results = function("process_results")
    found = [
        results(without_pictures(s), [r], view="images")["complete"] for s, r in zip(toy.SAMPLES, replies, strict=False)
    ]
    assert function("complete")(found) == complete
    assert all("score" not in item for item in found), "lmms-eval would give it a standard error"


def test_what_was_lost_counts_as_wrong_and_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert function("accuracy")(items("A", FAILED, "CBA", "CBA")) == pytest.approx(75.0)
    assert "INCOMPLETE, no score. 1 lost, by no fault of the model" in capsys.readouterr().out


def test_a_log_gives_the_replies_back(tmp_path: Path) -> None:
    replies = ["A", FAILED, "", "C\nB\nA"]
    results = function("process_results")
    lines = [
        json.dumps({"doc_id": n} | results(without_pictures(sample), [reply], view="images"))
        for n, (sample, reply) in enumerate(zip(toy.SAMPLES, replies, strict=True))
    ]
    log = tmp_path / "20261130_120000_samples_toy_procedural.jsonl"
    log.write_text("\n".join(reversed(lines)) + "\n")
    rows = logs.read(log)
    assert [row.sample_id for row in rows] == sorted(sample.id for sample in toy.SAMPLES)
    assert {row.sample_id: row.reply for row in rows} == {
        sample.id: Reply(None, error=reply) if reply == FAILED else Reply(reply)
        for sample, reply in zip(toy.SAMPLES, replies, strict=True)
    }
    assert {(row.variant, row.view, row.attempt) for row in rows} == {(VARIANT, "images", 0)}
    assert list(tmp_path.glob(logs.PATTERN)) == [log]


@pytest.mark.parametrize("line", ['{"doc_id": 0}', "no json", "[1]", '{"cogsight": {"id": "x"}}', '{"cogsight": 1}'])
def test_a_log_of_another_task_is_named_with_its_line(line: str, tmp_path: Path) -> None:
    log = tmp_path / "x_samples_mme.jsonl"
    log.write_text(line + "\n")
    with pytest.raises(DataError, match=r"x_samples_mme.jsonl, line 1: .*expected a sample log of one of cogsight's"):
        logs.read(log)


def test_a_missing_log_says_how_to_write_one(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="--log_samples"):
        logs.read(tmp_path / "x_samples_toy.jsonl")


def loaded(process_results: Any) -> Any:
    """A task as TaskManager returns it, with as much of it as `bind` touches."""
    config = SimpleNamespace(process_results=process_results, metadata={"version": "1-A"})
    return SimpleNamespace(
        config=config, instances=[], eval_docs=SimpleNamespace(_fingerprint="f"), eval_docs_no_media={"id": []}
    )


@pytest.mark.parametrize(("kind", "view"), [("chat", "images"), ("simple", "collage")])
def test_a_loaded_task_logs_what_its_model_is_shown(kind: str, view: str) -> None:
    task = loaded(function("process_results"))
    tasks.bind(task, kind)
    assert task.config.process_results(without_pictures(HUE), ["A"])["cogsight"]["view"] == view
    assert task.config.metadata == {"version": "1-A", "view": view, "data": "f"}


@pytest.mark.parametrize("other", [None, print, partial(print, "x")])
def test_other_tasks_are_left_alone(other: Any) -> None:
    task = loaded(other)
    tasks.bind(task, "chat")
    assert task.config.process_results is other
    tasks.bind(SimpleNamespace(), "chat")

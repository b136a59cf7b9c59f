"""`cogsight score`: the logs of both frameworks, read back and scored again; what was lost makes the exit code 1."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from pathlib import Path

import pytest
import toy
from typer.testing import CliRunner

from cogsight.shared import cli
from cogsight.shared.errors import DataError
from cogsight.shared.frameworks import log_record
from cogsight.shared.frameworks.logs import find_logs, read_log
from cogsight.shared.frameworks.vlmevalkit.logs import to_reply
from cogsight.shared.results import open_run
from cogsight.shared.sample import Reply

RIGHT = [Reply(sample.answer) for sample in toy.SAMPLES]
HALF = [Reply("A"), Reply("B"), Reply("CBA"), Reply("ABC")]
LOST = [*RIGHT[:3], Reply(None, error="connection refused")]


@pytest.fixture(autouse=True)
def only_the_toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    with toy.alone(monkeypatch, tmp_path / "cache"):
        yield


def run(*arguments: object) -> tuple[int, str, str]:
    """Exit code, stdout, stderr."""
    result = CliRunner().invoke(cli.app, ["score", *map(str, arguments)], prog_name="cogsight")
    return result.exit_code, result.stdout, result.stderr


def lmms_log(
    folder: Path,
    replies: Sequence[Reply],
    attempts: int = 1,
    model: str = "m/x",
    printed: float = 100.0,
    stamp: str = "20260101_000000",
    model_args: str = "model=x,api_key=sk-secretsecret",
) -> Path:
    """As lmms-eval writes it with --log_samples, with the results beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / f"{stamp}_samples_toy_procedural.jsonl"
    about = {"variant": "toy_procedural", "view": "images", "versions": {"framework": "lmms_eval 0.7.3"}}
    scores = [
        (toy.score(sample, toy.VARIANT, [reply], attempt=attempt), reply)
        for attempt in range(attempts)
        for sample, reply in zip(toy.SAMPLES, replies, strict=False)
    ]
    lines = [json.dumps({"doc_id": 0, "cogsight": log_record(*scored) | about}) for scored in scores]
    log.write_text("\n".join(lines) + "\n")
    results = {"toy_procedural": {"alias": "toy_procedural", "accuracy,none": printed}}
    config = {"model": "openai", "model_args": model_args}
    beside = folder / f"{stamp}_results.json"
    beside.write_text(json.dumps({"results": results, "config": config, "model_name": model}))
    return log


def kit_table(folder: Path, predictions: Sequence[str], low: float | None = None) -> Path:
    """As VLMEvalKit writes it with PRED_FORMAT=tsv, with what our evaluation puts beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    table = folder / "gpt_Toy_Procedural.tsv"
    with table.open("w", newline="") as file:
        rows = csv.writer(file, delimiter="\t")
        rows.writerow(["index", "sample_id", "variant", "view", "prediction"])
        for n, (sample, text) in enumerate(zip(toy.SAMPLES, predictions, strict=False)):
            rows.writerow([n, sample.id, "toy_procedural", "collage", text])
    replies = map(to_reply, predictions)
    records = [
        log_record(toy.score(*asked), asked[2][0]) for asked in zip(toy.SAMPLES, repeat(toy.VARIANT), zip(replies))
    ]
    (folder / "gpt_Toy_Procedural_samples.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    if low is not None:
        summary = {"rows": [{"low": low}], "versions": {"framework": "ms-vlmeval 0.0.20"}}
        (folder / "gpt_Toy_Procedural_summary.json").write_text(json.dumps(summary))
    return table


def points(folder: Path) -> dict[str, float | None]:
    return {score.sample_id: score.points for score in open_run(folder).scores()}


def test_a_complete_run_of_lmms_eval(tmp_path: Path) -> None:
    code, shown, error = run(lmms_log(tmp_path / "logs", RIGHT), "--out", tmp_path / "out")
    assert (code, error) == (0, "")
    assert shown.splitlines()[-1] == "m_x_toy_procedural: 100.0 %"
    assert "the framework printed 100.00 %, this is 100.00 %: the same" in shown
    folder = tmp_path / "out" / "m_x_toy_procedural"
    assert points(folder) == {sample.id: 1.0 for sample in toy.SAMPLES}
    info = open_run(folder).info
    assert (info.framework, info.model, info.variant) == ("lmms_eval 0.7.3", "m/x", "toy_procedural")
    assert "secret" not in (folder / "run.json").read_text()


def test_a_table_of_vlmevalkit(tmp_path: Path) -> None:
    table = kit_table(tmp_path / "logs", [str(reply.text) for reply in HALF], low=1.0)
    code, shown, _ = run(table, "--out", tmp_path / "out")
    assert code == 0
    assert shown.splitlines()[-1] == "gpt_toy_procedural_collage: 50.0 %"
    assert "the framework printed 100.00 %, this is 50.00 %: they differ" in shown
    assert open_run(tmp_path / "out" / "gpt_toy_procedural_collage").info.settings == {"view": "collage"}


def test_both_frameworks_give_the_same_scores(tmp_path: Path) -> None:
    lmms_log(tmp_path / "logs" / "a", HALF)
    kit_table(tmp_path / "logs" / "b", [str(reply.text) for reply in HALF])
    assert run(tmp_path / "logs", "--out", tmp_path / "out")[0] == 0
    assert points(tmp_path / "out" / "m_x_toy_procedural") == points(tmp_path / "out" / "gpt_toy_procedural_collage")


@pytest.mark.parametrize(
    ("replies", "said"), [(LOST, "1 lost, by no fault of the model"), (RIGHT[:3], "1 of 4 answers missing")]
)
def test_what_is_not_measured_is_said_last_and_code_1(tmp_path: Path, replies: Sequence[Reply], said: str) -> None:
    code, shown, _ = run(lmms_log(tmp_path / "logs", replies), "--out", tmp_path / "out")
    assert code == 1
    assert shown.splitlines()[-1] == f"m_x_toy_procedural: not complete: {said}"


def test_a_lost_request_of_the_kit_is_no_wrong_answer(tmp_path: Path) -> None:
    table = kit_table(tmp_path, ["A", "A", "CBA", "Failed to obtain answer via API."])
    code, shown, _ = run(table, "--out", tmp_path / "out")
    assert (code, list(points(tmp_path / "out" / "gpt_toy_procedural_collage").values())) == (1, [1.0, 1.0, 1.0, None])
    assert "not beside the log" in shown


def test_several_attempts_at_each_question(tmp_path: Path) -> None:
    assert run(lmms_log(tmp_path / "logs", HALF, attempts=2), "--out", tmp_path / "out")[0] == 0
    scores = open_run(tmp_path / "out" / "m_x_toy_procedural").scores()
    assert sorted((score.sample_id, score.attempt) for score in scores) == [
        (sample.id, attempt) for sample in sorted(toy.SAMPLES, key=lambda sample: sample.id) for attempt in (0, 1)
    ]


def test_scoring_again_adds_nothing(tmp_path: Path) -> None:
    log, folder = lmms_log(tmp_path / "logs", RIGHT), tmp_path / "out" / "m_x_toy_procedural"
    assert run(log, "--out", tmp_path / "out")[0] == 0
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert run(log, "--out", tmp_path / "out")[0] == 0
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_folder_gives_every_log_once(tmp_path: Path) -> None:
    log, table = lmms_log(tmp_path / "a", RIGHT), kit_table(tmp_path / "b" / "T1", ["A"])
    for name in (table.name, "gpt_Toy_Procedural_samples.jsonl"):  # the kit links its newest run one folder up
        (tmp_path / "b" / name).symlink_to(table.with_name(name))
    assert sorted(find_logs([tmp_path, log])) == sorted([log, table])


def test_logs_of_other_tasks_in_a_folder_are_left_alone(tmp_path: Path) -> None:
    log = lmms_log(tmp_path, RIGHT)
    other = tmp_path / "20261129_000000_samples_mme.jsonl"
    other.write_text('{"doc_id": 0, "resps": ["yes"]}\n')
    assert find_logs([tmp_path]) == [log.resolve()]
    log.unlink()
    with pytest.raises(DataError, match="no sample logs in this folder"):
        find_logs([tmp_path])
    code, _, errors = run(other, "--out", tmp_path / "out")
    assert (code, "line 1: KeyError" in errors) == (1, True)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00garbage", b"[" * 100_000], ids=["no text", "nested"])
def test_garbage_is_told_by_line(content: bytes, tmp_path: Path) -> None:
    log = tmp_path / "x_samples_toy_procedural.jsonl"
    log.write_bytes(content)
    for path in (log, tmp_path):
        code, _, errors = run(path, "--out", tmp_path / "out")
        assert code == 1
        assert f"{log}, line 1: " in errors


def test_our_log_beside_the_table_stands_for_it(tmp_path: Path) -> None:
    table = kit_table(tmp_path, ["A", "B"])
    assert read_log(tmp_path / "gpt_Toy_Procedural_samples.jsonl") == read_log(table)


def test_ranks_that_logged_the_same_reply_and_ranks_that_did_not(tmp_path: Path) -> None:
    log = lmms_log(tmp_path, [*RIGHT])
    lines = log.read_text().splitlines()
    other = lines[1].replace('"reply": "A"', '"reply": "B"')
    log.write_text("\n".join([*lines, lines[0], other]))
    replies = read_log(log).replies
    assert replies[toy.SAMPLES[0].id, 0] == (RIGHT[0],)
    assert replies[toy.SAMPLES[1].id, 0] == (Reply(None, error="the log holds 2 different replies"),)


def spoil(log: Path, changes: Mapping[str, str]) -> Path:
    text = log.read_text()
    for old, new in changes.items():
        text = text.replace(old, new, 1)
    log.write_text(text)
    return log


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({'"cogsight": ': '"other": '}, "line 1"),
        (
            {'"id": "toy/procedural/hue/0/1"': '"id": "toy/old/hue/0/1"'},
            "toy_procedural does not have, such as toy/old/hue/0/1",
        ),
        ({'"variant": "toy_procedural"': '"variant": "toy_other"'}, "replies to toy_other, toy_procedural"),
        ({"{": "["}, "line 1"),
        ({'"attempt": 0': '"attempt": "0"'}, "line 1: TypeError(\"no int as attempt: '0'\")"),
        ({'"view": "images"': '"view": null'}, "no str as view: None"),
        ({'"reply": "A"': '"reply": ["A"]'}, "a reply or an error that is no text"),
    ],
)
def test_a_log_that_is_none_is_told_and_nothing_is_written(
    tmp_path: Path, changes: Mapping[str, str], said: str
) -> None:
    code, shown, error = run(spoil(lmms_log(tmp_path / "logs", RIGHT), changes), "--out", tmp_path / "out")
    assert (code, shown, error.count("\n")) == (1, "", 1)
    assert said in error
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "no sample logs in this folder"),
        ("x.jsonl", "no such file"),
        (
            "out",
            "out: no such file or folder; expected lmms-eval's *_samples_*.jsonl (--log_samples) or a result table",
        ),
        ("plain.txt", "plain.txt: expected lmms-eval's *_samples_*.jsonl (--log_samples) or a result table"),
        ("x.pkl", "pickles are never read"),
    ],
)
def test_places_without_logs(name: str, said: str, tmp_path: Path) -> None:
    for there in ("plain.txt", "x.pkl"):
        (tmp_path / there).write_text("hello")
    code, shown, error = run(tmp_path / name, "--out", tmp_path / "scores")
    assert (code, shown, error.count("\n")) == (1, "", 1)
    assert said in error


def test_of_several_runs_in_a_folder_the_newest_is_scored(tmp_path: Path) -> None:
    newer, older = (
        lmms_log(tmp_path / "logs", replies, stamp=f"2026010{day}_000000") for replies, day in ((HALF, 2), (RIGHT, 1))
    )
    code, shown, error = run(tmp_path / "logs", "--out", tmp_path / "out")
    assert code == 0
    assert shown.splitlines()[-1] == "m_x_toy_procedural: 50.0 %"
    assert error == (
        f"cogsight: left out {older}, since {newer} is a newer run of the same;"
        f" to score it too, name it: cogsight score {tmp_path / 'logs'} {older} --out {tmp_path / 'out'}\n"
    )
    code, shown, error = run(*error.partition("cogsight score ")[2].split())  # what it says to type
    assert (code, error) == (0, "")
    assert [line for line in shown.splitlines() if line.startswith("m_x")] == [
        "m_x_toy_procedural_20260101_000000: 100.0 %",
        "m_x_toy_procedural_20260102_000000: 50.0 %",
    ]


def test_a_newer_run_takes_the_place_of_an_older_one(tmp_path: Path) -> None:
    for replies, day in ((RIGHT, 1), (HALF[:2], 2)):
        run(lmms_log(tmp_path / "logs", replies, stamp=f"2026010{day}_000000"), "--out", tmp_path / "out")
    folder = tmp_path / "out" / "m_x_toy_procedural"
    assert list(open_run(folder).replies().values()) == HALF[:2]
    assert len(points(folder)) == 2


def test_tables_of_the_kit_are_ordered_by_their_date(tmp_path: Path) -> None:
    for name, answer, age in (("T1", "A", 10**9), ("T2", "B", 10**9 - 60)):
        kit_table(tmp_path / "logs" / name, [answer])
        for path in (tmp_path / "logs" / name).iterdir():
            os.utime(path, (age, age))
    code, _, error = run(tmp_path / "logs", "--out", tmp_path / "out")
    assert (code, error.count("left out")) == (1, 1)
    assert list(points(tmp_path / "out" / "gpt_toy_procedural_collage").values()) == [1.0]


def test_runs_of_one_name_that_are_not_the_same_are_all_scored(tmp_path: Path) -> None:
    lmms_log(tmp_path / "logs", RIGHT)
    lmms_log(tmp_path / "logs", HALF, stamp="20260102_000000", model_args="model=x,max_pixels=9")
    assert run(tmp_path / "logs", "--out", tmp_path / "out")[0::2] == (0, "")
    assert len(list((tmp_path / "out").iterdir())) == 2


def test_runs_that_nothing_tells_apart_are_not_mixed(tmp_path: Path) -> None:
    logs = [lmms_log(tmp_path / name, RIGHT) for name in "ab"]
    code, _, error = run(*logs, "--out", tmp_path / "out")
    assert code == 1
    assert f"{logs[0]}, {logs[1]}: one model, variant and time; score each with an --out of its own" in error


def test_the_baselines_policy_is_in_its_name(tmp_path: Path) -> None:
    for day, policy in enumerate(("oracle", "first"), 1):
        args = {"model": "cogsight_baseline", "model_args": f"policy={policy},seed=1"}
        lmms_log(tmp_path / "logs", RIGHT, stamp=f"2026010{day}_000000", **args)
    assert run(tmp_path / "logs", "--out", tmp_path / "out")[0] == 0
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {f"cogsight_baseline_{policy}_toy_procedural" for policy in ("oracle", "first")}


def test_one_bad_log_does_not_stop_the_others(tmp_path: Path) -> None:
    lmms_log(tmp_path / "logs" / "good", RIGHT)
    stale = lmms_log(tmp_path / "logs" / "stale", RIGHT, model="old")
    stale.write_text(stale.read_text().replace('"framework":', '"data": "older", "framework":'))
    (tmp_path / "logs" / "x_samples_toy_procedural.jsonl").write_text("{\n")
    code, shown, error = run(tmp_path / "logs", "--out", tmp_path / "out")
    assert code == 1
    assert shown.splitlines()[-1] == "m_x_toy_procedural: 100.0 %"
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["m_x_toy_procedural"]
    broken, other = error.splitlines()
    assert "x_samples_toy_procedural.jsonl, line 1" in broken
    assert f"{stale}: its data version is older" in other
    assert "COGSIGHT_TOY_DATA" in other and "COGSIGHT_ALLOW_CHANGED=1" in other


def test_a_log_of_a_benchmark_that_is_not_installed(tmp_path: Path) -> None:
    log = lmms_log(tmp_path / "logs", RIGHT)
    log.write_text(log.read_text().replace('"toy_procedural"', '"other"'))
    code, _, error = run(log, "--out", tmp_path / "out")
    assert (code, error) == (1, f"cogsight: {log}: replies to other: no benchmark 'other'; installed: toy\n")


def test_the_numbers_of_a_run_with_a_loss_fit_each_other(tmp_path: Path) -> None:
    """3 of 4 right, one lost: the framework printed 75 % (over the tasks' mean), the measured are all right."""
    shown = run(lmms_log(tmp_path / "logs", LOST, printed=75.0), "--out", tmp_path / "out")[1]
    assert "the framework printed 75.00 % (lost counted wrong), this is 75.00 %: the same" in shown
    assert "On the questions asked: 75.0 (lost counted wrong: what the frameworks print)" in shown
    assert "Score of" in shown and "--use_cache DIR" in shown


def test_the_view_of_a_log_is_told(tmp_path: Path) -> None:
    assert "\nView: collage, " in run(kit_table(tmp_path, ["A"]), "--out", tmp_path / "out")[1]


@pytest.mark.parametrize("name", ["data", "prompt"])
def test_replies_to_other_questions_are_not_scored(name: str, tmp_path: Path) -> None:
    log = lmms_log(tmp_path / "logs", RIGHT)
    log.write_text(log.read_text().replace('"framework":', f'"{name}": "older", "framework":'))
    code, shown, error = run(log, "--out", tmp_path / "out")
    assert (code, shown) == (1, "")
    assert f"its {name} version is older" in error and "other questions" in error
    assert not (tmp_path / "out").exists()

"""What was paid for is on disk as it arrives, belongs to one run, and holds no secrets."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
import strategies
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from cogsight.shared.errors import DataError
from cogsight.shared.redact import REMOVED, redact
from cogsight.shared.results import CHANGES, SAMPLES, Asked, RunInfo, open_run, start
from cogsight.shared.sample import Extraction, Finish, Judgement, Outcome, Reply, Score

INFO = RunInfo(
    benchmark="toy",
    benchmark_version="1-A",
    variant="toy_lite",
    data="cfa84576",
    prompt="1",
    framework="lmms-eval 0.7.3",
    model="m",
    model_args={"temperature": 0, "sizes": (1, 2)},
    settings={"max_new_tokens": 4096},
    extraction="1",
    cogsight="0.1.0",
)
ONE, TWO = Asked("toy/official/near/0/1"), Asked("toy/official/near/0/2", attempt=1, turn=2)
RIGHT = Reply("The answer is B.\n第二行 \ud83d", Finish.STOP)
LOST = Reply(None, error="HTTP 500")


# --- replies


def test_replies_are_there_at_once_and_after_reopening(tmp_path: Path) -> None:
    run = start(tmp_path / "run", INFO)
    run.append(ONE, RIGHT)
    assert open_run(tmp_path / "run").replies() == {ONE: RIGHT}
    run.append(TWO, LOST)
    assert start(tmp_path / "run", INFO).replies() == {ONE: RIGHT, TWO: LOST}


def test_a_lost_reply_is_replaced_by_a_later_one(tmp_path: Path) -> None:
    run = start(tmp_path / "run", INFO)
    for asked, reply in ((ONE, LOST), (TWO, LOST), (ONE, RIGHT)):
        run.append(asked, reply)
    assert list(run.replies().items()) == [(ONE, RIGHT), (TWO, LOST)]


def test_threads_do_not_mix_their_lines(tmp_path: Path) -> None:
    run = start(tmp_path / "run", INFO)
    asked = [Asked(f"toy/{n}") for n in range(200)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda one: run.append(one, Reply(one.sample_id * 4_000)), asked))
    replies = run.replies()
    assert sorted(replies) == sorted(asked)
    assert all(reply.text == one.sample_id * 4_000 for one, reply in replies.items())


@pytest.mark.parametrize("kept", [1, 20, -3])
def test_a_torn_last_line_is_told_and_asked_again(kept: int, tmp_path: Path) -> None:
    run = start(tmp_path / "run", INFO)
    run.append(ONE, RIGHT)
    path = tmp_path / "run" / "replies.jsonl"
    whole = path.read_bytes()
    run.append(TWO, LOST)
    path.write_bytes(whole + path.read_bytes()[len(whole) :][:kept])
    with pytest.warns(UserWarning, match=r"replies\.jsonl: the last line was cut off"):
        assert run.replies() == {ONE: RIGHT}
    with pytest.warns(UserWarning, match="cut off"):
        run = start(tmp_path / "run", INFO)
    run.append(TWO, RIGHT)
    assert run.replies() == {ONE: RIGHT, TWO: RIGHT}


def test_a_last_line_that_lacks_only_its_end_is_kept(tmp_path: Path) -> None:
    run = start(tmp_path / "run", INFO)
    run.append(ONE, RIGHT)
    path = tmp_path / "run" / "replies.jsonl"
    path.write_bytes(path.read_bytes()[:-1])
    run = start(tmp_path / "run", INFO)
    run.append(TWO, LOST)
    assert run.replies() == {ONE: RIGHT, TWO: LOST}


@pytest.mark.parametrize(
    "line", ["", "{", "[]", '{"sample_id": "x"}', '{"sample_id":"x","attempt":0,"turn":0,"finish":"?"}']
)
def test_a_broken_line_in_the_middle_is_an_error_that_names_it(line: str, tmp_path: Path) -> None:
    run = start(tmp_path / "run", INFO)
    run.append(ONE, RIGHT)
    path = tmp_path / "run" / "replies.jsonl"
    path.write_text(path.read_text() + line + "\n" + path.read_text())
    with pytest.raises(DataError, match=r"replies\.jsonl, line 2: no reply"):
        run.replies()


# --- the run


@pytest.mark.parametrize(
    "name", ["data", "prompt", "model", "model_args", "framework", "benchmark_version", "settings"]
)
def test_another_run_does_not_mix_with_the_one_that_is_there(name: str, tmp_path: Path) -> None:
    start(tmp_path / "run", INFO)
    value = {"other": 1} if name in ("model_args", "settings") else "other"
    with pytest.raises(DataError, match=rf"holds another run \({name} .*other.*choose another folder"):
        start(tmp_path / "run", replace(INFO, **{name: value}))
    assert open_run(tmp_path / "run").info.model == "m"


def test_new_rules_keep_the_replies_and_drop_the_old_scores(tmp_path: Path) -> None:
    run = start(tmp_path / "run", INFO)
    run.append(ONE, RIGHT)
    run.write_scores([strategies.toy_score("near", 1, 1.0)])
    assert len(start(tmp_path / "run", INFO).scores()) == 1
    run = start(tmp_path / "run", replace(INFO, extraction="2"))
    assert run.replies() == {ONE: RIGHT}
    assert open_run(tmp_path / "run").info.extraction == "2"
    with pytest.raises(DataError, match="score the run again"):
        run.scores()


def test_another_judge_goes_on_with_the_same_replies(tmp_path: Path) -> None:
    run = start(tmp_path / "run", replace(INFO, judge={"judge": "one", "votes": "1"}))
    run.append(ONE, RIGHT)
    run.write_scores([strategies.toy_score("near", 1, 1.0)])
    for name in (SAMPLES, CHANGES):
        run.write_records(name, [{"id": "q", "said": "\ud83d"}])
    assert json.loads((run.folder / SAMPLES).read_text()) == {"id": "q", "said": "\ud83d"}
    again = start(tmp_path / "run", replace(INFO, judge={"judge": "two", "votes": "1"}))
    assert again.replies() == {ONE: RIGHT}
    assert sorted(path.name for path in again.folder.iterdir()) == ["replies.jsonl", "run.json"]


def test_folders_that_hold_no_run(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no cogsight run .*, run\.json"):
        open_run(tmp_path)
    (tmp_path / "replies.jsonl").touch()
    with pytest.raises(DataError, match=r"replies without run\.json"):
        start(tmp_path, INFO)
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match=r"cannot write .*file/run.*choose another folder"):
        start(tmp_path / "file" / "run", INFO)


# --- scores


def scores() -> st.SearchStrategy[Score]:
    name = st.text(max_size=9)
    spans = st.none() | st.tuples(st.integers(0, 99), st.integers(0, 99))
    read = st.builds(Extraction, st.none() | name, st.sampled_from(Outcome), name, spans)
    points = st.none() | st.floats(0, 1)
    prompts = st.lists(st.sampled_from(("one-1", "two-3")), max_size=2).map(tuple)
    said = st.sampled_from(("", "It says so.\n第二行"))
    judgement = st.builds(Judgement, prompts, st.just("m"), st.integers(1, 5), st.floats(0, 1), said)
    return st.builds(
        Score,
        sample_id=name,
        attempt=st.integers(0, 5),
        points=points,
        reason=name,
        group=name,
        chance=st.floats(0, 1),
        parts=st.dictionaries(name, st.floats(0, 1), max_size=3),
        extraction=st.none() | read,
        judged_by=name,
        judgement=st.none() | judgement,
    )


@examples(max_examples=30, deadline=None)
@given(some=st.lists(scores(), max_size=4))
def test_scores_come_back_as_they_were(some: list[Score], tmp_path_factory: pytest.TempPathFactory) -> None:
    run = start(tmp_path_factory.mktemp("run"), INFO)
    run.write_scores(iter(some))
    assert open_run(run.folder).scores() == some


def test_a_failure_keeps_the_scores_before(tmp_path: Path) -> None:
    run = start(tmp_path / "run", INFO)
    run.write_scores([strategies.toy_score("near", 1, 1.0)])
    with pytest.raises(AttributeError):
        run.write_scores([strategies.toy_score("near", 2, 1.0), None])  # type: ignore[list-item]
    assert [score.sample_id[-1] for score in run.scores()] == ["1"]
    assert sorted(p.name for p in run.folder.iterdir()) == ["run.json", "scores.parquet"]


# --- secrets


def test_no_secret_reaches_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "s3cr3t-value-of-mine"
    monkeypatch.setenv("SOME_API_KEY", secret)
    args = {
        "api_key": secret,
        "nested": [{"Authorization": f"Bearer {secret}"}],
        "base_url": f"http://me:{secret}@h/v1",
    }
    run = start(tmp_path / "run", replace(INFO, model_args=args, settings={"note": f"key is {secret}"}))
    run.append(ONE, Reply(None, error=f"401 for {secret}"))
    judgement = Judgement((), "m", 1, 1.0, f"its key is {secret}")
    failed = strategies.toy_score("near", 1, None)
    run.write_scores([replace(failed, detail=f"asked with {secret}", judgement=judgement)])
    for path in run.folder.iterdir():
        assert secret.encode() not in path.read_bytes(), path.name
    assert start(
        tmp_path / "run", replace(INFO, model_args=args | {"api_key": "changed"}, settings={"note": f"key is {secret}"})
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("model=m,api_key=abc,max_new_tokens=5", f"model=m,api_key={REMOVED},max_new_tokens=5"),
        ("base_url=http://h/v1,token=abc", f"base_url=http://h/v1,token={REMOVED}"),
        ("Incorrect API key provided: sk-abcdefgh1234.", f"Incorrect API key provided: {REMOVED}."),
        ('{"apiKey": "abc", "tokenizer": "t"}', f'{{"apiKey": "{REMOVED}", "tokenizer": "t"}}'),
        ("http://user:pw@host:1/v1", f"http://{REMOVED}@host:1/v1"),
        ("Bearer abc.def", f"Bearer {REMOVED}"),
        ("use hf_abcdefghijkl", f"use {REMOVED}"),
        ("HF_TOKEN=abc", f"HF_TOKEN={REMOVED}"),
        ("monkey=1 keyframes=2 tokens: 7", "monkey=1 keyframes=2 tokens: 7"),
    ],
)
def test_secrets_in_texts(text: str, expected: str) -> None:
    assert redact(text) == expected


def test_a_secret_with_a_line_end_from_its_file_is_one_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", " 0123456789abcdef\r\n")
    assert redact("bad key 0123456789abcdef!") == "bad key [removed]!"


def test_the_folder_that_one_is_in_is_no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PWD", "/home/somebody/models")
    monkeypatch.setenv("DB_PWD", "correct-horse")
    assert redact("/home/somebody/models/mine correct-horse") == f"/home/somebody/models/mine {REMOVED}"


def test_a_name_gives_a_secret_away_and_an_empty_one_stays() -> None:
    values = {"HF_TOKEN": "a", "x-api-key": "b", "password": "", "max_tokens": 7, "list": ("a", None)}
    expected = {"HF_TOKEN": REMOVED, "x-api-key": REMOVED, "password": "", "max_tokens": 7, "list": ["a", None]}
    assert redact(values) == expected


def test_the_text_of_a_model_is_left_alone(tmp_path: Path) -> None:
    run = start(tmp_path / "run", INFO)
    run.append(ONE, Reply("token=abc means B"))
    assert json.loads((run.folder / "replies.jsonl").read_text())["text"] == "token=abc means B"

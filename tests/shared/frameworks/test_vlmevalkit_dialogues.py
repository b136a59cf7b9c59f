"""Dialogues in VLMEvalKit: whole dialogues out of `generate`, kept turn by turn, with the kit's own inference around them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import talk

from cogsight.shared import registry
from cogsight.shared.errors import CogsightError, DataError
from cogsight.shared.frameworks.dialogues import unpack
from cogsight.shared.frameworks.vlmevalkit import logs
from cogsight.shared.sample import Reply

pytest.importorskip("vlmeval", reason="VLMEvalKit (pip install ms-vlmeval) is not installed")
pytestmark = pytest.mark.slow  # importing VLMEvalKit takes 7 s

FAILED = "Failed to obtain answer via API. "


@pytest.fixture
def kit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """`vlmeval.dataset` with our dialogues registered."""
    monkeypatch.setenv("LMUData", str(tmp_path))
    monkeypatch.setenv("COGSIGHT_CACHE", str(tmp_path / "cache"))
    for name in ("COGSIGHT_VIEW", "PRED_FORMAT", "SPLIT_THINK"):
        monkeypatch.delenv(name, raising=False)
    import vlmeval.dataset

    from cogsight.shared.frameworks.vlmevalkit import plugin

    found = {"talk": talk.BENCHMARK}
    monkeypatch.setattr(registry, "benchmarks", lambda: found)
    monkeypatch.setattr(plugin, "benchmarks", lambda: found)
    plugin.register(vlmeval.dataset)
    return vlmeval.dataset


def local(script: Callable[[str], str], chats: bool = False) -> Any:
    """A local model, as the kit has them, that would rather make its own prompts."""
    from vlmeval.vlm.base import BaseModel

    class Local(BaseModel):  # type: ignore[misc]
        INTERLEAVE = True

        def __init__(self) -> None:
            super().__init__()
            self.seen: list[Any] = []

        def use_custom_prompt(self, dataset: str) -> bool:
            return True

        def generate_inner(self, message: Any, dataset: Any = None) -> str:
            self.seen.append(message)
            return script("".join(part["value"] for part in message if part["type"] == "text"))

    def chat_inner(self: Any, message: Any, dataset: Any = None) -> str:
        self.seen.append(message)
        return script("".join(p["value"] for turn in message for p in turn["content"] if p["type"] == "text"))

    if chats:
        Local.chat_inner = chat_inner
    return Local()


def api(script: Callable[[Any], tuple[int, str, str]]) -> Any:
    """An API model that answers as `script` says to what its own `generate_inner` gets."""
    from vlmeval.api.base import BaseAPI

    class Api(BaseAPI):  # type: ignore[misc]
        is_api = True

        def generate_inner(self, inputs: Any, **kwargs: Any) -> tuple[int, str, str]:
            return script(inputs)

    return Api(retry=1, wait=0, verbose=False)


def infer(model: Any, dataset: Any, folder: Path) -> list[logs.Row]:
    """As run.py does, in local mode."""
    from vlmeval.inference import infer_data_job

    name = model if isinstance(model, str) else "m"
    infer_data_job(model, work_dir=str(folder), model_name=name, dataset=dataset)
    return logs.read(folder / f"{name}_{dataset.dataset_name}.xlsx")


def step(text: str) -> str:
    n, turn = talk.turn_of(text)
    return f"<think>{turn}</think>reply {turn} to {n}"


def texts(prompt: Any) -> list[str]:
    return [part["value"] if part["type"] == "text" else "IMAGE" for part in prompt]


def test_a_local_model_has_whole_dialogues(kit: Any, tmp_path: Path) -> None:
    model = local(step)
    rows = infer(model, kit.build_dataset("Talk_Long"), tmp_path)
    assert [[reply.text for reply in row.replies] for row in rows] == [
        [f"<think>{t}</think>reply {t} to {n}" for t in range(3)] for n in range(12)
    ]
    assert len(model.seen) == 36
    assert texts(model.seen[2]) == [
        *("Question 0. ", "IMAGE", "IMAGE", "IMAGE"),
        f"\n{talk.STEPS[0]}\n\nreply 0 to 0\n\n{talk.STEPS[1]}\n\nreply 1 to 0\n\n{talk.STEPS[2]}",
    ]
    assert "generate" not in vars(model), "for other datasets the model is what it was"
    assert not list(tmp_path.glob("*_turns_*")), "nothing is kept of a whole table"


def test_a_model_by_its_name_is_as_it_was_afterwards(kit: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import vlmeval.config

    made: list[Any] = []

    def make(**kwargs: Any) -> Any:
        made.append(local(step))
        return made[-1]

    monkeypatch.setitem(vlmeval.config.supported_VLM, "local", make)
    rows = infer("local", kit.build_dataset("Talk_Long"), tmp_path)
    assert {len(row.replies) for row in rows} == {3} and len(made) == 1
    assert vlmeval.config.supported_VLM["local"] is make and "generate" not in vars(made[0])


def test_a_model_that_returns_nothing_has_not_said_none(kit: Any, tmp_path: Path) -> None:
    says: dict[int, Any] = {0: None, 1: {"prediction": None}, 2: {"prediction": "A", "steps": 3}}
    rows = infer(local(lambda text: says[talk.turn_of(text)[1]]), kit.build_dataset("Talk_Long"), tmp_path)
    assert {tuple(reply.text for reply in row.replies) for row in rows} == {("", "", "A")}


def test_the_collage_at_each_turn(kit: Any, tmp_path: Path) -> None:
    model = local(step)
    model.INTERLEAVE = False
    rows = infer(model, kit.build_dataset("Talk_Long"), tmp_path)
    assert {row.view for row in rows} == {"collage"}
    assert {texts(prompt).count("IMAGE") for prompt in model.seen} == {1}


@pytest.mark.parametrize("form", ["xlsx", "tsv", "json"])
def test_split_think_cuts_no_dialogue(kit: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    from vlmeval.inference import infer_data_job

    monkeypatch.setenv("SPLIT_THINK", "1")
    monkeypatch.setenv("PRED_FORMAT", form)
    infer_data_job(local(step), work_dir=str(tmp_path), model_name="m", dataset=kit.build_dataset("Talk_Long"))
    rows = logs.read(tmp_path / f"m_Talk_Long.{form}")
    assert rows[3].replies[2].text == "<think>2</think>reply 2 to 3"


def test_a_failed_request_ends_its_dialogue_and_is_asked_again_from_there(kit: Any, tmp_path: Path) -> None:
    asked: list[tuple[int, int]] = []
    fails = {(5, 1), (7, 2)}

    def script(inputs: Any) -> tuple[int, str, str]:
        text = "".join(part["value"] for part in inputs if part["type"] == "text")
        assert "Failed" not in text
        asked.append(talk.turn_of(text))
        return (1, "", "overloaded") if asked[-1] in fails else (0, step(text), "")

    dataset = kit.build_dataset("Talk_Long")
    rows = infer(api(script), dataset, tmp_path)
    assert len(asked) == 35
    assert [reply.text for reply in rows[5].replies] == ["<think>0</think>reply 0 to 5", None]
    assert [reply.error is None for reply in rows[7].replies] == [True, True, False]
    assert all(len(row.replies) == 3 and row.reply.error is None for n, row in enumerate(rows) if n not in (5, 7))
    metrics = dataset.evaluate(str(tmp_path / "m_Talk_Long.xlsx"))
    assert (metrics["Lost rate"], metrics["Complete"]) == (16.67, 0.0)

    asked.clear()
    fails.clear()
    rows = infer(api(script), kit.build_dataset("Talk_Long"), tmp_path)
    assert sorted(asked) == [(5, 1), (5, 2), (7, 2)], "no turn that was answered is asked again"
    assert [reply.text for reply in rows[5].replies] == [f"<think>{t}</think>reply {t} to 5" for t in range(3)]
    assert not list(tmp_path.glob("*_turns_*"))


def test_an_error_in_the_middle_goes_on_from_there(kit: Any, tmp_path: Path) -> None:
    """As when a process is killed; the last line of what is kept may be torn."""
    seen: list[tuple[int, int]] = []

    def dies_at(*turn: int) -> Callable[[str], str]:
        def script(text: str) -> str:
            if talk.turn_of(text) == turn:
                raise MemoryError
            return step(text)

        return script

    with pytest.raises(MemoryError):
        infer(local(dies_at(3, 2)), kit.build_dataset("Talk_Long"), tmp_path)
    (kept,) = tmp_path.glob("*_turns_0.jsonl")
    whole = kept.read_bytes()
    assert len(whole.splitlines()) == 3 * 3 + 2
    kept.write_bytes(whole[:-20])

    def notes(text: str) -> str:
        seen.append(talk.turn_of(text))
        return step(text)

    with pytest.warns(UserWarning, match="the last line was cut off"), pytest.raises(MemoryError):
        infer(local(dies_at(3, 2)), kit.build_dataset("Talk_Long"), tmp_path)
    rows = infer(local(notes), kit.build_dataset("Talk_Long"), tmp_path)
    assert seen[:2] == [(3, 2), (4, 0)] and len(seen) == 1 + 8 * 3
    assert {len(row.replies) for row in rows} == {3}


def test_what_other_ranks_have_kept_is_known(kit: Any, tmp_path: Path) -> None:
    dataset = kit.build_dataset("Talk_Long")
    index = dataset.data["index"][4]
    line = {"sample_id": index, "attempt": 0, "turn": 0, "text": "kept", "finish": "stop", "error": None}
    gap = {**line, "turn": 2, "text": "behind a gap"}
    (tmp_path / "m_Talk_Long_turns_3.jsonl").write_text(f"{json.dumps(line)}\n{json.dumps(gap)}\n")
    rows = infer(local(step), dataset, tmp_path)
    assert [reply.text for reply in rows[4].replies] == ["kept", *(f"<think>{t}</think>reply {t} to 4" for t in (1, 2))]


def test_real_turns(kit: Any, tmp_path: Path) -> None:
    model = local(step, chats=True)
    rows = infer(model, kit.build_dataset("Talk_Chat"), tmp_path)
    assert rows[0].reply.text == "<think>2</think>reply 2 to 0"
    assert [(turn["role"], texts(turn["content"])) for turn in model.seen[2]] == [
        ("user", ["Question 0. ", "IMAGE", "IMAGE", "IMAGE", f"\n{talk.STEPS[0]}"]),
        ("assistant", ["reply 0 to 0"]),
        ("user", [talk.STEPS[1]]),
        ("assistant", ["reply 1 to 0"]),
        ("user", [talk.STEPS[2]]),
    ]


def test_an_api_keeps_all_turns_when_a_request_fails(kit: Any, tmp_path: Path) -> None:
    """Its own `chat` would ask again without the first turns, and take that for an answer."""
    seen: list[Any] = []

    def script(inputs: Any) -> tuple[int, str, str]:
        seen.append(inputs)
        if len(inputs) == 3 and "role" in inputs[0]:
            raise ConnectionResetError
        return 0, "Red.", ""

    (row, *_) = infer(api(script), kit.build_dataset("Talk_Chat"), tmp_path)
    assert [reply.text for reply in row.replies] == ["Red.", None]
    assert {len(inputs) for inputs in seen if "role" in inputs[0]} == {3}


def test_a_model_without_turns_is_told_before_it_is_asked(kit: Any, tmp_path: Path) -> None:
    model = local(step)
    with pytest.raises(DataError, match=r"^Talk_Chat: Local takes no turns of its own; run a dataset without _Chat$"):
        infer(model, kit.build_dataset("Talk_Chat"), tmp_path)
    assert model.seen == []


def test_the_index_changes_with_the_prompts_of_later_turns(kit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    dataset = kit.build_dataset("Talk_Long")
    short = kit.build_dataset("Talk_Short")
    monkeypatch.setattr(type(dataset), "BENCHMARK", replace(talk.BENCHMARK, prompt_version="2"))
    assert not set(dataset.data["index"]) & set(kit.build_dataset("Talk_Long").data["index"])
    assert list(short.data["index"]) == list(kit.build_dataset("Talk_Short").data["index"])


@pytest.mark.parametrize("name", ["Talk_Long", "Talk_Collage", "Talk_Chat", "Talk_Short"])
def test_baselines_know_the_turn(kit: Any, tmp_path: Path, name: str) -> None:
    from cogsight.shared.frameworks.vlmevalkit.baseline import CogsightBaseline

    dataset = kit.build_dataset(name)
    rows = infer(CogsightBaseline("oracle"), dataset, tmp_path)
    assert dataset.evaluate(str(tmp_path / f"m_{name}.xlsx"))["Overall"] == 100.0
    said = [*talk.SAID, "A"] if name != "Talk_Short" else ["A"]
    assert rows[0].replies == tuple(map(Reply, said))
    log = [json.loads(line) for line in (tmp_path / f"m_{name}_samples.jsonl").read_text().splitlines()]
    assert [turn["reply"] for turn in log[0].get("earlier_turns", [])] == said[:-1]


def test_an_unknown_policy_is_told(kit: Any) -> None:
    from cogsight.shared.frameworks.vlmevalkit.baseline import CogsightBaseline

    with pytest.raises(CogsightError, match="policy=best: expected one of random, first, oracle, unparsable"):
        CogsightBaseline("best")


def test_what_the_table_holds_is_a_dialogue_or_lost(kit: Any) -> None:
    assert logs.to_replies("B", dialogue=False) == (Reply("B"),)
    assert logs.to_replies(FAILED, dialogue=True) == (Reply(None, error=FAILED),)
    assert logs.to_replies("B", dialogue=True) == unpack("B") and unpack("B")[0].error

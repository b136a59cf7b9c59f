"""Dialogues in lmms-eval: in step, through its cache, with real turns for chat models, and each failure its own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import talk
from openai import AsyncOpenAI
from stub_server import StubServer

from cogsight.shared import registry
from cogsight.shared.baselines import dialogue
from cogsight.shared.dataset import from_row
from cogsight.shared.errors import CogsightError
from cogsight.shared.frameworks.dialogues import pack, unpack
from cogsight.shared.frameworks.lmms import tasks
from cogsight.shared.frameworks.lmms.replies import read_replies
from cogsight.shared.sample import Finish, Picture, Reply

pytest.importorskip("lmms_eval", reason="lmms-eval is not installed")
from lmms_eval.api.instance import GenerationResult, Instance, TokenCounts
from lmms_eval.caching.response_cache import ResponseCache

from cogsight.shared.frameworks.lmms import dialogues, mends

FAILED = "[LMMS_EVAL_REQUEST_FAILED after 1 retries] Error code: 500"
Script = Callable[[str], Any]


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(registry, "benchmarks", lambda: {"talk": talk.BENCHMARK})
    monkeypatch.setenv("COGSIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("COGSIGHT_VIEW", raising=False)


class Model:
    """A chat model, as far as lmms-eval's evaluator and ours touch one. It says what `script` says to all texts of a request."""

    is_simple = False

    def __init__(self, task: str, script: Script = lambda text: "B") -> None:
        self.task_dict = {task: {"test": talk.samples(talk.VARIANTS[0]).dataset}}
        self.script = script
        self.batches: list[int] = []
        self.seen: list[Any] = []

    def generate_until(self, requests: Sequence[Any]) -> list[Any]:
        self.batches.append(len(requests))
        return [self.script(self._text(*request.args)) for request in requests]

    def _text(self, text: str, messages: Any, options: Any, doc_id: int, task: str, split: str) -> str:
        assert "max_agentic_steps" not in options
        shown = messages(self.task_dict[task][split][doc_id])
        self.seen.append(shown)
        return "".join(part["text"] for message in shown for part in message["content"] if part["type"] == "text")


class Simple(Model):
    is_simple = True

    def _text(self, text: str, options: Any, visuals: Any, doc_id: int, task: str, split: str) -> str:
        self.seen.append(visuals(self.task_dict[task][split][doc_id]))
        return text


def requests(task: str, count: int = talk.SIZE, kind: str = "simple") -> list[Any]:
    """As lmms-eval makes them of a loaded task."""
    found = []
    for n in range(count):
        address = (n, task, "test")
        options = {"until": [], "max_new_tokens": 64, "max_agentic_steps": 3}
        show = partial(tasks.doc_to_visual, variant=task, kind=kind)
        text = partial(tasks.doc_to_text, variant=task, lmms_eval_specific_kwargs=None)
        metadata = {"task": task, "doc_id": n, "repeats": 1}
        arguments = ("the first text", options, show, text, *address)
        found.append(Instance("generate_until_agentic", arguments, idx=0, metadata=metadata))
    return found


def original(lm: Any, requests: list[Any], agentic_trace_mode: str = "basic", response_cache: Any = None) -> list[Any]:
    return [f"theirs {request.doc_id}" for request in requests]


run = dialogues.in_step(original)


def said(results: Sequence[GenerationResult]) -> list[list[str | None]]:
    return [[reply.text for reply in unpack(result.text)] for result in results]


def step(text: str) -> str:
    n, turn = talk.turn_of(text)
    return f"reply {turn} to {n}"


def test_twelve_dialogues_of_three_turns_are_three_batches() -> None:
    model = Model("talk_long", step)
    assert said(run(model, requests("talk_long"))) == [[f"reply {t} to {n}" for t in range(3)] for n in range(12)]
    assert model.batches == [12, 12, 12]


def test_each_turn_shows_the_pictures_and_all_that_was_said() -> None:
    model = Model("talk_long", lambda text: f"<think>hm</think> I said {text.count('Step')}. ")
    run(model, requests("talk_long", 1))
    (last,) = model.seen[-1]
    assert last["role"] == "user"
    assert [part.get("text", "IMAGE") for part in last["content"]] == [
        *("Question 0. ", "IMAGE", "IMAGE", "IMAGE"),
        f"\n{talk.STEPS[0]}\n\nI said 1.\n\n{talk.STEPS[1]}\n\nI said 2.\n\n{talk.STEPS[2]}",
    ]


def test_chat_models_get_real_turns() -> None:
    model = Model("talk_chat", lambda text: "<think>hm</think> Red." if talk.turn_of(text)[1] == 0 else "")
    assert said(run(model, requests("talk_chat", 1))) == [["<think>hm</think> Red.", "", ""]]
    roles = [(m["role"], [part.get("text", "IMAGE") for part in m["content"]]) for m in model.seen[-1]]
    assert roles == [
        ("user", ["Question 0. ", "IMAGE", "IMAGE", "IMAGE", f"\n{talk.STEPS[0]}"]),
        ("assistant", ["Red."]),
        ("user", [talk.STEPS[1]]),
        ("assistant", ["(no answer)"]),
        ("user", [talk.STEPS[2]]),
    ]


class Async(Model):
    """As lmms-eval's async_openai: one client, and an event loop for each batch."""

    def __init__(self, task: str, url: str) -> None:
        super().__init__(task)
        self.client = AsyncOpenAI(api_key="x", base_url=url, max_retries=0)

    def generate_until(self, requests: Sequence[Any]) -> list[Any]:
        return asyncio.run(self._all([request.args[0] for request in requests]))

    async def _all(self, texts: Sequence[str]) -> list[Any]:
        return await asyncio.gather(*map(self._one, texts))

    async def _one(self, text: str) -> str | None:
        asked: Any = [{"role": "user", "content": text}]
        return (await self.client.chat.completions.create(model="m", messages=asked)).choices[0].message.content


def test_each_batch_of_an_async_client_has_connections_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of the batch before belong to an event loop that is closed."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with StubServer(lambda request: step(request.text)) as server:
        assert said(run(Async("talk_long", server.url), requests("talk_long"))) == [
            [f"reply {t} to {n}" for t in range(3)] for n in range(12)
        ]
        assert len(server.requests) == 36


def test_simple_models_get_one_collage_at_each_turn() -> None:
    model = Simple("talk_long", step)
    run(model, requests("talk_long", 2))
    assert [len(visuals) for visuals in model.seen] == [1] * 6
    assert model.batches == [2, 2, 2]


def test_a_failed_request_ends_its_own_dialogue_only() -> None:
    """Its text goes into no prompt, and the turn after it is never asked."""

    def script(text: str) -> str:
        assert FAILED not in text
        return FAILED if talk.turn_of(text) == (5, 1) else step(text)

    model = Model("talk_long", script)
    results = run(model, requests("talk_long"))
    assert model.batches == [12, 12, 11]
    assert unpack(results[5].text) == (Reply("reply 0 to 5"), Reply(None, error=FAILED))
    others = [unpack(result.text) for n, result in enumerate(results) if n != 5]
    assert {(len(replies), replies[-1].error) for replies in others} == {(3, None)}
    score = talk.score(talk.sample(5), talk.VARIANTS[0], unpack(results[5].text))
    assert (score.points, score.reason, score.detail) == (None, "request_failed", FAILED)


def test_long_runs_go_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialogues, "AT_ONCE", 5)
    model = Model("talk_long", step)
    assert said(run(model, requests("talk_long"))) == [[f"reply {t} to {n}" for t in range(3)] for n in range(12)]
    assert model.batches == [5, 5, 5, 5, 5, 5, 2, 2, 2]


def test_other_tasks_go_to_lmms_evals_own_loop() -> None:
    model = Model("talk_long", step)
    mixed = requests("talk_long", 2) + requests("of_another", 2)
    results = run(model, [mixed[2], mixed[0], mixed[3], mixed[1]])
    assert (results[0], results[2]) == ("theirs 0", "theirs 1")
    assert said([results[1], results[3]])[1] == [f"reply {t} to 1" for t in range(3)]
    assert run(model, mixed[2:]) == ["theirs 0", "theirs 1"]


def test_the_last_turns_length_counts_and_tokens_add_up() -> None:
    def script(text: str) -> GenerationResult:
        return GenerationResult("I see", TokenCounts(100, 64 if talk.turn_of(text)[1] == 2 else 9))

    (result,) = run(Model("talk_long", script), requests("talk_long", 1))
    replies = unpack(result.text)
    assert [reply.finish for reply in replies] == [Finish.STOP, Finish.STOP, Finish.LENGTH]
    assert talk.score(talk.sample(0), talk.VARIANTS[0], replies).reason == "truncated"
    assert result.token_counts == TokenCounts(300, 82, None)


def test_a_model_that_takes_no_turns_of_its_own_ends_the_program() -> None:
    def script(text: str) -> str:
        if "Step 2" in text:
            raise ValueError("Conversation roles must alternate")
        return "Red."

    with pytest.raises(
        SystemExit, match=r"^cogsight: talk_chat: the model failed .*roles must alternate.*without _chat$"
    ):
        run(Model("talk_chat", script), requests("talk_chat"))
    with pytest.raises(ValueError, match="must alternate"):  # another fault than that of turns
        run(Model("talk_long", script), requests("talk_long"))


@pytest.mark.parametrize(("kind", "ends"), [("chat", False), ("simple", True)])
def test_a_simple_model_is_not_asked_in_real_turns(kind: str, ends: bool) -> None:
    process_results = partial(tasks.process_results, variant="talk_chat")
    config = SimpleNamespace(process_results=process_results, metadata={})
    rows = talk.samples(talk.VARIANTS[0]).dataset
    task = SimpleNamespace(config=config, instances=[], eval_docs_no_media=rows, eval_docs=rows)
    if ends:
        with pytest.raises(
            SystemExit, match=r"^cogsight: talk_chat asks in real turns .* run a variant without _chat$"
        ):
            tasks.bind(task, kind)
    else:
        tasks.bind(task, kind)
        assert len(task.config.doc_to_visual(rows[0])) == 3, "lmms-eval's own loop shows a chat model all pictures"


# --- lmms-eval's own loop, where ours is not in its place


def steps_of_its_loop(script: Script, n: int = 0) -> Iterator[tuple[Any, ...]]:
    """As `_run_generate_until_agentic` calls doc_to_text: all replies so far, and the step's number."""
    row = talk.samples(talk.VARIANTS[0]).dataset[n]
    text, replies = tasks.doc_to_text(row, variant="talk_long"), []
    for round_idx in range(1, 4):
        replies.append(script(text))
        found = tasks.doc_to_text(
            row,
            lmms_eval_specific_kwargs=None,
            previous_output=replies,
            round_idx=round_idx,
            previous_round_info=None,
            variant="talk_long",
        )
        yield found
        if found[2]:
            break
        text = found[1]


def test_its_loop_gives_the_same_dialogue() -> None:
    *steps, last = steps_of_its_loop(step)
    assert [found[2] for found in steps] == [False, False]
    (ours,) = run(Model("talk_long", step), requests("talk_long", 1))
    assert last == (None, None, True, [ours.text], None)


def test_its_loop_stops_at_a_failed_request() -> None:
    *_, last = steps_of_its_loop(lambda text: FAILED if "Step 2" in text else "Red.")
    assert unpack(last[3][0]) == (Reply("Red."), Reply(None, error=FAILED))


def test_its_loop_cannot_ask_in_real_turns() -> None:
    row = talk.samples(talk.VARIANTS[0]).dataset[0]
    with pytest.raises(CogsightError, match="talk_chat asks in real turns"):
        tasks.doc_to_text(row, previous_output=["Red."], round_idx=1, variant="talk_chat")


# --- the cache of replies


def cache(root: Path) -> Any:
    return ResponseCache.create(str(root), model="m", model_args="", task_dict={"talk_long": SimpleNamespace()})


@pytest.fixture
def mended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ResponseCache, "create", mends._with_interrupted(ResponseCache))
    monkeypatch.setattr(ResponseCache, "_store", mends._without_failures(ResponseCache._store))


def test_the_cache_keeps_each_turn(mended: None, tmp_path: Path) -> None:
    first = Model("talk_long", lambda text: FAILED if talk.turn_of(text) == (5, 1) else step(text))
    stored = cache(tmp_path)
    run(first, requests("talk_long"), response_cache=stored)
    stored.finalize(success=True)
    second = Model("talk_long", step)
    results = run(second, requests("talk_long"), response_cache=cache(tmp_path))
    assert second.batches == [1, 1], "what was lost, and what could not be asked for that"
    assert said(results) == [[f"reply {t} to {n}" for t in range(3)] for n in range(12)]


def test_another_answer_is_another_prompt(mended: None, tmp_path: Path) -> None:
    """The text holds all that was said, and the cache looks at the text."""
    stored = cache(tmp_path)
    for words in ("one", "other"):
        model = Model("talk_long", lambda text, words=words: words if "Step 2" not in text else step(text))
        stored._shared_db = None
        if words == "other":
            stored.db.execute("DELETE FROM responses WHERE response = '\"one\"'")
        run(model, requests("talk_long", 1), response_cache=stored)
        assert model.batches == [1, 1, 1]


def test_a_run_that_was_killed_goes_on_from_its_last_turn(mended: None, tmp_path: Path) -> None:
    class Killed(BaseException):
        pass

    def dies(text: str) -> str:
        if "Step 3" in text:
            raise Killed
        return step(text)

    with pytest.raises(Killed):
        run(Model("talk_long", dies), requests("talk_long"), response_cache=cache(tmp_path))  # never finalized
    again = Model("talk_long", step)
    results = run(again, requests("talk_long"), response_cache=cache(tmp_path))
    assert again.batches == [12], "the third turn only"
    assert said(results) == [[f"reply {t} to {n}" for t in range(3)] for n in range(12)]


def test_runs_of_other_tasks_are_left_as_they_are(mended: None, tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        run(
            Model("talk_long", lambda text: 1 / 0 if "Step 2" in text else "A"),
            requests("talk_long"),
            response_cache=cache(tmp_path),
        )
    ResponseCache.create(str(tmp_path), model="m", model_args="", task_dict={"mme": SimpleNamespace()})
    assert not (tmp_path / "cache.db").exists()
    cache(tmp_path)
    assert (tmp_path / "cache.db").exists()


# --- what comes back


def test_no_option_of_the_frameworks_cuts_the_text() -> None:
    """--reasoning_tags and SPLIT_THINK look for the tags of reasoning blocks."""
    replies = (Reply("<think>a</think>b <answer>"), Reply("</think> \ud800\n\"'{"), Reply(None, error="x"))
    text = pack(replies)
    assert "<" not in text and text.isascii() and "\n" not in text
    assert unpack(text) == replies


@pytest.mark.parametrize(
    "text", ["", "B", "{}", '{"turns": [{}]}', '{"turns": 3}', '{"turns": [3]}', "[" * 100_000, "null"]
)
def test_what_is_no_dialogue_is_lost(text: str) -> None:
    (reply,) = unpack(text)
    assert reply.error and reply.error.startswith("no dialogue of ours: ")
    assert unpack('{"turns": []}') == (Reply(None, error="no reply came back"),)


def test_a_reply_that_looks_like_a_dialogue_is_a_reply() -> None:
    text = pack([Reply("A"), Reply("B")])
    assert read_replies(text, Finish.STOP, dialogue=False) == (Reply(text, Finish.STOP),)
    assert read_replies(FAILED, Finish.UNKNOWN, dialogue=True) == (Reply(None, error=FAILED),)
    assert read_replies(None, Finish.UNKNOWN, dialogue=True)[0].error == "no reply came back"


def test_all_turns_are_in_the_record_and_are_scored() -> None:
    variant = talk.VARIANTS[0]
    row = {name: cell for name, cell in talk.samples(variant).dataset[1].items() if name != "images"}
    replies = dialogue(talk.BENCHMARK, variant, from_row(row), "oracle")
    found = tasks.process_results(row, [pack(replies)], variant.name)
    record = json.loads(json.dumps(found["cogsight"]))
    assert (record["points"], record["reply"]) == (1.0, "B")
    assert [turn["reply"] for turn in record["earlier_turns"]] == list(talk.SAID)


def test_pictures_stay_in_each_prompt() -> None:
    """Also in a collage; the contract of `turn`, which both frameworks rely on."""
    for variant in talk.VARIANTS:
        replies = dialogue(talk.BENCHMARK, variant, talk.sample(0), "oracle")
        for turn in range(variant.turns):
            messages = talk.turn(talk.sample(0), variant, replies[:turn]) or ()
            pictures = [part for message in messages for part in message.parts if isinstance(part, Picture)]
            assert len(pictures) == (1 if variant.view == "collage" else 3)

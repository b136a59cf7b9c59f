"""Both adapters give the same replies the same verdicts: one set of recorded replies, fed to each as its framework feeds it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chatty
import pytest
import stand_in
import talk
from stub_server import Request, StubServer

from cogsight.shared import registry
from cogsight.shared.benchmark import Benchmark, Task
from cogsight.shared.dataset import to_row
from cogsight.shared.frameworks.dialogues import pack
from cogsight.shared.frameworks.judges import Judges
from cogsight.shared.sample import Outcome, Reply, Sample, Score
from cogsight.shared.summary import LOST, Summary
from cogsight.shared.summary import summarise as add_up
from cogsight.shared.variants import Variant

pytestmark = pytest.mark.slow  # imports both frameworks

OPTION = (
    *(
        "A",
        "(B)",
        "C.",
        "**B**",
        "b",
        "Answer: A",
        "The answer is (C).",
        "answer is: \\boxed{B}",
        "$\\boxed{\\text{A}}$",
    ),
    *(
        "<answer>C</answer>",
        '{"answer": "B"}',
        '```json\n{"answer": "A"}\n```',
        "Final answer: red",
        "It is green.",
        "答案是B。",
        "正确答案：Ｃ",
    ),
    *(
        "La respuesta es A.",
        "Die Antwort ist B.",
        "A blue arrow points up.",
        "It is not A.",
        "A or B",
        "Both A and C could be right.",
    ),
    *(
        "<think>A? No.</think>\nB",
        "<think>First A, then",
        "</think> C",
        "First I thought A. But the answer is B.",
        "Answer: B\r\n\r\n",
    ),
    *(
        "I cannot help with that.",
        "I'm sorry, but I can't see the image.",
        "",
        " \n ",
        "None",
        "NA",
        "nan",
        "007",
        "The picture shows bricks.",
    ),
    *(
        "Option C is correct because A and B are wrong.",
        "A\n\nExplanation: B and C are not red.",
        "😀 A",
        "=A1",
        "{=A}",
        "mailto:B",
        "internal:B",
        "_x000D_",
        "https://example.org/" + "a" * 2_100 + " C",
        "D",
        "x" * 40_000 + "\nAnswer: C",
    ),
)
SEQUENCE = (
    *(
        "CBAD",
        "C, B, A, D",
        "C → B → A → D",
        "C-B-A-D",
        "1. C\n2. B\n3. A\n4. D",
        "\\boxed{CBAD}",
        "<answer>CBAD</answer>",
    ),
    *(
        "First C, then B, then A, finally D.",
        "The order is ABCD? No: CBAD.",
        "<think>ABCD</think>CBAD",
        "CBA",
        "CCBA",
        "c b a d",
    ),
    *(
        "First place it, second the brick, third the cap, fourth the door.",
        "正确的顺序是CBAD。",
        "",
        "I cannot tell.",
        "CBAD or ABCD",
    ),
)
LOST_IN = {"lmms": "[LMMS_EVAL_REQUEST_FAILED after 5 tries] timeout", "vlmeval": "Failed to obtain answer via API. "}
"""What each framework writes in place of a reply that it did not get."""

TASKS = {
    "color": Task("color", "Colour", "seeing", "option", 3, 1 / 3),
    "order": Task("order", "Order", "seeing", "sequence", 4, 1 / 24),
}
EXPECTED = {"color": len(OPTION) + 1, "order": len(SEQUENCE) + 1}
VARIANT = Variant("stand_in", size=sum(EXPECTED.values()))
CHOICES = {"A": "red", "B": "green", "C": "blue"}


def asked(n: int) -> Sample:
    """Question n: of options, or of an order."""
    if n < EXPECTED["color"]:
        return replace(stand_in.sample(0), id=f"stand_in/official/color/0/{n}", choices=CHOICES, answer="ABC"[n % 3])
    choices = {**CHOICES, "D": "white"}
    number = n - EXPECTED["color"]
    ordered = {"task": "order", "choices": choices, "answer": "CBAD", "answer_type": "sequence"}
    return replace(stand_in.sample(0), id=f"stand_in/official/order/0/{number}", **ordered)


def summarise(scores: list[Score], variant: Variant) -> Summary:
    return add_up(
        scores, variant, title="", tasks=TASKS, categories={"seeing": "Seeing"}, expected=EXPECTED, average="tasks"
    )


SAMPLES = [asked(n) for n in range(VARIANT.size)]
BENCHMARK: Benchmark = replace(
    stand_in.BENCHMARK, tasks=TASKS, variants=(VARIANT,), samples=lambda variant: SAMPLES, summarise=summarise
)


def replies(framework: str) -> list[str]:
    """One for each question; the last of each task is lost."""
    return [*OPTION, LOST_IN[framework], *SEQUENCE, LOST_IN[framework]]


@pytest.fixture
def ours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    monkeypatch.setattr(registry, "benchmarks", lambda: {"stand_in": BENCHMARK})
    monkeypatch.setenv("LMUData", str(tmp_path))
    monkeypatch.setenv("COGSIGHT_CACHE", str(tmp_path))
    chatty.forget(monkeypatch)
    monkeypatch.delenv("COGSIGHT_VIEW", raising=False)
    monkeypatch.delenv("PRED_FORMAT", raising=False)
    return tmp_path


def through_lmms_eval() -> tuple[list[dict[str, Any]], float]:
    """`process_results` and the aggregation, called with a row and a list of texts."""
    pytest.importorskip("lmms_eval", reason="lmms-eval is not installed")
    from cogsight.shared.frameworks.lmms import tasks
    from cogsight.shared.frameworks.lmms.scorer import Scorer

    judge = Judges().of(BENCHMARK)
    scorer = Scorer("stand_in", SimpleNamespace(eval_docs_no_media={"id": []}, instances=[]), judge) if judge else None
    found = [
        tasks.process_results({**to_row(sample), "images": None}, [text], "stand_in", view="images", scorer=scorer)
        for sample, text in zip(SAMPLES, replies("lmms"), strict=True)
    ]
    return [metrics["cogsight"] for metrics in found], tasks.accuracy(
        [metrics["accuracy"] for metrics in found], "stand_in"
    )


def through_vlmevalkit(folder: Path) -> tuple[list[dict[str, Any]], float]:
    """`evaluate`, called with the table that the kit's own inference has written: the default one, xlsx."""
    pytest.importorskip("vlmeval", reason="VLMEvalKit (pip install ms-vlmeval) is not installed")
    import vlmeval.inference

    from cogsight.shared.frameworks.vlmevalkit.dataset import dataset_class

    dataset = dataset_class(BENCHMARK, __name__)(dataset="Stand_In")
    table = folder / "m_Stand_In.xlsx"
    vlmeval.inference.dump(dataset.data.assign(prediction=replies("vlmeval")), str(table))
    overall = dataset.evaluate(str(table))["Overall"]
    (log,) = folder.glob("m_Stand_In*_samples.jsonl")
    return [json.loads(line) for line in log.read_text().splitlines()], overall


def test_lmms_eval_is_told_a_view_that_is_not_the_usual_one(ours: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("lmms_eval", reason="lmms-eval is not installed")
    from cogsight.shared.frameworks.lmms import tasks

    found = tasks.process_results({**to_row(SAMPLES[0]), "images": None}, ["A"], "stand_in", view="collage")
    tasks.accuracy([found["accuracy"]], "stand_in")
    assert "View: collage, all pictures" in capsys.readouterr().out


def test_vlmevalkit_is_told_a_view_that_is_not_the_usual_one(ours: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("vlmeval", reason="VLMEvalKit (pip install ms-vlmeval) is not installed")
    from cogsight.shared.frameworks.vlmevalkit.dataset import dataset_class

    dataset = dataset_class(BENCHMARK, __name__)(dataset="Stand_In")
    dataset.show_as("collage")
    table = ours / "m_Stand_In.tsv"
    dataset.data.assign(prediction="A").to_csv(table, sep="\t", index=False)
    dataset.evaluate(str(table))
    assert "View: collage, all pictures" in capsys.readouterr().out


@pytest.mark.filterwarnings("ignore:Cell contents too long", "ignore:Ignoring URL")
def test_both_adapters_give_the_same_verdicts(ours: Path) -> None:
    one, one_overall = through_lmms_eval()
    other, other_overall = through_vlmevalkit(ours)
    same = (
        "id",
        "attempt",
        "task",
        "points",
        "reason",
        "outcome",
        "rule",
        "value",
        "span",
        "judged_by",
        "finish",
        "variant",
        "view",
    )
    for left, right in zip(one, other, strict=True):
        assert {name: left[name] for name in same} == {name: right[name] for name in same}
        assert left["reply"] == right["reply"] or (left["error"] and right["error"])
    assert round(one_overall, 2) == other_overall
    assert {line["versions"]["benchmark"] for line in one + other} == {"1-A"}


@pytest.mark.filterwarnings("ignore:Cell contents too long", "ignore:Ignoring URL")
def test_both_adapters_hear_the_same_judge(ours: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which reads B or an order in what the rules leave open; one of the two asks, the other finds the verdicts."""
    with StubServer(read_b) as server:
        chatty.name(monkeypatch, server.url)
        one, one_overall = through_lmms_eval()
        before = len(server.requests)
        other, other_overall = through_vlmevalkit(ours)
        assert len(server.requests) == before
    open_ = {n for n, line in enumerate(one) if line["judged_by"] == chatty.MODEL}
    assert len(open_) > 10 and before > 10
    same = ("id", "points", "reason", "outcome", "rule", "value", "judged_by", "judgement")
    for left, right in zip(one, other, strict=True):
        assert {name: left[name] for name in same} == {name: right[name] for name in same}
    assert round(one_overall, 2) == other_overall
    assert {one[n]["points"] for n in open_} == {0.0, 1.0}


def read_b(request: Request) -> str:
    return json.dumps({"reason": "", "answer": "CBAD" if "order of all" in request.text else "B"})


def test_both_adapters_give_the_same_verdicts_on_dialogues(ours: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("lmms_eval", reason="lmms-eval is not installed")
    pytest.importorskip("vlmeval", reason="VLMEvalKit (pip install ms-vlmeval) is not installed")
    import vlmeval.inference

    from cogsight.shared.frameworks.lmms import tasks
    from cogsight.shared.frameworks.vlmevalkit.dataset import dataset_class

    monkeypatch.setattr(registry, "benchmarks", lambda: {"talk": talk.BENCHMARK})
    monkeypatch.setenv("COGSIGHT_CACHE", str(ours / "cache"))
    last = (
        "A",
        "<think>A</think> B",
        "<think>A",
        "",
        "None",
        "I cannot help with that.",
        "A or B",
        "x" * 40_000 + " B",
        "\ud800",
    )
    said = [[Reply(f"<think>{n}"), Reply(""), Reply(text)] for n, text in enumerate(last)]
    said += [[Reply("Red."), Reply(None, error="timeout")], [Reply("Red.")], []]
    texts = list(map(pack, said))

    rows = [{**to_row(talk.sample(n)), "images": None} for n in range(talk.SIZE)]
    one = [tasks.process_results(row, [text], "talk_long") for row, text in zip(rows, texts, strict=True)]
    dataset = dataset_class(talk.BENCHMARK, __name__)(dataset="Talk_Long")
    table = ours / "m_Talk_Long.xlsx"
    vlmeval.inference.dump(dataset.data.assign(prediction=texts), str(table))
    overall = dataset.evaluate(str(table))["Overall"]
    other = [json.loads(line) for line in (ours / "m_Talk_Long_samples.jsonl").read_text().splitlines()]
    about = {"view", "versions"}
    for left, right in zip((metrics["cogsight"] for metrics in one), other, strict=True):
        assert {k: v for k, v in left.items() if k not in about} == {k: v for k, v in right.items() if k not in about}
    assert round(tasks.accuracy([metrics["accuracy"] for metrics in one], "talk_long"), 2) == overall
    assert [line["reason"] for line in other[-3:]] == ["request_failed"] * 3
    assert [len(line.get("earlier_turns", ())) for line in other] == [2] * 9 + [1, 0, 0]


def test_the_replies_cover_every_outcome(ours: Path) -> None:
    lines, _ = through_lmms_eval()
    assert len(lines) >= 60
    seen = {line["outcome"] or LOST for line in lines}
    assert seen == {LOST, *(outcome.value for outcome in Outcome)}
    assert {line["reason"] for line in lines} >= {"right", "wrong"}
    assert len({line["rule"] for line in lines}) >= 8

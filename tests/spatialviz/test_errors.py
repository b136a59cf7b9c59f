"""`cogsight diagnose` and `cogsight errors` from a run on disk: what is printed, the sheet, a judge's suggestions, two annotators."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import fake_spatialviz as fake
import pytest
from chromium import browser, needs_chromium
from stub_server import Answer, Request, StubServer

from cogsight.shared.attribution import GUIDE, agreement, query, wrong
from cogsight.shared.cli import app
from cogsight.shared.commands.diagnosing import answered
from cogsight.shared.judge.prompts import TEMPLATES, render
from cogsight.shared.report.labelling_page import read_labels
from cogsight.shared.results import Asked, RunInfo, open_run, start
from cogsight.shared.sample import Reply
from cogsight.spatialviz.attribution import ERRORS
from cogsight.spatialviz.benchmark import BENCHMARK
from cogsight.spatialviz.scoring import published

HOSTILE = "</script><script>alert(1)</script>=1+1 <answer>"


def run(command: Sequence[object]) -> int:
    with pytest.raises(SystemExit) as ended:
        app([str(part) for part in command], prog_name="cogsight")
    return int(str(ended.value.code or 0))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Runs "cot" and "direct" over two questions a level: right, wrong in turn; and the data that they are about."""
    home = tmp_path_factory.mktemp("runs")
    (home / "release").mkdir()
    fake.release(home / "release", 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COGSIGHT_SPATIALVIZ_DATA", str(home / "release"))
        patch.setenv("COGSIGHT_ALLOW_CHANGED", "1")
        patch.setenv("COGSIGHT_CACHE", str(home / "cache"))
        patch.setenv("OPENAI_API_KEY", "")
        for variant in BENCHMARK.variants[:2]:
            write_run(home, variant.name)
        yield home


def write_run(home: Path, name: str) -> None:
    variant = BENCHMARK.variant(name)
    made = start(home / name, RunInfo("spatialviz", "1-A", name, "", "", "test", "some model"))
    replies, scores = {}, []
    for number, sample in enumerate(BENCHMARK.samples(variant)):
        letter = sample.answer if number % 2 else "ABCD"[("ABCD".index(sample.answer) + 1) % 4]
        text = f"<think>{HOSTILE if number == 0 else 'It is so.'}</think><answer>{letter}</answer>"
        reply = Reply(None, error="timeout") if number == 2 else Reply("" if number == 4 else text)
        replies[Asked(sample.id)] = reply
        scores.append(BENCHMARK.score(sample, variant, [reply]))
    made.write_replies(replies)
    made.write_scores(scores)


def test_the_classes_are_the_papers_and_the_judges() -> None:
    assert list(ERRORS.options) == [row["class"] for row in rows_of_figure_5()]
    (kind,) = (field for field in TEMPLATES["error_class"].fields if field.counts)
    assert set(ERRORS.options) == set(kind.values) == set(ERRORS.hints)


def rows_of_figure_5() -> list[dict[str, str]]:
    """In the order in which the question has them, not by share."""
    order = list(ERRORS.options)
    rows: list[dict[str, str]] = published()["tables"]["errors"]["rows"]
    return sorted(rows, key=lambda row: order.index(row["class"]))


def test_one_run_and_two(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diagnose", folder / "spatialviz"]) == 0
    printed = capsys.readouterr().out
    for part in (
        "Accuracy, per cent",
        "Difficulty: right answers by level",
        "under the extraction rules",
        "58 of 1180",
    ):
        assert part in printed
    assert "against" not in printed
    assert run(["diagnose", folder / "spatialviz", folder / "spatialviz_direct"]) == 0
    assert "spatialviz_direct against spatialviz, on the same questions" in capsys.readouterr().out


def test_what_cannot_be_diagnosed(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diagnose", tmp_path]) == 1
    assert "no cogsight run" in capsys.readouterr().err
    with pytest.MonkeyPatch.context() as patch:
        other = tmp_path / "other"
        other.mkdir()
        fake.release(other, 1)
        patch.setenv("COGSIGHT_SPATIALVIZ_DATA", str(other))
        assert run(["diagnose", folder / "spatialviz"]) == 1
    assert "29 scores of questions that spatialviz does not have here" in capsys.readouterr().err


def test_only_replies_that_are_there_and_wrong_are_drawn(folder: Path) -> None:
    made, _ = answered(open_run(folder / "spatialviz"))
    names = wrong(made, None, 0)
    assert len(names) == 27  # of 58, half are wrong; one of those was lost, one is empty
    drawn = wrong(made, 10, 3)
    assert len(drawn) == 10 and drawn == wrong(made, 10, 3) != wrong(made, 10, 4)
    assert [name for name in names if name in drawn] == drawn


def test_a_sheet(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "sheet"
    assert run(["errors", folder / "spatialviz", "--out", out]) == 0
    assert "27 wrong replies" in capsys.readouterr().out
    html = (out / "errors.html").read_text(encoding="utf-8")
    assert html.count("<article") == 27 == html.count('<img src="data:image/png')
    assert html.count("<script>") == 1 and GUIDE.split("\n")[0] in html
    assert "suggestion" not in html.partition("</style>")[2].partition("<script>")[0]
    rows = list(csv.DictReader((out / "errors.csv").open(encoding="utf-8", newline="")))
    assert list(rows[0]) == ["id", "annotator", "error", "Question", "Key", "Reply", "Read as"]
    assert rows[0]["Key"].startswith("A\nOption A is correct.")
    assert rows[0]["Reply"].startswith("<think></script>")
    assert run(["errors", folder / "spatialviz", "--out", out]) == 1
    assert "is there already" in capsys.readouterr().err


def test_without_a_task_it_says_what_to_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["errors", folder / "spatialviz"]) == 2
    assert "--out" in capsys.readouterr().err


def test_two_annotators(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """8 labels each, 6 alike: 4 perceptual, 2 method; each of the others differs. kappa = (6/8 - 24/64) / (1 - 24/64)."""
    assert run(["errors", folder / "spatialviz", "--out", tmp_path / "sheet"]) == 0
    labels = {
        "ada": ["perceptual"] * 4 + ["methodological"] * 2 + ["calculation", "perceptual"],
        "bob": ["Perception"] * 4 + ["methodological"] * 2 + ["perceptual", "instruction"],
    }
    paths = [fill(tmp_path / "sheet" / "errors.csv", tmp_path / f"{name}.csv", own) for name, own in labels.items()]
    capsys.readouterr()
    command = ["errors", folder / "spatialviz", "--labels", paths[0], "--labels", paths[1]]
    assert run([*command, "--out", tmp_path / "settle"]) == 0
    printed = capsys.readouterr().out
    expected = (6 / 8 - (5 * 5 + 2 * 2) / 64) / (1 - (5 * 5 + 2 * 2) / 64)
    assert f"Cohen's kappa {expected:.2f}" in printed
    assert "on 8 items that both have labelled" in printed and "Same label: 6, 75.0 %" in printed
    assert printed.count("spatialviz/official/") == 2
    rows = list(csv.DictReader((tmp_path / "settle" / "settle.csv").open(encoding="utf-8", newline="")))
    assert [row["Labels so far"] for row in rows] == [
        "Calculation and reasoning / Perception",
        "Following the instruction / Perception",
    ]
    assert "choose the one that holds" in (tmp_path / "settle" / "settle.html").read_text(encoding="utf-8")
    assert run(command[:4]) == 0
    assert "kappa" not in capsys.readouterr().out


def test_one_label_throughout_has_no_kappa() -> None:
    labels = {str(n): {"error": "perceptual"} for n in range(3)}
    section = agreement(ERRORS, ("ada", labels), ("bob", labels | {"3": {"error": "calculation"}}))
    assert section.rows == ()
    assert section.notes == (
        "Cohen's kappa is not defined (both chose one and the same label throughout) on 3 items that both have labelled.",
        "Same label: 3, 100.0 %.",
    )


def fill(sheet: Path, target: Path, labels: Sequence[str]) -> Path:
    rows = list(csv.reader(sheet.open(encoding="utf-8", newline="")))
    for row, label in zip(rows[1:], labels, strict=False):
        row[2] = label
    with target.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return target


def test_labels_of_another_run_are_told(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ada.csv").write_text("id,error\nspatialviz/official/x/0/0,perceptual\n")
    assert run(["errors", folder / "spatialviz", "--labels", tmp_path / "ada.csv"]) == 1
    assert "line 2: spatialviz/official/x/0/0: none of the items asked about" in capsys.readouterr().err


def test_a_judge_suggests_and_decides_nothing(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def script(request: Request) -> str | Answer:
        if "kind" not in request.text:
            return json.dumps(
                {"reason": "It says so.", "answer": "B"}
            )  # to the question that shows whether this is a judge
        if "Three-View" in request.text:
            return "I would rather not."
        return json.dumps({"reason": "It is so.", "kind": "transformation"})

    with StubServer(script) as server:
        command = [
            "errors",
            folder / "spatialviz",
            "--judge",
            "stub",
            "--judge-base-url",
            server.url,
            "--judge-key",
            "x",
        ]
        assert run([*command, "--out", tmp_path / "sheet"]) == 0
        asked = len(server.requests)
        shown = [len(request.images) for request in server.requests if "kind" in request.text]
        assert len(shown) >= 27 and set(shown) == {1}
        assert "stub has suggested a class for 25 of 27; behind a click" in capsys.readouterr().err
        assert run([*command, "--out", tmp_path / "again"]) == 0
        again = [
            request
            for request in server.requests[asked:]
            if "Three-View" not in request.text and "kind" in request.text
        ]
        assert again == [], "what was paid for is kept"
    html = (tmp_path / "sheet" / "errors.html").read_text(encoding="utf-8")
    assert html.count('<details class="suggestion">') == 25
    assert "Suggestion of stub: automatic pre-label, for people to check" in html
    assert "checked>" not in html
    labels = read_labels(tmp_path / "sheet" / "errors.csv", [ERRORS])
    assert set(map(len, labels.values())) == {0}, "a suggestion is no label"
    rows = list(csv.DictReader((tmp_path / "sheet" / "errors.csv").open(encoding="utf-8", newline="")))
    assert {row["suggested error"] for row in rows} == {"transformation", ""}


def test_the_judge_gets_what_people_get(folder: Path) -> None:
    sample = BENCHMARK.samples(BENCHMARK.variants[0])[0]
    asked = query(sample, HOSTILE)
    _, text = render(asked)
    assert asked.pictures == sample.images
    for part in (sample.question, "B. B", "Option A is correct.", HOSTILE):
        assert part in text


@needs_chromium
@pytest.mark.slow
def test_the_sheet_in_a_browser(folder: Path, tmp_path: Path) -> None:
    assert run(["errors", folder / "spatialviz", "--out", tmp_path / "sheet", "--num-samples", "3"]) == 0
    with browser(tmp_path / "profile") as tab:
        tab.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
        tab.open(tmp_path / "sheet" / "errors.html")
        assert tab.ask("[...document.images].every(image => image.complete && image.naturalWidth === 12)")
        for key in "126":
            tab.press(key)
            tab.wait("new Promise(done => setTimeout(() => done(true), 200))")
        tab.press("s")
        tab.wait("new Promise(done => setTimeout(() => done(true), 300))")
        assert tab.complaints == []
    labels = read_labels(tmp_path / "errors.csv", [ERRORS])
    assert [own["error"] for own in labels.values()] == ["perceptual", "transformation", "calculation"]

"""A judge against people: the papers' tables, the sheets that are labelled blind, and the command that does both."""

from __future__ import annotations

import csv
import gc
import json
from collections.abc import Iterator
from dataclasses import replace
from math import isnan
from pathlib import Path

import pytest
import toy
from golden import FOLDER
from typer.testing import CliRunner

from cogsight.shared import cli
from cogsight.shared.errors import DataError
from cogsight.shared.judge.agreement import ALL, Judged, agreements, draw, read_pairs, read_sheet, sheets
from cogsight.shared.judge.fence import capped
from cogsight.shared.judge.query import Query, Verdict
from cogsight.shared.judge.store import FILE, Store, Vote
from cogsight.shared.report.labelling_page import page, sheet_csv
from cogsight.shared.results import Asked, RunInfo, start
from cogsight.shared.sample import Reply
from cogsight.shared.scoring import extraction_query, score_single_turn
from cogsight.shared.stats import cohen_kappa, kappa_interval

PAPER = [
    line.split("\t")
    for line in (FOLDER / "judge_agreement.tsv").read_text().splitlines()[1:]
    if not line.startswith("#")
]
LETTERS = ("A", "B")


def labels(*values: str, name: str = "number") -> dict[str, dict[str, str]]:
    return {str(item): {name: value} for item, value in enumerate(values)}


@pytest.mark.parametrize(("step", "name", "fp", "fn", "same", "percent"), PAPER)
def test_the_papers_tables(step: str, name: str, fp: str, fn: str, same: str, percent: str) -> None:
    human = "0" * int(fp) + "1" * int(fn) + "1" * int(same)
    judge = "1" * int(fp) + "0" * int(fn) + "1" * int(same)
    (row,) = agreements(labels(*human), labels(*judge))
    assert row.counts == {"TP": int(same), "FP": int(fp), "FN": int(fn), "TN": 0}
    assert round(100 * row.agreement) == int(percent)
    assert row.interval.low < row.agreement < row.interval.high


def test_mme_ccs_check_of_99_items() -> None:
    (row,) = agreements(labels(*"1" * 99), labels(*"1" * 94, *"0" * 5))
    assert f"{row.agreement:.0%}" == "95%"


def test_all_properties_together_must_be_right_on_each_side() -> None:
    human = {"a": {"number": "1", "action": "1"}, "b": {"number": "1", "action": "0"}, "c": {"number": "1"}}
    judge = {
        "a": {"number": "1", "action": "0"},
        "b": {"number": "0", "action": "1"},
        "c": {"number": "0", "action": "1"},
    }
    number, action, whole = agreements(human, judge)
    assert (number.n, action.n, whole.property, whole.n) == (3, 2, ALL, 2)
    assert whole.counts == {"TP": 0, "FP": 0, "FN": 1, "TN": 1}


def test_values_that_are_no_verdicts_have_no_positives() -> None:
    (row,) = agreements(labels("A", "B", "none"), labels("A", "A", "none"))
    assert row.counts is None and row.agreement == pytest.approx(2 / 3)


def test_kappa_by_hand_and_its_interval() -> None:
    human, judge = "1" * 45 + "1" * 15 + "0" * 25 + "0" * 15, "1" * 45 + "0" * 15 + "1" * 25 + "0" * 15
    assert cohen_kappa(human, judge) == pytest.approx(0.1304, abs=1e-4)  # seen 0.60, expected 0.54
    interval = kappa_interval(human, judge)
    # Standard error after Cohen (1960): sqrt(0.6 * 0.4 / 100) / 0.46 = 0.1065.
    assert interval is not None and interval.low == pytest.approx(0.1304 - 1.96 * 0.1065, abs=0.03)
    assert interval.high == pytest.approx(0.1304 + 1.96 * 0.1065, abs=0.03)
    assert interval == kappa_interval(human, judge)


def test_without_variation_there_is_no_kappa() -> None:
    (row,) = agreements(labels("1", "1"), labels("1", "1"))
    assert isnan(row.kappa) and row.kappa_interval is None


@pytest.mark.parametrize(
    "text",
    [
        "id,human,judge\na,yes,1\nb,0,no\n",
        "id;property;human;judge\na;verdict;1;Right\nb;verdict;wrong;0\n",
        "id,human verdict,judge verdict,note\na,TRUE,1,x\nb,false,0,\n",
        "id,human,judge\na,1.0,1\nb,0.00,n\n",
        "id;human;judge\na;1,0;y\nb;0;0,0\n",
    ],
)
def test_a_csv_with_both_sides(text: str, tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text(text)
    human, judge = read_pairs(tmp_path / "labels.csv")
    assert human == judge == {"a": {"verdict": "1"}, "b": {"verdict": "0"}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id,human\na,1\n", "expected columns human and judge"),
        ("id,property,human,judge\na,number,1,1\na,number,0,1\n", "line 3: a has number twice"),
        ("id,human,judge\na,1,1\nb,ye,1\nc,0,0\n", "b has verdict 'ye': expected numbers"),
        ("id;human;judge\na;1;WAHR\n", "a has verdict 'wahr': expected numbers"),
        ('id,human,judge\na,"1,1\nb,0,1\nc,1,1\n', "unexpected end of data"),
        ('id,"human,judge\na,1,1\n', "unexpected end of data"),
    ],
)
def test_a_csv_that_has_not(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text(text)
    with pytest.raises(DataError, match=said):
        read_pairs(tmp_path / "labels.csv")


def judged(n: int, task: str, answer: str) -> Judged:
    query = Query("extract_option", f"<b>reply {n}</b>", {"question": "Which?", "options": "A. x\nB. y"}, LETTERS)
    return Judged(f"toy/{task}/{n}", task, query, Verdict({"reason": "secret", "answer": answer}, model="m"))


def test_a_sheet_shows_what_the_judge_saw() -> None:
    rubric = {"question": "Which?", "reference": "4", "rubric": "A range counts."}
    long = f"{'x' * 200_000} end"
    asked = [Query("grade_reference", long, rubric), Query("grade_reference", "4", {**rubric, "rubric": ""})]
    ((sheet, _),) = sheets([Judged(f"m/{n}", "t", one, Verdict({"correct": 1})) for n, one in enumerate(asked)])
    shown = [{section.title: section.text for section in item.sections} for item in sheet.items]
    assert [one["Rubric"] for one in shown] == ["A range counts.", ""]
    assert shown[0]["Reply"] == capped(long) and shown[1]["Reply"] == "4"


def test_a_draw_is_even_over_tasks_and_verdicts() -> None:
    many = [judged(n, "common", "A") for n in range(200)]
    rare = [judged(n, "rare", "B") for n in range(5)] + [judged(n, "common", "none") for n in range(5, 10)]
    drawn = draw(many + rare, 15, seed=1)
    kinds = [(one.task, one.verdict.values["answer"]) for one in drawn]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        ("common", "A"): 5,
        ("rare", "B"): 5,
        ("common", "none"): 5,
    }
    assert drawn == draw(rare + many, 15, seed=1) != draw(many + rare, 15, seed=2)
    assert kinds != sorted(kinds)


def test_a_sheet_is_blind_and_comes_back(tmp_path: Path) -> None:
    ((sheet, kept),) = sheets([judged(0, "t", "A"), judged(1, "t", "none")])
    for text in (page(sheet), sheet_csv(sheet)):
        assert "secret" not in text and "reply 1" in text
    assert "<b>reply" not in page(sheet)
    verdicts = tmp_path / "extract_option.verdicts.json"
    verdicts.write_text(kept)
    (tmp_path / "extract_option.csv").write_text(
        sheet_csv(sheet, {"toy/t/0": {"answer": "A"}, "toy/t/1": {"answer": "B"}})
    )
    (row,) = agreements(*read_sheet(tmp_path / "extract_option.csv", verdicts))
    assert (row.property, row.n, row.agreement) == ("answer", 2, 0.5)


def test_verdicts_that_are_none_of_ours(tmp_path: Path) -> None:
    (tmp_path / "x.verdicts.json").write_text('{"verdicts": 3}')
    with pytest.raises(DataError, match=r"x\.verdicts\.json: no verdicts of ours"):
        read_sheet(tmp_path / "x.csv", tmp_path / "x.verdicts.json")


@pytest.fixture
def judging_toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setattr(toy, "BENCHMARK", replace(toy.BENCHMARK, score=score_single_turn))
    with toy.alone(monkeypatch, tmp_path / "cache"):
        yield


def run_folder(folder: Path, cache: Path) -> Path:
    """A scored run in which a judge read both replies to Which Hue."""
    replies = [Reply("Hard to say, one of them."), Reply("Perhaps neither."), Reply("CBA"), Reply("ABC")]
    store = Store(cache / FILE)
    for sample, reply in zip(toy.SAMPLES[:2], replies, strict=False):
        store.add("judge-1", extraction_query(sample, reply), 0, Vote({"reason": "r", "answer": "A"}))
    run = start(folder, RunInfo("toy", "1-A", "toy_procedural", "toy-1", "", "lmms_eval 0", "m"))
    run.write_replies({Asked(sample.id): reply for sample, reply in zip(toy.SAMPLES, replies, strict=True)})
    scores = [
        score_single_turn(sample, toy.VARIANT, [reply]) for sample, reply in zip(toy.SAMPLES, replies, strict=True)
    ]
    run.write_scores([replace(score, judged_by="judge-1" if n < 2 else "rules") for n, score in enumerate(scores)])
    return folder


def command(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(cli.app, ["judge-agreement", *map(str, arguments)], prog_name="cogsight")
    return result.exit_code, result.stdout + result.stderr


@pytest.mark.usefixtures("judging_toy")
def test_from_a_scored_run_to_the_table(tmp_path: Path) -> None:
    folder, out = run_folder(tmp_path / "run", tmp_path / "cache"), tmp_path / "sheets"
    assert command(folder, "--sample", 10, "--out", out)[0] == 0
    assert sorted(path.name for path in out.iterdir()) == [
        "extract_option.csv",
        "extract_option.html",
        "extract_option.verdicts.json",
    ]
    with (out / "extract_option.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    assert len(rows) == 2 and "Perhaps neither." in str(rows)
    filled = [[*row[:2], {"Perhaps neither.": "none"}.get(row[-1], "A"), *row[3:]] for row in rows]
    with (out / "extract_option-ada.csv").open("w", newline="") as file:
        csv.writer(file).writerows([header, *filled])
    code, said = command(out / "extract_option-ada.csv")
    assert code == 0 and said.splitlines()[2].split("\t")[:7] == ["answer", "2", "-", "-", "-", "-", "50.0"]


@pytest.mark.usefixtures("judging_toy")
def test_what_is_in_the_folder_is_not_replaced(tmp_path: Path) -> None:
    folder, out = run_folder(tmp_path / "run", tmp_path / "cache"), tmp_path / "sheets"
    out.mkdir()
    (out / "extract_option-ada.csv").write_text("a day's work")
    code, said = command(folder, "--sample", 10, "--out", out)
    assert (code, [path.name for path in out.iterdir()]) == (1, ["extract_option-ada.csv"])
    assert "choose another folder" in said


@pytest.mark.usefixtures("judging_toy")
def test_the_store_is_only_read(tmp_path: Path) -> None:
    folder, cache = run_folder(tmp_path / "run", tmp_path / "cache"), tmp_path / "cache"
    gc.collect()  # the store that the run was made with is closed
    before = {path.name: path.read_bytes() for path in cache.glob(f"{FILE}*")}
    assert command(folder, "--sample", 10, "--out", tmp_path / "sheets")[0] == 0
    assert {path.name: path.read_bytes() for path in cache.glob(f"{FILE}*")} == before


@pytest.mark.usefixtures("judging_toy")
def test_runs_that_say_the_same_are_on_a_sheet_once(tmp_path: Path) -> None:
    folders = [run_folder(tmp_path / name, tmp_path / "cache") for name in ("run", "other")]
    code, said = command(*folders, "--sample", 10, "--out", tmp_path / "sheets")
    assert code == 0 and "2 of 2 decisions" in said


@pytest.mark.usefixtures("judging_toy")
def test_votes_of_a_later_run_do_not_count(tmp_path: Path) -> None:
    folder, out = run_folder(tmp_path / "run", tmp_path / "cache"), tmp_path / "sheets"
    query = extraction_query(toy.SAMPLES[0], Reply("Hard to say, one of them."))
    for number in (1, 2):
        Store(tmp_path / "cache" / FILE).add("judge-1", query, number, Vote({"reason": "r", "answer": "B"}))
    assert command(folder, "--sample", 10, "--out", out)[0] == 0
    verdicts = json.loads((out / "extract_option.verdicts.json").read_text())["verdicts"]
    assert [own["answer"] for own in verdicts.values()] == ["A", "A"]


@pytest.mark.usefixtures("judging_toy")
def test_the_command_says_what_is_missing(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "run", tmp_path / "cache")
    (tmp_path / "cache" / FILE).unlink()
    code, said = command(folder, "--sample", 3, "--out", tmp_path / "sheets")
    assert code == 1 and "no verdicts are kept here" in said and not (tmp_path / "sheets").exists()
    (tmp_path / "empty.csv").write_text("id,human,judge\na,,1\n")
    code, said = command(tmp_path / "empty.csv")
    assert code == 1 and "fill in some labels" in said
    code, said = command(folder)
    assert code == 1 and "--sample N draws a sheet" in said


@pytest.mark.usefixtures("judging_toy")
def test_a_renamed_sheet_says_how_it_finds_its_verdicts(tmp_path: Path) -> None:
    folder, out = run_folder(tmp_path / "run", tmp_path / "cache"), tmp_path / "sheets"
    assert command(folder, "--sample", 10, "--out", out)[0] == 0
    ada = (out / "extract_option.csv").rename(out / "ada.csv")
    code, said = command(ada)
    assert code == 1 and "is named by --verdicts" in said
    code, said = command(ada, "--verdicts", out / "extract_option.verdicts.json")
    assert code == 1 and "fill in some labels" in said

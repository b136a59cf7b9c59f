"""`cogsight rate`: from runs to a blind page, in a real browser, and back to means and agreement."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import drawn_toy
import pytest
import toy
from chromium import browser, needs_chromium
from drawn_toy import bars
from typer.testing import CliRunner

from cogsight.shared.cli import app
from cogsight.shared.commands import rating, scoring
from cogsight.shared.frameworks.judges import Judges
from cogsight.shared.frameworks.logs import read_log
from cogsight.shared.frameworks.scoring import score_all
from cogsight.shared.judge.query import JudgeError, Query, Verdict
from cogsight.shared.sample import Picture, Reply

TURN_0, TURN_1, VIEW_0, VIEW_1 = drawn_toy.ids()
JUNK = Picture(b"\x89PNG\r\n\x1a\nnothing")


@pytest.fixture(autouse=True)
def drawn_toy_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    with toy.alone(monkeypatch, tmp_path / "cache", drawn_toy.BENCHMARK):
        yield


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Two models: alpha has a picture for three of four, beta for three, and one request of its was lost."""
    made = {TURN_0: bars("blue", "red"), TURN_1: bars("green", "red"), VIEW_0: None, VIEW_1: bars("red", "blue")}
    drawn_toy.run(tmp_path / "runs/a", "alpha model", made)
    drawn_toy.run(
        tmp_path / "runs/b", "beta model", {TURN_0: bars("red"), TURN_1: JUNK, VIEW_0: bars("black")}, [VIEW_1]
    )
    return tmp_path / "runs"


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    return result.exit_code, result.stdout, result.stderr


def key_of(page: Path) -> dict[tuple[str, str], str]:
    """(Model's first word, sample) → id, of those that are shown."""
    items = json.loads(page.with_suffix(".key.json").read_text())["items"]
    shown = {name: entry for name, entry in items.items() if entry["made"] == "picture"}
    return {(entry["model"].split()[0], entry["sample"]): name for name, entry in shown.items()}


def rated(path: Path, rater: str, marks: dict[str, tuple[object, object]], saw: str = "") -> Path:
    rows = [f"{name},{rater},{app},{follows},{saw}" for name, (app, follows) in marks.items()]
    path.write_text("\n".join(["id,annotator,App,IF,true picture", *rows, ""]))
    return path


def test_the_page_is_one_blind_file(runs: Path, tmp_path: Path) -> None:
    page = tmp_path / "ratings.html"
    code, said, error = run("rate", "make", runs, "--out", page)
    assert code == 0, error
    assert said.splitlines()[0].startswith(f"{page}: 5 pictures of 2 runs, ")
    assert said.splitlines()[1:3] == [  # one reply has no picture, another what is none
        "2 without a picture: 0 for App and IF, and not shown",
        "1 lost requests: left out",
    ]
    html = page.read_text()
    assert html.count("<article ") == len(key_of(page)) == 5
    for secret in ("alpha", "beta", "toy_procedural", TURN_0, "pictures/"):
        assert secret not in html
    assert not re.search(r"(src|href)=\"(?!data:image/jpeg)", html), "nothing is loaded"
    assert set(re.findall(r'data-id="(.*?)"', html)) == set(key_of(page).values())


def test_ids_differ_by_seed_and_not_by_run(runs: Path, tmp_path: Path) -> None:
    pages = [tmp_path / f"{n}.html" for n in range(3)]
    for page, seed in zip(pages, (0, 0, 1), strict=True):
        run("rate", "make", runs, "--out", page, "--seed", seed)
    first, again, other = map(key_of, pages)
    assert first == again
    assert not set(first.values()) & set(other.values())
    assert not [name for name in first.values() if name[0].isdigit()], "a spreadsheet takes 12e4567890 for a number"


def test_ratings_of_other_pictures_of_the_same_model_are_refused(runs: Path, tmp_path: Path) -> None:
    """A model is run again, and the raters' files of its first run still lie there."""
    page, again = tmp_path / "old/ratings.html", tmp_path / "new/ratings.html"
    run("rate", "make", runs / "a", "--out", page)
    made = {TURN_0: bars("black", "red"), TURN_1: bars("green", "red"), VIEW_0: None, VIEW_1: bars("red", "black")}
    drawn_toy.run(tmp_path / "rerun", "alpha model", made)
    run("rate", "make", tmp_path / "rerun", "--out", again)
    assert key_of(page)["alpha", TURN_1] == key_of(again)["alpha", TURN_1], "the same picture"
    old = rated(again.with_name("ratings_Ada.csv"), "Ada", dict.fromkeys(key_of(page).values(), (3, 3)))
    code, _, error = run("rate", "read", old, "--out", tmp_path / "out")
    assert code == 1
    assert re.search(r"line \d: p\w+: none of the pictures on the page; was it rated on another one\?", error), error
    assert not (tmp_path / "out").exists()


def test_a_run_that_was_asked_a_part_has_no_overall_beside_a_whole_one(runs: Path, tmp_path: Path) -> None:
    drawn_toy.run(runs / "c", "gamma model", {TURN_0: bars("red"), TURN_1: bars("blue")})
    page = tmp_path / "ratings.html"
    run("rate", "make", runs / "a", runs / "c", "--out", page)
    marks: dict[str, tuple[object, object]] = dict.fromkeys(key_of(page).values(), (3, 3))
    code, said, _ = run("rate", "read", rated(tmp_path / "ratings_Ada.csv", "Ada", marks), "--out", tmp_path / "out")
    assert code == 1
    assert "not complete: gamma model was asked 2 of the 4 questions of toy_procedural" in said
    overall = next(line for line in said.splitlines() if line.startswith("Overall"))
    assert re.fullmatch(r"Overall\s+2.25 \[.*\]\s+2.25 \[.*\]\s+-\s+-", overall.strip()), overall


def test_a_framework_s_log_is_rated_like_a_run(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "x_samples_toy_procedural.jsonl"
    log.touch()
    replies = {(TURN_0, 0): (Reply("", images=(bars("blue"),)),)}
    read = SimpleNamespace(path=log, model="gamma", variant="toy_procedural", versions={}, replies=replies)
    monkeypatch.setattr(rating, "read_log", lambda path: read if path == log else read_log(path))
    code, _, error = run("rate", "make", log, runs / "a", "--out", tmp_path / "ratings.html")
    assert code == 0, error
    assert ("gamma", TURN_0) in key_of(tmp_path / "ratings.html")


def test_means_are_those_of_table_3(runs: Path, tmp_path: Path) -> None:
    page = tmp_path / "ratings.html"
    run("rate", "make", runs, "--out", page)
    ids = key_of(page)
    a0, a1, a3 = (ids["alpha", name] for name in (TURN_0, TURN_1, VIEW_1))
    b0, b2 = ids["beta", TURN_0], ids["beta", VIEW_0]
    ada = rated(tmp_path / "ratings_Ada.csv", "Ada", {a0: (3, 2), a1: (2, 0), a3: (3, 1), b0: (1, 0), b2: (0, 0)})
    bob = rated(tmp_path / "ratings_Bob.csv", "Bob", {a0: (2, 2), a1: (2, ""), b0: (1, 1)}, saw="yes")
    code, said, _ = run("rate", "read", ada, bob, "--out", tmp_path / "out")
    assert code == 1, "one request was lost"
    rows = [line.split("\t") for line in said.splitlines()]
    assert rows[1] == ["Task", "alpha model App", "alpha model IF", "beta model App", "beta model IF"]
    assert rows[2] == ["Turn*", "2.25", "1.00", "0.50", "0.25"]
    assert rows[3] == ["View*", "1.50", "0.50", "0.00", "0.00"]
    overall = [cell.partition(" [")[0] for cell in rows[4]]
    assert overall == ["Overall", "1.88", "0.75", "0.25", "0.12"]
    assert "3 of 8 ratings by people were given with the true picture in sight" in said
    assert "2 without a picture: 0 for App and IF, and not shown" in said
    assert "1 lost requests: left out" in said
    with (tmp_path / "out/means.tsv").open() as file:
        means = {(row["model"], row["scale"], row["task"]): row for row in csv.DictReader(file, delimiter="\t")}
    cell = means["beta model", "App", "View*"]
    assert (cell["mean"], cell["n"], cell["without picture"], cell["missing"]) == ("0.0000", "1", "0", "1")
    whole = means["alpha model", "App", "Overall"]
    assert 0 <= float(whole["low"]) <= float(whole["mean"]) <= float(whole["high"]) <= 3
    alphas = [row for row in rows if row[0] == "Ada, Bob"]
    assert [row[1:3] for row in alphas] == [["App", "3"], ["IF", "2"]]


def test_it_is_not_complete_until_all_are_rated(runs: Path, tmp_path: Path) -> None:
    page = tmp_path / "ratings.html"
    run("rate", "make", runs / "a", "--out", page)
    names = list(key_of(page).values())
    marks: dict[str, tuple[object, object]] = dict.fromkeys(names, (3, 3))
    some = rated(tmp_path / "ratings_Ada.csv", "Ada", {**marks, names[0]: (3, "")})
    code, said, _ = run("rate", "read", some, "--out", tmp_path / "out")
    assert code == 1
    assert "not complete: 1 of 3 pictures are not rated by anybody" in said
    code, said, error = run("rate", "read", rated(some, "Ada", marks), "--out", tmp_path / "all")
    assert code == 0, error
    assert "agreement" not in said, "there is one rater"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("ffffffffff,Ada,1,1,", "ratings_x.csv: labels .*line 2: ffffffffff: none of the pictures on the page"),
        ("{0},Ada,4,1,", "line 2: App '4': expected one of 0, 1, 2, 3"),
        ("{0},Ada,1,-1,", "line 2: IF '-1'"),
        ("{0},Ada,1,1,\n{0},Ada,1,1,", r"line 3: Ada has rated \w+ already \(.*ratings_x.csv, line 2\)"),
        ("{0},,1,1,", "line 2: .*: no rater's name in the column annotator"),
        ("{0},Ada,,,", "no ratings in it"),
        ("{0},Ada,2.5,1,", "line 2: App '2.5': expected one of 0, 1, 2, 3"),
        ("{0},Ada,.0,1,", "line 2: App '.0': expected one of 0, 1, 2, 3"),
    ],
)
def test_what_cannot_be_read_is_told_by_file_and_line(rows: str, said: str, runs: Path, tmp_path: Path) -> None:
    page = tmp_path / "ratings.html"
    run("rate", "make", runs, "--out", page)
    first = next(iter(key_of(page).values()))
    path = tmp_path / "ratings_x.csv"
    path.write_text("id,annotator,App,IF,true picture\n" + rows.format(first) + "\n")
    code, _, error = run("rate", "read", path, "--out", tmp_path / "out")
    assert code == 1
    assert re.search(said, error.replace("\n", " ")), error
    assert not (tmp_path / "out").exists()


def test_tables_side_by_side_are_refused_and_numbers_with_a_point_are_read(runs: Path, tmp_path: Path) -> None:
    page, path = tmp_path / "ratings.html", tmp_path / "ratings_x.csv"
    run("rate", "make", runs, "--out", page)
    first = next(iter(key_of(page).values()))
    path.write_text(f"id,annotator,App,IF,id,annotator,App,IF\n{first},Ada,1,1,{first},Bob,2,2\n")
    code, _, error = run("rate", "read", path, "--out", tmp_path / "out")
    assert code == 1
    assert "column App, IF, annotator, id stands twice" in error.replace("\n", " ")
    path.write_text(f"id,annotator,App,IF\n{first},Ada,3.0,\n")
    run("rate", "read", path, "--out", tmp_path / "out")
    assert "\t3" in (tmp_path / "out/ratings.tsv").read_text()


def test_a_rater_s_file_given_twice_is_told(runs: Path, tmp_path: Path) -> None:
    page = tmp_path / "ratings.html"
    run("rate", "make", runs, "--out", page)
    marks: dict[str, tuple[object, object]] = dict.fromkeys(key_of(page).values(), (1, 1))
    one, two = (rated(tmp_path / f"ratings_{n}.csv", "Ada", marks) for n in "ab")
    code, _, error = run("rate", "read", one, two, "--out", tmp_path / "out")
    assert code == 1
    assert re.search(r"ratings_b.csv: .*\n.*line 2: Ada has rated \w+ already .*ratings_a.csv, line 2", error)
    code, _, error = run("rate", "read", one, one, "--out", tmp_path / "out")
    assert code == 1 and re.search(r"line 2: Ada has rated \w+ already .*ratings_a.csv, line 2", error), (
        "ratings_a.csv ratings_*.csv"
    )


@pytest.mark.parametrize(
    ("file", "name", "said"),
    [
        ("ratings_b.csv", "  ada ", "raters 'Ada' and 'ada': one person or two? Spell the name alike everywhere"),
        (
            "ratings_b.csv",
            "judge:gpt",
            "ratings_b.csv: rater 'judge:gpt': names that begin with 'judge:' are for judges",
        ),
        ("ratings_b.csv", "judge: gpt", "ratings_b.csv: rater 'judge: gpt': names that begin"),
        ("ratings_b.csv", "A\u0301da", "raters '\u00c1da' and 'A\u0301da': one person or two?"),
        ("ratings.judge.csv", "Judge: gpt", "ratings.judge.csv: rater 'Judge: gpt': names that begin"),
    ],
)
def test_who_has_rated_must_be_clear(file: str, name: str, said: str, runs: Path, tmp_path: Path) -> None:
    page = tmp_path / "ratings.html"
    run("rate", "make", runs, "--out", page)
    first, second, *_ = key_of(page).values()
    ada = "\u00c1da" if "\u00c1" in said else "Ada"
    one, other = rated(tmp_path / "ratings_a.csv", ada, {first: (1, 1)}), tmp_path / file
    code, _, error = run("rate", "read", one, rated(other, name, {second: (1, 1)}), "--out", tmp_path / "out")
    assert code == 1
    assert said in error
    assert not (tmp_path / "out").exists()


def test_what_cannot_be_rated_is_told(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "ratings.html"
    for arguments, told in (
        ((runs, "--out", tmp_path / "x.txt"), "expected the name of a page"),
        ((runs, runs / "a", "--out", page), "has a reply to .* in .* too"),
        ((tmp_path / "none", "--out", page), "no such file or folder"),
    ):
        code, _, error = run("rate", "make", *arguments)
        assert code == 1
        assert re.search(told, error), error
    wordy = tmp_path / "wordy"
    drawn_toy.run(wordy, "wordy", {TURN_0: None})
    assert "these runs hold no picture" in run("rate", "make", wordy, "--out", page)[2]
    run("rate", "make", runs, "--out", page)
    assert "is there already" in run("rate", "make", runs, "--out", page)[2]
    with toy.alone(monkeypatch, tmp_path / "cache2", replace(toy.BENCHMARK, cache_key=drawn_toy.BENCHMARK.cache_key)):
        drawn = drawn_toy.run(tmp_path / "words", "m", {toy.SAMPLES[0].id: None})
        assert (
            "are not answered by a picture alone" in run("rate", "make", drawn.folder, "--out", tmp_path / "y.html")[2]
        )


def test_ratings_find_their_key(runs: Path, tmp_path: Path) -> None:
    page = tmp_path / "ratings.html"
    run("rate", "make", runs / "a", "--out", page)
    (tmp_path / "far").mkdir()
    marks: dict[str, tuple[object, object]] = dict.fromkeys(key_of(page).values(), (1, 1))
    far = rated(tmp_path / "far/ratings_Ada.csv", "Ada", marks)
    assert "no key lies beside these ratings" in run("rate", "read", far, "--out", tmp_path / "out")[2]
    assert "no key to a rating page" in run("rate", "read", far, "--key", far, "--out", tmp_path / "out")[2]
    absent = tmp_path / "ratings_Bob.csv"
    assert f"{absent}: no such file" in run("rate", "read", far, absent, "--out", tmp_path / "out")[2]
    key, spoilt = tmp_path / "ratings.key.json", tmp_path / "spoilt.key.json"
    spoilt.write_text(re.sub(r'"task": "[^"]+"', '"task": 3', key.read_text()))
    assert "TypeError: task is 3" in run("rate", "read", far, "--key", spoilt, "--out", tmp_path / "out")[2]
    assert run("rate", "read", far, "--key", tmp_path / "ratings.key.json", "--out", tmp_path / "out")[0] == 0


class ScriptedJudge:
    """Gives every picture 2 and 1, but for the last, which it cannot judge."""

    name = "a-judge"

    def ask(self, queries: Iterable[Query]) -> int:
        return len(list(queries))

    def verdict(self, query: Query) -> Verdict:
        if query.pictures[-1].data == bars("black").data:
            raise JudgeError("not now")
        return Verdict({"appearance": 2, "instruction": 1})


def test_a_judge_is_one_more_rater_and_never_a_person(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge, page = ScriptedJudge(), tmp_path / "ratings.html"
    monkeypatch.setattr(Judges, "of", lambda self, benchmark: judge)
    code, said, error = run("rate", "make", runs, "--out", page, "--judge", "a-judge")
    assert code == 0, error
    assert "the judge has rated 4 of 5 pictures" in said
    marks: dict[str, tuple[object, object]] = dict.fromkeys(key_of(page).values(), (3, 3))
    ada = rated(tmp_path / "ratings_Ada.csv", "Ada", marks)
    _, said, _ = run("rate", "read", ada, tmp_path / "ratings.judge.csv", "--out", tmp_path / "out")
    people, judged = said.split("judge: a-judge: mean rating")[:2]
    assert "Turn*\t3.00\t3.00" in people, "the judge does not count among people"
    assert "Turn*\t2.00\t1.00" in judged
    assert "Ada, judge: a-judge\tApp\t4" in said
    assert "judge: a-judge: automatic, not the paper's human protocol" in said


def test_a_judge_sees_the_questions_pictures_wherever_it_is_asked(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And sees the same, so that no verdict is paid for twice."""
    asked: dict[str, set[str]] = {}

    class Watching(ScriptedJudge):
        def verdict(self, query: Query) -> Verdict:
            assert len(query.pictures) == 3, "the question's, the true one, and the model's"
            asked.setdefault(command, set()).add(query.digest)
            return super().verdict(query)

    monkeypatch.setattr(Judges, "of", lambda self, benchmark: Watching())
    command = "make"
    run("rate", "make", runs, "--out", tmp_path / "ratings.html", "--judge", "a-judge")
    command = "score"
    for folder in sorted(runs.iterdir()):
        attempts = scoring.attempts_of(read_log(folder), drawn_toy.BENCHMARK, drawn_toy.VARIANT)
        score_all(drawn_toy.BENCHMARK, drawn_toy.VARIANT, attempts, Watching())
    assert len(asked["make"]) == 5
    assert asked["make"] == asked["score"]


@needs_chromium
@pytest.mark.slow
def test_three_pictures_are_rated_by_keyboard_saved_and_read(runs: Path, tmp_path: Path) -> None:
    page = tmp_path / "ratings.html"
    run("rate", "make", runs / "a", "--out", page)
    shown = "document.querySelector('article.shown')?.dataset.id"
    ranks = "items.map(item => item.dataset.id).join()"
    with browser(tmp_path / "profile") as tab:
        tab.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
        tab.open(page)
        tab.press("3")
        assert tab.ask("document.querySelectorAll('input:checked').length") == 0, "a name comes first"
        assert tab.ask("getComputedStyle(document.querySelector('article.shown')).display") == "none"
        orders = set()
        for name in ("Ada", "Bob", "Eve", "Ada"):
            tab.ask(f"annotator.value = '{name}'; annotator.dispatchEvent(new Event('change'))")
            orders.add((name, tab.ask(ranks)))
        assert len({name for name, _ in orders}) == len(orders), "the same rater has the same order"
        assert len({order for _, order in orders}) > 1, "others have others"
        first, second, third = tab.ask(ranks).split(",")
        assert tab.ask("getComputedStyle(document.querySelector('.more')).display") == "none"
        for key, where in (("3", first), ("2", second), ("0", second), ("z", second), ("1", second)):
            tab.press(key)
            tab.wait(f"{shown} === '{where}'")
        tab.press("t")
        tab.wait("document.body.classList.contains('switched')")
        tab.press("3")
        tab.wait(f"{shown} === '{third}'")
        tab.press("t")
        tab.press("0")
        tab.press("0")
        tab.press("Backspace")
        tab.press("1")
        tab.open(page)
        tab.wait("document.readyState === 'complete' && annotator.value === 'Ada'")
        assert tab.ask("document.querySelectorAll('input:checked').length") == 6, "kept by the browser"
        for name, marks in (("Bob", 0), ("Ada", 6)):
            tab.ask(f"annotator.value = '{name}'; annotator.dispatchEvent(new Event('change'))")
            assert tab.ask("document.querySelectorAll('input:checked').length") == marks, "each has their own"
            assert tab.ask("seen().length") == marks / 3
        tab.press("s")
        saved = tmp_path / "ratings_Ada.csv"
        tab.wait("true" if saved.exists() else "new Promise(done => setTimeout(() => done(true), 300))")
        assert tab.complaints == []
    with saved.open() as file:
        rows = {row["id"]: tuple(row.values())[1:] for row in csv.DictReader(file)}
    assert rows == {
        first: ("Ada", "3", "2", ""),
        second: ("Ada", "1", "3", "yes"),
        third: ("Ada", "0", "1", "yes"),
    }
    code, said, error = run("rate", "read", saved, "--out", tmp_path / "out")
    assert code == 0, error
    assert "2 of 3 ratings by people were given with the true picture in sight" in said

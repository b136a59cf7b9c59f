"""`cogsight score --ratings`: what people gave becomes the run's score, and a rating of anything else is told."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import drawn_toy
import pytest
import toy
from drawn_toy import bars
from typer.testing import CliRunner

from cogsight.shared import table
from cogsight.shared.cli import app
from cogsight.shared.frameworks.judges import Judges
from cogsight.shared.frameworks.vlmevalkit.evaluate import metrics
from cogsight.shared.rating.filed import NAME, read_filed
from cogsight.shared.rating.marks import SCALES, with_marks
from cogsight.shared.results import Asked, open_run
from cogsight.shared.sample import PEOPLE, Picture, Reply, Score
from cogsight.shared.summary import Summary

TURN_0, TURN_1, VIEW_0, VIEW_1 = drawn_toy.ids()
JUNK = Picture(b"\x89PNG\r\n\x1a\nnothing")

Marks = Mapping[tuple[str, str], tuple[object, object]]
"""(Model's first word, sample) → App and IF."""


@pytest.fixture(autouse=True)
def drawn_toy_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.delenv("COGSIGHT_JUDGE_MODEL", raising=False)
    with toy.alone(monkeypatch, tmp_path / "cache", drawn_toy.BENCHMARK):
        yield


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """alpha made four pictures; of beta's replies one has a picture, one has none, one a broken one, and one request was lost."""
    drawn_toy.run(
        tmp_path / "runs/a",
        "alpha model",
        {TURN_0: bars("blue", "red"), TURN_1: bars("green"), VIEW_0: bars("red"), VIEW_1: bars("red", "blue")},
    )
    drawn_toy.run(tmp_path / "runs/b", "beta model", {TURN_0: bars("red"), TURN_1: None, VIEW_0: JUNK}, [VIEW_1])
    return tmp_path / "runs"


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    return result.exit_code, result.stdout, result.stderr


def filed(folder: Path, paths: list[Path], **marks: Marks) -> Path:
    """What `rate read` files of these runs: rater → marks."""
    page = folder / "ratings.html"
    code, _, error = run("rate", "make", *paths, "--out", page)
    assert code == 0, error
    items = json.loads(page.with_suffix(".key.json").read_text())["items"]
    ids = {(entry["model"].split()[0], entry["sample"]): name for name, entry in items.items()}
    files = []
    for rater, given in marks.items():
        lines = [f"{ids[about]},{rater},{app_},{follows}," for about, (app_, follows) in given.items()]
        files.append(folder / f"ratings_{rater}.csv")
        files[-1].write_text("\n".join(["id,annotator,App,IF,true picture", *lines, ""]))
    _, said, error = run("rate", "read", *files, "--out", folder / "rated")
    assert f"--ratings {folder / 'rated'}" in said, error
    return folder / "rated"


def points(folder: Path) -> dict[str, float | None]:
    return {score.sample_id: score.points for score in open_run(folder).scores()}


ALPHA: Marks = {
    ("alpha", TURN_0): (3, 3),
    ("alpha", TURN_1): (2, 1),
    ("alpha", VIEW_0): (1, 0),
    ("alpha", VIEW_1): (3, 0),
}
BOB: Marks = {("alpha", TURN_0): (3, 0), ("alpha", TURN_1): (1, 1)}


def test_marks_of_people_are_the_score(runs: Path, tmp_path: Path) -> None:
    before, said, _ = run("score", runs / "a", "--out", tmp_path / "before")
    assert before == 1 and "not rated: 4 pictures" in said and "Marks, 0 to 3" not in said
    rated = filed(tmp_path, [runs / "a"], Ada=ALPHA, Bob=BOB)
    code, said, error = run("score", runs / "a", "--out", tmp_path / "out", "--ratings", rated)
    assert (code, error) == (0, "")
    # App: Turn* (3 + 1.5) / 2, View* (1 + 3) / 2; IF: Turn* (1.5 + 1) / 2, View* 0; overall their means, as in Table 3
    table = [line.split() for line in said.splitlines()]
    assert ["Turn*", "2", "2.25"] in [row[:3] for row in table] and ["View*", "2", "2.00"] in [row[:3] for row in table]
    (whole,) = [row for row in table if row[:2] == ["Overall", "4"] and "." in row[2] and len(row) == 6]
    assert (whole[2], whole[4]) == ("2.12", "0.62")
    assert "rated by 2 people" in said.splitlines()[0]
    assert "No picture" not in said and "Not rated" not in said, "columns of what did not happen"
    folder = tmp_path / "out/alpha_model_toy_procedural"
    assert points(folder) == pytest.approx({TURN_0: 4.5 / 6, TURN_1: 2.5 / 6, VIEW_0: 1 / 6, VIEW_1: 3 / 6})
    assert {score.judged_by for score in open_run(folder).scores()} == {PEOPLE}
    assert "were decided by the judge" not in said
    assert open_run(folder).info.judge["raters"] == "2 people"


def test_the_means_are_those_of_rate_read(runs: Path, tmp_path: Path) -> None:
    marks = {**ALPHA, ("beta", TURN_0): (2, 1)}
    rated = filed(tmp_path, [runs], Ada=marks, Bob=BOB)
    with (rated / "means.tsv").open() as file:
        means = {
            (row["model"], row["scale"], row["task"]): tuple(float(row[name]) for name in ("mean", "low", "high"))
            for row in csv.DictReader(file, delimiter="\t")
        }
    run("score", runs / "a", runs / "b", "--out", tmp_path / "out", "--ratings", rated)
    for model in ("alpha", "beta"):
        folder = tmp_path / f"out/{model}_model_toy_procedural"
        summary = drawn_toy.add_up(open_run(folder).scores(), drawn_toy.VARIANT)
        for name, scale in SCALES.items():
            for row in (*summary.tasks.values(), summary.overall):
                mark = row.marks[name]
                found = tuple(3 * share for share in (mark.mean, mark.interval.low, mark.interval.high))
                assert found == pytest.approx(
                    means[f"{model} model", scale, row.title.replace("overall", "Overall")], abs=1e-3
                )
        assert Summary.from_dict(json.loads(json.dumps(summary.to_dict()))) == summary


def test_what_is_not_there_is_told_by_its_kind(runs: Path, tmp_path: Path) -> None:
    rated = filed(
        tmp_path, [runs], Ada={("alpha", TURN_0): (3, 3), ("alpha", VIEW_1): (2, ""), ("beta", TURN_0): (3, 3)}
    )
    code, said, _ = run("score", runs / "a", runs / "b", "--out", tmp_path / "out", "--ratings", rated)
    assert code == 1
    alpha, beta = said.split("Toy (toy_procedural, rated by 1 person)")[1:]
    assert "not rated: 3 pictures" in alpha, "one that has App alone is not rated"
    heads = "Marks, 0 to 3  n   App  95 % interval    IF  95 % interval  "
    lines = {line.split()[0]: line.split() for line in alpha[alpha.index("Marks, 0 to 3") :].splitlines() if line}
    assert lines["View*"] == ["View*", "-", "-", "-", "-", "-", "2"]
    assert lines["Overall"] == ["Overall", "-", "-", "-", "-", "-", "3"], "no mean of other tasks than were asked"
    assert f"{heads}No picture  Unreadable  Lost" in beta
    table = beta[beta.index("Marks, 0 to 3") :].splitlines()
    (turned, viewed) = (next(line for line in table if line.startswith(name)).split() for name in ("Turn*", "View*"))
    assert turned[:3] == ["Turn*", "2", "1.50"] and turned[-1] == "1"
    assert viewed[:3] == ["View*", "1", "0.00"] and viewed[-2:] == ["1", "1"], "unreadable, lost"
    assert "1 lost, by no fault of the model" in beta
    assert points(tmp_path / "out/beta_model_toy_procedural") == {TURN_0: 1.0, TURN_1: 0.0, VIEW_0: 0.0, VIEW_1: None}


def test_a_judge_does_not_enter_the_means_and_is_not_asked(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rated = filed(tmp_path, [runs / "a"], Ada=ALPHA)
    text = (rated / NAME).read_text()
    (rated / NAME).write_text(text + text.splitlines()[1].replace("\tAda\t3\t3", "\tjudge: j\t0\t0") + "\n")
    monkeypatch.setattr(Judges, "of", lambda self, benchmark: pytest.fail("a judge is asked"))
    code, said, error = run("score", runs / "a", "--out", tmp_path / "out", "--ratings", rated)
    assert (code, error) == (0, "") and "rated by 1 person)" in said
    scores = open_run(tmp_path / "out/alpha_model_toy_procedural").scores()
    assert {score.sample_id: score.points for score in scores}[TURN_0] == 1
    found = metrics(drawn_toy.add_up(scores, drawn_toy.VARIANT))
    assert (found["App of 3"], found["IF of 3"]) == (2.25, 1.0), "what VLMEvalKit's models may come to, with a judge"


def test_ratings_of_another_run_are_told(runs: Path, tmp_path: Path) -> None:
    rated = filed(tmp_path, [runs], Ada={**ALPHA, ("beta", TURN_0): (2, 1)})
    code, _, error = run("score", runs / "a", "--out", tmp_path / "out", "--ratings", rated)
    assert code == 1 and not (tmp_path / "out").exists()
    for part in (
        f"{rated / NAME}, line 6",
        "beta model on toy_procedural",
        "alpha model on toy_procedural",
        "name its log",
    ):
        assert part in error


def test_a_rating_of_another_question_or_picture_is_told(runs: Path, tmp_path: Path) -> None:
    rated = filed(tmp_path, [runs / "a"], Ada=ALPHA)
    other = drawn_toy.run(tmp_path / "other", "alpha model", {TURN_0: bars("blue", "red"), TURN_1: bars("black")})
    code, _, error = run("score", other.folder, "--out", tmp_path / "out", "--ratings", rated)
    assert code == 1
    assert f"to {TURN_1} {other.folder} holds another picture than was rated" in error
    other.append(Asked(TURN_1), Reply("none"))
    assert "holds no picture" in run("score", other.folder, "--out", tmp_path / "out", "--ratings", rated)[2]
    other.append(Asked(TURN_1), Reply("", images=(bars("green"),)))
    _, _, error = run("score", other.folder, "--out", tmp_path / "out", "--ratings", rated)
    assert f"attempt 0 at {VIEW_0} is rated, and {other.folder} has no reply to it" in error
    assert not (tmp_path / "out").exists()


def test_what_is_no_ratings_file_is_told(runs: Path, tmp_path: Path) -> None:
    rated = filed(tmp_path, [runs / "a"], Ada=ALPHA)
    text = (rated / NAME).read_text()
    for wrong, told in (
        (text.replace("\tAda\t3\t3", "\tAda\t4\t3"), "line 2: App '4': expected one of 0, 1, 2, 3"),
        (text + text.splitlines()[1] + "\n", f"line 6: Ada has rated {TURN_0} by alpha model already"),
        (text.replace("\tAda\t", "\tjudge: j\t"), "no ratings by people in it"),
        (text.replace("picture\t", "photo\t", 1), "no column picture"),
        (text.replace("\tAda\t", "\tada\t", 1), "raters 'ada' and 'Ada': one person or two?"),
        (text + text.splitlines()[1].replace("\tAda\t", "\t Ada\t") + "\n", f"line 6: Ada has rated {TURN_0}"),
        (
            text.replace("\tAda\t", "\tjudge:j\t"),
            "line 2: rater 'judge:j': names that begin with 'judge:' are for judges",
        ),
    ):
        (rated / NAME).write_text(wrong)
        code, _, error = run("score", runs / "a", "--out", tmp_path / "out", "--ratings", rated / NAME)
        assert code == 1 and told in error, error
    absent = tmp_path / "nowhere"
    assert f"{absent}: no ratings there" in run("score", runs / "a", "--out", "x", "--ratings", absent)[2]
    assert "leave one of the two out" in run("score", runs / "a", "--out", "x", "--ratings", rated, "--dry-run")[2]


def test_a_run_is_scored_where_it_lies(runs: Path, tmp_path: Path) -> None:
    """And back: without the ratings its pictures are not rated again."""
    rated = filed(tmp_path, [runs / "a"], Ada=ALPHA)
    run("score", runs / "a", "--out", tmp_path / "out")
    own = tmp_path / "out/alpha_model_toy_procedural"
    for options, cause in ((("--ratings", rated), True), ((), False)):
        code, said, error = run("score", own, "--out", tmp_path / "out", *options)
        assert error == "" and "4 because of people's ratings" in said
        assert code == int(not cause) and all((value is not None) == cause for value in points(own).values())
    assert len(read_filed([rated]).given) == 4
    replies = open_run(own).replies()
    assert replies[Asked(TURN_1)].images[0].data == bars("green").data


def test_a_half_is_rounded_as_rate_read_does() -> None:
    """0.875 is no sum of thirds in floating point."""
    score = with_marks(Score("a", 0, None, "not_rated"), dict.fromkeys(SCALES, 0.875))
    assert table._of_top(score.parts["appearance"]) == f"{0.875:.2f}" == "0.88"

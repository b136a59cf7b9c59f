"""The official reader: tables as published come through unchanged, are joined by what they ask, and every fault is named by its row."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import fake_voila
import pytest

from cogsight.shared.dataset import from_row, to_row
from cogsight.shared.errors import DataError
from cogsight.shared.sample import Sample
from cogsight.voila import official
from cogsight.voila.official import read_release
from cogsight.voila.questions import Question
from cogsight.voila.samples import content_number, scenes_of
from cogsight.voila.taxonomy import SUBSETS
from cogsight.voila.words import describe_target, format_answer, parse_target

REAL = Path(__file__).parents[3] / "shared" / "data" / "voila" / "VOILA_ND_sample.csv"
Row = dict[str, str]


@pytest.fixture(autouse=True)
def two_per_structure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(official, "PER_STRUCTURE", 2)


def folder_with_files(folder: Path, asked: Sequence[Question]) -> Path:
    fake_voila.write_sheet(folder / "VOILA.csv", fake_voila.rows(asked))
    fake_voila.write_pictures(folder / "Test_Images", [scene for question in asked for scene in question.scenes])
    return folder


def folder_with_parquet(folder: Path, asked: Sequence[Question]) -> Path:
    middle = len(asked) // 2
    fake_voila.write_parquet(folder / "data" / "train-00000-of-00002.parquet", asked[:middle])
    fake_voila.write_parquet(folder / "data" / "train-00001-of-00002.parquet", asked[middle:])
    return folder


def complaint(path: Path, **options: object) -> str:
    with pytest.raises(DataError) as caught:
        list(read_release(path, **options))  # type: ignore[arg-type]
    return str(caught.value)


@pytest.mark.parametrize("make", [folder_with_files, folder_with_parquet])
@pytest.mark.parametrize("subset", ["wd", "nd"])
def test_rows_come_through(make: Callable[[Path, Sequence[Question]], Path], subset: str, tmp_path: Path) -> None:
    """A release of WD; ND is its questions without distraction."""
    asked = fake_voila.some(38)
    found = list(read_release(make(tmp_path, asked), subset=subset))
    expected = [question for question in asked if question.structure in SUBSETS[subset]]
    assert len(found) == 2 * len(SUBSETS[subset])
    for sample, question in zip(found, expected, strict=True):
        assert scenes_of(sample) == question.scenes
        assert sample.id == f"voila/official/{question.structure.name}/all/{content_number(question.scenes)}"
        assert [picture.data for picture in sample.images] == [fake_voila.png(scene) for scene in question.scenes]
        assert from_row(to_row(sample)) == sample


def test_both_tables_give_the_same_samples(tmp_path: Path) -> None:
    asked = fake_voila.some(38)
    files = list(read_release(folder_with_files(tmp_path / "files", asked)))
    hub = list(read_release(folder_with_parquet(tmp_path / "hub", asked)))
    for one, other in zip(files, hub, strict=True):
        assert (one.id, one.images, one.answer) == (other.id, other.images, other.answer)


def test_tables_are_joined_by_what_they_ask(tmp_path: Path) -> None:
    """The CSV file has other rows, in another order: each goes to its own question."""
    asked = fake_voila.some(38)
    folder_with_parquet(tmp_path, asked)
    table = [row for row in fake_voila.rows(asked) if row["rule"] in ("1", "19", "2")]
    fake_voila.write_sheet(tmp_path / "some.csv", reversed(table))
    found = {sample.id: json.loads(sample.metadata) for sample in read_release(tmp_path)}
    noted = {facts["img1"]: facts["collage"] for facts in found.values() if "img1" in facts}
    assert noted == {row["img1"]: row["question"] for row in table}
    assert all(
        facts["img1"].startswith(facts["descriptions"][0].split()[0]) for facts in found.values() if "img1" in facts
    )


def test_the_file_of_nd_beside_that_of_wd(tmp_path: Path) -> None:
    """As in the authors' repository: its questions are the same ones."""
    asked = fake_voila.some(38)
    fake_voila.write_sheet(tmp_path / "VOILA_WD.csv", fake_voila.rows(asked))
    plain = [question for question in asked if not question.structure.distracts]
    fake_voila.write_sheet(tmp_path / "VOILA_ND.csv", reversed(fake_voila.rows(plain)))
    for subset, count in (("wd", 38), ("nd", 14)):
        assert len({sample.id for sample in read_release(tmp_path, subset=subset, with_pictures=False)}) == count


def test_a_question_that_only_the_csv_file_has(tmp_path: Path) -> None:
    asked = fake_voila.some(57)
    folder_with_parquet(tmp_path, asked[:-1])
    fake_voila.write_sheet(tmp_path / "all.csv", fake_voila.rows(asked))
    assert "all.csv row 57: no such question in the parquet files" in complaint(tmp_path)


def test_descriptions_alone(tmp_path: Path) -> None:
    fake_voila.write_sheet(tmp_path / "VOILA.csv", fake_voila.rows(fake_voila.some(38)))
    found = list(read_release(tmp_path / "VOILA.csv", with_pictures=False))
    assert {sample.images for sample in found} == {()}
    assert "no picture of a scene" in complaint(tmp_path / "VOILA.csv")


def test_headers_of_the_public_script(tmp_path: Path) -> None:
    names = {"desc_im4": "desc_img4", "combined_description": "combined_descriptions", "Real_relations": "relations"}
    table = [
        {names.get(name, name): text for name, text in row.items()} for row in fake_voila.rows(fake_voila.some(38))
    ]
    for row in table:  # as it writes them
        row["combined_descriptions"] = row["combined_descriptions"].replace("Image 1: ", "Image 1:")
    fake_voila.write_sheet(tmp_path / "VOILA.csv", table, list(table[0]))
    assert len(list(read_release(tmp_path, with_pictures=False))) == 38


# --- faults of a row


def broken(change: Callable[[Row], Row], tmp_path: Path, rule: str = "1") -> Path:
    table = fake_voila.rows(fake_voila.some(38))
    place = next(n for n, row in enumerate(table) if row["rule"] == rule)
    table[place] |= change(table[place])
    return fake_voila.write_sheet(tmp_path / "VOILA.csv", table)


CONTRADICTIONS: dict[str, tuple[Callable[[Row], Row], str]] = {
    "answer": (lambda row: {"desc_im4": "four cats reading"}, "target 'four cats reading' says"),
    "no answer": (lambda row: {"desc_im4": ""}, "target: ''"),
    "relations": (lambda row: {"Real_relations": row["Real_relations"].replace("Number", "Count")}, "relations: 'Count"),
    "value": (
        lambda row: {"Real_relations": "Number remains constant one. Action is changed from reading to typing. Subject type remains constant cow."},
        "relations: 'Number",
    ),
    "rule": (lambda row: {"rule": "2"}, "rule '2' says 2, the images give 1"),
    "description": (lambda row: {"desc_img2": "two cows"}, "desc_img2: 'two cows'"),
    "file": (lambda row: {"img3": row["img1"]}, "img3 '"),
}  # fmt: skip


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_contradictions_are_named_by_row(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change, said = CONTRADICTIONS[name]
    path = broken(change, tmp_path)
    told = complaint(path, with_pictures=False)
    assert f"VOILA.csv row 1: {said}" in told
    assert "COGSIGHT_ALLOW_CHANGED" in told
    assert len(list(read_release(path, with_pictures=False, allow_changed=True))) == 38
    assert said in capsys.readouterr().err


UNUSABLE: dict[str, tuple[Callable[[Row], Row], str]] = {
    "no scenes": (lambda row: {"combined_description": "three cats"}, "'three cats': expected such as 'Image 1:"),
    "no rule": (
        lambda row: {
            "combined_description": "Image 1: one cat reading. Image 2: one cat reading. Image 3: one cat reading"
        },
        "follows no rule of VOILA",
    ),
    "twice": (
        lambda row: {"combined_description": fake_voila.rows(fake_voila.some(38))[1]["combined_description"]},
        "row 2: the same question as",
    ),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_rows_that_cannot_be_asked_always_stop(name: str, tmp_path: Path) -> None:
    change, said = UNUSABLE[name]
    told = complaint(broken(change, tmp_path), with_pictures=False, allow_changed=True)
    assert "VOILA.csv row " in told
    assert said in told
    assert "load the release again" in told


def test_faults_of_a_table(tmp_path: Path) -> None:
    path = fake_voila.write_sheet(tmp_path / "VOILA.csv", fake_voila.rows(fake_voila.some(38)))
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:5], ",".join(lines[5].split(",")[:3]), *lines[6:]]))
    assert "VOILA.csv: row 5: 3 cells instead of 12" in complaint(path, with_pictures=False)
    path.write_bytes("\n".join(lines).encode() + b"\xff")
    assert "VOILA.csv: after row" in complaint(path, with_pictures=False)
    fake_voila.write_sheet(path, fake_voila.rows(fake_voila.some(38)), ["img1", "rule", "desc_im4"])
    assert "column combined_description, Real_relations is missing" in complaint(path, with_pictures=False)
    assert "no VOILA release" in complaint(tmp_path / "nothing")


def test_pictures_that_are_not_there(tmp_path: Path) -> None:
    asked = fake_voila.some(38)
    folder_with_files(tmp_path, asked)
    gone, damaged = (tmp_path / "Test_Images" / fake_voila.rows(asked)[n]["img2"] for n in (0, 37))
    gone.unlink()
    damaged.write_bytes(damaged.read_bytes()[:-30])
    told = complaint(tmp_path, allow_changed=True)
    assert f"VOILA.csv row 1: 2 pictures, expected 3; no {gone.name}" in told
    assert "VOILA.csv row 38: picture 2 cannot be decoded" in told


def test_a_csv_file_that_contradicts_the_parquet_file_is_told_of(tmp_path: Path) -> None:
    """Though the parquet file's own texts are taken, and right."""
    asked = fake_voila.some(38)
    table = fake_voila.rows(asked)
    table[4]["desc_im4"] = "two cats reading"
    fake_voila.write_parquet(tmp_path / "train.parquet", asked)
    fake_voila.write_sheet(tmp_path / "VOILA.csv", table)
    assert "VOILA.csv row 5: target 'two cats reading' says" in complaint(tmp_path)


def test_faults_of_a_parquet_file(tmp_path: Path) -> None:
    asked = fake_voila.some(38)
    path = fake_voila.write_parquet(tmp_path / "train.parquet", asked)
    path.write_bytes(path.read_bytes()[:-100])
    assert "train.parquet, after row 0" in complaint(tmp_path)
    fake_voila.write_parquet(path, asked, c=["?"] * 38)
    assert "train.parquet: no column with relations" in complaint(tmp_path)
    nothing = [{"bytes": None, "path": "x.png"}] * 38
    fake_voila.write_parquet(path, asked, image2=nothing)
    assert "train.parquet row 1: picture 2 cannot be decoded" in complaint(tmp_path)


def test_counts(tmp_path: Path) -> None:
    told = complaint(folder_with_parquet(tmp_path, fake_voila.some(37)))
    assert "questions per structure, 2 each expected: structure_19 1" in told


# --- the real rows


@pytest.mark.skipif(not REAL.exists(), reason=f"the real rows are not here: {REAL}")
def test_the_real_rows(capsys: pytest.CaptureFixture[str]) -> None:
    """All read without a contradiction but their number: the file holds 2,582 of 3,689."""
    found: list[Sample] = list(read_release(REAL, subset="nd", with_pictures=False, allow_changed=True))
    assert len(found) == len({sample.id for sample in found}) == 2_582
    assert Counter(sample.task for sample in found).most_common(1) == [("structure_19", 381)]
    told = capsys.readouterr().err
    assert "(1 problems)" in told
    assert "structure_01 369" in told
    first = found[0]
    facts = json.loads(first.metadata)
    assert facts["img1"] == "four_bears_eating food_14111.png"
    assert facts["collage"] == "image_questions_2.png"
    assert first.answer == "number = 2, subject = hamster, action = driving a car"
    assert all(format_answer(parse_target(json.loads(s.metadata)["target"])) == s.answer for s in found)
    assert facts["target"] == describe_target(parse_target("two hamsters driving a car"))

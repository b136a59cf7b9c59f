"""The official reader: a whole file comes through unchanged, and every fault of a file is named by its row."""

from __future__ import annotations

import ast
import base64
import csv
import json
import re
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import fake_lego
import pytest

from cogsight.lego_puzzles import official
from cogsight.lego_puzzles.official import LOST_LABELS, RELEASE, read_release, record_to_sample
from cogsight.lego_puzzles.taxonomy import SAMPLES_PER_TASK, TASKS
from cogsight.shared.dataset import from_row, read, to_row, write
from cogsight.shared.errors import DataError
from cogsight.shared.files import digest
from cogsight.shared.release_rows import SHOWN
from cogsight.shared.sample import Picture, Sample

REAL = Path(__file__).parents[3] / "shared" / "data" / "lego_puzzles" / "LEGO.tsv"
Row = dict[str, str]


def allowed(path: Path) -> list[Sample]:
    """The samples, with hash and counts let through."""
    return list(read_release(path, allow_changed=True))


def complaint(path: Path) -> str:
    with pytest.raises(DataError) as caught:
        allowed(path)
    return str(caught.value)


@pytest.fixture
def pinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[list[Row]], Path]:
    """Writes rows to a file which then counts as the pinned release."""

    def pin(rows: list[Row]) -> Path:
        path = fake_lego.write(tmp_path / "LEGO.tsv", rows)
        monkeypatch.setattr(official, "RELEASE", replace(RELEASE, md5=digest(path, "md5")))
        return path

    return pin


# --- what is right comes through unchanged


def test_rows_come_through_unchanged(tmp_path: Path) -> None:
    rows = fake_lego.rows(2)
    samples = allowed(fake_lego.write(tmp_path / "LEGO.tsv", rows))
    assert [sample.task for sample in samples] == [task for task in TASKS for _ in range(2)]
    for row, sample in zip(rows, samples, strict=True):
        task = TASKS[row["category"]]
        assert sample.id == f"lego_puzzles/official/{task.name}/all/{row['index']}"
        assert (sample.category, sample.answer_type, sample.level) == (task.category, task.answer_type, "all")
        assert (sample.question, sample.answer) == (row["question"], row["answer"])
        assert list(sample.choices.items()) == [(letter, row[letter]) for letter in "ABCDE"[: task.options]]
        assert [p.data for p in sample.images] == [base64.b64decode(text) for text in ast.literal_eval(row["image"])]
        noted = json.loads(sample.metadata)
        assert noted["image_path"] == ast.literal_eval(row["image_path"])
        assert (noted["index"], noted["category"]) == (int(row["index"]), task.name)
        assert noted["release_md5"] == digest(tmp_path / "LEGO.tsv", "md5")


def test_official_to_parquet_and_back_is_the_identity(tmp_path: Path) -> None:
    samples = allowed(fake_lego.release(tmp_path, 2))
    assert [from_row(to_row(sample)) for sample in samples] == samples
    back = list(read(write(samples, tmp_path / "dataset")))
    assert back == samples
    assert [list(sample.choices) for sample in back] == [list(sample.choices) for sample in samples]


def test_a_whole_release_has_nothing_to_complain_about(pinned: Callable[[list[Row]], Path]) -> None:
    path = pinned(fake_lego.rows(SAMPLES_PER_TASK))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(list(read_release(path))) == len(TASKS) * SAMPLES_PER_TASK


def test_option_texts_that_look_like_missing_values_survive(tmp_path: Path) -> None:
    height, adjacency, *_ = allowed(fake_lego.release(tmp_path))
    assert height.choices["C"] == "None"
    assert adjacency.choices == {"A": "Adjacent", "B": "NA"}


@pytest.mark.parametrize("spelling", ["<image1>", "<Image 1>", "< image_01 >"])
def test_spellings_of_a_placeholder(spelling: str) -> None:
    row = fake_lego.rows(tasks=["height"])[0] | {"question": f"In {spelling}, which is higher?"}
    assert record_to_sample(row).question == row["question"]


def test_pictures_that_no_placeholder_names_are_kept(tmp_path: Path) -> None:
    row = fake_lego.rows(tasks=["height"])[0] | {"question": "Which is higher?"}
    assert len(record_to_sample(row).images) == 1


@pytest.mark.skipif(not REAL.exists(), reason=f"the real rows are not here: {REAL}")
def test_the_real_rows() -> None:
    height, ordering, position = allowed(REAL)
    assert (height.answer, ordering.answer, position.answer) == ("B", "CBAD", "C")
    assert [len(sample.images) for sample in (height, ordering, position)] == [1, 6, 7]
    assert height.choices["C"] == "They are the same height"
    assert ordering.answer_type == "sequence"
    cells = [line.split("\t") for line in REAL.read_text(encoding="utf-8").splitlines()]
    rows = [dict(zip(cells[0], line, strict=True)) for line in cells[1:]]
    assert [sample.question for sample in (height, ordering, position)] == [row["question"] for row in rows]
    assert base64.b64encode(position.images[6].data).decode() == ast.literal_eval(rows[2]["image"])[6]


# --- labels


@pytest.mark.parametrize(
    ("label", "task"),
    [
        ("Next-Step", "next_step"),
        ("next step", "next_step"),
        ("Rotation Status", "rotation_status"),
        ("Multi_view", "multiview"),
        ("1_Adjacency", "adjacency"),
        ("2_Dependency", "dependency"),
        ("3_Error", "outlier"),
        ("4_Height", "height"),
        ("5_Multi_view", "multiview"),
        ("6_Next_step", "next_step"),
        ("7_Ordering", "ordering"),
        ("8_Position", "position"),
        ("9_reverse", "backwards"),
    ],
)
def test_old_and_new_labels(label: str, task: str) -> None:
    sample = record_to_sample(fake_lego.rows(tasks=[task])[0] | {"category": label})
    assert sample.task == task
    assert json.loads(sample.metadata)["category"] == label


@pytest.mark.parametrize("label", LOST_LABELS)
def test_labels_whose_task_was_never_published(label: str) -> None:
    with pytest.raises(DataError, match=f"{label}.*Rotation or Rotation Status.*2025-06-12"):
        record_to_sample(fake_lego.rows(tasks=["rotation"])[0] | {"category": label})


# --- faults of a row: (task, what to change, what must be said)

FAULTS: dict[str, tuple[str, Callable[[Row], Row], str]] = {
    "label": ("height", lambda row: {"category": "heigth"}, "unknown label 'heigth'; known are height,"),
    "no question": ("height", lambda row: {"question": " "}, "question is empty"),
    "index": ("height", lambda row: {"index": "1/2"}, "index '1/2' is no whole number"),
    "cut list": ("position", lambda row: {"image": row["image"][:-3]}, "image: broken list"),
    "no list": ("position", lambda row: {"image": "{1: 2}"}, "image: not a list of strings"),
    "code": ("position", lambda row: {"image": "[print('never run')]"}, "image: broken list"),
    "nested": ("position", lambda row: {"image": "[" * 5000}, "image: broken list"),
    "half a character": (
        "position",
        lambda row: {"image_path": r"['\ud800.png']"},
        "image_path: not a list of strings",
    ),
    "paths": ("position", lambda row: {"image_path": "['a.png"}, "image_path: broken list"),
    "base64": ("height", lambda row: {"image": row["image"].replace("/9j/", "*/9j/", 1)}, "image: broken base64"),
    "padding": ("height", lambda row: {"image": row["image"].replace("['/9", "['9")}, "image: broken base64"),
    "picture": (
        "height",
        lambda row: {"image": fake_lego.image_cell([b"GIF89a?"])},
        "picture 1 of 1 cannot be decoded",
    ),
    "cut picture": ("height", lambda row: {"image": fake_lego.image_cell([fake_lego.jpeg(1)[:-90]])}, "picture 1 of 1"),
    "no picture": ("height", lambda row: {"image": "[]", "question": "?"}, "image has no picture"),
    "key": ("height", lambda row: {"answer": "D"}, "key 'D'"),
    "no key": ("height", lambda row: {"answer": ""}, "key ''"),
    "short order": ("ordering", lambda row: {"answer": "ABC"}, "key 'ABC'"),
    "double order": ("ordering", lambda row: {"answer": "ABCA"}, "key 'ABCA'"),
    "foreign order": ("ordering", lambda row: {"answer": "ABCE"}, "key 'ABCE'"),
    "kind": ("height", lambda row: {"question_type": "open"}, "unknown question_type 'open'"),
    "kind of another task": ("height", lambda row: {"question_type": "sort"}, "'sort' does not fit the task Height"),
    "placeholder": (
        "height",
        lambda row: {"question": "See <image 2>"},
        "<image 2> without its picture, the row has 1",
    ),
    "in an option": ("height", lambda row: {"B": "<image 7>"}, "<image 7> without its picture"),
    "no blank": ("height", lambda row: {"question": "See <image3>"}, "<image 3> without its picture"),
    "two digits": ("height", lambda row: {"question": "See <image 10>"}, "<image 10> without its picture"),
    "zero": ("height", lambda row: {"question": "See <image 0>"}, "<image 0> without its picture"),
    "huge": ("height", lambda row: {"question": f"See <image 1{'0' * 5000}>"}, "<image 1000"),
    "picture gone": (
        "position",
        lambda row: {"image": fake_lego.image_cell([fake_lego.jpeg(1)] * 6)},
        "<image 7> without",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_unusable_rows_always_stop_and_are_named(fault: str, tmp_path: Path) -> None:
    task, change, said = FAULTS[fault]
    rows = fake_lego.rows()
    number = list(TASKS).index(task)
    rows[number] |= change(rows[number])
    text = complaint(fake_lego.write(tmp_path / "LEGO.tsv", rows))
    (line,) = (line for line in text.splitlines() if line.strip().startswith("row "))
    assert line.strip().startswith(f"row {number + 1} (index {rows[number]['index']}): ")
    assert said in line
    assert "load the current release again" in text
    with pytest.raises(DataError, match=re.escape(said)):
        record_to_sample(rows[number])


def test_a_picture_cut_short_is_found_where_a_framework_made_pillow_lenient(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from PIL import ImageFile

    monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", True)  # as `import lmms_eval` does
    rows = fake_lego.rows(tasks=["height"])
    rows[0]["image"] = fake_lego.image_cell([fake_lego.jpeg(1)[:-4]])
    assert "picture 1 of 1 cannot be decoded" in complaint(fake_lego.write(tmp_path / "LEGO.tsv", rows))
    assert ImageFile.LOAD_TRUNCATED_IMAGES is True


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    rows = fake_lego.rows(3)
    for row in rows[:30]:
        row["answer"] = "Z"
    rows[0] |= {"category": "heigth", "image": "["}
    text = complaint(fake_lego.write(tmp_path / "LEGO.tsv", rows))
    assert "unknown label 'heigth'" in text
    assert sum(line.strip().startswith("row ") for line in text.splitlines()) == SHOWN
    assert "… and 10 more" in text


def test_many_contradictions_do_not_hide_why_a_file_cannot_be_used(tmp_path: Path) -> None:
    rows = [row | {"A": row["A"] + " <image>"} for row in fake_lego.rows(3)]
    rows[-1]["answer"] = "Z"
    text = complaint(fake_lego.write(tmp_path / "LEGO.tsv", rows))
    assert f"row {len(rows)} (index {len(rows)}): key 'Z'" in text


def test_an_index_that_comes_twice(tmp_path: Path) -> None:
    rows = fake_lego.rows()
    rows[4] |= rows[1]
    path = fake_lego.write(tmp_path / "LEGO.tsv", rows)
    assert "row 5 (index 2): row 2 has this index too" in complaint(path)
    with pytest.raises(DataError, match="row 5"):  # not the writer's words on double ids
        write(read_release(path, allow_changed=True), tmp_path / "dataset")
    assert [file.name for file in tmp_path.iterdir()] == ["LEGO.tsv"]


# --- faults of the whole file


@pytest.mark.parametrize("share", [0.2, 0.5, 0.97, 0.9999])
def test_a_truncated_file(share: float, tmp_path: Path) -> None:
    path = fake_lego.release(tmp_path)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    text = complaint(path)
    assert "broken list" in text or "cells instead of 13" in text


def test_a_quotation_mark_that_is_never_closed(tmp_path: Path) -> None:
    path = fake_lego.release(tmp_path)
    path.write_text(path.read_text().replace("\tThe red one\t", '\t"The red one\t', 1))
    assert "a quotation mark is never closed" in complaint(path)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = fake_lego.release(tmp_path)
    path.write_bytes(path.read_bytes().replace(b"The red one", b"The \xff\xfe one", 1))
    assert "damaged" in complaint(path)


@pytest.mark.parametrize("column", official.COLUMNS)
def test_a_missing_column(column: str, tmp_path: Path) -> None:
    columns = [name for name in fake_lego.COLUMNS if name != column]
    text = complaint(fake_lego.write(tmp_path / "LEGO.tsv", fake_lego.rows(), columns))
    assert f"column {column} is missing" in text
    assert f"found {', '.join(columns)}" in text


def test_an_empty_file_and_no_file(tmp_path: Path) -> None:
    (tmp_path / "LEGO.tsv").touch()
    assert "column index is missing" in complaint(tmp_path / "LEGO.tsv")
    assert "no such file" in complaint(tmp_path / "absent.tsv")


def test_csv_limit_is_put_back(tmp_path: Path) -> None:
    before = csv.field_size_limit(1_000)
    allowed(fake_lego.release(tmp_path))
    assert csv.field_size_limit(before) == 1_000


# --- what does not fit the published shape: an error, or with allow_changed one warning

CONTRADICTIONS: dict[str, tuple[str, Row, str]] = {
    "too few options": ("height", {"C": ""}, "2 options, but Height has 3"),
    "a blank option": ("height", {"C": " "}, "2 options, but Height has 3"),
    "too many options": ("adjacency", {"C": "Both"}, "3 options, but Adjacency has 2"),
    "a gap": ("rotation", {"B": "", "E": "45"}, "one between them is empty"),
    "fewer paths": ("height", {"image_path": "[]"}, "image_path names 0 pictures, image has 1"),
    "a typo": ("height", {"question": "See <iamge2>"}, "<iamge2> looks like a placeholder and is none"),
    "a bare token": ("height", {"question": "See <image>"}, "<image> looks like a placeholder and is none"),
}


@pytest.mark.parametrize("case", CONTRADICTIONS)
def test_contradictions_stop_unless_allowed(
    case: str,
    pinned: Callable[[list[Row]], Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    task, change, said = CONTRADICTIONS[case]
    monkeypatch.setattr(official, "SAMPLES_PER_TASK", 2)
    rows = fake_lego.rows(2)
    number = [row["category"] for row in rows].index(task)
    rows[number] |= change
    path = pinned(rows)
    with pytest.raises(DataError) as caught:
        list(read_release(path))
    assert f"row {number + 1} (index {number + 1}): " in str(caught.value)
    assert said in str(caught.value)
    assert "--allow-changed" in str(caught.value)
    assert len(list(read_release(path, allow_changed=True))) == len(rows)
    told = capsys.readouterr().err
    assert told.startswith(f"cogsight: {path} is not the release as published (1 problems):\n")
    assert said in told


def test_a_task_with_another_count(pinned: Callable[[list[Row]], Path]) -> None:
    path = pinned(fake_lego.rows(SAMPLES_PER_TASK)[1:])
    with pytest.raises(DataError, match="questions per task, 100 each expected: height 99\n"):
        list(read_release(path))


def test_an_unknown_column_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [row | {"hint": "Look closely."} for row in fake_lego.rows()]
    path = fake_lego.write(tmp_path / "LEGO.tsv", rows, (*fake_lego.COLUMNS, "hint"))
    list(read_release(path, allow_changed=True))
    assert "unknown column hint" in capsys.readouterr().err


# --- hashes


def test_another_hash_gives_no_sample_and_names_both(tmp_path: Path) -> None:
    path = fake_lego.release(tmp_path)
    given = []
    with pytest.raises(DataError) as caught:
        given.extend(read_release(path))
    assert given == []
    for part in (digest(path, "md5"), RELEASE.md5, "--allow-changed", "COGSIGHT_ALLOW_CHANGED=1"):
        assert part in str(caught.value)


@pytest.mark.parametrize("date", sorted(set(RELEASE.older.values())))
def test_an_older_release_is_named(date: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = fake_lego.release(tmp_path)
    monkeypatch.setattr(official, "RELEASE", replace(RELEASE, older={digest(path, "md5"): date}))
    with pytest.raises(
        DataError, match=rf"is the release of {date} .* not the release of 2025-06-12 .*--allow-changed"
    ):
        list(read_release(path))
    assert len(allowed(path)) == len(TASKS)


def test_a_generic_picture_type() -> None:
    """The release says .png and holds JPEG: what counts are the bytes."""
    assert Picture(fake_lego.jpeg(1)).suffix == ".jpg"

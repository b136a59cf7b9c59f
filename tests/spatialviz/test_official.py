"""The official reader: every row comes through unchanged, and every fault of a release is named by its row."""

from __future__ import annotations

import json
import re
import stat
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZipFile, ZipInfo

import fake_spatialviz as fake
import pytest

from cogsight.shared.dataset import from_row, read, to_row, write
from cogsight.shared.errors import DataError
from cogsight.shared.fetch import NOT_PINNED
from cogsight.shared.fetch_folder import UNPINNED
from cogsight.shared.sample import Sample
from cogsight.spatialviz import official, pictures
from cogsight.spatialviz.official import RELEASE, explanation, read_release
from cogsight.spatialviz.taxonomy import LEVELS, OFFICIAL_CATEGORIES, TASKS

REAL = Path(__file__).parents[3] / "shared" / "data" / "spatialviz"
Row = fake.Row


def allowed(path: Path) -> list[Sample]:
    """The samples, with hash and counts let through."""
    return list(read_release(path, allow_changed=True))


def complaint(path: Path, *, allow_changed: bool = True) -> str:
    with pytest.raises(DataError) as caught:
        list(read_release(path, allow_changed=allow_changed))
    return str(caught.value)


def made(folder: Path, *changes: Row, **pictures: bytes | None) -> Path:
    """A release of one question per change, of paper folding, with those changes; picture n may be another, or None for none."""
    rows = fake.rows(5, ["paper_folding"])[: len(changes) or 1]
    fake.write_table(folder / fake.PARQUET, [row | change for row, change in zip(rows, changes or ({},), strict=True)])
    shown = {fake.name(row): pictures.get(f"picture{n}", fake.picture(n)) for n, row in enumerate(rows)}
    fake.write_zip(folder / "images.zip", {name: data for name, data in shown.items() if data is not None})
    return folder


# --- what is right comes through unchanged


def test_a_whole_release_has_nothing_to_complain_about(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    samples = list(read_release(fake.release(tmp_path, None)))
    counts = Counter((sample.task, sample.level) for sample in samples)
    assert counts == {(task, str(level)): n for task, sizes in LEVELS.items() for level, n in enumerate(sizes)}
    assert len(samples) == 1180
    assert capsys.readouterr().err == ""


def test_rows_come_through_unchanged(tmp_path: Path) -> None:
    rows = fake.rows(2)
    samples = allowed(fake.release(tmp_path, 2))
    for number, (row, sample) in enumerate(zip(rows, samples, strict=True)):
        level = row["Level"].removeprefix("Level")
        assert sample.id == f"spatialviz/official/{sample.task}/{level}/{row['Image_id']}"
        assert (sample.level, sample.answer_type, sample.group) == (level, "option", "")
        assert sample.category == OFFICIAL_CATEGORIES[row["Category"]] == TASKS[sample.task].category
        assert (sample.question, sample.answer) == (row["Question"], row["Answer"])
        assert list(sample.choices.items()) == list(zip("ABCD", row["Choices"], strict=True))
        assert sample.explanation == {letter: text for letter, text in row["Explanation"].items() if text}
        assert [shown.data for shown in sample.images] == [fake.picture(number)]
        noted = json.loads(sample.metadata)
        assert {noted[name] for name in ("category", "task", "level")} == {row["Category"], row["Task"], row["Level"]}
        assert noted["release"] == RELEASE.fingerprint(tmp_path)


def test_official_to_parquet_and_back_is_the_identity(tmp_path: Path) -> None:
    """Bug log U33: from a zip beside a table to a dataset with its pictures in it."""
    samples = allowed(fake.release(tmp_path))
    assert [from_row(to_row(sample)) for sample in samples] == samples
    assert list(read(write(samples, tmp_path / "dataset"))) == samples


@pytest.mark.skipif(not REAL.exists(), reason=f"the real questions are not here: {REAL}")
def test_the_real_questions() -> None:
    samples = {sample.id.removeprefix("spatialviz/official/"): sample for sample in allowed(REAL)}
    assert len(samples) == 18
    assert {sample.task for sample in samples.values()} == set(TASKS)
    counting = samples["cube_counting/1/0"]
    assert (counting.answer, dict(counting.choices)) == ("D", {"A": "8", "B": "11", "C": "10", "D": "9"})
    turned = samples["rotation_2d/1/0"]
    assert (turned.answer, turned.choices["D"]) == ("B", "All three other options are incorrect")
    assert turned.explanation["B"].startswith("Option B is correct because")
    assert "D" not in turned.explanation
    with ZipFile(REAL / "images.zip") as archive:
        assert turned.images[0].data == archive.read("MentalRotation/2DRotation/Level1/0.png")
    text = complaint(REAL, allow_changed=False)
    assert (
        "18 questions, 1,180 expected" in text
        and "rotation_2d/0 0 of 40" in text
        and "COGSIGHT_ALLOW_CHANGED=1" in text
    )


# --- where it may lie


def test_the_ways_to_name_a_copy(tmp_path: Path) -> None:
    folder = fake.release(tmp_path)
    expected = allowed(folder)
    assert allowed(folder / fake.PARQUET) == expected
    with ZipFile(folder / "images.zip") as archive:
        archive.extractall(folder / "unpacked")
    (folder / "images.zip").unlink()
    below = allowed(folder)
    assert [sample.images for sample in below] == [sample.images for sample in expected]
    for path in (folder / "unpacked").iterdir():
        path.rename(folder / path.name)
    assert [sample.images for sample in allowed(folder)] == [sample.images for sample in expected]
    (folder / "data").mkdir()
    (folder / fake.PARQUET).rename(folder / "data" / fake.PARQUET)
    assert [sample.images for sample in allowed(folder)] == [sample.images for sample in expected]
    assert [sample.images for sample in allowed(folder / "data" / fake.PARQUET)] == [s.images for s in expected]


def test_an_archive_may_put_a_folder_in_front(tmp_path: Path) -> None:
    rows = fake.rows(1, ["arrow_moving"])
    fake.write_table(tmp_path / fake.PARQUET, rows)
    fake.write_zip(tmp_path / "images.zip", {f"bench/images/{fake.name(row)}": fake.picture(9) for row in rows})
    assert [sample.images[0].data for sample in allowed(tmp_path)] == [fake.picture(9)] * 2


def test_level_names_may_say_more_than_a_number(tmp_path: Path) -> None:
    rows = [row | {"Level": f"{row['Level']}-Cubes3View"} for row in fake.rows(1, ["three_view_projection"])]
    fake.write_table(tmp_path / fake.PARQUET, rows)
    fake.write_zip(tmp_path / "images.zip", {fake.name(row): fake.picture(1) for row in rows})
    assert [sample.level for sample in allowed(tmp_path)] == ["0", "1"]


def test_the_hashes_say_which_data_it_is(tmp_path: Path) -> None:
    before = RELEASE.fingerprint(fake.release(tmp_path))
    assert RELEASE.problem(before) is None
    assert RELEASE.note(f"x-{before}-y") == UNPINNED
    fake.write_zip(tmp_path / "images.zip", {"other.png": fake.picture(1)})
    assert RELEASE.fingerprint(tmp_path) != before
    tsv = RELEASE.fingerprint(fake.write_tsv(tmp_path / "SpatialVizBench.tsv", fake.rows()))
    assert "expected 5ed4cb6463bfed0a92e52ffc4e8b6257" in str(RELEASE.problem(tsv))
    assert RELEASE.note(tsv) in (NOT_PINNED, UNPINNED)
    assert RELEASE.problem("tsv-5ed4cb6463bfed0a92e52ffc4e8b6257") is None
    assert RELEASE.note("tsv-5ed4cb6463bfed0a92e52ffc4e8b6257") is None


def test_only_the_release_makes_the_hash(tmp_path: Path) -> None:
    """It may lie among other things, which come and go: a run's outputs, other tables, folders that nobody may enter."""
    before = RELEASE.fingerprint(fake.release(tmp_path))
    assert RELEASE.fingerprint(tmp_path / fake.PARQUET) == before
    for name in ("out/some/run/1.png", "out/other.parquet", "MentalRotation/2DRotation/Level0/0.png"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    assert RELEASE.fingerprint(tmp_path) == before
    (tmp_path / "images.zip").unlink()
    unpacked = RELEASE.fingerprint(tmp_path)
    (tmp_path / "MentalRotation" / "2DRotation" / "Level0" / "1.png").write_bytes(b"x")
    assert len({before, unpacked, RELEASE.fingerprint(tmp_path)}) == 3


def test_a_table_in_data_has_the_hash_of_the_pictures_above(tmp_path: Path) -> None:
    fake.release(tmp_path)
    (tmp_path / "data").mkdir()
    table = (tmp_path / fake.PARQUET).rename(tmp_path / "data" / fake.PARQUET)
    before = RELEASE.fingerprint(table)
    fake.write_zip(tmp_path / "images.zip", {"other.png": fake.picture(1)})
    assert RELEASE.fingerprint(table) != before


# --- the re-hosted TSV


def test_the_rehosted_tsv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    rows = fake.rows(None)
    path = fake.write_tsv(tmp_path / "SpatialVizBench.tsv", rows)
    assert "has MD5" in complaint(path, allow_changed=False)
    monkeypatch.setattr(official, "TSV_MD5", RELEASE.fingerprint(path).removeprefix("tsv-"))
    samples = list(read_release(tmp_path))
    assert capsys.readouterr().err == ""
    assert len(samples) == 1180
    assert {sample.level for sample in samples} == {"all"}
    assert samples[7].id == "spatialviz/official/rotation_2d/all/7"
    assert samples[7].images[0].data == fake.picture(7)
    assert [s.answer for s in samples] == [row["Answer"] for row in rows]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("\tcategory\t", "\tkind\t", "column category is missing"),
        ("2DRotation", "2D", "row 1 (index 0): unknown Task '2D'"),
        ("iVBOR", "*VBOR", "row 1 (index 0): image: broken base64"),
        ("iVBORw0KGgo", "iVBORw0KGgp", "cannot be decoded"),
        ("\tA\tB\tC\tD\t", "\tA\tB\t\tD\t", "index 0): option C is empty"),
        ("\tA\tMental", "\tE\tMental", "index 0): key 'E'"),
        ("0\tiVB", "0\t0\tiVB", "row 1: 11 cells instead of 10"),
    ],
)
def test_faults_of_the_tsv_are_named_by_row(old: str, new: str, said: str, tmp_path: Path) -> None:
    path = fake.write_tsv(tmp_path / "SpatialVizBench.tsv", fake.rows(1, ["rotation_2d"]))
    text = path.read_text()
    head, body = text.split("\n", 1)
    changed = f"{head}\n{body.replace(old, new, 1)}" if old in body else f"{head.replace(old, new)}\n{body}"
    path.write_text(changed)
    assert changed != text
    assert said in complaint(path)


# --- faults of the table

FAULTS: dict[str, tuple[Row, str]] = {
    "task": ({"Task": "Folding"}, "unknown Task 'Folding'; known are 2DRotation,"),
    "level": ({"Level": "Level3"}, "unknown Level 'Level3'; Paper Folding has Level0 to Level2"),
    "level ten": ({"Level": "Level10"}, "unknown Level 'Level10'"),
    "no level": ({"Level": ""}, "unknown Level ''"),
    "question": ({"Question": " "}, "Question is empty"),
    "placeholder": ({"Question": "See <image 2>."}, "placeholder <image 2>, but there are 1 images"),
    # Bug log C18: a key that is no option must never be compared with a reply that is none.
    "key": ({"Answer": "E"}, "key 'E' is none of the options A, B, C, D"),
    "no key": ({"Answer": None}, "key 'None'"),
    "option": ({"Choices": ["A", "", "C", "D"]}, "option B is empty"),
    "one option": ({"Choices": ["A"]}, "expected a list of 4 texts"),
    "path": ({"Image_id": "../../0"}, "Image_id '../../0' cannot be part of a picture's name"),
    "absolute": ({"Category": "/etc"}, "Category '/etc' cannot be part"),
    "dots": ({"Image_id": ".."}, "Image_id '..' cannot be part"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_unusable_rows_always_stop_and_are_named(fault: str, tmp_path: Path) -> None:
    change, said = FAULTS[fault]
    text = complaint(made(tmp_path, {}, change, {}))
    (line,) = (line for line in text.splitlines() if line.strip().startswith("row "))
    assert line.strip().startswith("row 2 (")
    assert said in line
    assert "load the release again" in text


ODD: dict[str, tuple[Row, str]] = {
    "plain text": ({"Explanation": "Because."}, "Explanation is str 'Because.', not an object keyed by letters"),
    "list as text": ({"Explanation": '["Because."]'}, "not an object keyed by letters"),
    "number": ({"Explanation": '{"A": 7}'}, "Explanation of A is no text"),
    "half a character": ({"Explanation": '{"A": "\\ud800"}'}, "Explanation of A is no text"),
    "strange letter": ({"Explanation": '{"E": "x"}'}, "Explanation of E, which is no option"),
    "five options": ({"Choices": list("ABCDE"), "Explanation": "{}"}, "5 options, expected 4"),
}


@pytest.mark.parametrize("oddity", ODD)
def test_odd_rows_stop_unless_allowed(oddity: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change, said = ODD[oddity]
    plain = {"Explanation": "{}"}
    folder = made(tmp_path, plain, change, plain)
    line = next(line for line in complaint(folder, allow_changed=False).splitlines() if "row 2 (" in line)
    assert said in line
    assert len(allowed(folder)) == 3
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        (["7", "8", "7 ", "9"], "row 2 (MentalFolding/PaperFolding/Level0/1): options A, C say the same"),
        (["B", "A", "C", "D"], "row 2 (MentalFolding/PaperFolding/Level0/1): option A, B is called by the letter"),
    ],
)
def test_doubtful_options_are_told(
    choices: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    allowed(made(tmp_path, {}, {"Choices": choices}, {}))
    (line,) = (line.strip() for line in capsys.readouterr().err.splitlines() if "option" in line and "row" in line)
    assert line.startswith(said)


def test_a_task_under_another_ability_stops_unless_allowed(tmp_path: Path) -> None:
    row = fake.rows(1, ["paper_folding"])[0] | {"Category": "MentalRotation"}
    fake.write_table(tmp_path / fake.PARQUET, [row])
    fake.write_zip(tmp_path / "images.zip", {fake.name(row): fake.picture(1)})
    assert "Category 'MentalRotation', but PaperFolding belongs to mental_folding" in complaint(
        tmp_path, allow_changed=False
    )
    assert [sample.category for sample in allowed(tmp_path)] == ["mental_folding"]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ({"A": "x", "B": None}, {"A": "x"}),
        ('{"A": "x", "B": null}', {"A": "x"}),
        ("{'A': 'x', 'B': None}", {"A": "x"}),
        ([("A", "x"), ("B", None)], {"A": "x"}),
        (None, {}),
        ("", {}),
        ("null", {}),
        ({"A": ""}, {}),
    ],
)
def test_forms_of_an_explanation(cell: object, expected: dict[str, str]) -> None:
    assert explanation(cell) == (expected, "")


def test_a_text_that_is_no_object_is_kept_whole() -> None:
    assert explanation("It is B [sic].")[0] == {"": "It is B [sic]."}
    assert explanation(7) == ({}, "Explanation is int '7', not an object keyed by letters")
    assert explanation("[" * 100_000)[0] == {"": "[" * 100_000}


def test_explanations_as_text_are_the_same_samples(tmp_path: Path) -> None:
    rows = fake.rows(1)
    (tmp_path / "text").mkdir()
    (tmp_path / "object").mkdir()
    as_text = [row | {"Explanation": json.dumps(row["Explanation"])} for row in rows]
    for name, table in (("text", as_text), ("object", rows)):
        fake.write_table(tmp_path / name / fake.PARQUET, table)
        fake.write_zip(tmp_path / name / "images.zip", {fake.name(row): fake.picture(1) for row in rows})
    text, plain = allowed(tmp_path / "text"), allowed(tmp_path / "object")
    assert [sample.explanation for sample in text] == [sample.explanation for sample in plain]


def test_the_same_question_twice(tmp_path: Path) -> None:
    assert "row 3 (MentalFolding/PaperFolding/Level0/0): row 1 is the same question" in complaint(
        made(tmp_path, {}, {}, {"Image_id": "0"})
    )


def test_a_wrong_count_stops_unless_allowed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = fake.rows(None)
    fake.write_table(tmp_path / fake.PARQUET, rows[:-1])
    fake.write_zip(tmp_path / "images.zip", {fake.name(row): fake.picture(1) for row in rows})
    said = "1179 questions, 1,180 expected; questions per task and level: mechanical_system/1 39 of 40"
    assert said in complaint(tmp_path, allow_changed=False)
    assert len(allowed(tmp_path)) == 1179
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("column", official.COLUMNS)
def test_a_missing_column_is_named(column: str, tmp_path: Path) -> None:
    folder = made(tmp_path, {}, {})
    fake.write_table(folder / fake.PARQUET, [{k: v for k, v in row.items() if k != column} for row in fake.rows(1)])
    assert f"column {column} is missing; expected Category," in complaint(folder)


def test_an_unknown_column_stops_unless_allowed(tmp_path: Path) -> None:
    folder = made(tmp_path, {"Question_direct": "How many?"})
    assert "unknown column Question_direct: what it says is not asked" in complaint(folder, allow_changed=False)
    assert len(allowed(folder)) == 1


def test_what_is_no_release(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere", tmp_path / "file.txt"):
        (tmp_path / "file.txt").write_text("x")
        with pytest.raises(DataError, match=r"no such release; expected a folder with a parquet file and images\.zip"):
            list(read_release(path))


def test_a_damaged_table(tmp_path: Path) -> None:
    folder = made(tmp_path)
    table = folder / fake.PARQUET
    table.write_bytes(table.read_bytes()[:-20])
    assert "damaged, or not complete" in complaint(folder)


# --- faults of the pictures


def test_missing_pictures_are_an_error_that_lists_the_rows(tmp_path: Path) -> None:
    """Bug log C16: the released script asks such a question without its picture."""
    text = complaint(made(tmp_path, {}, {}, {}, picture1=None, picture2=None))
    lines = [line.strip() for line in text.splitlines() if line.strip().startswith("row ")]
    name = "MentalFolding/PaperFolding/Level0/{}"
    assert lines == [
        f"row {n + 1} ({name.format(n)}): picture {name.format(n)}.png is not in images.zip" for n in (1, 2)
    ]


def test_no_pictures_at_all(tmp_path: Path) -> None:
    folder = made(tmp_path)
    (folder / "images.zip").unlink()
    assert (
        "no pictures beside test-00000-of-00001.parquet: expected images.zip, or the folders MentalRotation"
        in complaint(folder)
    )


def test_a_picture_cut_short(tmp_path: Path) -> None:
    assert "picture MentalFolding/PaperFolding/Level0/1.png cannot be decoded" in complaint(
        made(tmp_path, {}, {}, picture1=fake.picture(1)[:-20])
    )


def link(path: Path, name: str) -> None:
    info = ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with ZipFile(path, "w") as archive:
        archive.writestr(info, "/etc/passwd")


def too_large(path: Path, name: str) -> None:
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr(name, bytes(pictures.LARGEST + 1))


def lying(path: Path, name: str) -> None:
    """A bomb whose table of contents says that it is small."""
    too_large(path, name)
    size = (pictures.LARGEST + 1).to_bytes(4, "little")
    path.write_bytes(path.read_bytes().replace(size, (100).to_bytes(4, "little")))


def damaged(path: Path, name: str) -> None:
    fake.write_zip(path, {name: fake.picture(1)})
    path.write_bytes(path.read_bytes().replace(b"IHDR", b"IHDX", 1))


def broken_stream(path: Path, name: str, compression: int = ZIP_DEFLATED) -> None:
    with ZipFile(path, "w", compression) as archive:
        archive.writestr(name, fake.picture(1) * 40)
    data = bytearray(path.read_bytes())
    begin = data.index(name.encode()) + len(name) + 9  # behind LZMA's own header
    data[begin : begin + 20] = b"\xff" * 20
    path.write_bytes(data)


def encrypted(path: Path, name: str) -> None:
    fake.write_zip(path, {name: fake.picture(1)})
    data = bytearray(path.read_bytes())
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + flags] |= 1
    path.write_bytes(data)


def twice(path: Path, name: str) -> None:
    fake.write_zip(path, {f"new/{name}": fake.picture(1), f"old/{name}": fake.picture(2)})


def cut_off(path: Path, name: str) -> None:
    fake.write_zip(path, {name: fake.picture(1)})
    path.write_bytes(path.read_bytes()[:-30])


HOSTILE: dict[str, tuple[Callable[[Path, str], object], str]] = {
    "link": (link, "is a link in images.zip"),
    "bomb": (too_large, "cannot be read: more than 32,000,000 bytes"),
    "lying bomb": (lying, "cannot be read|cannot be decoded"),
    "checksum": (damaged, "cannot be read: Bad CRC-32"),
    "broken stream": (broken_stream, "cannot be read: Error -3"),
    "broken lzma": (partial(broken_stream, compression=ZIP_LZMA), "cannot be read: Corrupt input data"),
    "encrypted": (encrypted, "cannot be read: .*password required"),
    "two of one name": (twice, "stands 2 times in images.zip, each time another one"),
    "cut off": (cut_off, "images.zip: .*damaged, or not complete"),
    "dots": (lambda path, name: fake.write_zip(path, {f"../../{name}": b""}), "leads out of its folder"),
    "root": (lambda path, name: fake.write_zip(path, {f"/{name}": b""}), "leads out of its folder"),
    "backslash": (lambda path, name: fake.write_zip(path, {f"..\\{name}": b""}), "leads out of its folder"),
    "drive": (lambda path, name: fake.write_zip(path, {f"C:{name}": b""}), "leads out of its folder"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_archives_stop_and_leave_nothing(kind: str, tmp_path: Path) -> None:
    make, said = HOSTILE[kind]
    (tmp_path / "release").mkdir()
    folder = made(tmp_path / "release")
    make(folder / "images.zip", "MentalFolding/PaperFolding/Level0/0.png")
    before = sorted(tmp_path.rglob("*"))
    assert re.search(said, complaint(folder))
    assert sorted(tmp_path.rglob("*")) == before


def test_the_same_picture_twice_is_one(tmp_path: Path) -> None:
    folder = made(tmp_path)
    fake.write_zip(
        folder / "images.zip", {f"{n}MentalFolding/PaperFolding/Level0/0.png": fake.picture(1) for n in ("", "b/")}
    )
    assert [sample.images[0].data for sample in allowed(folder)] == [fake.picture(1)]


def test_names_in_the_table_do_not_lead_out_of_a_folder_of_pictures(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(fake.picture(1))
    folder = tmp_path / "release"
    folder.mkdir()
    row = fake.rows(1, ["paper_folding"])[0] | {"Level": "Level0", "Image_id": "../../../../secret"}
    fake.write_table(folder / fake.PARQUET, [row])
    (folder / "MentalFolding" / "PaperFolding" / "Level0").mkdir(parents=True)
    assert "cannot be part of a picture's name" in complaint(folder)

"""Result tables of VLMEvalKit come back cell by cell as they were written, in each of its three formats."""

from __future__ import annotations

import csv
import json
import pickle
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from zipfile import ZipFile

import pytest

from cogsight.shared.errors import DataError
from cogsight.shared.frameworks.vlmevalkit import logs
from cogsight.shared.sample import Finish, Reply

FORMS = ("xlsx", "tsv", "json")
TEXTS = (
    *("None", "NA", "nan", "null", "007", "1e5", "TRUE", "", "  padded  ", "=1+1", "'quoted", '"', "-"),
    *(
        "Answer: B\r\n",
        "two\nlines",
        "tab\there",
        "bell\x07",
        "答案是B。",
        "😀",
        "_x0041_",
        "http://127.0.0.1/a",
        "a" * 32_766,
    ),
)


def write(path: Path, texts: Sequence[str]) -> Path:
    """A result table, written as `vlmeval.smp.dump` writes it."""
    pd = pytest.importorskip("pandas")
    columns = {"index": [f"q{n}" for n in range(len(texts))], "sample_id": [f"b/s/t/l/{n}" for n in range(len(texts))]}
    same = {"variant": "bricks", "view": "images", "question": "Which?", "A": "", "answer": "A"}
    frame = pd.DataFrame(columns).assign(**same, prediction=list(texts))
    if path.suffix == ".xlsx":
        options = {"options": {"strings_to_formulas": False}}
        with pd.ExcelWriter(path, engine="xlsxwriter", engine_kwargs=options) as writer:
            frame.to_excel(writer, index=False)
    elif path.suffix == ".tsv":
        frame.to_csv(path, sep="\t", index=False, encoding="utf-8", quoting=csv.QUOTE_ALL)
    else:
        path.write_text(json.dumps(frame.to_dict("records"), indent=4, ensure_ascii=False), encoding="utf-8")
    return path


@pytest.mark.parametrize("form", FORMS)
def test_every_text_survives(tmp_path: Path, form: str) -> None:
    rows = logs.read(write(tmp_path / f"m_d.{form}", TEXTS))
    assert [row.reply for row in rows] == [Reply(text) for text in TEXTS]
    assert {(row.variant, row.view) for row in rows} == {("bricks", "images")}
    assert [(row.sample_id, row.index) for row in rows][3] == ("b/s/t/l/3", "q3")


@pytest.mark.parametrize("form", FORMS)
def test_failure_texts_are_errors_of_ours_not_replies(tmp_path: Path, form: str) -> None:
    failures = (
        "Failed to obtain answer via API. ",
        "Failed to obtain answer: <class 'RuntimeError'> x",
        "Fail to obtain answer via API.",
    )
    rows = logs.read(write(tmp_path / f"m_d.{form}", (*failures, "I Failed to obtain answer A, so B.")))
    assert [row.reply for row in rows] == [
        *(Reply(None, error=text) for text in failures),
        Reply("I Failed to obtain answer A, so B."),
    ]


def test_a_cut_cell_is_said_and_marked(tmp_path: Path) -> None:
    texts = ("x" * 40_000, "B")
    with pytest.warns(UserWarning, match="truncated"):
        table = write(tmp_path / "m_d.xlsx", texts)
    with pytest.warns(UserWarning, match=r"1 replies were cut at 32,767 characters.*PRED_FORMAT=tsv"):
        rows = logs.read(table)
    assert [row.reply for row in rows] == [Reply("x" * 32_767, Finish.LENGTH), Reply("B")]


SPOILT = (
    *("x" * 40_000 + " Answer: B", "y" * 33_000, "mailto:B", "internal:B", "_x000D_"),
    "https://example.org/" + "a" * 2_100,
)
"""What an xlsx cell does not give back."""


@pytest.mark.filterwarnings("ignore:Cell contents too long", "ignore:Ignoring URL")
def test_replies_kept_beside_the_table_are_as_they_were(tmp_path: Path) -> None:
    table = write(tmp_path / "m_d.xlsx", SPOILT)
    indices = [f"q{n}" for n in range(len(SPOILT))]
    with pytest.warns(UserWarning, match="2 replies were cut"):
        assert not {row.reply.text for row in logs.read(table)} & set(SPOILT), "no longer spoilt: need not be kept"
    logs.keep_exact(table, indices, SPOILT)
    assert [row.reply for row in logs.read(table)] == [Reply(text) for text in SPOILT]
    assert logs.predictions(table) == dict(zip(indices, SPOILT, strict=True))


def test_kept_replies_are_those_of_this_very_table_or_none(tmp_path: Path) -> None:
    table = write(tmp_path / "m_d.xlsx", ("A", "B"))
    logs.keep_exact(table, ["q0", "q1"], ["kept", "B"])
    copy = tmp_path / "copy.xlsx"
    copy.write_bytes(table.read_bytes())
    logs.copy_exact(table, copy)
    assert [row.reply.text for row in logs.read(copy)] == ["kept", "B"]
    write(copy, ("C", "B"))  # written anew, by hand or by another program
    assert [row.reply.text for row in logs.read(copy)] == ["C", "B"]
    logs.keep_exact(table, ["q0", "q2"], ["kept", "B"])
    assert [row.reply.text for row in logs.read(table)] == ["A", "B"]
    (tmp_path / "m_d_exact_replies.json").write_text('{"table":')
    with pytest.raises(DataError, match=r"m_d_exact_replies\.json: damaged.*remove it"):
        logs.read(table)


def test_a_damaged_workbook_is_told_of_wherever_the_damage_is(tmp_path: Path) -> None:
    table = write(tmp_path / "m_d.xlsx", ["A"] * 50)
    whole = table.read_bytes()
    for place in range(0, len(whole), len(whole) // 40):
        table.write_bytes(whole[:place] + b"\xa5" * 9 + whole[place + 9 :])
        with suppress(DataError):  # or it is where nobody looks
            logs.read(table)


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "[Content_Types].xml"])
def test_a_workbook_with_a_part_cut_off(part: str, tmp_path: Path) -> None:
    table = write(tmp_path / "whole.xlsx", ["A"])
    with ZipFile(table) as whole, ZipFile(tmp_path / "cut.xlsx", "w") as cut:
        for name in whole.namelist():
            content = whole.read(name)
            cut.writestr(name, content[: len(content) // 2] if name == part else content)
    with pytest.raises(DataError, match="cannot be read as xlsx"):
        logs.read(tmp_path / "cut.xlsx")


def test_json_nested_without_end(tmp_path: Path) -> None:
    (tmp_path / "m_d.json").write_text("[" * 100_000)
    with pytest.raises(DataError, match="cannot be read as json"):
        logs.read(tmp_path / "m_d.json")


def test_tsv_and_json_hold_long_replies(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    for form in ("tsv", "json"):
        rows = logs.read(write(tmp_path / f"m_d.{form}", ("x" * 200_000, "y" * 32_767)))
        assert [(len(row.reply.text or ""), row.reply.finish) for row in rows] == [
            (200_000, Finish.UNKNOWN),
            (32_767, Finish.UNKNOWN),
        ]
    assert not recwarn.list


def test_a_pickle_is_never_read(tmp_path: Path) -> None:
    class Bomb:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return Path.touch, (tmp_path / "exploded",)  # type: ignore[return-value]

    fallback = tmp_path / "m_d.pkl"
    fallback.write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(DataError, match="pickles are never read"):
        logs.read(fallback)
    with pytest.raises(DataError, match="pip install openpyxl xlsxwriter"):
        logs.read(tmp_path / "m_d.xlsx")
    assert not (tmp_path / "exploded").exists()


@pytest.mark.parametrize("form", FORMS)
def test_what_is_no_table_of_ours_is_named(tmp_path: Path, form: str) -> None:
    with pytest.raises(DataError, match=f"m_d.{form}: no such result table"):
        logs.read(tmp_path / f"m_d.{form}")
    table = write(tmp_path / f"m_d.{form}", ("A", "B"))
    cut = tmp_path / f"cut.{form}"
    cut.write_bytes(table.read_bytes()[:-40])
    with pytest.raises(DataError, match=f"cut.{form}: cannot be read as {form}"):
        logs.read(cut)


def test_a_table_of_another_dataset_is_named(tmp_path: Path) -> None:
    table = tmp_path / "m_d.json"
    table.write_text('[{"index": 1, "question": "?", "prediction": "A"}]')
    with pytest.raises(DataError, match="no column sample_id, variant, view"):
        logs.read(table)

"""Labelling sheets: the page in a real browser, the CSV of page and spreadsheet, and what is told of a file that is none."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
import toy
from chromium import browser, needs_chromium

from cogsight.shared.errors import DataError
from cogsight.shared.report.labelling_page import Item, Question, Section, Sheet, page, read_labels, sheet_csv
from cogsight.shared.report.samples_page import data_uri

HOSTILE = "</script><script>alert(1)</script><img src=http://example.invalid/x onerror=alert(2)>"
CAUSE = Question(
    "cause", "Why is it wrong?", {"sight": "Saw it wrong", "sums": "Summed it wrong"}, {"sums": "2 + 2 = 5"}
)
SURE = Question("sure", "Sure?", {"yes": "Yes", "no": "No"})


def item(name: str, text: str = "It is red.", **suggested: str) -> Item:
    return Item(name, (Section("Question", (toy.picture("red"), "Which hue?")), Section("Reply", (text,))), suggested)


SHEET = Sheet("causes", "Causes", "Choose one.", (CAUSE, SURE), (item("b/2"), item("a/1"), item("7")))


def test_a_csv_comes_back_whole_or_in_part(tmp_path: Path) -> None:
    labels = {"b/2": {"cause": "sums", "sure": "no"}, "7": {"sure": "yes"}}
    text = sheet_csv(SHEET, labels, "Ada")
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == ["id", "annotator", "cause", "sure", "Question", "Reply"]
    assert rows[1] == ["b/2", "Ada", "sums", "no", "Which hue?", "It is red."]
    path = tmp_path / "causes.csv"
    path.write_text(text, encoding="utf-8-sig", newline="")
    assert read_labels(path, SHEET.questions, {"b/2", "a/1", "7"}) == {**labels, "a/1": {}}


@pytest.mark.parametrize("mark", [";", "\t", ","])
def test_what_spreadsheets_make_of_it(mark: str, tmp_path: Path) -> None:
    path = tmp_path / "causes.csv"
    lines = [
        mark.join(row) for row in (["sure", "note", "id", "cause"], ["YES ", "x", "b/2", "Saw it wrong"], [""] * 4)
    ]
    path.write_text("\r\n".join(lines), newline="")
    assert read_labels(path, SHEET.questions) == {"b/2": {"cause": "sight", "sure": "yes"}}


def test_a_cell_may_hold_a_whole_reply(tmp_path: Path) -> None:
    path = tmp_path / "causes.csv"
    path.write_text(f"id,cause,sure,Reply\nb/2,sight,,{'x' * 1_000_000}\n")
    assert read_labels(path, SHEET.questions) == {"b/2": {"cause": "sight"}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id,cause\nb/2,sight\n", "no column sure; expected a CSV with id, cause, sure"),
        ("", "no column id, cause, sure"),
        ("id,cause,sure\nb/2,sihgt,\n", r"line 2: cause 'sihgt': expected one of sight, sums"),
        ("id,cause,sure\nx,sight,\n", "line 2: x: none of the items asked about"),
        ("id,cause,sure\n,sight,\n", "line 2: no id"),
        ("id,cause,sure\nb/2,,\nb/2,,\n", "line 3: b/2 stands twice"),
        ("id,cause,sure\n" + "b/2,x,\n" * 12, r"(?s)line 11: .*… and 2 more"),
        (b"id,cause,sure\n\xff", "cannot be read .*save it as CSV, UTF-8"),
    ],
)
def test_what_cannot_be_read_is_listed_by_line(text: str | bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "causes.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(DataError, match=said):
        read_labels(path, SHEET.questions, {"b/2", "a/1"})


def test_a_spreadsheet_computes_nothing(tmp_path: Path) -> None:
    sheet = replace(SHEET, items=tuple(item(str(n), text) for n, text in enumerate(["=1+1", "@x", "-1", "+1", "1"])))
    cells = [row[-1] for row in csv.reader(io.StringIO(sheet_csv(sheet)))]
    assert cells[1:] == ["'=1+1", "'@x", "'-1", "'+1", "1"]


def test_a_label_that_is_no_option_is_not_written() -> None:
    with pytest.raises(ValueError, match="cause 'sihgt'"):
        sheet_csv(SHEET, {"b/2": {"cause": "sihgt"}})


def test_suggestions_are_columns_of_their_own_and_behind_a_click() -> None:
    sheet = replace(SHEET, items=(item("1", cause="sums"), item("2")), suggested_by="some model")
    assert sheet_csv(sheet).splitlines()[0] == "id,annotator,cause,sure,suggested cause,Question,Reply"
    html = page(sheet)
    assert re.findall(r'<details class="suggestion">\s*<summary>(.*?)<', html) == ["Suggestion of some model"]
    assert "Summed it wrong</div>" in html
    assert "checked>" not in html


def test_pictures_and_texts_stand_in_order_and_escaped() -> None:
    hostile = replace(
        SHEET, title=HOSTILE, guide=HOSTILE, items=(item(HOSTILE, HOSTILE, cause=HOSTILE),), suggested_by=HOSTILE
    )
    html = page(hostile)
    assert re.search(f'<img src="{re.escape(data_uri(toy.picture("red")))}"[^>]*>\\s*<div class="text">Which hue', html)
    assert html.count("<script>") == 1
    assert "<img src=http" not in html


@needs_chromium
@pytest.mark.slow
def test_the_page_is_worked_by_keyboard_and_its_csv_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "causes.html"
    path.write_text(page(replace(SHEET, items=(*SHEET.items, item("hostile", HOSTILE)))), encoding="utf-8")
    with browser(tmp_path / "profile") as tab:
        tab.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
        tab.open(path)
        shown = "document.querySelector('article.shown').dataset.id"
        for key, where in [
            ("2", "b/2"),
            ("1", "a/1"),
            ("ArrowRight", "7"),
            ("ArrowDown", "7"),
            ("2", "7"),
            ("u", "hostile"),
        ]:
            tab.press(key)
            tab.wait(f"{shown} === '{where}'")
        tab.press("u")
        tab.wait(f"{shown} === 'a/1'")
        tab.press("s")
        saved = tmp_path / "causes.csv"
        tab.wait("true" if saved.exists() else "new Promise(done => setTimeout(() => done(true), 300))")
        assert read_labels(saved, SHEET.questions) == {
            "b/2": {"cause": "sums", "sure": "yes"},
            "a/1": {},
            "7": {"sure": "no"},
            "hostile": {},
        }
        tab.ask("localStorage.clear()")
        tab.open(path)
        assert tab.ask("document.querySelectorAll('input:checked').length") == 0
        text = 'id;sure;cause;note\\r\\n7;NO ;Summed it wrong;"a;b\\nc"\\r\\n'
        tab.ask(f"load('\\uFEFF{text}')")
        assert tab.ask("document.getElementById('status').textContent") == "1 of 4 · 1 labelled · 2 labels loaded"
        assert tab.complaints == []
        tab.ask(
            "document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.ran = 1'}))"
        )
        assert tab.ask("window.ran") is None


@needs_chromium
@pytest.mark.slow
def test_quick_keys_each_label_an_item_and_a_copy_is_empty(tmp_path: Path) -> None:
    path, copy = tmp_path / "causes.html", tmp_path / "copy.html"
    path.write_text(page(replace(SHEET, questions=(CAUSE,))), encoding="utf-8")
    copy.write_bytes(path.read_bytes())
    given = "items.map(item => value(item, 'cause')).join()"
    with browser(tmp_path / "profile") as tab:
        tab.open(path)
        for key in "121":
            tab.press(key)
        assert tab.ask(given) == "sight,sums,sight"
        tab.send("Input.dispatchKeyEvent", type="keyDown", key="1", text="1", autoRepeat=True)
        assert tab.ask(given) == "sight,sums,sight", "a key held down takes nothing back"
        for opened, expected in ((copy, ",,"), (path, "sight,sums,sight")):
            tab.open(opened)
            tab.wait(f"location.pathname.endsWith('/{opened.name}') && document.readyState === 'complete'")
            assert tab.ask(given) == expected
        assert tab.complaints == []

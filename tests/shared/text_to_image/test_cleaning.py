"""The cleaning page in a real browser, and what becomes of the pictures that it keeps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from chromium import browser, needs_chromium
from PIL import Image
from scripted_judge import endpoint
from stub_server import Answer, Request, StubServer

from cogsight.shared.errors import CogsightError, DataError
from cogsight.shared.judge.client import PROBE, RIGHT
from cogsight.shared.judge.model import ModelJudge
from cogsight.shared.judge.query import Query
from cogsight.shared.sample import Picture
from cogsight.shared.text_to_image import cleaning
from cogsight.shared.text_to_image.making import Folder, Planned, make, plan
from cogsight.shared.text_to_image.motifs import Motif, Recipe

HOSTILE = "</script><img src=x onerror=alert(1)>"


def ask(picture: Picture) -> Query:
    return Query(
        "voila_image", "", {"questions": "number: Two?\nsubject: Dogs?\naction: Walking?"}, pictures=(picture,)
    )


MOTIFS = (
    Motif("one_fox_reading", "One fox reading", "fox"),
    Motif("two_dogs_walking", "Two dogs walking", "dog", ask),
    Motif("two_dogs_digging a hole", f"Two dogs {HOSTILE}", "dog"),
)


def paint(prompt: str, seeds: Sequence[int]) -> list[Image.Image]:
    return [Image.new("RGB", (8, 8), tuple(seed.to_bytes(4, "big")[:3])) for seed in seeds]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Three prompts of 12 pictures."""
    found = plan(tmp_path / "pictures", "toy", MOTIFS, Recipe(per_motif=12, size=8), {})
    assert len(list(make(found.path, found.missing, paint))) == 36
    return found


def saved(path: Path, *names: str) -> Path:
    path.write_text("file,prompt\r\n" + "".join(f"{name},whatever\r\n" for name in names))
    return path


def names(motif: Motif, count: int) -> list[str]:
    return [motif.file(n) for n in range(count)]


def test_kept_pictures_are_put_apart_and_what_is_short_is_named(folder: Folder, tmp_path: Path) -> None:
    one = saved(tmp_path / "a.csv", *names(MOTIFS[0], 10), *names(MOTIFS[1], 3))
    two = saved(tmp_path / "b.csv", *names(MOTIFS[1], 4), *names(MOTIFS[2], 11))
    kept = cleaning.read_kept([one, two], folder)
    assert [one.file for one in kept] == [*names(MOTIFS[0], 10), *names(MOTIFS[1], 4), *names(MOTIFS[2], 11)]
    cleaning.write_kept(folder, kept, tmp_path / "clean")
    files = {path.name: path.read_bytes() for path in (tmp_path / "clean").glob("*.png")}
    assert files == {one.file: (folder.path / one.file).read_bytes() for one in kept}
    assert cleaning.shortfalls(folder, kept, 10) == [
        "1 of 3 prompts have fewer than 10 pictures: Two dogs walking (4)",
        f"1 of 3 prompts have more than 10 pictures: {MOTIFS[2].prompt} (11)",
    ]
    assert cleaning.shortfalls(folder, kept[:10], 10)[0].startswith("2 of 3 prompts have fewer")


def test_a_folder_is_replaced_only_when_told_to_and_only_such_a_one(folder: Folder, tmp_path: Path) -> None:
    cleaning.write_kept(folder, folder.planned[:2], tmp_path / "clean")
    with pytest.raises(DataError, match="--overwrite"):
        cleaning.write_kept(folder, folder.planned[:1], tmp_path / "clean")
    cleaning.write_kept(folder, folder.planned[:1], tmp_path / "clean", overwrite=True)
    assert len(list((tmp_path / "clean").glob("*.png"))) == 1
    (tmp_path / "mine").mkdir()
    with pytest.raises(DataError, match="is there already"):
        cleaning.write_kept(folder, folder.planned[:1], tmp_path / "mine", overwrite=True)


def test_names_that_are_none_of_the_plan(folder: Folder, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"a\.csv, line 3: '\.\./secret\.png' is none of the pictures"):
        cleaning.read_kept([saved(tmp_path / "a.csv", MOTIFS[0].file(0), "../secret.png")], folder)
    (folder.path / MOTIFS[0].file(1)).unlink()
    with pytest.raises(DataError, match="1 of the kept pictures are not there, such as one_fox_reading_1"):
        cleaning.read_kept([saved(tmp_path / "a.csv", MOTIFS[0].file(1))], folder)


def test_texts_are_escaped_and_absent_pictures_left_out(folder: Folder) -> None:
    (folder.path / MOTIFS[0].file(1)).unlink()
    text = cleaning.page(folder, folder.planned, 10)
    assert "<img src=x" not in text
    assert text.count("<script") == 2
    assert MOTIFS[0].file(0) in text
    assert MOTIFS[0].file(1) not in text
    with pytest.raises(CogsightError, match="none of these pictures are there yet"):
        cleaning.page(folder, [Planned("else.png", "", "", 0)], 10)


def test_a_judge_marks_and_sorts_but_keeps_nothing(folder: Folder, tmp_path: Path) -> None:
    good = {(folder.path / MOTIFS[1].file(n)).read_bytes() for n in (2, 7)}

    def script(request: Request) -> Answer:
        if PROBE.reply in request.text:
            return Answer(f'{{"reason": "", "answer": "{RIGHT}"}}')
        (picture,) = request.images
        right = int(picture in good)
        return Answer(f'{{"reason": "", "number": 1, "subject": 1, "action": {right}}}')

    with StubServer(script) as server:
        judge = ModelJudge(endpoint(server), store=tmp_path / "judgements.sqlite")
        check = cleaning.checked(folder, folder.planned, MOTIFS, judge)
        again = cleaning.checked(folder, folder.planned, MOTIFS, judge)
    assert check == again
    assert len(server.requests) == 12 + 1  # only the motif that can be asked about, each once
    assert {file for file, right in check.good.items() if right} == {MOTIFS[1].file(2), MOTIFS[1].file(7)}
    text = cleaning.page(folder, folder.planned, 10, check)
    listed = re.findall(r"two_dogs_walking_\d+\.png", text.partition('"prompts"')[2])
    assert listed[:3] == ["two_dogs_walking_2.png", "two_dogs_walking_7.png", "two_dogs_walking_0.png"]
    assert "what grader found, which is often wrong" in text


@needs_chromium
@pytest.mark.slow
def test_the_page_is_worked_by_keyboard_and_its_csv_comes_back(folder: Folder, tmp_path: Path) -> None:
    path = folder.path / cleaning.PAGE
    path.write_text(cleaning.page(folder, folder.planned, 2), encoding="utf-8")
    with browser(tmp_path / "profile") as tab:
        tab.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
        tab.send("Emulation.setDeviceMetricsOverride", width=1600, height=900, deviceScaleFactor=1, mobile=False)
        tab.open(path)
        tab.wait("[...document.querySelectorAll('#grid img')].filter(one => one.naturalWidth === 8).length === 12")

        def press(*keys: str) -> tuple[str, str]:
            for key in keys:
                tab.press(key)
            return tab.ask("document.getElementById('prompt').textContent"), tab.ask(
                "document.getElementById('count').textContent"
            )

        assert press("1", "w", "w") == ("One fox reading", "1 of 2 kept")
        assert press("ArrowDown", " ") == ("One fox reading", "2 of 2 kept")  # 10 columns, so the last of 12
        assert press("n") == ("Two dogs walking", "0 of 2 kept")
        assert press("3", "4", "c", "5") == ("Two dogs walking", "1 of 2 kept")
        assert press("Enter", "2") == (MOTIFS[2].prompt, "1 of 2 kept")
        assert press("Backspace", "ArrowRight") == ("Two dogs walking", "1 of 2 kept")
        press("z")
        assert tab.ask("document.querySelector('#large img').naturalWidth !== undefined && !large.hidden")
        press("Escape", "x")
        kept = tmp_path / "kept.csv"
        tab.wait("true" if kept.exists() else "new Promise(done => setTimeout(() => done(true), 300))")
        assert [one.file for one in cleaning.read_kept([kept], folder)] == [
            "one_fox_reading_0.png",
            "one_fox_reading_11.png",
            "two_dogs_walking_4.png",
            "two_dogs_digging a hole_1.png",
        ]
        tab.open(path)  # what was kept has stayed in the browser
        assert press() == ("One fox reading", "2 of 2 kept")
        tab.ask("localStorage.clear()")
        tab.open(path)
        assert press() == ("One fox reading", "0 of 2 kept")
        tab.ask("load('\\uFEFFfile;prompt\\r\\none_fox_reading_3.png;x\\r\\nno.png;x\\r\\n')")
        assert tab.ask("document.getElementById('status').textContent").endswith("1 pictures loaded")
        assert press() == ("One fox reading", "1 of 2 kept")
        assert tab.complaints == []

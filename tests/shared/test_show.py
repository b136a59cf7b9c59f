"""`cogsight show`: what is on the page, and that nothing on it can load or run anything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
import toy

from cogsight.shared.card import About
from cogsight.shared.commands import showing
from cogsight.shared.dataset import write
from cogsight.shared.errors import CogsightError, DataError
from cogsight.shared.report.samples_page import Heading, data_uri, page, plain_question, spread
from cogsight.shared.sample import Messages, Picture, Sample

HOSTILE = "</div><script>alert(1)</script><img src=http://example.invalid/x onerror=alert(2)>"


class Page(HTMLParser):
    """Every tag with its attributes, and the text, of which `turns` are what the model sees."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.shown = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.shown += data

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.tags)


@pytest.fixture(autouse=True)
def only_the_toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    with toy.alone(monkeypatch, tmp_path / "cache"):
        yield


def made(*samples: Sample, ask: object = None) -> str:
    heading = Heading("Toy", {"variant": "toy", "seed": ""}, {"hue": "Which Hue", "order": "In Order"}, 9)
    return page(heading, samples, ask or (lambda sample: toy.turn(sample, toy.VARIANT, ())))


def test_pictures_stand_where_the_model_sees_them() -> None:
    html = made(toy.hue(0))
    red, green = map(data_uri, toy.hue(0).images)
    prompt = re.search(r'<div class="turn">.*?</div>', html, re.S)[0]
    assert re.sub(r'<img src="(.*?)"[^>]*>', r"[\1]", prompt).endswith(
        f"</span>Which is red, [{red}] or [{green}]?\nA. [{red}]\nB. the &lt;second&gt; &amp; last</div>"
    )


def test_pictures_that_no_text_names_have_a_line_of_their_own() -> None:
    assert re.search(r'tabindex="0"><br>Look\.', made(toy.hue(0, "Look."), ask=plain_unnamed))


def plain_unnamed(sample: Sample) -> Messages:
    return toy.turn(replace(sample, choices={}), toy.VARIANT, ()) or ()


def test_the_key_is_behind_a_click_with_its_reasons() -> None:
    before, _, after = made(toy.hue(0)).partition("<details>")
    assert "It is red." in after
    assert "It is red." not in before
    assert re.findall(r'<li class="named">\s*<span class="letter">(.)', after) == ["A"]


def test_a_sequence_shows_the_place_of_every_option() -> None:
    assert re.findall(r'class="mark">(.*?)<', made(toy.order(0))) == ["3", "2", "1"]


def test_metadata_is_a_line_per_field_and_left_out_when_there_is_none() -> None:
    assert re.findall(r"<pre>(.*?)</pre>", made(toy.hue(0)), re.S) == ["seed: 0\nstate: rg"]
    assert "Metadata" not in made(toy.order(0))


def test_nothing_is_loaded_from_elsewhere_and_nothing_runs() -> None:
    hostile = replace(
        toy.hue(0, HOSTILE),
        id=HOSTILE,
        level=HOSTILE,
        choices={"A": HOSTILE, "B": "b"},
        explanation={"A": HOSTILE, "note": HOSTILE},
        metadata=HOSTILE,
    )
    heading = Heading(HOSTILE, {"variant": HOSTILE}, {"hue": HOSTILE, "order": HOSTILE}, 1)
    found = Page(page(heading, [hostile], plain_question))
    assert found.count("script") == 0
    assert found.shown.count("alert(1)") >= 9
    for tag, attributes in found.tags:
        assert not any(name.startswith("on") for name in attributes)
        assert tag not in ("link", "iframe", "object", "embed", "base", "form", "a")
        assert (attributes.get("src") or "data:").startswith("data:image/") if tag == "img" else "src" not in attributes
    policy = next(attributes["content"] for tag, attributes in found.tags if "http-equiv" in attributes)
    assert policy == "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


def test_tags_are_closed_and_every_task_has_its_filter() -> None:
    html = made(*toy.SAMPLES)
    for tag in ("div", "article", "details", "li", "span", "ul"):
        assert html.count(f"<{tag}") == html.count(f"</{tag}>")
    ids = {attributes["id"] for tag, attributes in Page(html).tags if tag == "input"}
    assert ids == {"task-all", "task-1", "task-2"}
    assert re.findall(r'<article class="task-(\d)">', html) == ["1", "1", "2", "2"]
    assert "article:not(.task-2)" in html


def test_jpeg_and_png_keep_their_bytes() -> None:
    assert data_uri(Picture(b"\xff\xd8\xff")) == "data:image/jpeg;base64,/9j/"
    assert data_uri(Picture(b"\x89PNG")) == "data:image/png;base64,iVBORw=="


def test_a_placeholder_without_its_picture_names_the_sample() -> None:
    with pytest.raises(DataError, match=r"toy/procedural/hue/0/0: .*<image 3>"):
        made(toy.hue(0, "See <image 3>."))
    with pytest.raises(DataError, match=r"toy/procedural/hue/0/0: .*<image 3>"):
        made(toy.hue(0, "See <image 3>."), ask=plain_question)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5, 9, 100])
def test_spread_takes_as_many_of_each_task(count: int) -> None:
    tasks = ["a"] * 6 + ["b"] * 2 + ["c"] * 4
    chosen = spread(tasks, "abc", count)
    numbers = [sum(tasks[index] == task for index in chosen) for task in "abc"]
    assert chosen == sorted(set(chosen))
    assert len(chosen) == min(count, 12)
    assert all(
        max(numbers) - number <= 1 or number == tasks.count(task) for number, task in zip(numbers, "abc", strict=True)
    )


def test_command_on_a_variant_a_benchmark_and_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert showing.run("Toy_Procedural", None, 3, None) == 0
    named = (tmp_path / "toy_procedural.html").read_text()
    assert Page(named).count("article") == 3
    folder = toy.build(tmp_path / "made")
    assert showing.run("made", "order", 20, tmp_path / "x" / "page.html") == 0
    html = (tmp_path / "x" / "page.html").read_text()
    assert (Page(html).count("article"), "2 of 4" in html, "Which Hue" in html) == (2, True, False)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cache", folder.name, "toy_procedural.html", "x"]


def test_command_on_questions_of_no_benchmark(tmp_path: Path) -> None:
    folder = write([toy.hue(0)], tmp_path / "mine")
    assert showing.run(str(folder), None, 20, tmp_path / "p.html") == 0
    shown = Page((tmp_path / "p.html").read_text()).shown
    assert "Which is red" in shown
    assert "the <second> & last" in shown


def test_command_on_a_folder_that_is_not_as_it_was_written(tmp_path: Path) -> None:
    folder = toy.build(tmp_path / "made")
    (folder / "data").joinpath("test-00000-of-00001.parquet").write_bytes(b"cut")
    with pytest.raises(DataError, match=r"made is not as it was written: data/test-00000-of-00001.parquet has SHA-256"):
        showing.run(str(folder), None, 20, tmp_path / "p.html")


def test_an_answer_type_that_nobody_knows_is_told(tmp_path: Path) -> None:
    about = About("toy", "Toy", "", "1-A", toy.VARIANT.name, "procedural")
    folder = write([replace(toy.hue(0), answer_type="foo")], tmp_path / "mine", about)
    with pytest.raises(
        DataError, match=f"{toy.hue(0).id}: answer type 'foo', so that toy cannot ask it; expected option"
    ):
        showing.run(str(folder), None, 20, tmp_path / "p.html")


@pytest.mark.parametrize("source", ["folder", "data"])
def test_a_folder_is_not_replaced_by_a_page(source: str, tmp_path: Path) -> None:
    folder = write([toy.hue(0)], tmp_path / "data")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/thesis.tex").write_text("all")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(CogsightError, match=r"Is a directory.*choose another place with --out"):
        showing.run(str(folder), None, 20, tmp_path / source)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("what", "task", "said"),
    [
        (
            "toy_procedura",
            None,
            "no dataset folder, benchmark or variant 'toy_procedura'; did you mean toy_procedural? known: toy_procedural",
        ),
        ("nowhere/at/all", None, "no dataset folder, benchmark or variant 'nowhere/at/all'; known: toy_procedural"),
        ("toy_procedural", "", "--tasks '': no task is named; leave it out for all tasks"),
        ("toy_procedural", "hue,ordre", "no task 'ordre' in toy_procedural; did you mean order? known: hue, order"),
    ],
)
def test_unknown_names(what: str, task: str | None, said: str, tmp_path: Path) -> None:
    with pytest.raises(CogsightError) as caught:
        showing.run(what, task, 20, tmp_path / "p.html")
    assert str(caught.value) == said
    assert not (tmp_path / "p.html").exists()

"""The generated set, and what the tasks drawn on flat panels must do at every level."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256

import pytest
from golden import golden_pixels
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from puzzles import puzzles

from cogsight.shared.build import Job, is_proved, make
from cogsight.shared.errors import UnprovedKey
from cogsight.shared.sample import Sample
from cogsight.spatialviz.generate import DATA_VERSION, GENERATORS, RENDER_VERSION, VERSIONS
from cogsight.spatialviz.generate.options import Option, arrange
from cogsight.spatialviz.generate.sheet import MARGIN, TITLE_SPACE, Panel, sheet
from cogsight.spatialviz.taxonomy import LEVELS, PROCEDURAL_TASKS, TASKS

FLAT = (
    "rotation_2d",
    "paper_folding",
    "cube_unfolding",
    "cube_reconstruction",
    "arrow_moving",
    "block_moving",
    "mechanical_system",
)
CASES = [(task, level) for task in FLAT for level in GENERATORS[task].levels]
every_level = pytest.mark.parametrize(("task", "level"), CASES)


@cache
def made(task: str, level: str, index: int = 0) -> Sample:
    return make(Job(GENERATORS[task], "spatialviz", VERSIONS, 0, level, index))[0]


def test_the_set() -> None:
    assert tuple(GENERATORS) == PROCEDURAL_TASKS == tuple(task for task in TASKS if task in GENERATORS)
    assert {"data_version": DATA_VERSION, "render_version": RENDER_VERSION} == VERSIONS
    for name, generator in GENERATORS.items():
        task = TASKS[name]
        assert (generator.name, generator.category, generator.answer_type) == (name, task.category, task.answer_type)
        assert generator.slots == 4
        assert list(generator.levels) == [str(level) for level in range(len(LEVELS[name]))][: len(generator.levels)]


@every_level
def test_samples_are_whole(task: str, level: str) -> None:
    generator = GENERATORS[task]
    for index in range(3):
        sample = made(task, level, index)
        metadata = json.loads(sample.metadata)
        state = generator.parse(metadata["state"])
        assert str(state) == metadata["state"]
        assert generator.solve(state) == {sample.answer}
        assert generator.draw(state) == sample.images and len(sample.images) == 1 == len(generator.alt(state))
        assert list(sample.explanation) == list(sample.choices) == list("ABCD")
        assert [letter for letter, why in sample.explanation.items() if why.startswith("Right")] == [sample.answer]
        assert metadata["config"] and {key: metadata[key] for key in VERSIONS} == VERSIONS


@every_level
def test_no_other_key_is_let_through(task: str, level: str) -> None:
    sample = made(task, level)
    state = GENERATORS[task].parse(json.loads(sample.metadata)["state"])
    wrong = next(letter for letter in "ABCD" if letter != sample.answer)
    with pytest.raises(UnprovedKey, match=f"the key is {wrong}, but {sample.answer} fits"):
        is_proved(GENERATORS[task], state, wrong)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(CASES), st.integers(0))
def test_the_text_of_a_state_is_the_state(case: tuple[str, str], seed: int) -> None:
    generator = GENERATORS[case[0]]
    (puzzle,) = puzzles(generator, case[1], 1, seed)
    again = generator.parse(str(puzzle.state))
    assert again == puzzle.state and str(again) == str(puzzle.state)
    assert puzzle.key in generator.solve(again)


@pytest.mark.parametrize(
    ("name", "digest"), [row for row in golden_pixels("spatialviz") if row[0].split(" ")[1] in FLAT]
)
def test_golden_pixels(name: str, digest: str) -> None:
    """The same seed gives the same pixels; a change needs a new RENDER_VERSION or DATA_VERSION."""
    _, task, level, index = name.split(" ")
    assert sha256(made(task, level, int(index)).images[0].open().tobytes()).hexdigest() == digest


def test_every_level_has_a_golden_hash() -> None:
    named = {tuple(name.split(" ")[1:3]) for name, _ in golden_pixels("spatialviz")}
    assert set(CASES) <= named


def test_options_stand_where_they_should() -> None:
    right, wrong = Option("right", "Right."), [Option(f"wrong {n}", "Wrong.") for n in range(3)]
    for slot in range(4):
        assert arrange(right, wrong, slot).things.index("right") == slot
    none = arrange(None, wrong, 3, none=True)
    assert none.things == ("wrong 0", "wrong 1", "wrong 2")
    assert none.explanation["D"].startswith("Right") and none.explanation["A"] == "Wrong."
    with pytest.raises(ValueError, match="2 wrong options: too few for 4 figures"):
        arrange(right, wrong[:2], 0)
    with pytest.raises(ValueError, match="slot 1: the right option is missing"):
        arrange(None, wrong, 1)


def test_a_sheet_keeps_its_panels_pixels_in_rows() -> None:
    colors = [(200, 0, 0), (0, 200, 0), (0, 0, 200)]
    red, green, blue = (
        Panel("A long title"[: 3 * n], Image.new("RGB", (30 * n, 20), c)) for n, c in enumerate(colors, 1)
    )
    page = sheet([[red, green], [blue]]).open()
    counts = {color: count for count, color in page.getcolors(1 << 16) or []}
    assert [counts[color] for color in colors] == [600, 1200, 1800]
    assert page.crop((0, 0, page.width, MARGIN)).getcolors() == [(page.width * MARGIN, (255, 255, 255))]
    row = MARGIN + TITLE_SPACE + 10
    assert {(200, 0, 0), (0, 200, 0)} <= set(page.crop((0, row, page.width, row + 1)).get_flattened_data())

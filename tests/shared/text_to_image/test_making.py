"""Pictures of motifs: each appears whole, what is there is not made again, and a folder is of one recipe."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from cogsight.shared.errors import CogsightError, DataError
from cogsight.shared.text_to_image.making import ABOUT, PLAN, Folder, chosen, make, plan, read
from cogsight.shared.text_to_image.motifs import Motif, Recipe

MOTIFS = (Motif("one_fox_reading", "One fox reading", "fox"), Motif("two_dogs_walking", "Two dogs walking", "dog"))
RECIPE = Recipe(per_motif=3, size=8)


class Painter:
    """Paints the seed as a colour, and stops after some pictures, as a killed run does."""

    def __init__(self, stops_after: int = 1000) -> None:
        self.asked: list[tuple[str, tuple[int, ...]]] = []
        self._left = stops_after

    def __call__(self, prompt: str, seeds: Sequence[int]) -> list[Image.Image]:
        self.asked.append((prompt, tuple(seeds)))
        self._left -= len(seeds)
        if self._left < 0:
            raise KeyboardInterrupt
        return [Image.new("RGB", (8, 8), tuple(seed.to_bytes(4, "big")[:3])) for seed in seeds]


def planned(path: Path, **changes: object) -> Folder:
    return plan(path, "toy", MOTIFS, replace(RECIPE, **changes), {"device": "cpu"})


def made(folder: Folder, painter: Painter, batch: int = 1) -> list[str]:
    return [one.file for one in make(folder.path, folder.missing, painter, batch)]


def names(folder: Folder) -> set[str]:
    return {path.name for path in folder.path.iterdir()}


def test_all_are_made_and_the_plan_tells_each_seed(tmp_path: Path) -> None:
    folder, painter = planned(tmp_path / "out"), Painter()
    files = [motif.file(n) for motif in MOTIFS for n in range(3)]
    assert made(folder, painter) == files
    assert names(folder) == {*files, ABOUT, PLAN}
    rows = list(csv.DictReader((folder.path / PLAN).open()))
    assert [row["file"] for row in rows] == files
    for row, (prompt, (seed,)) in zip(rows, painter.asked, strict=True):
        assert (row["prompt"], int(row["seed"])) == (prompt, seed)
        assert Image.open(folder.path / row["file"]).getpixel((0, 0)) == tuple(seed.to_bytes(4, "big")[:3])
    assert len({row["seed"] for row in rows}) == 6
    about = json.loads((folder.path / ABOUT).read_text())
    assert about["recipe"]["guidance"] == 8.0
    assert about["device"] == "cpu"


def test_a_stopped_run_goes_on_and_leaves_nothing_half(tmp_path: Path) -> None:
    folder = planned(tmp_path / "out")
    with pytest.raises(KeyboardInterrupt):
        made(folder, Painter(stops_after=4))
    first = {name: (folder.path / name).read_bytes() for name in names(folder)}
    assert len(first) == 4 + 2
    left = folder.path / f".{folder.missing[0].file}~1-dead"  # what kill -9 leaves
    left.write_bytes(b"half a picture")
    painter = Painter()
    assert made(planned(tmp_path / "out"), painter) == ["two_dogs_walking_1.png", "two_dogs_walking_2.png"]
    assert len(painter.asked) == 2
    assert not left.exists()
    assert all((folder.path / name).read_bytes() == data for name, data in first.items())
    assert made(planned(tmp_path / "out"), painter) == []


def test_batches_are_of_one_prompt_and_change_no_seed(tmp_path: Path) -> None:
    one, two = Painter(), Painter()
    made(planned(tmp_path / "a"), one)
    made(planned(tmp_path / "b"), two, batch=2)
    assert [len(seeds) for _, seeds in two.asked] == [2, 1, 2, 1]
    assert [seed for _, seeds in one.asked for seed in seeds] == [seed for _, seeds in two.asked for seed in seeds]


@pytest.mark.parametrize("changes", [{"guidance": 7.5}, {"seed": 1}, {"per_motif": 4}, {"model": "other"}])
def test_a_folder_is_of_one_recipe(changes: dict[str, object], tmp_path: Path) -> None:
    planned(tmp_path / "out")
    with pytest.raises(DataError, match=r"holds pictures of toy, Recipe.*choose another folder"):
        planned(tmp_path / "out", **changes)


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(DataError, match="is not empty"):
        planned(tmp_path)
    with pytest.raises(DataError, match="no folder of pictures made by `cogsight images make`"):
        read(tmp_path)


def test_parts_by_group_or_name(tmp_path: Path) -> None:
    folder = planned(tmp_path / "out")
    assert [one.file for one in chosen(folder.planned, ["fox"])] == [MOTIFS[0].file(n) for n in range(3)]
    assert [one.file for one in chosen(folder.planned, ["two_*_0.png", "*_2.png"])] == [
        "one_fox_reading_2.png",
        "two_dogs_walking_0.png",
        "two_dogs_walking_2.png",
    ]
    assert chosen(folder.planned, []) == list(folder.planned)
    with pytest.raises(DataError, match="named like wolf"):
        chosen(folder.planned, ["wolf"])


def test_a_seed_depends_on_nothing_but_its_picture() -> None:
    recipe = Recipe(seed=7)
    assert recipe.seed_of(MOTIFS[0], 2) == replace(recipe, per_motif=5, guidance=1).seed_of(MOTIFS[0], 2)
    assert recipe.seed_of(MOTIFS[0], 2) != recipe.seed_of(MOTIFS[1], 2)
    assert 0 <= recipe.seed_of(MOTIFS[0], 2) < 2**32


def test_sizes_that_the_model_cannot_make() -> None:
    with pytest.raises(CogsightError, match="a multiple of 8"):
        Recipe(size=100)

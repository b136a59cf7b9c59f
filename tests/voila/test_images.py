"""Image sources: folders of files with names of many shapes, and no picture twice in a question."""

from __future__ import annotations

from pathlib import Path

import fake_voila
import pytest

from cogsight.shared.errors import CogsightError, DataError
from cogsight.shared.sample import Picture
from cogsight.voila.images import ALL_SCENES, PATTERN, DrawnImages, FolderImages, choose, file_name, scene_of_name
from cogsight.voila.rules import Scene
from cogsight.voila.words import parse_scenes

SCENES = parse_scenes("one cat reading; one cat ice-skating; two senior men reading")


def test_official_names_are_read_back() -> None:
    assert [scene_of_name(file_name(scene, 25111)) for scene in ALL_SCENES] == list(ALL_SCENES)


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("two_senior_men_playing_soccer_01.png", PATTERN),
        ("two_senior men_playing soccer_.JPG", PATTERN),
        ("deep/er/TWO_senior-men_playing-soccer_x.jpeg", PATTERN),
        ("2 senior man playing soccer.png", "{number} {subject} {action}"),
        ("playing_soccer/senior_man/2/0007.png", "{action}/{subject}/{number}/*"),
        ("run 3, two senior men playing soccer (4).png", "*, {number} {subject} {action} (*)"),
    ],
)
def test_other_patterns(name: str, pattern: str) -> None:
    assert scene_of_name(name, pattern) == Scene(2, "senior man", "playing soccer")


@pytest.mark.parametrize(
    "name", ["five_cats_reading_1.png", "two_cats_flying_1.png", "two_cats_reading.png", "notes.png"]
)
def test_names_of_no_scene(name: str) -> None:
    assert scene_of_name(name) is None


@pytest.mark.parametrize(
    "pattern", ["{number}_{subject}", "*", "{number}{subject}{action}{action}", "{count}_{subject}_{action}"]
)
def test_a_pattern_names_each_property_once(pattern: str) -> None:
    with pytest.raises(CogsightError, match="each once"):
        scene_of_name("two_cats_reading_1.png", pattern)


def test_a_folder(tmp_path: Path) -> None:
    fake_voila.write_pictures(tmp_path / "Test_Images", SCENES, variations=3)
    (tmp_path / "cover.png").write_bytes(b"?")
    (tmp_path / "two_cats_reading_1.txt").write_bytes(b"?")
    found = FolderImages(tmp_path)
    assert found.unread == ["cover.png"]
    assert len(found.missing) == 728 - 3
    assert [found.variations(scene) for scene in SCENES] == [3, 3, 3]
    assert found.picture(SCENES[2], 1) == Picture(fake_voila.png(SCENES[2], 1)) == found.named(file_name(SCENES[2], 1))
    assert found.named("nothing.png") is None


def test_what_a_folder_lacks(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no picture of a scene"):
        FolderImages(tmp_path)
    fake_voila.write_pictures(tmp_path, SCENES[:2])
    with pytest.raises(
        DataError, match=r"no picture of two senior men reading .726 of 728 scenes have none: one cat playing"
    ):
        choose(FolderImages(tmp_path), SCENES, 0)


def test_no_picture_twice_in_a_question(tmp_path: Path) -> None:
    fake_voila.write_pictures(tmp_path, SCENES)
    same = fake_voila.png(SCENES[0])
    (tmp_path / file_name(SCENES[2], 0)).write_bytes(same)
    with pytest.raises(DataError, match="two senior men reading: its only picture"):
        choose(FolderImages(tmp_path), SCENES, 0)
    (tmp_path / file_name(SCENES[2], 1)).write_bytes(fake_voila.png(SCENES[2]))
    for seed in range(20):
        assert len({picture.data for picture in choose(FolderImages(tmp_path), SCENES, seed)}) == 3


def test_choices_follow_the_names(tmp_path: Path) -> None:
    source = FolderImages(fake_voila.write_pictures(tmp_path, SCENES, variations=4))
    chosen = {seed: choose(source, SCENES, seed, "x") for seed in range(40)}
    assert chosen == {seed: choose(source, SCENES, seed, "x") for seed in range(40)}
    for image in range(3):
        assert len({pictures[image].data for pictures in chosen.values()}) == 4


def test_drawn_scenes() -> None:
    pytest.importorskip("cogsight.voila.generate.scenes")
    chosen = choose(DrawnImages(), SCENES, 0)
    assert chosen == choose(DrawnImages(), SCENES, 0) != choose(DrawnImages(), SCENES, 1)
    assert len({picture.data for picture in chosen}) == 3
    assert {picture.open().mode for picture in chosen} == {"RGB"}

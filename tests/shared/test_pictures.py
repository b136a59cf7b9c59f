"""Pictures that models made: each kept once, read only when asked for, and never from anywhere else."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
import toy

from cogsight.shared.errors import DataError
from cogsight.shared.judge.query import Query
from cogsight.shared.pictures import LARGEST, Gallery, PictureFile, is_picture
from cogsight.shared.results import Asked, RunInfo, open_run, start
from cogsight.shared.sample import Picture, Reply

RED, BLUE = toy.picture("red"), toy.picture("blue")
INFO = RunInfo("toy", "1-A", "toy", "1", "1", "none 1", "model")


def test_each_is_kept_once_and_read_when_asked_for(tmp_path: Path) -> None:
    gallery = Gallery(tmp_path / "pictures")
    names = [gallery.keep(picture) for picture in (RED, BLUE, RED)]
    assert names[0] == names[2] != names[1]
    assert len(list(gallery.folder.iterdir())) == 2
    found = gallery.get(names[0])
    assert found.data == RED.data
    assert found == gallery.get(names[0]) != gallery.get(names[1])
    assert pickle.loads(pickle.dumps(found)).data == RED.data
    assert found.open().size == RED.open().size
    assert (
        Query("voila_image", "", {}, pictures=(found,)).digest == Query("voila_image", "", {}, pictures=(RED,)).digest
    )
    found.path.unlink()
    with pytest.raises(DataError, match="cannot be read"):
        _ = found.data


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "a" * 64 + ".png", "x.png", f"/{'a' * 64}.png"])
def test_only_its_own_names_lead_to_a_picture(name: str, tmp_path: Path) -> None:
    (tmp_path / "x.png").write_bytes(RED.data)
    with pytest.raises(DataError, match="no picture"):
        Gallery(tmp_path).get(name)


def test_from_one_gallery_to_another_without_a_second_copy(tmp_path: Path) -> None:
    one, other = Gallery(tmp_path / "one"), Gallery(tmp_path / "other")
    picture = one.get(one.keep(RED))
    name = other.keep(picture)
    assert other.get(name).data == RED.data
    assert (other.folder / name).stat().st_ino == picture.path.stat().st_ino


def test_a_run_keeps_the_pictures_of_its_replies(tmp_path: Path) -> None:
    run = start(tmp_path / "run", INFO)
    replies = {
        Asked("a"): Reply("Look!", images=(RED, BLUE)),
        Asked("b"): Reply("No."),
        Asked("c"): Reply("", images=(RED,)),
    }
    for asked, reply in replies.items():
        run.append(asked, reply)
    found = open_run(tmp_path / "run").replies()
    assert [[picture.data for picture in reply.images] for reply in found.values()] == [
        [RED.data, BLUE.data],
        [],
        [RED.data],
    ]
    assert all(isinstance(picture, PictureFile) for picture in found[Asked("a")].images)
    run.write_replies(found)
    assert open_run(tmp_path / "run").replies() == found
    assert len(list((tmp_path / "run" / "pictures").iterdir())) == 2
    assert '"pictures"' not in (tmp_path / "run" / "replies.jsonl").read_text().splitlines()[1]


def test_a_reply_whose_picture_is_gone_is_lost_and_no_failure_of_the_model(tmp_path: Path) -> None:
    run = start(tmp_path / "run", INFO)
    run.append(Asked("a"), Reply("Look!", images=(RED,)))
    next((tmp_path / "run" / "pictures").iterdir()).unlink()
    reply = run.replies()[Asked("a")]
    assert (reply.text, reply.images) == (None, ())
    assert reply.error is not None
    assert "no picture" in reply.error


def test_what_is_no_picture() -> None:
    assert is_picture(RED.data)
    assert is_picture(b"\xff\xd8\xff\xe0")
    assert not is_picture(b"")
    assert not is_picture(b"<svg/>")
    assert not is_picture(RED.data + bytes(LARGEST))
    assert Picture(RED.data) != PictureFile(Path("x"))

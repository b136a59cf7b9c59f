"""LDraw files that are wrong, damaged or hostile: each is refused soon, by file and line."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ldraw_models import ARM, CUBE, TWO, UNIT, at, faces, read

from cogsight.lego_puzzles.generate.ldraw import LDrawError, load, mesh, text


@pytest.fixture(autouse=True)
def _no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LDRAWDIR", raising=False)


LONG = "9" * 60

ERRORS = {
    "unknown part": (at(4, 0, 0, 0, "none.dat"), r":1: 'none\.dat' is not in the file and LDRAWDIR is not set; .*LDRAWDIR"),
    "word for a number": (f"\n1 4 0 zero 0 {UNIT} cube.dat", r":2: 'zero' is no number"),
    "too many digits": (f"1 4 0 {LONG} 0 {UNIT} cube.dat", rf":1: '{LONG[:40]}' is no number"),
    "not a number": (f"1 4 0 nan 0 {UNIT} cube.dat", r":1: 'nan' is no number"),
    "infinite": (f"1 4 0 -inf 0 {UNIT} cube.dat", r":1: '-inf' is no number"),
    "python number": (f"1 4 0 1_0 0 {UNIT} cube.dat", r":1: '1_0' is no number"),
    "far away": (f"1 4 0 1e9 0 {UNIT} cube.dat", r":1: '1e9' is no number between"),
    "word for a matrix": ("1 4 0 0 0 1 0 0 0 x 0 0 0 1 cube.dat", r":1: 'x' is no number"),
    "singular": (at(4, 0, 0, 0, "cube.dat", "1 0 0 0 0 0 0 0 1"), r":1: the matrix 1 0 0 0 0 0 0 0 1 of cube\.dat is singular"),
    "nearly singular": (at(4, 0, 0, 0, "cube.dat", "1 0 0 1 1e-9 0 0 0 1"), r":1: the matrix .* is singular"),
    "short line": ("1 4 0 0 0 1 0 0 cube.dat", r":1: a line of type 1 has .* here are 8 words"),
    "short quad": (f"{TWO}\n{CUBE}4 16 0 0 0 1 1 1", r":16 \(cube\.dat\): a line of type 4 has a colour and 12 numbers; here are 7 words"),
    "line type": ("6 4 0 0 0", r":1: '6' is no line type"),
    "no colour": (f"1 red 0 0 0 {UNIT} cube.dat", r":1: 'red' is no colour"),
    "unknown colour": (at(7777, 0, 0, 0, "cube.dat"), r":1: colour 7777 is not defined; .*!COLOUR"),
    "unknown colour inside": (f"{TWO}\n{CUBE}2 8888 0 0 0 1 1 1", r":16 \(cube\.dat\): colour 8888 is not defined"),
    "bad colour": (f"0 !COLOUR Bad CODE 4 VALUE red EDGE #333333\n{TWO}", r":1: expected `0 !COLOUR"),
    "no edge": (f"0 !COLOUR Bad CODE 4 VALUE #112233\n{TWO}", r":1: expected `0 !COLOUR"),
    "a material's value": (f"0 !COLOUR Bad CODE 4 EDGE #112233 MATERIAL GLITTER VALUE #FFFFFF\n{TWO}", r":1: expected `0 !COLOUR"),
    "edge of nothing": (f"0 !COLOUR Bad CODE 4 VALUE #112233 EDGE 7777\n{TWO}", r":1: the edge of Bad is colour 7777"),
    "holds itself": (f"{at(4, 0, 0, 0, 'a.ldr')}\n0 FILE a.ldr\n{at(4, 0, 0, 0, 'b.ldr')}\n0 FILE b.ldr\n{at(4, 0, 0, 0, 'a.ldr')}\n", r":5 \(b\.ldr\): a file cannot hold itself: a\.ldr → b\.ldr → a\.ldr"),
    "part holds itself": (f"{at(4, 0, 0, 0, 'a.dat')}\n0 FILE a.dat\n{at(16, 0, 0, 0, 'a.dat')}\n", r":3 \(a\.dat\): a file cannot hold itself: a\.dat → a\.dat"),
    "main holds itself": (f"0 FILE m.ldr\n{at(4, 0, 0, 0, 'M.ldr')}\n", r":2 \(m\.ldr\): a file cannot hold itself: m\.ldr → m\.ldr"),
    "way up": (at(4, 0, 0, 0, "..\\..\\etc\\passwd"), r":1: '\.\./\.\./etc/passwd' leads out of the parts library"),
    "root": (at(4, 0, 0, 0, "/etc/passwd"), r":1: '/etc/passwd' leads out"),
    "drive": (at(4, 0, 0, 0, "c:\\part.dat"), r":1: 'c:/part\.dat' leads out"),
    "view": (f"{at(4, 0, 0, 0, 'cube.dat')}\n0 ROTSTEP 1 2", r":2: expected `0 ROTSTEP x y z`"),
    "view in words": (f"{at(4, 0, 0, 0, 'cube.dat')}\n0 ROTSTEP 1 2 up ABS", r":2: 'UP' is no number"),
    "how to view": (f"{at(4, 0, 0, 0, 'cube.dat')}\n0 ROTSTEP 1 2 3 SIDEWAYS", r":2: expected `0 ROTSTEP x y z`"),
    "unnamed section": ("0 FILE  ", r":1: `0 FILE` without a name"),
    "empty": ("", r":1: the model places no part"),
    "comments": ("0 hello\n0 STEP", r":2: the model places no part"),
    "a part": ("0 !LDRAW_ORG Part\n" + faces(), r": this is a part, or a model named like one"),
    "binary": ("0 a\0b", r": not a text file"),
}  # fmt: skip


@pytest.mark.parametrize(("content", "message"), ERRORS.values(), ids=ERRORS)
def test_errors_name_file_and_line(tmp_path: Path, content: str, message: str) -> None:
    rest = f"\n{CUBE}" if "cube.dat" in content and "FILE" not in content else ""
    with pytest.raises(LDrawError, match=rf"model\.mpd{message}"):
        read(tmp_path, content + rest)


def test_a_model_of_one_step_makes_no_puzzle(tmp_path: Path) -> None:
    whole = f"{at(4, 0, 0, 0, 'cube.dat')}\n0 STEP\n{CUBE}"
    assert len(read(tmp_path, whole).steps) == 1
    with pytest.raises(LDrawError, match=r"model\.mpd:2: 1 building step, and puzzles need 2: .*`0 STEP`"):
        load(tmp_path / "model.mpd")


@pytest.mark.parametrize(("name", "said"), [("none.ldr", "No such file"), (".", "Is a directory")])
def test_unreadable_files(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(LDrawError, match=said):
        load(tmp_path / name)


def test_a_library_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LDRAWDIR", str(tmp_path / "none"))
    with pytest.raises(LDrawError, match=r"none: no such folder; LDRAWDIR"):
        read(tmp_path, f"{TWO}\n{CUBE}")


# No model takes for ever


def tower(floors: int, width: int, ending: str) -> str:
    """Each floor places the next one `width` times."""
    lines = [at(4, 0, 0, 0, f"f0.{ending}")]
    for floor in range(floors):
        inner = f"f{floor + 1}.{ending}" if floor + 1 < floors else "cube.dat"
        lines += [f"0 FILE f{floor}.{ending}", *[at(16, 0, 0, 0, inner)] * width]
    return "\n".join(lines) + f"\n{CUBE}"


@pytest.mark.parametrize(
    ("bomb", "message"),
    [
        (tower(30, 10, "ldr"), r"the model comes to more than 300,000 parts"),
        (tower(30, 10, "dat"), r"the part comes to more than 1,000,000 triangles"),
        (tower(2000, 1, "ldr"), r"more than 40 files inside each other"),
        (tower(2000, 1, "dat"), r"more than 40 files inside each other"),
    ],
    ids=["parts", "triangles", "deep model", "deep part"],
)
def test_bombs_are_refused_soon(tmp_path: Path, bomb: str, message: str) -> None:
    start = time.process_time()
    with pytest.raises(LDrawError, match=rf"model\.mpd:\d+ \(f\d+\.\w+\): {message}"):
        read(tmp_path, bomb)
    assert time.process_time() - start < 10


@pytest.mark.parametrize(("limit", "what", "value"), [("MAX_ROWS", "part", 6), ("MAX_TOTAL", "model", 13)])
def test_limits_of_one_part_and_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, what: str, value: int
) -> None:
    """A cube is seven lines."""
    other = CUBE.replace("cube.dat", "other.dat")
    whole = f"{at(4, 0, 0, 0, 'cube.dat')}\n{at(4, 0, 0, 0, 'other.dat')}\n{CUBE}{other}"
    assert len(read(tmp_path, whole).parts) == 2
    monkeypatch.setattr(mesh, limit, value)
    with pytest.raises(LDrawError, match=f"the {what} comes to more than {value} triangles"):
        read(tmp_path, whole)


def test_a_file_may_be_long_but_not_endless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start = time.process_time()
    whole = f"0 {'x ' * 500_000}\n{TWO}\n" + "0 comment\n" * 200_000 + CUBE
    assert len(read(tmp_path, whole).steps) == 2
    assert time.process_time() - start < 10
    monkeypatch.setattr(text, "MAX_BYTES", 1 << 20)
    with pytest.raises(LDrawError, match=r"model\.mpd: more than 1 MiB"):
        read(tmp_path, whole)


GOOD = f"0 FILE m.ldr\n{at(4, 0, 0, 0, 'the arm.ldr')}\n0 ROTSTEP 1 2 3 ABS\n{TWO}\n{ARM}{CUBE}"


@given(st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_files_are_read_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    """Words of a good file are changed: no other error than LDrawError comes out."""
    words = GOOD.replace("\n", " \n ").split(" ")
    for _ in range(data.draw(st.integers(1, 4))):
        index = data.draw(st.integers(0, len(words) - 1))
        words[index] = data.draw(
            st.sampled_from(["", "0", "1", "-1", "16", "24", "x", "\n", "0 FILE", "STEP", "1e300", "cube.dat", "m.ldr"])
            | st.text(max_size=3)
        )
    try:
        model = read(tmp_path, " ".join(words).encode("utf-8", "replace").decode())
    except LDrawError as error:
        assert str(error).startswith(str(tmp_path))
    else:
        assert model.complete and np.isfinite(model.scene(model.complete).faces).all()

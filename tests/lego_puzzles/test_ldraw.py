"""LDraw files become models: sections, steps, sub-models, files found, colours, credits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from ldraw_models import ARM, CUBE, TWO, at, faces, read

from cogsight.lego_puzzles.generate.ldraw import LDrawError, Model, Rotation, load


@pytest.fixture(autouse=True)
def _no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LDRAWDIR", raising=False)


def places(model: Model, index: int) -> list[tuple[int, float, float, float]]:
    """Colour and position of what a step brings."""
    return [(part.color, *(float(value) for value in part.matrix[:, 3])) for part in model.steps[index].new]


# Sections and steps


@pytest.mark.parametrize(
    "whole",
    [
        f"{TWO}\n{CUBE}",
        f"0 FILE a.ldr\n{TWO}\n{CUBE}",
        f"0 a comment\n\n0 FILE a.ldr\n{TWO}\n0 NOFILE\n1 this is not read\n{CUBE}",
        f"0 FILE a.ldr\n{TWO}\n0 !DATA picture.png\n0 !: iVBORw0KGgo=\n{CUBE}",
        f"\ufeff0 FILE a.ldr\n{TWO}\n{CUBE}".replace("\n", "\r\n"),
        f"0 file A.LDR\n{TWO}\n{CUBE}".replace("\n", "\r").replace("STEP", "step").replace(" ", "\t"),
    ],
    ids=["main first", "main is a section", "comment before, NOFILE", "DATA", "BOM, CRLF", "CR, tabs, small letters"],
)
def test_sections(tmp_path: Path, whole: str) -> None:
    model = read(tmp_path, whole)
    assert [places(model, index) for index in range(2)] == [[(4, 0, 0, 0)], [(1, 0, -2, 0)]]
    assert model.assemblies == ("",)


def test_what_is_left_aside_is_noticed(tmp_path: Path) -> None:
    model = read(tmp_path, f"{TWO}\n0 !DATA x.png\n0 !: AAAA\n{CUBE}{CUBE}0 FILE none.dat\n")
    assert [notice.split(": ")[0].rpartition("model.mpd")[2] for notice in model.notices] == [":4", ":18"]
    assert "embedded data 'x.png' are ignored" in model.notices[0]
    assert "a second `0 FILE cube.dat`" in model.notices[1]


def test_steps_without_parts_are_no_steps(tmp_path: Path) -> None:
    model = read(
        tmp_path, f"0 STEP\n{at(4, 9, 0, 0, 'cube.dat')}\n0 Step by step\n{TWO}\n0 STEP // now\n0 STEP\n{CUBE}"
    )
    assert [step.line for step in model.steps] == [2, 6]


def test_states_grow(tmp_path: Path) -> None:
    model = read(tmp_path, f"{TWO}\n0 STEP\n{at(1, 0, -4, 0, 'cube.dat')}\n{CUBE}")
    assert [len(model.state(index)) for index in range(3)] == [1, 2, 3]
    assert model.complete == model.state(2) == model.state(-1)
    assert [model.new_kinds(index) for index in range(3)] == [("cube.dat",), ("cube.dat",), ()]
    assert model.bounds(model.complete).tolist() == [[-1, -5, -1], [1, 1, 1]]
    with pytest.raises(IndexError):
        model.state(3)


def test_views_are_recorded(tmp_path: Path) -> None:
    """A ROTSTEP turns the step that it ends and those after, until the next or END."""
    ends = [
        "ROTSTEP 10 20 0 REL",
        "STEP",
        "ROTSTEP 5 0 0 ADD",
        "ROTSTEP 0 90 0 ABS",
        "rotstep 1 1 1 add",
        "ROTSTEP END",
    ]
    model = read(
        tmp_path, "\n".join(f"{at(4, 0, 2 * i, 0, 'cube.dat')}\n0 {end}" for i, end in enumerate(ends)) + "\n" + CUBE
    )
    assert [step.rotation for step in model.steps] == [
        Rotation(10, 20, 0, absolute=False),
        Rotation(10, 20, 0, absolute=False),
        Rotation(15, 20, 0, absolute=False),
        Rotation(0, 90, 0, absolute=True),
        Rotation(1, 91, 1, absolute=True),
        None,
    ]


def test_what_a_buffer_takes_away_is_no_part(tmp_path: Path) -> None:
    lines = [
        at(4, 0, 0, 0, "cube.dat"),
        "0 BUFEXCHG A STORE",
        at(14, 9, 9, 9, "cube.dat"),
        "0 STEP",
        "0 BUFEXCHG A RETRIEVE",
    ]
    model = read(tmp_path, "\n".join([*lines, at(1, 0, -2, 0, "cube.dat")]) + "\n" + CUBE)
    assert [places(model, index) for index in range(2)] == [[(4, 0, 0, 0)], [(1, 0, -2, 0)]]
    assert "1 lines that are taken away" in model.notices[0]


# Sub-models

TURNED = "0 0 1 0 1 0 -1 0 0"


def test_a_submodel_is_built_then_attached(tmp_path: Path) -> None:
    main = [
        at(4, 0, 0, 0, "cube.dat"),
        "0 STEP",
        at(1, 0, -8, 0, "THE arm.LDR", TURNED),
        at(14, 9, 0, 0, "the arm.ldr"),
    ]
    model = read(tmp_path, "\n".join([*main, "0 STEP", at(5, 0, 0, 40, "the arm.ldr")]) + f"\n{ARM}{CUBE}")
    assert [(step.assembly, len(step.new), len(step.attached)) for step in model.steps] == [
        ("", 1, 0),
        ("the arm.ldr", 1, 0),
        ("the arm.ldr", 1, 0),
        ("", 4, 2),
        ("", 2, 1),
    ]
    assert places(model, 1) == [(1, 1, 0, 0)], "on its own page in the colour of its first use"
    assert places(model, 3) == [(1, 0, -8, -1), (2, 3, -8, 0), (14, 10, 0, 0), (2, 9, 0, 3)]
    assert {part.submodels for part in model.steps[3].new} == {("the arm.ldr",)}
    assert len(model.state(2)) == 2 and len(model.state(3)) == 5
    assert model.assemblies == ("the arm.ldr", "")


def test_a_submodel_of_one_step_has_no_page_but_those_inside_it_have(tmp_path: Path) -> None:
    pair = "\n".join(["0 FILE pair.ldr", at(16, 0, 0, 0, "the arm.ldr"), at(16, 0, 0, 9, "cube.dat"), ""])
    main = "\n".join([at(4, 0, 0, 0, "cube.dat"), "0 STEP", at(1, 0, -8, 0, "pair.ldr")])
    model = read(tmp_path, f"{main}\n{pair}{ARM}{CUBE}")
    assert [step.assembly for step in model.steps] == ["", "the arm.ldr", "the arm.ldr", ""]
    assert [part.submodels for part in model.steps[3].new] == [("pair.ldr", "the arm.ldr")] * 2 + [("pair.ldr",)]


def test_a_main_model_that_only_places_one_submodel_stands_for_it(tmp_path: Path) -> None:
    model = read(tmp_path, f"{at(7, 0, 0, 5, 'the arm.ldr', TURNED)}\n{ARM}{CUBE}")
    assert [step.assembly for step in model.steps] == ["", ""]
    assert [places(model, index) for index in range(2)] == [[(7, 0, 0, 4)], [(2, 3, 0, 5)]]


def test_what_a_model_draws_itself_is_a_part(tmp_path: Path) -> None:
    model = read(tmp_path, f"{at(4, 0, 0, 0, 'cube.dat')}\n0 STEP\n{faces(14)}\n{CUBE}")
    (part,) = model.steps[1].new
    assert (part.part, len(model.parts[part.part].mesh.faces)) == ("model:3", 12)
    assert "taken as a part" in model.notices[0]


@pytest.mark.parametrize(
    ("section", "pieces"),
    [
        ("0 FILE x.dat\n0 !LDRAW_ORG Unofficial_Shortcut", 1),
        ("0 FILE x.dat", 1),
        ("0 FILE x.dat\n0 !LDRAW_ORG Model", 2),
        ("0 FILE x.ldr\n0 !LDRAW_ORG Unofficial_Part", 1),
        ("0 FILE x.ldr", 2),
        ("0 FILE x", 2),
    ],
)
def test_what_is_one_piece(tmp_path: Path, section: str, pieces: int) -> None:
    name = section.split()[2]
    inside = f"{section}\n{at(16, 0, 0, 0, 'cube.dat')}\n{at(16, 2, 0, 0, 'cube.dat')}\n"
    model = read(tmp_path, f"{at(4, 0, 0, 0, name)}\n{at(4, 0, 5, 0, 'cube.dat')}\n{inside}{CUBE}")
    assert len(model.complete) == pieces + 1


# Where files are found


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A parts library in which each file is somewhere else."""
    files = {
        "Parts/3001.dat": f"0 Brick\n0 !LDRAW_ORG Part\n0 BFC CERTIFY CCW\n{at(16, 0, 0, 0, 's' + chr(92) + '3001S01.dat')}",
        "Parts/S/3001s01.DAT": f"0 Half\n0 !LDRAW_ORG Subpart\n0 BFC CERTIFY CCW\n{at(16, 0, 0, 0, '48' + chr(92) + 'Box.dat')}",
        "p/48/box.dat": f"0 Box\n0 !LDRAW_ORG 48_Primitive\n0 BFC CERTIFY CCW\n{faces()}",
        "Unofficial/parts/u9001.dat": f"0 New\n0 !LDRAW_ORG Unofficial_Part\n{at(16, 0, 0, 0, '48/box.dat')}",
        "LDConfig.ldr": "0 !LDRAW_ORG Configuration\n0 !COLOUR Fresh CODE 9999 VALUE #010203 EDGE 4",
    }
    for name, content in files.items():
        path = tmp_path / "ldraw" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return tmp_path / "ldraw"


PLAIN = "\n".join(
    [at(9999, 0, 0, 0, "3001.DAT"), "0 STEP", at(4, 0, 4, 0, "u9001.dat"), at(4, 0, 8, 0, "parts/3001.dat")]
)


@pytest.mark.parametrize("how", ["argument", "environment"])
def test_parts_library(tmp_path: Path, library: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    if how == "environment":
        monkeypatch.setenv("LDRAWDIR", str(library))
    model = read(tmp_path, PLAIN, name="m.ldr", ldraw_dir=library if how == "argument" else None)
    assert list(model.parts) == ["3001.dat", "unofficial/parts/u9001.dat"]
    assert [len(part.mesh.faces) for part in model.parts.values()] == [12, 12]
    assert [part.mesh.certified.all() for part in model.parts.values()] == [True, False]
    assert model.palette.rgba(9999) == (1, 2, 3, 255) and model.palette.rgba(~9999) == (0xC9, 0x1A, 0x09, 255)


def test_files_beside_the_model_win_over_the_library(tmp_path: Path, library: Path) -> None:
    (tmp_path / "3001.dat").write_text("0 Mine\n3 16 0 0 0 1 0 0 0 1 0")
    (tmp_path / "arm.ldr").write_text(
        f"{at(16, 0, 0, 0, '3001.dat')}\n0 STEP\n{at(16, 0, 1, 0, 'inner.ldr')}\n0 FILE inner.ldr\n{at(4, 0, 0, 0, '3001.dat')}"
    )
    model = read(tmp_path, at(1, 0, 0, 0, "Arm.ldr"), name="m.ldr", ldraw_dir=library)
    assert [len(step.new) for step in model.steps] == [1, 1]
    assert [part.title for part in model.parts.values()] == ["Mine"]


def test_a_packed_part_is_found_without_its_folder(tmp_path: Path) -> None:
    model = read(tmp_path, f"{TWO}\n{CUBE}".replace("0 FILE cube.dat", "0 FILE parts/cube.dat"))
    assert list(model.parts) == ["cube.dat"]


def test_a_link_out_of_the_library_is_not_followed(tmp_path: Path, library: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "secret.dat").write_text("0 Secret\n3 16 0 0 0 1 0 0 0 1 0")
    (library / "parts2.dat").symlink_to(tmp_path / "elsewhere" / "secret.dat")
    with pytest.raises(LDrawError, match=r"m\.ldr:1: 'parts2\.dat' is not in the file nor in"):
        read(tmp_path, at(4, 0, 0, 0, "parts2.dat"), name="m.ldr", ldraw_dir=library)


# Colours and credits


def test_colours(tmp_path: Path) -> None:
    own = "0 !COLOUR Mint CODE 4 VALUE #102030 EDGE #405060 ALPHA 99 MATERIAL GLITTER VALUE #FFFFFF FRACTION 0.1 SIZE 1"
    part = f"0 FILE two.dat\n0 !LDRAW_ORG Part\n{faces(16)}\n{faces(24)}\n{faces('0x2ABCDEF')}\n{faces(40)}\n{at(24, 9, 0, 0, 'cube.dat')}\n"
    model = read(
        tmp_path, f"{own}\n{at(4, 0, 0, 0, 'two.dat')}\n0 STEP\n{at('0x3112233', 0, 0, 0, 'two.dat')}\n{part}{CUBE}"
    )
    first, second = (model.scene(model.steps[index].new) for index in range(2))
    edge, trans_black = (0x40, 0x50, 0x60, 255), (0x63, 0x5F, 0x52, 128)
    expected = [(0x10, 0x20, 0x30, 99), edge, (0xAB, 0xCD, 0xEF, 255), trans_black, edge]
    assert [tuple(row) for row in first.face_rgba[::12]] == expected
    assert [tuple(row) for row in second.face_rgba[::12]] == [
        (0x11, 0x22, 0x33, 128),
        (0x59, 0x59, 0x59, 255),
        *expected[2:4],
        (0x59, 0x59, 0x59, 255),
    ]
    assert tuple(first.edge_rgba[0]) == edge
    assert (model.palette.color(4).name, model.palette.color(4).finish) == ("Mint", "glitter")


def test_colours_before_the_first_section(tmp_path: Path) -> None:
    model = read(
        tmp_path, f"0 hello\n0 !COLOUR Mint CODE 4 VALUE #102030 EDGE #405060\n0 FILE m.ldr\n0 Car\n{TWO}\n{CUBE}"
    )
    assert (model.title, model.palette.rgba(4)) == ("Car", (0x10, 0x20, 0x30, 255))


def test_scene_says_which_part_a_triangle_is_of(tmp_path: Path) -> None:
    model = read(tmp_path, f"{TWO}\n{CUBE}")
    scene = model.scene(model.complete)
    assert scene.face_owner.tolist() == [0] * 12 + [1] * 12 and scene.edge_owner.tolist() == [0, 1]
    assert scene.faces[12:].min(axis=(0, 1)).tolist() == [-1, -3, -1] and scene.conditionals.shape == (0, 4, 3)
    assert [tuple(row) for row in np.unique(scene.face_rgba, axis=0)] == [(0, 0x55, 0xBF, 255), (0xC9, 0x1A, 0x09, 255)]
    assert model.scene([]).faces.shape == (0, 3, 3)


def test_credits(tmp_path: Path) -> None:
    config = "0 LDraw.org Configuration File\n0 Author: LDraw.org\n0 !LDRAW_ORG Configuration UPDATE 2017-12-15\n"
    head = "0 My  car\n0 Author: Ånne [a]\n0 !LICENSE Licensed under CC BY 4.0\n"
    model = read(tmp_path, f"{config}{head}{TWO}\n0 FILE unused.dat\n0 Author: Nobody\n{CUBE}")
    assert (model.title, model.authors, model.licences) == (
        "My car",
        ("Ånne [a]", "Cuber"),
        ("Licensed under CC BY 4.0",),
    )
    assert [(credit.name, credit.is_model) for credit in model.credits] == [("model.mpd", True), ("cube.dat", False)]
    assert model.parts["cube.dat"].title == "Cube 1 x 1"


def test_latin_1(tmp_path: Path) -> None:
    path = tmp_path / "old.mpd"
    path.write_bytes(f"0 Author: Jörg\n{TWO}\n{CUBE}".encode("latin-1"))
    assert load(path).authors == ("Jörg", "Cuber")

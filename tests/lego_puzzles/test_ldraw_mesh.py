"""The shapes of LDraw parts: winding, quads, lines; and the real models, against a second, plain reading of them."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from ldraw_models import CUBE, REAL, at, faces, read, volume

from cogsight.lego_puzzles.generate.ldraw import LDrawError, Mesh, load


@pytest.fixture(autouse=True)
def _no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LDRAWDIR", raising=False)


def mesh(folder: Path, *lines: str) -> Mesh:
    """Of a part with these lines; it may place cube.dat."""
    part = "\n".join(["0 FILE part.dat", "0 !LDRAW_ORG Part", *lines])
    return read(folder, f"{at(4, 0, 0, 0, 'part.dat')}\n{part}\n{CUBE}").parts["part.dat"].mesh


CCW, CW = faces(), faces(clockwise=True)
MIRROR, TWICE, TURN = "-1 0 0 0 1 0 0 0 1", "-1 0 0 0 -1 0 0 0 1", "0 0 1 1 0 0 0 1 0"
PLACED = at(16, 0, 0, 0, "cube.dat")

BFC = {
    "counter-clockwise is the default": (["0 BFC CERTIFY", CCW], 8, True),
    "clockwise": (["0 BFC CERTIFY CW", CW], 8, True),
    "changes on the way": (["0 BFC CERTIFY CCW", "0 BFC CW", CW, "0 BFC CCW", CCW], 16, True),
    "any BFC line certifies": (["0 BFC CW", CW], 8, True),
    "small letters": (["0 bfc certify cw", CW], 8, True),
    "not certified": ([CCW], 8, False),
    "refused": (["0 BFC NOCERTIFY", CCW], 8, False),
    "too late to certify": ([CCW, "0 BFC CERTIFY CCW", CCW], 16, False),
    "clipping off": (["0 BFC CERTIFY CCW", "0 BFC NOCLIP", CCW], 8, False),
    "clipping off and on": (["0 BFC CERTIFY CCW", "0 BFC NOCLIP", "0 BFC CLIP CW", CW], 8, True),
    "placed": (["0 BFC CERTIFY CW", PLACED], 8, True),
    "placed in a file that is not certified": ([PLACED], 8, False),
    "turned": (["0 BFC CERTIFY CCW", at(16, 0, 0, 0, "cube.dat", TURN)], 8, True),
    "mirrored": (["0 BFC CERTIFY CCW", at(16, 5, 0, 0, "cube.dat", MIRROR)], 8, True),
    "mirrored twice": (["0 BFC CERTIFY CCW", at(16, 0, 0, 0, "cube.dat", TWICE)], 8, True),
    "inside out": (["0 BFC CERTIFY CCW", "0 BFC INVERTNEXT", "0 // a hole", PLACED], -8, True),
    "inside out once": (["0 BFC CERTIFY CCW", "0 BFC INVERTNEXT", PLACED, PLACED, PLACED], 8, True),
    "inside out and mirrored": (["0 BFC CERTIFY CCW", "0 BFC INVERTNEXT", at(16, 0, 0, 0, "cube.dat", MIRROR)], -8, True),
    "stretched": (["0 BFC CERTIFY CCW", at(16, 0, 0, 0, "cube.dat", "1 0 0 0 -3 0 0 0 2")], 48, True),
}  # fmt: skip


@pytest.mark.parametrize(("lines", "size", "certified"), BFC.values(), ids=BFC)
def test_winding(tmp_path: Path, lines: list[str], size: float, certified: bool) -> None:
    shape = mesh(tmp_path, *lines)
    assert volume(shape) == pytest.approx(size)
    assert set(shape.certified.tolist()) == {certified}


def test_a_mirrored_part_keeps_its_outside(tmp_path: Path) -> None:
    """Parts are turned right by `scene` too."""
    model = read(tmp_path, f"{at(4, 9, 0, 0, 'cube.dat', MIRROR)}\n{CUBE}")
    a, b, c = model.scene(model.complete).faces.transpose(1, 0, 2)
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6 == pytest.approx(8)


@pytest.mark.parametrize(
    ("corners", "area", "certified"),
    [
        ("0 0 0  2 0 0  2 2 0  0 2 0", 4, True),
        ("0 0 0  4 0 0  1 1 0  0 4 0", 4, True),
        ("4 0 0  1 1 0  0 4 0  0 0 0", 4, True),
        ("0 0 0  2 0 0  0 2 0  2 2 0", 4, False),
        ("0 0 0  2 2 0  2 0 0  0 2 0", 4, False),
        ("0 0 0  2 0 0  2 2 0  2 2 0", 2, True),
        ("0 0 0  1 0 0  2 0 0  3 0 0", 0, True),
    ],
    ids=["square", "dent", "dent, other start", "crosswise", "crosswise, other way", "triangle", "line"],
)
def test_quads(tmp_path: Path, corners: str, area: float, certified: bool) -> None:
    shape = mesh(tmp_path, "0 BFC CERTIFY CCW", f"4 16 {corners}", "3 16 0 0 0 1 0 0 0 1 0")
    a, b, c = shape.faces.points[: -0 or None].transpose(1, 0, 2)
    normals = np.cross(b - a, c - a)
    assert np.abs(normals[:, 2]).sum() / 2 == pytest.approx(area + 0.5)
    assert len({float(np.sign(z)) for z in normals[1:, 2]}) <= 1, "both look the same way"
    assert bool(shape.certified.all()) == certified


def test_lines(tmp_path: Path) -> None:
    shape = mesh(
        tmp_path, "2 24 0 0 0 1 2 3", "2 4 0 0 0 0 0 1", "5 24 0 0 0 0 1 0 1 0 0 0 0 1", at(1, 0, 10, 0, "cube.dat")
    )
    assert shape.edges.points.tolist() == [[[0, 0, 0], [1, 2, 3]], [[0, 0, 0], [0, 0, 1]], [[-1, 9, -1], [1, 9, -1]]]
    assert shape.edges.colors.tolist() == [~16, 4, ~1]
    assert shape.conditionals.points.tolist() == [[[0, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]]]
    assert len(shape) == 12 + 3 + 1


def test_a_part_may_hold_something_flat(tmp_path: Path) -> None:
    """Old parts flatten primitives; the winding cannot be known then, and it is noticed."""
    flat = at(16, 0, 0, 0, "cube.dat", "1 0 0 0 0 0 0 0 1")
    model = read(tmp_path, f"{at(4, 0, 0, 0, 'part.dat')}\n0 FILE part.dat\n0 BFC CERTIFY CCW\n{flat}\n{CUBE}")
    shape = model.parts["part.dat"].mesh
    assert len(shape.faces) == 4 and not shape.certified.any()
    assert model.notices == (f"{tmp_path / 'model.mpd'}:4 (part.dat): the matrix flattens cube.dat",)


def test_a_part_may_not_hold_a_point(tmp_path: Path) -> None:
    with pytest.raises(
        LDrawError, match=r"model\.mpd:4 \(part\.dat\): the matrix 1 0 0 1 0 0 1 0 0 of cube\.dat is singular"
    ):
        mesh(tmp_path, at(16, 0, 0, 0, "cube.dat", "1 0 0 1 0 0 1 0 0"))


def test_a_part_that_draws_nothing_is_noticed(tmp_path: Path) -> None:
    model = read(tmp_path, f"{at(4, 0, 0, 0, 'part.dat')}\n{at(4, 0, 0, 0, 'cube.dat')}\n0 FILE part.dat\n{CUBE}")
    assert model.notices == (f"{tmp_path / 'model.mpd'} (part.dat): this part draws nothing",)
    assert model.bounds(model.complete).tolist() == [[-1, -1, -1], [1, 1, 1]]
    with pytest.raises(ValueError, match="no bounds"):
        model.bounds(model.complete[:1])


# The real models

needs_real = pytest.mark.skipif(not REAL.is_dir(), reason="needs ../shared/data/ldraw beside the checkout")

FILES = sorted(REAL.glob("*.mpd"))

STEPS = {
    "30051": {
        "30051 - nose.ldr": [1, 2],
        "30051 - engine.ldr": [1, 1, 3],
        "30051 - lower-left wing.ldr": [2, 2],
        "30051 - upper-right wing.ldr": [4, 1],
        "30051 - lower-right wing.ldr": [2, 2],
        "30051 - upper-left wing.ldr": [4, 1],
        "": [1, 2, 2, 1, 2, 3, 4, 3, 3, 2, 20, 9, 9],
    },
    "4838": {
        "4838 - front assembly.ldr": [2, 1, 4],
        "4838 - car.ldr": [1, 1, 1, 3, 3, 9],
        "": [2, 3, 2, 3, 6, 4, 3, 1, 7, 2, 4, 4, 2, 2, 2, 4, 10, 18],
    },
    "4918": {
        "4918 - mini flyers - side.ldr": [1, 1, 1, 1],
        "4918 - mini flyers - nose.ldr": [1, 1, 1],
        "4918 - mini flyers - tail.ldr": [1, 1, 1, 2, 2, 3, 4],
        "": [2, 2, 2, 2, 3, 2, 2, 4, 3, 4, 3, 2, 3, 2, 2, 1, 2, 2, 1, 2, 14, 2, 4, 4, 4, 1],
    },
    "6966": {
        "6966 - part 1.ldr": [3, 1, 2],
        "6966 - part 2.ldr": [3, 1, 5, 3],
        "6966 - part 3.ldr": [3, 1, 5, 3],
        "": [3, 2, 1, 2, 7, 12, 12],
    },
}
"""Set → assembly → parts per step, counted in the files by hand."""


def stated(path: Path) -> dict[str, str]:
    """What SOURCES.txt says about a file."""
    block = (REAL / "SOURCES.txt").read_text().split(f"== {path.name}\n")[1].split("\n==")[0]
    parts = re.search(r"steps \d+ parts (\d+)", block)
    assert parts
    return {"parts": parts[1], **dict(line.strip().split(": ", 1) for line in block.splitlines() if ": " in line)}


@needs_real
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name[:5])
def test_real_steps_and_credits(path: Path) -> None:
    model, known = load(path), stated(path)
    counts = {name: [len(step.new) for step in model.steps if step.assembly == name] for name in model.assemblies}
    assert counts == STEPS[path.name.split("-")[0]]
    assert len(model.complete) == int(known["parts"])
    assert model.notices == ()
    authors = [known["model authors"], known["part/primitive authors"].removesuffix(", [PTadmin]")]
    assert set(model.authors) - {"[PTadmin]"} == {name for line in authors for name in line.split(", ")}
    assert model.licences == ("Redistributable under CCAL version 2.0 : see CAreadme.txt",)


@needs_real
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name[:5])
def test_real_parts_have_an_outside(path: Path) -> None:
    """All are certified, so what they enclose is positive: one primitive turned the wrong way would take its part out of it."""
    for part in load(path).parts.values():
        assert part.mesh.certified.all() and volume(part.mesh) > 0, part.name
        low, high = part.mesh.faces.points.min(axis=(0, 1)), part.mesh.faces.points.max(axis=(0, 1))
        assert volume(part.mesh) < np.prod(high - low), part.name


def plain_triangles(path: Path) -> np.ndarray:  # type: ignore[type-arg]
    """All triangles of the finished model, by walking down the lines one by one."""
    files: dict[str, list[list[str]]] = {"": []}
    name = ""
    for line in path.read_text().splitlines():
        words = line.split()
        if words[:2] == ["0", "FILE"]:
            name = " ".join(words[2:]).lower()
            files[name] = []
        else:
            files[name].append(words)
    found = []

    def walk(name: str, turn: np.ndarray, shift: np.ndarray) -> None:  # type: ignore[type-arg]
        for words in files[name]:
            if words[:1] == ["1"]:
                x = np.array(words[2:14], float)
                walk(" ".join(words[14:]).lower(), turn @ x[3:].reshape(3, 3), turn @ x[:3] + shift)
            elif words[:1] in (["3"], ["4"]):
                corners = np.array(words[2:14], float).reshape(-1, 3) @ turn.T + shift
                found.extend(corners[[0, i, i + 1]] for i in range(1, len(corners) - 1))

    walk("", np.eye(3), np.zeros(3))
    return np.array(found)


def spots(triangles: np.ndarray) -> Counter[tuple[float, ...]]:  # type: ignore[type-arg]
    """How often there is a triangle with this centre and this area, LDU, rounded; those without area are left out."""
    area = np.linalg.norm(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1) / 2
    rows = np.column_stack([triangles.mean(axis=1), area])[area > 1e-6]
    return Counter(map(tuple, (np.round(rows + 1 / 3, 1) + 0.0).tolist()))


@needs_real
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name[:5])
def test_real_geometry_is_that_of_a_plain_reading(path: Path) -> None:
    model = load(path)
    ours, plain = spots(model.scene(model.complete).faces), spots(plain_triangles(path))
    assert ours.total() == plain.total() > 20_000
    assert (ours - plain).total() < 10, "but for some that fall on the border of rounding"


@needs_real
def test_a_real_file_cut_short_is_refused(tmp_path: Path) -> None:
    """Anywhere: it lacks parts then, or a line is broken."""
    whole = FILES[0].read_text()
    for share in (0.2, 0.5, 0.9):
        with pytest.raises(LDrawError, match=r"model\.mpd:\d+"):
            read(tmp_path, whole[: int(len(whole) * share)])

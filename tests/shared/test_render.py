"""The painter: right against an independent ray caster, the same pixels everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import combinations
from math import sqrt
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt
import pytest
from brick_models import heap
from golden import golden_pixels
from PIL import Image

from cogsight.shared.render import painter
from cogsight.shared.render.painter import Arrow, Box, Face, Frame, face_image, fit, paint, project, survey
from cogsight.shared.render.palette import ARROWS, EDGE, MARK, PALETTE, PAPER, shade

Floats = npt.NDArray[np.float64]
SS = painter.SUPERSAMPLING


def pixels(image: Image.Image) -> npt.NDArray[np.int64]:
    return np.asarray(image).astype(np.int64)


def ray_cast(boxes: Sequence[Box], frame: Frame, faces: list[Face]) -> npt.NDArray[np.int64]:
    """Number of the face (as `face_image` counts them) that each pixel's ray meets first, 0 for none.

    Knows nothing of painting: shoots a ray through the middle of each pixel and compares distances to boxes and stud cylinders.
    """
    side, unit = frame.size * SS, painter.SCALE_UNIT / frame.scale
    px = np.arange(side) + 0.5
    u, v = np.meshgrid((px - frame.left) * unit, (px - frame.top) * unit)
    # A point on the ray in the plane z = 0, and the way towards the viewer, along which u and v stay: (1, 1, 2B/C).
    start = np.stack([(v / painter.B + u / painter.A) / 2, (v / painter.B - u / painter.A) / 2, np.zeros_like(u)])
    way = np.array([1.0, 1.0, 2 * painter.B / painter.C])
    nearest, hit = np.full(u.shape, -np.inf), np.zeros(u.shape, np.int64)
    number = {face: n for n, face in enumerate(faces, 1)}
    filled = {cell for box in boxes for cell in box.cells()}
    for box in boxes:
        low, high = np.array([box.x, box.y, box.z]), np.array([box.x + box.w, box.y + box.d, box.z + box.h])
        enter = ((low[:, None, None] - start) / way[:, None, None]).max(0)
        leave = (high[:, None, None] - start) / way[:, None, None]
        depth, axis = leave.min(0), leave.argmin(0)
        seen = (depth > enter) & (depth > nearest)
        nearest[seen] = depth[seen]
        inside = start + (depth - 1e-9) * way[:, None, None]
        for row, column in np.argwhere(seen):
            cell = np.floor(inside[:, row, column]).astype(int).tolist()
            hit[row, column] = number.get(Face(*cell, ("right", "left", "top")[axis[row, column]]), -1)
        for x, y, z in box.cells():
            if z == box.z + box.h - 1 and (x, y, z + 1) not in filled:
                depth = _stud_depth(start, way, x + 0.5, y + 0.5, z + 1.0)
                seen = depth > nearest
                nearest[seen] = depth[seen]
                hit[seen] = number.get(Face(x, y, z, "top"), -1)
    return hit


def _stud_depth(start: Floats, way: Floats, x: float, y: float, z: float) -> Floats:
    """How far along the ray it leaves the cylinder towards the viewer; -inf where it misses."""
    radius, height = painter.STUD_RADIUS_U / (painter.A * sqrt(2)), painter.STUD_HEIGHT / painter.C
    dx, dy = start[0] - x, start[1] - y
    half_b, c = (dx * way[0] + dy * way[1]) / 2, (dx * dx + dy * dy - radius * radius) / 2
    root = np.sqrt(np.maximum(half_b * half_b - c, 0))
    enter = np.maximum(-half_b - root, (z - start[2]) / way[2])
    leave = np.minimum(-half_b + root, (z + height - start[2]) / way[2])
    return np.where((half_b * half_b > c) & (leave > enter), leave, -np.inf)


@pytest.mark.parametrize("seed", range(6))
def test_agrees_with_a_ray_caster(seed: int) -> None:
    """Mixed heights, on which sorting whole boxes fails. Borders may lie a pixel off; slivers thinner than that may be lost."""
    boxes = heap(Random(seed), 14)
    frame = fit([boxes], size=80, margin=2)
    image, faces = face_image(boxes, frame=frame, step=1)
    painted = pixels(image) @ np.array([65536, 256, 1])
    cast = ray_cast(boxes, frame, faces)
    padded = np.pad(cast, 1)
    rows, columns = cast.shape
    near = [padded[i : i + rows, j : j + columns] == painted for i in range(3) for j in range(3)]
    assert (painted > 0).mean() > 0.1
    assert int((~np.logical_or.reduce(near)).sum()) <= SLIVERS
    assert (painted != cast).mean() < 0.05


SLIVERS = 3
"""Pixels, of 102,400."""


def test_the_ray_caster_would_see_a_wrong_order(monkeypatch: pytest.MonkeyPatch) -> None:
    in_order = painter._in_order
    monkeypatch.setattr(painter, "_in_order", lambda boxes, owner: in_order(boxes, owner)[::-1])
    with pytest.raises(AssertionError):
        test_agrees_with_a_ray_caster(0)


def test_corners_that_meet_in_a_picture_meet_in_space() -> None:
    """The solver of Height leans on this: no step along the line of sight within 16 studs ends on a lattice point again."""
    assert not [(k, n) for k in range(1, 17) for n in range(100) if 2 * painter.B * k == painter.C * n]
    cells = [(x, y, z) for x in range(9) for y in range(9) for z in range(16)]
    assert len({project(*cell) for cell in cells}) == len(cells)


def test_order_of_the_boxes_does_not_matter() -> None:
    boxes = list(heap(Random(3), 12))
    frame = fit([boxes], size=128)
    first = paint(boxes, frame=frame).tobytes()
    Random(1).shuffle(boxes)
    assert paint(boxes, frame=frame).tobytes() == first


def test_cuts_are_not_seen_and_edges_are() -> None:
    """A smooth 4x3x3 block: inside its faces one colour each, black on every outer edge."""
    box = Box(0, 0, 0, 4, 3, 3, "red", studs=False)
    frame = fit([[box]], size=300)
    image = paint([box], frame=frame)

    def at(x: float, y: float, z: float) -> tuple[int, ...]:
        u, v = (x - y) * painter.A, (x + y) * painter.B - z * painter.C
        return image.getpixel(tuple(value // SS for value in frame.at((round(u), round(v)))))  # type: ignore[return-value]

    red = PALETTE["red"]
    inner = [0.5, 1.0, 1.5, 2.0, 2.5]
    assert {at(x, y, 3) for x in inner for y in inner} == {red}
    assert {at(4, y, z) for y in inner for z in inner} == {shade(red, painter.SIDES["right"].light)}
    assert {at(x, 3, z) for x in inner for z in inner} == {shade(red, painter.SIDES["left"].light)}
    for x, y, z in [(2, 0, 3), (0, 1.5, 3), (4, 3, 1.5), (4, 1.5, 3), (2, 3, 3), (4, 1.5, 0), (4, 0, 1.5), (2, 3, 0)]:
        assert sum(at(x, y, z)) < sum(red) * 0.6, (x, y, z)


def test_everything_lies_inside_the_margin() -> None:
    for seed in range(8):
        boxes = heap(Random(seed), 9)
        drawn = (pixels(paint(boxes, frame=fit([boxes], size=200, margin=20))) != PAPER).any(2)
        rows, columns = np.flatnonzero(drawn.any(1)), np.flatnonzero(drawn.any(0))
        assert min(rows[0], columns[0]) >= 18
        assert max(rows[-1], columns[-1]) <= 181


def test_scenes_that_share_a_frame_line_up() -> None:
    small, tower = Box(0, 0, 0, 2, 2, 1, "blue"), Box(6, 0, 0, 1, 1, 9, "red")
    shared = fit([[small], [small, tower]], size=200)
    alone, both = (pixels(paint(boxes, frame=shared)) for boxes in ([small], [small, tower]))
    blue = (alone != PAPER).any(2)
    assert (alone[blue] == both[blue]).all()
    assert fit([[small]], size=200) != shared


def test_one_small_part_does_not_fill_the_picture() -> None:
    assert fit([[Box(0, 0, 0, 1, 1, 1, "red")]], size=400, max_pitch=40).scale == 40 * SS * painter.SCALE_UNIT // 99


def test_survey_measures_what_is_seen() -> None:
    low, wall = Box(0, 0, 0, 2, 2, 1, "blue"), Box(2, 0, 0, 1, 2, 6, "red")
    frame = fit([[low, wall]], size=200)
    bare, hidden = survey([low], frame=frame), survey([low, wall], frame=frame)
    assert set(bare) == {Face(x, y, 0, "top") for x in (0, 1) for y in (0, 1)} | {
        *(Face(1, y, 0, "right") for y in (0, 1)),
        *(Face(x, 1, 0, "left") for x in (0, 1)),
    }
    assert min(bare.values()) >= 70  # a stud in front hides some of a top
    assert not [face for face in hidden if face.x == 1 and face.side == "right"]
    assert all(hidden.get(face, 0) <= percent for face, percent in bare.items())
    covering = [Arrow(project(1, 1, 1), (0, -1000), "red")]
    assert sum(survey([low], frame=frame, arrows=covering).values()) < sum(bare.values())


def test_marks_and_arrows() -> None:
    box = Box(0, 0, 0, 2, 1, 1, "green")
    frame = fit([[box]], size=200, margin=60)
    plain = paint([box], frame=frame)
    marked = paint([box], frame=frame, marked=[(1, 0, 0)])
    assert MARK in {color for _, color in marked.getcolors(9999) or ()}
    assert MARK not in {color for _, color in plain.getcolors(9999) or ()}
    pointed = paint([box], frame=frame, arrows=[Arrow(project(1, 0, 1), (0, -1000), "blue")])
    x, y = (value // SS for value in frame.at(project(1, 0, 1)))
    assert pointed.getpixel((x, y - 12)) == ARROWS["blue"]
    assert pixels(pointed)[y + 3 :].tolist() == pixels(plain)[y + 3 :].tolist()


def test_boxes_must_not_overlap_and_must_be_possible() -> None:
    with pytest.raises(ValueError, match=r"both fill cell \(1, 0, 0\)"):
        paint([Box(0, 0, 0, 2, 1, 1, "red"), Box(1, 0, 0, 1, 1, 1, "blue")], frame=Frame(10, 100, 0, 0))
    with pytest.raises(ValueError, match="colours are red"):
        Box(0, 0, 0, 1, 1, 1, "octarine")
    with pytest.raises(ValueError, match="sizes start at 1"):
        Box(0, 0, 0, 1, 0, 1, "red")
    with pytest.raises(ValueError, match="nothing to frame"):
        fit([[]], size=10)


def lab(color: tuple[int, int, int]) -> Floats:
    """CIE L*a*b* under D65."""
    linear = np.array([c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in np.array(color) / 255])
    matrix = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(matrix @ linear / np.array([0.9505, 1.0, 1.089]))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_colours_are_told_apart() -> None:
    """A difference of 2.3 is just noticeable; printed instructions keep theirs an order of magnitude further apart."""
    distances = {
        (one, other): float(np.linalg.norm(lab(PALETTE[one]) - lab(PALETTE[other])))
        for one, other in combinations(PALETTE, 2)
    }
    closest = min(distances, key=distances.__getitem__)
    assert distances[closest] >= 25, (closest, distances[closest])
    assert min(np.linalg.norm(lab(MARK) - lab(color)) for color in PALETTE.values()) >= 50


@pytest.mark.parametrize(("name", "expected"), golden_pixels("scene"))
def test_golden_pixels(name: str, expected: str) -> None:
    boxes = heap(Random(int(name.rpartition(" ")[2])), 20)
    frame = fit([boxes], size=256)
    arrow = Arrow(project(2, 2, 6), (-707, -707), "red")
    image = paint(boxes, frame=frame, marked=[next(boxes[-1].cells())], arrows=[arrow])
    assert sha256(image.tobytes()).hexdigest() == expected


def test_a_changed_edge_changes_the_golden_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(painter, "EDGE_WIDTH", 5)
    name, expected = golden_pixels("scene")[0]
    with pytest.raises(AssertionError):
        test_golden_pixels(name, expected)


def test_a_box_without_studs_has_none() -> None:
    box = Box(0, 0, 0, 2, 2, 1, "yellow")
    frame = fit([[box]], size=120)
    with_studs, smooth = (paint([b], frame=frame) for b in (box, replace(box, studs=False)))
    assert (pixels(with_studs) == EDGE).all(2).sum() > (pixels(smooth) == EDGE).all(2).sum() * 1.5


def test_render_imports_pillow_only() -> None:
    source = Path(painter.__file__).read_text()
    assert "numpy" not in source

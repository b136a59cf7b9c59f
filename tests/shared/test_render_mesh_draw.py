"""What pictures of meshes look like: lines, outlines, glass, light and shadow; the same pixels on every run."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from random import Random
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
import pytest
from brick_models import heap
from golden import golden_pixels
from mesh_scenes import at, brick_mesh

from cogsight.shared.render import draw as drawing
from cogsight.shared.render.camera import Camera, Frame, fit, project
from cogsight.shared.render.compiled import compiled
from cogsight.shared.render.draw import INSTRUCTION, PHOTO, Style, draw, survey
from cogsight.shared.render.edges import outlined
from cogsight.shared.render.mesh import Mesh, edge_color, join
from cogsight.shared.render.palette import PALETTE
from cogsight.shared.render.solids import box, cylinder, prism

Pixels = npt.NDArray[np.int64]
CAMERA = Camera(40, 30)
BARE = replace(INSTRUCTION, line_width=0.0)
RED, BLUE = PALETTE["red"], PALETTE["blue"]
STYLES = {"instruction": INSTRUCTION, "photo": PHOTO}


def pixels(scene: Mesh, camera: Camera, frame: Frame, style: Style) -> Pixels:
    return np.asarray(draw(scene, camera=camera, frame=frame, style=style)).astype(np.int64)


def framed(scene: Mesh, camera: Camera = CAMERA, size: int = 160) -> Frame:
    return fit(scene.points(), cameras=[camera], size=size, margin=12)


def without_lines(scene: Mesh) -> Mesh:
    return replace(
        scene,
        edges=scene.edges[:0],
        edge_colors=scene.edge_colors[:0],
        conditionals=scene.conditionals[:0],
        conditional_colors=scene.conditional_colors[:0],
    )


def inked(scene: Mesh, camera: Camera, frame: Frame) -> npt.NDArray[np.bool_]:
    """Pixels that lines change."""
    lined, bare = (pixels(one, camera, frame, INSTRUCTION) for one in (scene, without_lines(scene)))
    changed: npt.NDArray[np.bool_] = (lined != bare).any(2)
    return changed


def grown(area: npt.NDArray[np.bool_], by: int) -> npt.NDArray[np.bool_]:
    """With every pixel at most so many pixels away, in rows and columns."""
    padded = np.pad(area, by)
    steps = range(2 * by + 1)
    rows, columns = area.shape
    return np.logical_or.reduce([padded[i : i + rows, j : j + columns] for i in steps for j in steps])


def test_a_cube_shows_nine_edges_whole_and_nothing_of_three() -> None:
    cube = box(2, 2, 2).placed(np.eye(4), color=RED)
    frame = framed(cube)
    image = pixels(cube, CAMERA, frame, INSTRUCTION)
    hidden_corner = np.zeros(3)
    hidden = [(edge == hidden_corner).all(1).any() for edge in cube.edges]
    assert sum(hidden) == 3
    for edge in cube.edges[~np.array(hidden)]:
        for t in np.linspace(0, 1, 200):
            x, y, _ = project(edge[0] + t * (edge[1] - edge[0]), camera=CAMERA, frame=frame)
            around = image[int(y - 0.5) : int(y + 1.5), int(x - 0.5) : int(x + 1.5)]
            assert around.sum(2).min() < 0.6 * sum(RED), (edge, t)
    fewer = replace(cube, edges=cube.edges[~np.array(hidden)], edge_colors=cube.edge_colors[~np.array(hidden)])
    assert (pixels(fewer, CAMERA, frame, INSTRUCTION) == image).all()


@pytest.mark.parametrize("size", [120, 480])
def test_lines_have_one_width_at_any_size(size: int) -> None:
    cube = box(2, 2, 2).placed(np.eye(4), color=(255, 255, 255))
    camera = Camera(0, 0)
    frame = Frame(size, size / 4, (1, 1, 1))
    row = pixels(cube, camera, frame, INSTRUCTION)[size // 2].sum(1)[: size // 2]
    face = row[-1]
    ink = ((face - row) / face)[size // 4 : size // 4 + 4].sum() + ((765 - row) / 765)[size // 4 - 4 : size // 4].sum()
    assert ink == pytest.approx(INSTRUCTION.line_width, abs=0.25)


EDGE_ON = [5.625 + 11.25 * k for k in range(0, 32, 3)]
"""Degrees from which two facets of a cylinder of 32 sides are seen exactly edge-on."""


@pytest.mark.parametrize("azimuth", [0, 17, 90, 200, *EDGE_ON])
def test_a_cylinder_is_outlined_twice_and_has_no_other_upright_line(azimuth: float) -> None:
    tube = cylinder(1, 0, 4).placed(np.eye(4), color=(255, 255, 255))
    camera, frame = Camera(azimuth, 0), Frame(100, 20, (0, 0, 2))
    ink = inked(tube, camera, frame)[40:60]
    columns = np.flatnonzero(ink.all(0))
    for side, expected in ((columns[columns < 50], 30), (columns[columns >= 50], 70)):
        assert 1 <= len(side) <= 3
        assert abs(side + 0.5 - expected).min() <= 0.7
    assert not ink[:, 33:67].any()


def test_outlines_where_a_face_is_seen_exactly_edge_on() -> None:
    octagon = [(2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)]
    tube = outlined(prism(octagon, 0, 4), crease=50).placed(np.eye(4), color=(255, 255, 255))
    ink = inked(tube, Camera(0, 0), Frame(100, 20, (0, 0, 2)))[40:60]
    assert [ink[:, column : column + 3].any(1).all() for column in (8, 48, 88)] == [True, False, True]


def test_every_line_has_its_own_colour() -> None:
    tube = cylinder(1, 0, 4)
    outer = np.abs(tube.conditionals[:, 0, 0]) > 0.9
    painted = replace(
        tube.placed(np.eye(4), color=(255, 255, 255)),
        edge_colors=np.tile(np.array([0, 0, 255, 255], np.uint8), (len(tube.edges), 1)),
        conditional_colors=np.where(outer[:, None], (255, 0, 0, 255), (0, 255, 0, 255)).astype(np.uint8),
    )
    image = pixels(painted, Camera(107, 0), Frame(100, 20, (0, 0, 2)), INSTRUCTION)
    upright, rim = image[50, 28:32], image[8:12, 50]
    assert max(red - blue for red, _, blue in upright.tolist()) > 150
    assert not (image[:, :, 1] > image[:, :, 0] + 30).any()
    assert max(blue - red for red, _, blue in rim.tolist()) > 150


def test_steep_faces_keep_their_lines() -> None:
    """A wall seen almost edge-on, against the floor: the line between them is as dark as ever."""
    scene = join([box(4, 4, 0.2), box(0.2, 4, 2).placed(at(0, 0, 0.2))]).placed(np.eye(4), color=BLUE)
    camera = Camera(88.5, 12)
    frame = framed(scene, camera)
    image = pixels(scene, camera, frame, INSTRUCTION)
    places = project([(0.2, y, 0.2) for y in np.linspace(0.3, 3.7, 60)], camera=camera, frame=frame)
    darkest = [image[int(y) - 1 : int(y) + 2, int(x) - 1 : int(x) + 2].sum(2).min() for x, y, _ in places]
    assert max(darkest) < 150


def test_lines_of_dark_parts_are_lighter() -> None:
    assert sum(edge_color((5, 19, 29))) > sum((5, 19, 29)) + 150
    assert sum(edge_color((255, 255, 255))) < 100


def test_no_ink_without_lines() -> None:
    cube = without_lines(box(2, 2, 2).placed(np.eye(4), color=RED))
    frame = framed(cube)
    assert (pixels(cube, CAMERA, frame, INSTRUCTION) == pixels(cube, CAMERA, frame, BARE)).all()


def glass(alpha: int, color: tuple[int, int, int] = (255, 255, 255), part: int = 1) -> Mesh:
    """A pane in front of the camera at azimuth 0."""
    return box(0.2, 4, 4).placed(at(5, -1, -1), color=color, alpha=alpha, part=part)


def test_glass_tints_once_whatever_its_thickness_and_order() -> None:
    back = box(1, 2, 2).placed(np.eye(4), color=RED, part=0)
    camera, frame = Camera(0, 0), Frame(60, 10, (3, 1, 1))
    plain, behind = (
        pixels(scene, camera, frame, BARE)[30, 30] for scene in (back, join([back, glass(100, (0, 0, 0))]))
    )
    assert np.abs(behind - plain * (1 - 100 / 255)).max() <= 1
    for order in ([glass(100, (0, 0, 0)), back], [back, glass(100, (0, 0, 0))]):
        assert (pixels(join(order), camera, frame, BARE)[30, 30] == behind).all()
    from_behind = pixels(join([back, glass(100)]), Camera(180, 0), frame, BARE)
    assert (from_behind[30, 30] == pixels(back, Camera(180, 0), frame, BARE)[30, 30]).all()


def test_panes_lie_over_each_other_from_back_to_front() -> None:
    front = glass(128, (255, 0, 0), 1)
    rear = glass(128, (0, 0, 255), 2).placed(at(-3, 0, 0))
    camera, frame = Camera(0, 0), Frame(60, 10, (3, 1, 1))
    for order in ([front, rear], [rear, front]):
        red, _, blue = pixels(join(order), camera, frame, BARE)[30, 30]
        assert red > blue + 50
        red, _, blue = pixels(join(order), Camera(180, 0), frame, BARE)[30, 30]
        assert blue > red + 50


def test_lines_are_seen_through_glass_but_paler() -> None:
    back = box(1, 2, 2).placed(np.eye(4), color=(255, 255, 255), part=0)
    pane = without_lines(glass(128))
    camera, frame = Camera(0, 0), Frame(60, 10, (3, 1, 1))
    open_air, behind = (pixels(scene, camera, frame, INSTRUCTION).sum(2)[30] for scene in (back, join([back, pane])))
    line = slice(18, 23)
    assert open_air[line].min() + 150 < behind[line].min() < open_air[30] - 150
    in_front = join([without_lines(back), glass(128)])
    edge = pixels(in_front, camera, frame, INSTRUCTION).sum(2)[30]
    assert edge[8:12].min() < 330


@pytest.mark.parametrize("name", STYLES)
def test_paper_is_white_far_from_the_model_and_the_model_is_not_cut(name: str) -> None:
    scene = brick_mesh(heap(Random(1), 12))
    image = pixels(scene, CAMERA, framed(scene), STYLES[name])
    assert (image[:10] == 255).all()
    assert (image[:, :8] == 255).all()
    assert (image != 255).any(2).mean() > 0.15


def test_shadow_falls_on_the_ground_beside_the_model_and_only_in_photos() -> None:
    tower = box(1, 1, 4).placed(np.eye(4), color=RED)
    frame = fit(np.array([(-4, -4, 0), (5, 5, 4.0)]), cameras=[CAMERA], size=160, margin=5)
    paper = survey(tower, camera=CAMERA, frame=frame) < 0
    dark = {name: pixels(tower, CAMERA, frame, style).sum(2) < 660 for name, style in STYLES.items()}
    assert (dark["photo"] & paper).sum() > 150
    foot = project((0.5, 0.5, 0), camera=CAMERA, frame=frame)
    _, columns = np.nonzero(dark["photo"] & paper)
    assert columns.mean() > foot[0] + 10  # the sun stands on the left
    assert not (dark["instruction"] & ~grown(~paper, 2)).any()


@pytest.mark.parametrize("azimuth", [30, 48, 75])
def test_a_bare_surface_has_no_shadow_of_its_own(azimuth: int) -> None:
    """Not even along the edge between the two triangles that it is made of, which lights see at any angle."""
    flat, camera = without_lines(box(6, 6, 0.5).placed(np.eye(4), color=RED)), Camera(azimuth, 90)
    frame = framed(flat, camera)
    top = survey(flat, camera=camera, frame=frame) == 0
    inner = top & np.roll(top, 6, 0) & np.roll(top, -6, 0) & np.roll(top, 6, 1) & np.roll(top, -6, 1)
    assert inner.sum() > 5000
    assert len(np.unique(pixels(flat, camera, frame, PHOTO)[inner], axis=0)) == 1


def test_shadow_does_not_tell_from_where_the_picture_was_taken() -> None:
    """The light goes with the camera: a model that looks the same from two sides gives the same picture from both."""
    tower = join([box(2, 2, 1), box(1, 1, 3).placed(at(0.5, 0.5, 1))]).placed(at(-1, -1, 0), color=BLUE)
    frame = Frame(120, 18, (0, 0, 1))
    one, other = (pixels(tower, Camera(azimuth, 30), frame, PHOTO) for azimuth in (25, 115))
    assert np.abs(one - other).mean() < 0.2
    assert (np.abs(one - other).max(2) > 24).mean() < 0.002


def test_what_stands_below_is_darker_and_open_tops_are_not() -> None:
    floor = box(8, 8, 1).placed(np.eye(4), color=(200, 200, 200), part=0)
    roof = box(8, 8, 0.2).placed(at(0, 0, 3), color=(200, 200, 200), part=1)
    camera = Camera(40, 20)
    frame = framed(join([floor, roof]), camera)
    shaded = survey(join([floor, roof]), camera=camera, frame=frame) == 0
    bare, covered = (pixels(scene, camera, frame, PHOTO).sum(2) for scene in (floor, join([floor, roof])))
    x, y, _ = project((5, 5, 1), camera=camera, frame=frame)
    assert shaded[int(y), int(x)]
    assert covered[int(y), int(x)] < 0.75 * bare[int(y), int(x)]


def test_a_surface_does_not_shade_itself() -> None:
    """Flat and round surfaces in full sun have no specks."""
    ball = cylinder(3, 0, 1).placed(np.eye(4), color=(200, 200, 200))
    frame = framed(ball)
    image = pixels(without_lines(ball), CAMERA, frame, PHOTO).sum(2)
    x, y, _ = project((0, 0, 1), camera=CAMERA, frame=frame)
    middle = image[int(y) - 12 : int(y) + 12, int(x) - 30 : int(x) + 30]
    assert np.ptp(middle) <= 3


def test_below_the_horizon_there_is_no_ground() -> None:
    scene = box(2, 2, 2).placed(np.eye(4), color=RED)
    for camera in (Camera(40, 0), Camera(40, -30, 30), Camera(40, 3)):
        frame = framed(scene, camera)
        image = pixels(without_lines(scene), camera, frame, PHOTO)
        near = grown(survey(scene, camera=camera, frame=frame) >= 0, 1)
        assert (image[~near] == 255).all()


@pytest.mark.parametrize("name", STYLES)
def test_a_larger_picture_shows_the_same(name: str) -> None:
    scene = without_lines(brick_mesh(heap(Random(2), 12)))
    frame = framed(scene, size=120)
    twice = replace(frame, size=240, scale=frame.scale * 2)
    small, large = (pixels(scene, CAMERA, one, STYLES[name]) for one in (frame, twice))
    halved = large.reshape(120, 2, 120, 2, 3).mean((1, 3))
    assert np.abs(small - halved).mean() < 1
    assert (np.abs(small - halved).max(2) > 40).mean() < 0.004


def test_no_specks_where_parts_touch() -> None:
    """Two blocks whose sides lie in one plane: no pixel has a colour that neither has, but along their common edge."""
    pair = join([box(2, 2, 2).placed(np.eye(4), color=RED), box(2, 2, 2).placed(at(0, 2, 0), color=BLUE, part=1)])
    frame = framed(pair)
    colors = pixels(without_lines(pair), CAMERA, frame, INSTRUCTION).reshape(-1, 3)
    _, counts = np.unique(colors, axis=0, return_counts=True)
    assert (counts > 100).sum() == 6  # paper, the tops, both fronts of one and one of the other
    assert counts[counts <= 100].sum() < 4 * 160


@pytest.mark.parametrize(("name", "expected"), golden_pixels("mesh"))
def test_golden_pixels(name: str, expected: str) -> None:
    """ "mesh <style> <seed>"."""
    _, style, seed = name.split(" ")
    assert golden(style, int(seed)) == expected


def golden(style: str, seed: int) -> str:
    scene = join(
        [
            brick_mesh(heap(Random(seed), 16)),
            cylinder(1, 0, 2).placed(at(-2, -2, 0), color=PALETTE["violet"], part=98),
            box(2, 1, 3).placed(at(6, 6, 0), color=PALETTE["turquoise"], alpha=120, part=99),
        ]
    )
    camera = Camera(35 + 10 * seed, 28, 20 * (seed % 2))
    image = draw(scene, camera=camera, frame=framed(scene, camera, 200), style=STYLES[style])
    return sha256(image.tobytes()).hexdigest()


def test_golden_pixels_cover_both_styles_and_would_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    known = golden_pixels("mesh")
    assert {name.split(" ")[1] for name, _ in known} == set(STYLES)
    monkeypatch.setattr(drawing, "BIAS", 3.0)
    assert golden("instruction", 0) != dict(known)["mesh instruction 0"]


def test_nothing_to_draw_is_white_paper() -> None:
    frame = Frame(20, 1, (0, 0, 0))
    assert (pixels(join([]), CAMERA, frame, INSTRUCTION) == 255).all()
    assert (pixels(join([]), CAMERA, frame, PHOTO) == 255).all()


def test_compiles_where_nothing_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    njit = numba.njit

    def nowhere(function: Any, *, cache: bool = False, **options: Any) -> Any:
        if cache:
            raise RuntimeError("cannot cache function 'double': no locator available for file 'x.py'")
        return njit(function, **options)

    monkeypatch.setattr(numba, "njit", nowhere)
    assert compiled(lambda number: 2 * number)(21) == 42


def test_cameras_and_meshes_do_not_load_numba() -> None:
    program = "import sys, cogsight.shared.render.camera, cogsight.shared.render.mesh; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0

"""Which surface every pixel shows: against closed forms and an independent ray caster. Frames. Meshes."""

from __future__ import annotations

from math import atan, degrees, sqrt
from random import Random

import numpy as np
import numpy.typing as npt
import pytest
from brick_models import heap
from mesh_scenes import at, brick_mesh

from cogsight.shared.render.camera import Camera, Frame, fit, project
from cogsight.shared.render.draw import survey
from cogsight.shared.render.edges import outlined, smoothed
from cogsight.shared.render.mesh import FROM_LDRAW, Mesh, join, mesh
from cogsight.shared.render.solids import box, cylinder, prism

Floats = npt.NDArray[np.float64]
NOTHING = -1
FRONT = Camera(0, 0)


def triangles(rng: Random, count: int) -> Mesh:
    """Random triangles in [0, 1]³, each a part of its own."""
    return join(
        mesh([[[rng.random() for _ in range(3)] for _ in range(3)]]).placed(np.eye(4), part=part)
        for part in range(count)
    )


def ray_cast(scene: Mesh, camera: Camera, frame: Frame) -> tuple[npt.NDArray[np.int64], Floats]:
    """(part seen in each pixel, how far the nearest edge or the next surface is, in pixels): rays against triangles in space.

    Knows nothing of projected triangles: meets each triangle's plane and asks for the three coordinates within it.
    """
    right, up, towards = camera.axes()
    half = (np.arange(frame.size) + 0.5 - frame.size / 2) / frame.scale
    x, y = np.meshgrid(half, -half)
    plane = np.array(frame.target) + x[..., None] * right + y[..., None] * up
    eye = np.array(frame.target) + towards / (camera.nearness(frame.size) * frame.scale) if camera.field_of_view else 0
    way = np.broadcast_to(towards, plane.shape) if camera.field_of_view == 0 else eye - plane
    distance = np.linalg.norm(way, axis=-1)
    nearest, seen = np.full(x.shape, -np.inf), np.full(x.shape, NOTHING)
    doubt = np.full(x.shape, np.inf)
    for (a, b, c), part in zip(scene.triangles, scene.parts, strict=True):
        one, two = b - a, c - a
        longest = max(np.linalg.norm(side) for side in (one, two, c - b))
        across = np.cross(way, two)
        det = across @ one
        u = ((plane - a) * across).sum(-1) / det
        turned = np.cross(plane - a, one)
        v = (way * turned).sum(-1) / det
        depth = (turned @ two) / det * distance
        inside = np.minimum(np.minimum(u, v), 1 - u - v)
        doubt = np.minimum(doubt, np.abs(inside * det) / distance / longest * frame.scale)
        hit = inside >= 0
        doubt = np.where(hit, np.minimum(doubt, np.abs(depth - nearest) * frame.scale), doubt)
        closer = hit & (depth > nearest)
        nearest, seen = np.where(closer, depth, nearest), np.where(closer, part, seen)
    return seen, doubt


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("field_of_view", [0, 35])
def test_agrees_with_a_ray_caster(seed: int, field_of_view: float) -> None:
    """Wherever the ray is not within a fraction of a pixel of an edge or of a second surface."""
    rng = Random(seed)
    scene = triangles(rng, 25)
    camera = Camera(rng.uniform(0, 360), rng.uniform(-80, 80), field_of_view)
    frame = fit(scene.points(), cameras=[camera], size=120, margin=4)
    cast, doubt = ray_cast(scene, camera, frame)
    drawn = survey(scene, camera=camera, frame=frame)
    sure = doubt > 0.05
    assert sure.mean() > 0.5
    assert len(np.unique(cast[sure])) > 8
    assert (drawn == cast)[sure].all()


def test_the_ray_caster_would_see_a_wrong_depth() -> None:
    rng = Random(0)
    scene = triangles(rng, 25)
    camera = Camera(30, 20)
    frame = fit(scene.points(), cameras=[camera], size=120, margin=4)
    cast, doubt = ray_cast(scene, Camera(210, -20), frame)
    assert not (survey(scene, camera=camera, frame=frame) == cast)[doubt > 0.05].all()


def test_a_cube_from_the_front_is_a_square() -> None:
    cube = box(2, 2, 2)
    seen = survey(cube, camera=FRONT, frame=Frame(64, 10, (1, 1, 1)))
    expected = np.full((64, 64), NOTHING)
    expected[22:42, 22:42] = 0
    assert (seen == expected).all()


def test_a_cube_from_a_corner_is_a_regular_hexagon() -> None:
    size, scale = 200, 50.0
    seen = survey(box(2, 2, 2), camera=Camera(45, degrees(atan(1 / sqrt(2)))), frame=Frame(size, scale, (1, 1, 1)))
    x, y = np.meshgrid(*[np.arange(size) + 0.5 - size / 2] * 2)
    apothem = (
        scale * 2 * sqrt(2) / 2
    )  # the hexagon's side is sqrt(2/3) of the cube's, upright corners at top and bottom
    away = np.max([np.abs(x), np.abs(x / 2 + y * sqrt(3) / 2), np.abs(x / 2 - y * sqrt(3) / 2)], 0)
    sure = np.abs(away - apothem) > 0.02
    assert (seen == 0)[sure].tolist() == (away < apothem)[sure].tolist()


def test_neighbours_leave_no_gap_and_hide_nothing_of_each_other() -> None:
    """A square cut into a fan around a point that is on pixel middles: every middle belongs to exactly one triangle."""
    corners = [(0, 0), (5, 0), (13, 0), (16, 0), (16, 9), (16, 16), (4, 16), (0, 16), (0, 3)]
    pivot = (7.5, 8.5)
    fan = [
        mesh([[(0, *pivot), (0, *one), (0, *other)]]).placed(np.eye(4), part=part)
        for part, (one, other) in enumerate(zip(corners, [*corners[1:], corners[0]], strict=True))
    ]
    frame = Frame(16, 1, (0, 8, 8))
    alone = [survey(one, camera=FRONT, frame=frame) >= 0 for one in fan]
    assert (np.sum(alone, 0) == 1).all()
    assert (survey(join(fan), camera=FRONT, frame=frame) >= 0).all()


def test_what_is_in_front_hides_what_is_behind_in_any_order() -> None:
    near, far = box(1, 4, 4).placed(at(5, 0, 0), part=0), box(1, 2, 2).placed(at(0, 1, 1), part=1)
    camera, frame = Camera(0, 0), Frame(80, 10, (0, 2, 2))
    assert set(np.unique(survey(join([far, near]), camera=camera, frame=frame))) == {NOTHING, 0}
    assert set(np.unique(survey(join([near, far]), camera=camera, frame=frame))) == {NOTHING, 0}
    assert set(np.unique(survey(join([near, far]), camera=Camera(180, 0), frame=frame))) == {NOTHING, 0, 1}


def test_of_equally_near_surfaces_the_first_stays_everywhere() -> None:
    turned = at(3, 3, 0) @ np.diag([-1.0, -1, 1, 1])  # its faces are cut along the other diagonals
    one, other = box(3, 3, 3), box(3, 3, 3).placed(turned, part=1)
    camera = Camera(31, 27, 20)
    frame = fit(one.points(), cameras=[camera], size=150, margin=5)
    assert set(np.unique(survey(join([one, other]), camera=camera, frame=frame))) == {NOTHING, 0}


def test_depth_is_linear_on_planes_in_perspective() -> None:
    rng = np.random.default_rng(0)
    origin, one, two = rng.random((3, 3))
    points = [origin + a * one + b * two for a, b in [(0, 0), (1, 0), (0, 1), (0.3, 0.9), (-0.4, 0.2)]]
    x, y, depth = project(points, camera=Camera(20, 30, 40), frame=Frame(100, 20, (0.5, 0.5, 0.5))).T
    across = np.stack([x, y, np.ones(5)], 1)
    assert np.linalg.lstsq(across, depth, rcond=None)[1].sum() < 1e-18


@pytest.mark.parametrize("field_of_view", [0, 40])
@pytest.mark.parametrize("turns", [(20,), (0, 60, 120, 180, 240, 300)])
def test_everything_fits_and_touches_the_margin(field_of_view: float, turns: tuple[float, ...]) -> None:
    rng = np.random.default_rng(1)
    for _ in range(10):
        points = rng.random((40, 3)) * rng.uniform(0.1, 300, 3)
        cameras = [Camera(turn, 30, field_of_view) for turn in turns]
        frame = fit(points, cameras=cameras, size=200, margin=15)
        places = np.concatenate([project(points, camera=camera, frame=frame)[:, :2] for camera in cameras])
        assert places.min() >= 15 - 1e-6
        assert places.max() <= 185 + 1e-6
        assert min(places.min() - 15, 185 - places.max()) < 1e-6
        if len(turns) == 1:
            assert np.allclose(places.min(0) + places.max(0), 200, atol=1e-3)


def test_states_that_share_a_frame_line_up() -> None:
    """A part that stays is drawn in the same place and size, whatever is added to it elsewhere."""
    low, far = box(2, 2, 1), box(1, 1, 6).placed(at(5, -4, 0), part=1)
    camera = Camera(35, 28)
    frame = fit(join([low, far]).points(), cameras=[camera], size=160, margin=8)
    before, after = (survey(state, camera=camera, frame=frame) for state in (low, join([low, far])))
    assert ((before == 0) == (after == 0)).all()
    assert (after == 1).any()
    assert frame != fit(low.points(), cameras=[camera], size=160, margin=8)


def test_a_small_part_does_not_fill_the_picture() -> None:
    assert fit(box(1, 1, 1).points(), cameras=[FRONT], size=400, margin=10, max_scale=30).scale == 30


@pytest.mark.parametrize(("points", "cameras", "margin"), [(0, 1, 5), (3, 0, 5), (3, 1, 50)])
def test_frames_that_cannot_be(points: int, cameras: int, margin: float) -> None:
    with pytest.raises(ValueError, match="no frame"):
        fit(np.ones((points, 3)), cameras=[FRONT] * cameras, size=100, margin=margin)


@pytest.mark.parametrize(("elevation", "field_of_view"), [(91, 0), (-91, 0), (0, -1), (0, 61)])
def test_cameras_that_cannot_be(elevation: float, field_of_view: float) -> None:
    with pytest.raises(ValueError, match="from -90 to 90 degrees, fields of view from 0 to 60"):
        Camera(0, elevation, field_of_view)


def test_ldraw_is_stood_up_without_mirroring() -> None:
    stood = mesh([[(1, -24, 3), (0, 0, 0), (0, 0, 1)]]).placed(FROM_LDRAW)
    assert stood.triangles[0, 0].tolist() == [1, 3, 24]
    assert np.linalg.det(FROM_LDRAW) == 1


def test_a_placed_part_takes_its_colour_and_keeps_others() -> None:
    part = join([box(1, 1, 1), mesh([[(0, 0, 0), (1, 0, 0), (0, 1, 0)]], colors=(9, 8, 7, 255))])
    placed = part.placed(np.diag([2.0, 1, 1, 1]), color=(200, 10, 20), alpha=90, part=5)
    assert np.unique(placed.colors, axis=0).tolist() == [[9, 8, 7, 255], [200, 10, 20, 90]]
    assert set(placed.parts.tolist()) == {5}
    assert placed.edge_colors[:, 3].min() == 255
    assert np.ptp(placed.points(), axis=0).tolist() == [2, 1, 1]
    assert join([]).triangles.shape == (0, 3, 3)


def test_normals_stay_upright_when_a_part_is_stretched() -> None:
    ramp = mesh([[(0, 0, 0), (0, 1, 0), (1, 0, 1)]]).placed(np.diag([4.0, 1, 1, 1]))
    assert np.allclose(np.abs(ramp.normals @ (4.0, 0, 1)), 0)
    assert np.allclose(np.abs(ramp.normals @ (0, 1.0, 0)), 0)
    assert np.allclose(np.linalg.norm(ramp.normals, axis=-1), 1)


def shuffled(solid: Mesh, seed: int = 0) -> Mesh:
    """The same triangles in another order, their corners in other orders and senses."""
    rng = Random(seed)
    faces = [rng.sample(face, 3) for face in solid.triangles.tolist()]
    return mesh(rng.sample(faces, len(faces)))


def test_lines_of_a_box_and_of_a_cylinder() -> None:
    cube, tube = outlined(shuffled(box(1, 2, 3))), outlined(shuffled(cylinder(1, 0, 2, sides=20)))
    assert (len(cube.edges), len(cube.conditionals)) == (12, 0)
    assert (len(tube.edges), len(tube.conditionals)) == (40, 20)
    assert np.linalg.norm(cube.edges[:, 0] - cube.edges[:, 1], axis=1).sum() == pytest.approx(4 * (1 + 2 + 3))
    assert (np.ptp(tube.edges[..., 2], axis=1) == 0).all()
    assert np.allclose(np.ptp(tube.conditionals[:, :2, 2], axis=1), 2)


def test_triangles_without_area_change_no_line() -> None:
    cube = box(1, 2, 3)
    pressed = mesh(np.concatenate([cube.triangles, cube.triangles[:4, [0, 1, 1]], cube.triangles[:2, [2, 2, 2]]]))
    assert (len(outlined(pressed).edges), len(outlined(pressed).conditionals)) == (12, 0)
    assert np.allclose(np.abs(smoothed(pressed).normals[:12]).max(-1), 1)


def test_open_surfaces_have_lines_around() -> None:
    assert len(outlined(mesh([[(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(1, 0, 0), (0, 1, 0), (1, 1, 0)]])).edges) == 4


def test_round_sides_have_round_normals_and_flat_ones_do_not() -> None:
    tube = smoothed(shuffled(cylinder(1, 0, 2, sides=20)))
    walls = np.ptp(tube.triangles[..., 2], axis=1) > 0
    radial = tube.triangles[walls] * (1, 1, 0)
    assert np.allclose(np.abs((tube.normals[walls] * radial).sum(-1)), 1, atol=0.01)
    assert np.allclose(np.abs(tube.normals[~walls][..., 2]), 1)
    cube = smoothed(shuffled(box(1, 1, 1)))
    assert np.allclose(np.abs(cube.normals).max(-1), 1)


def test_a_line_stops_the_rounding() -> None:
    bent = mesh([[(0, 0, 0), (0, 1, 0), (1, 0, 0)], [(0, 0, 0), (0, 1, 0), (-1, 0, 0.3)]])
    lined = mesh(bent.triangles, edges=[[(0, 1, 0), (0, 0, 0)]])
    assert not np.allclose(smoothed(bent).normals, bent.normals)
    assert np.allclose(np.abs((smoothed(lined).normals * bent.normals).sum(-1)), 1)


def test_survey_counts_what_a_brick_model_shows() -> None:
    boxes = heap(Random(4), 20)
    model, camera = brick_mesh(boxes), Camera(40, 30)
    frame = fit(model.points(), cameras=[camera], size=200, margin=5)
    shown = survey(model, camera=camera, frame=frame)
    without = [part for part in range(len(boxes)) if part not in shown]
    rest = [box for part, box in enumerate(boxes) if part not in without]
    assert rest
    again = survey(brick_mesh(rest), camera=camera, frame=frame)
    assert ((again >= 0) == (shown >= 0)).all()


@pytest.mark.parametrize("outline", [[(0, 0), (1, 0)], [(0, 0), (1, 0), (0, 1)]])
def test_prisms_that_cannot_be(outline: list[tuple[float, float]]) -> None:
    with pytest.raises(ValueError, match="at least 3 corners and a height"):
        prism(outline, 1, 1 if len(outline) == 3 else 2)

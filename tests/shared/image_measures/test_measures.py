"""Measures of produced pictures: what each must and must not notice, and pictures of every kind and size."""

from __future__ import annotations

import io
from random import Random

import numpy as np
import pytest
from brick_models import heap
from hypothesis import given, settings
from hypothesis import strategies as st
from mesh_scenes import brick_mesh
from PIL import Image, ImageDraw, ImageFilter, UnidentifiedImageError
from scipy.ndimage import binary_fill_holes

from cogsight.shared.image_measures import MEASURES, measure
from cogsight.shared.image_measures.colors import SHARES, distance, lab
from cogsight.shared.image_measures.silhouette import SIDE, figure
from cogsight.shared.image_measures.similarity import C1, ssim
from cogsight.shared.render.camera import Camera, fit
from cogsight.shared.render.draw import INSTRUCTION, PHOTO, Style, draw, survey
from cogsight.shared.sample import Picture

COLORS = ("#c91a09", "#0055bf", "#f2cd37")
SAME = {"silhouette_iou": 1.0, "color_distance": 0.0, "ssim": 1.0}
NOTHING = {"silhouette_iou": 0.0, "color_distance": 1.0, "ssim": 0.0}


def thing(
    colors: tuple[str, ...] = COLORS,
    at: tuple[int, int] = (120, 150),
    scale: float = 1,
    ground: Image.Image | None = None,
) -> Image.Image:
    """Three bars side by side, like a stair."""
    image = ground or Image.new("RGB", (512, 512), "white")
    pen = ImageDraw.Draw(image)
    for n, color in enumerate(colors):
        x, y = at[0] + 60 * n * scale, at[1] + 20 * n * scale
        pen.rectangle((x, y, x + 80 * scale, at[1] + 170 * scale), fill=color)
    return image


def uneven_light(darkest: int = 215) -> Image.Image:
    """Paper that gets darker downwards, with a soft shadow."""
    rows = np.linspace(255, darkest, 512)[:, None, None] * np.ones((1, 512, 3))
    shadow = Image.new("L", (512, 512))
    ImageDraw.Draw(shadow).ellipse((100, 270, 380, 350), fill=90)
    black = Image.new("RGB", (512, 512))
    return Image.composite(black, Image.fromarray(rows.astype(np.uint8)), shadow.filter(ImageFilter.GaussianBlur(20)))


def measured(made: Image.Image) -> dict[str, float]:
    return measure(Picture.from_image(made), TRUE)


TRUE = Picture.from_image(thing())


def test_the_same_picture_is_the_same() -> None:
    assert measure(TRUE, TRUE) == SAME
    assert list(SAME) == list(MEASURES)


@settings(max_examples=15, deadline=None)
@given(st.integers(5, 280), st.integers(5, 320))
def test_place_does_not_count(x: int, y: int) -> None:
    found = measured(thing(at=(x, y)))
    assert found["silhouette_iou"] > 0.97
    assert found["color_distance"] < 0.03
    assert found["ssim"] > 0.9


@pytest.mark.parametrize("scale", [0.4, 0.7, 1.5, 1.9])
def test_size_does_not_count(scale: float) -> None:
    found = measured(thing(at=(20, 20), scale=scale))
    assert found["silhouette_iou"] > 0.96
    assert found["color_distance"] < 0.03


@pytest.mark.parametrize("size", [(128, 128), (300, 300), (2048, 2048)])
def test_nor_does_resolution(size: tuple[int, int]) -> None:
    found = measured(thing().resize(size))
    assert found["silhouette_iou"] > 0.96
    assert found["ssim"] > 0.9


def test_colours_count_apart_from_outlines() -> None:
    some = measured(thing(("#c91a09", "#0055bf", "#237841")))
    all_of_them = measured(thing(("#237841",) * 3))
    assert some["silhouette_iou"] == pytest.approx(1, abs=0.02)
    assert all_of_them["silhouette_iou"] == pytest.approx(1, abs=0.02)
    assert 0.05 < some["color_distance"] < all_of_them["color_distance"] < 1


def test_where_a_colour_is_is_none_of_its_business() -> None:
    same_height = thing(("#c91a09", "#0055bf"), scale=0.9)
    swapped = thing(("#0055bf", "#c91a09"), scale=0.9)
    found = measure(Picture.from_image(same_height), Picture.from_image(swapped))
    assert found["silhouette_iou"] == 1
    assert found["color_distance"] < 0.1


def test_outlines_count() -> None:
    assert measured(thing(COLORS[:2]))["silhouette_iou"] < 0.8
    assert measured(thing().rotate(90))["silhouette_iou"] < 0.8


def test_uneven_light_and_soft_shadow_are_ground() -> None:
    found = measured(thing(ground=uneven_light()))
    assert found["silhouette_iou"] > 0.95
    assert found["color_distance"] < 0.05


def test_strongly_uneven_light_too() -> None:
    assert measured(thing(ground=uneven_light(darkest=120)))["silhouette_iou"] > 0.95


def test_neither_a_stick_nor_a_missing_half_misleads() -> None:
    """A thin stick makes the box larger and hardly the area; what is missing inside the box takes area away and leaves the box."""
    stick = thing()
    ImageDraw.Draw(stick).line((200, 20, 200, 180), fill="black", width=6)
    assert measured(stick)["silhouette_iou"] > 0.85
    notched = thing()
    ImageDraw.Draw(notched).rectangle((150, 230, 290, 500), fill="white")
    assert measured(notched)["silhouette_iou"] > 0.5


@pytest.mark.parametrize("ground", ["black", "#204060", "#d0e8d0"])
def test_so_is_any_other_paper(ground: str) -> None:
    found = measured(thing(ground=Image.new("RGB", (512, 512), ground)))
    assert found["silhouette_iou"] > 0.97
    assert found["color_distance"] < 0.03


def test_jpeg_says_the_same() -> None:
    buffer = io.BytesIO()
    thing().save(buffer, "JPEG", quality=75)
    found = measure(Picture(buffer.getvalue()), TRUE)
    assert found["silhouette_iou"] > 0.95
    assert found["color_distance"] < 0.05


def test_transparency_is_seen_on_white() -> None:
    pixels = np.array(thing().convert("RGBA"))
    pixels[(pixels[..., :3] == 255).all(axis=-1)] = (0, 0, 0, 0)
    assert measured(Image.fromarray(pixels)) == pytest.approx(SAME, abs=1e-3)


def test_grey_and_deep_pictures_are_read() -> None:
    grey = thing().convert("L")
    deep = Image.fromarray(np.asarray(grey).astype(np.uint16) * 257)
    assert deep.mode == "I;16"
    assert measured(grey) == pytest.approx(measured(deep))
    assert measured(grey)["silhouette_iou"] > 0.97
    assert measured(grey)["color_distance"] > 0.3


@pytest.mark.parametrize(
    "made",
    [
        Image.new("RGB", (300, 200), "white"),
        Image.new("RGB", (64, 64), "black"),
        Image.new("RGBA", (64, 64)),
        Image.new("L", (1, 1), 9),
        Image.new("1", (3, 1)),
        Image.new("RGB", (1, 6000), "red"),
    ],
    ids=lambda image: f"{image.mode} {image.size}",
)
def test_a_blank_picture_is_nothing(made: Image.Image) -> None:
    assert measured(made) == NOTHING
    assert measure(TRUE, Picture.from_image(made)) == NOTHING
    assert measure(Picture.from_image(made), Picture.from_image(made)) == SAME


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n", TRUE.data[:300], b"GIF89a", b"\xff\xd8\xff\xe0"])
def test_what_is_no_picture_is_nothing_but_the_true_one_must_be(data: bytes) -> None:
    assert measure(Picture(data), TRUE) == NOTHING
    with pytest.raises((OSError, SyntaxError, UnidentifiedImageError)):
        measure(TRUE, Picture(data))


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 10**6))
def test_any_pixels_give_numbers_in_their_ranges(width: int, height: int, seed: int) -> None:
    noise = np.random.RandomState(seed).randint(0, 256, (height, width, 3), dtype=np.uint8)
    found = measured(Image.fromarray(noise))
    assert 0 <= found["silhouette_iou"] <= 1
    assert 0 <= found["color_distance"] <= 1
    assert -1 <= found["ssim"] <= 1


@pytest.mark.slow
@pytest.mark.parametrize("style", [INSTRUCTION, PHOTO], ids=["instruction", "photo"])
def test_outlines_are_those_of_the_parts_that_are_drawn(style: Style) -> None:
    mesh, camera = brick_mesh(heap(Random(2), 8)), Camera(30, 35)
    frame = fit(mesh.triangles.reshape(-1, 3), cameras=[camera], size=512, margin=70)
    found = figure(Picture.from_image(draw(mesh, camera=camera, frame=frame, style=style))).mask
    parts = binary_fill_holes(survey(mesh, camera=camera, frame=frame) >= 0)
    true = parts.reshape(SIDE, 2, SIDE, 2).mean(axis=(1, 3)) > 0.5
    assert (found & true).sum() / (found | true).sum() > 0.93


@pytest.mark.parametrize(
    ("rgb", "expected"),
    [
        ((255, 255, 255), (100, 0, 0)),
        ((0, 0, 0), (0, 0, 0)),
        ((255, 0, 0), (53.24, 80.09, 67.20)),
        ((0, 0, 255), (32.30, 79.19, -107.86)),
        ((119, 119, 119), (50.03, 0, 0)),
    ],
)
def test_lab_is_that_of_the_books(rgb: tuple[int, int, int], expected: tuple[float, float, float]) -> None:
    """Values of sRGB's primaries under D65, as tables print them."""
    assert lab(np.array([rgb], dtype=np.uint8))[0] == pytest.approx(expected, abs=0.05)


def heap_of(*counts: tuple[int, float]) -> np.ndarray:
    return np.array([(lightness, 0.0, 0.0) for count, lightness in counts for _ in range(count)])


def test_distance_of_colours_by_hand() -> None:
    assert distance(heap_of((7, 0)), heap_of((3, 100))) == pytest.approx(1)
    assert distance(heap_of((7, 20)), heap_of((3, 60))) == pytest.approx(0.4)
    assert distance(heap_of((30, 20), (10, 80)), heap_of((1, 20), (1, 80))) == pytest.approx(0.25 * 0.6)
    assert distance(heap_of((10_000, 20), (1, 80)), heap_of((1, 20))) == 0, f"less than one of {SHARES} shares"


def test_ssim_by_hand() -> None:
    """Two even pictures have no variance, so that only brightness remains; and the mean of one window, spelled out."""
    a, b = np.full((20, 20), 40.0), np.full((20, 20), 60.0)
    assert ssim(a, b) == pytest.approx((2 * 40 * 60 + C1) / (40**2 + 60**2 + C1))
    random = np.random.RandomState(0)
    a, b = random.uniform(0, 100, (2, 11, 11))
    bell = np.exp(-(np.arange(-5, 6) ** 2) / (2 * 1.5**2))
    window = np.outer(bell, bell) / bell.sum() ** 2
    x, y = (window * a).sum(), (window * b).sum()
    xx, yy, xy = (window * (a - x) ** 2).sum(), (window * (b - y) ** 2).sum(), (window * (a - x) * (b - y)).sum()
    by_hand = (2 * x * y + 1) * (2 * xy + 9) / ((x * x + y * y + 1) * (xx + yy + 9))
    assert ssim(a, b)[5, 5] == pytest.approx(by_hand)
    assert ssim(a, a) == pytest.approx(1)
    assert ssim(a, 100 - a).mean() < 0, "a negative is unlike"

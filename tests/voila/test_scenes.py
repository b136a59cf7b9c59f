"""Drawn scenes: all of them can be drawn, none hides an individual, and what varies says nothing about what is shown."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from hashlib import sha256
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from golden import golden_pixels
from PIL import Image

from cogsight.shared.build import difference
from cogsight.voila.generate import draw_scene
from cogsight.voila.generate.figures import PARTS
from cogsight.voila.generate.looks import LOOKS, Clothes
from cogsight.voila.generate.poses import POSES
from cogsight.voila.generate.props import ON_HEAD, ON_TRUNK, PROPS
from cogsight.voila.generate.scenes import LAYOUTS, VIEW, Variation, individuals, scene_svg, variation
from cogsight.voila.generate.svg import ART, document, render
from cogsight.voila.taxonomy import ACTIONS, NUMBERS, SUBJECTS

SMALL = 96
PAIRS = [(subject, action) for subject in SUBJECTS for action in ACTIONS]
LAYOUT = [(number, index) for number in LAYOUTS for index in range(len(LAYOUTS[number]))]


def in_layout(varied: Variation, number: int, index: int) -> Variation:
    """The variation with the number's layout of this index."""
    return replace(varied, layout=(index + 0.5) / len(LAYOUTS[number]))


@cache
def mask(figure: str) -> npt.NDArray[np.bool_]:
    """Where an individual is drawn (shadows are too faint to count), on SMALL x SMALL pixels."""
    image = Image.open(io.BytesIO(render(document(figure, view=VIEW, size=SMALL))))
    return np.asarray(image.getchannel("A")) > 128


def test_draws_what_the_paper_lists() -> None:
    assert (tuple(LOOKS), tuple(POSES), tuple(LAYOUTS)) == (tuple(SUBJECTS), ACTIONS, NUMBERS)


@pytest.mark.parametrize(
    "scene", [(5, "fox", "reading"), (0, "fox", "reading"), (1, "foxes", "reading"), (1, "fox", "rest")]
)
def test_refuses_what_the_paper_does_not_list(scene: tuple[int, str, str]) -> None:
    with pytest.raises(ValueError, match="cannot be drawn; expected one of"):
        draw_scene(*scene, 0)


def test_tables_name_only_what_exists() -> None:
    assert {name for pose in POSES.values() for name in pose.layers} == set(PARTS) | set(PROPS)
    worn = {name for look in LOOKS.values() if isinstance(look.wear, Clothes) for name in look.wear.extras}
    assert worn == set(ON_HEAD) | set(ON_TRUNK)


def test_art_is_listed_used_and_closed() -> None:
    names = {path.stem for path in ART.glob("*.svg")}
    listed = re.findall(r"\| (\w+) \| [^|]*U\+", (ART / "README.md").read_text())
    drawn = "".join(scene_svg(4, subject, action, variation(seed)) for subject, action in PAIRS for seed in range(3))
    assert sorted(listed) == sorted(names)
    for name in names:
        text = (ART / f"{name}.svg").read_text()
        assert max(re.findall(r' d="([^"]+)"', text), key=len) in drawn
        assert "href" not in text
        assert "<image" not in text


@pytest.mark.parametrize(("name", "expected"), golden_pixels("drawn"))
def test_golden_pixels(name: str, expected: str) -> None:
    number, subject, action, seed = name.removeprefix("drawn ").split(", ")
    image = draw_scene(int(number), subject, action, int(seed)).open()
    assert image.size == (512, 512)
    assert sha256(image.tobytes()).hexdigest() == expected


def test_golden_pixels_notice_one_colour() -> None:
    name, expected = golden_pixels("drawn")[0]
    number, subject, action, seed = name.removeprefix("drawn ").split(", ")
    other = replace(variation(int(seed)), paper="#fff6e1")
    image = Image.open(io.BytesIO(render(scene_svg(int(number), subject, action, other)))).convert("RGB")
    assert sha256(image.tobytes()).hexdigest() != expected


def test_same_seed_same_bytes_in_another_process() -> None:
    code = "from cogsight.voila.generate import draw_scene; import hashlib; print(hashlib.sha256(draw_scene(3, 'wolf', 'typing', 'a').data).hexdigest())"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert other == sha256(draw_scene(3, "wolf", "typing", "a").data).hexdigest()


def test_size_changes_nothing_but_the_size() -> None:
    large, small = (draw_scene(2, "man", "writing", 4, size=size).open() for size in (512, 224))
    assert small.size == (224, 224)
    assert difference(large.resize((224, 224), Image.Resampling.BOX), small) < 0.1


def test_scenes_are_all_different() -> None:
    shown = {scene_svg(number, *pair, variation(1)) for number in NUMBERS for pair in PAIRS}
    assert len(shown) == 4 * 14 * 13


@pytest.mark.parametrize("scene", [(1, "fox", "reading"), (2, "man", "swimming"), (4, "senior woman", "driving a car")])
def test_seeds_look_different(scene: tuple[int, str, str]) -> None:
    """A twentieth of the pixels at the very least, a fifth for most."""
    images = [draw_scene(*scene, seed, size=SMALL).open() for seed in range(12)]
    apart = [difference(one, other) for one, other in combinations(images, 2)]
    assert min(apart) > 0.05
    assert sorted(apart)[len(apart) // 2] > 0.2


def test_what_varies_depends_on_the_seed_alone() -> None:
    """With a seed's backdrop, dress and order fixed, the edge of the picture is the same whoever does whatever."""
    for seed in range(3):
        edges = set()
        for index, (subject, action) in enumerate(PAIRS[::7]):
            image = draw_scene(1 + index % 4, subject, action, seed, size=SMALL).open()
            edges.add(
                b"".join(
                    image.crop(box).tobytes()
                    for box in (
                        (0, 0, SMALL, 1),
                        (0, SMALL - 1, SMALL, SMALL),
                        (0, 0, 1, SMALL),
                        (SMALL - 1, 0, SMALL, SMALL),
                    )
                )
            )
        assert len(edges) == 1


def test_seeds_use_all_that_varies_evenly() -> None:
    drawn = [variation(seed) for seed in range(2000)]
    for values in (
        [v.paper for v in drawn],
        [v.pattern for v in drawn],
        [int(5 * v.layout) for v in drawn],
        [v.dresses[0].tone for v in drawn],
    ):
        counts = [values.count(value) for value in set(values)]
        expected = len(values) / len(counts)
        assert len(counts) >= 5
        assert all(abs(count - expected) < 5 * expected**0.5 for count in counts)


@pytest.mark.parametrize("subject", ["bear", "rabbit", "wolf", "man", "female child"])
def test_nobody_is_hidden_or_cut(subject: str) -> None:
    """In every layout and action: as many individuals as asked, none over another by more than a hair, none at the edge."""
    for (number, index), action in ((layout, action) for layout in LAYOUT for action in ACTIONS):
        varied = replace(in_layout(variation(index), number, index), shrink=1.0)
        masks = [mask(figure) for figure in individuals(number, subject, action, varied)]
        assert len(masks) == number
        for one, other in combinations(masks, 2):
            assert (one & other).sum() <= 0.02 * min(one.sum(), other.sum()), (number, index, action)
        for one in masks:
            assert one.any()
            assert not (one[0].any() or one[-1].any() or one[:, 0].any() or one[:, -1].any()), (number, index, action)


def test_children_are_told_by_their_proportions() -> None:
    heads = {
        subject: look.build.head / look.build.size for subject, look in LOOKS.items() if isinstance(look.wear, Clothes)
    }
    children = {subject for subject in heads if "child" in subject}
    assert min(heads[subject] for subject in children) > 1.15 * max(heads[s] for s in heads if s not in children)
    assert max(LOOKS[s].build.size for s in children) < 0.9 * min(
        LOOKS[s].build.size for s in heads if s not in children
    )


def test_loads_no_renderer_before_it_draws() -> None:
    code = "import sys, cogsight.voila.generate; print({'PIL', 'resvg_py', 'numpy'} & set(sys.modules))"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
        == "set()"
    )

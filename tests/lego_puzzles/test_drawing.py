"""Real models, drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from ldraw_models import REAL, drawable

from cogsight.lego_puzzles.generate.ldraw import load
from cogsight.shared.render.camera import Camera, fit, project
from cogsight.shared.render.draw import INSTRUCTION, PHOTO, draw, survey

CAMERA = Camera(-60, 28)
MODELS = sorted(REAL.glob("*.mpd"))


@pytest.mark.skipif(not MODELS, reason=f"no models in {REAL}")
@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name[:12])
def test_real_models_fill_their_pictures_and_stand_upright(path: Path) -> None:
    model = load(path)
    whole = drawable(model.scene(model.complete))
    frame = fit(whole.points(), cameras=[CAMERA], size=224, margin=8)
    for style in (INSTRUCTION, PHOTO):
        image = np.asarray(draw(whole, camera=CAMERA, frame=frame, style=style))
        assert (image[:7] == 255).all()
        assert (image != 255).any(2).mean() > 0.15
    shown = survey(whole, camera=CAMERA, frame=frame)
    assert len(np.unique(shown)) > len(model.complete) / 3
    low, high = model.bounds(model.complete)
    assert np.ptp(whole.points()[:, 2]) == pytest.approx(high[1] - low[1], abs=1e-6)


@pytest.mark.skipif(not MODELS, reason=f"no models in {REAL}")
def test_studs_are_on_top() -> None:
    """Seen from above the truck shows many small circles; seen from below its wheels and tubes: other pictures."""
    model = load(next(path for path in MODELS if "4838" in path.name))
    whole = drawable(model.scene(model.complete))
    wheels = [i for i, part in enumerate(model.complete) if "tyre" in model.parts[part.part].title.lower()]
    heights = {i: float(whole.points().reshape(-1, 3, 3)[whole.parts == i][..., 2].mean()) for i in set(whole.parts)}
    assert wheels
    assert min(heights[i] for i in wheels) < np.median(list(heights.values()))
    frame = fit(whole.points(), cameras=[CAMERA], size=224, margin=8)
    lowest = whole.points()[whole.points()[:, 2].argmin()]
    assert project(lowest, camera=CAMERA, frame=frame)[1] > frame.size / 2

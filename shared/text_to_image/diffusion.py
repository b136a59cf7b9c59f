"""SDXL as a painter, through diffusers: on the first GPU in half precision, else slowly on the CPU."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from ..errors import CogsightError, MissingDependency
from .making import Painter
from .motifs import SDXL, Recipe

if TYPE_CHECKING:
    from PIL import Image

NEEDS = ("torch", "transformers", "accelerate", "diffusers")


def load(recipe: Recipe, device: str = "") -> tuple[Painter, Mapping[str, Any]]:
    """The model, ready to paint, and what it runs on. `device`: such as "cuda:1"; the best there is when not given.

    Raises MissingDependency, and CogsightError for a model that cannot be loaded.
    """
    try:
        import torch
        from diffusers import StableDiffusionXLPipeline
    except ImportError as error:
        raise MissingDependency(error.name or "diffusers", "sdxl") from error

    place = device or ("cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu")
    half = place != "cpu"
    options: dict[str, Any] = {"torch_dtype": torch.float16 if half else torch.float32, "use_safetensors": True}
    if half and recipe.model == SDXL:
        options["variant"] = "fp16"  # the same weights, half the download
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # `torch_dtype` has another name in newer versions only
            pipeline = StableDiffusionXLPipeline.from_pretrained(recipe.model, add_watermarker=False, **options).to(
                place
            )
    except (OSError, ValueError) as error:
        raise CogsightError(
            f"{recipe.model}: no SDXL model that can be loaded: {error}; expected its name on the Hub, or a folder"
        ) from error
    pipeline.set_progress_bar_config(disable=True)
    return partial(paint, pipeline, recipe), {"device": place, "versions": {name: version(name) for name in NEEDS}}


def paint(pipeline: Any, recipe: Recipe, prompt: str, seeds: Sequence[int]) -> Sequence[Image.Image]:
    """A picture for each seed. The noise is drawn on the CPU, so that it is the same on every device and in every batch."""
    import torch

    found = pipeline(
        prompt=[prompt] * len(seeds),
        generator=[torch.Generator("cpu").manual_seed(seed) for seed in seeds],
        guidance_scale=recipe.guidance,
        num_inference_steps=recipe.steps,
        height=recipe.size,
        width=recipe.size,
    )
    pictures: Sequence[Image.Image] = found.images
    return pictures

"""SDXL through diffusers: what is asked of a pipeline; and a tiny one with random weights, run for real."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image

from cogsight.shared.errors import CogsightError, MissingDependency
from cogsight.shared.text_to_image import diffusion
from cogsight.shared.text_to_image.making import make, plan
from cogsight.shared.text_to_image.motifs import Motif, Recipe

needs_diffusers = pytest.mark.skipif(
    find_spec("diffusers") is None, reason="diffusers is not installed; it comes with cogsight[sdxl]"
)
MOTIF = Motif("two_dogs_walking", "Two dogs walking", "dog")


def pipeline(
    prompt: Sequence[str],
    height: int,
    width: int,
    num_inference_steps: int,
    guidance_scale: float,
    generator: Sequence[Any],
) -> Any:
    """Takes what diffusers' pipeline takes, and paints the generator's seed."""
    assert (guidance_scale, num_inference_steps, height, width) == (8.0, 50, 1024, 1024)
    assert len(prompt) == len(generator)
    return SimpleNamespace(images=[Image.new("RGB", (8, 8), (one.initial_seed() % 256, 0, 0)) for one in generator])


@pytest.mark.slow
def test_what_is_asked_of_a_pipeline() -> None:
    pictures = diffusion.paint(pipeline, Recipe(), "Two dogs walking", [7, 300])
    assert [picture.getpixel((0, 0))[0] for picture in pictures] == [7, 44]


def test_without_diffusers_the_pip_line_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingDependency, match=r"pip install 'cogsight\[sdxl\]'"):
        diffusion.load(Recipe())


@needs_diffusers
@pytest.mark.slow
def test_a_model_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(CogsightError, match="no SDXL model that can be loaded"):
        diffusion.load(Recipe(model=str(tmp_path)))


@needs_diffusers
@pytest.mark.slow
def test_a_tiny_sdxl_paints_the_same_again_alone_or_in_a_batch(tmp_path: Path) -> None:
    tiny_sdxl(tmp_path / "tiny")
    recipe = Recipe(model=str(tmp_path / "tiny"), per_motif=3, size=64, steps=2)
    painter, about = diffusion.load(recipe, "cpu")
    assert about["device"] == "cpu"
    assert "diffusers" in about["versions"]
    folder = plan(tmp_path / "out", "toy", [MOTIF], recipe, about)
    assert len(list(make(folder.path, folder.missing, painter))) == 3
    pictures = [Image.open(folder.path / one.file).convert("RGB") for one in folder.planned]
    assert {picture.size for picture in pictures} == {(64, 64)}
    assert len({picture.tobytes() for picture in pictures}) == 3
    again = painter(MOTIF.prompt, [one.seed for one in folder.planned])
    for one, other in zip(pictures, again, strict=True):
        difference = max(abs(a - b) for a, b in zip(one.tobytes(), other.tobytes(), strict=True))
        assert difference <= 2  # a batch may round otherwise


def tiny_sdxl(folder: Path) -> None:
    """SDXL's parts, very small and with random weights, as its own loader expects them on disk."""
    import torch
    from diffusers import AutoencoderKL, EulerDiscreteScheduler, StableDiffusionXLPipeline, UNet2DConditionModel
    from transformers import CLIPTextConfig, CLIPTextModel, CLIPTextModelWithProjection, CLIPTokenizer

    torch.manual_seed(0)
    unet = UNet2DConditionModel(
        block_out_channels=(8, 16),
        layers_per_block=1,
        sample_size=32,
        in_channels=4,
        out_channels=4,
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
        attention_head_dim=(2, 4),
        use_linear_projection=True,
        addition_embed_type="text_time",
        addition_time_embed_dim=8,
        transformer_layers_per_block=(1, 1),
        projection_class_embeddings_input_dim=80,  # 6 * 8 + 32
        cross_attention_dim=64,
        norm_num_groups=4,
    )
    vae = AutoencoderKL(
        block_out_channels=[8, 16],
        down_block_types=["DownEncoderBlock2D"] * 2,
        up_block_types=["UpDecoderBlock2D"] * 2,
        latent_channels=4,
        norm_num_groups=4,
    )
    config = CLIPTextConfig(
        hidden_size=32,
        intermediate_size=37,
        projection_dim=32,
        num_attention_heads=4,
        num_hidden_layers=2,
        vocab_size=1000,
        bos_token_id=0,
        eos_token_id=1,
        pad_token_id=1,
    )
    tokenizer = tiny_tokenizer(folder.with_name("words"), CLIPTokenizer)
    StableDiffusionXLPipeline(
        vae=vae,
        text_encoder=CLIPTextModel(config),
        text_encoder_2=CLIPTextModelWithProjection(config),
        tokenizer=tokenizer,
        tokenizer_2=tokenizer,
        unet=unet,
        scheduler=EulerDiscreteScheduler(),
        add_watermarker=False,
    ).save_pretrained(folder)


def tiny_tokenizer(folder: Path, kind: Any) -> Any:
    """One that knows letters."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["<|startoftext|>", "<|endoftext|>", *letters, *(letter + "</w>" for letter in letters)]
    folder.mkdir()
    (folder / "vocab.json").write_text(json.dumps({word: n for n, word in enumerate(words)}))
    (folder / "merges.txt").write_text("#version: 0.2\n")
    return kind(str(folder / "vocab.json"), str(folder / "merges.txt"), model_max_length=77)

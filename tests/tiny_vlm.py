"""Random-weight vision-language models of about a megabyte, so that a framework's own model classes can run on a CPU, offline.

`build("qwen25", folder)` writes model and processor; the answers are noise. The vocabulary is every byte, so any prompt fits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

PAD, START, END = "<|endoftext|>", "<|im_start|>", "<|im_end|>"
"""Stand first in both vocabularies, so that their ids are 0, 1, 2."""
HIDDEN, LAYERS, HEADS, KV_HEADS = 64, 2, 4, 2
PATCH = 14
SIDE = 56
"""Of the picture that the InternVL processor makes, px: four patches."""


def build(kind: str, folder: Path) -> Path:
    """Write the tiny model `kind` ("qwen25" or "internvl") to `folder`, which need not exist."""
    import torch

    torch.manual_seed(0)
    KINDS[kind](folder)
    return folder


def _qwen25(folder: Path) -> None:
    from transformers import (
        Qwen2_5_VLConfig,
        Qwen2_5_VLForConditionalGeneration,
        Qwen2_5_VLProcessor,
        Qwen2VLImageProcessor,
        Qwen2VLVideoProcessor,
    )

    vision = ("<|vision_start|>", "<|vision_end|>", "<|vision_pad|>", "<|image_pad|>", "<|video_pad|>")
    template = _chat_template("<|vision_start|><|image_pad|><|vision_end|>")
    tokenizer = _tokenizer(vision, template)
    ids = dict(zip(vision, tokenizer.convert_tokens_to_ids(list(vision)), strict=True))
    sections = [2, 3, 3]  # of the rotary embedding; together half a head's size
    config = Qwen2_5_VLConfig(
        text_config=_text_config(len(tokenizer))
        | {"rope_parameters": {"rope_type": "default", "rope_theta": 1e6, "mrope_section": sections}},
        vision_config={
            "depth": LAYERS,
            "hidden_size": HIDDEN,
            "intermediate_size": 2 * HIDDEN,
            "num_heads": HEADS,
            "out_hidden_size": HIDDEN,
            "patch_size": PATCH,
            "window_size": 8 * PATCH,
            "fullatt_block_indexes": [1],
        },
        image_token_id=ids["<|image_pad|>"],
        video_token_id=ids["<|video_pad|>"],
        vision_start_token_id=ids["<|vision_start|>"],
        vision_end_token_id=ids["<|vision_end|>"],
        tie_word_embeddings=True,
    )
    model = Qwen2_5_VLForConditionalGeneration(config)
    model.generation_config.eos_token_id = config.text_config.eos_token_id
    model.generation_config.pad_token_id = config.text_config.pad_token_id
    pixels = (2 * PATCH) ** 2  # of one image token
    processor = Qwen2_5_VLProcessor(
        image_processor=Qwen2VLImageProcessor(min_pixels=4 * pixels, max_pixels=16 * pixels),
        tokenizer=tokenizer,
        video_processor=Qwen2VLVideoProcessor(),
        chat_template=template,
    )
    model.save_pretrained(folder)
    processor.save_pretrained(folder)


def _internvl(folder: Path) -> None:
    from transformers import (
        GotOcr2ImageProcessor,
        InternVLConfig,
        InternVLForConditionalGeneration,
        InternVLProcessor,
        InternVLVideoProcessor,
        InternVLVisionConfig,
        Qwen2Config,
    )

    vision = {
        "start_image_token": "<img>",
        "end_image_token": "</img>",
        "context_image_token": "<IMG_CONTEXT>",
        "video_token": "<video>",
    }
    template = _chat_template("<IMG_CONTEXT>\n")
    tokenizer = _tokenizer(tuple(vision.values()), template, named=vision)
    tokens = 4  # per picture: its patches, halved along both sides
    config = InternVLConfig(
        vision_config=InternVLVisionConfig(
            hidden_size=HIDDEN,
            intermediate_size=2 * HIDDEN,
            num_hidden_layers=LAYERS,
            num_attention_heads=HEADS,
            image_size=[SIDE, SIDE],
            patch_size=[PATCH, PATCH],
        ),
        text_config=Qwen2Config(**_text_config(len(tokenizer))),
        image_token_id=tokenizer.convert_tokens_to_ids("<IMG_CONTEXT>"),
        image_seq_length=tokens,
        downsample_ratio=0.5,
    )
    size = {"height": SIDE, "width": SIDE}
    processor = InternVLProcessor(
        image_processor=GotOcr2ImageProcessor(size=size, crop_to_patches=False),
        tokenizer=tokenizer,
        video_processor=InternVLVideoProcessor(size=size),
        image_seq_length=tokens,
        chat_template=template,
    )
    InternVLForConditionalGeneration(config).save_pretrained(folder)
    processor.save_pretrained(folder)


KINDS: Mapping[str, Callable[[Path], None]] = {"qwen25": _qwen25, "internvl": _internvl}


def _text_config(vocabulary: int) -> dict[str, Any]:
    return {
        "vocab_size": vocabulary,
        "hidden_size": HIDDEN,
        "intermediate_size": 2 * HIDDEN,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "num_key_value_heads": KV_HEADS,
        "max_position_embeddings": 32768,
        "bos_token_id": 0,
        "eos_token_id": 2,
        "pad_token_id": 0,
    }


def _tokenizer(vision: Sequence[str], template: str, named: Mapping[str, str] | None = None) -> Any:
    """Byte-level BPE over the bytes alone. `named`: special tokens that the processor asks the tokenizer for by attribute."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    special = [PAD, START, END, *vision]
    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    core.train_from_iterator([], trainers.BpeTrainer(special_tokens=special, initial_alphabet=alphabet))
    extra = {"extra_special_tokens": dict(named)} if named else {"additional_special_tokens": [START, *vision]}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=core, eos_token=END, pad_token=PAD, **extra)
    tokenizer.chat_template = template
    return tokenizer


def _chat_template(image: str) -> str:
    """Turns between the start and end tokens; `image` stands where a picture does."""
    part = "{% if c['type'] == 'image' %}" + image + "{% else %}{{ c['text'] }}{% endif %}"
    parts = "{% for c in m['content'] %}" + part + "{% endfor %}"
    content = "{% if m['content'] is string %}{{ m['content'] }}{% else %}" + parts + "{% endif %}"
    turn = START + "{{ m['role'] }}\n" + content + END + "\n"
    opening = "{% if add_generation_prompt %}" + START + "assistant\n{% endif %}"
    return "{% for m in messages %}" + turn + "{% endfor %}" + opening

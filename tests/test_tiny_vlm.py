"""The tiny models read a picture and a text, and generate."""

from __future__ import annotations

from pathlib import Path

import pytest
import tiny_vlm

pytest.importorskip("transformers")


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(tiny_vlm.KINDS))
def test_generates_from_picture_and_text(kind: str, tmp_path: Path) -> None:
    from PIL import Image
    from transformers import AutoModelForImageTextToText, AutoProcessor

    folder = tiny_vlm.build(kind, tmp_path / kind)
    processor = AutoProcessor.from_pretrained(folder)
    model = AutoModelForImageTextToText.from_pretrained(folder)
    message = {"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "Which brick – 哪一块?"}]}
    text = processor.apply_chat_template([message], add_generation_prompt=True)
    assert text.endswith("assistant\n")
    inputs = processor(text=[text], images=[Image.new("RGB", (80, 60), "red")], return_tensors="pt")
    assert model.generate(**inputs, max_new_tokens=3, do_sample=False).shape[1] > inputs["input_ids"].shape[1]
    assert sum(file.stat().st_size for file in folder.iterdir()) < 4_000_000

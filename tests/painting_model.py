"""A model for lmms-eval that answers generation tasks as image-output models do: {"text": …, "images": [path]}, files named by question.

To the second question it makes no picture, and the third is lost as a broken backend would lose it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import fake_images
from image_model import ImageModel
from lmms_eval.models.registry_v2 import ModelManifest

NAME = "painting_model"
SHOWN = "shown.jsonl"
"""In its folder: of each question the number of pictures that it got, and its text."""


def models() -> list[ModelManifest]:
    """The entry point."""
    return [ModelManifest(model_id=NAME, simple_class_path=f"{NAME}.PaintingModel")]


class PaintingModel(ImageModel):
    def reply(self, text: str, options: Any, show: Any, doc_id: int, task: str, split: str) -> str:
        pictures = show(self.task_dict[task][split][doc_id])
        with (Path(self.output_dir) / SHOWN).open("a") as file:
            file.write(json.dumps({"pictures": len(pictures), "text": text}) + "\n")
        if doc_id == 2:
            return "[LMMS_EVAL_REQUEST_FAILED after 5 tries] timeout"
        path = Path(self.output_dir) / f"{task}_{doc_id}.png"
        path.write_bytes(fake_images.figure((200, 10 * doc_id, 0)).data)
        return json.dumps({"text": f"Picture {doc_id}.", "images": [str(path)] if doc_id != 1 else []})

"""A model for lmms-eval that answers VOILA-ND as a perfect model does, and draws the plain picture of its answer (`fake_voila.png`).

As image-output models do, it replies {"text": …, "images": [path]} at every turn, and names a file by task and question, so that each
turn's picture overwrites the one before. Of the first question it draws another picture, and of the second nothing.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import fake_voila
from image_model import ImageModel
from lmms_eval.models.registry_v2 import ModelManifest

NAME = "drawing_model"


def models() -> list[ModelManifest]:
    """The entry point."""
    return [ModelManifest(model_id=NAME, simple_class_path=f"{NAME}.DrawingModel")]


class DrawingModel(ImageModel):
    def reply(self, text: str, options: Any, show: Any, doc_id: int, task: str, split: str) -> str:
        from cogsight.shared.baselines import dialogue
        from cogsight.shared.dataset import from_row
        from cogsight.voila import BENCHMARK
        from cogsight.voila.prompts import APPLY, DRAW, RELATE
        from cogsight.voila.rules import Scene
        from cogsight.voila.words import parse_answer

        doc = self.task_dict[task][split][doc_id]
        assert len(show(doc)) == 1  # a simple model is shown the collage
        sample = from_row(doc)
        turn = sum(prompt[:40] in text for prompt in (RELATE, APPLY, DRAW))
        said = dialogue(BENCHMARK, BENCHMARK.variant(task), sample, "oracle")[turn].text
        if turn == 3 and doc_id == 1:
            return json.dumps({"text": said, "images": []})
        path = Path(self.output_dir) / f"{task}_{doc_id}.png"
        path.write_bytes(fake_voila.png(Scene(*parse_answer(sample.answer)), 0 if turn == 3 and doc_id else 1))
        return json.dumps({"text": said, "images": [str(path)]})

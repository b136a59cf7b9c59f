"""What models of the tests that make pictures have in common in lmms-eval: a file for each reply, in a folder of the caller's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lmms_eval.api.model import lmms


class ImageModel(lmms):  # type: ignore[misc]
    """Simple, as all image-output models are."""

    is_simple = True

    def __init__(self, output_dir: str, **others: Any) -> None:
        super().__init__()
        self.output_dir = output_dir
        Path(output_dir).mkdir(parents=True, exist_ok=True)

    def generate_until(self, requests: list[Any]) -> list[str]:
        return [self.reply(*request.args) for request in requests]

    def reply(self, text: str, options: Any, show: Any, doc_id: int, task: str, split: str) -> str:
        """`show` gives the pictures of a question. Returns text, or the JSON that such models reply with."""
        raise NotImplementedError

    def loglikelihood(self, requests: list[Any]) -> list[tuple[float, bool]]:
        raise NotImplementedError

    def generate_until_multi_round(self, requests: list[Any]) -> list[str]:
        raise NotImplementedError

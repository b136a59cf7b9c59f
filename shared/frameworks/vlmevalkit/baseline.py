"""The built-in baselines as models: `--model cogsight_baseline_oracle`, or {"class": "CogsightBaseline", "policy": "oracle"}.

The import hook calls `register` right after `vlmeval.config` has run, since only then does the kit's list of models exist.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

import vlmeval.vlm
from vlmeval.vlm.base import BaseModel

from ...baselines import POLICIES, answer
from ...errors import CogsightError

DEFAULT_POLICY = "random"


class CogsightBaseline(BaseModel):  # type: ignore[misc]
    """Answers from the sample instead of the picture, by a policy of `shared/baselines.py`."""

    INTERLEAVE = True

    def __init__(self, policy: str = DEFAULT_POLICY, seed: int = 0) -> None:
        super().__init__()
        if policy not in POLICIES:
            raise CogsightError(f"policy={policy}: expected one of {', '.join(POLICIES)}")
        self.policy = policy
        self.seed = seed
        self.dataset: Any = None

    def set_dump_image(self, dump_image_func: Callable[..., list[str]]) -> None:
        """The kit hands every model its dataset's `dump_image`: through it, this one meets the dataset itself."""
        super().set_dump_image(dump_image_func)
        self.dataset = getattr(dump_image_func, "__self__", None)

    def generate_inner(self, message: list[dict[str, str]], dataset: str | None = None) -> str:
        """The policy's reply to the sample behind this prompt."""
        if not hasattr(self.dataset, "asked"):
            raise CogsightError(f"{dataset}: the cogsight baselines know the answers of cogsight's datasets only")
        return answer(self.dataset.asked(message), self.policy, self.seed)


def register(module: ModuleType) -> None:
    """Add the baselines to `vlmeval.config.supported_VLM`, in place, and the class to where --config looks for it."""
    vlmeval.vlm.CogsightBaseline = CogsightBaseline
    module.supported_VLM["cogsight_baseline"] = CogsightBaseline
    for policy in POLICIES:
        module.supported_VLM[f"cogsight_baseline_{policy}"] = partial(CogsightBaseline, policy=policy)

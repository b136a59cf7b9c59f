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

from ...baselines import answer, names
from ...errors import CogsightError
from ...registry import benchmarks

DEFAULT_POLICY = "random"


class CogsightBaseline(BaseModel):  # type: ignore[misc]
    """Answers from the sample instead of the picture, by a policy of `shared/baselines.py`."""

    INTERLEAVE = True

    def __init__(self, policy: str = DEFAULT_POLICY, seed: int = 0) -> None:
        super().__init__()
        known = names(benchmarks().values())
        if policy not in known:
            raise CogsightError(f"policy={policy}: expected one of {', '.join(known)}")
        self.policy = policy
        self.seed = seed
        self.dataset: Any = None

    def set_dump_image(self, dump_image_func: Callable[..., list[str]]) -> None:
        """The kit hands every model its dataset's `dump_image`: through it, this one meets the dataset itself."""
        super().set_dump_image(dump_image_func)
        self.dataset = getattr(dump_image_func, "__self__", None)

    def generate_inner(self, message: list[dict[str, Any]], dataset: str | None = None) -> str:
        """The policy's reply to the sample behind this prompt."""
        if not hasattr(self.dataset, "asked"):
            raise CogsightError(f"{dataset}: the cogsight baselines know the answers of cogsight's datasets only")
        index, turn = self.dataset.asked(message)
        asked = self.dataset.BENCHMARK, self.dataset.variant, self.dataset.sample(index)
        return answer(*asked, self.policy, self.seed, turn)

    def chat_inner(self, message: list[dict[str, Any]], dataset: str | None = None) -> str:
        """The same, to turns with roles."""
        return self.generate_inner(message, dataset)


def register(module: ModuleType) -> None:
    """Add the baselines to `vlmeval.config.supported_VLM`, in place, and the class to where --config looks for it."""
    vlmeval.vlm.CogsightBaseline = CogsightBaseline
    module.supported_VLM["cogsight_baseline"] = CogsightBaseline
    for policy in names(benchmarks().values()):
        module.supported_VLM[f"cogsight_baseline_{policy}"] = partial(CogsightBaseline, policy=policy)

"""`--model cogsight_baseline --model_args policy=random|first|oracle|unparsable|silent|copy[,seed=0]`: smoke runs without a model.

It answers from the row instead of the pictures, but lets the task make its messages as for any model, and looks whether every
picture is there. With --force_simple it is asked as a simple model.
"""

from __future__ import annotations

from typing import Any

import torch
from accelerate import Accelerator
from lmms_eval.api.model import lmms

from ...baselines import dialogue, names
from ...dataset import from_row
from ...errors import CogsightError
from ...registry import benchmarks, get
from ...sample import Sample
from ...truth import shown
from .tasks import text_after, view_for

GIVEN = {"batch_size", "max_batch_size", "device"}
"""What lmms-eval gives to every model; of no use to one that computes nothing."""


class Baseline(lmms):  # type: ignore[misc]
    """What both kinds have in common. Works with any batch size and, on CPUs, under torchrun and accelerate."""

    def __init__(self, policy: str = "random", seed: int = 0, **others: Any) -> None:
        super().__init__()
        if unknown := others.keys() - GIVEN:
            raise CogsightError(f"{', '.join(sorted(unknown))}: cogsight_baseline takes policy and seed only")
        known = names(benchmarks().values())
        if policy not in known:
            raise CogsightError(f"policy={policy}: expected one of {', '.join(known)}")
        self.policy, self.seed = policy, seed
        self.device = torch.device("cpu")
        self.accelerator = Accelerator(cpu=True)

    def generate_until(self, requests: list[Any]) -> list[str]:
        """One reply per request."""
        return [self._reply(*request.args) for request in requests]

    def loglikelihood(self, requests: list[Any]) -> list[tuple[float, bool]]:
        """Not asked by any of our tasks."""
        raise NotImplementedError("cogsight_baseline generates text only")

    def generate_until_multi_round(self, requests: list[Any]) -> list[str]:
        """Not asked by any of our tasks."""
        raise NotImplementedError("cogsight_baseline generates text only")

    def _reply(self, *args: Any) -> str:
        *_, doc_id, task, split = args
        doc = self.task_dict[task][split][doc_id]
        try:
            sample = from_row(doc)
        except CogsightError as error:
            raise CogsightError(f"{task}: cogsight_baseline knows the answers of cogsight's tasks only") from error
        view = view_for(task, "simple" if self.is_simple else "chat")
        count = len(shown(sample))
        # A view of a benchmark's own, such as text alone, shows what that benchmark decides.
        expected = {"images": count, "listed": count, "collage": min(1, count)}.get(view, 0)
        if (given := self._pictures(args, doc)) < expected:
            raise CogsightError(f"{sample.id}: the model is shown {given} pictures, not the {expected} of view {view}")
        return self._answer(task, sample, doc, args[0])

    def _answer(self, task: str, sample: Sample, doc: Any, text: str) -> str:
        """At the turn at which, after all that it says before, this text is sent."""
        benchmark = get(task)
        variant = benchmark.variant(task)
        said = dialogue(benchmark, variant, sample, self.policy, self.seed)
        for turn, reply in enumerate(said):
            if len(said) == 1 or text_after(doc, task, said[:turn]) == text:
                return str(reply.text)
        raise CogsightError(f"{sample.id}: this is no prompt of {task} after what policy {self.policy} says")

    def _pictures(self, args: tuple[Any, ...], doc: Any) -> int:
        raise NotImplementedError


class ChatBaseline(Baseline):
    """Asked by messages."""

    is_simple = False

    def _pictures(self, args: tuple[Any, ...], doc: Any) -> int:
        _, doc_to_messages, *_ = args
        return sum(part["type"] == "image" for message in doc_to_messages(doc) for part in message["content"])


class SimpleBaseline(Baseline):
    """Asked by one text and a list of pictures."""

    is_simple = True

    def _pictures(self, args: tuple[Any, ...], doc: Any) -> int:
        _, _, doc_to_visual, *_ = args
        return len(doc_to_visual(doc))

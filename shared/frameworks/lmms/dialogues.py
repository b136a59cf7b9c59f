"""Dialogues in step: the first turn of all questions is one batch, then the second turn of all, and so on.

lmms-eval's own loop (output type `generate_until_agentic`) asks one question at a time, turn by turn: 12 dialogues of 3 turns are 36
calls, one after the other, where 3 batches do. Here chat models also get each picture where the text speaks of it, and real turns;
every step goes through --use_cache. Where lmms-eval has no such loop to replace, the tasks run in its own (`tasks.doc_to_text`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial, wraps
from inspect import signature
from typing import Any

from lmms_eval.api.instance import GenerationResult, Instance, TokenCounts, unwrap_generation_output

from ...registry import get
from ...sample import Reply
from ...variants import Variant
from ..dialogues import is_dialogue, pack
from . import tasks
from .pictures import folders_of, with_pictures
from .replies import finish_of, read_reply

Function = Callable[..., Any]
Execute = Callable[[list[Any]], Sequence[Any]]
"""Asks the model, or the cache."""

AT_ONCE = 1024
"""Dialogues that go in step. More would be no faster, and whoever stops a run loses the batch that is under way."""
STEPS = "max_agentic_steps"
"""An option for lmms-eval's loop, not for models."""


def in_step(original: Function) -> Function:
    """lmms-eval's `_run_generate_until_agentic`, with our dialogues in step; those of other tasks go to `original`."""

    @wraps(original)
    def run(*args: Any, **kwargs: Any) -> list[Any]:
        given = signature(original).bind(*args, **kwargs)
        lm, requests = given.arguments["lm"], given.arguments["requests"]
        cache = given.arguments.get("response_cache")
        ours = [is_dialogue(request.task_name) for request in requests]
        given.arguments["requests"] = [request for request, own in zip(requests, ours, strict=True) if not own]
        others = iter([] if all(ours) else original(*given.args, **given.kwargs))
        execute = lm.generate_until if cache is None else partial(cache.execute, lm, "generate_until")
        results = converse(lm, [request for request, own in zip(requests, ours, strict=True) if own], execute)
        return [next(results if own else others) for own in ours]

    return run


def converse(lm: Any, requests: Sequence[Any], execute: Execute) -> Iterator[GenerationResult]:
    """Each dialogue as one text (`pack`), in order, with the tokens of all its turns. A lost request ends its own dialogue only."""
    begin = partial(_Dialogue, lm=lm, rows=_Rows(lm))
    for start in range(0, len(requests), AT_ONCE):
        dialogues = list(map(begin, requests[start : start + AT_ONCE]))
        _step_by_step(lm, dialogues, execute)
        yield from (dialogue.result() for dialogue in dialogues)


def _step_by_step(lm: Any, dialogues: Sequence[_Dialogue], execute: Execute) -> None:
    while batch := [(dialogue, step) for dialogue in dialogues if (step := dialogue.step())]:
        _reconnect(lm)
        try:
            outputs = execute([step for _, step in batch])
        except Exception as error:  # a template or wrapper that takes no assistant turns raises whatever it likes
            if any(dialogue.in_turns for dialogue, _ in batch):
                raise SystemExit(_refused(batch[0][0].variant, error)) from error
            raise
        for (dialogue, _), output in zip(batch, outputs, strict=True):
            dialogue.hear(output)


def _reconnect(lm: Any) -> None:
    """New connections for `async_openai`, which runs each batch in an event loop of its own: over those of a closed one requests fail."""
    client = getattr(lm, "client", None)
    if client is None:
        return
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient

    if isinstance(client, AsyncOpenAI):
        lm.client = client.copy(http_client=DefaultAsyncHttpxClient(timeout=client.timeout))


def _refused(variant: Variant, error: Exception) -> str:
    return (
        f"cogsight: {variant.name}: the model failed when its earlier replies came as turns of the assistant ({error!r});"
        " if its chat template takes no such turns, run a variant without _chat"
    )


class _Rows:
    """The questions of loaded tasks without their pictures, which are read only when a model asks for them."""

    def __init__(self, lm: Any) -> None:
        self._lm = lm
        self._found: dict[tuple[str, str], Any] = {}

    def row(self, task: str, split: str, doc_id: int) -> dict[str, Any]:
        if (task, split) not in self._found:
            self._found[task, split] = self._lm.task_dict[task][split].remove_columns("images")
        row: dict[str, Any] = self._found[task, split][doc_id]
        return row


@dataclass(slots=True)
class _Dialogue:
    """One question on its way."""

    request: Any
    lm: Any
    rows: _Rows
    replies: list[Reply] = field(default_factory=list)
    counts: list[TokenCounts | None] = field(default_factory=list)
    variant: Variant = field(init=False)

    def __post_init__(self) -> None:
        name = self.request.task_name
        self.variant = get(name).variant(name)

    @property
    def in_turns(self) -> bool:
        """Whether what is sent now has turns of the assistant in it."""
        return self.variant.chats and bool(self.replies)

    def step(self) -> Any:
        """What to ask of the model now; None when the dialogue is over."""
        _, _, show, _, *address = self.request.args
        doc_id, task, split = address
        text = tasks.text_after(self.rows.row(task, split, doc_id), task, self.replies)
        if text is None or len(self.replies) == self.variant.turns:
            return None
        messages = partial(tasks.doc_to_messages, variant=task, replies=tuple(self.replies))
        options = self._options()
        asked = (text, options, show) if self.lm.is_simple else (text, messages, options)
        return Instance("generate_until", (*asked, *address), idx=0, metadata=self.request.metadata)

    def hear(self, output: Any) -> None:
        """Note the model's answer to that."""
        text, counts = unwrap_generation_output(output)
        self.replies.append(with_pictures(read_reply(text, finish_of(counts, self._options())), folders_of(self.lm)))
        self.counts.append(counts)

    def result(self) -> GenerationResult:
        return GenerationResult(pack(self.replies), _total(self.counts))

    def _options(self) -> dict[str, Any]:
        options = deepcopy(self.request.args[1])
        options.pop(STEPS, None)
        return dict(options)


def _total(counts: Sequence[TokenCounts | None]) -> TokenCounts | None:
    """All turns' tokens together; None for what one of them does not tell."""
    told = [count for count in counts if count is not None]
    if not told or len(told) < len(counts):
        return None

    def total(name: str) -> int | None:
        numbers = [getattr(count, name) for count in told]
        return None if None in numbers else sum(numbers)

    return TokenCounts(total("input_tokens"), total("output_tokens"), total("reasoning_tokens"))

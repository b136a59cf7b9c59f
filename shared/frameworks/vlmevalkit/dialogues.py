"""Dialogues in VLMEvalKit: the model that it runs answers the first prompt of a row with the whole dialogue, as one text (`pack`).

The kit has a way of its own for several turns (TYPE "MT"), which not half of its local models can go, and which drops the first turns
when anything fails. So its single-turn way is gone instead, with all it has: every model, threads, --api-mode, --reuse. Each turn is
one ordinary `generate` with the pictures and all that was said. What it keeps is a whole row; finished turns of rows that are not
finished are kept in a file of ours beside the table, so that whoever goes on pays for no turn twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from functools import partial
from glob import escape
from itertools import count, takewhile
from pathlib import Path
from typing import Any

from ...errors import DataError
from ...results import Asked, append_reply, mend_replies, read_replies
from ...sample import Reply
from ..dialogues import pack
from . import logs
from .dataset import Prompt, PuzzleDataset, Turns

TURNS_FILE = "_turns_{rank}.jsonl"
"""How the name of the file ends, behind model and dataset; each rank writes one."""


def is_dialogue(dataset: Any) -> bool:
    """Whether it is one of ours whose replies are packed (`Variant.packed`)."""
    return isinstance(dataset, PuzzleDataset) and dataset.variant.packed


def names(stem: str, ranks: int) -> list[str]:
    """The files of so many ranks; `stem` is the table's: model and dataset."""
    return [stem + TURNS_FILE.format(rank=rank) for rank in range(ranks)]


def forget(table: Path) -> None:
    """Remove what was kept for a table: it is whole now."""
    for file in _files(table.parent, table.stem):
        file.unlink()


@contextmanager
def whole_answers(model: Any, dataset: PuzzleDataset, folder: Path, stem: str) -> Iterator[None]:
    """While this lasts, the model answers with whole dialogues. `model`: one, or the name by which the kit will make it.

    Raises DataError for a model that cannot take the dataset's dialogues.
    """
    from vlmeval.config import supported_VLM

    make = supported_VLM[model] if isinstance(model, str) else None
    check(make or model, dataset)
    talking: list[Any] = []

    def talk(made: Any) -> Any:
        converse(made, dataset, folder, stem)
        talking.append(made)
        return made

    if make:
        supported_VLM[model] = lambda *args, **kwargs: talk(make(*args, **kwargs))
    else:
        talk(model)
    try:
        yield
    finally:
        if make:
            supported_VLM[model] = make
        for made in talking:
            del made.generate  # the class's own shows again


def check(model: Any, dataset: PuzzleDataset) -> None:
    """Raises DataError for a model, or what makes one, that cannot take real turns where they are asked."""
    kind = getattr(model, "func", model)
    if dataset.variant.chats and not hasattr(kind, "chat_inner"):
        name = kind.__name__ if isinstance(kind, type) else type(kind).__name__
        raise DataError(f"{dataset.dataset_name}: {name} takes no turns of its own; run a dataset without _Chat")


def converse(model: Any, dataset: PuzzleDataset, folder: Path, stem: str) -> None:
    """Have its `generate` answer a row's first prompt with the whole dialogue."""
    from vlmeval.smp import get_rank_and_world_size

    own = folder / (stem + TURNS_FILE.format(rank=get_rank_and_world_size()[0]))
    mend_replies(own)
    model.generate = Conversation(model, model.generate, dataset, _kept(_files(folder, stem)), own)


@dataclass(frozen=True, slots=True)
class Conversation:
    """What stands in for a model's `generate`."""

    model: Any
    generate: Callable[..., Any]
    """The model's own."""
    puzzles: PuzzleDataset
    kept: Mapping[str, Sequence[Reply]]
    """Row → its finished turns."""
    file: Path
    """Where those of this run are written."""

    def __call__(self, message: Prompt, dataset: str | None = None, **options: Any) -> str:
        """All that the model says in the dialogue that begins with `message`."""
        index, _ = self.puzzles.asked(message)
        replies = list(self.kept.get(index, ()))
        while len(replies) < self.puzzles.variant.turns and (turns := self.puzzles.turns(index, replies)) is not None:
            reply = logs.to_reply(self._answer(turns, dataset=dataset, **options))
            if reply.error is None:
                append_reply(self.file, Asked(index, turn=len(replies)), reply)
            replies.append(reply)
        return pack(replies)

    def _answer(self, turns: Turns, **options: Any) -> str:
        ask = self.generate if len(turns) == 1 else partial(self._in_turns, turns)
        answer = ask(message=turns[0]["content"], **options)
        text = answer["prediction"] if isinstance(answer, dict) else answer  # agents give more
        return "" if text is None else str(text)  # as where a table holds None in place of a reply

    def _in_turns(self, turns: Turns, message: Prompt, **options: Any) -> Any:
        """The answer to a dialogue with roles, which begins with `message`.

        An API's own `chat` asks again without the first turns when a request fails. So its `generate` is taken, which asks again
        for the same, with an inner one that sends the dialogue.
        """
        from vlmeval.api.base import BaseAPI

        if not isinstance(self.model, BaseAPI):
            return self.model.chat_inner(turns, **options)
        twin = copy(self.model)
        del twin.generate
        twin.generate_inner = lambda first, **inner: self.model.generate_inner(turns, **inner)
        return twin.generate(message=message, **options)


def _kept(paths: Sequence[Path]) -> dict[str, list[Reply]]:
    """Row → its finished turns, from the first on without a gap."""
    found: dict[str, dict[int, Reply]] = {}
    for path in paths:
        for asked, reply in read_replies(path).items():
            found.setdefault(asked.sample_id, {})[asked.turn] = reply
    return {index: [turns[n] for n in takewhile(turns.__contains__, count())] for index, turns in found.items()}


def _files(folder: Path, stem: str) -> list[Path]:
    return sorted(folder.glob(escape(stem) + TURNS_FILE.format(rank="*")))

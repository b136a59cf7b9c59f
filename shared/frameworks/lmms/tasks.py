"""What lmms-eval calls for each task: data, messages, scores. Each function knows its variant by its name.

A task file says `!function cogsight.shared.frameworks.lmms.tasks.doc_to_text__lego_puzzles_lite`, and `__getattr__` below makes
that function: lmms-eval passes nothing but the row (`doc`), and a row is the same in every variant. A chat model gets
`doc_to_messages`, pictures where the text speaks of them; a simple model gets `doc_to_visual` and `doc_to_text`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, TypeVar

from ... import table
from ...dataset import from_row
from ...errors import CogsightError
from ...registry import get
from ...sample import PLACEHOLDER, Messages, Picture, Reply, Sample, Score
from ...settings import settings
from ...truth import has_truth
from ...versions import versions as versions_in
from .. import or_exit, usable_settings
from ..dialogues import pack
from ..judges import Judges, judge_of
from . import records
from .replies import read_reply
from .scorer import Scorer

if TYPE_CHECKING:
    from datasets import Dataset

    from ...summary import Summary

Doc = Mapping[str, Any]
Step = tuple[None, "str | None", bool, "list[str] | None", None]
"""lmms-eval's: pictures (None: the same), text, whether it is over, all that was said, and what it would hand back to us."""
T = TypeVar("T")

VIEWS = {
    "chat": {"auto": "images", "images": "images", "collage": "collage"},
    "simple": {"auto": "collage", "images": "listed", "collage": "collage"},
}
"""Kind of model → COGSIGHT_VIEW → how a variant that shows its pictures (`images`) is shown; other views stay what they are."""


def process_docs(stub: Dataset, variant: str) -> Dataset:
    """The benchmark's rows in place of the stub that the task file names; read, and on first use built, only now.

    An error of ours ends the program: lmms-eval would try five times, print "RetryError", and exit with code 0.
    """
    usable_settings()
    benchmark = get(variant)
    return or_exit(lambda: benchmark.samples(benchmark.variant(variant))).dataset


def doc_to_messages(doc: Doc, variant: str, replies: Sequence[Reply] = ()) -> list[dict[str, Any]]:
    """What a chat model is sent after these replies, in lmms-eval's form; pictures are PIL images."""
    messages = _asked(_turn(from_row(doc), variant, view_for(variant, "chat"), replies), doc)
    return [{"role": message.role, "content": [_content(part) for part in message.parts]} for message in messages]


def doc_to_visual(doc: Doc, variant: str, kind: str = "simple") -> list[Any]:
    """The pictures for a simple model, the same at every turn: one labelled collage, or all in order. PIL images."""
    messages = _asked(_turn(from_row(doc), variant, view_for(variant, kind)), doc)
    return [part.open() for part in _parts(messages) if isinstance(part, Picture)]


def doc_to_text(
    doc: Doc,
    lmms_eval_specific_kwargs: object = None,
    previous_output: Sequence[str | None] = (),
    round_idx: int | None = None,
    previous_round_info: object = None,
    *,
    variant: str,
) -> str | Step:
    """The text for a simple model, which says "Image N".

    With a `round_idx`, lmms-eval's own loop wants the next step of a dialogue, given all that the model has said.
    """
    if round_idx is None:
        return _asked(text_after(doc, variant, ()), doc)
    if get(variant).variant(variant).chats:
        raise CogsightError(f"{variant} asks in real turns, which lmms-eval's own loop cannot; run: cogsight doctor")
    replies = [read_reply(text) for text in previous_output]
    text = text_after(doc, variant, replies)
    return (None, None, True, [pack(replies)], None) if text is None else (None, text, False, None, None)


def text_after(doc: Doc, variant: str, replies: Sequence[Reply]) -> str | None:
    """All texts that a model is sent after these replies, in order; None when nothing more is asked.

    Rows may lack their pictures, so blanks stand in.
    """
    sample = from_row({name: cell for name, cell in doc.items() if name != "images"})
    texts = (sample.question, *sample.choices.values())
    count = max((int(match[1]) for text in texts for match in PLACEHOLDER.finditer(text)), default=0)
    blank = replace(sample, images=(Picture(b""),) * (count + has_truth(sample)))
    messages = _turn(blank, variant, "listed", replies)
    if messages is None:
        return None
    return "".join(part for part in _parts(messages) if isinstance(part, str))


def process_results(
    doc: Doc,
    results: Sequence[str | None],
    variant: str,
    view: str = "unknown",
    scorer: Scorer | None = None,
    versions: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The metrics of one reply, or dialogue; see `records.metrics`."""
    verdict, replies = (scorer or Scorer(variant)).score(from_row(doc), results)
    about = {"variant": variant, "view": view, "versions": versions or versions_of(variant)}
    return records.metrics(verdict, replies, about)


def accuracy(items: Sequence[Mapping[str, Any]], variant: str) -> float:
    """The overall score in per cent, what was not measured counted wrong. Prints the table with all that lmms-eval's has no place for."""
    summary = _summary(items, variant)
    views = {str(item["view"]) for item in items}
    versions = versions_of(variant, records.scores(items))
    table.show(replace(summary, versions=versions, view=", ".join(sorted(views))))
    return 100 * (summary.overall.low or 0.0)


def complete(items: Sequence[Mapping[str, Any]], variant: str) -> float:
    """1.0 when every question of the variant has its score, else 0.0."""
    return float(_summary(items, variant).complete)


def bind(task: Any, kind: str) -> None:
    """Tell a loaded task of ours whether its model is a "chat" or a "simple" one; other tasks are left alone.

    View and data also enter the task's `metadata`: lmms-eval's cache of replies (--use_cache) looks there, not at pictures.
    """
    function = getattr(getattr(task, "config", None), "process_results", None)
    if not isinstance(function, partial) or function.func is not process_results:
        return
    variant = function.keywords["variant"]
    if get(variant).variant(variant).packed:
        _check_turns(variant, kind)
        task.config.doc_to_visual = partial(doc_to_visual, variant=variant, kind=kind)
    about = {"view": view_for(variant, kind), "scorer": _scorer(task, variant), "versions": versions_of(variant)}
    task.config.metadata = {**(task.config.metadata or {}), "view": about["view"], "data": task.eval_docs._fingerprint}
    # A closure, not a partial: lmms-eval deep-copies the config, and `scorer` holds the task.
    task.config.process_results = lambda doc, results: function(doc, results, **about)


def _check_turns(variant: str, kind: str) -> None:
    """A model that takes one text cannot take real turns: it ends the program before it is asked."""
    if kind == "simple" and get(variant).variant(variant).chats:
        raise SystemExit(
            f"cogsight: {variant} asks in real turns of user and assistant, which this model, or --force_simple, does not take;"
            " run a variant without _chat"
        )


def _scorer(task: Any, variant: str) -> Scorer:
    """With a judge, if the environment names one; one that cannot be used ends the program before the model runs."""
    return Scorer(variant, task, or_exit(lambda: Judges().of(get(variant))))


def versions_of(variant: str, scores: Sequence[Score] = ()) -> dict[str, str]:
    """What the variant's scores depend on in this environment."""
    benchmark = get(variant)
    framework = f"lmms_eval {version('lmms_eval')}"
    return versions_in(benchmark, benchmark.variant(variant), framework, judge_of(benchmark), scores)


def view_for(variant: str, kind: str) -> str:
    """How models of this kind ("chat", "simple") are shown the variant."""
    own = get(variant).variant(variant).view
    return VIEWS[kind][settings().view] if own == "images" else own


def _summary(items: Sequence[Mapping[str, Any]], variant: str) -> Summary:
    benchmark = get(variant)
    return benchmark.summarise(records.scores(items), benchmark.variant(variant))


def _turn(sample: Sample, variant: str, view: str, replies: Sequence[Reply] = ()) -> Messages | None:
    benchmark = get(variant)
    shown = benchmark.variant(variant)
    if shown.view in ("images", "collage"):
        shown = replace(shown, view=view)
    return benchmark.turn(sample, shown, replies)


def _asked(asked: T | None, doc: Doc) -> T:
    if asked is None:
        raise ValueError(f"{doc['id']}: nothing is asked")
    return asked


def _parts(messages: Messages) -> list[str | Picture]:
    return [part for message in messages for part in message.parts]


def _content(part: str | Picture) -> dict[str, Any]:
    return {"type": "text", "text": part} if isinstance(part, str) else {"type": "image", "url": part.open()}


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (process_docs, doc_to_messages, doc_to_visual, doc_to_text, process_results, accuracy, complete)
}


def __getattr__(name: str) -> Any:
    """`doc_to_text__lego_puzzles`: the function for that variant."""
    function, _, variant = name.partition("__")
    if function not in FUNCTIONS or not variant:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return partial(FUNCTIONS[function], variant=variant)

"""Repairs of VLMEvalKit, put in place when one of our datasets is built; they act on our datasets alone.

- A model that cannot interleave sees only the first picture (`message_to_promptimg`): it gets one labelled picture of all, the
  collage view; one that drops pictures although it claims to interleave fails, with the way out in the message.
- A finished or half-finished table that is used again comes through `load`, which spoils replies ("None" becomes NaN), and xlsx
  spoils others: the exact replies go in instead. They are kept beside the table, and go with it when `--reuse` copies it.
- A dataset that asks more than once is answered with whole dialogues (`dialogues.py`), and --reuse takes over what is kept of them.
- The kit logs what it was told about the judge, and keeps its command line in `status.json`: keys are taken out of both.
- An API model that answers with nothing is asked again, and in the end gets the text of a request that failed: it gets "", which
  is the model's own fault, as in lmms-eval. A request that was never answered stays lost.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Mapping
from copy import copy
from functools import wraps
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

from ...errors import CogsightError
from ...redact import redact, redact_arguments
from ...settings import settings
from . import dialogues, logs
from .dataset import PuzzleDataset

Function = Callable[..., Any]
MARK = "repaired_by_cogsight"
LOGGER = "vlmeval"
"""Whose handlers write all that the kit logs."""


def install() -> None:
    """Idempotent. What an older kit does not have is left out."""
    for handler in logging.getLogger(LOGGER).handlers:
        if without_keys not in handler.filters:
            handler.addFilter(without_keys)
    for place, repair in REPAIRS.items():
        owner, name = _owner(place)
        original = getattr(owner, name, None)
        if original is not None and not hasattr(original, MARK):
            repaired = wraps(original)(repair(original))
            setattr(repaired, MARK, True)
            setattr(owner, name, repaired)


def without_keys(record: logging.LogRecord) -> bool:
    """A filter that lets all pass, without what `redact` takes out."""
    record.msg = redact(record.msg)
    return True


def _owner(place: str) -> tuple[Any, str]:
    """The module or class that holds a function, and the function's name there; (None, name) when there is none."""
    module, _, path = place.partition(":")
    *scopes, name = path.split(".")
    try:
        owner: Any = import_module(module)
    except ImportError:
        return None, name
    for scope in scopes:
        owner = getattr(owner, scope, None)
    return owner, name


def view_for(model: Any) -> str:
    """What a model is shown: COGSIGHT_VIEW, or else a collage when the model says that it cannot interleave.

    `model` is one, or what `supported_VLM` holds for a name: a class, or a partial of one.
    """
    asked = settings().view
    if asked != "auto":
        return asked
    return "images" if getattr(getattr(model, "func", model), "INTERLEAVE", True) else "collage"


def _infer_data(original: Function) -> Function:
    """Local mode. The view follows from the model's name alone, so that all ranks and later runs agree on it."""

    def infer_data(*args: Any, **kwargs: Any) -> Any:
        given = signature(original).bind(*args, **kwargs).arguments
        dataset, model, folder = given["dataset"], given["model"], Path(given["work_dir"])
        if isinstance(dataset, PuzzleDataset):
            from vlmeval.config import supported_VLM

            dataset.show_as(view_for(supported_VLM[model] if isinstance(model, str) else model))
            stem = f"{given['model_name']}_{dataset.dataset_name}"
            _mend_previous(folder, stem)
            if dialogues.is_dialogue(dataset):
                with dialogues.whole_answers(model, dataset, folder, stem):
                    return original(*args, **kwargs)
        return original(*args, **kwargs)

    return infer_data


def _mend_previous(folder: Path, stem: str) -> None:
    """Exact replies in the file through which the kit hands a run the results of an earlier one."""
    from vlmeval.smp import dump, load

    form = os.environ.get("PRED_FORMAT", "").lower() or "xlsx"
    previous, table = folder / f"{stem}_PREV.pkl", folder / f"{stem}.{form}"
    if previous.exists() and table.exists():
        dump(_exact(load(str(previous)), table), str(previous))


def _exact(results: Mapping[str, Any], table: Path) -> dict[str, Any]:
    """The same indices, with the predictions as the table has them."""
    exact = logs.predictions(table)
    return {index: exact.get(index, prediction) for index, prediction in results.items()}


def _pipeline(original: Function) -> Function:
    """--api-mode: `APIEvalPipeline(dataset_configs, …)`."""

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807 - replaces one
        for config in signature(original).bind(self, *args, **kwargs).arguments["dataset_configs"]:
            if isinstance(config.dataset_obj, PuzzleDataset):
                config.dataset_obj.show_as(view_for(config.model_obj))
                # This mode does not look at `force_use_dataset_prompt`; each dataset has a model object of its own.
                config.model_obj.use_custom_prompt = lambda *args, **kwargs: False
                if dialogues.is_dialogue(config.dataset_obj):
                    stem = f"{config.model_name}_{config.dataset_name}"
                    dialogues.converse(config.model_obj, config.dataset_obj, Path(config.work_dir), stem)
        original(self, *args, **kwargs)

    return __init__


def _load_checkpoint(original: Function) -> Function:
    def load_checkpoint(self: Any, dataset_name: str) -> Any:
        results, config = original(self, dataset_name), self.states[dataset_name]
        table = Path(config.result_file)
        ours = isinstance(config.dataset_obj, PuzzleDataset) and table.exists()
        return _exact(results, table) if ours else results

    return load_checkpoint


def _dump(original: Function) -> Function:
    def dump(data: Any, f: str, **kwargs: Any) -> Any:
        result = original(data, f, **kwargs)
        table = Path(f)
        if table.exists() and set(logs.COLUMNS) <= set(getattr(data, "columns", ())):
            if table.suffix == ".xlsx":
                logs.keep_exact(table, data["index"], data["prediction"])
            if not any(logs.to_replies(str(text), True)[-1].error for text in data["prediction"]):
                dialogues.forget(table)
        return result

    return dump


def _copy_prediction_file(original: Function) -> Function:
    def copy_prediction_file(src_file: str, dst_file: str) -> Any:
        source, target = Path(src_file), Path(dst_file)
        if source.suffix == target.suffix:
            logs.copy_exact(source, target)
        return original(src_file, dst_file)

    return copy_prediction_file


def _infer_aux_files(original: Function) -> Function:
    """What --reuse takes over from an earlier run."""

    def get_infer_aux_file_names(*args: Any, **kwargs: Any) -> set[str]:
        names: set[str] = original(*args, **kwargs)
        given = signature(original).bind(*args, **kwargs).arguments
        if dialogues.is_dialogue(given["dataset"]):
            stem = f"{given['model_name']}_{given['dataset_name']}"
            names |= set(dialogues.names(stem, given.get("world_size", 1)))
        return names

    return get_infer_aux_file_names


def _prediction_table(original: Function) -> Function:
    """What --reuse writes anew when PRED_FORMAT has changed."""

    def prediction_table(pred_file: str) -> Any:
        frame = original(pred_file)
        if set(logs.COLUMNS) <= set(getattr(frame, "columns", ())) and Path(pred_file).suffix in logs.READERS:
            exact = logs.predictions(Path(pred_file))
            return frame.assign(prediction=[exact[index] for index in map(str, frame["index"])])
        return frame

    return prediction_table


def _message_to_promptimg(original: Function) -> Function:
    def message_to_promptimg(self: Any, message: list[dict[str, str]], dataset: str | None = None) -> Any:
        pictures = sum(part["type"] == "image" for part in message)
        ours = any(dataset in cls.supported_datasets() for cls in PuzzleDataset.__subclasses__())
        if ours and pictures > 1:
            raise CogsightError(
                f"{dataset}: {type(self).__name__} would see only the first of {pictures} pictures; run it with COGSIGHT_VIEW=collage"
            )
        return original(self, message, dataset=dataset)

    return message_to_promptimg


def _generate(original: Function) -> Function:
    def generate(self: Any, message: Any, **kwargs: Any) -> Any:
        dataset = getattr(
            getattr(self, "dump_image_func", None), "__self__", None
        )  # the kit has told it whom it answers
        if not isinstance(dataset, PuzzleDataset) or getattr(
            self, "stream", False
        ):  # an error in a stream looks like ""
            return original(self, message, **kwargs)
        nothing: list[bool] = []

        def generate_inner(*args: Any, **kwargs: Any) -> Any:
            result = self.generate_inner(*args, **kwargs)
            nothing.append(answered_nothing(*result))
            return result

        twin = copy(self)  # several threads ask one model at a time
        twin.generate_inner = generate_inner
        reply = original(twin, message, **kwargs)
        failed = isinstance(reply, str) and reply.startswith(logs.FAILURES)
        return "" if failed and any(nothing) else reply

    return generate


def answered_nothing(code: Any, answer: Any, response: Any) -> bool:
    """Whether a try of the kit's (what `generate_inner` returns) was answered, code 0, and the answer is empty.

    OpenAI-style wrappers cannot read a content of null, and give a failure text with code 0: there, the response itself tells.
    """
    if code != 0:
        return False
    if isinstance(answer, str) and answer.startswith(logs.FAILURES):
        try:
            answer = json.loads(response.text)["choices"][0]["message"]["content"]
        except (AttributeError, LookupError, TypeError, ValueError):  # no answer, or not of that style
            return False
    return answer is None or (isinstance(answer, str) and not answer.strip())


def _dump_run_status(original: Function) -> Function:
    def dump_run_status(status_file: Any, status: dict[str, Any]) -> None:
        argv = redact_arguments(status.get("argv") or [])
        original(status_file, {**status, "argv": argv} if argv else status)

    return dump_run_status


REPAIRS: Mapping[str, Callable[[Function], Function]] = {
    "vlmeval.inference:infer_data": _infer_data,
    "vlmeval.smp.file:dump": _dump,
    "vlmeval.smp.status_report:_dump_run_status_unlocked": _dump_run_status,
    "vlmeval.smp.file:copy_prediction_file": _copy_prediction_file,
    "vlmeval.smp.file:get_infer_aux_file_names": _infer_aux_files,
    "vlmeval.smp.file:_prediction_table": _prediction_table,
    "vlmeval.inference:dump": _dump,
    "vlmeval.inference_api:dump": _dump,
    "vlmeval.inference_api:APIEvalPipeline.__init__": _pipeline,
    "vlmeval.inference_api:APIEvalPipeline._load_checkpoint": _load_checkpoint,
    "vlmeval.vlm.base:BaseModel.message_to_promptimg": _message_to_promptimg,
    "vlmeval.api.base:BaseAPI.message_to_promptimg": _message_to_promptimg,
    "vlmeval.api.base:BaseAPI.generate": _generate,
}

"""A benchmark as a VLMEvalKit dataset class: questions as a table without pictures, prompts as interleaved messages.

The kit's own readers are not used: they fetch a TSV, and turn the answers "None" and "NA" into NaN. Its answer matching is not
used either: TYPE is a name of ours, so that no model shortens or post-processes what it says, and `evaluate` is ours.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import pandas as pd
from vlmeval.dataset.image_base import ImageBaseDataset
from vlmeval.smp import LMUDataRoot

from ...benchmark import Benchmark
from ...files import staged
from ...sample import Messages, Picture, Reply, Sample
from ...truth import shown
from ...variants import Variant, vlmeval_name
from .. import usable_settings
from .stops import brief

Prompt = list[dict[str, Any]]
"""What the kit sends: {"type": "image", "value": path} and {"type": "text", "value": text}, in order."""
Turns = list[dict[str, Any]]
"""The same with roles: {"role": "user", "content": a prompt}, {"role": "assistant", …}, in order."""

ADDRESS = re.compile(r"data:|[a-z][a-z0-9+.-]*://\S+$", re.IGNORECASE)


class PuzzleDataset(ImageBaseDataset):  # type: ignore[misc]
    """Questions of one variant. `data` is the table that the kit writes out with the predictions.

    Its `index` changes with the words, the pictures and the view asked for, so that predictions left over from another version
    of a question are never taken for answers to this one (bug log U11).
    """

    TYPE = "PUZZLE"
    MODALITY = "IMAGE"
    force_use_dataset_prompt = True
    BENCHMARK: Benchmark

    def __init__(self, dataset: str, skip_noimg: bool = True) -> None:
        """`skip_noimg` is the kit's: leave out rows without pictures. Each of ours has what it needs.

        Raises DataError when there are no questions to ask. A COGSIGHT_* setting that cannot be used ends the program.
        """
        from . import patches

        patches.install()
        self.dataset_name = dataset
        self.skip_noimg = skip_noimg
        self.meta_only = True
        self.variant = self.BENCHMARK.variant(dataset)
        self.img_root = str(Path(LMUDataRoot()) / "images" / "cogsight")
        self._rows: dict[str, int] = {}
        self._asked: dict[bytes, tuple[str, int]] = {}
        view = usable_settings().view
        with brief(dataset):
            self.data = self._table(view)

    @cached_property
    def samples(self) -> Sequence[Sample]:
        """Read from disk when first asked for, in every process anew."""
        return self.BENCHMARK.samples(self.variant)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "samples"}

    def show_as(self, view: str) -> None:
        """Show several pictures interleaved ("images") or as one labelled picture ("collage").

        A variant that is itself about how things are shown stays as it is.
        """
        variant = self.BENCHMARK.variant(self.dataset_name)
        if variant.view == "images":
            self.variant = replace(variant, view=view)
            self.data = self.data.assign(view=view)

    def build_prompt(self, line: int | pd.Series[Any] | Mapping[str, Any]) -> Prompt:
        """The messages of one row, given by position or as the row itself; of a dialogue its first turn."""
        index = self._index(line)
        turns = self.turns(index, ())
        if turns is None:
            raise ValueError(f"{index}: {self.variant.name} asks nothing")
        return _only_prompt(turns)

    def turns(self, index: str, replies: Sequence[Reply]) -> Turns | None:
        """What to send after these replies; None when the dialogue is over."""
        sample = self.sample(index)
        messages = self.BENCHMARK.turn(sample, self.variant, replies)
        if messages is None:
            return None
        turns = [
            {"role": message.role, "content": [self._part(sample, part) for part in message.parts]}
            for message in messages
        ]
        self._asked[_key(turns)] = (index, len(replies))
        return turns

    def dump_image(self, line: int | pd.Series[Any] | Mapping[str, Any]) -> list[str]:
        """Files of a row's pictures but the true one, in order; some models ask for them instead of the prompt."""
        sample = self.sample(self._index(line))
        return [self._file(sample, picture) for picture in shown(sample)]

    def asked(self, prompt: Prompt | Turns) -> tuple[str, int]:
        """The row's index and the turn that were behind a prompt when we made it. Raises KeyError for any other."""
        return self._asked[_key(prompt)]

    def sample(self, index: str) -> Sample:
        """The sample of a row's `index`. Raises KeyError when there is no such row."""
        return self.samples[self._rows[index]]

    def evaluate(self, eval_file: str, **judge_kwargs: Any) -> dict[str, float]:
        """Score the result table at `eval_file`, write log and summary beside it, print the table, return what run.py shows."""
        from .evaluate import evaluate

        with brief(self.dataset_name):
            return evaluate(self, Path(eval_file), judge_kwargs)

    @classmethod
    def report_primary_metric(cls, metrics: dict[str, Any] | None) -> dict[str, float]:
        """What the kit's last table shows: the overall score, and below it "Complete 0" when that is not one of a whole run."""
        found = metrics or {}
        shown = ("Overall",) if found.get("Complete") else ("Overall", "Complete")
        return {name: found[name] for name in shown if name in found}

    @classmethod
    def get_judge_file(cls, eval_file: str | Path, judge_model: str | None = None) -> None:
        """None: run.py would look for its own texts of failed verdicts in our sample log. The rate of those is among our metrics."""

    def _table(self, view: str) -> pd.DataFrame:
        apart = replace(self.variant, view="images") if self.variant.view == "collage" else self.variant
        later = self.BENCHMARK.prompt_version if self.variant.packed else ""
        records = []
        for row, sample in enumerate(self.samples):
            messages = self.BENCHMARK.turn(sample, apart, ()) or ()
            index = f"q{row}_{_fingerprint(sample, messages, view, later)}"
            self._rows[index] = row
            records.append(_record(index, sample, self.variant))
        return pd.DataFrame(records).fillna("")

    def _index(self, line: int | pd.Series[Any] | Mapping[str, Any]) -> str:
        return str((self.data.iloc[line] if isinstance(line, int) else line)["index"])

    def _part(self, sample: Sample, part: str | Picture) -> dict[str, str]:
        if isinstance(part, Picture):
            return {"type": "image", "value": self._file(sample, part)}
        return {"type": "text", "value": plain_text(part)}

    def _file(self, sample: Sample, picture: Picture) -> str:
        """Written on first use; named by sample and content, so that a picture which changed gets another name."""
        slug = "".join(c if c.isalnum() else "." for c in sample.id)
        path = Path(self.img_root) / f"{slug}-{sha256(picture.data).hexdigest()[:12]}{picture.suffix}"
        if not path.exists() or path.stat().st_size != len(picture.data):
            with staged(path) as stage:  # other processes may write the same picture now
                stage.write_bytes(picture.data)
        return str(path)


def dataset_class(benchmark: Benchmark, module: str) -> type[PuzzleDataset]:
    """The class of a benchmark, named like it (`LEGO_Puzzles` → `LEGOPuzzles`); `module` is where pickle will find it."""
    names = dict.fromkeys((vlmeval_name(variant, benchmark.vlmeval_prefix) for variant in benchmark.variants), "")
    members = {
        "__doc__": f"{benchmark.title} (cogsight).",
        "__module__": module,
        "BENCHMARK": benchmark,
        "DATASET_URL": names,
    }
    return type(benchmark.vlmeval_prefix.replace("_", ""), (PuzzleDataset,), members)


def plain_text(text: str) -> str:
    """The text so that the kit takes it for text.

    `vlmeval.smp.parse_file` takes a text that names an existing file or folder, a URL or a data URL for an attachment; a line
    break in front prevents all three.
    """
    taken = os.path.exists(text) or ADDRESS.match(text)
    return f"\n{text}" if taken else text


def _record(index: str, sample: Sample, variant: Variant) -> dict[str, str]:
    about = {"index": index, "sample_id": sample.id, "variant": variant.name, "view": variant.view}
    question = {"task": sample.task, "category": sample.category, "level": sample.level, "question": sample.question}
    return about | question | {"answer": sample.answer} | dict(sample.choices)


def _only_prompt(turns: Turns) -> Prompt:
    if [turn["role"] for turn in turns] != ["user"]:
        roles = ", ".join(turn["role"] for turn in turns)
        raise ValueError(f"VLMEvalKit's single-turn path sends one user turn, not {roles}")
    prompt: Prompt = turns[0]["content"]
    return prompt


def _key(prompt: Prompt | Turns) -> bytes:
    """Of what is sent, with or without roles."""
    parts = [part for item in prompt for part in item.get("content", [item])]
    return sha256(repr([(part["type"], part["value"]) for part in parts]).encode()).digest()


def _fingerprint(sample: Sample, messages: Messages, view: str, later: str) -> str:
    """`later`: names what is asked in later turns; "" when there are none."""
    digest = sha256(f"{sample.id}\0{view}{later}".encode())
    for part in (part for message in messages for part in message.parts):
        data = part.data if isinstance(part, Picture) else part.encode()
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()[:8]

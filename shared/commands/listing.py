"""`cogsight list`: what can be run, under which name in each framework, how many questions it has, where its data is."""

from __future__ import annotations

import json
from typing import Any

from ..benchmark import Benchmark
from ..registry import variants
from ..variants import Variant, lmms_eval_name, vlmeval_name
from .data import data_of
from .output import print_rows

COLUMNS = {
    "benchmark": "benchmark",
    "lmms-eval task": "lmms_eval",
    "VLMEvalKit data": "vlmevalkit",
    "questions": "questions",
    "what": "description",
    "data": "data",
}
"""Title → field."""
SIDE_BY_SIDE = 4
"""Columns that are short enough for a terminal."""


def run(as_json: bool) -> int:
    """Print it: a table, or with `as_json` a list of objects."""
    entries = [entry(benchmark, variant) for benchmark, variant in variants()]
    if as_json:
        print(json.dumps(entries, ensure_ascii=False, indent=2))
    else:
        print_rows(list(COLUMNS), [[entry[field] for field in COLUMNS.values()] for entry in entries], SIDE_BY_SIDE)
    return 0


def entry(benchmark: Benchmark, variant: Variant) -> dict[str, Any]:
    """All that is known of a variant without reading its data; JSON values only."""
    data = data_of(benchmark, variant)
    return {
        "benchmark": benchmark.name,
        "title": benchmark.title,
        "version": benchmark.version,
        "lmms_eval": lmms_eval_name(variant),
        "vlmevalkit": vlmeval_name(variant, benchmark.vlmeval_prefix),
        "subset": variant.subset,
        "view": variant.view,
        "style": variant.style,
        "source": variant.source,
        "size": variant.size,
        "questions": _questions(variant, data.samples),
        "description": variant.description,
        "data": data.text,
        "data_state": data.state,
        "data_path": str(data.path or ""),
    }


def _questions(variant: Variant, found: int | None) -> str:
    """How many a run asks, and where data are built that hold fewer (a local copy that is not whole), how many of those.

    A subset is drawn from a folder that holds more.
    """
    if not variant.size:
        return "as many as there are" if found is None else str(found)
    drawn = variant.subset != "full"
    if found is None or found == variant.size or (drawn and found > variant.size):
        return str(variant.size)
    return f"{'at most ' * drawn}{found} of {variant.size}"

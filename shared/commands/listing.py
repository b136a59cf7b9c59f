"""`cogsight list`: what can be run, under which name in each framework, how many questions it has, where its data is."""

from __future__ import annotations

import json
from typing import Any

from ..benchmark import Benchmark
from ..registry import variants
from ..variants import Variant, lmms_eval_name, vlmeval_name
from .data import data_of
from .output import print_rows

COLUMNS = {"lmms-eval task": "lmms_eval", "VLMEvalKit data": "vlmevalkit", "questions": "size", "data": "data"}
"""Title → field."""


def run(as_json: bool) -> int:
    """Print it: a table, or with `as_json` a list of objects."""
    entries = [entry(benchmark, variant) for benchmark, variant in variants()]
    if as_json:
        print(json.dumps(entries, ensure_ascii=False, indent=2))
    else:
        print_rows(list(COLUMNS), [[str(entry[field]) for field in COLUMNS.values()] for entry in entries])
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
        "description": variant.description,
        "data": data.text,
        "data_state": data.state,
        "data_path": str(data.path or ""),
    }

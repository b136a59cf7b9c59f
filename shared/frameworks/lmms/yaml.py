"""Writes lmms-eval's task files from the variants table: `python -m cogsight.shared.frameworks.lmms.yaml`, in a checkout.

They are kept in the repository, so that they can be read and lmms-eval finds them without running us; a test says when they differ.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from ...benchmark import Benchmark
from ...registry import benchmarks
from ...variants import Variant, lmms_eval_name
from .records import COMPLETE, RATES

TASKS = f"{__package__}.tasks"

FILE = """\
# {description}
# Written by `python -m {module}` from the variants table; change that, not this.
task: {task}
{tag}
# lmms-eval must load some dataset before it asks us: the lines of this file. process_docs puts the benchmark's rows in their place.
dataset_path: text
dataset_kwargs:
  data_files:
    test: {task}.yaml
test_split: test
process_docs: !function {tasks}.process_docs__{name}

output_type: {output_type}
doc_to_messages: !function {tasks}.doc_to_messages__{name}
doc_to_visual: !function {tasks}.doc_to_visual__{name}
doc_to_text: !function {tasks}.doc_to_text__{name}
doc_to_target: answer
generation_kwargs:
  until: []  # lmms-eval's default cuts a reply at its first blank line
  max_new_tokens: {max_new_tokens}
  do_sample: false
  temperature: 0
{steps}num_fewshot: 0  # there is nothing to draw examples from: else --num_fewshot ends the run
reasoning_tags: none  # our extraction reads reasoning blocks itself, closed or not

process_results: !function {tasks}.process_results__{name}
metric_list:
  - metric: accuracy
    aggregation: !function {tasks}.accuracy__{name}
    higher_is_better: true
  - metric: {complete}
    aggregation: !function {tasks}.{complete}__{name}
    higher_is_better: true
{metrics}metadata:
  version: "{version}"
"""

STEPS = """\
  max_agentic_steps: {turns}  # turns of the dialogue
"""

METRIC = """\
  - metric: {name}
    aggregation: mean
    higher_is_better: {better}
"""


def task_file(benchmark: Benchmark, variant: Variant, task: str) -> str:
    """The text of the task file under this name of the variant's."""
    metrics = [METRIC.format(name=task, better="true") for task in benchmark.asked(variant)]
    metrics += [METRIC.format(name=rate, better="false") for rate in RATES]
    return FILE.format(
        description=variant.description or benchmark.title,
        module=f"{__package__}.yaml",
        task=task,
        name=lmms_eval_name(variant),
        tag=f"tag: {variant.tag}\n" if variant.tag else "",
        tasks=TASKS,
        output_type="generate_until_agentic" if variant.packed else "generate_until",
        steps=STEPS.format(turns=variant.turns) if variant.packed else "",
        max_new_tokens=variant.max_new_tokens,
        complete=COMPLETE,
        metrics="".join(metrics),
        version=benchmark.version,
    )


def task_files(benchmark: Benchmark) -> dict[Path, str]:
    """Where each variant's task files belong, beside the benchmark's own modules → their text."""
    folder = Path(str(import_module(f"cogsight.{benchmark.name}").__file__)).parent / "lmms_tasks"
    tasks = [
        (name, variant) for variant in benchmark.variants for name in (lmms_eval_name(variant), variant.alias) if name
    ]
    return {folder / f"{name}.yaml": task_file(benchmark, variant, name) for name, variant in tasks}


def main() -> None:
    """Write the task files of all registered benchmarks, and remove those of variants that are gone."""
    for benchmark in benchmarks().values():
        wanted = task_files(benchmark)
        for path, text in wanted.items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(path)
        for stale in set(next(iter(wanted)).parent.glob("*.yaml")) - set(wanted):
            stale.unlink()


if __name__ == "__main__":
    main()

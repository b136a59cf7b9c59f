"""MME-CC as a Benchmark: its variants, and where their samples come from (arXiv 2511.03146)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cogsight.shared.benchmark import Benchmark
from cogsight.shared.build import Generator
from cogsight.shared.cache import dataset_dir
from cogsight.shared.card import About
from cogsight.shared.dataset import Samples, read, write
from cogsight.shared.errors import CogsightError
from cogsight.shared.fetch_folder import fingerprint_present, locate_folder
from cogsight.shared.files import user_path
from cogsight.shared.generated_data import generated_key, generated_samples
from cogsight.shared.messages import user_turn
from cogsight.shared.official_data import official_key, official_samples
from cogsight.shared.progress import track
from cogsight.shared.sample import Messages, Reply, Sample, Score
from cogsight.shared.settings import settings
from cogsight.shared.summary import Summary
from cogsight.shared.variants import Variant

from . import scoring
from .official import RELEASE, read_release
from .prompts import PROMPT_VERSION, prompt
from .taxonomy import PROCEDURAL_PER_TASK, SIZE, SUBSETS, TASKS

NAME = "mme_cc"
VERSION = "1-A"
PAPER = "https://arxiv.org/abs/2511.03146"

MAX_NEW_TOKENS = 16384
"""Models reason at length here: the paper finds long chains of checks above all in mazes."""

VARIANTS = (
    Variant(
        NAME,
        size=SIZE,
        alias="cogsight_mme_cc",
        description="the official questions, 11 subtasks; overall = mean of the 3 categories",
        max_new_tokens=MAX_NEW_TOKENS,
    ),
    Variant(
        NAME,
        ("describe", "first"),
        subset="describe_first",
        style="describe_first",
        description="the ablation: describe the pictures, then answer; 7 subtasks",
        max_new_tokens=MAX_NEW_TOKENS,
    ),
    *(
        Variant(
            NAME,
            tuple(name.split("_")),
            subset=name,
            tag="mme_cc_subtasks",
            description=f"the official questions of {task.title}",
            max_new_tokens=MAX_NEW_TOKENS,
        )
        for name, task in TASKS.items()
    ),
    Variant(
        NAME,
        ("procedural",),
        source="procedural",
        size=len(TASKS) * PROCEDURAL_PER_TASK,
        description="simple generated questions of the same 11 kinds, proved keys, no network",
        max_new_tokens=MAX_NEW_TOKENS,
    ),
)


def turn(sample: Sample, variant: Variant, replies: Sequence[Reply]) -> Messages | None:
    """One question, one reply."""
    return None if replies else user_turn(prompt(sample, variant.style), sample.images, variant.view)


def summarise(scores: Iterable[Score], variant: Variant) -> Summary:
    """See `scoring.summarise`. Raises DataError when the official questions, which tell how many there are, are not on disk."""
    return scoring.summarise(scores, variant, expected(variant))


def expected(variant: Variant) -> dict[str, int]:
    """Subtask → questions in a whole run; of official ones as many as the release on disk has, since no paper says."""
    if variant.source == "procedural":
        return dict.fromkeys(SUBSETS[variant.subset], PROCEDURAL_PER_TASK)
    counts = Counter(samples(variant).dataset["task"])
    return {task: counts[task] for task in SUBSETS[variant.subset]}


def samples(variant: Variant) -> Samples:
    """A variant's questions, from the cache; on first use they are downloaded or generated. Raises DataError."""
    if variant.source == "procedural":
        return read(dataset_dir(cache_key(variant), lambda path: build(path, seed=settings().seed, num_proc=2)))
    return _official(locate_folder(RELEASE), settings().allow_changed).of(SUBSETS[variant.subset])


def cache_key(variant: Variant) -> str:
    """Names all that decides the content: for the official questions the fingerprint of the folder they are read from."""
    if variant.source == "official":
        return official_key(NAME, fingerprint_present(RELEASE))
    from .generate import DATA_VERSION

    return generated_key(NAME, f"data{DATA_VERSION}")


def build(
    out: Path,
    *,
    source: str | Path = "procedural",
    subset: str = "full",
    tasks: Sequence[str] | None = None,
    num_samples: int | None = None,
    seed: int = 0,
    num_proc: int = 1,
    allow_changed: bool = False,
    overwrite: bool = False,
) -> Path:
    """Write a Hub-ready folder of generated questions, or of the official ones.

    `source`: "procedural", "official", or the path of a local copy of the release. `tasks`: None for all of the subset.
    `num_samples`: per subtask; None for 20 generated, or all official ones. Raises CogsightError when an option does not fit.
    """
    chosen = _chosen(subset, tasks)
    options = {"subset": subset, "tasks": list(tasks or ()), "num_samples": num_samples}
    if source == "procedural":
        generated, versions = _generated(chosen, num_samples or PROCEDURAL_PER_TASK, seed, num_proc)
        about = _about("procedural", **versions, seed=seed, options=options)
        return write(generated, out, about, overwrite=overwrite)
    path = locate_folder(RELEASE) if source == "official" else RELEASE.within(user_path(source))
    found = _official(path, allow_changed)
    about = _about("official", data_version=RELEASE.fingerprint(path), options=options)
    return write(found.of(chosen, num_samples), out, about, overwrite=overwrite)


def _chosen(subset: str, tasks: Sequence[str] | None) -> list[str]:
    """The subtasks of a subset, or those of them that were asked for. Raises CogsightError for others."""
    if subset not in SUBSETS:
        raise CogsightError(f"subset {subset!r}: {NAME} has {', '.join(SUBSETS)}")
    if absent := [task for task in tasks or () if task not in SUBSETS[subset]]:
        raise CogsightError(f"{', '.join(absent)}: not in subset {subset}; it has {', '.join(SUBSETS[subset])}")
    return [task for task in SUBSETS[subset] if tasks is None or task in tasks]


def _generated(
    tasks: Sequence[str], num_samples: int, seed: int, num_proc: int
) -> tuple[Iterator[Sample], dict[str, str]]:
    """The samples as they come, with progress, and the versions that decide them."""
    from .generate import GENERATORS, VERSIONS

    counts = dict.fromkeys(tasks, num_samples)
    made = generated_samples(
        GENERATORS, counts, benchmark=NAME, title=scoring.TITLE, versions=VERSIONS, seed=seed, num_proc=num_proc
    )
    return made, VERSIONS


def _official(path: Path, allow_changed: bool) -> Samples:
    """All samples of a release folder, by way of the cache."""
    fingerprint = RELEASE.fingerprint(path)
    rows = track(read_release(path, allow_changed=allow_changed), f"{scoring.TITLE}: reading {path}", None)
    about = _about("official", data_version=fingerprint)
    return official_samples(official_key(NAME, fingerprint), rows, about, allow_changed)


def _about(source: str, *, seed: int | None = None, options: Mapping[str, Any] | None = None, **versions: str) -> About:
    variant = next(variant for variant in VARIANTS if variant.source == source)
    title = scoring.TITLE if source == "official" else f"{scoring.TITLE}, generated questions"
    return About(NAME, title, PAPER, VERSION, variant.name, source, seed=seed, options=options or {}, **versions)


def generators() -> Mapping[str, Generator[Any, Any]]:
    """Subtask → its generator."""
    from .generate import GENERATORS

    return GENERATORS


BENCHMARK = Benchmark(
    name=NAME,
    title=scoring.TITLE,
    vlmeval_prefix="MME_CC",
    version=VERSION,
    paper=PAPER,
    tasks=TASKS,
    variants=VARIANTS,
    samples=samples,
    turn=turn,
    score=scoring.score,
    summarise=summarise,
    build=build,
    prompt_version=PROMPT_VERSION,
    cache_key=cache_key,
    release=RELEASE,
    policies=scoring.POLICIES,
    generators=generators,
    judge_model="DeepSeek-V3-0324",  # the paper's, section 3.1
)

"""LEGO-Puzzles as a Benchmark: its variants, and where their samples come from (arXiv 2503.19990)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cogsight.shared.benchmark import Benchmark
from cogsight.shared.build import generate_samples
from cogsight.shared.cache import dataset_dir
from cogsight.shared.card import About
from cogsight.shared.dataset import SCHEMA_VERSION, Samples, read, write
from cogsight.shared.errors import CogsightError
from cogsight.shared.fetch import locate, md5_present
from cogsight.shared.files import digest, user_path
from cogsight.shared.messages import user_turn
from cogsight.shared.official_data import official_key, official_samples
from cogsight.shared.progress import track
from cogsight.shared.rng import stream
from cogsight.shared.sample import Messages, Reply, Sample
from cogsight.shared.settings import settings
from cogsight.shared.variants import Variant

from .official import RELEASE, read_release
from .prompts import PROMPT_VERSION, prompt
from .scoring import TITLE, score, summarise
from .taxonomy import LITE_PER_TASK, PROCEDURAL_TASKS, SAMPLES_PER_TASK, TASKS

NAME = "lego_puzzles"
VERSION = "1-A"
PAPER = "https://arxiv.org/abs/2503.19990"

VARIANTS = (
    Variant(NAME, size=len(TASKS) * SAMPLES_PER_TASK, description="the official questions, 11 tasks"),
    Variant(
        NAME, ("lite",), subset="lite", size=len(TASKS) * LITE_PER_TASK, description="20 official questions per task"
    ),
    Variant(
        NAME,
        ("procedural",),
        source="procedural",
        size=len(PROCEDURAL_TASKS) * SAMPLES_PER_TASK,
        description="generated brick models, proved keys, no network",
    ),
)


def turn(sample: Sample, variant: Variant, replies: Sequence[Reply]) -> Messages | None:
    """One question, one reply."""
    return None if replies else user_turn(prompt(sample), sample.images, variant.view)


def samples(variant: Variant) -> Samples:
    """A variant's questions, from the cache; on first use they are downloaded or generated. Raises DataError."""
    if variant.source == "procedural":
        return read(dataset_dir(cache_key(variant), lambda path: build(path, seed=settings().seed, num_proc=2)))
    return _subset(
        _official(locate(RELEASE, allow_changed=settings().allow_changed), settings().allow_changed), variant.subset
    )


def cache_key(variant: Variant) -> str:
    """Names all that decides the content: for the official questions the hash of the file they are read from."""
    if variant.source == "official":
        return official_key(NAME, md5_present(RELEASE))
    from .generate import DATA_VERSION, RENDER_VERSION

    return f"{NAME}-procedural-data{DATA_VERSION}-render{RENDER_VERSION}-seed{settings().seed}-schema{SCHEMA_VERSION}"


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

    `source`: "procedural", "official", or the path of a local LEGO.tsv. `tasks`: None for all. `num_samples`: per task; None for
    100 generated, or all official ones. Raises CogsightError when an option does not fit the source.
    """
    if subset not in (known := {variant.subset for variant in VARIANTS}):
        raise CogsightError(f"subset {subset!r}: {NAME} has {', '.join(sorted(known))}")
    options = {"subset": subset, "tasks": list(tasks or ()), "num_samples": num_samples}
    if source == "procedural":
        if subset != "full":
            raise CogsightError(
                f"subset {subset!r} is a draw from the official questions; to generate fewer use --num-samples"
            )
        generated, versions = _generated(tasks, num_samples or SAMPLES_PER_TASK, seed, num_proc)
        return write(
            generated, out, _about("procedural", subset, **versions, seed=seed, options=options), overwrite=overwrite
        )
    path = locate(RELEASE, allow_changed=allow_changed) if source == "official" else user_path(source)
    found = _subset(_official(path, allow_changed), subset).of(tasks or None, num_samples)
    about = _about("official", subset, data_version=digest(path, "md5"), options=options)
    return write(found, out, about, overwrite=overwrite)


def _generated(
    tasks: Sequence[str] | None, num_samples: int, seed: int, num_proc: int
) -> tuple[Iterator[Sample], dict[str, str]]:
    """The samples as they come, with progress, and the versions that decide them."""
    from .generate import DATA_VERSION, GENERATORS, RENDER_VERSION

    if absent := [task for task in tasks or () if task not in GENERATORS]:
        raise CogsightError(f"{', '.join(absent)}: cannot be generated yet; tasks that can: {', '.join(GENERATORS)}")
    chosen = [GENERATORS[task] for task in GENERATORS if tasks is None or task in tasks]
    versions = {"data_version": DATA_VERSION, "render_version": RENDER_VERSION}
    generated = generate_samples(
        chosen, benchmark=NAME, versions=versions, seed=seed, num_samples=num_samples, num_proc=num_proc
    )
    return track(generated, f"{TITLE}: generating", num_samples * len(chosen)), versions


def _official(path: Path, allow_changed: bool) -> Samples:
    """All samples of a release file, by way of the cache."""
    md5 = digest(path, "md5") if path.is_file() else ""
    rows = track(read_release(path, allow_changed=allow_changed), f"{TITLE}: reading {path}", None)
    return official_samples(official_key(NAME, md5), rows, _about("official", "full", data_version=md5), allow_changed)


def _subset(found: Samples, subset: str) -> Samples:
    """A subset of the official questions, in the release's order.

    Lite draws 20 of each task from the stream `lego_puzzles/lite/{task}`: the paper's own draw is not published, so scores on its
    Lite and on this one are on different questions. A task with fewer (an incomplete local copy) gives all it has.
    """
    if subset != "lite":
        return found
    rows: dict[str, list[int]] = {}
    for row, task in enumerate(found.dataset["task"]):
        rows.setdefault(task, []).append(row)
    drawn = (stream(NAME, "lite", task).sample(own, min(LITE_PER_TASK, len(own))) for task, own in rows.items())
    return found.select(sorted(row for own in drawn for row in own))


def _about(
    source: str, subset: str, *, seed: int | None = None, options: Mapping[str, Any] | None = None, **versions: str
) -> About:
    variant = next(variant for variant in VARIANTS if (variant.source, variant.subset) == (source, subset))
    title = TITLE if source == "official" else f"{TITLE}, generated questions"
    return About(NAME, title, PAPER, VERSION, variant.name, source, seed=seed, options=options or {}, **versions)


BENCHMARK = Benchmark(
    name=NAME,
    title=TITLE,
    vlmeval_prefix="LEGO_Puzzles",
    version=VERSION,
    paper=PAPER,
    tasks=TASKS,
    variants=VARIANTS,
    samples=samples,
    turn=turn,
    score=score,
    summarise=summarise,
    build=build,
    prompt_version=PROMPT_VERSION,
    cache_key=cache_key,
    release=RELEASE,
    judge_model="gpt-3.5-turbo-0125",  # the paper's "ChatGPT-0125"
)

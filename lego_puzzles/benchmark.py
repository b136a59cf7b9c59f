"""LEGO-Puzzles as a Benchmark: its variants, and where their samples come from (arXiv 2503.19990)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from cogsight.shared.benchmark import Benchmark
from cogsight.shared.build import Generator
from cogsight.shared.cache import dataset_dir
from cogsight.shared.card import About
from cogsight.shared.dataset import Samples, read, write
from cogsight.shared.errors import CogsightError
from cogsight.shared.fetch import locate, md5_present
from cogsight.shared.fetch_folder import ABSENT
from cogsight.shared.files import digest, user_path
from cogsight.shared.generated_data import generated_key, generated_samples
from cogsight.shared.messages import user_turn
from cogsight.shared.official_data import official_key, official_samples
from cogsight.shared.progress import track
from cogsight.shared.rng import stream
from cogsight.shared.sample import Messages, Reply, Sample, Score
from cogsight.shared.settings import settings
from cogsight.shared.summary import Summary
from cogsight.shared.truth import shown
from cogsight.shared.variants import Variant

from . import scoring
from .attribution import credited, holds_models
from .official import RELEASE, read_release
from .official_apart import RELEASES, read_apart
from .prompts import PROMPT_VERSION, prompt
from .scoring import TITLE, counted
from .taxonomy import APART, LITE_PER_TASK, NEXT_K_STEP, SUBSETS, TASKS

NAME = "lego_puzzles"
VERSION = "1-A"
PAPER = "https://arxiv.org/abs/2503.19990"

SETTINGS: Mapping[str, tuple[str, str, str]] = {
    "": ("full", "direct", "11 tasks"),
    "lite": ("lite", "direct", "20 questions per task"),
    "next_k_step": (NEXT_K_STEP, "direct", "the state after k more parts, 20 questions for each k"),
    "next_k_step_cot": (NEXT_K_STEP, "cot", "the state after k more parts, with chain of thought"),
    "generation": ("generation", "direct", "five tasks in which the model makes a picture"),
}
"""Name → subset, style, what it is."""

ABOUT = {
    "official": "the official questions",
    "procedural": "generated brick models, proved keys, no network",
}


def _variant(setting: str, source: str) -> Variant:
    subset, style, about = SETTINGS[setting]
    tasks = SUBSETS[subset].tasks
    return Variant(
        NAME,
        tuple(filter(None, (*setting.split("_"), *(["procedural"] if source == "procedural" else [])))),
        subset=subset,
        style=style,
        source="procedural" if source == "procedural" else "official",
        size=0 if source == "official" and subset in RELEASES else len(tasks) * SUBSETS[subset].per_task,
        description=f"{ABOUT[source]}: {about}",
        tasks=tasks,
        produces=subset == "generation",
    )


VARIANTS = tuple(_variant(setting, source) for source in ABOUT for setting in SETTINGS)


def turn(sample: Sample, variant: Variant, replies: Sequence[Reply]) -> Messages | None:
    """One question, one reply. A true picture stays here."""
    return None if replies else user_turn(prompt(sample, variant.style), shown(sample), variant.view)


def summarise(scores: Iterable[Score], variant: Variant) -> Summary:
    """See `scoring.summarise`; how many questions there are of what is not published, its data say."""
    return scoring.summarise(scores, variant, None if variant.size else counted(samples(variant).dataset["id"]))


def samples(variant: Variant) -> Samples:
    """A variant's questions, from the cache; on first use they are downloaded or generated. Raises DataError."""
    if variant.source == "procedural":
        fill = partial(build, subset=variant.subset, seed=settings().seed, num_proc=2)
        return read(dataset_dir(cache_key(variant), fill))
    return _official(_locate(variant.subset, settings().allow_changed), variant.subset, settings().allow_changed)


def cache_key(variant: Variant) -> str:
    """Names all that decides the content: for the official questions the hash of the file they are read from."""
    if variant.source == "official":
        return _official_key(variant.subset)
    from .generate import DATA_VERSION, RENDER_VERSION

    subset = SUBSETS[variant.subset]
    tasks = sha256(",".join(subset.tasks).encode()).hexdigest()[:8]
    content = f"{variant.subset}-tasks{tasks}-each{subset.per_task}-data{DATA_VERSION}-render{RENDER_VERSION}"
    return generated_key(NAME, content)


def build(
    out: Path,
    *,
    source: str | Path = "procedural",
    subset: str = "full",
    tasks: Sequence[str] | None = None,
    num_samples: int | None = None,
    seed: int = 0,
    num_proc: int = 1,
    ldraw_dir: Path | None = None,
    allow_changed: bool = False,
    overwrite: bool = False,
) -> Path:
    """Write a Hub-ready folder of generated questions, or of the official ones.

    `source`: "procedural", "official", the path of a local LEGO.tsv (of Next-k-Step and of generation, of the file that
    `official_apart.py` describes), or of a brick model (.ldr, .mpd) or a folder of such, to generate questions about. `ldraw_dir`: the
    LDraw library, for models that do not bring their parts. `tasks`: None for all of the subset. `num_samples`: per task; None for as many as the variant
    has, or all official ones. Raises CogsightError when an option does not fit the source.
    """
    if subset not in SUBSETS:
        raise CogsightError(f"subset {subset!r}: {NAME} has {', '.join(SUBSETS)}")
    if strangers := [task for task in tasks or () if task not in SUBSETS[subset].tasks]:
        raise CogsightError(f"{', '.join(strangers)}: subset {subset!r} has {', '.join(SUBSETS[subset].tasks)}")
    options = {"subset": subset, "tasks": list(tasks or ()), "num_samples": num_samples}
    per_task = num_samples or SUBSETS[subset].per_task
    if source == "procedural":
        generated, versions = _generated(generators(), tasks or SUBSETS[subset].tasks, per_task, seed, num_proc)
        about = _about("procedural", subset, **versions, seed=seed, options=options)
        return write(generated, out, about, overwrite=overwrite)
    path = _locate(subset, allow_changed) if source == "official" else user_path(source)
    if source != "official" and holds_models(path):
        from .generate.on_files import that_ask

        able = generators_on(path, ldraw_dir)
        if not (wanted := tasks or [task for task in SUBSETS[subset].tasks if task in able]):
            raise CogsightError(
                f"{path}: nothing of subset {subset!r} can be asked about a brick model, but {', '.join(able)} can: build {NAME}, without --subset"
            )
        _check_able(able, wanted)
        asked = that_ask(able, wanted, seed)
        generated, versions = _generated(asked, list(asked), per_task, seed, num_proc)
        about = credited(_about("procedural", subset, **versions, seed=seed, options=options), path, ldraw_dir)
        return write(generated, out, about, overwrite=overwrite)
    found = _official(path, subset, allow_changed).of(tasks or None, num_samples)
    about = _about("official", subset, data_version=digest(path, "md5"), options=options)
    return write(found, out, about, overwrite=overwrite)


def _generated(
    able: Mapping[str, Generator[Any, Any]], tasks: Sequence[str], num_samples: int, seed: int, num_proc: int
) -> tuple[Iterator[Sample], dict[str, str]]:
    """The samples as they come, with progress, and the versions that decide them."""
    from .generate import VERSIONS

    _check_able(able, tasks)
    counts = dict.fromkeys(tasks, num_samples)
    made = generated_samples(able, counts, benchmark=NAME, title=TITLE, versions=VERSIONS, seed=seed, num_proc=num_proc)
    return made, VERSIONS


def _check_able(able: Collection[str], tasks: Iterable[str]) -> None:
    if absent := [task for task in tasks if task not in able]:
        raise CogsightError(
            f"{', '.join(absent)}: cannot be generated from this source; tasks that can: {', '.join(able)}"
        )


def _locate(subset: str, allow_changed: bool) -> Path:
    """The official file of a subset; downloaded, where it has been published."""
    return RELEASES[subset].locate() if subset in RELEASES else locate(RELEASE, allow_changed=allow_changed)


def _official(path: Path, subset: str, allow_changed: bool) -> Samples:
    """The samples of a subset from its official file, by way of the cache."""
    md5 = digest(path, "md5") if path.is_file() else ""
    reader = partial(read_apart, path, subset) if subset in RELEASES else partial(read_release, path)
    rows = track(reader(allow_changed=allow_changed), f"{TITLE}: reading {path}", None)
    whole = subset if subset in RELEASES else "full"
    about = _about("official", whole, data_version=md5)
    return _subset(official_samples(official_key(_kept_as(whole), md5), rows, about, allow_changed), subset)


def _official_key(subset: str) -> str:
    """The cache key of a subset's official data, as they are now."""
    if subset not in RELEASES:
        return official_key(NAME, md5_present(RELEASE))
    path = RELEASES[subset].present()
    return official_key(_kept_as(subset), digest(path, "md5") if path else ABSENT)


def _kept_as(subset: str) -> str:
    """Lite is drawn from what the full set has in the cache."""
    return f"{NAME}-{subset}" if subset in RELEASES else NAME


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


def generators() -> Mapping[str, Generator[Any, Any]]:
    """Task → its generator."""
    from .generate import GENERATORS

    return GENERATORS


def generators_on(path: Path, ldraw_dir: Path | None = None) -> Mapping[str, Generator[Any, Any]]:
    """Task → its generator on the brick models at this path. Raises CogsightError where these cannot be used."""
    from .generate.on_files import generators as on_files
    from .generate.sources import from_files

    return on_files(from_files(path, ldraw_dir))


INHERENT_SHORTCUTS = {
    "ordering": "every step adds parts, so that later states have more ink; to see which parts is one way to solve it",
    "outlier": "all pictures are options, and the one that is asked for is unlike the others: to find it by how unlike it is, is to solve it",
}
"""See `Benchmark.inherent_shortcuts`."""

BENCHMARK = Benchmark(
    name=NAME,
    title=TITLE,
    vlmeval_prefix="LEGO_Puzzles",
    version=VERSION,
    paper=PAPER,
    tasks={**TASKS, **APART},
    variants=VARIANTS,
    samples=samples,
    turn=turn,
    score=scoring.score,
    summarise=summarise,
    build=build,
    prompt_version=PROMPT_VERSION,
    cache_key=cache_key,
    release=RELEASE,
    releases=RELEASES,
    generators=generators,
    generators_on=generators_on,
    inherent_shortcuts=INHERENT_SHORTCUTS,
    judge_model="gpt-3.5-turbo-0125",  # the paper's "ChatGPT-0125"
)

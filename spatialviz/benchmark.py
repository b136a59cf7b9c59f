"""SpatialViz-Bench as a Benchmark: its variants, and where their samples come from (arXiv 2507.07610)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from cogsight.shared.benchmark import Benchmark
from cogsight.shared.build import Generator
from cogsight.shared.cache import dataset_dir
from cogsight.shared.card import About
from cogsight.shared.dataset import Samples, read, write
from cogsight.shared.errors import CogsightError
from cogsight.shared.fetch import download_path, own_copy
from cogsight.shared.files import user_path
from cogsight.shared.generated_data import generated_key, generated_samples
from cogsight.shared.messages import user_turn
from cogsight.shared.official_data import official_key, official_samples
from cogsight.shared.progress import track
from cogsight.shared.sample import Messages, Reply, Sample
from cogsight.shared.settings import settings
from cogsight.shared.variants import Variant

from .attribution import ERRORS
from .diagnosis import diagnose
from .official import RELEASE, locate, read_release
from .prompts import PROMPT_VERSION, prompt
from .scoring import TITLE, score, summarise
from .taxonomy import SIZES, SOURCES, TASKS

NAME = "spatialviz"
VERSION = "1-A"
PAPER = "https://arxiv.org/abs/2507.07610"

TOKENS = {"cot": 8192, "boxed": 8192, "direct": 4096}
"""By style: the most that a reply may have."""


ASKED = (
    ((), "cot", "images", "{}; reasoning and answer in tags (the paper's CoT template A)"),
    (("direct",), "direct", "images", "{}, answer only"),
    (("boxed",), "boxed", "images", "{}, reasoning and a boxed letter (CoT template B)"),
    (("text", "only"), "cot", "text", "{} without their pictures"),
)
"""Words of the variant's name, style, view, what it is."""


def _variant(source: Literal["official", "procedural"], asked: tuple[tuple[str, ...], str, str, str]) -> Variant:
    words, style, view, said = asked
    official = source == "official"
    return Variant(
        NAME,
        words if official else (*words, source),
        view=view,
        style=style,
        source=source,
        size=sum(SIZES[task] for task in SOURCES[source]),
        description=said.format("the official questions" if official else "generated questions with proved keys"),
        max_new_tokens=TOKENS[style],
    )


VARIANTS = (
    *(_variant("official", asked) for asked in ASKED),
    *(_variant("procedural", asked) for asked in ASKED),
)


def turn(sample: Sample, variant: Variant, replies: Sequence[Reply]) -> Messages | None:
    """One question, one reply; the picture first, or none at all."""
    images = () if variant.view == "text" else sample.images
    return None if replies else user_turn(prompt(sample, variant.style), images, variant.view)


def samples(variant: Variant) -> Samples:
    """A source's questions, the same in every variant of it, from the cache; on first use they are downloaded and checked, or generated.

    Raises DataError.
    """
    if variant.source == "procedural":
        return read(dataset_dir(cache_key(variant), lambda path: build(path, seed=settings().seed, num_proc=2)))
    return _official(locate(), settings().allow_changed)


def cache_key(variant: Variant) -> str:
    """Names all that decides the content: of the official questions the hash of their files, "absent" while there are none."""
    if variant.source == "official":
        path = own_copy(RELEASE) or download_path(RELEASE)
        return official_key(NAME, RELEASE.fingerprint(path) if path.exists() else "absent")
    from .generate import DATA_VERSION, RENDER_VERSION

    return generated_key(NAME, f"data{DATA_VERSION}-render{RENDER_VERSION}")


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

    `source`: "procedural", "official", or the path of a local release. `tasks`: None for all. `num_samples`: of each task, the first so
    many; None for as many as the release has. Raises CogsightError when an option does not fit.
    """
    if subset != "full":
        raise CogsightError(f"subset {subset!r}: {NAME} has full")
    options = {"tasks": list(tasks or ()), "num_samples": num_samples}
    if source == "procedural":
        generated, versions = _generated(tasks, num_samples, seed, num_proc)
        return write(generated, out, _about("procedural", options, seed=seed, **versions), overwrite=overwrite)
    path = locate() if source == "official" else user_path(source)
    found = _official(path, allow_changed)
    about = _about("official", options, data_version=RELEASE.fingerprint(path))
    return write(found.of(tasks or None, num_samples), out, about, overwrite=overwrite)


def _generated(
    tasks: Sequence[str] | None, num_samples: int | None, seed: int, num_proc: int
) -> tuple[Iterator[Sample], dict[str, str]]:
    """The samples as they come, with progress, and the versions that decide them."""
    from .generate import GENERATORS, VERSIONS

    if absent := [task for task in tasks or () if task not in GENERATORS]:
        raise CogsightError(f"{', '.join(absent)}: cannot be generated yet; tasks that can: {', '.join(GENERATORS)}")
    counts = {task: num_samples or SIZES[task] for task in GENERATORS if not tasks or task in tasks}
    made = generated_samples(
        GENERATORS, counts, benchmark=NAME, title=TITLE, versions=VERSIONS, seed=seed, num_proc=num_proc
    )
    return made, VERSIONS


def _official(path: Path, allow_changed: bool) -> Samples:
    """All samples of a release, by way of the cache."""
    fingerprint = RELEASE.fingerprint(path) if path.exists() else "absent"
    rows = track(read_release(path, allow_changed=allow_changed), f"{TITLE}: reading {path}", None)
    return official_samples(
        official_key(NAME, fingerprint), rows, _about("official", data_version=fingerprint), allow_changed
    )


def _about(source: str, options: Mapping[str, Any] | None = None, *, seed: int | None = None, **versions: str) -> About:
    variant = next(variant for variant in VARIANTS if variant.source == source)
    title = TITLE if source == "official" else f"{TITLE}, generated questions"
    return About(NAME, title, PAPER, VERSION, variant.name, source, seed=seed, options=options or {}, **versions)


def generators() -> Mapping[str, Generator[Any, Any]]:
    """Task → its generator."""
    from .generate import GENERATORS

    return GENERATORS


BENCHMARK = Benchmark(
    name=NAME,
    title=TITLE,
    vlmeval_prefix="SpatialViz",
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
    diagnose=diagnose,
    errors=ERRORS,
    generators=generators,
)

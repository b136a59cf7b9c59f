"""SpatialViz-Bench as a Benchmark: its variants, and where their samples come from (arXiv 2507.07610)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cogsight.shared.benchmark import Benchmark
from cogsight.shared.card import About
from cogsight.shared.dataset import Samples, write
from cogsight.shared.errors import CogsightError
from cogsight.shared.fetch import download_path, own_copy
from cogsight.shared.files import user_path
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
from .taxonomy import SIZE, TASKS

NAME = "spatialviz"
VERSION = "1-A"
PAPER = "https://arxiv.org/abs/2507.07610"

TOKENS = {"cot": 8192, "boxed": 8192, "direct": 4096}
"""By style: the most that a reply may have."""


def _variant(words: tuple[str, ...], style: str, description: str, view: str = "images") -> Variant:
    return Variant(
        NAME, words, view=view, style=style, size=SIZE, description=description, max_new_tokens=TOKENS[style]
    )


VARIANTS = (
    _variant((), "cot", "the official questions, 12 tasks; reasoning and answer in tags (the paper's CoT template A)"),
    _variant(("direct",), "direct", "the official questions, answer only"),
    _variant(("boxed",), "boxed", "the official questions, reasoning and a boxed letter (CoT template B)"),
    _variant(("text", "only"), "cot", "the official questions without their pictures", view="text"),
)


def turn(sample: Sample, variant: Variant, replies: Sequence[Reply]) -> Messages | None:
    """One question, one reply; the picture first, or none at all."""
    images = () if variant.view == "text" else sample.images
    return None if replies else user_turn(prompt(sample, variant.style), images, variant.view)


def samples(variant: Variant) -> Samples:
    """The questions, the same in every variant, from the cache; on first use they are downloaded and checked. Raises DataError."""
    return _official(locate(), settings().allow_changed)


def cache_key(variant: Variant) -> str:
    """Names the data by the hash of the files they are read from; "absent" while there are none."""
    path = own_copy(RELEASE) or download_path(RELEASE)
    return official_key(NAME, RELEASE.fingerprint(path) if path.exists() else "absent")


def build(
    out: Path,
    *,
    source: str | Path = "official",
    subset: str = "full",
    tasks: Sequence[str] | None = None,
    num_samples: int | None = None,
    seed: int = 0,
    num_proc: int = 1,
    allow_changed: bool = False,
    overwrite: bool = False,
) -> Path:
    """Write a Hub-ready folder of official questions.

    `source`: "official", or the path of a local release. `tasks`: None for all. `num_samples`: the first so many of each task; None for
    all. Raises CogsightError when an option does not fit.
    """
    if source == "procedural":
        raise CogsightError(f"{NAME} has no generated questions yet; use --source official, or a path")
    if subset != "full":
        raise CogsightError(f"subset {subset!r}: {NAME} has full")
    path = locate() if source == "official" else user_path(source)
    found = _official(path, allow_changed)
    about = _about(RELEASE.fingerprint(path), options={"tasks": list(tasks or ()), "num_samples": num_samples})
    return write(found.of(tasks or None, num_samples), out, about, overwrite=overwrite)


def _official(path: Path, allow_changed: bool) -> Samples:
    """All samples of a release, by way of the cache."""
    fingerprint = RELEASE.fingerprint(path) if path.exists() else "absent"
    rows = track(read_release(path, allow_changed=allow_changed), f"{TITLE}: reading {path}", None)
    return official_samples(official_key(NAME, fingerprint), rows, _about(fingerprint), allow_changed)


def _about(fingerprint: str, options: dict[str, object] | None = None) -> About:
    return About(NAME, TITLE, PAPER, VERSION, NAME, "official", data_version=fingerprint, options=options or {})


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
)

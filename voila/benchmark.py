"""VOILA as a Benchmark: its variants, and where their samples come from (arXiv 2503.00043)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from cogsight.shared.benchmark import Benchmark
from cogsight.shared.cache import dataset_dir
from cogsight.shared.card import About
from cogsight.shared.chain import next_turn
from cogsight.shared.dataset import Samples, read, write
from cogsight.shared.errors import CogsightError
from cogsight.shared.fetch_folder import fingerprint_present, locate_folder
from cogsight.shared.files import user_path
from cogsight.shared.generated_data import generated_key
from cogsight.shared.official_data import official_key, official_samples
from cogsight.shared.progress import track
from cogsight.shared.sample import Messages, Picture, Reply, Sample, Score
from cogsight.shared.settings import settings
from cogsight.shared.summary import Summary
from cogsight.shared.variants import Variant
from cogsight.shared.workers import in_order

from . import drawing, scoring
from .images import open_source
from .official import RELEASE, read_release
from .policies import POLICIES
from .prompts import EXAMPLES, PROMPT_VERSION, STYLES, Question
from .samples import DATA_VERSION, procedural_samples, scenes_of
from .sdxl import motifs
from .taxonomy import PER_STRUCTURE, STRICT, SUBSETS, TASKS, Structure, base
from .words import parse_scenes

NAME = "voila"
VERSION = "1-A"
PAPER = "https://arxiv.org/abs/2503.00043"

QUICK_PER_STRUCTURE = 50
"""Generated questions of each structure that the frameworks ask: drawing all 527 would take minutes before the first answer."""

SETTINGS: Mapping[str, tuple[str, str, str]] = {
    "": ("images", "least_to_most", "three images; describe, relate, apply"),
    "collage": ("collage", "least_to_most", "the three images as one picture"),
    "chat": ("images", "chat", "the steps as real chat turns"),
    "direct": ("images", "direct", "asked at once, without steps"),
    "text": ("text", "text", "descriptions in place of the images, asked at once"),
    "gt_descriptions": ("images", "gt_descriptions", "step 1 answered by the truth"),
    "gt_relations": ("images", "gt_relations", "steps 1 and 2 answered by the truth"),
    "sub_prompts": ("images", "sub_prompts", "step 2 as three prompts"),
    "two_shot_cot": ("images", "two_shot_cot", "step 3 with two solved examples in place of rules"),
    "examples": ("images", "examples", "asked at once, with two solved examples and the option lists that people had"),
    "draw": ("images", "draw", "a fourth step, the picture of the answer"),
    "collage_draw": ("collage", "draw", "the three images as one picture; a fourth step, the picture of the answer"),
    "direct_draw": ("images", "direct_draw", "asked at once, without steps, then for the picture of the answer"),
    "strict": ("images", "least_to_most", "only questions in which no reading of the rules gives another answer"),
}
"""Name → view, style, what it is."""

EXAMPLE = Question(parse_scenes(EXAMPLES["wd"][0]), "wd")
"""Any question: how many steps a style has depends on none."""

TITLES = {"wd": "VOILA-WD", "nd": "VOILA-ND"}
SOURCES = ("official", "procedural")


def _variant(subset: str, setting: str, source: str) -> Variant:
    view, style, about = SETTINGS[setting]
    words = (subset, *setting.split("_"), *(["procedural"] if source == "procedural" else []))
    strict = setting == STRICT[1:]
    return Variant(
        NAME,
        tuple(word for word in words if word),
        subset=subset + STRICT * strict,
        view=view,
        style=style,
        source="procedural" if source == "procedural" else "official",
        size=0 if strict else len(SUBSETS[subset]) * _per_structure(source),
        description=f"{TITLES[subset]}, {'generated' if source == 'procedural' else 'official'}: {about}",
        turns=len(STYLES[style].asked(EXAMPLE)),
    )


def _per_structure(source: str) -> int:
    return PER_STRUCTURE if source == "official" else QUICK_PER_STRUCTURE


VARIANTS = tuple(_variant(subset, setting, source) for source in SOURCES for subset in SUBSETS for setting in SETTINGS)


def turn(sample: Sample, variant: Variant, replies: Sequence[Reply]) -> Messages | None:
    """The next step, with the pictures and all answers so far; None after the last, or when a request was lost."""
    style = STYLES[variant.style]
    links = style.links(Question(scenes_of(sample), base(variant.subset)))
    return next_turn(links, replies, shown(sample, variant.view), form=style.form, view="listed")


def shown(sample: Sample, view: str) -> tuple[Picture, ...]:
    """The pictures as a view shows them: none, one collage, or three in order."""
    if view == "text":
        return ()
    if view != "collage" or not all(picture.data for picture in sample.images):
        return sample.images
    from .collage import collage

    return (collage(sample.images),)


def summarise(scores: Iterable[Score], variant: Variant) -> Summary:
    """See `scoring.summarise`."""
    return scoring.summarise(scores, variant, expected(variant))


def expected(variant: Variant) -> dict[str, int]:
    """Structure → questions in a whole run; of a strict set as many as the data have."""
    if not variant.subset.endswith(STRICT):
        return {structure.name: _per_structure(variant.source) for structure in SUBSETS[variant.subset]}
    counts = Counter(samples(variant).dataset["task"])
    return {
        structure.name: counts[structure.name] for structure in SUBSETS[base(variant.subset)] if counts[structure.name]
    }


def samples(variant: Variant) -> Samples:
    """A variant's questions, from the cache; on first use they are downloaded or generated. Raises DataError."""
    subset = base(variant.subset)
    if variant.source == "procedural":
        fill = partial(build, subset=subset, num_samples=QUICK_PER_STRUCTURE, seed=settings().seed, num_proc=2)
        found = read(dataset_dir(cache_key(variant), fill))
    else:
        found = _official(locate_folder(RELEASE), subset, settings().allow_changed)
    return _subset(found, variant.subset)


def cache_key(variant: Variant) -> str:
    """Names all that decides the content: for the official questions the fingerprint of the folder they are read from."""
    subset = base(variant.subset)
    if variant.source == "official":
        return official_key(f"{NAME}-{subset}", fingerprint_present(RELEASE))
    from .generate import RENDER_VERSION

    return generated_key(f"{NAME}-{subset}", f"data{DATA_VERSION}-render{RENDER_VERSION}")


def build(
    out: Path,
    *,
    source: str | Path = "procedural",
    subset: str = "wd",
    tasks: Sequence[str] | None = None,
    num_samples: int | None = None,
    seed: int = 0,
    num_proc: int = 1,
    images: str | None = None,
    allow_changed: bool = False,
    overwrite: bool = False,
) -> Path:
    """Write a Hub-ready folder of generated questions, or of the official ones.

    `source`: "procedural", "official", or the path of a local copy of the release. `tasks`: structures, None for all. `num_samples`: per
    structure; None for 527, as in the official sets. `images`: where generated questions get their pictures, see `images.open_source`;
    None: drawn. Raises CogsightError when an option does not fit.
    """
    chosen = _chosen(subset, tasks)
    options = {"subset": subset, "tasks": list(tasks or ()), "num_samples": num_samples, "images": images}
    if source == "procedural":
        from .generate import RENDER_VERSION

        generated = _generate(chosen, subset, num_samples or PER_STRUCTURE, seed, num_proc, images)
        made_by = {"data_version": DATA_VERSION, "render_version": "" if images else RENDER_VERSION}
        about = _about(subset, source, seed=seed, options=options, **made_by)
        return write(generated, out, about, overwrite=overwrite)
    path = locate_folder(RELEASE) if source == "official" else RELEASE.within(user_path(source))
    found = _subset(_official(path, base(subset), allow_changed), subset)
    about = _about(subset, "official", options=options, data_version=RELEASE.fingerprint(path))
    return write(found.of([structure.name for structure in chosen], num_samples), out, about, overwrite=overwrite)


def _generate(
    structures: Sequence[Structure], subset: str, per_structure: int, seed: int, num_proc: int, images: str | None
) -> Iterable[Sample]:
    """All generated questions of a set, in order. Raises CogsightError, before the first of them, when `images` are none."""
    open_source(images)
    total = len(structures) * per_structure
    made = in_order(partial(_generated, tuple(structures), seed, images), range(total), num_proc)
    shown = track(made, f"{TITLES[base(subset)]}: {'choosing pictures' if images else 'drawing'}", total)
    return (sample for sample in shown if _strict(sample.metadata)) if subset.endswith(STRICT) else shown


def _generated(structures: tuple[Structure, ...], seed: int, images: str | None, position: int) -> Sample:
    """One generated question; on module level, since workers look it up by name."""
    return next(procedural_samples(structures, position + 1, seed, open_source(images), first=position))


def _chosen(subset: str, tasks: Sequence[str] | None) -> list[Structure]:
    """The structures of a subset, or those of them that were asked for. Raises CogsightError for others."""
    known = {name + ending for name in SUBSETS for ending in ("", STRICT)}
    if subset not in known:
        raise CogsightError(f"subset {subset!r}: {NAME} has {', '.join(sorted(known))}")
    names = {structure.name: structure for structure in SUBSETS[base(subset)]}
    if absent := [task for task in tasks or () if task not in names]:
        raise CogsightError(f"{', '.join(absent)}: not in subset {subset}; it has {', '.join(names)}")
    return [structure for name, structure in names.items() if tasks is None or name in tasks]


def _official(path: Path, subset: str, allow_changed: bool) -> Samples:
    """All samples of a set of a release, by way of the cache."""
    fingerprint = RELEASE.fingerprint(path)
    found = read_release(path, subset=subset, allow_changed=allow_changed)
    rows = track(found, f"{TITLES[subset]}: reading {path}", None)
    about = _about(subset, "official", data_version=fingerprint)
    return official_samples(official_key(f"{NAME}-{subset}", fingerprint), rows, about, allow_changed)


def _subset(found: Samples, subset: str) -> Samples:
    """Of a strict set only the questions that are not ambiguous."""
    if not subset.endswith(STRICT):
        return found
    return found.select(row for row, text in enumerate(found.dataset["metadata"]) if _strict(text))


def _strict(metadata: str) -> bool:
    return not json.loads(metadata)["ratio_differs"]


def _about(
    subset: str, source: str, *, seed: int | None = None, options: Mapping[str, Any] | None = None, **versions: str
) -> About:
    name = "_".join([NAME, subset, *(["procedural"] if source == "procedural" else [])])
    title = f"{TITLES[base(subset)]}{', generated questions' if source == 'procedural' else ''}"
    return About(NAME, title, PAPER, VERSION, name, source, seed=seed, options=options or {}, **versions)


BENCHMARK = Benchmark(
    name=NAME,
    title=scoring.TITLE,
    vlmeval_prefix="VOILA",
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
    policies=POLICIES,
    motifs=motifs,
    draw=drawing.prompt,
)

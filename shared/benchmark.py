"""What a benchmark is to the rest of the package: a name, tables, and six functions (DESIGN 3.2). The four are shaped alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from .sample import Messages, Reply, Sample, Score
from .variants import Variant, names

if TYPE_CHECKING:
    from .build import Generator
    from .dataset import Samples
    from .diagnosis import Answered, Section
    from .fetch import AnyRelease
    from .report.labelling_page import Question
    from .summary import Summary
    from .text_to_image.motifs import Motif


@dataclass(frozen=True, slots=True)
class Task:
    """One kind of puzzle, as the paper counts them."""

    name: str
    title: str
    category: str
    answer_type: str
    options: int
    """Answer options per question; for an ordering, the number of steps (its chance is one in options factorial)."""
    chance: float


Policy = Callable[[Sample, Variant, int, Random], str]
"""What a baseline replies at a turn, counted from 0; all randomness from the stream, which is the same at every turn."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """`turn`, `score` and `summarise` are pure; `samples` reads (and on first use builds) data on disk."""

    name: str
    title: str
    """As the paper writes it."""
    vlmeval_prefix: str
    version: str
    """"1-A": the number changes when scores are no longer comparable, the letter when only names change."""
    paper: str
    tasks: Mapping[str, Task]
    variants: tuple[Variant, ...]
    samples: Callable[[Variant], Samples]
    turn: Callable[[Sample, Variant, Sequence[Reply]], Messages | None]
    """The next thing to ask, given the replies so far; None when the dialogue is over."""
    score: Callable[..., Score]
    """`score(sample, variant, replies, judge=None, attempt=0)`."""
    summarise: Callable[[Sequence[Score], Variant], Summary]
    build: Callable[..., Path]
    """Writes a Hub-ready folder; see `shared/build.py`."""
    prompt_version: str = ""
    """Changes with any word that a model sees."""
    cache_key: Callable[[Variant], str] | None = None
    """The name under which `samples` keeps a variant's data in the cache: their version. It holds the fingerprint of an official release."""
    release: AnyRelease | None = None
    """The official release: a file or a folder."""
    releases: Mapping[str, AnyRelease] = field(default_factory=dict)
    """Subset → its official data, where these are no part of the release."""
    diagnose: Callable[[Answered], Sequence[Section]] | None = None
    """What `cogsight diagnose` prints of one run."""
    errors: Question | None = None
    """The classes of errors that the paper tells apart, for `cogsight errors`."""
    policies: Mapping[str, Policy] = field(default_factory=dict)
    """Baselines of its own, beside or in place of those of `baselines.POLICIES`. With dialogues, "oracle" is among them."""
    motifs: Callable[[], Sequence[Motif]] | None = None
    """What a text-to-image model may make pictures of for it (`cogsight images`); `build` then takes a folder of such as `images`."""
    draw: Callable[[Sample, Variant, Sequence[Reply]], str] | None = None
    """What to ask a text-to-image model for after a dialogue (`cogsight draw`); "" where the replies say nothing to draw."""
    generators: Callable[[], Mapping[str, Generator[Any, Any]]] | None = None
    """Task → generator, for `cogsight audit` to prove generated keys again; imported when called. None where samples hold no state."""
    generators_on: Callable[[Path, Path | None], Mapping[str, Generator[Any, Any]]] | None = None
    """(A file or folder, the LDraw library) → task → generator of questions about the brick models there. None where none are taken."""
    inherent_shortcuts: Mapping[str, str] = field(default_factory=dict)
    """Task → why its option pictures give something away by the nature of the task; `cogsight audit` tells it instead of failing."""
    judge_model: str = ""
    """Asked where a judge's address or key is given, but no model: the paper's own."""

    def asked(self, variant: Variant) -> dict[str, Task]:
        """The tasks of a variant, by name."""
        return {name: self.tasks[name] for name in variant.tasks or self.tasks}

    def release_of(self, variant: Variant) -> AnyRelease | None:
        """The official data of a variant; None for one that has none."""
        return self.releases.get(variant.subset, self.release) if variant.source == "official" else None

    @property
    def all_releases(self) -> tuple[AnyRelease, ...]:
        """All official data."""
        return tuple(release for release in (self.release, *self.releases.values()) if release)

    def variant(self, name: str) -> Variant:
        """By its name in either framework. Raises KeyError with the known names."""
        for variant in self.variants:
            if name in names(variant, self.vlmeval_prefix):
                return variant
        raise KeyError(f"{name}: {self.name} has {', '.join(v.name for v in self.variants)}")

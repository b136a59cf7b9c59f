"""What goes beside the parquet files of a Hub-ready folder: the dataset card, from `hub_cards/`, and the licence text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datasets import Features

CONFIG, SPLIT = "default", "test"
"""The names under which `datasets.load_dataset(DIR, "default", split="test")` finds the rows."""

CARDS = "cogsight.hub_cards"

MODELS = "models"
"""The option under which a folder that was built from a user's own files names these, each with its SHA-256."""

HUB_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
"""Exclusive upper bound → the Hub's name for a size."""


@dataclass(frozen=True, slots=True)
class About:
    """Where a folder's samples come from: what its manifest and its card say."""

    benchmark: str = "custom"
    """Names the card template `hub_cards/{benchmark}.md`; one that has none gets the plain card."""
    title: str = "Custom questions"
    paper: str = ""
    version: str = ""
    """The benchmark's, such as "1-A"."""
    variant: str = ""
    source: str = "procedural"
    """Or "official": then the licence is the release's, not ours."""
    data_version: str = ""
    """For an official release, its hash."""
    render_version: str = ""
    seed: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    """What else was asked of the build, JSON values only."""
    notice: str = ""
    """Whose work the pictures show, and under which licences; the text of the file NOTICE, which is there where this is not empty."""


@dataclass(slots=True)
class Content:
    """What was written, counted on the way."""

    tasks: dict[str, int] = field(default_factory=dict)
    """Task → samples, in order of appearance."""
    memory_bytes: int = 0
    """Size as Arrow tables."""
    file_bytes: int = 0
    """Size as parquet files."""
    digest: str = ""
    """Of the parquet files."""

    @property
    def samples(self) -> int:
        """Number of rows."""
        return sum(self.tasks.values())


def card(about: About, content: Content, features: Features) -> str:
    """README.md of a dataset repository: YAML that the Hub and `datasets` read, then text."""
    from jinja2 import DictLoader, Environment, StrictUndefined

    name = f"{about.benchmark}.md"
    templates = {name: '{% extends "base.md" %}'}
    templates |= {p.name: p.read_text(encoding="utf-8") for p in files(CARDS).iterdir() if p.name.endswith(".md")}
    environment = Environment(loader=DictLoader(templates), undefined=StrictUndefined, trim_blocks=True)  # noqa: S701 - markdown
    return environment.get_template(name).render(
        about=about, content=content, front_matter=_front_matter(about, content, features)
    )


def licence(about: About) -> str:
    """The licence text: of this benchmark's official release where `hub_cards/` has one, else of the source."""
    for name in (f"{about.benchmark}_{about.source}.license.txt", f"{about.source}.license.txt"):
        if (text := files(CARDS) / name).is_file():
            return text.read_text(encoding="utf-8")
    raise ValueError(f"no licence text for source {about.source!r}: expected official or procedural")


def _front_matter(about: About, content: Content, features: Features) -> str:
    from datasets import DatasetInfo
    from datasets.info import DatasetInfosDict
    from datasets.splits import SplitDict, SplitInfo
    from huggingface_hub import DatasetCardData

    # `datasets` keeps what it has read under a hash of this very text, whatever the files hold: the digest must be part of it.
    config = {"config_name": CONFIG, "description": f"SHA-256 {content.digest}"}
    data = DatasetCardData(
        pretty_name=about.title,
        license="other" if about.source == "official" or about.notice else "apache-2.0",
        language="en",
        task_categories=["visual-question-answering"],
        size_categories=[next((name for bound, name in HUB_SIZES if content.samples < bound), "n>1M")],
        configs=[config | {"data_files": [{"split": SPLIT, "path": f"data/{SPLIT}-*.parquet"}]}],
    )
    split = SplitInfo(SPLIT, num_bytes=content.memory_bytes, num_examples=content.samples)
    sizes = {"download_size": content.file_bytes, "dataset_size": content.memory_bytes}
    info = DatasetInfo(features=features, splits=SplitDict({SPLIT: split}), **sizes)
    DatasetInfosDict({CONFIG: info}).to_dataset_card_data(data)
    return str(data.to_yaml())

"""Every `COGSIGHT_*` environment variable, read here and nowhere else (but `import_hook`, which must not import this).

| variable | meaning | default |
|---|---|---|
| COGSIGHT_CACHE | folder for downloads and built datasets | ~/.cache/cogsight |
| COGSIGHT_<BENCHMARK>_DATA | local copy of the official release, such as COGSIGHT_LEGO_PUZZLES_DATA=/data/LEGO.tsv | download |
| COGSIGHT_ALLOW_CHANGED | 1: accept a release whose hash or counts differ from the pinned ones, with a warning | 0 |
| COGSIGHT_VIEW | auto, images or collage: how models that cannot interleave see several pictures | auto |
| COGSIGHT_NO_HOOK | 1: do not join lmms-eval and VLMEvalKit | 0 |
| COGSIGHT_KEEP_BUILTIN | 1: leave tasks that lmms-eval brings under one of our names alone | 0 |
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

VIEWS = ("auto", "images", "collage")


@dataclass(frozen=True, slots=True)
class Settings:
    """The environment as it was when `settings()` was called."""

    cache: Path
    allow_changed: bool
    view: str
    keep_builtin: bool


def settings() -> Settings:
    """Read the environment. Raises ValueError that names the variable and its allowed values."""
    view = os.environ.get("COGSIGHT_VIEW", "auto")
    if view not in VIEWS:
        raise ValueError(f"COGSIGHT_VIEW={view}: expected one of {', '.join(VIEWS)}")
    cache = os.environ.get("COGSIGHT_CACHE") or Path.home() / ".cache" / "cogsight"
    return Settings(Path(cache).expanduser(), _flag("COGSIGHT_ALLOW_CHANGED"), view, _flag("COGSIGHT_KEEP_BUILTIN"))


def official_data(benchmark: str) -> Path | None:
    """The user's own copy of a benchmark's official release, if one is named."""
    value = os.environ.get(f"COGSIGHT_{benchmark.upper()}_DATA")
    return Path(value).expanduser() if value else None


def _flag(name: str) -> bool:
    value = os.environ.get(name, "0")
    if value not in ("", "0", "1"):
        raise ValueError(f"{name}={value}: expected 0 or 1")
    return value == "1"

"""Every `COGSIGHT_*` environment variable, read here and nowhere else (but `import_hook`, which must not import this).

| variable | meaning | default |
|---|---|---|
| COGSIGHT_CACHE | folder for downloads and built datasets | ~/.cache/cogsight |
| COGSIGHT_<BENCHMARK>_DATA | local copy of the official release, such as COGSIGHT_LEGO_PUZZLES_DATA=/data/LEGO.tsv | download |
| COGSIGHT_<BENCHMARK>_<SUBSET>_DATA | a file that was never published, such as COGSIGHT_LEGO_PUZZLES_GENERATION_DATA=/data/generation.tsv | none |
| COGSIGHT_ALLOW_CHANGED | 1: accept a release whose hash or counts differ from the pinned ones, with a warning | 0 |
| COGSIGHT_SEED | seed of the generated questions that the frameworks ask; another seed, other questions | 0 |
| COGSIGHT_VIEW | auto, images or collage: how models that cannot interleave see several pictures | auto |
| COGSIGHT_NO_HOOK | 1: do not join lmms-eval and VLMEvalKit | 0 |
| COGSIGHT_KEEP_BUILTIN | 1: leave tasks that lmms-eval brings under one of our names alone | 0 |
| COGSIGHT_JUDGE_MODEL | the model that grades what rules cannot read; none: no judge | no judge |
| COGSIGHT_JUDGE_BASE_URL | its OpenAI-compatible address, such as http://127.0.0.1:8000/v1 | OPENAI_BASE_URL |
| COGSIGHT_JUDGE_API_KEY | its key, of any shape | OPENAI_API_KEY, where OPENAI_BASE_URL or OpenAI is asked |
| COGSIGHT_JUDGE_CONCURRENCY | requests to it at a time | 16 |
| COGSIGHT_JUDGE_VOTES | how often it is asked about each reply; an odd number, the majority decides | 1 |
| COGSIGHT_JUDGE_TIMEOUT | seconds to wait for one of its answers | 120 |
| COGSIGHT_JUDGE_MAX_TOKENS | token limit of one of its answers, its reasoning included | 4096 |
| COGSIGHT_PRICES | file with prices of judges, in the shape of shared/judge/prices.json; its models win over ours | ours |
| COGSIGHT_DEBUG | 1: commands show the traceback of an error instead of one line | 0 |
| LDRAWDIR | the LDraw parts library, for brick models that do not bring their parts; the name is LDraw's own | the model's own parts |
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from .errors import CogsightError
from .files import user_path

NAMES = (
    "COGSIGHT_CACHE",
    "COGSIGHT_ALLOW_CHANGED",
    "COGSIGHT_SEED",
    "COGSIGHT_VIEW",
    "COGSIGHT_NO_HOOK",
    "COGSIGHT_KEEP_BUILTIN",
    "COGSIGHT_JUDGE_MODEL",
    "COGSIGHT_JUDGE_BASE_URL",
    "COGSIGHT_JUDGE_API_KEY",
    "COGSIGHT_JUDGE_CONCURRENCY",
    "COGSIGHT_JUDGE_VOTES",
    "COGSIGHT_JUDGE_TIMEOUT",
    "COGSIGHT_JUDGE_MAX_TOKENS",
    "COGSIGHT_PRICES",
    "COGSIGHT_DEBUG",
)
"""Those of the table above that do not depend on a benchmark's name."""

DIGITS = 100
"""Of a whole number, at most; one of more than 300 is no float."""

VIEWS = ("auto", "images", "collage")


@dataclass(frozen=True, slots=True)
class Settings:
    """The environment as it was when `settings()` was called."""

    cache: Path
    allow_changed: bool
    view: str
    keep_builtin: bool
    seed: int


def settings() -> Settings:
    """Read the environment. Raises CogsightError that names the variable and its allowed values."""
    view = os.environ.get("COGSIGHT_VIEW") or "auto"
    if view not in VIEWS:
        raise CogsightError(f"COGSIGHT_VIEW={view}: expected one of {', '.join(VIEWS)}")
    cache = os.environ.get("COGSIGHT_CACHE") or "~/.cache/cogsight"
    return Settings(
        user_path(cache),
        _flag("COGSIGHT_ALLOW_CHANGED"),
        view,
        _flag("COGSIGHT_KEEP_BUILTIN"),
        _whole("COGSIGHT_SEED", 0, 0),
    )


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """How a judge is asked. None: not set."""

    model: str | None = None
    base_url: str | None = field(default=None, repr=False)
    """As it is given; it may hold a password."""
    api_key: str | None = field(default=None, repr=False)
    concurrency: int = 16
    votes: int = 1
    timeout: float = 120.0
    """Seconds."""
    max_tokens: int = 4096


def judge_settings() -> JudgeSettings:
    """Read `COGSIGHT_JUDGE_*`. Raises CogsightError that names the variable and what it may be."""
    votes = _whole("COGSIGHT_JUDGE_VOTES", 1)
    if votes % 2 == 0:
        raise CogsightError(f"COGSIGHT_JUDGE_VOTES={votes}: expected an odd number, so that there is a majority")
    return JudgeSettings(
        model=os.environ.get("COGSIGHT_JUDGE_MODEL") or None,
        base_url=os.environ.get("COGSIGHT_JUDGE_BASE_URL") or None,
        api_key=os.environ.get("COGSIGHT_JUDGE_API_KEY") or None,
        concurrency=_whole("COGSIGHT_JUDGE_CONCURRENCY", 16),
        votes=votes,
        timeout=float(_whole("COGSIGHT_JUDGE_TIMEOUT", 120)),
        max_tokens=_whole("COGSIGHT_JUDGE_MAX_TOKENS", 4096),
    )


def prices_file() -> Path | None:
    """The user's own table of what judges cost, if one is named."""
    value = os.environ.get("COGSIGHT_PRICES")
    return user_path(value) if value else None


def ldraw_dir() -> Path | None:
    """The user's copy of the LDraw parts library, under the name that all LDraw programs read."""
    value = os.environ.get("LDRAWDIR")
    return user_path(value) if value else None


def official_data(benchmark: str) -> Path | None:
    """The user's own copy of a benchmark's official release, if one is named."""
    value = os.environ.get(official_data_variable(benchmark))
    return user_path(value) if value else None


def official_data_variable(benchmark: str) -> str:
    """COGSIGHT_LEGO_PUZZLES_DATA for "lego_puzzles"."""
    return f"COGSIGHT_{benchmark.upper()}_DATA"


def debug() -> bool:
    """Whether errors keep their traceback; never raises, since it is asked while an error is handled."""
    return os.environ.get("COGSIGHT_DEBUG", "0") not in ("", "0")


def no_hook() -> bool:
    """Whether the frameworks are to be left alone; never raises, like `import_hook`, which reads it the same way."""
    return os.environ.get("COGSIGHT_NO_HOOK", "0") not in ("", "0")


def variables_set() -> dict[str, str]:
    """Every COGSIGHT_* variable of the environment, known or not: what `cogsight doctor` looks through for misspelt names."""
    return {name: value for name, value in sorted(os.environ.items()) if name.startswith("COGSIGHT_")}


def _whole(name: str, default: int, least: int = 1) -> int:
    value = os.environ.get(name) or str(default)
    if not value.isascii() or not value.isdecimal() or len(value) > DIGITS or int(value) < least:
        raise CogsightError(f"{name}={value}: expected a whole number, {least} or greater")
    return int(value)


def _flag(name: str) -> bool:
    value = os.environ.get(name, "0")
    if value not in ("", "0", "1"):
        raise CogsightError(f"{name}={value}: expected 0 or 1")
    return value == "1"

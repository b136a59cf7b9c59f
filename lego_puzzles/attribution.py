"""Folders of questions about a user's own brick models: which files these are, whose work, and under which licences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cogsight.shared.card import MODELS, About

if TYPE_CHECKING:
    from .generate.ldraw import Credit
    from .generate.real import RealFile

SUFFIXES = (".ldr", ".mpd")
"""Of brick models in LDraw's format."""

LEAD = (
    "The pictures show brick models by others, drawn from LDraw files. The models and the shapes of their parts are not under the licence of"
    " these questions, but under those that their files state. They were changed: turned, shown partly built, and with one or two"
    " parts recoloured, exchanged, moved, turned, added or left out."
)
"""What CC BY, on which LDraw's CCAL builds, asks for: who, under which licence, and what was changed."""


def holds_models(path: Path) -> bool:
    """Is it a brick model, or a folder with such?"""
    return path.suffix.lower() in SUFFIXES or (
        path.is_dir() and any(p.suffix.lower() in SUFFIXES for p in path.iterdir())
    )


def credited(about: About, path: Path, ldraw_dir: Path | None) -> About:
    """With the files and their hashes among its options, and with a notice that names their authors."""
    from .generate.sources import from_files

    files = from_files(path, ldraw_dir).files()
    hashes = {file.path.name: file.sha256 for file in files}
    return replace(about, options={**about.options, MODELS: hashes}, notice=notice(files))


def notice(files: Iterable[RealFile]) -> str:
    """The models with their authors and licences, then who made the parts."""
    listed = list(files)
    models = [f'- {file.path.name}, "{file.model.title}": {_who(file.model.credits, models=True)}' for file in listed]
    parts = _who([credit for file in listed for credit in file.model.credits], models=False)
    return "\n".join([LEAD, "", *models, "", f"Parts: {parts}", ""])


def _who(credits: Iterable[Credit], *, models: bool) -> str:
    """Authors, then licences."""
    own = [credit for credit in credits if credit.is_model == models]
    authors = dict.fromkeys(author for credit in own for author in credit.authors)
    licences = dict.fromkeys(credit.licence or "no licence stated" for credit in own)
    return f"{', '.join(authors) or 'no author stated'}. {'; '.join(licences) or 'No licence stated'}"

"""A folder of pictures: what is planned for it, and the pictures as they come. Whoever stops goes on where he was.

`PICTURES.json` says how they are made, `plan.csv` has prompt and seed of every file, there already or not.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import DataError
from ..files import staged, swept, writing
from .motifs import Motif, Recipe

if TYPE_CHECKING:
    from PIL import Image

ABOUT, PLAN = "PICTURES.json", "plan.csv"
COLUMNS = ("file", "prompt", "group", "seed")

Painter = Callable[[str, Sequence[int]], "Sequence[Image.Image]"]
"""(prompt, seeds) → a picture for each seed."""


class Planned(NamedTuple):
    """One line of `plan.csv`."""

    file: str
    prompt: str
    group: str
    seed: int


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of pictures that is planned."""

    path: Path
    benchmark: str
    recipe: Recipe
    planned: Sequence[Planned]

    @property
    def missing(self) -> list[Planned]:
        """What is yet to be made, in the plan's order."""
        there = {path.name for path in self.path.iterdir()}
        return [one for one in self.planned if one.file not in there]


def plan(path: Path, benchmark: str, motifs: Iterable[Motif], recipe: Recipe, about: Mapping[str, Any]) -> Folder:
    """Begin a folder, or go on with one. `about`: what else made the pictures, such as versions; it may change between runs.

    Raises DataError when the folder holds pictures of another recipe.
    """
    planned = [
        Planned(motif.file(n), motif.prompt, motif.group, recipe.seed_of(motif, n))
        for motif in motifs
        for n in range(recipe.per_motif)
    ]
    if (path / ABOUT).exists():
        there = read(path)
        if (there.benchmark, there.recipe, list(there.planned)) != (benchmark, recipe, planned):
            raise DataError(f"{path} holds pictures of {_told(there)}, not of {recipe}; choose another folder")
    elif path.exists() and any(path.iterdir()):
        raise DataError(f"{path} is not empty, and has no {ABOUT}; choose another folder")
    _write(path / PLAN, _table(planned))
    _write(path / ABOUT, json.dumps({"benchmark": benchmark, "recipe": asdict(recipe), **about}, indent=2) + "\n")
    return Folder(path, benchmark, recipe, planned)


def read(path: Path) -> Folder:
    """A folder that was planned. Raises DataError when it is none."""
    try:
        about = json.loads((path / ABOUT).read_text(encoding="utf-8"))
        rows = csv.DictReader(io.StringIO((path / PLAN).read_text(encoding="utf-8"), newline=""))
        planned = [Planned(row["file"], row["prompt"], row["group"], int(row["seed"])) for row in rows]
        return Folder(path, about["benchmark"], Recipe(**about["recipe"]), planned)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise DataError(
            f"{path}: no folder of pictures made by `cogsight images make`, {ABOUT} or {PLAN} cannot be read: {error!r}"
        ) from error


def chosen(wanted: Iterable[Planned], only: Collection[str]) -> list[Planned]:
    """Those whose group or file name fits one of these patterns, such as "fox" or "two_*_reading*"; all, where there is none.

    Raises DataError when nothing fits.
    """
    found = [one for one in wanted if not only or any(_fits(one, pattern) for pattern in only)]
    if only and not found:
        raise DataError(f"no group and no file is named like {', '.join(only)}; the names are in {PLAN}")
    return found


def _fits(one: Planned, pattern: str) -> bool:
    return fnmatchcase(one.group, pattern) or fnmatchcase(one.file, pattern)


def by_prompt(some: Iterable[Planned]) -> dict[str, list[Planned]]:
    """Prompt → its pictures, in the plan's order."""
    return {prompt: list(those) for prompt, those in groupby(some, key=lambda one: one.prompt)}


def make(folder: Path, wanted: Sequence[Planned], painter: Painter, batch: int = 1) -> Iterator[Planned]:
    """Have these painted, `batch` of a prompt at a time; each appears as a whole file. Yields what has been written."""
    if not wanted:
        return
    with swept(folder / wanted[0].file):  # what a killed run was writing is the first that is missing
        for some in _batches(wanted, batch):
            pictures = painter(some[0].prompt, [one.seed for one in some])
            for one, picture in zip(some, pictures, strict=True):
                with writing(folder / one.file, "free some space, then go on"), staged(folder / one.file) as stage:
                    picture.save(stage, "PNG")
                yield one


def _batches(wanted: Iterable[Planned], size: int) -> Iterator[list[Planned]]:
    for _, same in groupby(wanted, key=lambda one: one.prompt):
        while some := list(islice(same, size)):
            yield some


def _told(folder: Folder) -> str:
    return f"{folder.benchmark}, {folder.recipe}"


def _table(planned: Iterable[Planned]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(planned)
    return buffer.getvalue()


def _write(path: Path, text: str) -> None:
    with writing(path, "choose another place with --out"), staged(path) as stage:
        stage.write_text(text, encoding="utf-8", newline="")

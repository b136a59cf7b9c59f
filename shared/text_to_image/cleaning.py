"""Cleaning by hand: a page on which somebody keeps the good pictures of each prompt, and what comes of it.

The page lies beside the pictures and refers to them; it shows one prompt at a time, so that 21,840 pictures are no burden.
"""

from __future__ import annotations

import os
import shutil
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from ..errors import CogsightError, DataError
from ..files import staged, writing
from ..judge.model import ModelJudge
from ..judge.prompts import fields_of
from ..judge.query import JudgeError, Query
from ..pictures import PictureFile
from ..report.labelling_page import csv_rows
from ..report.samples_page import environment
from .making import ABOUT, PLAN, Folder, Planned, by_prompt
from .motifs import Motif

PAGE = "clean.html"
KEYS = "1234567890qwertyuiopasdfghjkl;"
"""Those that keep a picture, or let it go: three rows of a keyboard."""
FILE = "file"
"""The column of the page's CSV that names the pictures to keep; its others are for people."""
SHOWN = 10
"""Prompts that a message names."""


@dataclass(frozen=True, slots=True)
class Check:
    """What a vision judge finds of pictures: a hint, never a choice."""

    judge: str
    good: Mapping[str, bool]
    """File → whether it shows what its prompt says; a file that is not here has no verdict."""


def page(folder: Folder, some: Sequence[Planned], count: int, check: Check | None = None) -> str:
    """The whole HTML text, for these pictures of the folder, of which `count` of each prompt are to be kept."""
    from markupsafe import Markup

    script = (files("cogsight.shared") / "report" / "templates" / "cleaning.js").read_text(encoding="utf-8")
    there = present(folder, some)
    if not there:
        raise CogsightError(f"{folder.path}: none of these pictures are there yet; make them: cogsight images make")
    good = check.good if check else {}
    prompts = [
        {"prompt": prompt, "group": those[0].group, "files": [one.file for one in _best_first(those, good)]}
        for prompt, those in by_prompt(there).items()
    ]
    judged = {"by": check.judge, "good": dict(good)} if check else None
    data = {"prompts": prompts, "count": count, "keys": KEYS, "check": judged}
    mark = sha256("\n".join(one.file for one in there).encode()).hexdigest()[:16]
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return (
        environment()
        .get_template("cleaning.html")
        .render(data=data, mark=mark, count=count, check=check, script=Markup(script), digest=digest)  # noqa: S704 - our own file
    )


def present(folder: Folder, some: Iterable[Planned]) -> list[Planned]:
    """Those of them that have been made."""
    there = {path.name for path in folder.path.iterdir()}
    return [one for one in some if one.file in there]


def checked(folder: Folder, some: Iterable[Planned], motifs: Iterable[Motif], judge: ModelJudge) -> Check:
    """What a judge finds of these pictures; each is asked about once, and the verdicts are kept."""
    ask = {motif.prompt: motif.query for motif in motifs}
    queries: dict[str, Query] = {}
    for one in present(folder, some):
        if query := ask.get(one.prompt):
            queries[one.file] = query(PictureFile(folder.path / one.file))
    judge.ask(queries.values())
    found: dict[str, bool] = {}
    for file, asked in queries.items():
        with suppress(JudgeError):  # told by the judge; the page shows no mark
            values = judge.verdict(asked).values
            found[file] = all(values[field.name] == 1 for field in fields_of(asked) if field.counts)
    return Check(judge.name, found)


def _best_first(some: Iterable[Planned], good: Mapping[str, bool]) -> list[Planned]:
    return sorted(some, key=lambda one: not good.get(one.file, False))


def read_kept(paths: Iterable[Path], folder: Folder) -> list[Planned]:
    """The pictures that pages' CSV files keep, in the plan's order. Raises DataError that lists names which are none of the folder's."""
    known = {one.file for one in folder.planned}
    kept: set[str] = set()
    for path in paths:
        for number, row in csv_rows(path, [FILE]):
            if row[FILE] not in known:
                raise DataError(
                    f"{path}, line {number}: {row[FILE][:80]!r} is none of the pictures planned in {folder.path}"
                )
            kept.add(row[FILE])
    if absent := sorted(name for name in kept if not (folder.path / name).is_file()):
        raise DataError(
            f"{folder.path}: {len(absent)} of the kept pictures are not there, such as {absent[0]}; put them back, or make them: cogsight images make"
        )
    return [one for one in folder.planned if one.file in kept]


def write_kept(folder: Folder, kept: Sequence[Planned], out: Path, overwrite: bool = False) -> None:
    """Put these into a folder of their own, with the folder's plan; linked where the disk can do that, so that nothing lies there twice.

    Raises DataError when there is something in the way.
    """
    if out.exists() and not (overwrite and (out / ABOUT).is_file()):
        raise DataError(f"{out} is there already; choose another folder, or replace such a folder with --overwrite")
    with writing(out, "choose another place with --out"), staged(out) as stage:
        stage.mkdir()
        for name in (ABOUT, PLAN, *(one.file for one in kept)):
            _link(folder.path / name, stage / name)


def shortfalls(folder: Folder, kept: Iterable[Planned], count: int) -> list[str]:
    """What is not right with the choice, in sentences: prompts of which not `count` are kept. Empty when all is well."""
    numbers, prompts, told = Counter(one.prompt for one in kept), by_prompt(folder.planned), []
    for what, wrong in _WRONG.items():
        found = [f"{prompt} ({numbers[prompt]})" for prompt in prompts if wrong(numbers[prompt], count)]
        if found:
            more = f", and {len(found) - SHOWN} more" * (len(found) > SHOWN)
            told.append(
                f"{len(found)} of {len(prompts)} prompts have {what} than {count} pictures: {', '.join(found[:SHOWN])}{more}"
            )
    return told


_WRONG: Mapping[str, Callable[[int, int], bool]] = {
    "fewer": lambda number, count: number < count,
    "more": lambda number, count: number > count,
}


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # another disk, or one that knows no links
        shutil.copy2(source, target)

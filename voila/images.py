"""Where the pictures of scenes come from: one small interface, `ImageSource`, whoever draws, generates or keeps them.

`FolderImages` reads any folder whose file names tell what is shown: the official test images, one per scene, or many per scene, such
as a text-to-image model makes. `DrawnImages` draws.
"""

from __future__ import annotations

import re
from functools import cache, cached_property
from pathlib import Path
from typing import Protocol

from cogsight.shared.errors import CogsightError, DataError
from cogsight.shared.files import user_path
from cogsight.shared.rng import stream
from cogsight.shared.sample import Picture

from .rules import Scene, Scenes
from .taxonomy import ACTIONS, NUMBERS, SUBJECTS
from .words import NUMBER_WORDS, VALUE_OF, describe, noun

PATTERN = "{number}_{subject}_{action}_*"
"""How the official test images are named: "two_senior men_playing soccer_13.png"."""

SUFFIXES = (".png", ".jpg", ".jpeg")

ALL_SCENES = tuple(Scene(number, subject, action) for number in NUMBERS for subject in SUBJECTS for action in ACTIONS)
"""All 728."""

SHOWN = 5
"""Scenes that an error names."""

DRAWINGS = 1_000
"""Variations of a drawn scene that are used: more of them look different, but each stays rare."""


class ImageSource(Protocol):
    """Pictures by what they show."""

    def variations(self, scene: Scene) -> int:
        """How many different pictures of this scene there are. Raises DataError when there is none."""

    def picture(self, scene: Scene, variation: int) -> Picture:
        """One of them, by its number from 0; always the same one."""


def choose(source: ImageSource, scenes: Scenes, *names: object) -> tuple[Picture, ...]:
    """A picture for each scene, picked evenly by the stream of these names, such as (seed, structure, n, "images").

    Raises DataError when a scene has none, or only one that stands in the question already.
    """
    rng = stream(*names)
    chosen: list[Picture] = []
    for scene in scenes:
        count = source.variations(scene)
        first = rng.randrange(count)
        others = (source.picture(scene, (first + n) % count) for n in range(count))
        found = next((picture for picture in others if picture not in chosen), None)
        if found is None:
            raise DataError(f"{describe(scene)}: its only picture is the one of another scene; replace it")
        chosen.append(found)
    return tuple(chosen)


class DrawnImages:
    """Our own drawings: every scene, no file, no network."""

    def variations(self, scene: Scene) -> int:
        """How many drawings of a scene are used."""
        return DRAWINGS

    def picture(self, scene: Scene, variation: int) -> Picture:
        """The drawing with this number."""
        from .generate.scenes import draw_scene

        return draw_scene(*scene, variation)


class FolderImages:
    """The PNG and JPEG files of a folder and its subfolders, listed once.

    `pattern` says how a file's path, from some folder on and without its ending, tells what it shows: {number}, {subject} and {action} stand
    for words, * for anything. Numbers may be words or digits, subjects singular or plural, blanks within them "_" or "-", and case
    makes no difference. Raises DataError where no file fits, CogsightError for a pattern without one of the three.
    """

    def __init__(self, folder: str | Path, pattern: str = PATTERN) -> None:
        _compiled(pattern)
        self.folder = user_path(folder)
        self.unread: list[str] = []
        """Pictures whose names do not fit the pattern; they are not used."""
        self._of: dict[Scene, list[Path]] = {}
        for path in sorted(path for path in self.folder.rglob("*") if path.suffix.lower() in SUFFIXES):
            name = path.relative_to(self.folder).as_posix()
            if scene := scene_of_name(name, pattern):
                self._of.setdefault(scene, []).append(path)
            else:
                self.unread.append(name)
        if not self._of:
            raise DataError(f"{self.folder}: no picture of a scene, expected files {pattern}.png (or .jpg)")

    @property
    def missing(self) -> tuple[Scene, ...]:
        """Scenes without a picture, of all 728."""
        return tuple(scene for scene in ALL_SCENES if scene not in self._of)

    def variations(self, scene: Scene) -> int:
        """How many files show this scene. Raises DataError when none does, and tells how many others lack one."""
        if scene not in self._of:
            missing = self.missing
            shown = ", ".join(map(describe, missing[:SHOWN]))
            lacking = f"{len(missing)} of {len(ALL_SCENES)} scenes have none: {shown}{', …' * (len(missing) > SHOWN)}"
            raise DataError(f"{self.folder}: no picture of {describe(scene)} ({lacking})")
        return len(self._of[scene])

    def picture(self, scene: Scene, variation: int) -> Picture:
        """The file with this number, in the order of their paths."""
        return Picture(self._of[scene][variation].read_bytes())

    def named(self, name: str) -> Picture | None:
        """The file with this name, in whatever subfolder; None when there is none."""
        path = self._by_name.get(name)
        return Picture(path.read_bytes()) if path else None

    @cached_property
    def _by_name(self) -> dict[str, Path]:
        return {path.name: path for paths in self._of.values() for path in paths}


@cache
def open_source(images: str | None = None) -> ImageSource:
    """The source that a text names: a folder, or a folder with a pattern in it ("pics/{action}/{number}-{subject}*"); else drawings.

    Opened once in each process. Raises DataError where no file fits, CogsightError for a pattern that is none.
    """
    if images is None:
        return DrawnImages()
    parts = images.split("/")
    named = next((n for n, part in enumerate(parts) if "{" in part), len(parts))
    return FolderImages("/".join(parts[:named]) or ".", "/".join(parts[named:]) or PATTERN)


def scene_of_name(name: str, pattern: str = PATTERN) -> Scene | None:
    """What a picture's file name says that it shows; None when the name does not fit. Raises CogsightError for a bad pattern.

    >>> scene_of_name("two_senior men_playing soccer_13.png")
    Scene(number=2, subject='senior man', action='playing soccer')
    >>> scene_of_name("ice-skating/1-Female-Child.jpg", "{action}/{number}-{subject}")
    Scene(number=1, subject='female child', action='ice-skating')
    """
    found = _compiled(pattern).fullmatch(_plain(name.rpartition(".")[0]))
    return Scene(*(_WORDS[prop][found[prop]] for prop in _WORDS)) if found else None


def file_name(scene: Scene, variation: int) -> str:
    """As the official test images are named.

    >>> file_name(Scene(1, "fox", "digging a hole"), 7)
    'one_fox_digging a hole_7.png'
    """
    return f"{stem(scene)}_{variation}.png"


def stem(scene: Scene) -> str:
    """How the names of its pictures begin.

    >>> stem(Scene(2, "senior man", "reading"))
    'two_senior men_reading'
    """
    return f"{NUMBER_WORDS[scene.number]}_{noun(scene.subject, scene.number)}_{scene.action}"


def _plain(text: str) -> str:
    """Lower case, and one blank for what may stand for a blank."""
    return re.sub(r"[\s_-]+", " ", text.lower())


_WORDS = {prop: {_plain(form): value for form, value in forms.items()} for prop, forms in VALUE_OF.items()}


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    parts = re.split(r"(\{\w*\}|\*)", pattern)
    if sorted(part for part in parts if part.startswith("{")) != sorted(f"{{{prop}}}" for prop in _WORDS):
        raise CogsightError(
            f"pattern {pattern!r}: expected {{number}}, {{subject}} and {{action}}, each once, such as {PATTERN!r}"
        )
    words = {f"{{{prop}}}": f"(?P<{prop}>{'|'.join(map(re.escape, forms))})" for prop, forms in _WORDS.items()}
    return re.compile("(?:.*/)?" + "".join({**words, "*": ".*"}.get(part, re.escape(_plain(part))) for part in parts))

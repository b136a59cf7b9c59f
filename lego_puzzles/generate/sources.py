"""Where building steps come from: models that are grown, or LDraw files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from cogsight.shared.errors import CogsightError

from ..attribution import SUFFIXES
from .growing import Kit, grow
from .pieces import Model
from .stage import Stage

if TYPE_CHECKING:
    from .real import RealFile

NO_PATH = Path()


@dataclass(frozen=True, slots=True)
class Grown:
    """Models that are grown for the question."""

    def model(self, rng: Random, kit: Kit) -> Model | None:
        """A model as the kit asks; None when this draw comes to nothing."""
        return grow(rng, kit)


@dataclass(frozen=True, slots=True)
class FromFiles:
    """Real models, as their authors built them: no part is moved, and none has another colour."""

    folder: Path
    """Paths are this machine's own; only names go into the metadata of samples."""
    names: tuple[str, ...]
    """Of files in the folder."""
    ldraw_dir: Path = NO_PATH
    """The LDraw library, for parts that the files do not bring; `NO_PATH`: $LDRAWDIR."""

    def model(self, rng: Random, kit: Kit) -> Model | None:
        """A run of building steps of an assembly, as many as the kit asks; all that was there before is its first step.

        The model is turned about the vertical by quarters. Every step shows a part that was not to be seen before. The steps have
        the parts and colours that they have, whatever the kit says. None when this draw comes to nothing.
        """
        from .real import spun

        long = [model for model in self.assemblies().values() if len(model.steps) >= kit.steps[0]]
        if not long:
            return None
        (whole,) = rng.choices(long, [len(model.steps) for model in long])
        count = rng.randint(kit.steps[0], min(kit.steps[1], len(whole.steps)))
        end, quarters = rng.randint(count, len(whole.steps)), rng.randrange(4)
        steps = (whole.state(end - count + 1), *whole.steps[end - count + 1 : end])
        model = Model(tuple(tuple(spun(piece, quarters) for piece in step) for step in steps))
        return model if _steps_show(model) else None

    def assemblies(self) -> dict[tuple[str, str], Model]:
        """(Name of the file, name of the assembly) → its steps. Raises as `files` does."""
        return {
            (file.path.name, assembly): model for file in self.files() for assembly, model in file.assemblies.items()
        }

    def files(self) -> list[RealFile]:
        """All of them, read. Raises LDrawError for a file that cannot be used, CogsightError for several, and for two of one name."""
        from .real import read

        found, wrong = [], []
        for name in self.names:
            try:
                found.append(read(self.folder / name, None if self.ldraw_dir == NO_PATH else self.ldraw_dir))
            except CogsightError as error:
                wrong.append(error)
        if len(wrong) > 1:
            told = "\n".join(f"  {error}" for error in wrong)
            raise CogsightError(
                f"{self.folder}: {len(wrong)} of {len(self.names)} brick models cannot be used; mend them, or move them elsewhere:\n{told}"
            )
        if wrong:
            raise wrong[0]
        return found


def _steps_show(model: Model) -> bool:
    """Does every step but the first bring a part that is recognised, where one saw before that it was not there?"""
    stage = Stage.of(model.pieces)
    sights = [stage.look(model.state(number)) for number in range(1, len(model.steps) + 1)]
    return all(
        set(step) & later.adds(before)
        for step, before, later in zip(model.steps[1:], sights[:-1], sights[1:], strict=True)
    )


def models_at(path: Path) -> tuple[str, ...]:
    """The names of the model files in a folder, but for those that another one is made of, or that of the file; none where there are none."""
    found: Sequence[Path] = sorted(path.iterdir()) if path.is_dir() else [path]
    names = [one.name for one in found if one.suffix.lower() in SUFFIXES and one.is_file()]
    return tuple(_wholes(path, names) if path.is_dir() else names)


def _wholes(folder: Path, names: Sequence[str]) -> list[str]:
    """Those that are no part of another one. Files that refer to each other in a circle stay, so that reading them tells."""
    from .ldraw.text import normal

    files = {normal(name): name for name in names}
    used = {key: _used(folder / name) & files.keys() - {key} for key, name in files.items()}
    left = files.keys() - set().union(*used.values())
    inside, queue = set[str](), list(left)
    for key in queue:  # grows while it is walked
        queue += used[key] - inside
        inside |= used[key]
    return [name for name in names if normal(name) not in inside]


PLACED = 14
"""Words of a line that places a file, before the file's name."""


def _used(path: Path) -> set[str]:
    """The files that a file's lines place, but for its own sections; none where it cannot be read, which `FromFiles.files` tells."""
    from .ldraw.text import LDrawError, normal, read_sources

    try:
        sources, _ = read_sources(path)
    except LDrawError:
        return set()
    lines = [text.split(maxsplit=PLACED) for source in sources for _, text in source.text]
    placed = {normal(words[PLACED]) for words in lines if words[0] == "1" and len(words) > PLACED}
    return placed - {source.name for source in sources}


def from_files(path: Path, ldraw_dir: Path | None = None) -> FromFiles:
    """The model in a file, or the models in a folder. Raises CogsightError where there is none."""
    names = models_at(path)
    if not names:
        raise CogsightError(
            f"{path}: no brick model here; expected a file that ends in .ldr or .mpd, or a folder of such"
        )
    return FromFiles(
        (path if path.is_dir() else path.parent).resolve(), names, ldraw_dir.resolve() if ldraw_dir else NO_PATH
    )


Source = Grown | FromFiles
"""What a Config may name."""

GROWN = Grown()

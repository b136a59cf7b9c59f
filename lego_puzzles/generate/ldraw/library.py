"""Where a referenced file is found: in the model's own file, beside it, then in the LDraw parts library."""

from __future__ import annotations

from pathlib import Path

from cogsight.shared.settings import ldraw_dir as ldraw_dir_of_environment

from .text import LDrawError, Reference, Source, is_inside, normal, read_sources

FOLDERS = ("", "parts/", "p/", "models/", "unofficial/parts/", "unofficial/p/")
"""Of the library, and of the names in packed files; "s/" and "48/" are folders inside these."""


class Library:
    """All files that a model can refer to. Names are compared without regard to case, on disk too."""

    def __init__(self, path: Path, ldraw_dir: Path | None = None) -> None:
        """Raises LDrawError where the model cannot be read or `ldraw_dir` (else `$LDRAWDIR`) is no folder."""
        self.sources, notices = read_sources(path)
        self.notices = list(notices)
        self._known = {source.name: source for source in self.sources}
        self._used: dict[str, Source] = {self.main.name: self.main}
        self._listings: dict[Path, dict[str, str]] = {}
        self.folder = ldraw_dir or ldraw_dir_of_environment()
        if self.folder and not self.folder.is_dir():
            raise LDrawError(
                f"{self.folder}: no such folder; LDRAWDIR is the one that holds parts/ and p/ of the LDraw library"
            )
        found = [self._walk(self.folder, folder.rstrip("/")) for folder in FOLDERS if self.folder]
        self._places = [path.parent, *filter(None, found)]

    @property
    def main(self) -> Source:
        """The model itself."""
        return self.sources[0]

    def config(self) -> Source | None:
        """LDConfig.ldr of the parts library, if there is one."""
        found = self._on_disk("ldconfig.ldr", self._places[1:])
        return read_sources(found)[0][0] if found else None

    def used(self) -> tuple[Source, ...]:
        """The main model and every file that was found, in the order of first use."""
        return tuple(self._used.values())

    def find(self, reference: Reference, source: Source) -> Source:
        """The file that a line of `source` names. Raises LDrawError where there is none, or where the name leads out of the library."""
        found = self._find(source.where(reference.number), reference.name)
        return self._used.setdefault(found.name, found)

    def _find(self, where: str, name: str) -> Source:
        for folder in FOLDERS:
            if found := self._known.get(folder + name):
                return found
        for folder in reversed(FOLDERS[1:]):
            if name.startswith(folder) and (found := self._known.get(name.removeprefix(folder))):
                return found
        if not is_inside(name):
            raise LDrawError(f"{where}: {name!r} leads out of the parts library; expected a name such as 3001.dat")
        if path := self._on_disk(name, self._places):
            return self._read(path, name)
        looked = f"nor in {self.folder}" if self.folder else "and LDRAWDIR is not set"
        raise LDrawError(
            f"{where}: {name!r} is not in the file {looked}; pack the model with its parts, or let LDRAWDIR name a folder"
            " with the LDraw parts library"
        )

    def _read(self, path: Path, name: str) -> Source:
        """A file from disk; the other sections in it, if any, are known from now on."""
        label = str(path.relative_to(self.folder)) if self.folder and path.is_relative_to(self.folder) else str(path)
        sources, notices = read_sources(path, label)
        self.notices += notices
        main = Source(normal(label) if label != str(path) else name, label, sources[0].text)
        for known_as in (name, main.name):
            self._known.setdefault(known_as, main)
        for source in sources[1:]:
            self._known.setdefault(source.name, source)
        return self._known[name]

    def _on_disk(self, name: str, places: list[Path]) -> Path | None:
        """The file of this name in the first place that has it. A link that leads out of the place is not followed."""
        for place in places:
            path = self._walk(place, name)
            if path and path.is_file() and path.resolve().is_relative_to(place.resolve()):
                return path
        return None

    def _walk(self, folder: Path, name: str) -> Path | None:
        """What has this name below the folder, in any case."""
        path = folder
        for step in filter(None, name.split("/")):
            found = self._listing(path).get(step)
            if found is None:
                return None
            path = path / found
        return path

    def _listing(self, folder: Path) -> dict[str, str]:
        """Lower-case name → name, of a folder; nothing for what is no folder."""
        if folder not in self._listings:
            names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
            self._listings[folder] = {name.lower(): name for name in names}
        return self._listings[folder]


def part_name(name: str) -> str:
    """As people say it: without the folder.

    >>> part_name("parts/3001.dat"), part_name("p/stud.dat")
    ('3001.dat', 'p/stud.dat')
    """
    return name.removeprefix("parts/")

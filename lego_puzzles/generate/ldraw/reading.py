"""From a file to a model: its lines are grouped into steps, sub-models are taken apart into parts, parts are meshed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from .colors import OWN, Palette, inherited, palette
from .library import Library, part_name
from .mesh import SINGULAR, Mesher, check_trail, singular, volume
from .model import Credit, Model, Part, PlacedPart, Rotation, Step
from .text import LDrawError, Meta, Reference, Shape, Source, Transform, is_step, numbers

IDENTITY: Transform = (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0)

MAX_PLACED = 300_000
"""Parts placed, those in sub-models counted again for every model that holds them."""


def load(path: Path | str, *, ldraw_dir: Path | str | None = None, min_steps: int = 2) -> Model:
    """Read a brick model: `.ldr`, `.mpd`, or `.mpd` packed with its parts.

    Parts that the file does not bring are looked for beside it, then in `ldraw_dir`, else in the folder that the environment variable
    LDRAWDIR names. A model of fewer than `min_steps` building steps is refused: puzzles are made from steps.

    Raises:
        LDrawError: with file, line and the way out: no text, a line that is not LDraw, a part that is nowhere, a singular matrix, a file
            that holds itself, an undefined colour, a name that leads out of the library, no steps, or no end of parts.
    """
    path = Path(path)
    library = Library(path, Path(ldraw_dir) if ldraw_dir else None)
    reader = _Reader(library, palette(library.config(), *library.sources))
    if library.main.is_part:
        raise LDrawError(
            f"{library.main.where()}: this is a part, or a model named like one (.dat) that has no line `0 STEP`; expected a model with building steps"
        )
    steps = tuple(reader.booklet())
    if len(steps) < min_steps:
        raise LDrawError(
            f"{library.main.where(_last_line(library.main))}: {len(steps)} building step{'s' * (len(steps) != 1)}, and puzzles need {min_steps}:"
            " end each step with a line `0 STEP`"
        )
    return Model(
        library.main.header.title or path.stem,
        steps,
        reader.parts,
        reader.palette,
        reader.credits(),
        tuple(dict.fromkeys(library.notices)),
    )


@dataclass(slots=True)
class _Group:
    """What one step of a file brings."""

    view: Rotation | None
    references: list[Reference] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    """Lines that draw by themselves."""

    @property
    def first(self) -> int:
        """The number of its first line."""
        return min([line.number for line in self.references] + [line.number for line in self.shapes])


class _Reader:
    """Takes one model apart; every file is taken apart once."""

    def __init__(self, library: Library, colors: Palette) -> None:
        self.library, self.palette = library, colors
        self.mesher = Mesher(library, colors)
        self.parts: dict[str, Part] = {}
        self._names: dict[str, str] = {}
        self._groups: dict[str, tuple[_Group, ...]] = {}
        self._flat: dict[str, tuple[PlacedPart, ...]] = {}
        self._built: set[str] = set()
        self._count = 0

    def booklet(self) -> Iterator[Step]:
        """All steps in the order of the pages. Everything is read and checked before the first."""
        source, color, base = self.library.main, OWN, IDENTITY
        if not self.flat(source, (source.name,)):
            raise LDrawError(f"{source.where(_last_line(source))}: the model places no part")
        while inner := self._only_submodel(source):
            line, found = inner
            color, base = inherited(line.color, color), compose(base, line.transform)
            source = found
        yield from self._pages(source, "", color, base)

    def _only_submodel(self, source: Source) -> tuple[Reference, Source] | None:
        """The sub-model that is all that a file has, with the line that places it."""
        groups = self.groups(source)
        if len(groups) != 1 or groups[0].shapes or len(groups[0].references) != 1:
            return None
        (line,) = groups[0].references
        found = self.library.find(line, source)
        return None if found.is_part else (line, found)

    def _pages(self, source: Source, assembly: str, color: int, base: Transform) -> Iterator[Step]:
        """The steps of a file, each after those of the sub-models that it attaches; only the latter where it is a single step."""
        groups = self.groups(source)
        for group in groups:
            attached = []
            for line in group.references:
                found = self.library.find(line, source)
                if found.is_part:
                    continue
                attached.append(found.name)
                if found.name not in self._built:
                    self._built.add(found.name)
                    yield from self._pages(found, found.name, inherited(line.color, color), IDENTITY)
            new = tuple(moved(part, color, base) for part in self._brought(source, group, ()))
            if new and (len(groups) > 1 or not assembly):
                yield Step(assembly, new, tuple(attached), group.view, group.first)

    def flat(self, source: Source, trail: tuple[str, ...]) -> tuple[PlacedPart, ...]:
        """All parts of a file in its own space; `trail`: the files that are being taken apart, this one last."""
        if source.name not in self._flat:
            self._flat[source.name] = tuple(
                part for group in self.groups(source) for part in self._brought(source, group, trail)
            )
        return self._flat[source.name]

    def _brought(self, source: Source, group: _Group, trail: tuple[str, ...]) -> Iterator[PlacedPart]:
        for line in group.references:
            yield from self._placed(source, line, trail)
        if group.shapes:
            yield PlacedPart(self._loose(source, group.shapes), OWN, IDENTITY)

    def _placed(self, source: Source, line: Reference, trail: tuple[str, ...]) -> Iterator[PlacedPart]:
        """The parts that a line of type 1 brings."""
        found = self.library.find(line, source)
        check_trail(source, line, found, trail)
        self.mesher.check_color(source, line)
        if abs(volume(line.transform)) < SINGULAR:
            raise singular(source, line)
        color = inherited(line.color, OWN)
        inner = () if found.is_part else self.flat(found, (*trail, found.name))
        self._count += len(inner) + 1
        if self._count > MAX_PLACED:
            raise LDrawError(f"{source.where(line.number)}: the model comes to more than {MAX_PLACED:,} parts")
        if found.is_part:
            yield PlacedPart(self._part(found), color, line.transform)
        for part in inner:
            yield replace(moved(part, color, line.transform), submodels=(found.name, *part.submodels))

    def _part(self, source: Source) -> str:
        """The name of a part, which is meshed if it is new."""
        if source.name not in self._names:
            name = part_name(source.name)
            self._names[source.name] = name = source.name if name in self.parts else name
            mesh = self.mesher.part(source)
            if not len(mesh):
                self.library.notices.append(f"{source.where()}: this part draws nothing")
            self.parts[name] = Part(name, source.header.title, mesh)
        return self._names[source.name]

    def _loose(self, source: Source, shapes: list[Shape]) -> str:
        """Triangles and lines that stand in a model itself, as a part named by where they stand."""
        name = f"{source.name or 'model'}:{shapes[0].number}"
        if name not in self.parts:
            self.library.notices.append(f"{source.where(shapes[0].number)}: what is drawn here is taken as a part")
            self.parts[name] = Part(name, "", self.mesher.drawn(source, shapes))
        return name

    def groups(self, source: Source) -> tuple[_Group, ...]:
        """The steps of a file that bring something."""
        if source.name not in self._groups:
            self._groups[source.name] = tuple(_group(source, self.library.notices))
        return self._groups[source.name]

    def credits(self) -> tuple[Credit, ...]:
        """Of every file that was used, models first."""
        every = [
            Credit(
                source.name or Path(source.path).name, source.header.authors, source.header.licence, not source.is_part
            )
            for source in self.library.used()
        ]
        return tuple(sorted(every, key=lambda credit: not credit.is_model))


def _group(source: Source, notices: list[str]) -> Iterator[_Group]:
    """Lines by step. What `0 BUFEXCHG … RETRIEVE` takes away again (arrows, parts on their way) is left out."""
    lines: list[tuple[int, Reference | Shape]] = []
    views: list[Rotation | None] = [None]
    stored: dict[str, int] = {}
    for line in source.lines:
        if not isinstance(line, Meta):
            lines.append((len(views) - 1, line))
        elif is_step(line):
            if line.words[0].upper() == "ROTSTEP":
                views[-1] = _rotation(source, line, views[-1])
            views.append(views[-1])
        elif [word.upper() for word in line.words[:1]] == ["BUFEXCHG"] and len(line.words) > 2:
            name, what = line.words[1].upper(), line.words[2].upper()
            if what == "STORE":
                stored[name] = len(lines)
            elif name in stored:
                notices.append(
                    f"{source.where(line.number)}: {len(lines) - stored[name]} lines that are taken away here are left out"
                )
                del lines[stored[name] :]
    groups: dict[int, _Group] = {}
    for step, line in lines:
        group = groups.setdefault(step, _Group(views[step]))
        if isinstance(line, Reference):
            group.references.append(line)
        else:
            group.shapes.append(line)
    yield from groups.values()


def _rotation(source: Source, line: Meta, before: Rotation | None) -> Rotation | None:
    """The view that `0 ROTSTEP x y z [REL | ABS | ADD]` sets, for the step that it ends and those after; None for `0 ROTSTEP END`."""
    words = [word.upper() for word in line.words[1:]]
    if words == ["END"]:
        return None
    where, how = source.where(line.number), words[3] if len(words) > 3 else "REL"
    if len(words) < 3 or how not in ("REL", "ABS", "ADD"):
        raise LDrawError(f"{where}: expected `0 ROTSTEP x y z` with REL, ABS or ADD, or `0 ROTSTEP END`")
    x, y, z = numbers(where, words[:3])
    if how == "ADD" and before:
        return Rotation(before.x + x, before.y + y, before.z + z, before.absolute)
    return Rotation(x, y, z, absolute=how == "ABS")


def moved(part: PlacedPart, color: int, transform: Transform) -> PlacedPart:
    """The part, when what it stands in is placed."""
    return replace(part, color=inherited(part.color, color), transform=compose(transform, part.transform))


def compose(outer: Transform, inner: Transform) -> Transform:
    """The matrix that does `inner`, then `outer`.

    >>> compose((1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0), (0, 0, 1, 2, 0, 1, 0, 0, -1, 0, 0, 0))
    (0, 0, 1, 7, 0, 1, 0, 0, -1, 0, 0, 0)
    """
    if outer == IDENTITY:
        return inner
    rows = (outer[0:4], outer[4:8], outer[8:12])
    return tuple(
        a * inner[column] + b * inner[column + 4] + c * inner[column + 8] + (shift if column == 3 else 0)
        for a, b, c, shift in rows
        for column in range(4)
    )


def _last_line(source: Source) -> int:
    return source.text[-1][0] if source.text else 1

"""Growing brick models, one building step at a time: every new part is held by studs, can be pushed on from above, and is in plain sight.

A grammar of `blueprints.py` says what is built; here it gets its building order, small details until it has enough steps, and a turn.
`grow` gives a whole model with its steps. `places` says where a part can go, for generators that look for other places of a part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

from .blueprints import GRAMMARS, plan
from .pieces import Model, Piece, footprint, holds_together, links, stands
from .shapes import SHAPES, TURNS
from .stage import Stage
from .views import CAMERA

COLORS = ("red", "orange", "yellow", "lime", "green", "turquoise", "blue", "violet", "brown", "tan", "white")
"""Of parts; grey is for what they stand on."""


@dataclass(frozen=True, slots=True)
class Kit:
    """What models are grown. Raises ValueError for a wish that nothing can meet."""

    steps: tuple[int, int]
    """Fewest and most building steps, the first included."""
    parts: tuple[int, int] = (1, 1)
    """Fewest and most parts that a step adds; the first step has as many as hold together."""
    colors: int = 5
    """How many, besides grey; fewer make parts look more alike."""
    seen: float = 0.4
    """Of a part just added, the share that must be in sight of what it would show alone."""
    kinds: tuple[str, ...] = tuple(GRAMMARS)
    without: tuple[str, ...] = ()
    """Colours that no part has."""

    def __post_init__(self) -> None:
        if not (1 <= self.steps[0] <= self.steps[1] <= 40 and 1 <= self.parts[0] <= self.parts[1]):
            raise ValueError(f"{self}: 1 to 40 steps, of at least one part each")
        if not 1 <= self.colors <= len(self.palette) or not self.kinds or set(self.kinds) - set(GRAMMARS):
            raise ValueError(f"{self}: 1 to {len(COLORS)} colours; kinds are {', '.join(GRAMMARS)}")

    @property
    def palette(self) -> tuple[str, ...]:
        """The colours that parts may have."""
        return tuple(color for color in COLORS if color not in self.without)


def grow(rng: Random, kit: Kit) -> Model | None:
    """A model with its building steps; None when this draw comes to nothing. From its first step on it holds together and stands."""
    kind = rng.choice(kit.kinds)
    grown = (_grown(rng, kit, kind) for _ in range(DRAWS))  # of one kind, or else those that often fail would be rare
    return next((model for model in grown if model), None)


DRAWS = 4
"""Plans drawn for one model."""


def _grown(rng: Random, kit: Kit, kind: str) -> Model | None:
    colors = rng.sample(kit.palette, kit.colors)
    sizes = [rng.randint(*kit.parts) for _ in range(rng.randint(*kit.steps) - 1)]
    whole = spun(plan(rng, kind, colors, sum(sizes) + 1), rng.randrange(4))
    stage = Stage.of([*whole, *(piece.moved(z=HEADROOM) for piece in whole)])
    ordered = _ordered(rng, whole, kit, stage)
    first = max((n for n in range(len(ordered) + 1) if not holds_together(ordered[:n])), default=0) + 1
    if first > len(ordered):
        return None
    count = first + sum(sizes)
    pieces = _detailed(rng, ordered[:count], count, kit, colors, stage)
    if pieces is None or not all(stands(pieces[:n]) for n in range(first, count + 1)):
        return None
    ends = [first + sum(sizes[:i]) for i in range(len(sizes) + 1)]
    return Model((tuple(pieces[:first]), *(tuple(pieces[i:j]) for i, j in pairwise(ends))))


HEADROOM, REACH = 6, 4
"""Plates: above a plan, for its details; by how much a part may be built before a lower one."""

AHEAD = 3.0
"""Studs by which a part may be built before one that lies behind it, and which it may hide."""

DETAILS = tuple(name for name, shape in SHAPES.items() if max(shape.size[:2]) <= 2 and shape.family != "overhang")
"""Parts that a model may carry anywhere; small ones are tried more often."""

TRIES = 30
"""Details tried for one part."""


def _ordered(rng: Random, whole: Sequence[Piece], kit: Kit, stage: Stage) -> list[Piece]:
    """A building order, from below, in which every piece is held, can be pushed on, and is in sight when added; what cannot is left out."""
    left, built = list(whole), list[Piece]()
    while left:
        low = min(piece.z for piece in left)
        near = [piece for piece in left if piece.z <= (low and low + REACH)]
        ready = [piece for piece in near if can_add(built, piece) and not any(_roofs_over(piece, p) for p in near)]
        ready.sort(key=lambda piece: _nearness(piece) + rng.uniform(0, AHEAD))
        new = next((piece for piece in ready if stage.shares([*built, piece])[-1] >= kit.seen), None)
        if new:
            built.append(new)
        gone = {new} if new else {piece for piece in left if piece.z == low}
        left = [piece for piece in left if piece not in gone]
    return built


def _detailed(
    rng: Random, pieces: list[Piece], count: int, kit: Kit, colors: Sequence[str], stage: Stage
) -> list[Piece] | None:
    """So many pieces: those given, and small parts wherever one finds a place in sight; None where there is no more."""
    while len(pieces) < count:
        fitting = (
            new
            for new in _details(rng, pieces, colors)
            if stands([*pieces, new]) and stage.shares([*pieces, new])[-1] >= kit.seen
        )
        detail = next(fitting, None)
        if detail is None:
            return None
        pieces.append(detail)
    return pieces


def _details(rng: Random, pieces: list[Piece], colors: Sequence[str]) -> Iterator[Piece]:
    """Small parts, each firmly on studs."""
    studs = frozenset(cell for piece in pieces for cell in piece.studs())
    for _ in range(TRIES):
        part = Piece(rng.choice(colors), min(rng.sample(DETAILS, 2), key=_area), 0, 0, 0)
        spots = places(pieces, part, turns=(rng.choice(TURNS),))
        if firm := [spot for spot in spots if spot.sockets() <= studs]:
            yield rng.choice(firm)


def _area(name: str) -> int:
    w, d, _ = SHAPES[name].size
    return w * d


def spun(pieces: Iterable[Piece], quarters: int) -> tuple[Piece, ...]:
    """All of them turned about the vertical by so many quarter turns, anticlockwise seen from above."""
    turned = tuple(pieces)
    for _ in range(quarters % 4):
        turned = tuple(
            replace(piece, x=-piece.y - footprint(piece)[1], y=piece.x, turn=piece.turned(1).turn) for piece in turned
        )
    return turned


def places(pieces: Iterable[Piece], part: Piece, *, turns: Sequence[str] = TURNS) -> Iterator[Piece]:
    """The part wherever it can be pushed onto these pieces from above so that a stud holds it, in those of the turns that differ; each
    place once, in order.
    """
    listed = list(pieces)
    roofs = _roofs(*listed)
    studs = sorted({(x, y, z) for piece in listed for x, y, z in piece.studs() if roofs[x, y] < z})
    for turn in dict.fromkeys(part.kind.alike(turn) for turn in turns):
        origin = Piece(part.color, part.shape, 0, 0, 0, turn)
        cells, sockets = origin.cells(), sorted(origin.sockets())
        for i, j, k in sorted({(x - u, y - v, z - w) for x, y, z in studs for u, v, w in sockets}):
            if k >= 0 and all(roofs.get((x + i, y + j), -1) < z + k for x, y, z in cells):
                yield origin.at(i, j, k)


def _roofs_over(upper: Piece, lower: Piece) -> bool:
    """Would the one bar the other's way down?"""
    columns = {(x, y) for x, y, _ in lower.cells()}
    return upper.z > lower.z and any((x, y) in columns for x, y, _ in upper.cells())


def _nearness(piece: Piece) -> float:
    """How far in front of the origin it is, as the camera sees it, studs."""
    w, d = footprint(piece)
    right, towards = CAMERA.axes()[2][:2]
    return float((piece.x + w / 2) * right + (piece.y + d / 2) * towards)


def can_add(pieces: Iterable[Piece], new: Piece) -> bool:
    """Can it be put down onto these pieces from above, so that a stud or the ground holds it?"""
    listed = list(pieces)
    roofs = _roofs(*listed)
    clear = all(roofs.get((x, y), -1) < z for x, y, z in new.cells())
    return clear and (new.z == 0 or any(links(piece, new) for piece in listed))


def _roofs(*pieces: Piece) -> dict[tuple[int, int], int]:
    """Column → its highest filled cell."""
    roofs: dict[tuple[int, int], int] = {}
    for piece in pieces:
        for x, y, z in piece.cells():
            roofs[x, y] = max(z, roofs.get((x, y), z))
    return roofs

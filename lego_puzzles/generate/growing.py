"""Growing brick models, one building step at a time: every new part is held by studs, can be pushed on from above, and is in plain sight.

`grow` gives a whole model with its steps. `places` says where a part can go, for generators that look for other places of a part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from .pieces import TURNS, Model, Piece
from .shapes import SHAPES
from .stage import Stage

COLORS = ("red", "orange", "yellow", "lime", "green", "turquoise", "blue", "violet", "brown", "tan", "white")
"""Of parts; grey is for what they stand on."""


@dataclass(frozen=True, slots=True)
class Kit:
    """What models are grown. Raises ValueError for a wish that nothing can meet."""

    steps: tuple[int, int]
    """Fewest and most building steps, the first part included."""
    parts: tuple[int, int] = (1, 1)
    """Fewest and most parts that a step adds."""
    colors: int = 5
    """How many, besides grey; fewer make parts look more alike."""
    seen: float = 0.4
    """Of a part just added, the share that must be in sight of what it would show alone."""

    def __post_init__(self) -> None:
        if not (1 <= self.steps[0] <= self.steps[1] <= 40 and 1 <= self.parts[0] <= self.parts[1]):
            raise ValueError(f"{self}: 1 to 40 steps, of at least one part each")
        if not 1 <= self.colors <= len(COLORS):
            raise ValueError(f"{self}: 1 to {len(COLORS)} colours")


def places(pieces: Iterable[Piece], part: Piece, *, turns: Sequence[str] = TURNS) -> Iterator[Piece]:
    """The part wherever it can be pushed onto these pieces from above so that a stud holds it; in these turns; each place once, in order."""
    listed = list(pieces)
    filled = frozenset(cell for piece in listed for cell in piece.cells())
    roofs: dict[tuple[int, int], int] = {}
    for x, y, z in filled:
        roofs[x, y] = max(z, roofs.get((x, y), z))
    studs = sorted({cell for piece in listed for cell in piece.studs()} - filled)
    for turn in turns:
        origin = Piece(part.color, part.shape, 0, 0, 0, turn)
        cells, sockets = origin.cells(), sorted(origin.sockets())
        for i, j, k in sorted({(x - u, y - v, z - w) for x, y, z in studs for u, v, w in sockets}):
            if k >= 0 and all(roofs.get((x + i, y + j), -1) < z + k for x, y, z in cells):
                yield origin.at(i, j, k)


def grow(rng: Random, kit: Kit) -> Model | None:
    """A model with its building steps; None when this draw comes to nothing. The first step is the base, a grey plate."""
    colors = rng.sample(COLORS, kit.colors)
    base = Piece(
        "grey", rng.choice(("plate_4x6", "plate_6x6", "plate_4x4", "plate_4x8")), 0, 0, 0, rng.choice(("r0", "r1"))
    )
    steps: list[tuple[Piece, ...]] = [(base,)]
    for _ in range(rng.randint(*kit.steps) - 1):
        step = _step(rng, kit, [piece for done in steps for piece in done], colors)
        if step is None:
            return None
        steps.append(step)
    return Model(tuple(steps))


def _step(rng: Random, kit: Kit, before: list[Piece], colors: Sequence[str]) -> tuple[Piece, ...] | None:
    added: list[Piece] = []
    for _ in range(rng.randint(*kit.parts)):
        new = next(
            (p for p in _candidates(rng, [*before, *added], colors) if in_sight([*before, *added], p, kit.seen)), None
        )
        if new is None:
            return None
        added.append(new)
    return tuple(added)


def _candidates(rng: Random, pieces: list[Piece], colors: Sequence[str]) -> Iterator[Piece]:
    names = [name for name, shape in SHAPES.items() if max(shape.size[:2]) <= 4 and shape.family != "axle"]
    for _ in range(20):
        part = Piece(rng.choice(colors), rng.choice(names), 0, 0, 0)
        spots = list(places(pieces, part, turns=(rng.choice(TURNS),)))
        if spots:
            z = rng.choice(sorted({spot.z for spot in spots}))
            yield rng.choice([spot for spot in spots if spot.z == z])


def in_sight(pieces: Iterable[Piece], new: Piece, share: float) -> bool:
    """Is so much of the new piece to be seen among the others?"""
    both = [*pieces, new]
    return Stage.of(both).shares(both)[-1] >= share

"""Ways to make a state wrong by one part: another colour, another kind, another place, one part too few or too many.

What is right and what is wrong must be exchangeable: an alternative is drawn from what the part itself might have been, so that options alone,
without the pictures that the question starts from, favour none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random

from .growing import COLORS, places
from .pieces import Piece, an, fits, footprint, holds_together, stands, way
from .shapes import SHAPES
from .stage import Sight, Stage

REACH = 3.0
"""Studs between a place and the one that it is confused with, at most."""

MOST = 6
"""Alternatives of one kind that are tried."""


@dataclass(frozen=True, slots=True)
class Change:
    """One part of a state gives way to another; None: there is none before, or none after."""

    old: Piece | None
    new: Piece | None

    def on(self, pieces: Iterable[Piece]) -> tuple[Piece, ...]:
        """The state with this change, the new part where the old one stood."""
        changed = [self.new if piece == self.old else piece for piece in pieces]
        added = [self.new] if self.old is None else []
        return tuple(piece for piece in [*changed, *added] if piece)

    @property
    def undone(self) -> Change:
        """The way back."""
        return Change(self.new, self.old)

    def is_seen(self, sight: Sight) -> bool:
        """Can the new part be recognised, if there is one?"""
        return self.new is None or self.new in sight.pieces

    @property
    def words(self) -> str:
        """What somebody says who knows the right state.

        >>> old = Piece.parse("red brick_2x2 0,0,0 r0")
        >>> Change(old, old.moved(x=1)).words
        'the red 2x2 brick stands 1 stud to the right'
        """
        if self.old is None or self.new is None:
            return (
                f"{an(self.new.name)} is too many"
                if self.new
                else f"the {self.old.name} is missing"
                if self.old
                else ""
            )
        if self.old.shape != self.new.shape:
            return f"there is {an(self.new.name)} in place of the {self.old.name}"
        turned, painted = self.old.turn != self.new.turn, self.old.color != self.new.color
        moved = not turned and (self.old.x, self.old.y, self.old.z) != (self.new.x, self.new.y, self.new.z)
        told = [
            *(["is turned"] if turned else []),
            *([f"is {self.new.color_name}"] if painted else []),
            *([f"stands {way(self.old, self.new)}"] if moved else []),
        ]
        return f"the {self.old.name} {' and '.join(told)}"


Trait = Callable[[Random, Sequence[Piece], Piece], Iterator[Change]]
"""(draws, a state, one of its parts) → changes of that part, in random order."""


def recolor(rng: Random, pieces: Sequence[Piece], piece: Piece) -> Iterator[Change]:
    """A colour that other parts have, so that no picture has a colour of its own; what is grey stays so."""
    known = sorted({other.color for other in pieces} & set(COLORS) - {piece.color}) if piece.color in COLORS else []
    for color in rng.sample(known, len(known)):
        yield Change(piece, replace(piece, color=color))


def reshape(rng: Random, pieces: Sequence[Piece], piece: Piece) -> Iterator[Change]:
    """Another kind of part with the same footprint, at the same place; usual kinds first, more often than not."""
    same = [name for name in USUAL if name != piece.shape and _like(SHAPES[name].size, piece.kind.size)]
    for name in _by_chance(rng, {name: USUAL[name] for name in same}):
        shape = SHAPES[name]
        for turn in rng.sample(shape.turns, len(shape.turns)):
            new = replace(piece, shape=name, turn=turn)
            if footprint(new) == footprint(piece):
                yield Change(piece, new)


USUAL = {
    "brick_1x1": 130,
    "cone_1x1": 58,
    "plate_1x1": 27,
    "round_brick_1x1": 53,
    "round_plate_1x1": 59,
    "round_tile_1x1": 74,
    "tile_1x1": 18,
    "wedge_1x1": 36,
    "brick_1x2": 111,
    "plate_1x2": 48,
    "slope_1x2": 7,
    "tile_1x2": 60,
    "wedge_1x2": 21,
    "brick_1x3": 19,
    "tile_1x3": 1,
    "brick_1x4": 25,
    "plate_1x4": 9,
    "tile_1x4": 17,
    "brick_2x2": 51,
    "cone_2x2": 1,
    "overhang_2x2": 8,
    "plate_2x2": 18,
    "round_brick_2x2": 2,
    "round_plate_2x2": 3,
    "slope_2x2": 39,
    "tile_2x2": 27,
    "brick_2x3": 2,
    "plate_2x3": 29,
    "brick_2x4": 7,
    "plate_2x4": 9,
    "slope_4x2": 1,
    "tile_2x4": 4,
}
"""Kind of part → how many of a thousand parts that steps of grown models add are of this kind. A wrong kind that is rarer than the right
one would be told from it without a look at the model."""


def _by_chance(rng: Random, weights: Mapping[str, int]) -> Iterator[str]:
    """All of them, each drawn with its weight among those that are left."""
    left = dict(weights)
    while left:
        (drawn,) = rng.choices(list(left), list(left.values()))
        del left[drawn]
        yield drawn


def _like(one: Sequence[int], other: Sequence[int]) -> bool:
    return sorted(one[:2]) == sorted(other[:2])


def move(rng: Random, pieces: Sequence[Piece], piece: Piece) -> Iterator[Change]:
    """Another place, near by."""
    rest = [other for other in pieces if other != piece]
    near = [p for p in places(rest, piece, turns=(piece.turn,)) if p != piece and _distance(p, piece) <= REACH]
    for new in rng.sample(near, min(MOST, len(near))):
        yield Change(piece, new)


def _distance(one: Piece, other: Piece) -> float:
    return abs(one.x - other.x) + abs(one.y - other.y) + abs(one.z - other.z) / 3


def turn(rng: Random, pieces: Sequence[Piece], piece: Piece) -> Iterator[Change]:
    """The same part, turned about the vertical, over some of the same studs."""
    rest = [other for other in pieces if other != piece]
    others = tuple(turn for turn in piece.kind.turns if turn != piece.turn)
    near = (
        [p for p in places(rest, piece, turns=others) if p.z == piece.z and _distance(p, piece) <= 1] if others else []
    )
    for new in rng.sample(near, min(MOST, len(near))):
        yield Change(piece, new)


def remove(rng: Random, pieces: Sequence[Piece], piece: Piece) -> Iterator[Change]:
    """The part is not there."""
    yield Change(piece, None)


def add(rng: Random, pieces: Sequence[Piece], piece: Piece) -> Iterator[Change]:
    """One more part, of the same kind, in the colour of any that is not grey."""
    colors = [other.color for other in pieces if other.color in COLORS]
    spots = list(places(pieces, piece)) if colors else []
    for new in rng.sample(spots, min(MOST, len(spots))):
        yield Change(None, replace(new, color=rng.choice(colors)))


TRAITS: dict[str, Trait] = {
    "color": recolor,
    "kind": reshape,
    "place": move,
    "turn": turn,
    "fewer": remove,
    "more": add,
}


def changes(rng: Random, trait: str, pieces: Sequence[Piece], piece: Piece) -> Iterator[Change]:
    """Those after which the state is still something that can be built; of real models see `real_changes.py`.

    `trait`: a name in `TRAITS`, or "count" for either of fewer and more.
    """
    if trait == "count":
        trait = rng.choice(("fewer", "more"))
    if not piece.is_grown:
        from .real_changes import changes as real

        return real(rng, trait, pieces, piece)
    return islice((change for change in TRAITS[trait](rng, pieces, piece) if is_sound(change.on(pieces))), MOST)


def is_sound(pieces: Sequence[Piece]) -> bool:
    """Does it hold together and stand, with no two parts in one place?"""
    if not all(piece.is_grown for piece in pieces):
        from .real_changes import is_sound as real

        return real(pieces)
    return (
        all(fits(piece, pieces[:number]) for number, piece in enumerate(pieces))
        and holds_together(pieces)
        and stands(pieces)
    )


def made(pieces: Sequence[Piece], by: Iterable[Change]) -> tuple[Piece, ...]:
    """The state with all of these changes, one after another."""
    state = tuple(pieces)
    for change in by:
        state = change.on(state)
    return state


def because(by: Iterable[Change]) -> str:
    """Why an option is wrong that these changes have made."""
    return f"Wrong: {' and '.join(change.words for change in by)}."


@dataclass(frozen=True, slots=True)
class Option:
    """A state among those to choose from, and the changes that made it from the right one."""

    pieces: tuple[Piece, ...]
    changes: tuple[Change, ...]

    def explained(self, right: str) -> str:
        """Why it is wrong; `right`, where it is not."""
        return because(self.changes) if self.changes else f"Right: {right}."


States = tuple[tuple[Piece, ...], ...]


def any_corner(rng: Random, states: States, both: tuple[Change, Change]) -> tuple[States, tuple[Change, Change]]:
    """The states with either, both or none of the changes made in all of them, and the changes that lead to wrong options then."""
    left = []
    for change in both:
        if rng.random() < 0.5:
            states, change = tuple(change.on(state) for state in states), change.undone
        left.append(change)
    return states, (left[0], left[1])


def square(
    rng: Random, right: Sequence[Piece], both: tuple[Change, Change], slot: int, beside: Iterable[Sequence[Piece]]
) -> list[Option] | None:
    """Four options, the corners of a square: with neither, either or both of two changes; the right one at `slot`, the others in random order.

    Nothing in them says which is the right one. None where a changed part cannot be recognised, a state cannot be built, or two pictures look
    alike; those `beside`, which the question shows too, must look different as well.
    """
    first, second = both
    corners = [Option(made(right, by), by) for by in ((), (first,), (second,), both)]
    pictures = [*(corner.pieces for corner in corners), *beside]
    stage = Stage.of([piece for pieces in pictures for piece in pieces])
    last = stage.look(corners[3].pieces)
    in_sight = all(change.is_seen(last) for change in both)
    if not (in_sight and all(is_sound(corner.pieces) for corner in corners) and stage.differ(pictures)):
        return None
    order = rng.sample(range(1, 4), 3)
    order.insert(slot, 0)
    return [corners[i] for i in order]

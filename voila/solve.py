"""The prover: every answer that fits three images, by the words of the published instructions alone.

It knows no structure and no rule engine. Each value that a property could have, "any" among them, is held against what the prompt of
the third step says of it; a question has its answer when exactly one of 5 x 15 x 14 fits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

from .rules import Scenes, Target
from .taxonomy import VALUES


def _as_the_kind_goes(value: object, one: object, two: object, three: object) -> bool:
    """Constant from 1 to 2: as in 3. Otherwise, where 1 and 3 agree: as in 2. Otherwise: any."""
    if one == two:
        return value == three
    if one == three:
        return value == two
    return value is None


def _as_the_count_goes(value: int | None, one: int, two: int, three: int) -> bool:
    """Constant from 1 to 2: as in 3. Otherwise one subject more (or fewer) in 4 than in 3 for each one more (or fewer) in 2 than in 1."""
    if one == two:
        return value == three
    more, fewer = range(one, two), range(two, one)
    if value is None:  # only where there are more to take away than leave one
        return len(fewer) >= three
    return value + len(fewer) == three + len(more)


_FITS: Mapping[str, Callable[..., bool]] = {
    "number": _as_the_count_goes,
    "subject": _as_the_kind_goes,
    "action": _as_the_kind_goes,
}


def solve(scenes: Scenes) -> frozenset[Target]:
    """All answers that fit; none where the count would leave the numbers that images show."""
    fitting: list[list[Any]] = []
    for (name, values), shown in zip(VALUES.items(), zip(*scenes, strict=True), strict=True):
        fitting.append([value for value in (*values, None) if _FITS[name](value, *shown)])
    return frozenset(Target(*answer) for answer in product(*fitting))

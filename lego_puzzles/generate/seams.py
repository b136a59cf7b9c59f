"""Where parts are seen to touch: over seams a person carries places and heights from one part to the next. For solvers only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from .pieces import Piece, touch
from .stage import Sight

SEAM = 0.4
"""Studs in depth between two neighbouring pixels of one seam, at most: on a flat top a pixel's step is up to a tenth of a stud."""


def joined(sight: Sight, start: Piece) -> frozenset[Piece]:
    """The recognised parts to which a path of seams leads from this one, itself among them: whose places relative to it can be read."""
    beside = seams(sight)
    found, queue = {start}, [start]
    for piece in queue:  # grows while it is walked
        new = [other for other in beside.get(piece, ()) if other not in found]
        found.update(new)
        queue += new
    return frozenset(found)


def seams(sight: Sight) -> Mapping[Piece, frozenset[Piece]]:
    """Recognised parts that touch, and whose pictures meet where they do: pixels next to each other, equally near."""
    index, depth = sight.stage.compose(recognised := sorted(sight.pieces, key=str))
    index[depth != sight.depth] = -1  # something else is before them
    met: set[tuple[int, int]] = set()
    for axis in (0, 1):
        one, other = (np.moveaxis(index, axis, 0)[part] for part in (slice(1, None), slice(None, -1)))
        near, far = (np.moveaxis(depth, axis, 0)[part] for part in (slice(1, None), slice(None, -1)))
        level = (one != other) & (one >= 0) & (other >= 0) & (np.abs(near - far) <= SEAM)
        met |= set(zip(one[level].tolist(), other[level].tolist(), strict=True))
    beside: dict[Piece, set[Piece]] = defaultdict(set)
    for a, b in met:
        if touch(recognised[a], recognised[b]):
            beside[recognised[a]].add(recognised[b])
            beside[recognised[b]].add(recognised[a])
    return {piece: frozenset(others) for piece, others in beside.items()}

"""Colours as eyes tell them apart (CIELAB, D65), and how far the colours of two things are from each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
"""Linear sRGB → CIE XYZ, IEC 61966-2-1."""
WHITE = TO_XYZ.sum(axis=1)

STEP = 8.0
"""Colours within one cell of a grid this wide in L, a and b count as one, their mean."""
SHARES = 200
"""Equal shares into which the colours of a thing are rounded; less than half of one is not seen."""
FARTHEST = 100.0
"""Colours this far apart (as black from white) differ as much as colours can."""


def lab(pixels: NDArray[np.uint8]) -> Floats:
    """sRGB, 0 to 255, … × 3 → L (0 to 100), a, b."""
    share = pixels / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    relative = linear @ TO_XYZ.T / WHITE
    bent = np.where(relative > (6 / 29) ** 3, np.cbrt(relative), relative * (29 / 6) ** 2 / 3 + 4 / 29)
    x, y, z = np.moveaxis(bent, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def distance(one: Floats, other: Floats) -> float:
    """Earth mover's distance of two heaps of colours, both pixels × Lab, neither empty: 0 the same, 1 all of it `FARTHEST` apart.

    What is moved is `SHARES` equal shares of each heap; the distance of two colours is Euclidean (Delta E 1976).
    """
    from scipy.optimize import linear_sum_assignment
    from scipy.spatial.distance import cdist

    cost = np.minimum(cdist(_shares(one), _shares(other)), FARTHEST)
    return float(cost[linear_sum_assignment(cost)].mean() / FARTHEST)


def _shares(heap: Floats) -> Floats:
    """`SHARES` colours that stand for the heap: each cell's mean, as often as its part of the pixels says (largest remainders)."""
    _, cell, count = np.unique(np.round(heap / STEP), axis=0, return_inverse=True, return_counts=True)
    sums = [np.bincount(cell.ravel(), weights=channel) for channel in heap.T]
    means = np.stack(sums, axis=-1) / count[:, None]
    exact = count * SHARES / len(heap)
    whole = np.floor(exact).astype(int)
    most_left = np.argsort(whole - exact, kind="stable")[: SHARES - whole.sum()]
    whole[most_left] += 1
    return np.asarray(np.repeat(means, whole, axis=0))

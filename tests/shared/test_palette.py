"""The colours of things can be told apart."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt

from cogsight.shared.render.palette import MARK, PALETTE

Floats = npt.NDArray[np.float64]


def lab(color: tuple[int, int, int]) -> Floats:
    """CIE L*a*b* under D65."""
    linear = np.array([c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in np.array(color) / 255])
    matrix = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(matrix @ linear / np.array([0.9505, 1.0, 1.089]))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_colours_are_told_apart() -> None:
    """A difference of 2.3 is just noticeable; printed instructions keep theirs an order of magnitude further apart."""
    distances = {
        (one, other): float(np.linalg.norm(lab(PALETTE[one]) - lab(PALETTE[other])))
        for one, other in combinations(PALETTE, 2)
    }
    closest = min(distances, key=distances.__getitem__)
    assert distances[closest] >= 25, (closest, distances[closest])
    assert min(np.linalg.norm(lab(MARK) - lab(color)) for color in PALETTE.values()) >= 50

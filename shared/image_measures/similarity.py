"""Structural similarity (Wang, Bovik, Sheikh & Simoncelli, IEEE Trans. Image Processing 13, 2004), with that paper's constants."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

RANGE = 100.0
"""Of the values: CIE lightness."""
SIGMA, RADIUS = 1.5, 5
"""Of the Gaussian window, px: 11 × 11."""
C1, C2 = (0.01 * RANGE) ** 2, (0.03 * RANGE) ** 2


def ssim(one: Floats, other: Floats) -> Floats:
    """The similarity around every pixel of two pictures of one size, values 0 to `RANGE`."""
    from scipy.ndimage import gaussian_filter

    def blur(values: Floats) -> Floats:
        return np.asarray(gaussian_filter(values, SIGMA, radius=RADIUS))

    mean, mean_other = blur(one), blur(other)
    variance = blur(one * one) - mean**2
    variance_other = blur(other * other) - mean_other**2
    together = blur(one * other) - mean * mean_other
    brightness = (2 * mean * mean_other + C1) / (mean**2 + mean_other**2 + C1)
    return np.asarray(brightness * (2 * together + C2) / (variance + variance_other + C2))


def mean(one: Floats, other: Floats, where: NDArray[np.bool_]) -> float:
    """Over the pixels of `where`, of which there is at least one."""
    return float(ssim(one, other)[where].mean())

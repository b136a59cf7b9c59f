"""Krippendorff's alpha: how far several raters agree beyond chance, on any scale, whoever has left out whatever.

Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), https://repository.upenn.edu/asc_papers/43. Who gave which value does not
enter: a *unit* is the values that it got. Units with fewer than two have nothing to compare and do not count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import nan
from typing import TYPE_CHECKING, Literal

from .stats import RESAMPLES, TIE, Interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Scale = Literal["nominal", "ordinal", "interval", "ratio"]
Units = Sequence[Sequence[float]]


def alpha(units: Units, scale: Scale = "ordinal") -> float:
    """1: full agreement, 0: what chance would give, below 0: worse than chance.

    NaN where no unit has two values, or all values are the same: nothing is beyond chance then. Ratio scales begin at 0.

    >>> round(alpha([(0, 0), (1, 2), (3, 3), (2, 2), (1,)]), 3)
    0.91
    """
    shape = _Shape(units)
    return float(shape.alphas(shape.observed[None], scale)[0]) if shape.patterns else nan


def alpha_interval(
    units: Units, scale: Scale = "ordinal", confidence: float = 0.95, resamples: int = RESAMPLES, seed: int = 0
) -> Interval | None:
    """Percentile bootstrap of `alpha`: units are drawn with replacement, and with them what chance would give.

    None where alpha is not defined, and where every draw has the same (full agreement): a width of 0 would be a lie. Draws without an alpha
    (one value only) say nothing about it and are left out.
    """
    import numpy as np

    shape = _Shape(units)
    if not shape.patterns:
        return None
    total = int(shape.observed.sum())
    drawn = np.random.RandomState(seed).multinomial(total, shape.observed / total, size=resamples).astype(float)
    found = shape.alphas(drawn, scale)
    found = found[~np.isnan(found)]
    if not len(found):
        return None
    low, high = np.percentile(found, [50 * (1 - confidence), 50 * (1 + confidence)])
    return Interval(float(low), float(high), "bootstrap") if high - low >= TIE else None


class _Shape:
    """Units by what they hold: those with the same values are one *pattern*, and only how many there are of each changes in a resample."""

    def __init__(self, units: Units) -> None:
        import numpy as np

        counted = Counter(tuple(sorted(unit)) for unit in units if len(unit) > 1)
        self.patterns = sorted(counted)
        self.values = sorted({value for pattern in self.patterns for value in pattern})
        self.observed: Floats = np.array([counted[pattern] for pattern in self.patterns], dtype=float)
        self._coincidences = np.array([self._of(pattern) for pattern in self.patterns])

    def _of(self, pattern: Sequence[float]) -> Floats:
        """Ordered pairs of a unit's values, each weighing 1 / (m - 1): values × values."""
        import numpy as np

        has = np.array([pattern.count(value) for value in self.values], dtype=float)
        pairs: Floats = (np.outer(has, has) - np.diag(has)) / (len(pattern) - 1)
        return pairs

    def alphas(self, drawn: Floats, scale: Scale) -> Floats:
        """One for each row of `drawn`, which says how often each pattern is there: resamples × patterns."""
        import numpy as np

        together = np.einsum("rp,pvw->rvw", drawn, self._coincidences)
        own = together.sum(axis=2)
        size = own.sum(axis=1)
        distance = _DISTANCES[scale](np.array(self.values, dtype=float), own)
        seen = (together * distance).sum(axis=(1, 2)) * (size - 1)
        expected = np.einsum("rv,rw,rvw->r", own, own, distance)
        found = np.full(len(drawn), nan)
        np.divide(seen, expected, out=found, where=expected > TIE)
        return np.asarray(1 - found)


def _square(places: Floats) -> Floats:
    """Squared differences of all pairs: resamples × values → resamples × values × values."""
    return (places[:, :, None] - places[:, None, :]) ** 2


def _nominal(values: Floats, own: Floats) -> Floats:
    return (_square(values[None]) > 0).astype(float)


def _ordinal(values: Floats, own: Floats) -> Floats:
    """Between two ranks lie all values from the one to the other, the two themselves by half: the distance of mean ranks."""
    return _square(own.cumsum(axis=1) - own / 2)


def _interval(values: Floats, own: Floats) -> Floats:
    return _square(values[None])


def _ratio(values: Floats, own: Floats) -> Floats:
    import numpy as np

    sums = values[:, None] + values[None, :]
    relative: Floats = _square(values[None]) / np.where(sums > 0, sums, 1.0) ** 2
    return relative


_DISTANCES: Mapping[Scale, Callable[[Floats, Floats], Floats]] = {
    "nominal": _nominal,
    "ordinal": _ordinal,
    "interval": _interval,
    "ratio": _ratio,
}
"""Squared distance of two values, by the values and how often each resample has them."""

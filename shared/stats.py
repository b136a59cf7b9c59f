"""Statistics on scores. Pure functions; everything is a fraction in [0, 1], never per cent.

A *stratum* is a part of the questions with its weight in the mean: `[(1.0, all)]` is the plain mean over questions,
`[(1 / 11, task) for each of 11 tasks]` the mean of 11 task means. Weights sum to 1, and no stratum is empty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, comb, erfc, fsum, lcm, nan, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

T = TypeVar("T")
Strata = Sequence[tuple[float, Sequence[T]]]
Cluster = tuple[float, int]
"""Questions that stand or fall together: the sum of their points, and how many they are."""

RESAMPLES = 4000
"""Of the bootstrap. The ends of its interval then move by about a tenth of a standard error from seed to seed."""

DRAWS_AT_ONCE = 2**20
"""Bounds the bootstrap's memory: 8 MB of indices at a time."""

FINEST = 1_000_000
"""Most steps of the score from 0 to 1 that are worth their time, when questions weigh unequally."""

GRID = 100_000
"""Steps where it would take more to hit every score. Rounding up costs at most one step a stratum."""

TIE = 1e-9
"""Relative. A probability equal to alpha but for rounding is not below alpha."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval and how it was made: "wilson", "wilson combined", "bootstrap" or "wilson on groups"."""

    low: float
    high: float
    method: str


def wilson(successes: float, n: int, confidence: float = 0.95) -> Interval:
    """Wilson's score interval for a proportion of `n` independent questions (Wilson 1927; no continuity correction).

    `successes` may be fractional, for a mean of `n` values in [0, 1]: the interval is then too wide, never too narrow.
    Raises ValueError unless 0 <= successes <= n and n > 0.

    >>> interval = wilson(527, 1180)
    >>> f"{interval.low:.2%} {interval.high:.2%}"
    '41.85% 47.51%'
    """
    if not 0 <= successes <= n or n == 0:
        raise ValueError(f"{successes} successes of {n}: expected 0 <= successes <= n and n > 0")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = successes / n
    centre = share + z * z / (2 * n)
    half = z * sqrt(share * (1 - share) / n + (z / (2 * n)) ** 2)
    scale = 1 + z * z / n
    low, high = (centre - half) / scale, (centre + half) / scale
    # Rounding may put an end on the wrong side of the estimate when that is 0 or 1.
    return Interval(max(0.0, min(share, low)), min(1.0, max(share, high)), "wilson")


def wilson_combined(strata: Strata[float], confidence: float = 0.95) -> Interval:
    """Interval of a weighted mean of strata of independent questions, each right (1) or wrong (0), from Wilson's for each.

    Distances from the estimate to an end add up like standard errors (Zou & Donner, Stat. Med. 27, 2008: MOVER). A bootstrap
    would take a stratum of two wrong answers for one without any doubt; this covers the truth in 89 to 100 of 100 simulated
    runs where that one covers it in 0 to 94.
    """
    estimate, below, above = 0.0, 0.0, 0.0
    for weight, points in strata:
        share = fsum(points) / len(points)
        own = wilson(fsum(points), len(points), confidence)
        estimate += weight * share
        below += (weight * (share - own.low)) ** 2
        above += (weight * (own.high - share)) ** 2
    return Interval(max(0.0, estimate - sqrt(below)), min(1.0, estimate + sqrt(above)), "wilson combined")


def cohen_kappa(a: Sequence[str], b: Sequence[str]) -> float:
    """Agreement of two raters beyond chance (Cohen 1960): (seen - expected) / (1 - expected), unweighted.

    NaN where nothing is beyond chance: both gave every item one and the same label. Raises ValueError unless both have labelled the
    same number of items, at least one.

    >>> round(cohen_kappa("yyyynnnn", "yyynnnny"), 3)
    0.5
    """
    if len(a) != len(b) or not a:
        raise ValueError(
            f"{len(a)} and {len(b)} labels: expected one of each rater for every item, and at least one item"
        )
    n, of_a, of_b = len(a), Counter(a), Counter(b)
    expected = sum(of_a[label] * of_b[label] for label in of_a)
    seen = n * sum(one == other for one, other in zip(a, b, strict=True))
    return (seen - expected) / (n * n - expected) if expected < n * n else nan


def kappa_interval(
    a: Sequence[str], b: Sequence[str], confidence: float = 0.95, resamples: int = RESAMPLES, seed: int = 0
) -> Interval | None:
    """Percentile bootstrap of `cohen_kappa`: items are drawn with replacement.

    None where kappa is not defined, and where every draw has the same (full agreement, or one rater with one label): a width of 0
    would be a lie. Draws without a kappa (one label only) say nothing about it and are left out.
    """
    import numpy as np

    if cohen_kappa(a, b) != cohen_kappa(a, b):  # NaN
        return None
    labels = sorted({*a, *b})
    cells = Counter(zip(a, b, strict=True))
    shares = np.array([[cells[one, other] for other in labels] for one in labels], dtype=float) / len(a)
    drawn = np.random.RandomState(seed).multinomial(len(a), shares.ravel(), size=resamples) / len(a)
    table = drawn.reshape(resamples, len(labels), len(labels))
    seen = np.trace(table, axis1=1, axis2=2)
    expected = (table.sum(axis=1) * table.sum(axis=2)).sum(axis=1)
    defined = expected < 1 - TIE
    kappas = (seen[defined] - expected[defined]) / (1 - expected[defined])
    low, high = np.percentile(kappas, [50 * (1 - confidence), 50 * (1 + confidence)])
    return Interval(float(low), float(high), "bootstrap") if high - low >= TIE else None


def drop(right: int, n: int, right_then: int, n_then: int) -> float:
    """p-value of "the second share is lower than the first", one-sided: two-proportion z test, pooled, no continuity correction.

    1.0 where both shares are 0 or both are 1: nothing has dropped. Raises ValueError unless 0 <= right <= n and n > 0, of both.

    >>> round(drop(30, 40, 20, 40), 4)
    0.0105
    """
    for successes, size in ((right, n), (right_then, n_then)):
        if not 0 <= successes <= size or size == 0:
            raise ValueError(f"{successes} right of {size}: expected 0 <= right <= n and n > 0")
    pooled = (right + right_then) / (n + n_then)
    if pooled in (0, 1):
        return 1.0
    z = (right / n - right_then / n_then) / sqrt(pooled * (1 - pooled) * (1 / n + 1 / n_then))
    return erfc(z / sqrt(2)) / 2


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values adjusted for being several (Holm 1979), in the order given: reject those at most alpha.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted, least = [1.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = least
    return adjusted


def mcnemar(only_first: int, only_second: int) -> float:
    """Exact two-sided p-value for two runs on the same questions, from how many only one of them has right (McNemar 1947, binomial).

    >>> mcnemar(2, 10)
    0.03857421875
    """
    n = only_first + only_second
    tail = sum(comb(n, k) for k in range(min(only_first, only_second) + 1))
    return min(1.0, 2 * tail / (1 << n))


def paired_difference(
    differences: Sequence[float], confidence: float = 0.95, resamples: int = RESAMPLES, seed: int = 0
) -> Interval:
    """Percentile bootstrap of the mean of differences, each in [-1, 1], between two runs on the same questions.

    Where all questions have the same difference, nothing can be resampled: it may still be another in as large a share of questions as
    Wilson's interval leaves open after none of so many.
    """
    if len(set(differences)) == 1:
        same, open_share = differences[0], wilson(0, len(differences), confidence).high
        return Interval(max(-1.0, same - open_share), min(1.0, same + open_share), "wilson")
    halves = [((1 + difference) / 2, 1) for difference in differences]  # to [0, 1] and back
    interval = bootstrap([(1.0, halves)], confidence, resamples, seed)
    return Interval(2 * interval.low - 1, 2 * interval.high - 1, interval.method)


def count_distribution(chances: Sequence[float]) -> Floats:
    """P(X = 0 … n) for the number X of right blind guesses at n questions with these chances (Poisson-binomial).

    Exact: binomials, one for each distinct chance, convolved. Raises ValueError for a chance outside [0, 1].
    """
    import numpy as np
    from scipy.stats import binom

    if wrong := [chance for chance in chances if not 0 <= chance <= 1]:
        raise ValueError(f"chance {wrong[0]}: expected a probability, 0 to 1")
    distribution: Floats = np.ones(1)
    for chance, n in sorted(Counter(chances).items()):
        distribution = np.convolve(distribution, binom.pmf(np.arange(n + 1), n, chance))
    return distribution


def critical_count(chances: Sequence[float], alpha: float = 0.05) -> int:
    """The smallest k with P(X >= k) < alpha for blind guesses at questions with these chances; n + 1 when even n is not.

    This is the exact one-sided test behind the paper's row of critical values (n = 100 a task), and for questions of
    several kinds pooled.

    >>> critical_count([1 / 3] * 100), critical_count([1 / 24] * 100), critical_count([0.5] * 4)
    (42, 9, 5)
    """
    return _first_below(count_distribution(chances), alpha)


def critical_mean(strata: Strata[float], alpha: float = 0.05) -> float | None:
    """The smallest weighted mean of blind guesses' points that has a probability below alpha; `strata` holds chances.

    None when no score is that improbable (too few questions). Exact when all questions weigh the same, and when all scores lie
    on a grid of at most `FINEST` steps; else each stratum's score is rounded up to `GRID`, so that the threshold is too high
    by at most one step a stratum, and never too low.
    """
    chances = [chance for _, stratum in strata for chance in stratum]
    if weigh_the_same(strata):
        count = critical_count(chances, alpha)
        return count / len(chances) if count <= len(chances) else None
    grid = _grid(strata)
    distribution = _grid_distribution(strata, grid)
    step = _first_below(distribution, alpha)
    # Between two scores that can occur the tail is flat: name the upper one, which a model can have.
    step += next((gap for gap, mass in enumerate(distribution[step:]) if mass > 0), 0)
    return min(1.0, step / grid) if step < len(distribution) else None


def weigh_the_same(strata: Strata[T]) -> bool:
    """Whether the mean of strata is just the mean over all questions: each stratum weighs as many as it has."""
    total = sum(len(stratum) for _, stratum in strata)
    return all(abs(weight * total - len(stratum)) < TIE * total for weight, stratum in strata)


def bootstrap(strata: Strata[Cluster], confidence: float = 0.95, resamples: int = RESAMPLES, seed: int = 0) -> Interval:
    """Percentile bootstrap of a weighted mean of strata: clusters are drawn with replacement within each stratum.

    The same input gives the same interval on every machine. When all clusters have the same mean there is nothing to
    resample; a width of 0 would be a lie, so that Wilson's interval for as many questions as there are clusters stands in.
    """
    import numpy as np

    # RandomState, not Generator: NumPy promises never to change its stream.
    random = np.random.RandomState(seed)
    means = sum(weight * _resampled_means(clusters, random, resamples) for weight, clusters in strata)
    ends = np.percentile(means, [50 * (1 - confidence), 50 * (1 + confidence)])
    low, high = (min(1.0, max(0.0, float(end))) for end in ends)
    if high - low >= TIE:
        return Interval(low, high, "bootstrap")
    groups = sum(len(clusters) for _, clusters in strata)
    flat = wilson(low * groups, groups, confidence)
    return Interval(flat.low, flat.high, "wilson on groups")


def _first_below(distribution: Floats, alpha: float) -> int:
    """The smallest k whose upper tail is below alpha; one past the end when none is."""
    import numpy as np

    tails = np.cumsum(distribution[::-1])[::-1]
    return int(np.count_nonzero(tails >= alpha * (1 - TIE)))


def _grid(strata: Strata[T]) -> int:
    """The fewest steps from 0 to 1 that hit every score of these strata, or `GRID` where they are too many."""
    weights = [Fraction(weight).limit_denominator(1000) for weight, _ in strata]
    if any(abs(near - weight) > TIE for near, (weight, _) in zip(weights, strata, strict=True)):
        return GRID
    steps = lcm(*((weight / len(own)).denominator for weight, (_, own) in zip(weights, strata, strict=True)))
    return steps if steps <= FINEST else GRID


def _grid_distribution(strata: Strata[float], grid: int) -> Floats:
    """Distribution of the weighted mean of right guesses, in steps of 1 / grid, every stratum rounded up to one.

    Added up count by count: a Fourier transform would leave noise behind that hides improbable scores.
    """
    import numpy as np

    total: Floats = np.ones(1)
    for weight, chances in strata:
        counts = count_distribution(chances)
        steps = [ceil(weight * grid * right / len(chances) - TIE) for right in range(len(counts))]
        longer = np.zeros(len(total) + steps[-1])
        for step, probability in zip(steps, counts, strict=True):
            longer[step : step + len(total)] += probability * total
        total = longer
    return total


def _resampled_means(clusters: Sequence[Cluster], random: np.random.RandomState, resamples: int) -> Floats:
    import numpy as np

    sums, sizes = (np.array(column, dtype=float) for column in zip(*clusters, strict=True))

    def chunks() -> Iterator[Floats]:
        rows = max(1, DRAWS_AT_ONCE // len(clusters))
        for start in range(0, resamples, rows):
            shape = (min(rows, resamples - start), len(clusters))
            drawn = random.randint(len(clusters), size=shape, dtype=np.int64)
            yield sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)

    return np.concatenate(list(chunks()))

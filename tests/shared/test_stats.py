"""Intervals and thresholds: published numbers, brute force on small sizes, and what must hold for any input."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import fsum, isnan, prod
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, chi2_contingency, norm

from cogsight.shared import stats
from cogsight.shared.stats import (
    GRID,
    bootstrap,
    cohen_kappa,
    count_distribution,
    critical_count,
    critical_mean,
    drop,
    holm,
    kappa_interval,
    mcnemar,
    paired_difference,
    weigh_the_same,
    wilson,
    wilson_combined,
)

GOLDEN = Path(__file__).parents[1] / "golden"
PAPER = [1 / 3, 1 / 2, 1 / 4, 1 / 4, 1 / 5, 1 / 4, 1 / 2, 1 / 4, 1 / 4, 1 / 24, 1 / 5]
"""Chances of the 11 tasks of LEGO-Puzzles."""


def golden(name: str) -> list[list[str]]:
    lines = (GOLDEN / name).read_text().splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def tail(chances: list[Fraction], k: int) -> Fraction:
    """P(at least k of these are right), by going through every way to guess."""
    ways = product((0, 1), repeat=len(chances))
    weights = [[p if hit else 1 - p for p, hit in zip(chances, way, strict=True)] for way in ways if sum(way) >= k]
    return sum((prod(weight, start=Fraction(1)) for weight in weights), Fraction(0))


@pytest.mark.parametrize(("successes", "n", "low", "high", "source"), golden("wilson.tsv"))
def test_wilson_gives_published_intervals(successes: str, n: str, low: str, high: str, source: str) -> None:
    interval = wilson(int(successes), int(n))
    assert (f"{100 * interval.low:.2f}", f"{100 * interval.high:.2f}") == (low, high), source


@settings(deadline=None)
@given(st.integers(1, 5000), st.floats(0, 1), st.floats(0.5, 0.999))
def test_wilson_contains_the_estimate_and_mirrors(n: int, share: float, confidence: float) -> None:
    interval, mirrored = wilson(share * n, n, confidence), wilson((1 - share) * n, n, confidence)
    assert 0 <= interval.low <= share + 1e-12
    assert share - 1e-12 <= interval.high <= 1
    assert interval.low == pytest.approx(1 - mirrored.high, abs=1e-9)
    surer = wilson(share * n, n, confidence + 0.0005)
    assert surer.low <= interval.low + 1e-12
    assert surer.high >= interval.high - 1e-12


@pytest.mark.parametrize(("successes", "n"), [(0, 0), (3, 2), (-1, 2)])
def test_wilson_refuses_what_is_no_share(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match=f"{successes} successes of {n}"):
        wilson(successes, n)


def test_combined_intervals_give_a_published_one() -> None:
    """Newcombe (Stat. Med. 17, 1998), table II, method 10: 56/70 - 48/80 is 0.0524 to 0.3339; here as half of 56/70 + 32/80."""
    interval = wilson_combined([(0.5, [1.0] * 56 + [0.0] * 14), (0.5, [1.0] * 32 + [0.0] * 48)])
    assert (2 * interval.low - 1, 2 * interval.high - 1) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    assert interval.method == "wilson combined"


def test_a_single_question_of_a_task_leaves_much_open() -> None:
    alone = wilson(1, 1)
    interval = wilson_combined([(0.5, [1.0] * 50 + [0.0] * 50), (0.5, [1.0])])
    assert interval.low < 0.75 - 0.5 * (1 - alone.low) and interval.high < 0.85
    assert wilson_combined([(1.0, [1.0])]).low == pytest.approx(alone.low)


@pytest.mark.parametrize(("task", "options", "full", "lite"), golden("critical_values.tsv"))
def test_critical_values_of_the_paper(task: str, options: str, full: str, lite: str) -> None:
    chance = 1 / int(options)
    assert (critical_count([chance] * 100), critical_count([chance] * 20)) == (int(full), int(lite)), task


def test_pooled_threshold_of_the_paper_is_exact() -> None:
    """327 of 1,100 by the distribution over the 11 tasks; a single binomial with their mean chance is one too high."""
    pooled = [chance for chance in PAPER for _ in range(100)]
    assert critical_count(pooled) == 327
    assert critical_mean([(1 / 11, [chance] * 100) for chance in PAPER]) == 327 / 1100
    assert critical_count([fsum(PAPER) / 11] * 1100) == 328
    assert critical_count([chance for chance in PAPER for _ in range(20)]) == 72


@settings(deadline=None)  # the first example imports SciPy
@given(st.lists(st.fractions(0, 1, max_denominator=30), max_size=8), st.fractions(Fraction(1, 100), Fraction(1, 2)))
def test_critical_count_against_every_way_to_guess(chances: list[Fraction], alpha: Fraction) -> None:
    k = critical_count([float(p) for p in chances], float(alpha))
    assert k == len(chances) + 1 or tail(chances, k) < alpha
    assert k == 0 or tail(chances, k - 1) >= alpha * Fraction(1 - 2e-9)


@settings(deadline=None)  # the first example imports SciPy
@given(st.lists(st.fractions(0, 1, max_denominator=30), max_size=7))
def test_count_distribution_against_every_way_to_guess(chances: list[Fraction]) -> None:
    exact = [float(tail(chances, k) - tail(chances, k + 1)) for k in range(len(chances) + 1)]
    assert count_distribution([float(p) for p in chances]) == pytest.approx(exact, abs=1e-12)


def test_a_tie_with_alpha_is_not_below_it() -> None:
    assert critical_count([0.05]) == 2
    assert critical_count([0.04999]) == 1
    assert critical_count([1 - 0.95**0.5] * 2) == 2  # P(X >= 1) is 0.05 but for rounding


def test_too_few_questions_have_no_threshold() -> None:
    assert critical_count([0.5] * 4) == 5
    assert critical_mean([(1.0, [0.5] * 4)]) is None
    assert critical_mean([(0.5, [0.5]), (0.5, [0.5] * 2)]) is None
    assert critical_mean([(1.0, [0.0])]) == 1.0


@pytest.mark.parametrize("chance", [-0.1, 1.1, float("nan")])
def test_a_chance_is_a_probability(chance: float) -> None:
    with pytest.raises(ValueError, match="expected a probability"):
        critical_count([0.5, chance])


@settings(max_examples=50, deadline=None)
@example([[0.2], [0.2, 0.5], [0.5]])  # all right is the only score above chance, and three thirds round up beyond 1
@given(st.lists(st.lists(st.sampled_from([0.0, 0.2, 0.25, 0.5]), min_size=1, max_size=4), min_size=2, max_size=3))
def test_unequal_strata_against_every_way_to_guess(strata: list[list[float]]) -> None:
    """The threshold is a score that can occur and that chance reaches with probability < 0.05, and no lower score is."""
    weight = 1 / len(strata)
    flat = [p for stratum in strata for p in stratum]
    scores: dict[float, float] = {}
    for way in product((0, 1), repeat=len(flat)):
        hits, score = iter(way), 0.0
        for stratum in strata:
            score += weight * sum(next(hits) for _ in stratum) / len(stratum)
        chance = prod(p if hit else 1 - p for p, hit in zip(flat, way, strict=True))
        scores[round(score, 9)] = scores.get(round(score, 9), 0.0) + chance

    def reached(score: float) -> float:
        return fsum(p for other, p in scores.items() if other >= score - 1e-9)

    threshold = critical_mean([(weight, stratum) for stratum in strata])
    if threshold is None:
        assert reached(1.0) > 0.05 * (1 - 1e-6)
        return
    assert reached(threshold) < 0.05
    assert 0.0 in flat or any(abs(score - threshold) < 1e-9 for score in scores)
    lower = [score for score, p in scores.items() if score < threshold - 1e-9 and p > 0]
    assert all(reached(score) >= 0.05 * (1 - 1e-6) for score in lower)


def test_the_grid_agrees_with_the_exact_threshold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where both can be had: rounding up adds less than a step for each of the 11 strata, so that 326 stays below it."""
    monkeypatch.setattr(stats, "weigh_the_same", lambda _: False)
    threshold = critical_mean([(1 / 11, [chance] * 100) for chance in PAPER])
    assert threshold is not None
    assert 326 / 1100 < threshold <= 327 / 1100 + 11 / GRID


UNEQUAL = [
    ([(5, 1 / 3), (10, 1 / 5), (9, 1 / 24), (4, 1 / 5)], 0.3388888888888889),
    ([(12, 1 / 5), (9, 1 / 5)], 0.3611111111111111),
    # The threshold is a score of probability below 1e-12, as are some between others.
    ([(7, 1 / 4), (9, 1 / 24), (10, 1 / 24), (1, 1 / 2)], 0.39325396825396826),
]
"""Questions and chance of each task; the threshold of their mean by adding up all combinations, as fractions."""


@pytest.mark.parametrize(("tasks", "threshold"), UNEQUAL)
def test_a_score_just_at_the_threshold_of_unequal_tasks_reaches_it(
    tasks: list[tuple[int, float]], threshold: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    strata = [(1 / len(tasks), [chance] * n) for n, chance in tasks]
    assert critical_mean(strata) == pytest.approx(threshold, abs=1e-13)
    monkeypatch.setattr(stats, "FINEST", 0)
    rounded_up = critical_mean(strata)
    assert rounded_up is not None and threshold - 1e-12 <= rounded_up <= threshold + len(tasks) / GRID


def test_a_threshold_of_unequal_strata_is_a_score_that_can_occur() -> None:
    """One question of one task, two of another: 1/2 has probability 0.109, the next score is 3/4, with 0.019."""
    assert critical_mean([(0.5, [0.1]), (0.5, [0.1, 0.1])]) == 0.75


def test_weighing_the_same() -> None:
    assert weigh_the_same([(1.0, "abc")])
    assert weigh_the_same([(0.5, "ab"), (0.5, "cd")])
    assert weigh_the_same([(2 / 3, "ab"), (1 / 3, "c")])
    assert not weigh_the_same([(0.5, "ab"), (0.5, "c")])


clusters = st.lists(st.integers(1, 3).flatmap(lambda n: st.tuples(st.floats(0, n), st.just(n))), min_size=1, max_size=6)


@settings(max_examples=50, deadline=None)
@given(st.lists(clusters, min_size=1, max_size=3))
def test_bootstrap_contains_the_estimate_and_repeats(strata: list[list[tuple[float, int]]]) -> None:
    weighted = [(1 / len(strata), stratum) for stratum in strata]
    interval = bootstrap(weighted, resamples=200)
    estimate = fsum(weight * sum(s for s, _ in own) / sum(n for _, n in own) for weight, own in weighted)
    assert 0 <= interval.low <= estimate + 1e-9
    assert estimate - 1e-9 <= interval.high <= 1
    assert interval.high > interval.low
    assert interval == bootstrap(weighted, resamples=200)


def test_bootstrap_of_independent_questions_is_about_wilson() -> None:
    right = [(float(n < 60), 1) for n in range(200)]
    found, exact = bootstrap([(1.0, right)]), wilson(60, 200)
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high), abs=0.01)
    assert found.method == "bootstrap"


def test_bootstrap_sees_groups_and_strata() -> None:
    """Ten questions that stand or fall together are one piece of evidence; strata take the spread between tasks away."""
    apart = [(float(n < 50), 1) for n in range(100)]
    together = [(10.0 if n < 5 else 0.0, 10) for n in range(10)]
    wide, narrow = bootstrap([(1.0, together)]), bootstrap([(1.0, apart)])
    assert wide.high - wide.low > 2.5 * (narrow.high - narrow.low)
    easy, hard = [(float(n < 45), 1) for n in range(50)], [(float(n < 5), 1) for n in range(50)]
    split = bootstrap([(0.5, easy), (0.5, hard)])
    assert split.high - split.low < 0.7 * (narrow.high - narrow.low)


def test_bootstrap_does_not_depend_on_how_much_is_drawn_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    strata = [(1.0, [(float(n % 3 == 0), 1) for n in range(50)])]
    whole = bootstrap(strata)
    monkeypatch.setattr(stats, "DRAWS_AT_ONCE", 500)
    assert bootstrap(strata) == whole


def test_bootstrap_is_the_same_everywhere() -> None:
    """NumPy promises that RandomState's stream never changes; this interval was computed with NumPy 2.4."""
    interval = bootstrap([(1.0, [(n * n % 17 / 17, 1) for n in range(40)])])
    assert (interval.low, interval.high) == pytest.approx((0.35735294117647054, 0.5573529411764706), abs=1e-12)


@pytest.mark.parametrize("points", [0.0, 0.5, 1.0])
def test_bootstrap_of_equal_groups_has_a_width(points: float) -> None:
    flat = wilson(20 * points, 20)
    interval = bootstrap([(1.0, [(n * points, n) for n in range(1, 21)])])
    assert (interval.low, interval.high, interval.method) == (flat.low, flat.high, "wilson on groups")


@pytest.mark.slow
def test_intervals_cover_as_often_as_they_say() -> None:
    """Known truth: 11 tasks of 20 questions with their own chances, 400 runs; Wilson on the pooled is a bit too careful."""
    import numpy as np

    random = np.random.RandomState(1)
    truth = fsum(PAPER) / 11
    hits = {"wilson": 0, "bootstrap": 0}
    for _ in range(400):
        tasks = [random.rand(20) < chance for chance in PAPER]
        strata = [(1 / 11, [(float(right), 1) for right in task]) for task in tasks]
        for interval in (wilson(sum(float(t.sum()) for t in tasks), 220), bootstrap(strata, resamples=400)):
            hits[interval.method] += interval.low <= truth <= interval.high
    assert 0.94 <= hits["wilson"] / 400 <= 1.0
    assert 0.90 <= hits["bootstrap"] / 400 <= 0.98


def test_kappa_of_cohens_own_example() -> None:
    """Cohen 1960, Table 1: shares of 200 judgements by two raters, kappa = (0.70 - 0.41) / 0.59."""
    shares = {"11": 88, "12": 14, "13": 18, "21": 10, "22": 40, "23": 10, "31": 2, "32": 6, "33": 12}
    a, b = zip(*(pair for pair, count in shares.items() for _ in range(count)), strict=True)
    assert cohen_kappa(a, b) == pytest.approx((0.70 - 0.41) / 0.59)


@pytest.mark.parametrize("other", ["abab", "aaaa", "bbbb"])
def test_an_interval_of_kappa_without_width_is_none(other: str) -> None:
    """Four items cannot say for certain that two raters always agree."""
    assert kappa_interval("abab", other) is None


def test_kappa_at_its_ends() -> None:
    assert cohen_kappa("abab", "abab") == 1
    assert cohen_kappa("aabb", "bbaa") == -1
    assert cohen_kappa("aabb", "abab") == 0
    assert isnan(cohen_kappa("aaaa", "aaaa"))
    for a, b in (("", ""), ("a", "ab")):
        with pytest.raises(ValueError, match="labels: expected one of each rater"):
            cohen_kappa(a, b)


@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_drop_is_the_pooled_z_test(n: int, n_then: int, data: st.DataObject) -> None:
    """Its square is the chi-square statistic of the two-by-two table without continuity correction."""
    right, right_then = data.draw(st.integers(0, n)), data.draw(st.integers(0, n_then))
    p = drop(right, n, right_then, n_then)
    if right + right_then in (0, n + n_then):
        assert p == 1
        return
    table = [[right, n - right], [right_then, n_then - right_then]]
    chi2 = chi2_contingency(table, correction=False).statistic
    sign = 1 if right / n >= right_then / n_then else -1
    assert p == pytest.approx(norm.sf(sign * chi2**0.5), abs=1e-9)


def test_a_level_of_forty_needs_a_drop_of_about_twenty_points() -> None:
    """At 40, 50 and 60 % of the lower level; the notes on SpatialViz-Bench's published numbers say about 21."""
    needed = [next(k for k in range(right) if drop(right, 40, right - k, 40) < 0.05) for right in (16, 20, 24)]
    assert [100 * k / 40 for k in needed] == [17.5, 20.0, 20.0]
    for wrong in ((1, 0, 0, 1), (2, 1, 0, 1), (-1, 3, 0, 1)):
        with pytest.raises(ValueError, match="expected 0 <= right <= n"):
            drop(*wrong)


def test_holm_by_hand() -> None:
    assert holm([]) == []
    assert holm([0.2]) == [0.2]
    assert holm([0.01, 0.02, 0.03, 0.04]) == pytest.approx([0.04, 0.06, 0.06, 0.06])
    assert holm([0.9, 0.8, 0.0001]) == pytest.approx([1, 1, 0.0003])


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_rejects_what_going_down_step_by_step_rejects(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert all(after >= before for after, before in zip(adjusted, p_values, strict=True))
    rejected: set[float] = set()
    for rank, p in enumerate(sorted(p_values)):
        if p * (len(p_values) - rank) > 0.05:
            break
        rejected.add(p)
    assert {p for p, own in zip(p_values, adjusted, strict=True) if own <= 0.05} == rejected


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_the_exact_binomial_test(one: int, other: int) -> None:
    expected = binomtest(one, one + other).pvalue if one + other else 1.0
    assert mcnemar(one, other) == pytest.approx(expected)


def test_the_paired_difference_is_as_wide_as_its_standard_error_says() -> None:
    differences = [1.0] * 200 + [-1.0] * 150 + [0.0] * 830
    n, mean = len(differences), sum(differences) / len(differences)
    error = (sum((d - mean) ** 2 for d in differences) / n / n) ** 0.5
    interval = paired_difference(differences)
    assert (interval.low, interval.high) == pytest.approx((mean - 1.96 * error, mean + 1.96 * error), abs=0.1 * error)
    assert interval == paired_difference(differences)


def test_runs_that_never_differ_are_not_known_for_certain_to_be_alike() -> None:
    interval = paired_difference([0.0] * 100)
    assert (interval.low, interval.high) == pytest.approx((-wilson(0, 100).high, wilson(0, 100).high))
    assert paired_difference([1.0] * 10).high == 1

"""Partial scores: what `Score.parts` come to, name by name, beside the score that they are parts of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import fsum

from .sample import Score
from .stats import Cluster, Interval, bootstrap, wilson


@dataclass(frozen=True, slots=True)
class Part:
    """One of them, over all questions alike."""

    name: str
    """In `Score.parts`."""
    title: str
    n: int
    """Questions of which it is known."""
    missing: int
    """Attempts of which it is not: lost, or not judged."""
    mean: float
    """Over what is known, in [0, 1]."""
    interval: Interval
    """95 %, around `mean`."""


def add_up(scores: Iterable[Score], titles: Mapping[str, str]) -> tuple[Part, ...]:
    """The parts that `titles` names, in its order, without those that no score has (nobody asked for them).

    A question asked several times counts once, with its mean.

    >>> half = Score("toy/official/near/0/1", 0, 0.0, "wrong", parts={"steps": 0.5})
    >>> [(part.title, part.n, part.mean) for part in add_up([half], {"steps": "Steps", "blocks": "Blocks"})]
    [('Steps', 1, 0.5)]
    """
    scores = list(scores)
    named = {name for score in scores for name in score.parts}
    return tuple(_part(name, title, scores) for name, title in titles.items() if name in named)


def _part(name: str, title: str, scores: list[Score]) -> Part:
    known: dict[str, list[float]] = {}
    groups: dict[str, str] = {}
    for score in scores:
        if name in score.parts:
            known.setdefault(score.sample_id, []).append(score.parts[name])
            groups[score.sample_id] = score.group or score.sample_id
    means = {sample: fsum(values) / len(values) for sample, values in known.items()}
    return Part(
        name,
        title,
        n=len(means),
        missing=len(scores) - sum(map(len, known.values())),
        mean=fsum(means.values()) / len(means),
        interval=_interval(means, groups),
    )


def _interval(means: Mapping[str, float], groups: Mapping[str, str]) -> Interval:
    """Wilson's where questions are independent: for shares of a question a little too wide. Else the bootstrap over groups.

    A measure that can be negative, such as structural similarity, is no share: the bootstrap too.
    """
    if len(set(groups.values())) == len(means) and all(value >= 0 for value in means.values()):
        return wilson(min(fsum(means.values()), len(means)), len(means))
    clusters: dict[str, list[float]] = {}
    for sample, value in means.items():
        clusters.setdefault(groups[sample], []).append(value)
    resampled: list[Cluster] = [(fsum(values), len(values)) for values in clusters.values()]
    return bootstrap([(1.0, resampled)])

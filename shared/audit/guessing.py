"""Guesses from columns of numbers, each for questions that the model was not fitted on: linear models of scikit-learn, five folds.

Linear, since a task has about a hundred questions. Of 100 sets of 100 questions whose right options have half a standard deviation more
ink, the gate stops 53 by a logistic regression that is given distances from the mean too (`clues`), 42 by boosted trees, which take ten
times as long and find no more where the right option is the middle or the extreme one. Nothing is random but the folds, which are drawn
from a fixed seed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MissingDependency
from .clues import Columns
from .measure import Floats, Item

FOLDS = 5
SEED = 0
TOLD = 2
"""Columns that are named as the most telling."""

Indices = NDArray[np.int64]


def require() -> None:
    """Raises MissingDependency with the line that installs scikit-learn."""
    try:
        import sklearn  # noqa: F401
    except ImportError as error:
        raise MissingDependency("scikit-learn", "audit") from error


def one_thread() -> AbstractContextManager[object]:
    """While open, matrices are multiplied in one thread: ours are so small that several only wait for each other."""
    from threadpoolctl import threadpool_limits  # comes with scikit-learn

    limited: AbstractContextManager[object] = threadpool_limits(1)
    return limited


def folds(items: Sequence[Item]) -> Indices:
    """Each question's fold; questions on one picture share theirs, or the one would give the other away.

    Each key is spread evenly over the folds, or else what is rare in a fold were frequent in the others, and guesses below chance.
    """
    key: dict[str, str] = {}
    for item in items:
        key.setdefault(_group(item), item.sample.answer)
    names = np.random.RandomState(SEED).permutation(list(key)).tolist()
    fold = {name: place % FOLDS for place, name in enumerate(sorted(names, key=lambda name: key[name]))}
    return np.array([fold[_group(item)] for item in items])


def _group(item: Item) -> str:
    return item.sample.group or item.sample.id


def right_option(columns: Columns, target: NDArray[np.bool_], fold: Indices) -> Floats:
    """How likely each option is the key, by a logistic regression on options. `target`: is it; `fold`: of each row."""

    return np.asarray(_crossed(_logistic, "decision_function", columns, target, fold), dtype=float)


def place_in_order(columns: Columns, target: Floats, fold: Indices) -> Floats:
    """Where each option stands in the right order, by a ridge regression on options."""

    return np.asarray(_crossed(_ridge, "predict", columns, target, fold), dtype=float)


def key_class(columns: Columns, target: NDArray[np.str_], fold: Indices) -> NDArray[np.str_]:
    """The key of each question, by a logistic regression on questions."""

    return np.asarray(_crossed(_logistic, "predict", columns, target, fold))


def telling(columns: Columns, target: Any, *, ordered: bool = False) -> tuple[str, ...]:
    """Names of the columns that weigh most in a model of all questions."""
    matrix, names = columns.matrix()
    weights = np.abs(np.atleast_2d((_ridge() if ordered else _logistic()).fit(matrix, target).coef_)).max(axis=0)
    return tuple(names[i] for i in np.argsort(-weights, kind="stable")[:TOLD])


def _logistic() -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=1000)


def _ridge() -> Any:
    from sklearn.linear_model import Ridge

    return Ridge()


def _crossed(make: Callable[[], Any], method: str, columns: Columns, target: NDArray[Any], fold: Indices) -> Any:
    """What models say, by a method of theirs, of the rows of each fold after being fitted on the other folds."""
    matrix, _ = columns.matrix()
    found: list[Any] = [None] * len(fold)
    for number in sorted(set(fold.tolist())):
        held = np.flatnonzero(fold == number)
        rest = np.flatnonzero(fold != number)
        if len(set(target[rest].tolist())) < 2:  # nothing to tell apart, so nothing is learnt: all are alike
            said: Any = np.full(len(held), target[rest][0])
        else:
            said = getattr(make().fit(matrix[rest], target[rest]), method)(matrix[held])
        for row, value in zip(held.tolist(), said.tolist(), strict=True):
            found[row] = value
    return np.array(found)

"""States of the puzzles as one line of text, and back: JSON of their fields, lists for tuples."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar

from cogsight.shared.dataset import canonical_json

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    T = TypeVar("T", bound=DataclassInstance)
else:
    T = TypeVar("T")


def told(state: DataclassInstance) -> str:
    """The text of a state whose fields are numbers, texts, and tuples of such."""
    return canonical_json(asdict(state))


def read_state(cls: type[T], text: str) -> T:
    """The inverse of `told`."""
    return cls(**{name: _frozen(value) for name, value in json.loads(text).items()})


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value

"""A release in the cache: read once, and never taken for checked because changes were allowed once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import toy

from cogsight.shared.card import About
from cogsight.shared.errors import DataError
from cogsight.shared.official_data import official_key, official_samples
from cogsight.shared.sample import Sample

KEY = official_key("toy", "abc")


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COGSIGHT_CACHE", str(tmp_path))


def rows(allow_changed: bool, changed: bool = True) -> Iterator[Sample]:
    """Those of a release that is, or is not, as it should be."""
    yield from toy.SAMPLES
    if changed and not allow_changed:
        raise DataError("two rows are missing")


def test_it_is_read_once() -> None:
    for source in (rows(False, changed=False), iter(())):
        assert list(official_samples(KEY, source, About(), allow_changed=False)) == list(toy.SAMPLES)
    assert len(official_samples(KEY, iter(()), About(), allow_changed=True)) == len(toy.SAMPLES)


def test_what_was_allowed_once_is_refused_where_it_is_not() -> None:
    for _ in range(2):
        assert len(official_samples(KEY, rows(True), About(), allow_changed=True)) == len(toy.SAMPLES)
        with pytest.raises(DataError, match="two rows are missing"):
            official_samples(KEY, rows(False), About(), allow_changed=False)


def test_some_of_each_task_in_order() -> None:
    found = official_samples(KEY, rows(True), About(), allow_changed=True)
    assert [sample.id for sample in found.of(limit=1)] == [toy.SAMPLES[0].id, toy.SAMPLES[2].id]
    assert [sample.id for sample in found.of(["order"])] == [sample.id for sample in toy.SAMPLES[2:]]
    assert list(found.of([])) == []

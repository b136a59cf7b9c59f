"""As the command runs the checks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cogsight.shared.audit.guessing import one_thread


@pytest.fixture(autouse=True, scope="package")
def in_one_thread() -> Iterator[None]:
    with one_thread():
        yield

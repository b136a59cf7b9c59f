"""What the tests of judging in batches share."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
from batch_place import Place
from batch_stub import BatchStub


@pytest.fixture(autouse=True)
def no_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each client reads the certificates of the world, which takes longer than all the rest; the stub speaks plain HTTP."""
    monkeypatch.setattr(ssl.SSLContext, "load_verify_locations", lambda *args, **kwargs: None)


@pytest.fixture
def server() -> Iterator[BatchStub]:
    with BatchStub() as stub:
        yield stub


@pytest.fixture
def place(server: BatchStub, tmp_path: Path) -> Place:
    return Place(server, tmp_path)

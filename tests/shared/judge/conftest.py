"""What the tests of a judge's requests share."""

from __future__ import annotations

import pytest

from cogsight.shared.judge import client, pace


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The waits of a judge in hundredths of what they are."""
    monkeypatch.setattr(client, "WAITS", tuple(wait / 500 for wait in client.WAITS))
    monkeypatch.setattr(client, "PROBE_WAITS", tuple(wait / 500 for wait in client.PROBE_WAITS))
    monkeypatch.setattr(pace, "PATIENCE", 1.5)
    monkeypatch.setattr(pace, "LONGEST_WAIT", 0.05)
